"""SDP: the metric of the tasks on Semantic Dependency Parsing, over graphs in MRP.

Oepen et al. (2014), *SemEval 2014 Task 8*. A node is known by its place in the sentence: the
intervals that it is anchored to. Dependencies are the edges and, for each top, one from a virtual
root to that top. With places *a* and *b* the items are

* labelled: (a, label, b), for each dependency from a to b;
* unlabelled: (a, b).

Both are sets. Besides, *labelled exact match* and *unlabelled exact match* count graphs: one on
each side, which match if all their dependencies do. Labels of nodes do not count.

These are the defaults of mtool (``--score sdp``): virtual dependencies are among the others, labels
are compared and edges turned round as in the default profile of the MRP metric, intervals are
joined and trimmed as in `exactmatch.metrics.anchors`, and all nodes without anchors are taken for
one.
"""

from collections.abc import Set

from exactmatch.graph import Graph
from exactmatch.metrics.anchors import Span, anchors_of, trimmed
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.mrp import MrpProfile

_Place = tuple[Span, ...]
#: The place of the virtual root; every other one starts at 0 or later.
_ROOT: _Place = ((-1, -1),)


def counts(test: Graph, gold: Graph) -> dict[str, Counts]:
    """Return the counts of labelled and unlabelled dependencies, and of exact matches by both."""
    ours, theirs = _dependencies(test), _dependencies(gold)
    parts: dict[str, tuple[Set[object], Set[object]]] = {
        "labelled": (ours, theirs),
        "unlabelled": ({ends for _, ends in ours}, {ends for _, ends in theirs}),
    }
    found = {part: Counts.of(*sides) for part, sides in parts.items()}
    for part, sides in parts.items():
        found[f"{part} exact match"] = Counts(int(sides[0] == sides[1]), 1, 1)
    return found


def _dependencies(graph: Graph) -> set[tuple[tuple[str, ...], tuple[_Place, _Place]]]:
    """Return the dependencies: the label of the item and the places of both ends."""
    anchors = anchors_of(graph)
    place = {v: trimmed(anchors.get(v, ())) for v in graph.variables}
    found = set()
    for label, variables in MrpProfile.known["default"].normalise(graph).items:
        if label[0] == "edge":
            source, target = variables
            found.add((label, (place[source], place[target])))
        elif label[0] == "top":
            found.add((label, (_ROOT, place[variables[0]])))
    return found
