"""Coefficients of agreement from distances: Krippendorff's alpha, and those of Braylan et al.

Krippendorff, *Content analysis*: alpha compares the observed disagreement, of graphs of one item,
with the expected one, of any two graphs. Braylan, Alonso and Lease (2022, *Measuring annotator
agreement generally across complex structured, multi-object, and free-text annotation tasks*)
compare the distances of graphs of one item with those of graphs of different items.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.studies.chance.distances import Fractions, PairDistances
from exactmatch.studies.chance.resampled import (
    Disagreement,
    alpha_intervals,
    intervals_of_two_samples,
)
from exactmatch.studies.common.statistics import Interval, Resampling

#: Sigma is the share of observed distances below this quantile of the expected ones.
QUANTILE = Fraction(1, 20)

NO_ITEM = "no item has two graphs"
ALL_EQUAL = "all graphs are equal"
ONE_ITEM = "there is only one item"
_MAY_BE_EQUAL = "all graphs may be equal, as pairs are not proven"


class Bounds(NamedTuple):
    """The least and the largest possible value; they are equal if all pairs are proven."""

    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A coefficient of agreement: its value, and the disagreements it compares.

    name: ``alpha``, ``mean``, ``sigma`` or ``KS``.
    value: None if it is undefined, and *undefined* says why.
    interval: the bootstrap confidence interval over items; None if there is none.
    observed, expected: the disagreement of graphs of one item, and the one by chance.
    standard_error: that of the value, as far as a sample of expected distances causes it; None if
        all distances are known.
    """

    name: str
    value: Bounds | None
    undefined: str
    interval: Interval | None
    observed: Bounds | None
    expected: Bounds | None
    standard_error: float | None = None


class _Disagreements(NamedTuple):
    observed: Fraction
    expected: Fraction


def krippendorff(
    several: Sequence[Disagreement], resampling: Resampling | None
) -> list[Coefficient]:
    """Return Krippendorff's alpha for each of *several* distances of the same items.

    Without *resampling*, there are no confidence intervals.
    """
    alphas = [_krippendorff(*one) for one in several]
    if resampling is None:
        return alphas
    intervals = alpha_intervals(several, resampling)
    return [
        one if one.value is None else replace(one, interval=interval)
        for one, interval in zip(alphas, intervals, strict=True)
    ]


def _krippendorff(pairs: PairDistances, power: int) -> Coefficient:
    if not len(pairs.items):
        return _undefined("alpha", NO_ITEM)
    few = _disagreements(pairs, pairs.least.to_power(power))
    many = few
    if pairs.largest is not pairs.least:
        many = _disagreements(pairs, pairs.largest.to_power(power))
    observed, expected = (Bounds(*ends) for ends in zip(few, many, strict=True))
    value = _ratio_from_one(observed, expected)
    if value is None:
        reason = _MAY_BE_EQUAL if expected.high else ALL_EQUAL
        return _undefined("alpha", reason, observed, expected)
    return Coefficient(
        name="alpha",
        value=value,
        undefined="",
        interval=None,
        observed=observed,
        expected=expected,
        standard_error=_standard_error(pairs, power, observed, expected),
    )


def _undefined(
    name: str, reason: str, observed: Bounds | None = None, expected: Bounds | None = None
) -> Coefficient:
    return Coefficient(
        name=name,
        value=None,
        undefined=reason,
        interval=None,
        observed=observed,
        expected=expected,
    )


def _ratio_from_one(observed: Bounds, expected: Bounds) -> Bounds | None:
    """Return 1 - observed / expected; None if the expected disagreement may be 0.

    Each end takes the worst of both disagreements, as if no pair were in both. So no value of the
    open pairs can lead beyond an end.
    """
    if not expected.low:
        return None
    return Bounds(1 - observed.high / expected.low, 1 - observed.low / expected.high)


def _disagreements(pairs: PairDistances, distances: Fractions) -> _Disagreements:
    """Return the observed and the expected disagreement of *pairs*."""
    graphs, within = len(pairs.items), pairs.within
    sizes = pairs.sizes[pairs.items[pairs.first]]
    by_size = {
        int(size): distances.chosen(within & (sizes == size)).total()
        for size in np.unique(pairs.sizes)
    }
    observed = sum((2 * total / (size - 1) for size, total in by_size.items()), Fraction(0))
    between = distances.chosen(~within).total()
    if pairs.is_sample:
        between *= Fraction(pairs.between, pairs.taken)
    every = sum(by_size.values(), between)
    return _Disagreements(observed / graphs, 2 * every / (graphs * (graphs - 1)))


