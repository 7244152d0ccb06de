"""Write a graph as lines of text; each piece knows its triple or its variable.

A graph is written in PENMAN notation, along a tree that says under which variable each variable
opens; a DRS is written in clause form. The text shows what is counted: roles and constants are
those of the metric, not of the file.
"""

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from exactmatch.graphs.graph import BOX, REFERENT
from exactmatch.metrics.triples import NormalisedTriple
from exactmatch.report.views.shown_graph import ELLIPSIS, TOP, ShownGraph

#: Written for an empty constant.
NOTHING = '""'


class Piece(NamedTuple):
    """A piece of text, with the number of its triple, and of the variable it names."""

    text: str
    triple: int | None = None
    variable: int | None = None


class Line(NamedTuple):
    """A line of a text, indented by *indent* steps."""

    indent: int
    pieces: Sequence[Piece]

    @property
    def text(self) -> str:
        """The line without its indentation."""
        return "".join(piece.text for piece in self.pieces)


def penman_text(graph: ShownGraph) -> list[Line]:
    """Return the lines of *graph*; each triple is in one of them."""
    return _Writer(graph).lines()


class _Writer:
    def __init__(self, graph: ShownGraph) -> None:
        self._graph = graph
        self._tree = spanning_tree(graph)
        self._about: list[list[int]] = [[] for _ in graph.variables]
        self._written = set(graph.concept.values())
        for number in _in_written_order(graph):
            for variable in dict.fromkeys(graph.triples[number].variables):
                self._about[graph.place[variable]].append(number)

    def lines(self) -> list[Line]:
        """Write the trees one below the other, without recursion, since they may be deep."""
        lines: list[Line] = []
        for root in self._tree.roots:
            lines.append(Line(0, self._opened(root)))
            pending = [self._below(root)]
            while pending:
                line, opened = next(pending[-1], (None, None))
                if line is not None:
                    lines.append(Line(len(pending), line))
                if opened is not None:
                    pending.append(self._below(opened))
                elif line is None:
                    pending.pop()
                    last = lines[-1]
                    lines[-1] = last._replace(pieces=[*last.pieces, Piece(")")])
        return lines

    def _opened(self, variable: int, *before: Piece) -> list[Piece]:
        """Return the beginning of the description of a variable: its name and its concept."""
        name = self._graph.variables[variable]
        number = self._graph.concept.get(name)
        pieces = [*before, Piece("("), Piece(name, None, variable)]
        if number is not None:
            concept = self._graph.worded[number].name
            pieces += [Piece(" / "), Piece(concept, number, variable)]
        return [*pieces, Piece(f" {ELLIPSIS}")] if variable in self._graph.cut else pieces

    def _below(self, variable: int) -> Iterator[tuple[list[Piece], int | None]]:
        """Yield the lines below a variable, each with the variable that it opens, if any."""
        for number in self._about[variable]:
            if number in self._written:
                continue
            triple = self._graph.worded[number]
            ends = [self._graph.place[v] for v in triple.variables]
            other = ends[-1] if ends[0] == variable else ends[0]
            opens = self._tree.opening.get(other) == number and other != variable
            if not opens and ends[0] != variable:
                continue  # it is written where it begins
            self._written.add(number)
            turned = "-of" if ends[0] != variable else ""
            role = Piece(f":{_role(triple)}{turned}", number)
            if opens:
                yield self._opened(other, role, *self._between(triple, number), Piece(" ")), other
            else:
                yield [role, *self._values(triple, number)], None

    def _between(self, triple: NormalisedTriple, number: int) -> list[Piece]:
        """Return the text between a role and its last variable: other variables, constants."""
        place = self._graph.place
        pieces = [Piece(f" {name}", number, place[name]) for name in triple.variables[1:-1]]
        constants = [constant or NOTHING for constant in triple.label[2:]]
        return [*pieces, *(Piece(f" {constant}", number) for constant in constants)]

    def _values(self, triple: NormalisedTriple, number: int) -> list[Piece]:
        pieces = self._between(triple, number)
        if len(triple.variables) > 1:
            last = triple.variables[-1]
            pieces += [Piece(" "), Piece(last, number, self._graph.place[last])]
        return pieces


def _in_written_order(graph: ShownGraph) -> list[int]:
    """Return the triples in the order of the file; a root's triple is the first of its variable.

    If the file is no tree, triples of a single variable come before its relations.
    """

    def rank(number: int) -> tuple[bool, bool]:
        triple = graph.triples[number]
        return triple.kind != TOP, not graph.follows_tree and len(triple.variables) > 1

    return sorted(range(len(graph.triples)), key=rank)


def _role(triple: NormalisedTriple) -> str:
    """Return the name of a role, or the kind of triples without a name."""
    if len(triple.label) < 2:
        return triple.kind
    if len(triple.label) == 2 and len(triple.variables) == 1:
        return f"{triple.kind} {triple.name or NOTHING}"
    return triple.name or triple.kind


def clause_text(graph: ShownGraph) -> list[Line]:
    """Return the clauses of *graph*, one a line."""
    return [Line(0, _clause(graph, number, triple)) for number, triple in enumerate(graph.worded)]


def _clause(graph: ShownGraph, number: int, triple: NormalisedTriple) -> list[Piece]:
    """Return a clause: its box, its relation, its other arguments."""
    variables = [Piece(name, number, graph.place[name]) for name in triple.variables]
    words = [Piece(triple.name or triple.kind, number)]
    left = iter(variables[1:])
    for argument in triple.label[3:]:
        constant = Piece(argument, number)
        words.append(next(left, constant) if argument in (BOX, REFERENT) else constant)
    pieces = [variables[0]]
    for piece in [*words, *left]:
        pieces += [Piece(" "), piece]
    return pieces


class _Relation(NamedTuple):
    """A relation between two variables, by the numbers of these."""

    triple: int
    source: int
    target: int


class SpanningTree(NamedTuple):
    """roots: variables without a parent. opening: for the others, the triple that opens them.

    All are numbers.
    """

    roots: Sequence[int]
    opening: dict[int, int]


def spanning_tree(graph: ShownGraph) -> SpanningTree:
    """Return the tree of the file, if the variables are in its order, or else one from the top.

    The latter follows relations from head to dependent, and turns a relation around if a variable
    would not be reached otherwise.
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
    """Let the first relation to an earlier variable open each variable."""
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
    """A depth-first search along the relations; *reached* are the variables reached so far.

    opening: as in `SpanningTree`. into: the relations that lead to each variable.
    """

    def __init__(self, number: int, edges: Sequence[_Relation]) -> None:
        self.opening: dict[int, int] = {}
        self.reached: set[int] = set()
        self.into: list[list[_Relation]] = [[] for _ in range(number)]
        self._out: list[list[_Relation]] = [[] for _ in range(number)]
        self._turned: list[_Relation] = []  # a heap of relations into reached variables
        for edge in edges:
            self._out[edge.source].append(edge)
            self.into[edge.target].append(edge)

    def reach(self, start: int) -> None:
        """Reach *start*, and everything to which its relations lead."""
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
        """Reach the sources of relations into reached variables, the first relation first."""
        while self._turned:
            edge = heapq.heappop(self._turned)
            if edge.source not in self.reached:
                self.opening[edge.source] = edge.triple
                self.reach(edge.source)


def _starts(graph: ShownGraph, into: Sequence[Sequence[_Relation]]) -> Iterator[int]:
    """Yield where a graph may begin: tops, variables without incoming relations, any others."""
    yield from (graph.place[top] for top in graph.tops)
    yield from (variable for variable, edges in enumerate(into) if not edges)
    yield from range(len(into))
