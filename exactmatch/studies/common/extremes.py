"""The extremes of several scores, and whose they are, as far as that is proven."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

_Name = TypeVar("_Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Extremes(Generic[_Name]):
    """The range of scores that are known as intervals.

    low, high: the bounds of all scores.
    lowest, highest: the names of the lowest and the highest score; None if it is not proven, or
        there is only one score.
    """

    low: float
    high: float
    lowest: _Name | None
    highest: _Name | None


def extremes(scores: Mapping[_Name, tuple[float, float]]) -> Extremes[_Name]:
    """Return the extremes of *scores*, which are pairs of bounds; there is at least one."""
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
