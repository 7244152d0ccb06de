"""Principle VI of Opitz et al. (2020): the more two graphs share, the higher the score.

With t(G) the triples of a graph, as the metric counts them, J(A, B) = |t(A) & t(B)| / |t(A) | t(B)|
is the Jaccard index under the best mapping, and metric(A, B) > metric(A, C) if and only if J(A, B)
> J(A, C) (section 2.1).

A is the gold graph of an item. B and C are any two of: its counterpart in the other file, and
copies of A with little and much disturbed concepts. A comparison of B with C violates the principle
if a metric puts them in the opposite order, and also if only one of metric and Jaccard index ties.
Only comparisons with proven Jaccard indices up to 1 count. (Products of duplicates may exceed 1.)

The paper allows an exception: graded matching of concepts. So a metric with graded matching
violates the principle only if its symbolic part does so alone: the same metric and search where
only equal labels match. The other comparisons in which it disagrees are counted apart.

F1 = 2 J / (1 + J) (section 3): an exact F1 over the same triples agrees by construction.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal, NamedTuple

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.graph_changes import disturbed

#: The number of changed concepts in the copies.
STRENGTHS = (1, 2, 4)

#: Scores that differ by no more are tied.
_TIE = 1e-9


#: How a metric orders two rivals, compared with the Jaccard index. In order ``graded``, only graded
#: matching of concepts differs from the index.
Order = Literal["same", "graded", "opposite", "metric ties", "jaccard ties"]
_VIOLATIONS: tuple[Order, ...] = ("opposite", "metric ties", "jaccard ties")


class Jaccard(NamedTuple):
    """A Jaccard index, and whether its mapping is *proven* best, by a checked proof.

    The *value* exceeds 1 if no sets are compared: products of duplicates match more triples.
    """

    value: Fraction
    proven: bool
    certified: bool


class DisputedOverlap(NamedTuple):
    """A pair with comparisons that violate the principle, or that graded matching reorders."""

    item: str
    comparisons: int
    violated: int
    graded: int


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """How often the order by a metric differs from that by the Jaccard index.

    comparisons: those of two graphs with a third. opposite, metric_ties, jaccard_ties: the shares
    of comparisons in which the order is the opposite, only the metric ties, and only the Jaccard
    index ties. violated: all three together. graded: the share of further comparisons that only
    graded matching puts in another order; None for a metric without it. These are None if there is
    no comparison. tau: Kendall's tau-b of scores and Jaccard indices of the pairs; None if either
    never varies. disputed: the pairs with such comparisons.
    """

    comparisons: int
    opposite: float | None
    metric_ties: float | None
    jaccard_ties: float | None
    violated: float | None
    graded: float | None
    tau: float | None
    disputed: Sequence[DisputedOverlap]


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
    index = Fraction(best.matched, union) if union > 0 else Fraction(1 + best.matched)
    return Jaccard(index, proven, proven and measured.certified)


class OverlapCollector:
    """Collects the scores of a metric for graphs and their rivals."""

    def __init__(self, *, is_graded: bool = False) -> None:
        self._is_graded = is_graded
        self._comparisons = 0
        self._counts: Counter[Order] = Counter()
        self._scores, self._indices = array("d"), array("d")
        self._disputed: list[DisputedOverlap] = []

    def add(
        self,
        item: str,
        scores: Sequence[float],
        indices: Sequence[Jaccard],
        symbolic: Sequence[float] = (),
    ) -> None:
        """Take the scores of the rivals of one graph, and their Jaccard indices.

        *symbolic* are the scores by the symbolic part alone, for a metric with graded matching.
        """
        self._scores.append(scores[0])
        self._indices.append(float(indices[0].value))
        rows = zip(scores, symbolic or scores, indices, strict=True)
        known = [_Rival(*row) for row in rows if row[2].proven and row[2].value <= 1]
        found = [_order(*both) for both in combinations(known, 2)]
        for order in found:
            self._counts[order] += 1
        self._comparisons += len(found)
        graded, violated = found.count("graded"), sum(order in _VIOLATIONS for order in found)
        if graded or violated:
            self._disputed.append(DisputedOverlap(item, len(found), violated, graded))

    def finish(self) -> Overlap:
        """Return how often the orders differ."""

        def share(*orders: Order) -> float | None:
            number = sum(self._counts[order] for order in orders)
            return number / self._comparisons if self._comparisons else None

        return Overlap(
            comparisons=self._comparisons,
            opposite=share("opposite"),
            metric_ties=share("metric ties"),
            jaccard_ties=share("jaccard ties"),
            violated=share(*_VIOLATIONS),
            graded=share("graded") if self._is_graded else None,
            tau=_tau(self._scores, self._indices),
            disputed=self._disputed,
        )


class _Rival(NamedTuple):
    """The score of a graph, the score by the symbolic part alone, and the Jaccard index."""

    score: float
    symbolic: float
    jaccard: Jaccard


def _order(one: _Rival, other: _Rival) -> Order:
    """Return how a metric orders two rivals, compared with the Jaccard index."""
    by_jaccard = _sign(one.jaccard.value - other.jaccard.value)
    by_metric = _unless_tied(one.score - other.score)
    by_symbols = _unless_tied(one.symbolic - other.symbolic)
    if by_metric == by_jaccard:
        return "same"
    if by_symbols == by_jaccard:
        return "graded"
    if by_metric * by_jaccard:
        return "opposite"
    return "metric ties" if by_metric == 0 else "jaccard ties"


def _unless_tied(difference: float) -> int:
    return 0 if abs(difference) <= _TIE else _sign(difference)


def _sign(number: float | Fraction) -> int:
    return (number > 0) - (number < 0)


def _tau(scores: Sequence[float], others: Sequence[float]) -> float | None:
    from scipy.stats import kendalltau

    rounded = [[round(value, 9) for value in side] for side in (scores, others)]
    if any(len(set(side)) < 2 for side in rounded):
        return None
    return float(kendalltau(*rounded).statistic)
