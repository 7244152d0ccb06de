"""Convert semantic graphs to graphs of the networkx library, and back, without loss.

The shape of the ``networkx.MultiDiGraph`` is the same for all formats. Its nodes are

* the variables, named as in the file: ``concept`` is the concept or, in MRP, the label. In clause
  form and SBN, ``sort`` tells a box (``b``) from a referent (``x``). In MRP, ``anchors`` are spans
  of the input: start, end and, where the input is known, the text in between;
* the constants: ``value`` is the written text. Every mention is a node of its own, so that
  constants connect nothing. Constants are nodes, and not attributes of variables, so that every
  relation of any format is an edge; some clauses even begin with a constant.

Its edges are the relations. Their attributes are

* ``role``: the name. The key of an edge is its position in the file: networkx orders edges by their
  nodes, and the positions keep the order of writing;
* ``box``, in clauses of two arguments: the box of the clause; in other clauses, the box is the
  source;
* ``sense``, in clauses with a concept: the sense, as in ``"n.01"``;
* ``normal``, in MRP: the label of the inverted edge;
* ``attributes``, in MRP: its attributes, pairs of name and value.

On nodes and edges, ``marks`` are the surface alignment marks (``~e.4``) on the relation and on its
value, if there are any.

The graph has the attributes ``format`` (``PENMAN``, ``UMR``, ``MRP``, ``clause form``, ``SBN`` or
``Chinese AMR``), ``top`` (a node, or a tuple of nodes where there are none or several),
``identifier``, ``metadata``, ``source`` and ``line`` (its place) and ``notes``; in MRP, it has its
``framework`` as well (``eds``), in UMR its ``sentences`` (see `exactmatch.graphs.graph.Sentence`).
"""

import json
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from exactmatch.errors import GraphError, InputError, briefly
from exactmatch.graphs.graph import (
    ANCHOR,
    BOX,
    CAMR,
    CLAUSES,
    CONCEPT,
    MRP,
    PENMAN,
    REFERENT,
    SBN,
    SENSE,
    UMR,
    Argument,
    Constant,
    Graph,
    Location,
    Sentence,
    Triple,
    Variable,
)
from exactmatch.graphs.inputs import as_path
from exactmatch.graphs.readers.detect import read_file, read_text
from exactmatch.graphs.readers.formats import FORMATS
from exactmatch.graphs.readers.penman import from_penman

if TYPE_CHECKING:
    import penman
    from networkx import DiGraph, MultiDiGraph

#: One graph: ours, text in any of the formats, or a graph of the libraries penman and networkx.
OneGraph: TypeAlias = "Graph | str | PathLike[str] | penman.Graph | DiGraph"

#: The name in messages of a graph made by hand.
_SOURCE = "networkx graph"
_NO_MARKS = ("", "")
_FORMATS = tuple(name for name, form in FORMATS.items() if not form.is_penman)


@briefly
def to_networkx(graph: "Graph | str | penman.Graph") -> "MultiDiGraph":
    """Return *graph* as a ``networkx.MultiDiGraph``.

    Nodes are variables (with ``concept``) and constants (with ``value``); edges are relations (with
    ``role``); the graph has ``top`` and ``format``. All attributes are listed by
    ``help("exactmatch.graphs.convert.networkx")``.

    Args:
        graph: a graph of exactmatch or penman, or a text of one graph in any format.

    Raises:
        InputError: for several graphs, or an unreadable one.

    Example:
        >>> import exactmatch
        >>> network = exactmatch.to_networkx("(s / sing-01 :ARG0 (b / bird) :polarity -)")
        >>> network.graph["top"], network.nodes["s"]["concept"]
        ('s', 'sing-01')
        >>> [(network.nodes[end], data["role"]) for _, end, data in network.edges(data=True)]
        [({'concept': 'bird'}, 'ARG0'), ({'value': '-'}, 'polarity')]
    """
    from networkx import MultiDiGraph

    graph = as_graph(graph)
    network = MultiDiGraph(
        format=graph.format,
        top=graph.tops[0] if len(graph.tops) == 1 else graph.tops,
        identifier=graph.identifier,
        metadata=dict(graph.metadata),
        source=graph.location.source,
        line=graph.location.line,
        notes=graph.notes,
        **({"framework": graph.framework} if graph.framework else {}),
        **({"sentences": graph.sentences} if graph.sentences else {}),
    )
    for variable, sort in graph.variables.items():
        network.add_node(variable, **({"sort": sort} if sort else {}))
    for place, triple in enumerate(graph.triples):
        if not _tell_of_node(network, triple) and not _tell_of_edge(network, triple):
            _add_edge(network, triple, place)
    return network


