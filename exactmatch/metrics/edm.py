"""EDM: Elementary Dependency Matching, over graphs in MRP.

Dridan and Oepen (2011), *Parser Evaluation Using Elementary Dependency Matching*. A node is known
by the characters that it is anchored to. With those of two nodes as *a* and *b*, the items are

* names: (a, label), for each node with a label;
* arguments: (a, label, b), for each edge from a to b;
* properties: (a, name, value), for each property;
* tops: (a), for each top, which mtool adds to the paper's three;
* all: those of the four together, each of the same weight.

All are sets: nodes of the same anchors are one.

These are the defaults of mtool (``--score edm``): labels are compared and edges turned round as in
the default profile of the MRP metric, characters count as in `exactmatch.metrics.anchors`, and all
nodes without anchors are taken for one.
"""

from exactmatch.graph import Graph
from exactmatch.metrics.anchors import characters_of
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.mrp import MrpProfile

#: What EDM calls the kinds of items of the MRP metric.
_PARTS = {"label": "names", "edge": "arguments", "property": "properties", "top": "tops"}


def counts(test: Graph, gold: Graph) -> dict[str, Counts]:
    """Return the counts of names, arguments, properties, tops, and of all of these together."""
    ours, theirs = _items(test), _items(gold)
    found = {part: Counts.of(ours[part], theirs[part]) for part in _PARTS.values()}
    return {**found, "all": sum(found.values(), Counts(0, 0, 0))}


def _items(graph: Graph) -> dict[str, set[object]]:
    """Return the items of each part."""
    places = characters_of(graph)
    items: dict[str, set[object]] = {part: set() for part in _PARTS.values()}
    for label, variables in MrpProfile.known["default"].normalise(graph).items:
        part = _PARTS.get(label[0])
        if part is not None:
            items[part].add((label, tuple([places[v] for v in variables])))
    return items
