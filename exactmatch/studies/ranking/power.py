"""The smallest difference between two systems that a test on given items is likely to show.

Data sets are simulated from the paired differences of the items, as Card et al. (2020, *With little
power comes great responsibility*, EMNLP) advise: items are drawn with replacement, and the
differences are shifted to a true mean. Each set is tested by approximate randomisation.

The score of a corpus is no mean of the scores of its items. So the differences are those of the
jackknife's pseudo-values (Tukey 1958), whose mean is the difference of both scores.
"""

from math import ceil, floor

import numpy as np

from exactmatch.studies.common.statistics import Floats, Items, Resampling, pseudo_values

#: The share of data sets in which the test has to show the difference.
POWER = 0.8
#: The number of simulated data sets, and of exchanges by which each is tested.
_SETS, _EXCHANGES = 999, 999
#: A product of a level and a number of exchanges is only known up to so much.
_ROUNDING = 1e-9
#: Items that are drawn at once, to limit the memory.
_AT_ONCE = 1000
#: A stream of random numbers of its own.
_STREAM = 1


def smallest_difference(one: Items, other: Items, resampling: Resampling) -> float | None:
    """Return the least true difference that a two-sided test shows with `POWER`.

    The test is at the level of *resampling*. Both sides have the same items, columns and formula.
    The mappings found count where pairs are not proven. None if no difference can be shown, or if
    the sides differ on no item.
    """
    if len(one.total) < 2:
        return None
    ours, theirs = (pseudo_values(side.low, side.formula) for side in (one, other))
    return least_shown(ours - theirs, resampling)


def least_shown(differences: Floats, resampling: Resampling) -> float | None:
    """Return the same from the *differences* of the pseudo-values of items."""
    # The observed assignment is an exchange, too.
    as_extreme = floor(resampling.level * (_EXCHANGES + 1) + _ROUNDING) - 1
    if len(differences) < 2 or as_extreme < 0 or not differences.any():
        return None
    centred = np.sort(differences - differences.mean())
    rng = np.random.default_rng([resampling.seed, _STREAM])
    shown = np.sort(_shown_from(centred, as_extreme, rng))
    least = float(shown[ceil(POWER * _SETS) - 1])
    return least if np.isfinite(least) else None


def _shown_from(centred: Floats, as_extreme: int, rng: np.random.Generator) -> Floats:
    """Return, for each simulated set, the least shift of its differences that the test shows.

    The test shows what at most so many exchanges reach. A shift of all n differences by d adds
    n * d to their sum. It adds d times the sum of its signs to the sum of an exchange. So each
    exchange is less extreme from some d on.
    """
    number = len(centred)
    sums = np.zeros(_SETS)
    exchanged = np.zeros((_EXCHANGES, _SETS))
    signs_sum = np.zeros((_EXCHANGES, 1))
    for start in range(0, number, _AT_ONCE):
        size = min(_AT_ONCE, number - start)
        drawn = centred[rng.integers(number, size=(size, _SETS))]
        signs = rng.integers(2, size=(_EXCHANGES, size)) * 2.0 - 1.0
        sums += drawn.sum(axis=0)
        exchanged += signs @ drawn
        signs_sum += signs.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.maximum(
            (exchanged - sums) / (number - signs_sum),
            -(exchanged + sums) / (number + signs_sum),
        )
    # Exchanging all items or none is as extreme whatever the shift.
    least[np.abs(signs_sum[:, 0]) == number] = np.inf
    shown: Floats = np.sort(least, axis=0)[_EXCHANGES - 1 - as_extreme]
    return shown
