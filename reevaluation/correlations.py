"""Correlation with human ratings, and how sure it is: a bootstrap over items."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
#: Makes of how often each item is drawn, a row for each resample, a statistic for each.
_Statistic = Callable[[Numbers], Numbers]


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


def _estimate(items: int, statistic: _Statistic) -> Estimate:
    drawn = np.concatenate([statistic(times.astype(np.float64)) for times in _drawn(items)])
    low, high = np.quantile(drawn, [0.025, 0.975])
    (value,) = statistic(np.ones((1, items)))
    return Estimate(float(value), float(low), float(high))


@lru_cache(maxsize=2)
def _drawn(items: int, batches: int = 10, size: int = 200) -> list[NDArray[np.uint16]]:
    """Return how often each of the items is drawn, a row for each resample: always the same."""
    rng = np.random.default_rng(0)
    evenly = np.full(items, 1 / items)
    return [rng.multinomial(items, evenly, size).astype(np.uint16) for _ in range(batches)]


def _correlations(x: Numbers, y: Numbers, times: Numbers) -> Numbers:
    """Return Pearson's r of the items drawn; the values are centred first, against rounding."""
    x, y = x - x.mean(), y - y.mean()
    total = times.sum(axis=1)
    mean_x, mean_y = times @ x / total, times @ y / total
    covariance = times @ (x * y) / total - mean_x * mean_y
    variances = (times @ (x * x) / total - mean_x**2) * (times @ (y * y) / total - mean_y**2)
    result: Numbers = covariance / np.sqrt(variances)
    return result
