"""Confidence intervals and significance from the whole numbers of items, without solving.

An item is a scored pair of graphs. If the score of an item is only known as an interval, every
function here considers both ends, and returns the more careful result.

The functions resample sums over items, of which a formula makes a score: micro F1 or the metric's
own formula (`exactmatch.studies.common.formulas`). Items with the same numbers are drawn together:
their frequency is a multinomial or binomial number. So the time depends on the number of different
items more than on the number of items. Distinct numbers are sorted, so that the order of the items
does not matter.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from itertools import product
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.errors import UsageError, shown_value
from exactmatch.runtime.progress import Progress
from exactmatch.scoring.results import PairScore

#: Whole numbers: of 64 bits or, if sums over items might need more, of Python.
Integers = NDArray[Any]
Floats = NDArray[np.float64]

#: With fewer resamples, an interval may have no ends at all.
_FEWEST = 10
#: More resamples say nothing more, and a certified study with more could not be verified.
MOST_RESAMPLES = 1_000_000
#: Numbers that are drawn at once, to limit the memory.
_BATCH = 500_000
#: Sums are computed in 64 bits if they cannot exceed this (intermediate results are up to four
#: times as large).
_LARGEST_SUM = 2**60


@dataclass(frozen=True, slots=True)
class Resampling:
    """The number of resamples, the *seed*, and the level of *confidence* (0 to 1).

    Raises `UsageError` for numbers out of range.
    """

    resamples: int = 9999
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence of {shown_value(self.confidence)}: not between 0 and 1")
        if 1 - self.level / 2 == 1:  # no quantile exists for it
            raise UsageError(f"a confidence of {self.confidence}: too near to 1 for an interval")
        if type(self.resamples) is not int or self.resamples < _FEWEST:
            raise UsageError(f"{shown_value(self.resamples)} resamples: use at least {_FEWEST}")
        if self.resamples > MOST_RESAMPLES:
            said = shown_value(self.resamples)
            raise UsageError(f"{said} resamples: use at most {MOST_RESAMPLES}")

    @property
    def level(self) -> float:
        """The p-value up to which a difference is significant."""
        return 1 - self.confidence

    @property
    def percent(self) -> str:
        """The confidence as a text: ``95%``, ``97.5%``."""
        return f"{Decimal(str(self.confidence)).scaleb(2).normalize():f}%"


def showing_resampling(progress: Progress) -> AbstractContextManager[object]:
    """Show by *progress* that resamples are drawn, which may take minutes, until the block ends."""
    return progress("resampling", None, "")


class Interval(NamedTuple):
    """A range of values, both ends included."""

    low: float
    high: float


class ScoreDifference(NamedTuple):
    """The difference between the scores of two sides, and its p-value.

    *low* and *high* are the ends of the interval that holds the true difference. *p* is the
    two-sided p-value; it is None if there is nothing to compare.
    """

    low: float
    high: float
    p: float | None


@dataclass(frozen=True, slots=True)
class Formula:
    """How sums over items become a score.

    scores: takes sums, with a row for each sample and a column for each number of an item, and
        returns the score of each row.
    rounding: closer scores (0 to 1) are equal, since rounding may change them so much.
    """

    scores: Callable[[Integers], Floats]
    rounding: float


def _f1(sums: Integers) -> Floats:
    """Return micro F1 from sums of matches and of totals; 0 if nothing could match."""
    matched, total = sums[:, 0], sums[:, 1]
    ratios = np.zeros(len(sums))
    known = total != 0
    ratios[known] = 2 * matched[known] / total[known]
    return ratios


F1 = Formula(_f1, 1e-15)


@dataclass(frozen=True, slots=True)
class Items:
    """The numbers of items, one entry an item, and the formula that turns their sums into a score.

    matched, upper, total: the matches, their upper bound, and the sum of both totals.
    further: further inputs of the formula, in columns. further_upper: those for the upper bound;
        None if they are the same.
    """

    matched: Integers
    upper: Integers
    total: Integers
    _: KW_ONLY
    further: Sequence[Integers] = ()
    further_upper: Sequence[Integers] | None = None
    formula: Formula = F1

    @property
    def low(self) -> list[Integers]:
        """The columns for the formula, with the mappings found."""
        return [self.matched, self.total, *self.further]

    @property
    def high(self) -> list[Integers]:
        """The columns for the formula, with the upper bounds."""
        further = self.further if self.further_upper is None else self.further_upper
        return [self.upper, self.total, *further]

    @property
    def proven(self) -> bool:
        """Whether the score of every item is known."""
        return np.array_equal(self.matched, self.upper)

    @classmethod
    def of(cls, scores: Iterable[PairScore]) -> "Items":
        """Return the counts of the scores, without skipped ones."""
        rows = [
            (score.matched, score.matched_upper, score.system_total + score.gold_total)
            for score in scores
            if score.is_compared
        ]
        columns = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return cls(columns[:, 0], columns[:, 1], columns[:, 2])


def confidence_interval(items: Items, resampling: Resampling) -> Interval | None:
    """Return the bootstrap confidence interval of the score, or None for less than 2 items.

    Items are drawn with replacement; the interval is bias-corrected and accelerated (BCa: Efron
    1987, *Better bootstrap confidence intervals*). Its low end is computed for the mappings found
    and its high end for the upper bounds, so that unproven scores widen it. (Ends of BCa intervals
    need not rise with every count, so the true scores may have other ends.)
    """
    found = intervals_of_columns(items.low, items.high, [items.formula], resampling)
    return found[0]


def intervals_of_columns(
    low: Sequence[Integers],
    high: Sequence[Integers],
    formulas: Sequence[Formula],
    resampling: Resampling,
) -> Sequence[Interval | None]:
    """Return the intervals of scores that *formulas* make of other columns, one entry an item.

    *low* are the columns for the mappings found, *high* those for the upper bounds. Items are drawn
    once for all formulas.
    """
    if len(low[0]) < 2:
        return [None] * len(formulas)
    first = _bca(low, formulas, resampling)
    proven = all(map(np.array_equal, low, high))
    last = first if proven else _bca(high, formulas, resampling)
    return [Interval(one.low, other.high) for one, other in zip(first, last, strict=True)]


def compare_scores(one: Items, other: Items, resampling: Resampling) -> ScoreDifference:
    """Compare the scores of two sides on the same items, by paired approximate randomisation.

    Both sides have the same columns and the same formula. Under the null hypothesis, the two sides
    of an item can be exchanged. The p-value is the share of exchanges that make the difference at
    least as large (Noreen 1989; Yeh 2000): of all exchanges, or of *resamples* random ones if there
    are more. With unproven items it is the largest p-value of the two extreme differences, and 1 if
    they differ in sign, or if the formula has no result for some items.
    """
    formula = one.formula
    low = score_of(one.low, formula) - score_of(other.high, formula)
    high = score_of(one.high, formula) - score_of(other.low, formula)
    if len(one.total) < 2:
        return ScoreDifference(low, high, None)
    is_open = one.further_upper is not None or other.further_upper is not None
    if low < 0 < high or is_open:
        return ScoreDifference(low, high, 1.0)
    p = _randomise(one.low, other.high, formula, resampling)
    if not (one.proven and other.proven):
        p = max(p, _randomise(one.high, other.low, formula, resampling))
    return ScoreDifference(low, high, p)


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return p-values adjusted for multiple tests (Holm 1979, a step-down Bonferroni method)."""
    order = sorted((p, k) for k, p in enumerate(values) if p is not None)
    adjusted: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (p, k) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p))
        adjusted[k] = largest
    return adjusted


