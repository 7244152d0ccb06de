"""All graphs of one corpus against all of another, or those pairs that reach a score."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from exactmatch.many.limits import Limits, least_matched
from exactmatch.many.pairwise import LABELS, TOTALS, Pairwise

#: Pairs that are handed to a worker together, about.
_PAIRS = 20_000


@dataclass
class Cells:
    """Pairs and what is known of them, in columns of equal length.

    row, column: positions in system and in gold.
    matched, upper: what a mapping matches, and what none exceeds.
    stages: of all pairs looked at, how many were decided by what.
    """

    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    matched: list[int] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    stages: Counter[str] = field(default_factory=Counter)


class Block(NamedTuple):
    """Rows of the matrix, *first* up to *end*."""

    first: int
    end: int


def blocks(pairwise: Pairwise) -> Iterator[Block]:
    """Yield the rows of the matrix, some at a time."""
    n_rows, width = len(pairwise.system.names), len(pairwise.gold.names)
    first = pairs = 0
    for i in range(n_rows):
        pairs += width - i if pairwise.is_symmetric else width
        if pairs >= _PAIRS or i == n_rows - 1:
            yield Block(first, i + 1)
            first, pairs = i + 1, 0


def filled(block: Block, pairwise: Pairwise, at_least: float | None) -> Cells:
    """Return the cells of some rows; if the matrix is symmetric, from its diagonal on.

    With *at_least*, only those whose F1 is not proven to be less are there.
    """
    cells = Cells()
    limits = None if at_least is None else Limits(pairwise)
    for i in range(block.first, block.end):
        start = i if pairwise.is_symmetric else 0
        if limits is None or at_least is None:
            for j in range(start, len(pairwise.gold.names)):
                _add(cells, pairwise, i, j, 0)
        else:
            _fill_row(cells, pairwise, limits, i, start, at_least)
    return cells


def _fill_row(
    cells: Cells, pairwise: Pairwise, limits: Limits, i: int, start: int, at_least: float
) -> None:
    """Add the cells of row *i*, from column *start* on, that are not ruled out."""
    import numpy as np

    by_totals = limits.by_totals(i)[start:] >= at_least
    by_labels = by_totals & (limits.by_labels(i)[start:] >= at_least)
    cells.stages[TOTALS] += len(by_totals) - int(by_totals.sum())
    cells.stages[LABELS] += int(by_totals.sum() - by_labels.sum())
    totals = limits.both_totals(i)
    for j in (start + np.flatnonzero(by_labels)).tolist():
        _add(cells, pairwise, i, j, least_matched(at_least, int(totals[j])))


def _add(cells: Cells, pairwise: Pairwise, i: int, j: int, least: int) -> None:
    matched, upper, stage = pairwise.score(i, j, least)
    cells.stages[stage] += 1
    if upper >= least:
        cells.row.append(i)
        cells.column.append(j)
        cells.matched.append(matched)
        cells.upper.append(upper)
