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

An edge without label has the empty relation. Values that are no strings are taken as JSON
writes them (``true``). What no metric reads is passed over: time, version, flavor, language,
sources, targets, and the anchors of edges and properties.

A file may hold several graphs of one sentence, in different frameworks. So the identifier of a
graph here is its framework and its identifier in the file, as in ``eds/20001001``: always both,
so that it does not depend on what else is in the file.

A graph that cannot be used does not stop the reader: it is handed on as the `GraphError` that
says why.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exactmatch.errors import GraphError
from exactmatch.graph import ANCHOR, CONCEPT, Constant, Graph, Location, Triple, Variable

#: Longer values are cut short in messages.
_SHOWN = 40


def read_graphs(
    lines: Iterable[bytes], source: str, line: int = 1, number: int = 1
) -> Iterator[Graph | GraphError]:
    """Read the graphs in *lines*, which have no line ends; *source* is the name in messages.

    *line* and *number* are those of the first line and the first graph.
    """
    texts = ((at, raw) for at, raw in enumerate(lines, start=line) if raw.strip())
    for position, (at, raw) in enumerate(texts, start=number):
        try:
            yield _graph(raw, _Place(Location(source, at), position))
        except GraphError as error:
            yield error


def cut_graphs(
    lines: Iterable[tuple[int, bytes]],
) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield those of the numbered *lines* that hold a graph, each with its identifier, if any."""
    for line, raw in lines:
        if raw.strip():
            yield line, raw, _identifier(raw)


def _identifier(raw: bytes) -> str | None:
    """Return the identifier of the graph in *raw*, None where the reader finds none."""
    try:
        content = json.loads(raw.decode("utf-8"))
        parts = [content["framework"], content["id"]]
        name = "/".join(parts)
        name.encode("utf-8")  # half a character is refused
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return name if all(parts) else None


@dataclass(slots=True)
class _Place:
    """What errors say of where a graph is; *identifier* is added when it is known."""

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


@dataclass(frozen=True, slots=True)
class _Object:
    """A JSON object, the path to it in that of its graph (as ``nodes[0]``), and its place.

    A member that is null counts as missing. The methods raise `GraphError` for one that is not
    of the type they return.
    """

    members: Mapping[str, Any]
    path: str
    place: _Place

    def error(self, reason: str) -> GraphError:
        return self.place.error(f"{self.path}: {reason}" if self.path else reason)

    def string(self, key: str) -> str | None:
        value = self.members.get(key)
        return None if value is None else self.checked_string(value, key)

    def checked_string(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            raise self.error(f"{key} is {_shown(value)}, not a string")
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise self.error(
                f"{key} is {_shown(value)}, which holds half a character (a surrogate)"
            )
        return value

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
            path = f"{self.path}.{key}[{position}]".removeprefix(".")
            if not isinstance(member, dict):
                raise self.place.error(f"{path}: found {_shown(member)}, expected an object")
            yield _Object(member, path, self.place)

    def values(self, key: str) -> Iterator[tuple[str, str]]:
        """Yield the names that are under *key* with their values."""
        names, values = self.array(key), self.array("values")
        if len(names) != len(values):
            raise self.error(f"{len(names)} {key}, but {len(values)} values")
        for name, value in zip(names, values, strict=True):
            if value is None or isinstance(value, list | dict):
                raise self.error(f"a value is {_shown(value)}, not a string, number or truth value")
            text = value if isinstance(value, str) else json.dumps(value)
            yield self.checked_string(name, key), self.checked_string(text, "a value")


def _graph(raw: bytes, place: _Place) -> Graph:
    graph = _Object(_parsed(raw, place), "", place)
    identifier, framework = graph.string("id"), graph.string("framework")
    if not identifier:
        raise graph.error("no id")
    if not framework:
        raise place.error(f"id {identifier}, but no framework")
    place.identifier = f"{framework}/{identifier}"
    variables: dict[str, str] = {}
    triples: list[Triple] = []
    text = graph.string("input")
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
    )


def _parsed(raw: bytes, place: _Place) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8")
        content = json.loads(text)
    except UnicodeDecodeError as error:
        reason = f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file to UTF-8"
        raise place.error(reason) from error
    except json.JSONDecodeError as error:
        reason = f"no JSON ({error.msg}); a graph takes one line"
        raise place.error(reason, text, error.pos) from error
    except RecursionError:
        raise place.error("nested too deeply") from None
    except ValueError:  # what Python says of integers with thousands of digits
        raise place.error("a number of too many digits") from None
    if not isinstance(content, dict):
        raise place.error(f"found {_shown(content)}, expected an object with a graph")
    return content


def _node_variable(node: _Object, variables: Mapping[str, str]) -> Variable:
    name = str(node.integer("id"))
    if name in variables:
        raise node.error(f"its id {name} is that of another node")
    return Variable(name)


def _node_triples(node: _Object, variable: Variable, text: str | None) -> Iterator[Triple]:
    label = node.string("label")
    if label is not None:
        yield Triple(CONCEPT, (variable, Constant(label)))
    for name, value in node.values("properties"):
        if name in (CONCEPT, ANCHOR):
            raise node.error(f"a property is called {name!r}, which here means something else")
        yield Triple(name, (variable, Constant(value)))
    for anchor in node.objects("anchors"):
        yield Triple(ANCHOR, (variable, *_anchor(anchor, text)))


def _anchor(anchor: _Object, text: str | None) -> tuple[Constant, ...]:
    """Return start and end of *anchor*, and what the input *text* has there, if it is known.

    An end beyond that of the input is common in the output of parsers; it is set right.
    """
    start, end = anchor.integer("from"), anchor.integer("to")
    if not 0 <= start <= end:
        raise anchor.error(f"from {start} to {end} is no interval")
    if text is None:
        return Constant(str(start)), Constant(str(end))
    if start > len(text):
        raise anchor.error(f"it starts at {start}, but the input has {len(text)} characters")
    end = min(end, len(text))
    return Constant(str(start)), Constant(str(end)), Constant(text[start:end])


def _edge_triples(edge: _Object, variables: Mapping[str, str]) -> Iterator[Triple]:
    label = edge.string("label") or ""
    ends = tuple(_known(edge.integer(key), key, edge, variables) for key in ("source", "target"))
    yield Triple(label, ends)
    normal = edge.string("normal")
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
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