def pseudo_values(columns: Sequence[Integers], formula: Formula) -> Floats:
    """Return the jackknife's pseudo-value of each item (Tukey 1958).

    It is n times the score of all n items, less n - 1 times that of all others.
    """
    number = len(columns[0])
    rows = [whole(column.tolist(), sum(map(abs, column.tolist()))) for column in columns]
    others = np.stack([column.sum() - column for column in rows], axis=-1)
    return number * score_of(columns, formula) - (number - 1) * formula.scores(others)


def score_of(columns: Sequence[Integers], formula: Formula) -> float:
    """Return the score of all items together, added up in Python's integers."""
    sums = [[sum(column.tolist()) for column in columns]]
    return formula.scores(np.array(sums, dtype=object)).item()


def added(times: Integers, columns: Sequence[Integers]) -> Integers:
    """Return sums of items, one for each row of *times*, the frequencies of the items."""
    return np.stack([times @ column for column in columns], axis=-1)


def batches(resamples: int, distinct: int) -> Iterator[int]:
    """Yield the numbers of resamples to compute at once, which add up to all."""
    size = max(1, _BATCH // distinct)
    for done in range(0, resamples, size):
        yield min(size, resamples - done)


def _bca(
    columns: Sequence[Integers], formulas: Sequence[Formula], resampling: Resampling
) -> list[Interval]:
    """Return the interval of the score by each of *formulas*."""
    distinct, times = grouped(rows_of(columns))
    number = len(columns[0])
    rows = [whole(column, number * max(map(abs, column))) for column in zip(*distinct, strict=True)]
    rng = np.random.default_rng(resampling.seed)
    resampled: list[list[Floats]] = [[] for _ in formulas]
    empty = []
    for size in batches(resampling.resamples, len(distinct)):
        sums = added(rng.multinomial(number, times / number, size=size), rows)
        for drawn, formula in zip(resampled, formulas, strict=True):
            drawn.append(formula.scores(sums))
        empty.append(~sums.astype(bool).any(axis=1))
    nothing = np.concatenate(empty)
    without_one = added(times[np.newaxis], rows) - np.stack(rows, axis=-1)
    intervals = []
    for formula, pieces in zip(formulas, resampled, strict=True):
        observed, scores = score_of(columns, formula), np.concatenate(pieces)
        if np.all((np.abs(scores - observed) <= formula.rounding) | nothing):
            # All resamples score alike, so the acceleration is 0/0.
            intervals.append(Interval(observed, observed))
            continue
        left_out = formula.scores(without_one)
        intervals.append(bca_interval(observed, scores, left_out, times, resampling.confidence))
    return intervals


def bca_interval(
    observed: float, resampled: Floats, jackknife: Floats, times: Integers, confidence: float
) -> Interval:
    """Return the BCa interval of a statistic (Efron 1987).

    *resampled* is its bootstrap distribution, *jackknife* its values with one item left out; each
    of these stands for as many items as *times* says.
    """
    normal = NormalDist()
    below = (np.mean(resampled < observed) + np.mean(resampled <= observed)) / 2
    least = 0.5 / len(resampled)  # otherwise the bias is infinite if no resample is on one side
    bias = normal.inv_cdf(float(np.clip(below, least, 1 - least)))
    spread = np.average(jackknife, weights=times) - jackknife
    squares = float(times @ spread**2)
    acceleration = float(times @ spread**3) / (6 * squares**1.5) if squares else 0.0

    def end(quantile: float) -> float:
        shifted = bias + normal.inv_cdf(quantile)
        share = normal.cdf(bias + shifted / (1 - acceleration * shifted))
        return float(np.quantile(resampled, share))

    tail = (1 - confidence) / 2
    return Interval(end(tail), end(1 - tail))


def _randomise(
    one: Sequence[Integers],
    other: Sequence[Integers],
    formula: Formula,
    resampling: Resampling,
) -> float:
    """Return the share of exchanges that make the difference at least as large.

    In an exchange, one side gains what the other loses, so it flips the sign of the difference of
    an item. Only the differences of items matter, whichever side is ahead; items without a
    difference are left out.
    """
    ours, theirs = rows_of(one), rows_of(other)
    both = [sum(column) for column in zip(*ours, *theirs, strict=True)]
    most = [sum(map(abs, column)) for column in zip(*ours, *theirs, strict=True)]
    ahead = [
        tuple(n - m for n, m in zip(left, right, strict=True))
        for left, right in zip(ours, theirs, strict=True)
    ]
    differing = [delta for delta in ahead if any(delta)]
    columns = range(len(both))

    def columns_of(deltas: Sequence[tuple[int, ...]]) -> list[Integers]:
        return [whole([delta[k] for delta in deltas], most[k]) for k in columns]

    total = np.stack(columns_of([tuple(both)]), axis=-1)

    def distances(deltas: Integers) -> Floats:
        """Return the difference in score if the sums over the items differ by *deltas*."""
        gain, loss = (total + deltas) // 2, (total - deltas) // 2  # an even number, twice both sums
        return np.abs(formula.scores(gain) - formula.scores(loss))

    rounding = formula.rounding * max(1.0, score_of(one, formula), score_of(other, formula))
    observed = [tuple(sum(delta[k] for delta in ahead) for k in columns)]
    least = distances(np.stack(columns_of(observed), axis=-1)).item() - rounding
    if 2 ** len(differing) <= resampling.resamples:
        every = np.array(list(product((1, -1), repeat=len(differing))), dtype=np.int64)
        return float(np.mean(distances(added(every, columns_of(differing))) >= least))
    rows, times = grouped(max(delta, tuple(-n for n in delta)) for delta in differing)
    deltas = columns_of(rows)
    rng = np.random.default_rng(resampling.seed)
    extreme = 0
    for size in batches(resampling.resamples, len(rows)):
        signs = 2 * rng.binomial(times, 0.5, size=(size, len(rows))) - times
        extreme += int(np.count_nonzero(distances(added(signs, deltas)) >= least))
    return (extreme + 1) / (resampling.resamples + 1)  # the observed assignment is an exchange, too


def rows_of(columns: Sequence[Integers]) -> list[tuple[int, ...]]:
    """Return the numbers of each item, as Python's integers."""
    return list(zip(*(column.tolist() for column in columns), strict=True))


def grouped(rows: Iterable[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], Integers]:
    """Return the distinct *rows*, sorted, and how often each occurs."""
    counted = sorted(Counter(rows).items())
    return [row for row, _ in counted], np.array([number for _, number in counted])


def whole(column: Sequence[int], most: int) -> Integers:
    """Return *column* as an array, in 64 bits if they suffice for sums of up to *most*."""
    return np.array(column, dtype=np.int64 if most <= _LARGEST_SUM else object)
