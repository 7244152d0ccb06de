"""Smooth curves through points, from the top to the bottom."""

from collections.abc import Sequence
from itertools import pairwise

#: From the left, and from the top.
Point = tuple[float, float]


def curve_down(points: Sequence[Point]) -> list[Point]:
    """Return the points of cubic Bézier curves through *points*, each lower than the one before.

    Between two points the curve is never further left or right than they are (Fritsch and Carlson
    1980, *Monotone Piecewise Cubic Interpolation*; the slopes are harmonic means of those before
    and behind, as in Fritsch and Butland 1984). It is steep at both ends.
    """
    slopes = [(x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in pairwise(points)]
    tangents = [slopes[0] / 2]
    for before, behind in pairwise(slopes):
        is_turn = before * behind <= 0
        tangents.append(0.0 if is_turn else 2 * before * behind / (before + behind))
    tangents.append(slopes[-1] / 2)
    found = [points[0]]
    for i, ((x0, y0), (x1, y1)) in enumerate(pairwise(points)):
        third = (y1 - y0) / 3
        found.append((x0 + tangents[i] * third, y0 + third))
        found.append((x1 - tangents[i + 1] * third, y1 - third))
        found.append((x1, y1))
    return found
