"""A graph as text in PENMAN notation, each piece with the triple that it tells.

The text says what is counted: roles and constants are those of the metric, not of the file.
"""

from collections.abc import Iterator

from exactmatch.triples import NormalisedTriple
from exactmatch.views.pieces import Line, Piece
from exactmatch.views.shown_graph import ELLIPSIS, TOP, ShownGraph
from exactmatch.views.spanning_tree import spanning_tree

#: What is written of a constant that is empty.
_NOTHING = '""'


def penman_text(graph: ShownGraph) -> list[Line]:
    """Return the lines of *graph*; each triple stands in one of them."""
    return _Writer(graph).lines()


class _Writer:
    def __init__(self, graph: ShownGraph) -> None:
        self._graph = graph
        self._tree = spanning_tree(graph)
        self._about: list[list[int]] = [[] for _ in graph.variables]
        self._written = set(graph.concept.values())
        for number in _told_in_order(graph):
            for variable in dict.fromkeys(graph.triples[number].variables):
                self._about[graph.place[variable]].append(number)

    def lines(self) -> list[Line]:
        """Write the trees one below the other, without recursion: they may be deep."""
        found: list[Line] = []
        for root in self._tree.roots:
            found.append(Line(0, self._opened(root)))
            pending = [self._below(root)]
            while pending:
                line, opened = next(pending[-1], (None, None))
                if line is not None:
                    found.append(Line(len(pending), line))
                if opened is not None:
                    pending.append(self._below(opened))
                elif line is None:
                    pending.pop()
                    last = found[-1]
                    found[-1] = last._replace(pieces=[*last.pieces, Piece(")")])
        return found

    def _opened(self, variable: int, *before: Piece) -> list[Piece]:
        """Return the beginning of what is said of a variable: its name and its concept."""
        name = self._graph.variables[variable]
        number = self._graph.concept.get(name)
        pieces = [*before, Piece("("), Piece(name, None, variable)]
        if number is not None:
            concept = self._graph.worded[number].name
            pieces += [Piece(" / "), Piece(concept, number, variable)]
        return [*pieces, Piece(f" {ELLIPSIS}")] if variable in self._graph.cut else pieces

    def _below(self, variable: int) -> Iterator[tuple[list[Piece], int | None]]:
        """Yield the lines below a variable, each with the variable that opens there, if any."""
        for number in self._about[variable]:
            if number in self._written:
                continue
            triple = self._graph.worded[number]
            ends = [self._graph.place[v] for v in triple.variables]
            other = ends[-1] if ends[0] == variable else ends[0]
            opens = self._tree.opening.get(other) == number and other != variable
            if not opens and ends[0] != variable:
                continue  # it is told where it begins
            self._written.add(number)
            turned = "-of" if ends[0] != variable else ""
            role = Piece(f":{_role(triple)}{turned}", number)
            if opens:
                yield self._opened(other, role, *self._between(triple, number), Piece(" ")), other
            else:
                yield [role, *self._values(triple, number)], None

    def _between(self, triple: NormalisedTriple, number: int) -> list[Piece]:
        """Return what stands between a role and its last variable: other variables, constants."""
        place = self._graph.place
        pieces = [Piece(f" {name}", number, place[name]) for name in triple.variables[1:-1]]
        constants = [constant or _NOTHING for constant in triple.label[2:]]
        return [*pieces, *(Piece(f" {constant}", number) for constant in constants)]

    def _values(self, triple: NormalisedTriple, number: int) -> list[Piece]:
        pieces = self._between(triple, number)
        if len(triple.variables) > 1:
            last = triple.variables[-1]
            pieces += [Piece(" "), Piece(last, number, self._graph.place[last])]
        return pieces


def _told_in_order(graph: ShownGraph) -> list[int]:
    """Return the triples in the order of the file; that of a root is the first of its variable.

    Where the file is no tree, what is said of one variable alone comes before its relations.
    """

    def rank(number: int) -> tuple[bool, bool]:
        triple = graph.triples[number]
        return triple.kind != TOP, not graph.follows_tree and len(triple.variables) > 1

    return sorted(range(len(graph.triples)), key=rank)


def _role(triple: NormalisedTriple) -> str:
    """Return the name of a role; of kinds of triples that have none, the kind."""
    if len(triple.label) < 2:
        return triple.kind
    if len(triple.label) == 2 and len(triple.variables) == 1:
        return f"{triple.kind} {triple.name}"
    return triple.name or triple.kind
