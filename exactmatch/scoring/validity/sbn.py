"""Faults of a well-formed graph of SBN."""

from collections.abc import Iterator

from exactmatch.graphs.graph import Triple, Variable
from exactmatch.graphs.readers.examined import Defect, ExaminedGraph
from exactmatch.scoring.validity.kinds import DUPLICATE, PARALLEL_EDGES


def duplicates(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield repeated edges."""
    seen: set[Triple] = set()
    for triple, line in zip(examined.graph.triples, examined.lines, strict=True):
        if triple in seen:
            source, target = (argument[0] for argument in triple.arguments)
            yield Defect(
                DUPLICATE, line, f"{triple.relation} from {source} to {target} is repeated"
            )
        seen.add(triple)


def parallel_edges(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield edges with the same two nodes as an earlier one, but another relation."""
    relations: dict[tuple[Variable, ...], list[str]] = {}
    for triple, line in zip(examined.graph.triples, examined.lines, strict=True):
        ends = tuple(end for end in triple.arguments if isinstance(end, Variable))
        if len(ends) < 2:
            continue
        before = relations.setdefault(ends, [])
        if before and triple.relation not in before:
            source, target = (end.name for end in ends)
            reason = f"{triple.relation} from {source} to {target}, besides {before[-1]}"
            yield Defect(PARALLEL_EDGES, line, reason)
        before.append(triple.relation)
