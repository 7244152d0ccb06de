"""SDP: the metric of the tasks on Semantic Dependency Parsing, over graphs in MRP.

Oepen et al. (2014), *SemEval 2014 Task 8*. A node is identified by its place in the sentence: the
intervals of its anchors. Dependencies are the edges and, for each top, one from a virtual root to
that top. With places *a* and *b*, the metric counts

* labelled: (a, label, b), for each dependency from a to b;
* unlabelled: (a, b).

Both are sets. In addition, *labelled exact match* and *unlabelled exact match* count graphs: one on
each side, which match if all their dependencies do. Labels of nodes do not count.

These are the defaults of mtool (``--score sdp``): virtual dependencies count like others, labels
are compared and edges turned around as in the profile ``mtool`` of the MRP metric, intervals are
joined and trimmed as in `exactmatch.metrics.anchors`, and all nodes without anchors are one.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import ClassVar

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.anchor_based import AnchorMetric
from exactmatch.metrics.anchors import Span, places_of
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.mrp import Mrp

#: Decides how labels and edges are compared.
_MRP = Mrp.profiles["mtool"]

#: The number of the intervals of a node; these may be many.
_Place = int
#: The place of the virtual root; every other one is 0 or more.
_ROOT: _Place = -1


@dataclass(frozen=True, slots=True)
class Sdp(AnchorMetric):
    """The metric; its only choice is that of all metrics over anchored nodes."""

    name: ClassVar[str] = "sdp"
    title: ClassVar[str] = "SDP"
    papers: ClassVar[Sequence[str]] = ("oepen-2014-sdp",)
    headline: ClassVar[str] = "labelled"

    def counts(self, system: Graph, gold: Graph) -> dict[str, Counts]:
        """Return the counts of dependencies with and without labels, and of exact matches."""
        numbers: dict[tuple[Span, ...], _Place] = {}
        ours, theirs = _dependencies(system, numbers), _dependencies(gold, numbers)
        parts: dict[str, tuple[Set[object], Set[object]]] = {
            "labelled": (ours, theirs),
            "unlabelled": ({ends for _, ends in ours}, {ends for _, ends in theirs}),
        }
        counts = {part: Counts.of(*sides) for part, sides in parts.items()}
        for part, sides in parts.items():
            counts[f"{part} exact match"] = Counts(int(sides[0] == sides[1]), 1, 1)
        return counts


Sdp.profiles = {"default": Sdp(profile="sdp.1", unicode="nfc")}


def _dependencies(
    graph: Graph, numbers: dict[tuple[Span, ...], _Place]
) -> set[tuple[tuple[str, ...], tuple[_Place, _Place]]]:
    """Return the dependencies: the label of the triple and the places of both ends.

    *numbers* are those of places so far.
    """
    place = {v: numbers.setdefault(p, len(numbers)) for v, p in places_of(graph).items()}
    dependencies = set()
    for triple in _MRP.normalise(graph).triples:
        if triple.kind == "edge":
            source, target = triple.variables
            dependencies.add((triple.label, (place[source], place[target])))
        elif triple.kind == "top":
            dependencies.add((triple.label, (_ROOT, place[triple.variables[0]])))
    return dependencies
