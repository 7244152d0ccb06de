"""Correlation with human ratings, and how sure it is: a bootstrap over items."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
#: How often each item is drawn, a row for each time.
_Times = NDArray[np.int64]
#: Makes of drawn items a statistic for each time.
_Statistic = Callable[[_Times], Numbers]


class Estimate(NamedTuple):
    """A statistic, and the 2.5 and 97.5 percent quantiles of its bootstrap distribution."""

    value: float
    low: float
    high: float


def pearson(ratings: Numbers, scores: Numbers) -> Estimate:
    """Return Pearson's r."""
    return _estimate(len(ratings), lambda times: _correlations(ratings, scores, times))


def pearson_difference(ratings: Numbers, one: Numbers, other: Numbers) -> Estimate:
    """Return by how much the r of *one* exceeds that of *other* on the same items."""
    return _estimate(
        len(ratings),
        lambda times: _correlations(ratings, one, times) - _correlations(ratings, other, times),
    )


def mean(values: Numbers) -> Estimate:
    """Return the mean."""
    return _estimate(len(values), lambda times: times @ values / times.sum(axis=1))


def spearman(ratings: Numbers, scores: Numbers) -> float:
    """Return Spearman's rank correlation; equal values have their mean rank."""
    return float(np.corrcoef(_ranks(ratings), _ranks(scores))[0, 1])


def _ranks(values: Numbers) -> Numbers:
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    result: Numbers = (ends - (counts - 1) / 2)[places]
    return result


def _estimate(items: int, statistic: _Statistic, resamples: int = 1999, seed: int = 0) -> Estimate:
    rng = np.random.default_rng(seed)
    batches = [
        statistic(rng.multinomial(items, np.full(items, 1 / items), size=200))
        for _ in range(-(-resamples // 200))
    ]
    drawn = np.concatenate(batches)[:resamples]
    low, high = np.quantile(drawn, [0.025, 0.975])
    (value,) = statistic(np.ones((1, items), dtype=np.int64))
    return Estimate(float(value), float(low), float(high))


def _correlations(x: Numbers, y: Numbers, times: _Times) -> Numbers:
    """Return Pearson's r of the items drawn; the values are centred first, against rounding."""
    x, y = x - x.mean(), y - y.mean()
    total = times.sum(axis=1)
    mean_x, mean_y = times @ x / total, times @ y / total
    covariance = times @ (x * y) / total - mean_x * mean_y
    variances = (times @ (x * x) / total - mean_x**2) * (times @ (y * y) / total - mean_y**2)
    result: Numbers = covariance / np.sqrt(variances)
    return result
