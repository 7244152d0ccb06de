"""All graphs of one corpus against all of another, or those pairs that reach a score."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, NamedTuple

from exactmatch.many.pairwise import COVER, LABELS, TOTALS, Limits, Pairwise, least_matched

#: Pairs that are handed to a worker together, about.
_PAIRS = 20_000


class Cells(NamedTuple):
    """Pairs and what is known of them, in columns of whole numbers.

    row, column: positions in system and in gold.
    matched, upper: what a mapping matches, and what none exceeds.
    stages: of all pairs looked at, those that are no cells too, how many were decided by what.
    """

    row: Any
    column: Any
    matched: Any
    upper: Any
    stages: Counter[str]


def rows_of(pairwise: Pairwise) -> Iterator[range]:
    """Yield the rows of the matrix, some at a time."""
    n_rows = len(pairwise.system.names)
    first = pairs = 0
    for i in range(n_rows):
        pairs += len(pairwise.columns(i))
        if pairs >= _PAIRS or i == n_rows - 1:
            yield range(first, i + 1)
            first, pairs = i + 1, 0


def filled(rows: range, pairwise: Pairwise, at_least: float | None) -> Cells:
    """Return the cells of some rows; if the matrix is symmetric, from its diagonal on.

    With *at_least*, only those whose F1 is not proven to be less are there.
    """
    cells = _Cells()
    stages: Counter[str] = Counter()
    for i in rows:
        columns = pairwise.columns(i)
        if at_least is None:
            pairs: Iterable[tuple[int, int]] = zip(columns, repeat(0))
        else:
            pairs = _near_enough(pairwise.limits, i, columns, at_least, stages)
        cells.add_row(i, pairs, pairwise, stages)
    return cells.gathered(stages)


class _Cells:
    """Cells row by row, in columns: nearly all of them matched and upper are one number."""

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._ends: list[int] = []
        self._column: list[int] = []
        self._matched: list[int] = []
        self._upper: dict[int, int] = {}  # of cells that are not proven, by position

    def add_row(
        self, i: int, pairs: Iterable[tuple[int, int]], pairwise: Pairwise, stages: Counter[str]
    ) -> None:
        """Add those of row *i* whose columns, and what must match there at least, are *pairs*."""
        n_covered = 0
        for j, least in pairs:
            matched = pairwise.proven(i, j)
            if matched is not None:
                n_covered += 1
                upper = matched
            else:
                matched, upper, stage = pairwise.solved(i, j, least)
                stages[stage] += 1
            if upper >= least:
                if upper > matched:
                    self._upper[len(self._matched)] = upper
                self._column.append(j)
                self._matched.append(matched)
        stages[COVER] += n_covered
        self._rows.append(i)
        self._ends.append(len(self._column))

    def gathered(self, stages: Counter[str]) -> Cells:
        """Return all of them."""
        import numpy as np

        rows, ends, column, matched = (
            np.array(numbers, dtype=np.int64)
            for numbers in (self._rows, self._ends, self._column, self._matched)
        )
        upper = matched.copy()
        for position, value in self._upper.items():
            upper[position] = value
        return Cells(np.repeat(rows, np.diff(ends, prepend=0)), column, matched, upper, stages)


def _near_enough(
    limits: Limits, i: int, columns: range, at_least: float, stages: Counter[str]
) -> Iterator[tuple[int, int]]:
    """Yield the columns of row *i* that limits do not rule out, and what must match there."""
    import numpy as np

    by_totals = limits.by_totals(i)[columns.start :] >= at_least
    by_labels = by_totals & (limits.by_labels(i)[columns.start :] >= at_least)
    stages[TOTALS] += len(by_totals) - int(by_totals.sum())
    stages[LABELS] += int(by_totals.sum() - by_labels.sum())
    totals = limits.both_totals(i)
    for j in (columns.start + np.flatnonzero(by_labels)).tolist():
        yield j, least_matched(at_least, int(totals[j]))
