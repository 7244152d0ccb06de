"""Confidence intervals of coefficients of agreement: items are resampled with all their graphs.

An item that is drawn several times counts so often on both sides of every distance, so a graph has
the distance 0 to its own copies. Disagreements are held in whole parts, so that sums do not depend
on the order in which they are added up.
"""

from collections.abc import Iterator, Sequence
from math import floor, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.studies.chance.distances import Fractions, PairDistances
from exactmatch.studies.common.statistics import (
    Floats,
    Interval,
    Resampling,
    bca_interval,
)

#: Numbers that are drawn at once, to limit the memory.
_BATCH = 500_000
#: Sums of whole numbers up to this are exact as floating-point numbers.
_LARGEST_SUM = 2**53
#: Values of alpha that differ by less are equal.
_ROUNDING = 1e-14
#: Sigma and KS are computed from single distances: so many pairs of different items are used, and
#: so many resamples.
_MOST_PAIRS, _MOST_RESAMPLES = 50_000, 999


class Disagreement(NamedTuple):
    """The distances of pairs of graphs, to a *power*, that alpha is computed from."""

    pairs: PairDistances
    power: int


def alpha_intervals(
    several: Sequence[Disagreement], resampling: Resampling
) -> list[Interval | None]:
    """Return the BCa interval of Krippendorff's alpha for each of *several* distances.

    There is none for fewer than two items. The distances are of the same items, which are drawn
    once. Where pairs are not proven, the low end is that of the largest observed and the least
    expected distances, and the high end the reverse.
    """
    if len(several[0].pairs.sizes) < 2:
        return [None] * len(several)
    ends = [_by_item(*one) for one in several]
    is_open = any(least is not largest for least, largest in ends)
    lows = [_Sums(observed=largest, expected=least) for least, largest in ends]
    highs = [_Sums(observed=least, expected=largest) for least, largest in ends]
    found = _bca([*lows, *(highs if is_open else [])], resampling)
    return [
        None if low is None or high is None else Interval(low.low, high.high)
        for low, high in zip(found, found[-len(several) :], strict=False)
    ]


class _ByItem(NamedTuple):
    """The sums of distances by item.

    sizes: the number of graphs. observed: the contribution to the observed disagreement. within:
    the sum over ordered pairs of graphs of the item. others: the sums for every two items; None if
    only a sample of pairs is known. rows: the sums of each item with all others.
    """

    sizes: Floats
    observed: Floats
    within: Floats
    others: Floats | None
    rows: Floats

    @classmethod
    def of(cls, pairs: PairDistances, distances: Fractions) -> "_ByItem":
        """Return the sums of *distances*, not yet in parts."""
        number, sizes = len(pairs.sizes), pairs.sizes.astype(float)
        one, other = pairs.items[pairs.first], pairs.items[pairs.second]
        values, is_within = distances.floats(), pairs.within
        within = 2 * _summed(one[is_within], values[is_within], number)
        one, other, values = one[~is_within], other[~is_within], values[~is_within]
        others = None
        if pairs.is_sample:
            values = values * (pairs.between / pairs.taken)
            rows = _summed(one, values, number) + _summed(other, values, number)
        else:
            half = _summed(one * number + other, values, number * number)
            others = half.reshape(number, number)
            others = others + others.T
            rows = others.sum(axis=1)
        return cls(sizes, within / (sizes - 1), within, others, rows)

    @property
    def parts(self) -> float:
        """The parts of 1 in which sums over resamples are exact: a power of 2."""
        number = len(self.sizes)
        every = self.rows if self.others is None else self.others
        most = max(float(self.within.max()), float(every.max())) * number * number
        return 2.0 ** (floor(log2(_LARGEST_SUM / most)) - 1) if most else 1.0

    def in_parts(self, parts: float) -> "_ByItem":
        """Return the sums in whole *parts*."""
        within, rows = np.rint(self.within * parts), np.rint(self.rows * parts)
        others = None if self.others is None else np.rint(self.others * parts)
        return _ByItem(self.sizes, np.rint(within / (self.sizes - 1)), within, others, rows)

    def in_order(self, order: NDArray[np.int64]) -> "_ByItem":
        """Return the sums with items in that *order*."""
        others, rows = self.others, self.rows[order]
        if others is not None:
            others = others[np.ix_(order, order)]
            rows = others.sum(axis=1)
        return _ByItem(self.sizes[order], self.observed[order], self.within[order], others, rows)

    def expected(self, times: Floats) -> Floats:
        """Return the sums over all ordered pairs of graphs, with items so many *times*."""
        within: Floats = times**2 @ self.within
        if self.others is not None:
            within += (times @ self.others * times).sum(axis=1)
        elif every := self.rows.sum():
            # The items of a resample are as far from each other as each is from all items.
            within += (times @ self.rows) ** 2 / every
        return within

    def expected_without_one(self) -> Floats:
        """Return the same sums without each item."""
        sums: Floats = self.within.sum() - self.within + self.rows.sum() - 2 * self.rows
        return sums


