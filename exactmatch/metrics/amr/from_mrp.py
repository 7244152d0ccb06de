"""Turn AMRs in MRP into PENMAN's terms, for the metrics that compare AMRs.

The labels of nodes are concepts, their properties are attributes. Roles are as written, including
inverse ones (``ARG0-of``): the metric decides what is an inverse, so the ``normal`` form of the
file is not needed. Values are strings, since MRP does not distinguish strings from symbols. Anchors
and attributes of edges, which AMR does not have, are skipped. So the graph scores what the same AMR
scores in PENMAN. Losses on the way to MRP remain: mtool lower-cases values, keeps the first word of
a string, and drops ``:wiki``.

SemBleu compares graphs of other frameworks as well: `labelled` turns any graph into the same terms.
"""

from collections.abc import Iterator, Sequence

from exactmatch.errors import InputError
from exactmatch.graphs.graph import ANCHOR, CONCEPT, Constant, Graph, Triple, Variable
from exactmatch.metrics.anchors import anchors_of, text_of


def from_mrp(graph: Graph) -> Graph:
    """Return *graph*, which is in MRP, with the triples that it would have in PENMAN.

    Raises `InputError` for a graph in MRP of another framework than AMR, or with a node without
    label.
    """
    called = f"{graph.location.source}:{graph.location.line}: graph {graph.identifier}"
    if graph.framework.lower() != "amr":
        framework = graph.framework or "no"
        raise InputError(f"{called} is of framework {framework}; this metric compares AMRs")
    triples = tuple(_triples(graph))
    for variable in _unlabelled(graph, triples):
        raise InputError(
            f"{called}: node {variable} has no label; in AMR, every node has a concept"
        )
    return graph._replace(triples=triples)


def labelled(graph: Graph) -> Graph:
    """Return *graph*, which is in MRP, with such triples, and a label on every node.

    In place of a missing label stand the words of the node's anchors, if it has any, as in UCCA.
    """
    triples, anchors = tuple(_triples(graph)), anchors_of(graph)
    labels = (
        Triple(CONCEPT, (Variable(v), Constant(text_of(anchors.get(v, ())))))
        for v in _unlabelled(graph, triples)
    )
    return graph._replace(triples=(*labels, *triples))


def _unlabelled(graph: Graph, triples: Sequence[Triple]) -> list[str]:
    having = {triple.arguments[0] for triple in triples if triple.relation == CONCEPT}
    return [variable for variable in graph.variables if Variable(variable) not in having]


def _triples(graph: Graph) -> Iterator[Triple]:
    for relation, (source, target, *more), _ in graph.triples:
        if more or relation == ANCHOR:
            continue
        if relation == CONCEPT and isinstance(target, Constant):
            concept = _string(target) if '"' in target.text else target
            yield Triple(CONCEPT, (source, concept))
        else:
            value = _string(target) if isinstance(target, Constant) else target
            yield Triple(relation, (source, value))


def _string(constant: Constant) -> Constant:
    """Return *constant* as PENMAN writes a string."""
    text = constant.text.replace('"', r"\"")
    return Constant(f'"{text}"')
