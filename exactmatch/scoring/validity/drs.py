"""Faults of a DRS in clause form."""

from collections.abc import Iterator
from itertools import pairwise

from exactmatch.graphs.graph import BOX, REFERENT, SENSE, Triple, Variable
from exactmatch.graphs.readers.examined import NO_CONCEPT, Defect, ExaminedGraph
from exactmatch.scoring.validity.kinds import DUPLICATE, UNDECLARED, UNUSED
from exactmatch.scoring.validity.links import Link, cycles, pieces

_DECLARES = "REF"
_PROPOSITION = "PRP"


def disconnected(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield the pieces of a DRS that share no variable."""
    links = (
        Link(one, other, line)
        for triple, line in _clauses(examined)
        for one, other in pairwise(_variables(triple))
    )
    return pieces(examined.graph.variables, links, examined.graph.location.line)


def cyclic(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield boxes that contain each other."""
    return cycles(
        Link(box, other, line)
        for triple, line in _clauses(examined)
        for box, *others in [_variables(triple)]
        for other in others
        if examined.graph.variables[other] == BOX
    )


def duplicates(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield repeated clauses."""
    first: dict[Triple, int] = {}
    for triple, line in _clauses(examined):
        if triple in first:
            box, *others = (argument[0] for argument in triple.arguments)
            shown = " ".join((box, triple.relation, *others))
            yield Defect(DUPLICATE, line, f"{shown} is repeated from line {first[triple]}")
        first.setdefault(triple, line)


def undeclared(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield referents without a REF clause."""
    declared = {name for triple, _ in _clauses(examined) for name in _declared(triple)}
    return _lacking(examined, declared, UNDECLARED, "has no REF clause")


def unused(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield referents with a REF clause and no other."""
    used = {
        name
        for triple, _ in _clauses(examined)
        if triple.relation != _DECLARES
        for name in _variables(triple)
    }
    return _lacking(examined, used, UNUSED, "is only in its REF clause")


def no_concepts(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield referents without a concept; propositions need none."""
    named = set()
    for triple, _ in _clauses(examined):
        if triple.relation == _PROPOSITION:
            named.update(_variables(triple))
        elif len(triple.arguments) == 3 and SENSE.fullmatch(triple.arguments[1][0]):
            named.add(triple.arguments[2][0])
    return _lacking(examined, named, NO_CONCEPT, "has no concept")


def _lacking(examined: ExaminedGraph, having: set[str], kind: str, reason: str) -> Iterator[Defect]:
    """Yield the referents that are not in *having*, at their first occurrence."""
    seen = set(having)
    for triple, line in _clauses(examined):
        for name in _variables(triple):
            if name not in seen and examined.graph.variables[name] == REFERENT:
                seen.add(name)
                yield Defect(kind, line, f"referent {name} {reason}")


def _clauses(examined: ExaminedGraph) -> Iterator[tuple[Triple, int]]:
    return zip(examined.graph.triples, examined.lines, strict=True)


def _variables(triple: Triple) -> list[str]:
    return [argument.name for argument in triple.arguments if isinstance(argument, Variable)]


def _declared(triple: Triple) -> list[str]:
    return _variables(triple)[1:] if triple.relation == _DECLARES else []
