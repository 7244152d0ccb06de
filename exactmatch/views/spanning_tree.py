"""The tree in which a graph is written: under which variable each variable opens, and by what."""

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from exactmatch.views.shown_graph import ShownGraph


class _Relation(NamedTuple):
    """A relation between two variables, by the numbers of these."""

    triple: int
    source: int
    target: int


class SpanningTree(NamedTuple):
    """roots: variables without a parent. opening: for the others, the triple under which they open.

    All are numbers.
    """

    roots: Sequence[int]
    opening: dict[int, int]


def spanning_tree(graph: ShownGraph) -> SpanningTree:
    """Return the tree of the file, if the variables come in its order, or else one from the top.

    The latter follows relations from head to dependent, and turns one round where a variable would
    not be reached otherwise.
    """
    edges = [
        _Relation(number, graph.place[triple.variables[0]], graph.place[triple.variables[-1]])
        for number, triple in enumerate(graph.triples)
        if len(set(triple.variables)) > 1
    ]
    if graph.follows_tree:
        return _in_order(len(graph.variables), edges)
    return _from_tops(graph, edges)


def _in_order(number: int, edges: Sequence[_Relation]) -> SpanningTree:
    """Let each variable open by its first relation to one that comes before it."""
    opening: dict[int, int] = {}
    for triple, source, target in edges:
        opening.setdefault(max(source, target), triple)
    return SpanningTree([v for v in range(number) if v not in opening], opening)


def _from_tops(graph: ShownGraph, edges: Sequence[_Relation]) -> SpanningTree:
    search = _DepthFirst(len(graph.variables), edges)
    roots = []
    for start in _starts(graph, search.into):
        if start not in search.reached:
            roots.append(start)
            search.reach(start)
            search.turn()
    return SpanningTree(roots, search.opening)


class _DepthFirst:
    """A search in depth along the relations; *reached* is what it has come to.

    opening: as in `SpanningTree`. into: the relations that lead to each variable.
    """

    def __init__(self, number: int, edges: Sequence[_Relation]) -> None:
        self.opening: dict[int, int] = {}
        self.reached: set[int] = set()
        self.into: list[list[_Relation]] = [[] for _ in range(number)]
        self._out: list[list[_Relation]] = [[] for _ in range(number)]
        self._turned: list[_Relation] = []  # a heap of relations into what is reached
        for edge in edges:
            self._out[edge.source].append(edge)
            self.into[edge.target].append(edge)

    def reach(self, start: int) -> None:
        """Reach *start*, and all to which its relations lead."""
        pending = [start]
        while pending:
            variable = pending.pop()
            if variable in self.reached:
                continue
            self.reached.add(variable)
            for edge in self.into[variable]:
                heapq.heappush(self._turned, edge)
            for edge in reversed(self._out[variable]):
                if edge.target not in self.reached:
                    self.opening[edge.target] = edge.triple
                    pending.append(edge.target)

    def turn(self) -> None:
        """Reach what leads to what is reached, the first relation first."""
        while self._turned:
            edge = heapq.heappop(self._turned)
            if edge.source not in self.reached:
                self.opening[edge.source] = edge.triple
                self.reach(edge.source)


def _starts(graph: ShownGraph, into: Sequence[Sequence[_Relation]]) -> Iterator[int]:
    """Yield where a graph may begin: at its tops, at what nothing leads to, or anywhere."""
    yield from (graph.place[top] for top in graph.tops)
    yield from (variable for variable, edges in enumerate(into) if not edges)
    yield from range(len(into))