def _standard_error(
    pairs: PairDistances, power: int, observed: Bounds, expected: Bounds
) -> float | None:
    """Return the standard error of alpha from the sample of pairs of different items, if any.

    The sample is drawn without replacement. The error of alpha is that of the expected disagreement
    in first order, at the end of alpha where it is larger.
    """
    if not pairs.is_sample:
        return None
    graphs = len(pairs.items)
    left = 1 - pairs.taken / pairs.between

    def at_end(observed: Fraction, expected: Fraction, distances: Fractions) -> float:
        drawn = distances.to_power(power).chosen(~pairs.within).floats()
        of_mean = float(drawn.std(ddof=1)) * sqrt(left / pairs.taken)
        of_expected = of_mean * 2 * pairs.between / (graphs * (graphs - 1))
        return float(observed / expected**2) * of_expected

    return max(
        at_end(observed.high, expected.low, pairs.least),
        at_end(observed.low, expected.high, pairs.largest),
    )


def braylan(pairs: PairDistances, resampling: Resampling | None) -> list[Coefficient]:
    """Return the three coefficients of Braylan et al.: of means, sigma and KS.

    The first is 1 - the mean distance of graphs of one item / that of graphs of different items.
    Sigma is the share of the former below the 5% quantile of the latter. KS is the largest lead of
    the share of the former up to any distance over that of the latter (the one-sided statistic of
    Kolmogorov and Smirnov).
    """
    names = ("mean", "sigma", "KS")
    reason = NO_ITEM if not len(pairs.items) else ONE_ITEM if len(pairs.sizes) == 1 else ""
    if reason:
        return [_undefined(name, reason) for name in names]
    least, largest = (_Samples.of(pairs, end) for end in (pairs.least, pairs.largest))
    observed = Bounds(least.observed.mean, largest.observed.mean)
    expected = Bounds(least.expected.mean, largest.expected.mean)
    values = [
        _ratio_from_one(observed, expected),
        *(
            Bounds(
                coefficient(largest.observed, least.expected),
                coefficient(least.observed, largest.expected),
            )
            for coefficient in (_sigma, _ks)
        ),
    ]
    intervals: list[Interval | None] = [None] * len(names)
    if resampling is not None:
        intervals = intervals_of_two_samples(pairs, float(QUANTILE), resampling)
    return [
        Coefficient(
            name=name,
            value=value,
            undefined="" if value is not None else _MAY_BE_EQUAL if expected.high else ALL_EQUAL,
            interval=None if value is None else interval,
            observed=observed,
            expected=expected,
        )
        for name, value, interval in zip(names, values, intervals, strict=True)
    ]


class _Sample:
    """Distances in order, each different one once with its number."""

    def __init__(self, distances: Fractions) -> None:
        rounded, first, times = np.unique(distances.floats(), return_index=True, return_counts=True)
        self.floats: NDArray[np.float64] = rounded
        self._exact = Fractions(distances.numerators[first], distances.denominators[first])
        self.up_to = np.cumsum(times)
        self.number = int(self.up_to[-1])
        self.mean = distances.total() / self.number

    def exact(self, position: int) -> Fraction:
        """Return the distance at a *position* among the different ones."""
        numerators, denominators = self._exact
        return Fraction(int(numerators[position]), int(denominators[position]))

    def at_rank(self, rank: int) -> Fraction:
        """Return the distance of a *rank*, from 0 on."""
        return self.exact(int(np.searchsorted(self.up_to, rank, side="right")))


class _Samples(NamedTuple):
    """The distances of graphs of one item, and those of graphs of different items."""

    observed: _Sample
    expected: _Sample

    @classmethod
    def of(cls, pairs: PairDistances, distances: Fractions) -> "_Samples":
        within = pairs.within
        return cls(_Sample(distances.chosen(within)), _Sample(distances.chosen(~within)))


def _sigma(observed: _Sample, expected: _Sample) -> Fraction:
    place = (expected.number - 1) * QUANTILE
    rank = int(place)
    below = expected.at_rank(rank)
    above = expected.at_rank(min(rank + 1, expected.number - 1))
    quantile = below + (place - rank) * (above - below)
    # Rounding keeps the order, so the first distance that may reach the quantile is searched.
    position = int(np.searchsorted(observed.floats, float(quantile)))
    if position < len(observed.floats) and observed.exact(position) < quantile:
        position += 1
    number = int(observed.up_to[position - 1]) if position else 0
    return Fraction(number, observed.number)


def _ks(observed: _Sample, expected: _Sample) -> Fraction:
    # Equal fractions have equal quotients, and different ones of graphs have different quotients.
    places = np.searchsorted(expected.floats, observed.floats, side="right")
    reached = np.append(0, expected.up_to)[places]
    leads = (
        Fraction(mine, observed.number) - Fraction(theirs, expected.number)
        for mine, theirs in zip(observed.up_to.tolist(), reached.tolist(), strict=True)
    )
    return max(leads)
