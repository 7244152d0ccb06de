"""Compare all graphs of one corpus with all of another, or find the pairs that reach a score."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, NamedTuple

from exactmatch.many.pairwise import COVER, LABELS, TOTALS, Limits, Pairwise, least_matched

#: The approximate number of pairs that a worker gets at once.
_PAIRS = 20_000


class Cells(NamedTuple):
    """Pairs with their numbers, in columns of whole numbers.

    row, column: positions in system and in gold.
    matched, upper: the matches of a mapping, and their upper bound.
    stages: how many pairs each stage decided, including pairs that are not cells.
    """

    row: Any
    column: Any
    matched: Any
    upper: Any
    stages: Counter[str]


def rows_of(pairwise: Pairwise) -> Iterator[range]:
    """Yield the rows of the matrix, several at a time."""
    n_rows = len(pairwise.system.names)
    first = pairs = 0
    for i in range(n_rows):
        pairs += len(pairwise.columns(i))
        if pairs >= _PAIRS or i == n_rows - 1:
            yield range(first, i + 1)
            first, pairs = i + 1, 0


def filled(rows: range, pairwise: Pairwise, at_least: float | None) -> Cells:
    """Return the cells of some rows; if the matrix is symmetric, from its diagonal on.

    With *at_least*, only cells whose F1 is not proven to be less are included.
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
    """Cells row by row, in columns; matched and upper differ in few of them."""

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._ends: list[int] = []
        self._column: list[int] = []
        self._matched: list[int] = []
        self._upper: dict[int, int] = {}  # the upper bounds of unproven cells, by position

    def add_row(
        self, i: int, pairs: Iterable[tuple[int, int]], pairwise: Pairwise, stages: Counter[str]
    ) -> None:
        """Add the cells of row *i* in *pairs*, which give columns and the matches they need."""
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
        """Return all cells."""
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
    """Yield the columns of row *i* that limits do not rule out, and the matches that they need."""
    import numpy as np

    by_totals = limits.by_totals(i)[columns.start :] >= at_least
    by_labels = by_totals & (limits.by_labels(i)[columns.start :] >= at_least)
    stages[TOTALS] += len(by_totals) - int(by_totals.sum())
    stages[LABELS] += int(by_totals.sum() - by_labels.sum())
    totals = limits.both_totals(i)
    for j in (columns.start + np.flatnonzero(by_labels)).tolist():
        yield j, least_matched(at_least, int(totals[j]))
