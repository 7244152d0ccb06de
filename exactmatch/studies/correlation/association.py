"""Correlations of two lists of scores (Opitz et al. 2020, Tables 7 to 9, Figure 9)."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Opitz et al. (2020), Table 7.
_QUANTILES = tuple(k / 10 for k in range(1, 10))

#: Differences up to this are rounding errors.
_ROUNDING = 1e-12

#: Where densities are drawn: from 0 to 1.
GRID = tuple(k / 100 for k in range(101))

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """The association of two lists of scores of the same pairs of graphs.

    pearson, spearman, kendall: correlations (tau-b); None if one side never varies.
    rmse: the root of the mean squared difference; rmse_quantiles: that of the quantiles 0.1, 0.2
        and so on to 0.9 of both lists (Table 7).
    difference: the difference of the means, second minus first; p: that of the t-test for paired
        samples (Table 9); None if all differences are equal.
    """

    pairs: int
    pearson: float | None
    spearman: float | None
    kendall: float | None
    rmse: float
    rmse_quantiles: float
    difference: float
    p: float | None


def associate(one: Sequence[float], other: Sequence[float]) -> Association:
    """Return the association of two lists of equal length, which are not empty."""
    from scipy.stats import kendalltau, pearsonr, spearmanr

    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    return Association(
        pairs=len(first),
        pearson=_correlation(pearsonr, first, second),
        spearman=_correlation(spearmanr, first, second),
        kendall=_correlation(kendalltau, first, second),
        rmse=_rmse(first, second),
        rmse_quantiles=_rmse(np.quantile(first, _QUANTILES), np.quantile(second, _QUANTILES)),
        difference=math.fsum((first - second).tolist()) / len(first),
        p=paired_t(first, second),
    )


def paired_t(one: Sequence[float] | _Floats, other: Sequence[float] | _Floats) -> float | None:
    """Return the p-value of the t-test for paired samples; None if it is undefined."""
    from scipy.stats import ttest_rel

    if _is_constant(np.subtract(one, other)):
        return None
    return float(ttest_rel(one, other).pvalue)


def density(scores: Sequence[float]) -> list[float] | None:
    """Return the density of *scores* at the points of `GRID`; None if they never vary.

    The density is estimated with Gaussian kernels, whose width follows Scott's rule.
    """
    from scipy.stats import gaussian_kde

    if _is_constant(np.asarray(scores)):
        return None
    densities: list[float] = gaussian_kde(scores)(GRID).tolist()
    return densities


def _correlation(
    measure: Callable[[_Floats, _Floats], object], one: _Floats, other: _Floats
) -> float | None:
    if _is_constant(one) or _is_constant(other):
        return None
    # A scipy object, whose types differ between measures.
    return float(getattr(measure(one, other), "statistic"))  # noqa: B009


def _is_constant(values: _Floats) -> bool:
    return len(values) < 2 or float(np.ptp(values)) <= _ROUNDING


def _rmse(one: _Floats, other: _Floats) -> float:
    return float(np.sqrt(np.mean((one - other) ** 2)))
