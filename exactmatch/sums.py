"""Sums of floating-point numbers that come one after the other, without rounding errors."""

import math


class ExactSum:
    """A sum that is rounded once, when it is asked for, as `math.fsum` rounds that of a list.

    Kept are a few numbers whose sum is exactly that of all (Shewchuk 1997, *Adaptive Precision
    Floating-Point Arithmetic and Fast Robust Geometric Predicates*).
    """

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, number: float) -> None:
        """Add a finite *number*."""
        kept = []
        for part in self._parts:
            large, small = (number, part) if abs(number) >= abs(part) else (part, number)
            number = large + small
            rest = small - (number - large)
            if rest:
                kept.append(rest)
        self._parts = [*kept, number]

    def parts(self) -> list[float]:
        """Return numbers whose sum is exactly that of all."""
        return list(self._parts)

    def total(self) -> float:
        """Return the sum, correctly rounded."""
        return math.fsum(self._parts)
