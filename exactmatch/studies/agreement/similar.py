"""Concepts that differ and match in part, as in Table 6 of Opitz et al. (2020)."""

from collections.abc import Sequence
from typing import NamedTuple

from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.studies.common.differences import Difference

#: The kind of triples that say the concept of a variable.
_INSTANCE = "instance"


class SimilarConcepts(NamedTuple):
    """Two concepts that match in part, how often, and the F1 that they add.

    similarity: the value of one match, from 0 to 1.
    times, times_some: how often the concepts are in one place under every best mapping, and under
        some.
    gain, gain_some: what so many matches add to the micro F1 over all compared graphs.
    """

    one: str
    other: str
    similarity: float
    times: int
    times_some: int
    gain: float
    gain_some: float


def similar_concepts(
    relabelled: Sequence[tuple[Difference, int, int]], metric: AlignmentMetric, total: int
) -> list[SimilarConcepts]:
    """Return the relabelled concepts that match in part, those of the largest gain first.

    *relabelled* are differences with their times under every best mapping, and under some. *total*
    is the sum of the totals of both sides, over all compared graphs, in parts of the metric's
    scale.
    """
    found = []
    for difference, times, times_some in relabelled:
        value = _value(difference, metric)
        if value:
            one, other = difference.system or "", difference.gold or ""
            gains = (2 * value * number / total for number in (times, times_some))
            similarity = value / metric.scale
            found.append(SimilarConcepts(one, other, similarity, times, times_some, *gains))
    return sorted(found, key=lambda row: (-row.gain, -row.gain_some, -row.similarity, row))


def _value(difference: Difference, metric: AlignmentMetric) -> int:
    """Return the value of a match of two concepts, in parts of the scale; 0 for other triples."""
    kind, one, other = difference
    if kind != _INSTANCE or one is None or other is None:
        return 0
    labels = (_INSTANCE, one), (_INSTANCE, other)
    left, right = (NormalisedGraph(("x",), [NormalisedTriple(label, ("x",))]) for label in labels)
    return metric.similar(left, right).get(labels, 0)
