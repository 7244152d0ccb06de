"""Where the nodes and relations of an item stand: all of them, whoever has them."""

from collections.abc import Sequence
from typing import Any

from exactmatch.many.adjudication.item import Differing, ItemTriple, about_of
from exactmatch.metrics.triples import NormalisedTriple
from exactmatch.report.views.graph_drawing import Drawing, Edge, Node, cut, drawing, label_width
from exactmatch.report.views.graph_layout import Curve, laid_out
from exactmatch.report.views.written_graphs import Piece

#: So many nodes are drawn all; of more, those that differ, and their neighbours.
MOST_DRAWN = 40
#: The longest line and label, in characters: options must be told apart, so hardly any are cut.
_LONGEST = 80


def drawn_item(nodes: Sequence[str], found: Differing) -> dict[str, Any]:
    """Return what is drawn, such as JSON can be made of, and how many nodes are left out."""
    shown = set(nodes) if len(nodes) <= MOST_DRAWN else _near(found)
    names = [name for name in nodes if name in shown]
    numbers = [k for k, triple in enumerate(found.triples) if shown.issuperset(_ends(triple))]
    kept = [found.triples[k] for k in numbers]
    one = _with_room(drawing(names, [*map(_as_normalised, kept)]), names, kept)
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


def _with_room(one: Drawing, names: Sequence[str], triples: Sequence[ItemTriple]) -> Drawing:
    """Return the drawing with room for every triple in full, and for a question mark behind it."""
    said: dict[str, list[str]] = {name: [] for name in names}
    for triple in triples:
        if triple[0] != "relation":
            said[triple[1]].append(_line(triple))
    nodes = [
        Node(node.variable, [[Piece(cut(line, _LONGEST))] for line in said[names[node.variable]]])
        if said[names[node.variable]]
        else node
        for node in one.nodes
    ]
    edges = [edge._replace(label=cut(triples[edge.triple][2], _LONGEST)) for edge in one.edges]
    return one._replace(nodes=nodes, edges=edges)


def _line(triple: ItemTriple) -> str:
    """Return the line of a node that the page draws for *triple* while it is undecided."""
    kind, node, *words = triple
    if kind == "root":
        return "⊤ ?"
    return f"{node} / {words[0]} ?" if kind == "concept" else f"{' '.join(words)} ?"


def _as_normalised(triple: ItemTriple) -> NormalisedTriple:
    kind, node, *words = triple
    if kind == "root":
        return NormalisedTriple(("top",), (node,))
    if kind == "concept":
        return NormalisedTriple(("instance", *words), (node,))
    if kind == "relation":
        return NormalisedTriple(("relation", words[0]), (node, words[1]))
    return NormalisedTriple(("attribute", *words), (node,))