def _summed(places: NDArray[np.int64], values: Floats, number: int) -> Floats:
    sums: Floats = np.bincount(places, weights=values, minlength=number).astype(float)
    return sums


def _by_item(pairs: PairDistances, power: int) -> tuple[_ByItem, _ByItem]:
    """Return the sums of the least and of the largest distances, to a *power*.

    Both are in the same parts, and have items in one order: that of their disagreement.
    """
    ends = [pairs.least, *([] if pairs.largest is pairs.least else [pairs.largest])]
    found = [_ByItem.of(pairs, end.to_power(power)) for end in ends]
    parts = min(sums.parts for sums in found)
    found = [sums.in_parts(parts) for sums in found]
    keys = [key for sums in found for key in (sums.rows, sums.within, sums.observed)]
    order = np.lexsort((found[0].sizes, *keys))
    found = [sums.in_order(order) for sums in found]
    return found[0], found[-1]


def _alpha(sizes: Floats, observed: Floats, expected: Floats) -> Floats:
    """Return alpha, from sums over graphs; NaN where all graphs are equal."""
    ratios: Floats = np.full(len(expected), np.nan)
    np.divide(observed * (sizes - 1), expected, out=ratios, where=expected > 0)
    return 1 - ratios


class _Sums(NamedTuple):
    """The sums of the observed and of the expected disagreement, in the same parts and order."""

    observed: _ByItem
    expected: _ByItem

    def alpha(self, times: Floats) -> Floats:
        """Return alpha of each resample, in which items occur so many *times*."""
        observed = times @ self.observed.observed
        return _alpha(times @ self.observed.sizes, observed, self.expected.expected(times))

    def alpha_without_one(self) -> Floats:
        """Return alpha without each item, as far as it is defined."""
        sizes, observed = self.observed.sizes, self.observed.observed
        alphas = _alpha(
            sizes.sum() - sizes, observed.sum() - observed, self.expected.expected_without_one()
        )
        return alphas[~np.isnan(alphas)]


def _bca(several: Sequence[_Sums], resampling: Resampling) -> list[Interval | None]:
    number = len(several[0].observed.sizes)
    resampled: list[list[Floats]] = [[] for _ in several]
    for times in _drawn(number, resampling.resamples, resampling.seed):
        for values, sums in zip(resampled, several, strict=True):
            values.append(sums.alpha(times))
    return [
        _of_resamples(sums, np.concatenate(values), resampling.confidence)
        for sums, values in zip(several, resampled, strict=True)
    ]


def _of_resamples(sums: _Sums, resampled: Floats, confidence: float) -> Interval | None:
    """Return the interval from alpha of all resamples; None if all of them are undefined."""
    found = sums.alpha(np.ones((1, len(sums.observed.sizes)))).item()
    resampled = resampled[~np.isnan(resampled)]
    if not len(resampled) or np.isnan(found):
        return None
    if np.all(np.abs(resampled - found) <= _ROUNDING):
        return Interval(found, found)
    left_out = sums.alpha_without_one()
    ones = np.ones(len(left_out), dtype=np.int64)
    return bca_interval(found, resampled, left_out, ones, confidence)


