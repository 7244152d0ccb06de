"""Intervals and significance of systems with several runs, from the whole numbers of items.

The score of a system is the mean of the scores of its runs. Two questions differ. *These runs*:
are these files better, on other items? Then runs are fixed, and items are exchanged. *New runs*: is
the system better, also with other seeds of its training? Then runs are drawn as well as items.

In the two-stage resamples of new runs, all items are drawn with replacement, the same ones for all
runs, and of the R runs of a system R - 1 are drawn with replacement. The variance of a mean of R
draws would be too small by the factor (R - 1) / R, which matters for few runs (McCarthy and Snowden
1985, *The bootstrap and finite population sampling*). Few runs also say little of their own
variance, so the interval uses Student's t with the degrees of freedom of Satterthwaite (1946).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import fsum
from typing import NamedTuple

import numpy as np

from exactmatch.studies.common.statistics import (
    Floats,
    Formula,
    Integers,
    Interval,
    Items,
    Resampling,
    added,
    batches,
    confidence_interval,
    grouped,
    rows_of,
    score_of,
    whole,
)
from exactmatch.studies.common.student import student_quantile, student_tail

#: Means of scores that are closer are equal.
_ROUNDING = 1e-12

#: The columns of the numbers of a run, one entry an item.
_Columns = Sequence[Integers]


@dataclass(frozen=True, slots=True)
class RunsDifference:
    """The difference between the means of two systems over their runs.

    low, high: the ends of the interval that holds the true difference of these files.
    p_these, p_new: the two-sided p-values for these runs and for new runs; None if there are too
        few items or, for new runs, if a system has a single run or nothing varies.
    interval: the confidence interval of the difference for new runs, under the same conditions.
    """

    low: float
    high: float
    p_these: float | None
    p_new: float | None
    interval: Interval | None


def mean_interval(runs: Sequence[Items], resampling: Resampling) -> Interval | None:
    """Return the confidence interval of the mean score over *runs* and items.

    All runs have the same items and columns. For a single run, it is the interval over items alone.
    Return None for less than 2 items.
    """
    if len(runs) == 1:
        return confidence_interval(runs[0], resampling)
    if len(runs[0].total) < 2:
        return None
    formula, ends = runs[0].formula, []
    for columns in ([run.low for run in runs], [run.high for run in runs]):
        found = _spread([_in_order(columns)], formula, resampling)
        ends.append(found.interval(resampling.confidence))
    return Interval(max(0.0, ends[0].low), min(1.0, ends[1].high))


class MeanColumns(NamedTuple):
    """The numbers of all runs of a system, one entry an item, and the formula of their mean score.

    *low* are those for the mappings found, *high* those for the upper bounds.
    """

    low: Sequence[Integers]
    high: Sequence[Integers]
    formula: Formula


def mean_columns(runs: Sequence[Items]) -> MeanColumns:
    """Return the columns of the mean score over *runs*, whatever their order."""
    ordered = sorted(
        runs, key=lambda run: (_sums(run.low), sorted(rows_of(run.low)), sorted(rows_of(run.high)))
    )
    formula, width = runs[0].formula, len(runs[0].low)

    def mean(sums: Integers) -> Floats:
        scores: Floats = _by_run(sums, width, formula).mean(axis=1)
        return scores

    return MeanColumns(
        low=[*chain(*(run.low for run in ordered))],
        high=[*chain(*(run.high for run in ordered))],
        formula=Formula(mean, formula.rounding),
    )


def compare_runs(
    one: Sequence[Items], other: Sequence[Items], resampling: Resampling
) -> RunsDifference:
    """Compare the means of two systems over their runs, on the same items.

    All runs have the same columns and the same formula. With unproven items, each p-value is the
    largest of the two extreme differences, and 1 if they differ in sign, or if the formula has no
    result for some items.
    """
    # Complex: what is open, and what too few items or runs leave unknown, is decided in one place.
    formula = one[0].formula
    ours, ours_most = ([run.low for run in one], [run.high for run in one])
    theirs, theirs_most = ([run.low for run in other], [run.high for run in other])
    low = _mean_score(ours, formula) - _mean_score(theirs_most, formula)
    high = _mean_score(ours_most, formula) - _mean_score(theirs, formula)
    if len(one[0].total) < 2:
        return RunsDifference(low, high, p_these=None, p_new=None, interval=None)
    extremes = [(_in_order(ours), _in_order(theirs_most))]
    if not all(run.proven for run in (*one, *other)):
        extremes.append((_in_order(ours_most), _in_order(theirs)))
    is_open = low < 0 < high or any(run.further_upper is not None for run in (*one, *other))
    these = [1.0 if is_open else _exchanged(*sides, formula, resampling) for sides in extremes]
    if min(len(one), len(other)) < 2:
        return RunsDifference(low, high, p_these=max(these), p_new=None, interval=None)
    spreads = [_spread(sides, formula, resampling) for sides in extremes]
    known = [spread.p for spread in spreads if spread.p is not None]
    new = None if len(known) < len(spreads) else 1.0 if is_open else max(known)
    first, last = spreads[0], spreads[-1]
    interval = Interval(
        first.interval(resampling.confidence).low, last.interval(resampling.confidence).high
    )
    return RunsDifference(low, high, max(these), new, interval)


@dataclass(frozen=True, slots=True)
class _Spread:
    """How far a value would vary with new runs and items: its error, and degrees of freedom."""

    value: float
    error: float
    freedom: float

    def interval(self, confidence: float) -> Interval:
        if self.error <= _ROUNDING:
            return Interval(self.value, self.value)
        reach = student_quantile((1 - confidence) / 2, self.freedom) * self.error
        return Interval(self.value - reach, self.value + reach)

    @property
    def p(self) -> float | None:
        """The two-sided p-value of the value 0; None if nothing varies but the value is not 0."""
        if abs(self.value) <= _ROUNDING:
            return 1.0
        if self.error <= _ROUNDING:
            return None
        return 2 * student_tail(abs(self.value) / self.error, self.freedom)


def _spread(
    sides: Sequence[Sequence[_Columns]], formula: Formula, resampling: Resampling
) -> _Spread:
    """Return the spread of the mean of one system, or of the difference of the means of two."""
    rng = np.random.default_rng(resampling.seed)
    every = _score_of_runs([*chain(*sides)], formula, resampling, rng)
    observed = [[score_of(run, formula) for run in side] for side in sides]
    value, drawn, of_items = 0.0, np.zeros(len(every)), np.zeros(len(every))
    components = []  # variances of the mean, each with its degrees of freedom
    place = 0
    for sign, side in zip((1, -1), observed, strict=False):
        number = len(side)
        scores = every[:, place : place + number]
        place += number
        times = rng.multinomial(number - 1, np.full(number, 1 / number), size=len(every))
        value += sign * fsum(side) / number
        drawn += sign * (scores * times).sum(axis=1) / (number - 1)
        of_items += sign * scores.mean(axis=1)
        components.append((float(np.var(side, ddof=1)) / number, number - 1))
    components.append((float(np.var(of_items)), len(sides[0][0][0]) - 1))
    total = fsum(variance for variance, _ in components)
    squares = fsum(variance**2 / freedom for variance, freedom in components)
    return _Spread(value, float(np.std(drawn)), total**2 / squares if squares else 1.0)


def _score_of_runs(
    runs: Sequence[_Columns], formula: Formula, resampling: Resampling, rng: np.random.Generator
) -> Floats:
    """Return the scores of all runs, in columns, if items are drawn with replacement."""
    rows, times = grouped(_joined(runs))
    number = int(times.sum())
    width = len(runs[0])
    columns = [whole(c, number * max(map(abs, c))) for c in zip(*rows, strict=True)]
    drawn = []
    for size in batches(resampling.resamples, len(rows)):
        sums = added(rng.multinomial(number, times / number, size=size), columns)
        drawn.append(_by_run(sums, width, formula))
    return np.concatenate(drawn)


def _exchanged(
    one: Sequence[_Columns], other: Sequence[_Columns], formula: Formula, resampling: Resampling
) -> float:
    """Return the share of exchanges that make the difference of means at least as large.

    In an exchange, each run of one system exchanges the item with each run of the other. So the
    difference is the mean over these pairs of runs, whatever the numbers of runs.
    """
    width, ours = len(one[0]), len(one)
    split = ours * width
    joined = _joined([*one, *other])
    differing = [row for row in joined if len({*_runs_in(row, width)}) > 1]
    rows, times = grouped(joined)
    at = {row: place for place, row in enumerate(rows)}
    columns = [whole(c, len(joined) * max(map(abs, c))) for c in zip(*rows, strict=True)]
    all_items = added(times[np.newaxis], columns)
    open_rows = [at[row] for row in dict.fromkeys(sorted(differing))]
    chosen = [column[open_rows] for column in columns]

    def distances(exchanges: Integers) -> Floats:
        """Return the difference of means if each of the rows is exchanged so many times."""
        moved = added(exchanges, chosen)
        kept = all_items - moved
        total = np.zeros(len(exchanges))
        starts = range(0, split, width), range(split, len(columns), width)
        for left, right in product(*starts):
            mine, yours = slice(left, left + width), slice(right, right + width)
            total += formula.scores(kept[:, mine] + moved[:, yours])
            total -= formula.scores(kept[:, yours] + moved[:, mine])
        return np.abs(total) / (ours * len(other))

    least = distances(np.zeros((1, len(open_rows)), dtype=np.int64)).item() - _ROUNDING
    if 2 ** len(differing) <= resampling.resamples:
        place = {row: k for k, row in enumerate(open_rows)}
        every = np.zeros((2 ** len(differing), len(open_rows)), dtype=np.int64)
        for number, bits in enumerate(product((0, 1), repeat=len(differing))):
            for bit, row in zip(bits, differing, strict=True):
                every[number, place[at[row]]] += bit
        return float(np.mean(distances(every) >= least))
    rng = np.random.default_rng(resampling.seed)
    extreme = 0
    for size in batches(resampling.resamples, len(open_rows)):
        exchanges = rng.binomial(times[open_rows], 0.5, size=(size, len(open_rows)))
        extreme += int(np.count_nonzero(distances(exchanges) >= least))
    return (extreme + 1) / (resampling.resamples + 1)  # the observed assignment is an exchange, too


def _mean_score(runs: Sequence[_Columns], formula: Formula) -> float:
    return fsum(score_of(run, formula) for run in runs) / len(runs)


def _in_order(runs: Sequence[_Columns]) -> list[_Columns]:
    """Return *runs* in an order that does not depend on the order of the files, nor of the items.

    Otherwise, the draws of random runs would depend on it.
    """
    return sorted(runs, key=lambda run: (_sums(run), sorted(rows_of(run))))


def _sums(run: _Columns) -> list[int]:
    return [sum(column.tolist()) for column in run]


def _joined(runs: Sequence[_Columns]) -> list[tuple[int, ...]]:
    """Return the numbers of each item: those of all runs, one after the other."""
    return rows_of([*chain(*runs)])


def _runs_in(row: tuple[int, ...], width: int) -> list[tuple[int, ...]]:
    return [row[start : start + width] for start in range(0, len(row), width)]


def _by_run(sums: Integers, width: int, formula: Formula) -> Floats:
    """Return the scores of rows of *sums*, with a column for each run."""
    starts = range(0, sums.shape[1], width)
    return np.stack([formula.scores(sums[:, at : at + width]) for at in starts], axis=-1)
