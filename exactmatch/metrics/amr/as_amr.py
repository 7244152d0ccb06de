"""Graphs of other formats in PENMAN's terms, for the metrics that compare AMRs.

Chinese AMRs have words on relations, which AMRs do not have; they are left out, and so are pairs of
nodes with such a word and no relation.
"""

from exactmatch.graphs.graph import CAMR, MRP, Graph


def as_amr(graph: Graph) -> Graph:
    """Return *graph* with the triples that it would have in PENMAN.

    Raises `InputError` for a graph in MRP that is no AMR.
    """
    if graph.format == MRP:
        from exactmatch.metrics.amr.from_mrp import from_mrp

        return from_mrp(graph)
    if graph.format != CAMR:
        return graph
    related = (triple for triple in graph.triples if triple.relation)
    return graph._replace(triples=tuple(t._replace(marks=("", "")) for t in related))
