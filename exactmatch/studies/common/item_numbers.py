"""How many items are enough: the precision of a study by its number of items.

Up to the number of items there, subsamples show the half-width of the confidence interval. For more
items, the part of it that sampling causes shrinks with the square root of their number, as standard
errors of means do (Efron and Tibshirani 1993, *An introduction to the bootstrap*). The part that
unproven pairs cause stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import ceil, sqrt
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np

from exactmatch.errors import UsageError, shown_value
from exactmatch.studies.common.statistics import (
    Formula,
    Integers,
    Interval,
    Resampling,
    intervals_of_columns,
)

#: Subsamples of each size, and the resamples for the interval of each of them.
SUBSAMPLES, _RESAMPLES = 30, 499
#: Scores are printed with so many digits.
LEAST_WIDTH = 0.0001
#: The number of sizes beyond the items there.
_BEYOND = 3
#: Ratios of computed numbers are only known up to so much.
_ROUNDING = 1e-9

Basis = Literal["subsamples", "all items", "extrapolated"]


class ItemColumns(NamedTuple):
    """The numbers of each item, of whose sums *formula* makes a figure.

    low, high: the columns for the mappings found, and for the upper bounds.
    """

    low: Sequence[Integers]
    high: Sequence[Integers]
    formula: Formula


class AtSize(NamedTuple):
    """The precision that so many *items* give, and what it rests on; None if it is not known."""

    items: int
    precision: float | None
    basis: Basis


@dataclass(frozen=True, slots=True)
class Planned:
    """The precision of a figure by the number of items.

    name: the figure. kind: what the precision is: the half-width of the confidence interval, or the
        smallest difference that a test is likely to show.
    sizes: the precision by the number of items, from few to many.
    present: the number of items there.
    enough: the number of items that give the precision asked for; None if no number is known to.
    """

    name: str
    kind: Literal["half-width", "difference"]
    sizes: Sequence[AtSize]
    present: int
    enough: int | None

    @property
    def now(self) -> float | None:
        """The precision of the items there."""
        return next(one.precision for one in self.sizes if one.basis == "all items")

    @property
    def about(self) -> int | None:
        """The number of items that is enough, rounded up to two digits."""
        if self.enough is None:
            return None
        digits = max(0, len(str(self.enough)) - 2)
        step = int(10**digits)
        return -(-self.enough // step) * step

    @property
    def is_thin(self) -> bool:
        """Whether the items there do not give the precision asked for."""
        return self.enough is None or self.enough > self.present

    @property
    def alone(self) -> "Planned":
        """The same without other sizes than that of the items there."""
        return replace(self, sizes=[one for one in self.sizes if one.basis == "all items"])


def check_width(width: float) -> None:
    """Raise `UsageError` for a *width* that no interval of scores has, or that prints as 0."""
    if not (isinstance(width, int | float) and LEAST_WIDTH <= width < 1):
        raise UsageError(
            f"a plan for a half-width of {shown_value(width)}: not from {LEAST_WIDTH} to 1"
        )


def planned_width(
    name: str,
    items: ItemColumns,
    interval: Interval | None,
    gap: float,
    width: float,
    resampling: Resampling,
) -> Planned:
    """Return the half-width of the *interval* of a figure by the number of items.

    *gap* is the difference of both ends of the figure. *width* is the half-width asked for.
    """
    now = None if interval is None else (interval.high - interval.low) / 2
    measured = list(_measured(items, resampling)) if now is not None else []
    return planned(name, "half-width", measured, len(items.low[0]), now, gap / 2, width)


def planned(
    name: str,
    kind: Literal["half-width", "difference"],
    measured: Sequence[AtSize],
    present: int,
    now: float | None,
    fixed: float,
    wanted: float,
) -> Planned:
    """Return the precision of a figure, which the items *present* give as *now*.

    *measured* is the precision of fewer items. *fixed* is the part that no further item reduces,
    and *wanted* is the precision asked for.
    """
    sizes = [*measured, AtSize(present, now, "all items")]
    if now is None:
        return Planned(name, kind, sizes, present, enough=None)
    by_sampling = max(now - fixed, 0.0)
    enough = None
    if now <= wanted and not by_sampling:
        enough = present
    elif wanted > fixed:
        enough = ceil(present * (by_sampling / (wanted - fixed)) ** 2 * (1 - _ROUNDING))
    beyond = {*_first(_BEYOND, (size for size in _round_sizes() if size > present))}
    if enough is not None and enough > present:
        beyond.add(enough)
    sizes += [
        AtSize(size, fixed + by_sampling * sqrt(present / size), "extrapolated")
        for size in sorted(beyond)
    ]
    return Planned(name, kind, sizes, present, enough)


def _measured(items: ItemColumns, resampling: Resampling) -> Iterator[AtSize]:
    """Yield the mean half-width of subsamples of fewer items than there are.

    Their random numbers are their own, and the order of the items does not matter.
    """
    columns, width = [*items.low, *items.high], len(items.low)
    rows = sorted(zip(*(column.tolist() for column in columns), strict=True))
    ordered = [
        np.array([row[k] for row in rows], dtype=column.dtype) for k, column in enumerate(columns)
    ]
    resamples = min(_RESAMPLES, resampling.resamples)
    for size in _round_sizes():
        if size >= len(rows):
            return
        rng = np.random.default_rng([resampling.seed, size])
        widths = []
        for _ in range(SUBSAMPLES):
            chosen = np.sort(rng.choice(len(rows), size, replace=False))
            inner = replace(resampling, resamples=resamples, seed=int(rng.integers(2**32)))
            part = [column[chosen] for column in ordered]
            found = intervals_of_columns(part[:width], part[width:], [items.formula], inner)
            if found[0] is not None:
                widths.append((found[0].high - found[0].low) / 2)
        yield AtSize(size, fmean(widths), "subsamples")


def _round_sizes() -> Iterator[int]:
    """Yield 10, 20, 50, 100, 200, 500 and so on."""
    for power in count(1):
        for digit in (1, 2, 5):
            yield digit * 10**power


def _first(number: int, sizes: Iterator[int]) -> list[int]:
    return [size for size, _ in zip(sizes, range(number), strict=False)]
