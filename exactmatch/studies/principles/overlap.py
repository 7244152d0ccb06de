"""Principle VI of Opitz et al. (2020): the more two graphs share, the higher the score.

With t(G) the triples of a graph, J(A, B) = |t(A) & t(B)| / |t(A) | t(B)| is the Jaccard index under
the best mapping, and metric(A, B) > metric(A, C) if and only if J(A, B) > J(A, C) (section 2.1).

A is the gold graph of an item. B and C are any two of: its counterpart in the other file, and
copies of A with little and much disturbed concepts. A comparison of B with C violates the principle
if a metric puts them in the opposite order, and also if only one of metric and Jaccard index ties.
Only comparisons with proven Jaccard indices count.

F1 = 2 J / (1 + J) (section 3): an exact F1 over the same triples agrees by construction.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.graph_changes import disturbed

#: The number of changed concepts in the copies.
STRENGTHS = (1, 2, 4)

#: Scores that differ by no more are tied.
_TIE = 1e-9


class Jaccard(NamedTuple):
    """A Jaccard index, and whether its mapping is *proven* best, by a checked proof."""

    value: Fraction
    proven: bool
    certified: bool


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """How often the order by a metric differs from that by the Jaccard index.

    comparisons: those of two graphs with a third. opposite, metric_ties, jaccard_ties: the shares
    of comparisons in which the order is the opposite, only the metric ties, and only the Jaccard
    index ties. violated: all three together. These are None if there is no comparison. tau:
    Kendall's tau-b of scores and Jaccard indices of the pairs; None if either never varies.
    """

    comparisons: int
    opposite: float | None
    metric_ties: float | None
    jaccard_ties: float | None
    violated: float | None
    tau: float | None


def rivals(pair: GraphPair) -> list[Graph]:
    """Return the rivals to compare with the gold graph: the system's, and disturbed copies."""
    copies = [disturbed(pair.gold, n, f"{pair.identifier} {n}") for n in STRENGTHS]
    return [pair.system, *copies]


def jaccard(exact: Judge, one: Graph, other: Graph, seed: int) -> Jaccard:
    """Return the Jaccard index of the triples of two graphs under the best mapping."""
    measured = exact.measurement(one, other, seed)
    best = measured.statistics
    proven = best.matched == best.matched_upper
    union = best.system_total + best.gold_total - best.matched
    index = Fraction(best.matched, union) if union else Fraction(1)
    return Jaccard(index, proven, proven and measured.certified)


class OverlapCollector:
    """Collects the scores of a metric for graphs and their rivals."""

    def __init__(self) -> None:
        self._comparisons = 0
        self._opposite = 0
        self._metric_ties = 0
        self._jaccard_ties = 0
        self._scores, self._indices = array("d"), array("d")

    def add(self, scores: Sequence[float], indices: Sequence[Jaccard]) -> None:
        """Take the scores of the rivals of one graph, and their Jaccard indices."""
        self._scores.append(scores[0])
        self._indices.append(float(indices[0].value))
        known = [(m, j.value) for m, j in zip(scores, indices, strict=True) if j.proven]
        for (score, index), (other_score, other_index) in combinations(known, 2):
            by_metric = 0 if abs(score - other_score) <= _TIE else _sign(score - other_score)
            by_jaccard = _sign(index - other_index)
            self._comparisons += 1
            self._opposite += by_metric * by_jaccard < 0
            self._metric_ties += by_metric == 0 != by_jaccard
            self._jaccard_ties += by_jaccard == 0 != by_metric

    def finish(self) -> Overlap:
        """Return how often the orders differ."""
        violated = self._opposite + self._metric_ties + self._jaccard_ties
        opposite, metric_ties, jaccard_ties, violated_share = (
            number / self._comparisons if self._comparisons else None
            for number in (self._opposite, self._metric_ties, self._jaccard_ties, violated)
        )
        return Overlap(
            comparisons=self._comparisons,
            opposite=opposite,
            metric_ties=metric_ties,
            jaccard_ties=jaccard_ties,
            violated=violated_share,
            tau=_tau(self._scores, self._indices),
        )


def _sign(number: float | Fraction) -> int:
    return (number > 0) - (number < 0)


def _tau(scores: Sequence[float], others: Sequence[float]) -> float | None:
    from scipy.stats import kendalltau

    rounded = [[round(value, 9) for value in side] for side in (scores, others)]
    if any(len(set(side)) < 2 for side in rounded):
        return None
    return float(kendalltau(*rounded).statistic)
