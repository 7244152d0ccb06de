"""Whole graphs without the roles, or without the senses of frames: to be mapped anew."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from exactmatch.subscores.statements import INSTANCE, ROOT, Statement, Statements
from exactmatch.triples import NormalisedGraph, NormalisedTriple

_SENSE = re.compile(r"-\d+$")
#: Roles that end in -of and are no inverses.
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})


class GraphChange(NamedTuple):
    """A change of a whole graph. title: what is counted. triple: what a statement becomes."""

    title: str
    triple: Callable[[Statement], NormalisedTriple]

    def graph(self, statements: Statements) -> NormalisedGraph:
        """Return the changed graph."""
        return statements.graph.with_triples(list(map(self.triple, statements.statements)))


def _without_role(statement: Statement) -> NormalisedTriple:
    """Leave out the role, but for its direction where that is not told by the order of ends."""
    if statement.role in (INSTANCE, ROOT):
        return statement.triple
    role = statement.role.lower()
    return statement.labelled("-of" if role.endswith("-of") and role not in _NO_INVERSES else "")


def _without_sense(statement: Statement) -> NormalisedTriple:
    """Give frames the sense 01, as Damonte et al. do: so they still differ from other concepts."""
    kind, *words = statement.triple.label
    if statement.role == INSTANCE or kind == "top":  # the root may be called by its concept
        words = [_SENSE.sub("-01", word) for word in words]
    return statement.triple._replace(label=(kind, *words))


#: By name.
CHANGES: Mapping[str, GraphChange] = {
    "unlabeled": GraphChange("triples, roles apart", _without_role),
    "without-senses": GraphChange("triples, senses of frames apart", _without_sense),
}
