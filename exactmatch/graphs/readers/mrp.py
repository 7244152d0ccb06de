"""MRP: the JSON lines of the shared tasks on Meaning Representation Parsing (2019 and 2020).

Oepen et al. (2019), *MRP 2019*, and Oepen et al. (2020), *MRP 2020*, introduce the format, and
mrp.nlpl.eu describes it. Each line holds one graph; blank lines are skipped. The parts of a graph
become triples:

=========================  =====================================================================
node 3                     the variable ``3``, of no sort
its label                  ``CONCEPT`` of the node and the label
its property               name of the node and the value
its anchor                 ``ANCHOR`` of the node, start and end, and the text there, if known
edge                       label of source and target
its normal form            label of source, target and the label that it has when turned round
its attribute              label of source, target, name and value
=========================  =====================================================================

The input becomes metadata under that name. An edge without label has the empty relation. Labels,
names and values that are numbers or truth values are kept as JSON writes them (``42``, ``true``),
since the task compares literal values as strings (Oepen et al. 2019, Section 4). Parts that no
metric reads are skipped: time, version, flavor, language, sources, targets, and the anchors of
edges and properties.

A file may hold several graphs of one sentence, in different frameworks. So the identifier of a
graph here is its framework and its identifier in the file, as in ``eds/20001001``: always both,
so that it does not depend on what else is in the file.

An unusable graph does not stop the reader: a `GraphError` with the reason takes its place. Errors
are invalid JSON, including NaN and infinite numbers; a repeated key in an object; a control
character in the identifier; a member of the wrong type; an edge or a top that names no node; and an
anchor that is no interval, or begins beyond the input. Faults that are common in the output of
parsers and leave a graph usable are in `Graph.notes`:

* anchors that end beyond the input are cut there;
* if nodes have anchors and the graph has no input, the text of the anchors is not known, so white
  space and punctuation count in anchors that are compared as characters.
"""

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, NoReturn

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import (
    ANCHOR,
    CONCEPT,
    MRP,
    Constant,
    Graph,
    Location,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.examined import REPAIRED, Defect, ExaminedGraph
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import numbered_lines
from exactmatch.graphs.unicode_form import nfc

#: Characters that would break the lines of results: controls, and separators of lines and
#: paragraphs.
_LINE_BREAKERS = ("Cc", "Zl", "Zp")
#: Longer values are cut short in messages.
_SHOWN = 40
#: Every anchor holds its text: all anchors of a graph together have at most so many characters.
_MOST_ANCHORED = 1 << 24


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield the lines of a file that hold a graph, numbered, each with its identifier, if any."""
    for line, raw in numbered_lines(chunks):
        if raw.strip():
            yield line, raw, _identifier(raw)


def read_graph(text: GraphText) -> Graph:
    """Return the graph in *text*. Raises `GraphError` if it is unusable."""
    place = _Place(Location(text.source, text.line), text.number)
    try:
        return _graph(text.data, place)
    except RecursionError:
        raise place.error("nested too deeply") from None


def examine_graph(text: GraphText) -> ExaminedGraph:
    """Return the graph in *text* with the faults that were mended. Raises `GraphError` as above."""
    graph = read_graph(text)
    place = str(_Place(graph.location, text.number, graph.identifier).error(""))
    defects = [Defect(REPAIRED, text.line, note.removeprefix(place)) for note in graph.notes]
    return ExaminedGraph(graph, [text.line] * len(graph.triples), defects)


def _identifier(raw: bytes) -> str | None:
    """Return the identifier of the graph in *raw*; None if the reader finds none."""
    try:
        content = json.loads(raw.decode("utf-8"))
        parts = [content["framework"], content["id"]]
        name = "/".join(parts)
        name.encode("utf-8")  # a lone surrogate is refused
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return name if all(parts) else None


class _NoNumber(Exception):  # noqa: N818
    """A replacement for an invalid number, with the reason."""


@dataclass(slots=True)
class _Place:
    """The place of a graph in errors; *identifier* is added when it is known."""

    location: Location
    number: int
    identifier: str | None = None

    def error(self, reason: str, text: str | None = None, column: int = 0) -> GraphError:
        return GraphError(
            reason,
            source=self.location.source,
            line=self.location.line,
            number=self.number,
            identifier=self.identifier,
            text=text,
            column=column,
        )


class _Object:
    """A JSON object, its path in the object of its graph (such as ``nodes[0]``), and its place.

    The path is a text, or consists of a *holder*, the array in it and the position there. A member
    that is null counts as missing. The methods raise `GraphError` for a member of the wrong type.
    """

    __slots__ = ("_path", "members", "place")

    def __init__(
        self, members: Mapping[str, Any], path: "str | tuple[_Object, str, int]", place: _Place
    ) -> None:
        self.members = members
        self._path = path
        self.place = place

    @property
    def path(self) -> str:
        if isinstance(self._path, str):
            return self._path
        holder, key, position = self._path
        return f"{holder.path}.{key}[{position}]".removeprefix(".")

    def error(self, reason: str) -> GraphError:
        return self.place.error(f"{self.path}: {reason}" if self.path else reason)

    def string(self, key: str) -> str | None:
        value = self.members.get(key)
        return None if value is None else self.checked_string(value, key)

    def checked_string(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            raise self.error(f"{key} is {_shown(value)}, not a string")
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            raise self.error(
                f"{key} is {_shown(value)}, which holds half a character (a surrogate)"
            )
        return value

    def literal(self, key: str) -> str | None:
        """Return a string, a number or a truth value as a string."""
        value = self.members.get(key)
        return None if value is None else self.checked_literal(value, key)

    def checked_literal(self, value: Any, key: str) -> str:
        if isinstance(value, list | dict | NoneType):
            raise self.error(f"{key} is {_shown(value)}, not a string, number or truth value")
        return self.checked_string(value if isinstance(value, str) else json.dumps(value), key)

    def integer(self, key: str) -> int:
        if self.members.get(key) is None:
            raise self.error(f"no {key}")
        return self.checked_integer(self.members[key], key)

    def checked_integer(self, value: Any, key: str) -> int:
        if type(value) is not int:
            raise self.error(f"{key} is {_shown(value)}, not an integer")
        return value

    def array(self, key: str) -> list[Any]:
        value = self.members.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.error(f"{key} is {_shown(value)}, not an array")
        return value

    def objects(self, key: str) -> Iterator["_Object"]:
        """Yield the objects of an array."""
        for position, member in enumerate(self.array(key)):
            member_object = _Object(member, (self, key, position), self.place)
            if not isinstance(member, dict):
                raise member_object.error(f"found {_shown(member)}, expected an object")
            yield member_object

    def values(self, key: str) -> Iterator[tuple[str, str]]:
        """Yield the names under *key* with their values."""
        if self.members.get(key) is None and self.members.get("values") is None:
            return
        names, values = self.array(key), self.array("values")
        if len(names) != len(values):
            raise self.error(f"{len(names)} {key}, but {len(values)} values")
        for name, value in zip(names, values, strict=True):
            yield self.checked_literal(name, "a name"), self.checked_literal(value, "a value")


def _graph(raw: bytes, place: _Place) -> Graph:
    graph = _Object(_parsed(raw, place), "", place)
    identifier, framework = graph.string("id"), graph.string("framework")
    if not identifier:
        raise graph.error("no id")
    if not framework:
        raise place.error(f"id {identifier}, but no framework")
    place.identifier = nfc(f"{framework}/{identifier}")
    if any(unicodedata.category(character) in _LINE_BREAKERS for character in place.identifier):
        raise place.error("a control character in its id or framework")
    variables: dict[str, str] = {}
    triples: list[Triple] = []
    text = _Input(graph.string("input"))
    for node in graph.objects("nodes"):
        variable = _node_variable(node, variables)
        variables[variable.name] = ""
        triples += _node_triples(node, variable, text)
    for edge in graph.objects("edges"):
        triples += _edge_triples(edge, variables)
    tops = [graph.checked_integer(top, "a top") for top in graph.array("tops")]
    return Graph(
        identifier=place.identifier,
        variables=variables,
        triples=tuple(triples),
        tops=tuple(_known(top, "a top", graph, variables).name for top in tops),
        location=place.location,
        metadata={} if text.text is None else {"input": text.text},
        notes=tuple(str(place.error(note)) for note in text.notes()),
        format=MRP,
        framework=framework,
    )


def _parsed(raw: bytes, place: _Place) -> dict[str, Any]:
    repeated: list[tuple[str, dict[str, Any]]] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        json_object = dict(pairs)
        if len(json_object) < len(pairs):
            ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
            repeated.append((key, json_object))
        return json_object

    try:
        text = raw.decode("utf-8")
        content = json.loads(
            text, object_pairs_hook=members, parse_constant=_no_number, parse_float=_finite
        )
    except UnicodeDecodeError as error:
        reason = f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file to UTF-8"
        raise place.error(reason) from error
    except json.JSONDecodeError as error:
        reason = f"not JSON ({error.msg}); each graph takes one line"
        raise place.error(reason, text, error.pos) from error
    except _NoNumber as error:
        number, wrong = error.args
        column = _outside_strings(number, text)
        raise place.error(f"{_shortened(number)} {wrong}", text, column) from None
    except ValueError:  # Python's message on integers with thousands of digits
        raise place.error("a number with too many digits") from None
    if not isinstance(content, dict):
        raise place.error(f"found {_shown(content)}, expected an object with a graph")
    if repeated:
        # Objects are finished from the inside out. So the last one is not part of another one with
        # a repeated key, whose members may be lost.
        key, json_object = repeated[-1]
        raise _Object(json_object, _path(json_object, content), place).error(
            f"key {_shown(key)} occurs twice"
        )
    return content


def _no_number(text: str) -> NoReturn:
    raise _NoNumber(text, "is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _NoNumber(text, "is too large a number")
    return number


def _outside_strings(number: str, text: str) -> int:
    """Return the position of *number* in the JSON *text*, outside strings."""
    matches = re.finditer(rf'"(?:[^"\\]|\\.)*"|({re.escape(number)})', text)
    return next(match.start() for match in matches if match[1])


def _path(wanted: dict[str, Any], content: dict[str, Any]) -> str:
    """Return the path to the object *wanted* in *content*."""
    pending: list[tuple[str, Any]] = [("", content)]
    while True:
        path, value = pending.pop()
        if value is wanted:
            return path
        if isinstance(value, dict):
            pending += [(f"{path}.{key}".removeprefix("."), each) for key, each in value.items()]
        elif isinstance(value, list):
            pending += [(f"{path}[{position}]", each) for position, each in enumerate(value)]


def _node_variable(node: _Object, variables: Mapping[str, str]) -> Variable:
    name = str(node.integer("id"))
    if name in variables:
        raise node.error(f"its id {name} is that of another node")
    return Variable(name)


def _node_triples(node: _Object, variable: Variable, text: "_Input") -> Iterator[Triple]:
    label = node.literal("label")
    if label is not None:
        yield Triple(CONCEPT, (variable, Constant(label)))
    for name, value in node.values("properties"):
        if name in (CONCEPT, ANCHOR):
            raise node.error(f"a property is called {name!r}, a name with another meaning here")
        yield Triple(name, (variable, Constant(value)))
    for anchor in node.objects("anchors"):
        yield Triple(ANCHOR, (variable, *text.anchored(anchor)))


class _Input:
    """The input of a graph, if it is known, and the problems found in anchors to it."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self._anchors = 0
        self._anchored = 0
        self._cut = 0

    def anchored(self, anchor: _Object) -> tuple[Constant, ...]:
        """Return start and end of *anchor*, and the text between them, if it is known."""
        start, end = anchor.integer("from"), anchor.integer("to")
        if not 0 <= start <= end:
            raise anchor.error(f"from {start} to {end} is no interval")
        self._anchors += 1
        if self.text is None:
            return Constant(str(start)), Constant(str(end))
        length = len(self.text)
        if start > length:
            raise anchor.error(f"it starts at {start}, but the input has {length} characters")
        self._cut += end > length
        end = min(end, length)
        self._anchored += end - start
        if self._anchored > _MOST_ANCHORED:
            raise anchor.error(f"anchors of more than {_MOST_ANCHORED:,} characters in all")
        return Constant(str(start)), Constant(str(end)), Constant(self.text[start:end])

    def notes(self) -> Iterator[str]:
        """Yield a message for each kind of problem."""
        if self.text is None and self._anchors:
            yield (
                f"no input, though nodes have anchors ({self._anchors}); white space and "
                "punctuation in these count as characters"
            )
        if self.text is not None and self._cut:
            has = f"the input, which has {len(self.text)} characters"
            many = f"{self._cut} anchors end beyond {has}; they were cut there"
            yield many if self._cut > 1 else f"1 anchor ends beyond {has}; it was cut there"


def _edge_triples(edge: _Object, variables: Mapping[str, str]) -> Iterator[Triple]:
    label = edge.literal("label") or ""
    ends = tuple(_known(edge.integer(key), key, edge, variables) for key in ("source", "target"))
    yield Triple(label, ends)
    normal = edge.literal("normal")
    if normal:
        yield Triple(label, (*ends, Constant(normal)))
    # Version 0.9 of the format called the attributes of edges properties.
    key = "attributes" if edge.members.get("attributes") is not None else "properties"
    for name, value in edge.values(key):
        yield Triple(label, (*ends, Constant(name), Constant(value)))


def _known(node: int, what: str, holder: _Object, variables: Mapping[str, str]) -> Variable:
    if str(node) not in variables:
        raise holder.error(f"{what} is {node}, but there is no node {node}")
    return Variable(str(node))


def _shown(value: Any) -> str:
    return _shortened(json.dumps(value))


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
