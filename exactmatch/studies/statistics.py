"""Confidence and significance, from the whole numbers of each item; nothing is solved again.

An item is a pair of graphs that has been scored. Where the score of an item is only known as an
interval, every function here answers for both ends of it, and errs on the careful side.

What is resampled is a sum over items, so items with the same numbers are drawn together: how often
is a multinomial or binomial number. The time depends on how many items differ, more than on how
many there are. Distinct numbers are taken in their own order, so that of the items does not matter.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.errors import UsageError
from exactmatch.results import PairScore

#: Whole numbers: of 64 bits or, where sums over items might need more, of Python.
Integers = NDArray[Any]
Floats = NDArray[np.float64]

#: With fewer resamples, an interval may have no ends at all.
_FEWEST = 10
#: Numbers that are drawn at once, to bound the memory that is needed.
_BATCH = 500_000
#: Sums are computed in 64 bits if they cannot exceed this (four times as much is met on the way).
_LARGEST_SUM = 2**60
#: Differences of F1 (0 to 1) that are closer than this are equal: what rounding may do to them.
_ROUNDING = 1e-15


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
        if type(self.resamples) is not int or self.resamples < _FEWEST:
            raise UsageError(f"{self.resamples} resamples: fewer than {_FEWEST} tell nothing")

    @property
    def level(self) -> float:
        """The p-value up to which a difference is significant."""
        return 1 - self.confidence


class Interval(NamedTuple):
    """A range of values, both ends included."""

    low: float
    high: float


class F1Difference(NamedTuple):
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
            (score.matched, score.matched_upper, score.system_total + score.gold_total)
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


def compare_f1(one: Items, other: Items, resampling: Resampling) -> F1Difference:
    """Compare the micro F1 of two sides on the same items, by paired approximate randomisation.

    Under the null hypothesis the two sides of an item may as well be exchanged; the p-value is
    the share of all exchanges, or of *resamples* random ones if there are more, that make the
    difference at least as large (Noreen 1989; Yeh 2000). With unproven items it is the largest
    of what the two extreme differences give, and 1 if they differ in sign.
    """
    low = _f1(one.matched, one.total) - _f1(other.upper, other.total)
    high = _f1(one.upper, one.total) - _f1(other.matched, other.total)
    if len(one.total) < 2:
        return F1Difference(low, high, None)
    if low < 0 < high:
        return F1Difference(low, high, 1.0)
    proven = np.array_equal(one.matched, one.upper) and np.array_equal(other.matched, other.upper)
    p = _randomise(one.matched, one.total, other.upper, other.total, resampling)
    if not proven:
        p = max(p, _randomise(one.upper, one.total, other.matched, other.total, resampling))
    return F1Difference(low, high, p)


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
    whole, both = sum(matched.tolist()), sum(total.tolist())
    return 2 * whole / both if both else 0.0


def _ratios(matched: Integers, total: Integers) -> Floats:
    """Return micro F1 from sums over items; 0 where nothing could match."""
    ratios = np.zeros(np.shape(total))
    known = total != 0
    ratios[known] = 2 * matched[known] / total[known]
    return ratios


def _batches(resamples: int, distinct: int) -> Iterator[int]:
    """Yield how many resamples are computed at once, until it is all of them."""
    size = max(1, _BATCH // distinct)
    for done in range(0, resamples, size):
        yield min(size, resamples - done)


def _bca(matched: Integers, total: Integers, resampling: Resampling) -> Interval:
    counts, times = _grouped(zip(matched.tolist(), total.tolist(), strict=True))
    whole, both = sum(matched.tolist()), sum(total.tolist())
    observed = _f1(matched, total)
    if all(m * both == whole * t for m, t in counts):
        # All items score alike, so every resample does; the acceleration would be 0/0.
        return Interval(observed, observed)
    number = len(total)
    rows = _whole(counts, (number * value for row in counts for value in row))
    rng = np.random.default_rng(resampling.seed)
    drawn = [
        rng.multinomial(number, times / number, size=batch) @ rows
        for batch in _batches(resampling.resamples, len(rows))
    ]
    resampled = np.concatenate([_ratios(batch[:, 0], batch[:, 1]) for batch in drawn])
    left_out = times @ rows - rows
    return bca_interval(
        observed, resampled, _ratios(left_out[:, 0], left_out[:, 1]), times, resampling.confidence
    )


def bca_interval(
    observed: float, resampled: Floats, jackknife: Floats, times: Integers, confidence: float
) -> Interval:
    """Return the BCa interval of a statistic (Efron 1987).

    *resampled* is its bootstrap distribution, *jackknife* its values with one item left out, each
    of which stands for as many items as *times* says.
    """
    normal = NormalDist()
    below = (np.mean(resampled < observed) + np.mean(resampled <= observed)) / 2
    least = 0.5 / len(resampled)  # else the bias is infinite where no resample is on one side
    bias = normal.inv_cdf(float(np.clip(below, least, 1 - least)))
    spread = np.average(jackknife, weights=times) - jackknife
    acceleration = float(times @ spread**3) / (6 * float(times @ spread**2) ** 1.5)

    def end(quantile: float) -> float:
        shifted = bias + normal.inv_cdf(quantile)
        share = normal.cdf(bias + shifted / (1 - acceleration * shifted))
        return float(np.quantile(resampled, share))

    tail = (1 - confidence) / 2
    return Interval(end(tail), end(1 - tail))


def _randomise(
    matched: Integers,
    total: Integers,
    other_matched: Integers,
    other_total: Integers,
    resampling: Resampling,
) -> float:
    """Return the share of exchanges that make the difference at least as large.

    What one side gains by an exchange, the other loses: the exchange gives the difference of an
    item a sign. So items are told apart by their differences alone, whichever side is ahead, and
    those that do not differ have no part in it.
    """
    one, other = (
        list(zip(m.tolist(), t.tolist(), strict=True))
        for m, t in ((matched, total), (other_matched, other_total))
    )
    both = (sum(m for m, _ in one + other), sum(t for _, t in one + other))
    ahead = [(m - n, t - u) for (m, t), (n, u) in zip(one, other, strict=True)]
    differing = [delta for delta in ahead if delta != (0, 0)]
    sums = _whole([both, tuple(map(sum, zip(*ahead, strict=True)))], both)

    def distances(deltas: Integers) -> Floats:
        """Return the difference in F1 where the sums over the items differ by *deltas*."""
        gain, loss = sums[0] + deltas, sums[0] - deltas
        return np.abs(_ratios(gain[:, 0], gain[:, 1]) - _ratios(loss[:, 0], loss[:, 1]))

    rounding = _ROUNDING * max(1.0, _f1(matched, total), _f1(other_matched, other_total))
    least = distances(sums[1:]).item() - rounding
    if 2 ** len(differing) <= resampling.resamples:
        every = np.array(list(product((1, -1), repeat=len(differing))), dtype=np.int64)
        exchanged = every @ _whole(differing, both).reshape(-1, 2)
        return float(np.mean(distances(exchanged) >= least))
    rows, times = _grouped(max(delta, (-delta[0], -delta[1])) for delta in differing)
    deltas = _whole(rows, both)
    rng = np.random.default_rng(resampling.seed)
    extreme = 0
    for size in _batches(resampling.resamples, len(rows)):
        exchanged = (2 * rng.binomial(times, 0.5, size=(size, len(rows))) - times) @ deltas
        extreme += int(np.count_nonzero(distances(exchanged) >= least))
    return (extreme + 1) / (resampling.resamples + 1)  # the observed one is an exchange, too


def _grouped(rows: Iterable[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], Integers]:
    """Return the distinct *rows*, sorted, and how often each occurs."""
    counted = sorted(Counter(rows).items())
    return [row for row, _ in counted], np.array([number for _, number in counted])


def _whole(rows: Sequence[tuple[int, ...]], sums: Iterable[int]) -> Integers:
    """Return *rows* as an array, in 64 bits if that is enough for any of the *sums*."""
    return np.array(rows, dtype=np.int64 if max(sums) <= _LARGEST_SUM else object)