@briefly
def from_networkx(network: "DiGraph") -> Graph:
    """Return the graph of a directed graph of networkx.

    The function reads everything that `to_networkx` writes, and returns an equal graph. A graph
    made by hand only needs a ``concept`` for each variable, a ``value`` for each constant, a
    ``role`` for each edge, and the ``top`` of the graph. Concepts and values may be numbers and
    truth values, and nodes may be of any type, if their texts differ. The default format is PENMAN.

    Raises `InputError`, which names the node or edge, if something is missing.

    Example:
        >>> import exactmatch, networkx
        >>> network = networkx.DiGraph(top="s")
        >>> network.add_node("s", concept="sing-01")
        >>> network.add_node("b", concept="bird")
        >>> network.add_edge("s", "b", role="ARG0")
        >>> exactmatch.score(exactmatch.from_networkx(network), "(s / sing-01 :ARG0 (c / cat))")
        <CorpusScore P 0.7500, R 0.7500, F1 0.7500, 1 of 1 optimal>
    """
    if not hasattr(network, "is_directed"):
        raise InputError(f"network: {type(network).__name__} is no graph of networkx")
    return _Reader(network).graph()


def as_graph(given: OneGraph, name: str = "graph") -> Graph:
    """Return the single graph of *given*, called *name* in messages.

    Raises `InputError` for an unreadable graph and for another number of graphs.
    """
    if isinstance(given, Graph):
        return given
    if isinstance(given, str | PathLike):
        path = as_path(given)
        graphs = read_text(str(given), name).graphs if path is None else read_file(path).graphs
        if len(graphs) != 1:
            raise InputError(f"{name}: {len(graphs)} graphs, expected one")
        if isinstance(graphs[0], GraphError):
            raise graphs[0]
        return graphs[0]
    if hasattr(given, "is_directed"):
        return from_networkx(given)
    if hasattr(given, "triples"):
        return from_penman(given, name, 1)
    raise InputError(f"{name}: {type(given).__name__} is no graph")


def _tell_of_node(network: "MultiDiGraph", triple: Triple) -> bool:
    """Write *triple* to its node, and return True, if it gives a concept or an anchor."""
    first, *others = triple.arguments
    texts = [argument.text for argument in others if isinstance(argument, Constant)]
    if not isinstance(first, Variable) or len(texts) < len(others):
        return False
    node = network.nodes[first.name]
    if triple.relation == CONCEPT and "concept" not in node:
        node["concept"] = texts[0]
        if triple.marks != _NO_MARKS:
            node["marks"] = triple.marks
        return True
    if triple.relation == ANCHOR and network.graph["format"] == MRP:
        start, end, *text = texts
        node["anchors"] = (*node.get("anchors", ()), (int(start), int(end), *text))
        return True
    return False


def _tell_of_edge(network: "MultiDiGraph", triple: Triple) -> bool:
    """Write *triple* to the edge that it describes, and return True, if it describes one.

    That is the last edge with the same name and ends.
    """
    if network.graph["format"] != MRP or len(triple.arguments) < 3:
        return False
    source, target, *values = triple.arguments
    edges = network.get_edge_data(source[0], target[0]).values()
    edge = [edge for edge in edges if edge["role"] == triple.relation][-1]
    texts = tuple(value[0] for value in values)
    if len(texts) == 1:
        (edge["normal"],) = texts
    else:
        edge["attributes"] = (*edge.get("attributes", ()), texts)
    return True


