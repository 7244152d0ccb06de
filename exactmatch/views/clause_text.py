"""A DRS as text in clause form, each clause with the triple that it is."""

from exactmatch.graph import BOX, REFERENT
from exactmatch.triples import NormalisedTriple
from exactmatch.views.pieces import Line, Piece
from exactmatch.views.shown_graph import ShownGraph


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
