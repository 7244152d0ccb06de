"""Weighted means of F1 as whole numbers over one denominator, so that equal means are equal."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


class Means:
    """What each pair of graphs contributes to the mean F1 of a graph to all others.

    The mean of graph *i* is the sum, over all others, of their weight times their F1, divided by
    the sum of their weights; 0 if that is 0.

    totals: what precision and recall are divided by, of each graph.
    weights: of each graph, in whole numbers.
    """

    def __init__(self, totals: Sequence[int], weights: Sequence[int]) -> None:
        self._totals = totals
        self._weights = weights
        self._unit = lcm(*{a + b for a in set(totals) for b in set(totals) if a + b})
        others = [sum(weights) - weight for weight in weights]
        whole = lcm(*{weight for weight in others if weight})
        self._factors = [whole // weight if weight else 0 for weight in others]
        #: What all contributions are divided by.
        self.denominator = self._unit * whole

    def contribution(self, i: int, j: int) -> int:
        """Return what a triple that matches between *i* and *j* adds to the mean of *i*."""
        total = self._totals[i] + self._totals[j]
        return self._factors[i] * self._weights[j] * 2 * (self._unit // total) if total else 0


def whole_weights(weights: Sequence[Fraction]) -> list[int]:
    """Return whole numbers in the proportion of *weights*."""
    unit = lcm(*(weight.denominator for weight in weights))
    return [int(weight * unit) for weight in weights]
