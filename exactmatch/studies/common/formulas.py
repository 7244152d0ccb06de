"""Metrics with a formula of their own: its inputs for each pair, and scores of sums of them.

The formula of such a metric (`exactmatch.metrics.base.Metric.figures`) takes the counts of parts
and further sums, added up over pairs. Here they are kept in columns, so that any selection of pairs
is added up quickly and exactly: fractions become whole numbers over a common denominator.
"""

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exactmatch.metrics.base import NOT_COUNTED, Metric, Statistics
from exactmatch.metrics.counts import NOTHING, Counts
from exactmatch.studies.common.statistics import Floats, Formula, Integers

#: Closer scores are equal: logarithms and roots may lose so much.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Addends:
    """The inputs of a formula besides totals, each a column with an entry a pair.

    parts: three columns for each part: matched, and the counts of the system and the gold standard.
    sums: fractions, by name.
    """

    parts: Mapping[str, NDArray[np.int64]]
    sums: Mapping[str, NDArray[Any]]

    def restricted(self, mask: NDArray[np.bool_]) -> "Addends":
        """Return the columns of the pairs for which *mask* is true."""
        return Addends(
            {part: columns[mask] for part, columns in self.parts.items()},
            {name: column[mask] for name, column in self.sums.items()},
        )

    @property
    def at_most(self) -> "Addends | None":
        """The inputs for the upper bound; None if they are the same, as all pairs are counted.

        A negative number of pairs that are not counted stands for results as high as possible.
        """
        late = self.sums.get(NOT_COUNTED)
        if late is None or not any(late):
            return None
        return Addends(self.parts, {**self.sums, NOT_COUNTED: -late})

    @property
    def breakdown(self) -> dict[str, Counts]:
        """The counts of parts, added up."""
        return {
            part: Counts(*(sum(column.tolist()) for column in columns.T))
            for part, columns in self.parts.items()
        }

    @property
    def total_sums(self) -> dict[str, Fraction]:
        """The further sums."""
        return {name: sum(column.tolist(), Fraction()) for name, column in self.sums.items()}


class AddendsCollector:
    """Collects the statistics of pairs; a missing number counts 0."""

    def __init__(self) -> None:
        self._pairs = 0
        self._parts: dict[str, array[int]] = {}
        self._sums: dict[str, list[Fraction]] = {}

    def add(self, statistics: Statistics) -> None:
        """Add the statistics of the next pair."""
        for part in statistics.breakdown:
            self._parts.setdefault(part, array("q", [0, 0, 0] * self._pairs))
        for name in statistics.sums:
            self._sums.setdefault(name, [Fraction()] * self._pairs)
        self._pairs += 1
        for part, counts in self._parts.items():
            of_part = statistics.breakdown.get(part, NOTHING)
            counts.extend((of_part.matched, of_part.system_total, of_part.gold_total))
        for name, numbers in self._sums.items():
            numbers.append(statistics.sums.get(name, Fraction()))

    def finish(self) -> Addends:
        """Return the columns of all pairs."""
        return Addends(
            {
                part: np.array(counts, dtype=np.int64).reshape(-1, 3)
                for part, counts in self._parts.items()
            },
            {name: np.array(numbers, dtype=object) for name, numbers in self._sums.items()},
        )


class Layout:
    """The whole numbers for the formula of a metric, in columns that several sides share.

    After the matches and the sum of both totals, they are the total of the system, the counts of
    each part, and each further sum over a common denominator of all its fractions. Parts and sums
    are in alphabetical order: which comes first in the files depends on the order of the items, and
    so on other files.
    """

    def __init__(self, metric: Metric, sides: Sequence[Addends]) -> None:
        self._metric = metric
        self._parts = sorted({part for side in sides for part in side.parts})
        self._wholes = {
            name: math.lcm(
                *(n.denominator for side in sides if name in side.sums for n in side.sums[name])
            )
            for name in sorted({name for side in sides for name in side.sums})
        }

    @property
    def formula(self) -> Formula:
        """The function that makes scores of sums of these columns."""
        return Formula(self._scores, _ROUNDING)

    def further(self, system_total: Integers, addends: Addends) -> list[Integers]:
        """Return the columns of one side, beginning with the system's totals."""
        nothing = np.zeros((len(system_total), 3), dtype=np.int64)
        columns = [system_total]
        for part in self._parts:
            columns += [*addends.parts.get(part, nothing).T]
        for name, whole in self._wholes.items():
            sums = addends.sums.get(name, nothing[:, 0])
            columns.append(np.array([int(n * whole) for n in sums], dtype=object))
        return columns

    def _scores(self, sums: Integers) -> Floats:
        # Resamples of few items are often equal.
        rows = [tuple(row) for row in sums.tolist()]
        scores = {row: self._score(row) for row in dict.fromkeys(rows)}
        return np.array([scores[row] for row in rows], dtype=np.float64)

    def _score(self, row: Sequence[int]) -> float:
        """Return the score of a row of sums; a row without pairs has no parts either."""
        if not any(row):
            return formula_score(self._metric, Statistics())
        matched, total, system_total, *rest = row
        counts = iter(rest)
        parts = {part: Counts(next(counts), next(counts), next(counts)) for part in self._parts}
        sums = {name: Fraction(next(counts), whole) for name, whole in self._wholes.items()}
        gold_total = total - system_total
        return formula_score(
            self._metric, Statistics(matched, matched, system_total, gold_total, parts, sums)
        )


def formula_score(metric: Metric, statistics: Statistics) -> float:
    """Return the score that the formula of a metric gives for statistics.

    For pairs that are not counted, it is an end of the interval: see `Addends.at_most`.
    """
    figures = metric.results(statistics)
    assert figures is not None
    is_upper = not figures.is_known and statistics.sums[NOT_COUNTED] < 0
    return 1.0 if is_upper else figures.value
