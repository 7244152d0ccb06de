"""Faults of an AMR, in PENMAN or in MRP."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from exactmatch.graphs.graph import ANCHOR, CONCEPT, Constant, Triple
from exactmatch.graphs.readers.examined import SEVERAL_CONCEPTS, Defect, ExaminedGraph
from exactmatch.metrics.amr.labels import labels
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedTriple
from exactmatch.scoring.validity.kinds import DUPLICATE, INVERSE_CONSTANT, UNDECLARED, UNKNOWN_ROLE
from exactmatch.scoring.validity.links import Link, cycles, pieces

if TYPE_CHECKING:
    from penman.model import Model

#: The triples of an AMR with inverse roles turned around, and otherwise unchanged.
_TURNED = Smatch(mod="separate", case="keep", quotes="keep").label_choices
#: The usual names of variables: a letter and a number, or a few letters and a number.
LIKE_A_VARIABLE = re.compile(r"[a-z]\d*|[a-z]{2,3}\d+")
#: The role that PENMAN's slash is short for.
_INSTANCE = "instance"


def disconnected(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield the unconnected pieces of a graph; graphs in PENMAN have only one."""
    graph = examined.graph
    return pieces(graph.variables, _links(examined), graph.location.line)


def cyclic(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield cycles of relations, with inverse roles turned around."""
    return cycles(_links(examined))


def duplicates(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield repeated triples, in either direction."""
    first: dict[NormalisedTriple, int] = {}
    for turned, written, line in _turned(examined):
        # Another concept is a fault of its own kind.
        if written.relation == CONCEPT:
            continue
        if turned in first:
            yield Defect(
                DUPLICATE, line, f"{_shown(written)} is repeated from line {first[turned]}"
            )
        first.setdefault(turned, line)


def other_concepts(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield concepts written as a role, besides the concept after the slash."""
    for triple, line in _triples(examined):
        if triple.relation == _INSTANCE:
            (variable, *_), concept = triple.arguments[0], triple.arguments[1][0]
            reason = f"variable {variable} has another concept, {concept}"
            yield Defect(SEVERAL_CONCEPTS, line, reason, (variable,), (concept,))


def undeclared(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield constants that look like variables."""
    for triple, line in _triples(examined):
        target = triple.arguments[1]
        is_value = isinstance(target, Constant) and triple.relation not in (CONCEPT, _INSTANCE)
        if is_value and LIKE_A_VARIABLE.fullmatch(target[0]):
            reason = f"{_shown(triple)}, but there is no such variable"
            yield Defect(UNDECLARED, line, reason, *place_of(triple))


def inverse_constants(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield inverse roles with a constant as source."""
    for triple, line in _triples(examined):
        is_constant = isinstance(triple.arguments[1], Constant)
        if is_constant and _model().is_role_inverted(f":{triple.relation}"):
            reason = f"{_shown(triple)}, and a constant has no roles"
            yield Defect(INVERSE_CONSTANT, line, reason, *place_of(triple))


def unknown_roles(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield roles that are not in the AMR model of penman."""
    if all(_is_known(triple.relation) for triple, _ in _triples(examined)):
        return  # as in most graphs, in which no relation has to be turned
    for turned, triple, line in _turned(examined):
        if not _is_known(triple.relation):
            reason = f":{triple.relation} of {triple.arguments[0][0]}"
            yield Defect(UNKNOWN_ROLE, line, reason, turned.variables[:1], turned.label[1:2])


def place_of(triple: Triple) -> tuple[tuple[str], tuple[str, str]]:
    """Return the variable of an attribute, and its role and value."""
    source, target = triple.arguments
    return (source[0],), (triple.relation, target[0])


def _triples(examined: ExaminedGraph) -> Iterator[tuple[Triple, int]]:
    """Yield the triples that an AMR can have, with their lines."""
    for triple, line in zip(examined.graph.triples, examined.lines, strict=True):
        if len(triple.arguments) == 2 and triple.relation != ANCHOR:
            yield triple, line


def _turned(examined: ExaminedGraph) -> Iterator[tuple[NormalisedTriple, Triple, int]]:
    """Yield the triples with inverse roles turned around, the written triples, and their lines."""
    known = [*_triples(examined)]
    graph = examined.graph._replace(triples=tuple(triple for triple, _ in known))
    for turned, (triple, line) in zip(labels(_TURNED).normalised(graph), known, strict=True):
        yield turned, triple, line


def _links(examined: ExaminedGraph) -> Iterator[Link]:
    for turned, _, line in _turned(examined):
        if len(turned.variables) == 2:
            yield Link(*turned.variables, line)


def _shown(triple: Triple) -> str:
    source, target = triple.arguments
    return f"{source[0]} :{triple.relation} {target[0]}"


@cache
def _is_known(role: str) -> bool:
    return role == CONCEPT or bool(_model().has_role(f":{role}"))


@cache
def _model() -> "Model":
    from penman.models.amr import model

    return model
