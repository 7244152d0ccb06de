"""Student's distribution of t, for any number of degrees of freedom from 1 on, also a fraction."""

import math
from statistics import NormalDist

import numpy as np

#: With more degrees of freedom, the normal distribution differs by less than 1e-6.
_NORMAL = 1e6
#: The number of steps of Simpson's rule, which is even.
_STEPS = 2000
#: The number of times that the range of a quantile is halved.
_HALVINGS = 80


def student_tail(t: float, freedom: float) -> float:
    """Return the probability of a value of at least *t*, which is not negative.

    With t = sqrt(freedom) * tan(angle), the density is a power of the cosine of the angle.
    """
    if freedom >= _NORMAL:
        return NormalDist().cdf(-t)
    angle = math.atan(t / math.sqrt(freedom))
    whole = math.sqrt(math.pi) / 2
    whole *= math.exp(math.lgamma(freedom / 2) - math.lgamma((freedom + 1) / 2))
    # The smaller part is computed, since a difference of nearly equal numbers has few digits.
    start, end = (angle, math.pi / 2) if angle > math.pi / 4 else (0.0, angle)
    heights = np.clip(np.cos(np.linspace(start, end, _STEPS + 1)), 0, 1) ** (freedom - 1)
    weights = np.ones(_STEPS + 1)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    share = float(weights @ heights) * (end - start) / (3 * _STEPS) / whole / 2
    return share if angle > math.pi / 4 else max(0.0, 0.5 - share)


def student_quantile(share: float, freedom: float) -> float:
    """Return the value that is exceeded with a probability of *share*, at most 0.5."""
    low, high = 0.0, 1.0
    while student_tail(high, freedom) > share:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tail(middle, freedom) > share else (low, middle)
    return high