def _add_edge(network: "MultiDiGraph", triple: Triple, place: int) -> None:
    data: dict[str, Any] = {"role": triple.relation}
    if triple.marks != _NO_MARKS:
        data["marks"] = triple.marks
    ends = triple.arguments
    if len(ends) == 3:
        first, second, third = ends
        if isinstance(second, Constant) and SENSE.fullmatch(second.text):
            data["sense"] = second.text
            ends = (first, third)
        else:
            data["box"] = first[0]
            ends = (second, third)
    source, target = (_node(network, argument, f"{place}.{k} ") for k, argument in enumerate(ends))
    network.add_edge(source, target, key=place, **data)


def _node(network: "MultiDiGraph", argument: Argument, place: str) -> str:
    """Return the node of *argument*; a constant gets a new node."""
    if isinstance(argument, Variable):
        return argument.name
    name = place + argument.text  # no variable of a file has a blank in its name
    network.add_node(name, value=argument.text)
    return name


class _Reader:
    """A reader of a networkx graph. Raises `InputError` for missing parts."""

    def __init__(self, network: "DiGraph") -> None:
        self._network = network
        about = network.graph
        self._identifier = about.get("identifier")
        self._format = about.get("format", PENMAN)
        if not network.is_directed():
            raise self._error("its edges have no direction; expected a DiGraph or a MultiDiGraph")
        if self._format not in _FORMATS:
            there = ", ".join(_FORMATS)
            raise self._error(f"no format is called {self._format!r}; the formats are {there}")
        #: The nodes of variables, with their names.
        self._names = {
            node: str(node) for node, data in network.nodes(data=True) if "value" not in data
        }
        if len(set(self._names.values())) < len(self._names):
            raise self._error("two nodes have the same name")

    def graph(self) -> Graph:
        """Return the graph."""
        about = self._network.graph
        graph = Graph(
            identifier=None if self._identifier is None else str(self._identifier),
            variables={name: self._sort(node) for node, name in self._names.items()},
            triples=tuple(self._triples()),
            tops=self._tops(),
            location=Location(about.get("source", _SOURCE), about.get("line", 1)),
            metadata=dict(about.get("metadata", {})),
            notes=tuple(about.get("notes", ())),
            format=self._format,
            framework=str(about.get("framework", "")),
        )
        if self._format != UMR:
            return graph
        return graph._replace(sentences=self._sentences(graph, about.get("sentences", ())))

    def _sentences(self, graph: Graph, given: Sequence[Sentence]) -> tuple[Sentence, ...]:
        """Return the sentences of a graph in UMR: one, if none are given."""
        if len(given) > 1:
            if [*graph.triples] != [triple for one in given for triple in one.triples]:
                raise self._error("its triples are not those of its sentences")
            return tuple(given)
        if not given:
            line = graph.location.line
            given = [Sentence("", 1, line, (), (), (), "", {}, {}, (), frozenset())]
        top = next(iter(graph.tops), "")
        variables = tuple(graph.variables)
        return (given[0]._replace(variables=variables, triples=graph.triples, top=top),)

    def _sort(self, node: Hashable) -> str:
        if self._format not in (CLAUSES, SBN):
            return ""
        sort: str | None = self._network.nodes[node].get("sort")
        if sort not in (BOX, REFERENT):
            raise self._error(
                f"node {node!r} has no sort; give {BOX!r} for a box, {REFERENT!r} for a referent"
            )
        return sort

    def _tops(self) -> tuple[str, ...]:
        top = self._network.graph.get("top", ())
        if top not in self._network and not isinstance(top, tuple | list):
            raise self._error(f"its top is {top!r}, which is no node")
        tops = [top] if top in self._network else list(top)
        if self._format == PENMAN and len(tops) != 1:
            raise self._error(f"{len(tops)} tops; expected one, as in MultiDiGraph(top=...)")
        for node in tops:
            if node not in self._names:
                raise self._error(f"its top is {node!r}, which is no variable")
        return tuple([self._names[node] for node in tops])

    def _triples(self) -> Iterator[Triple]:
        """Yield the triples: each edge at its position, and those of nodes in between."""
        of_nodes = (triple for node in self._names for triple in self._of_node(node))
        place = 0
        for number, source, target, data in self._edges():
            for triple in islice(of_nodes, max(0, number - place)):
                place += 1
                yield triple
            for triple in self._of_edge(source, target, data):
                place += 1
                yield triple
        yield from of_nodes

    def _edges(self) -> list[tuple[int, Hashable, Hashable, dict[str, Any]]]:
        """Yield position, ends and attributes of each edge, by position."""
        network = self._network
        edges = network.edges(data=True, **({"keys": True} if network.is_multigraph() else {}))
        found = []
        for source, target, *key, data in edges:
            place = key[0] if key and isinstance(key[0], int) else 0
            found.append((place, source, target, data))
        return sorted(found, key=lambda edge: edge[0])

    def _of_node(self, node: Hashable) -> Iterator[Triple]:
        data = self._network.nodes[node]
        variable = Variable(self._names[node])
        if "concept" in data:
            concept = self._text(data["concept"], f"the concept of node {node!r}")
            yield Triple(CONCEPT, (variable, Constant(concept)), data.get("marks", _NO_MARKS))
        elif self._format in (PENMAN, UMR, CAMR):
            raise self._error(f"node {node!r} has no concept (and no value, if it is a constant)")
        for anchor in data.get("anchors", ()):
            yield Triple(ANCHOR, (variable, *(Constant(str(part)) for part in anchor)))

    def _of_edge(
        self, source: Hashable, target: Hashable, data: dict[str, Any]
    ) -> Iterator[Triple]:
        """Yield the triple of an edge, and those of its attributes."""
        called = f"the edge from {source!r} to {target!r}"
        if not isinstance(data.get("role"), str):
            raise self._error(f"{called} has no role")
        role, ends = data["role"], (self._argument(source), self._argument(target))
        if self._format == CLAUSES:
            yield Triple(role, self._clause(ends, data, called))
            return
        if not isinstance(ends[0], Variable):
            raise self._error(f"{called} begins at a constant")
        yield Triple(role, ends, data.get("marks", _NO_MARKS))
        if "normal" in data:
            yield Triple(role, (*ends, Constant(data["normal"])))
        for name, value in data.get("attributes", ()):
            text = self._text(value, f"an attribute of {called}")
            yield Triple(role, (*ends, Constant(name), Constant(text)))

    def _clause(
        self, ends: tuple[Argument, Argument], data: dict[str, Any], called: str
    ) -> tuple[Argument, ...]:
        """Return the arguments of a clause, beginning with its box."""
        if "box" in data:
            if data["box"] not in self._names:
                raise self._error(f"the box of {called} is {data['box']!r}, which does not exist")
            return (Variable(self._names[data["box"]]), *ends)
        if not isinstance(ends[0], Variable):
            raise self._error(f"{called} has no box")
        return (ends[0], Constant(data["sense"]), ends[1]) if "sense" in data else ends

    def _argument(self, node: Hashable) -> Argument:
        if node in self._names:
            return Variable(self._names[node])
        return Constant(
            self._text(self._network.nodes[node]["value"], f"the value of node {node!r}")
        )

    def _text(self, value: object, called: str) -> str:
        if not isinstance(value, str | int | float):
            raise self._error(f"{called} is no string, number or truth value")
        return value if isinstance(value, str) else json.dumps(value)

    def _error(self, reason: str) -> InputError:
        name = "" if self._identifier is None else f" (id {self._identifier})"
        return InputError(f"{self._network.graph.get('source', _SOURCE)}{name}: {reason}")
