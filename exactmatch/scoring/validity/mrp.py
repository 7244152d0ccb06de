"""Faults of a graph in MRP, of any framework."""

from collections.abc import Iterator

from exactmatch.graphs.graph import CONCEPT, Triple, Variable
from exactmatch.graphs.readers.examined import NO_CONCEPT, Defect, ExaminedGraph
from exactmatch.scoring.validity.kinds import DUPLICATE, NO_TOP
from exactmatch.scoring.validity.links import Link, cycles, pieces

#: Frameworks whose nodes have no labels.
_WITHOUT_LABELS = frozenset({"ucca"})


def disconnected(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield the unconnected pieces of a graph."""
    graph = examined.graph
    return pieces(graph.variables, _links(examined), graph.location.line)


def cyclic(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield cycles of edges in their written directions."""
    return cycles(_links(examined))


def no_tops(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield a fault if no node is a top."""
    graph = examined.graph
    if graph.variables and not graph.tops:
        yield Defect(NO_TOP, graph.location.line, "no node is a top")


def no_labels(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield nodes without label, in frameworks with labels."""
    graph = examined.graph
    if graph.framework.lower() in _WITHOUT_LABELS:
        return
    labelled = {triple.arguments[0] for triple in graph.triples if triple.relation == CONCEPT}
    for name in graph.variables:
        if Variable(name) not in labelled:
            yield Defect(NO_CONCEPT, graph.location.line, f"node {name} has no label")


def duplicates(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield repeated edges, properties and anchors."""
    seen: set[Triple] = set()
    for triple, line in zip(examined.graph.triples, examined.lines, strict=True):
        # A triple with more arguments than an edge is an attribute of an edge that occurs, too.
        if triple in seen and len(triple.arguments) == 2:
            source, target = (argument[0] for argument in triple.arguments)
            yield Defect(
                DUPLICATE, line, f"{triple.relation} from {source} to {target} is repeated"
            )
        seen.add(triple)


def _links(examined: ExaminedGraph) -> Iterator[Link]:
    for triple, line in zip(examined.graph.triples, examined.lines, strict=True):
        if len(triple.arguments) == 2 and isinstance(triple.arguments[1], Variable):
            yield Link(triple.arguments[0][0], triple.arguments[1][0], line)
