"""Where the nodes and relations of an item stand: all of them, whoever has them."""

from collections.abc import Sequence
from typing import Any

from exactmatch.many.adjudication.item import Differing, ItemTriple, about_of
from exactmatch.metrics.triples import NormalisedTriple
from exactmatch.report.views.graph_drawing import Edge, drawing, label_width
from exactmatch.report.views.graph_layout import Curve, laid_out

#: So many nodes are drawn all; of more, those that differ, and their neighbours.
MOST_DRAWN = 40


def drawn_item(nodes: Sequence[str], found: Differing) -> dict[str, Any]:
    """Return what is drawn, such as JSON can be made of, and how many nodes are left out."""
    shown = set(nodes) if len(nodes) <= MOST_DRAWN else _near(found)
    names = [name for name in nodes if name in shown]
    numbers = [k for k, triple in enumerate(found.triples) if shown.issuperset(_ends(triple))]
    one = drawing(names, [_as_normalised(found.triples[k]) for k in numbers])
    placed, _ = laid_out(one, one, [(k, k) for k in range(len(one.nodes))])
    boxes = zip(one.nodes, placed.nodes, strict=True)
    curves = zip(one.edges, placed.edges, strict=True)
    return {
        "size": placed.size,
        "left": len(nodes) - len(names),
        "nodes": [[names[node.variable], *box] for node, box in boxes],
        "edges": [[numbers[edge.triple], *_curve(edge, curve)] for edge, curve in curves],
    }


def _ends(triple: ItemTriple) -> Sequence[str]:
    return about_of(triple) or triple[1:2]


def _near(found: Differing) -> set[str]:
    """Return the nodes that differ, the roots, and the neighbours of both."""
    near = {name for one in found.differences for name in one.about}
    near.update(triple[1] for triple in found.triples if triple[0] == "root")
    touching = (_ends(triple) for triple in found.triples)
    return near.union(*(ends for ends in touching if not near.isdisjoint(ends)))


def _curve(edge: Edge, curve: Curve) -> list[Any]:
    """Return the points of an edge, where its label is, and how wide that is."""
    points = [[round(x, 1), round(y, 1)] for x, y in curve.points]
    return [points, [round(place, 1) for place in curve.at], label_width(edge.label)]


def _as_normalised(triple: ItemTriple) -> NormalisedTriple:
    kind, node, *words = triple
    if kind == "root":
        return NormalisedTriple(("top",), (node,))
    if kind == "concept":
        return NormalisedTriple(("instance", *words), (node,))
    if kind == "relation":
        return NormalisedTriple(("relation", words[0]), (node, words[1]))
    return NormalisedTriple(("attribute", *words), (node,))
