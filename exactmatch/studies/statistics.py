"""Confidence and significance, from the whole numbers of each item; nothing is solved again.

An item is a pair of graphs that has been scored. Where the score of an item is only known as an
interval, every function here answers for both ends of it, and errs on the careful side.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.corpus import PairScore
from exactmatch.errors import UsageError

Integers = NDArray[np.int64]

#: With fewer resamples, an interval may have no ends at all.
_FEWEST = 10
#: Resamples that are computed at once, to bound the memory that is needed.
_BATCH = 200


@dataclass(frozen=True, slots=True)
class Resampling:
    """How often is resampled, from which *seed*, and at which level of *confidence* (0 to 1).

    Raises `UsageError` for numbers that make no sense.
    """

    resamples: int = 9999
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence of {self.confidence}: not between 0 and 1")
        if self.resamples < _FEWEST:
            raise UsageError(f"{self.resamples} resamples: fewer than {_FEWEST} tell nothing")


class Interval(NamedTuple):
    """A range of values, both ends included."""

    low: float
    high: float


class Difference(NamedTuple):
    """By how much the micro F1 of one side exceeds that of the other, and how likely by chance.

    *low* and *high* are the ends of the interval that holds the true difference. *p* is the
    two-sided p-value; it is None if there is nothing to compare.
    """

    low: float
    high: float
    p: float | None


@dataclass(frozen=True, slots=True)
class Items:
    """The counts of items, one entry an item: matched, at most matched, and both totals' sum."""

    matched: Integers
    upper: Integers
    total: Integers

    @classmethod
    def of(cls, scores: Iterable[PairScore]) -> "Items":
        """Return the counts of the scores, skipped ones left out."""
        rows = [
            (score.matched, score.matched_upper, score.test_total + score.gold_total)
            for score in scores
            if score.status != "skipped"
        ]
        columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return cls(columns[:, 0], columns[:, 1], columns[:, 2])


def confidence_interval(items: Items, resampling: Resampling) -> Interval | None:
    """Return the bootstrap confidence interval of the micro F1, or None for less than 2 items.

    Items are drawn with replacement; the interval is bias-corrected and accelerated (BCa: Efron
    1987, *Better bootstrap confidence intervals*). Its low end is that for the mappings found and
    its high end that for the upper bounds, so that it widens with what is not proven. (Ends of BCa
    intervals need not rise with every count, so the truth in between may have others.)
    """
    if len(items.total) < 2:
        return None
    low = _bca(items.matched, items.total, resampling)
    proven = np.array_equal(items.matched, items.upper)
    high = low if proven else _bca(items.upper, items.total, resampling)
    return Interval(low.low, high.high)


def compare_f1(one: Items, other: Items, resampling: Resampling) -> Difference:
    """Compare the micro F1 of two sides on the same items, by paired approximate randomisation.

    Under the null hypothesis the two sides of an item may as well be exchanged; the p-value is
    the share of all exchanges, or of *resamples* random ones if there are more, that make the
    difference at least as large (Noreen 1989; Yeh 2000). With unproven items it is the largest
    of what the two extreme differences give, and 1 if they differ in sign.
    """
    low = _f1(one.matched, one.total) - _f1(other.upper, other.total)
    high = _f1(one.upper, one.total) - _f1(other.matched, other.total)
    if len(one.total) < 2:
        return Difference(low, high, None)
    if low < 0 < high:
        return Difference(low, high, 1.0)
    proven = np.array_equal(one.matched, one.upper) and np.array_equal(other.matched, other.upper)
    p = _randomise(one.matched, one.total, other.upper, other.total, resampling)
    if not proven:
        p = max(p, _randomise(one.upper, one.total, other.matched, other.total, resampling))
    return Difference(low, high, p)


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted for being several (Holm 1979, a step-down Bonferroni method)."""
    order = sorted((p, k) for k, p in enumerate(values) if p is not None)
    adjusted: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (p, k) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        adjusted[k] = largest
    return adjusted


def _f1(matched: Integers, total: Integers) -> float:
    return float(_ratios(matched.sum(), total.sum()))


def _ratios(matched: Integers, total: Integers) -> NDArray[np.float64]:
    """Return micro F1 from sums over items; 0 where nothing could match."""
    ratios: NDArray[np.float64] = np.zeros(np.shape(total))
    np.divide(2.0 * matched, total, out=ratios, where=total != 0)
    return ratios


def _bca(matched: Integers, total: Integers, resampling: Resampling) -> Interval:
    from scipy.stats import bootstrap

    if np.array_equal(matched * total.sum(), matched.sum() * total):
        # All items score alike, so every resample does; the acceleration would be 0/0.
        return Interval(_f1(matched, total), _f1(matched, total))

    def statistic(chosen: Integers, axis: int) -> NDArray[np.float64]:
        return _ratios(matched[chosen].sum(axis=axis), total[chosen].sum(axis=axis))

    found = bootstrap(
        (np.arange(len(total)),),
        statistic,
        n_resamples=resampling.resamples,
        batch=_BATCH,
        confidence_level=resampling.confidence,
        method="BCa",
        rng=np.random.default_rng(resampling.seed),
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


def _randomise(
    matched: Integers,
    total: Integers,
    other_matched: Integers,
    other_total: Integers,
    resampling: Resampling,
) -> float:
    from scipy.stats import permutation_test

    both_matched = np.concatenate([matched, other_matched])
    both_total = np.concatenate([total, other_total])

    def statistic(one: Integers, other: Integers, axis: int) -> NDArray[np.float64]:
        return _ratios(both_matched[one].sum(axis=axis), both_total[one].sum(axis=axis)) - _ratios(
            both_matched[other].sum(axis=axis), both_total[other].sum(axis=axis)
        )

    places = np.arange(len(total))
    found = permutation_test(
        (places, places + len(total)),
        statistic,
        permutation_type="samples",
        n_resamples=resampling.resamples,
        batch=_BATCH,
        rng=np.random.default_rng(resampling.seed),
    )
    return float(found.pvalue)
