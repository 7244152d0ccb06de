"""Whole graphs without the roles, or without the senses of frames: to be mapped anew."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from exactmatch.subscores.statements import INSTANCE, ROOT, Statement, Statements
from exactmatch.triples import Label, NormalisedGraph, NormalisedTriple

_SENSE = re.compile(r"-\d+$")
#: Roles that end in -of and are no inverses.
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})


class Change(NamedTuple):
    """A change of a whole graph. title: what is counted. label: what a statement becomes."""

    title: str
    label: Callable[[Statement], Label]

    def graph(self, statements: Statements) -> NormalisedGraph:
        """Return the changed graph."""
        return NormalisedGraph(
            statements.variables,
            [NormalisedTriple(self.label(s), s.triple.variables) for s in statements.statements],
        )


def _without_role(statement: Statement) -> Label:
    """Leave out the role, but for its direction where that is not told by the order of ends."""
    if statement.role in (INSTANCE, ROOT):
        return statement.triple.label
    kind, role, *rest = statement.triple.label
    is_inverse = role.lower().endswith("-of") and role.lower() not in _NO_INVERSES
    return (kind, "-of" if is_inverse else "", *rest)


def _without_sense(statement: Statement) -> Label:
    """Leave out the sense of a concept, also where the root is called by its concept."""
    kind, *words = statement.triple.label
    if statement.role == INSTANCE or kind == "top":
        words = [_SENSE.sub("", word) for word in words]
    return (kind, *words)


#: By name.
CHANGES: Mapping[str, Change] = {
    "unlabeled": Change("triples without roles", _without_role),
    "without-senses": Change("triples without senses", _without_sense),
}
