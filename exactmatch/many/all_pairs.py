"""All graphs of one corpus against all of another, or those pairs that reach a score."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any, NamedTuple

from exactmatch.many.pairwise import LABELS, TOTALS, Limits, Pairwise, least_matched

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
    import numpy as np

    found: list[tuple[int, int, int, int]] = []
    stages: Counter[str] = Counter()
    pairs: Iterable[tuple[int, int]]
    limits = None if at_least is None else Limits(pairwise)
    for i in rows:
        columns = pairwise.columns(i)
        if limits is None or at_least is None:
            pairs = zip(columns, repeat(0))
        else:
            pairs = _near_enough(limits, i, columns, at_least, stages)
        for j, least in pairs:
            matched, upper, stage = pairwise.score(i, j, least)
            stages[stage] += 1
            if upper >= least:
                found.append((i, j, matched, upper))
    row, column, matched_there, upper_there = np.array(found, dtype=np.int64).reshape(-1, 4).T
    return Cells(row, column, matched_there, upper_there, stages)


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