def _drawn(number: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each of *number* items is drawn, several resamples at a time."""
    rng = np.random.default_rng(seed)
    size = max(1, _BATCH // number)
    for done in range(0, resamples, size):
        rows = min(size, resamples - done)
        drawn = rng.integers(number, size=(rows, number)) + number * np.arange(rows)[:, np.newaxis]
        times = np.bincount(drawn.ravel(), minlength=rows * number)
        yield times.reshape(rows, number).astype(float)


def intervals_of_two_samples(
    pairs: PairDistances, quantile: float, resampling: Resampling
) -> list[Interval | None]:
    """Return percentile intervals of the coefficients of `braylan`; None for fewer than two items.

    The low ends are those of the largest observed and the least expected distances. Pairs of copies
    of an item are left out, since they are pairs of neither kind.
    """
    if len(pairs.sizes) < 2:
        return [None] * 3
    ends = []
    for observed, expected in ((pairs.largest, pairs.least), (pairs.least, pairs.largest)):
        ends.append(_two_samples(pairs, observed, expected, quantile, resampling))
    tail = (1 - resampling.confidence) / 2
    return [
        None
        if not len(low) or not len(high)
        else Interval(float(np.quantile(low, tail)), float(np.quantile(high, 1 - tail)))
        for low, high in zip(*ends, strict=True)
    ]


def _two_samples(
    pairs: PairDistances,
    observed: Fractions,
    expected: Fractions,
    quantile: float,
    resampling: Resampling,
) -> list[Floats]:
    """Return the three coefficients of each resample in which they are defined."""
    number, within = len(pairs.sizes), pairs.within
    order = np.lexsort((pairs.sizes, *_ranks(pairs, observed)))
    place = np.empty(number, dtype=np.int64)
    place[order] = np.arange(number)
    of_item = place[pairs.items[pairs.first[within]]]
    few = np.flatnonzero(~within)
    if len(few) > _MOST_PAIRS:
        # Every second pair, say, would have the second graphs of one of two annotators only.
        few = np.random.default_rng(resampling.seed).choice(few, _MOST_PAIRS, replace=False)
    one, other = (place[pairs.items[side[few]]] for side in (pairs.first, pairs.second))
    near, far = observed.chosen(within).floats(), expected.floats()[few]
    values, places = np.unique(np.concatenate([near, far]), return_inverse=True)
    near_place, far_place = places[: len(near)], places[len(near) :]
    found = []
    for batch in _drawn(number, min(resampling.resamples, _MOST_RESAMPLES), resampling.seed):
        for times in batch:
            near_times = _summed(near_place, times[of_item], len(values))
            far_times = _summed(far_place, times[one] * times[other], len(values))
            if far_times.any():
                found.append(_coefficients(values, near_times, far_times, quantile))
    columns = np.array(found).reshape(-1, 3)
    return [columns[~np.isnan(columns[:, k]), k] for k in range(3)]


def _ranks(pairs: PairDistances, distances: Fractions) -> tuple[Floats, Floats]:
    """Return two sums of distances of each item, which do not depend on the order of items."""
    number, within = len(pairs.sizes), pairs.within
    values = np.rint(distances.floats() * 2**20)
    one, other = pairs.items[pairs.first], pairs.items[pairs.second]
    mine = _summed(one[within], values[within], number)
    every = _summed(one, values, number) + _summed(other, values, number)
    return every, mine


def _coefficients(
    values: Floats, near: Floats, far: Floats, quantile: float
) -> tuple[float, float, float]:
    """Return the coefficients of two samples, which have the distances *values* so many times."""
    near_up_to, far_up_to = np.cumsum(near), np.cumsum(far)
    n_near, n_far = near_up_to[-1], far_up_to[-1]
    mean = (far @ values) / n_far
    place = (n_far - 1) * quantile
    below, above = (
        values[np.searchsorted(far_up_to, rank, side="right")]
        for rank in (floor(place), min(floor(place) + 1, n_far - 1))
    )
    limit = below + (place - floor(place)) * (above - below)
    sigma = near[values < limit].sum() / n_near
    ks = (near_up_to / n_near - far_up_to / n_far).max()
    return 1 - (near @ values) / n_near / mean if mean else np.nan, sigma, ks
