"""The ends of several scores, and who stands there, as far as that is proven."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

_Name = TypeVar("_Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Extremes(Generic[_Name]):
    """The range of scores that lie in intervals each.

    low, high: what no score is below, and what none is above.
    lowest, highest: whose score is below, or above, all others; None if it is not known to be, or
        there is but one score.
    """

    low: float
    high: float
    lowest: _Name | None
    highest: _Name | None


def extremes(scores: Mapping[_Name, tuple[float, float]]) -> Extremes[_Name]:
    """Return the ends of *scores*, which are least and greatest values; there is one at least."""
    lowest = highest = None
    for name, (low, high) in scores.items():
        others = [ends for other, ends in scores.items() if other != name]
        if others and all(high < least for least, _ in others):
            lowest = name
        if others and all(low > most for _, most in others):
            highest = name
    return Extremes(
        min(low for low, _ in scores.values()),
        max(high for _, high in scores.values()),
        lowest,
        highest,
    )
