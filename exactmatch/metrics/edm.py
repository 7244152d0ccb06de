"""EDM: Elementary Dependency Matching, over graphs in MRP.

Dridan and Oepen (2011), *Parser Evaluation Using Elementary Dependency Matching*. A node is
identified by the characters of its anchors. With those of two nodes as *a* and *b*, the metric
counts

* names: (a, label), for each node with a label;
* arguments: (a, label, b), for each edge from a to b;
* properties: (a, name, value), for each property;
* tops: (a), for each top, which mtool adds to the three parts of the paper;
* all: the four together, with equal weights.

All are sets: nodes with equal anchors are one.

These are the defaults of mtool (``--score edm``): labels are compared and edges turned around as in
the profile ``mtool`` of the MRP metric, characters count span by span, as described in
`exactmatch.metrics.anchors`, and all nodes without anchors are one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.anchor_based import AnchorMetric
from exactmatch.metrics.anchors import Span, characters_of
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.mrp import Mrp

#: Decides how labels and edges are compared.
_MRP = Mrp.profiles["mtool"]
#: The names of EDM for the kinds of triples of the MRP metric.
_PARTS = {"label": "names", "edge": "arguments", "property": "properties", "top": "tops"}


@dataclass(frozen=True, slots=True)
class Edm(AnchorMetric):
    """The metric; its only choice is that of all metrics over anchored nodes."""

    name: ClassVar[str] = "edm"
    title: ClassVar[str] = "EDM"
    papers: ClassVar[Sequence[str]] = ("dridan-2011-edm",)
    headline: ClassVar[str] = "all"

    def counts(self, system: Graph, gold: Graph) -> dict[str, Counts]:
        """Return the counts of names, arguments, properties, tops, and of all of these together."""
        numbers: dict[tuple[Span, ...], int] = {}
        ours, theirs = _sets(system, numbers), _sets(gold, numbers)
        counts = {part: Counts.of(ours[part], theirs[part]) for part in _PARTS.values()}
        return {**counts, "all": sum(counts.values(), Counts(0, 0, 0))}


Edm.profiles = {"default": Edm(profile="edm.1", unicode="nfc")}


def _sets(graph: Graph, numbers: dict[tuple[Span, ...], int]) -> dict[str, set[object]]:
    """Return the counts of each part. *numbers* are those of anchors, which may be long, so far."""
    spans = characters_of(graph)
    places = {v: numbers.setdefault(its_spans, len(numbers)) for v, its_spans in spans.items()}
    by_part: dict[str, set[object]] = {part: set() for part in _PARTS.values()}
    for triple in _MRP.normalise(graph).triples:
        part = _PARTS.get(triple.kind)
        if part is not None:
            by_part[part].add((triple.label, tuple([places[v] for v in triple.variables])))
    return by_part
