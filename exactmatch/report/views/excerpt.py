"""Select the part of a large pair that is shown: the differences and their surroundings.

Pairs of any size can be scored, but nobody reads a drawing of 30,000 nodes, and no browser draws it
quickly. The size of a pair is the number of nodes and triples of both graphs. What exceeds a limit
is left out, which also limits the time and the length of a view. The limit is no time limit: the
same pair is always shown in the same way.

A triple is shown with its variables and its partner; a variable is shown with its image, and with
the triple that says what it stands for. So a node without partner in an excerpt has none at all.
The differences come first, of system and gold graph in turn; then the ancestors of their nodes;
then a few other triples of these nodes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple, Self

from exactmatch.metrics.triples import NormalisedGraph
from exactmatch.report.views.graph_drawing import introduces
from exactmatch.report.views.marks import Marks
from exactmatch.report.views.shown_graph import ShownGraph
from exactmatch.report.views.written_graphs import spanning_tree

#: The number of equal triples that are shown of a node, because another one differs.
_AROUND = 12


class Part(NamedTuple):
    """How much of a graph is shown: nodes, triples, differing triples; each with the total."""

    nodes: tuple[int, int]
    triples: tuple[int, int]
    differing: tuple[int, int]


class Excerpt(NamedTuple):
    """The shown part of both graphs, its marks, and its share of each graph: None if it is all."""

    system: ShownGraph
    gold: ShownGraph
    marks: Marks
    parts: tuple[Part, Part] | None = None

    def numbers(self, pairs: Iterable[tuple[str, str]]) -> list[list[int]]:
        """Return the *pairs* of variables that are shown, by number."""
        one, other = self.system.place, self.gold.place
        return sorted([one[v], other[w]] for v, w in pairs if v in one and w in other)


class _Thing(NamedTuple):
    """A triple or a variable of one of the sides, by number."""

    side: int
    is_triple: bool
    number: int

    @classmethod
    def triple(cls, side: int, number: int) -> Self:
        """Return a triple."""
        return cls(side, is_triple=True, number=number)

    @classmethod
    def variable(cls, side: int, number: int) -> Self:
        """Return a variable."""
        return cls(side, is_triple=False, number=number)


def size_of(*graphs: ShownGraph) -> int:
    """Return the number of nodes and triples of graphs."""
    return sum(len(graph.variables) + len(graph.triples) for graph in graphs)


def excerpt(
    system: ShownGraph, gold: ShownGraph, marks: Marks, mapping: Mapping[str, str], most: int
) -> Excerpt:
    """Return the part of a pair that is shown if at most *most* nodes and triples are.

    *marks* are those under *mapping*, which is by name.
    """
    chosen = _Chosen((system, gold), marks, mapping, most)
    numbers = [chosen.numbers(side, are_triples=True) for side in (0, 1)]
    variables = [chosen.numbers(side, are_triples=False) for side in (0, 1)]
    graphs = [_cut(*part) for part in zip((system, gold), variables, numbers, strict=True)]
    all_marks = marks.system, marks.gold
    kept_marks = [[all_marks[side][n] for n in numbers[side]] for side in (0, 1)]
    places = [{number: place for place, number in enumerate(kept)} for kept in numbers]
    partners = {
        places[0][triple]: places[1][other]
        for triple, other in marks.partner.items()
        if triple in places[0]
    }
    parts = [
        Part(
            (len(graphs[side].variables), len(whole.variables)),
            (len(graphs[side].triples), len(whole.triples)),
            (len(_differing(kept_marks[side])), len(_differing(all_marks[side]))),
        )
        for side, whole in enumerate((system, gold))
    ]
    shown = Marks(kept_marks[0], kept_marks[1], partners)
    return Excerpt(graphs[0], graphs[1], shown, (parts[0], parts[1]))


def _differing(marks: Sequence[str]) -> list[int]:
    return [number for number, mark in enumerate(marks) if mark != "matched"]


class _Chosen:
    """The chosen part of two graphs."""

    def __init__(
        self,
        graphs: tuple[ShownGraph, ShownGraph],
        marks: Marks,
        mapping: Mapping[str, str],
        most: int,
    ) -> None:
        self._graphs = graphs
        self._left = most
        self._chosen: dict[_Thing, None] = {}
        back = {other: triple for triple, other in marks.partner.items()}
        self._partners: tuple[Mapping[int, int], Mapping[int, int]] = (marks.partner, back)
        self._images = mapping, {image: variable for variable, image in mapping.items()}
        self._essential = [_essential_triples(graph) for graph in graphs]
        differing = _in_turn(*map(_differing, (marks.system, marks.gold)))
        beginnings = (range(min(_AROUND, len(graph.triples))) for graph in graphs)
        if self._add_all(differing or _in_turn(*beginnings)):
            self._add_around()

    def numbers(self, side: int, *, are_triples: bool) -> list[int]:
        """Return the chosen triples of a side, or its chosen variables."""
        wanted = side, are_triples
        return sorted(thing.number for thing in self._chosen if thing[:2] == wanted)

    def _add_around(self) -> None:
        """Add the ancestors of the nodes, and then other triples of the nodes."""
        nodes = [thing for thing in self._chosen if not thing.is_triple]
        openings = [spanning_tree(graph).opening for graph in self._graphs]
        above = ((t.side, openings[t.side].get(t.number)) for t in nodes)
        said = [_triples_naming(graph) for graph in self._graphs]
        around = ((t.side, number) for t in nodes for number in said[t.side][t.number][:_AROUND])
        self._add_all(chain(((side, n) for side, n in above if n is not None), around))

    def _add_all(self, triples: Iterable[tuple[int, int]]) -> bool:
        """Add triples, each with its side, while there is room; tell whether there was."""
        for side, number in triples:
            needed = self._with_all_that_it_needs(_Thing.triple(side, number))
            if len(needed) > self._left:
                return False
            self._left -= len(needed)
            self._chosen.update(needed)
        return True

    def _with_all_that_it_needs(self, thing: _Thing) -> dict[_Thing, None]:
        """Return *thing* with everything it needs that is not chosen yet."""
        found: dict[_Thing, None] = {}
        waiting = [thing]
        while waiting:
            thing = waiting.pop()
            if thing in found or thing in self._chosen:
                continue
            found[thing] = None
            waiting += self._needed_by(thing)
        return found

    def _needed_by(self, thing: _Thing) -> Iterator[_Thing]:
        side, is_triple, number = thing
        own, other = self._graphs[side], self._graphs[1 - side]
        if is_triple:
            partner = self._partners[side].get(number)
            if partner is not None:
                yield _Thing.triple(1 - side, partner)
            for variable in own.triples[number].variables:
                yield _Thing.variable(side, own.place[variable])
            return
        image = self._images[side].get(own.variables[number])
        if image is not None:
            yield _Thing.variable(1 - side, other.place[image])
        for triple in self._essential[side][number]:
            yield _Thing.triple(side, triple)


def _in_turn(system: Iterable[int], gold: Iterable[int]) -> list[tuple[int, int]]:
    """Return triples of both sides, by number, alternating between system and gold graph."""
    return [
        (side, number)
        for both in zip_longest(system, gold)
        for side, number in enumerate(both)
        if number is not None
    ]


def _essential_triples(graph: ShownGraph) -> list[list[int]]:
    """Return the triples that are essential to each variable.

    These are the triple that says what it stands for and, for variables that are no triple's first
    one, such as referents of a DRS, the triple that says where they belong, or else the first that
    names them.
    """
    heads = {triple.variables[0] for triple in graph.triples if triple.variables}
    homes: dict[str, int] = {}
    for number, triple in enumerate(graph.triples):
        for variable in triple.variables[1:]:
            homes.setdefault(variable, number)
    homes |= {t.variables[-1]: number for number, t in enumerate(graph.triples) if introduces(t)}
    by_variable = []
    for variable in graph.variables:
        concept, home = graph.concept.get(variable), homes.get(variable)
        needed = (concept, None if variable in heads else home)
        by_variable.append([number for number in needed if number is not None])
    return by_variable


def _triples_naming(graph: ShownGraph) -> list[list[int]]:
    """Return the triples that name each variable."""
    by_variable: list[list[int]] = [[] for _ in graph.variables]
    for number, triple in enumerate(graph.triples):
        for variable in dict.fromkeys(triple.variables):
            by_variable[graph.place[variable]].append(number)
    return by_variable


def _cut(graph: ShownGraph, variables: Sequence[int], numbers: Sequence[int]) -> ShownGraph:
    """Return *graph* with only these variables and triples."""
    names = tuple(graph.variables[variable] for variable in variables)
    triples = [graph.triples[number] for number in numbers]
    known, kept, said = set(names), set(numbers), _triples_naming(graph)
    return ShownGraph(
        NormalisedGraph(names, triples),
        triples,
        worded=[graph.worded[number] for number in numbers],
        tops=[top for top in graph.tops if top in known],
        follows_tree=graph.follows_tree,
        cut=frozenset(place for place, v in enumerate(variables) if not kept.issuperset(said[v])),
    )
