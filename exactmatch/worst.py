"""The pairs of a corpus that are worth a look: the worst by score, gap or size."""

import heapq
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from exactmatch.results import PairScore

#: By what pairs are sorted, and how bad they are by that: the greater, the worse.
BADNESS: Mapping[str, Callable[[PairScore], float]] = {
    "score": lambda score: -score.value,
    "gap": lambda score: score.gap,
    "difference": lambda score: score.system_total + score.gold_total - 2 * score.matched,
    "size": lambda score: score.system_total + score.gold_total,
    "seconds": lambda score: score.seconds,
}

#: A pair as it is shown: values such as JSON has.
Shown: TypeAlias = Mapping[str, Any]


class Worst:
    """The worst pairs of those added so far, *most* of them; of equals, those that came first.

    field: one of `BADNESS`. show: makes of a pair what is kept of it. Skipped pairs are left out.
    """

    def __init__(self, most: int, field: str, show: Callable[[PairScore], Shown]) -> None:
        self._most = most
        self._badness = BADNESS[field]
        self._show = show
        self._number = 0
        # A heap: the least bad is first, the last of equals before the others.
        self._kept: list[tuple[float, int, Shown]] = []

    def add(self, score: PairScore) -> None:
        """Add a pair."""
        if not score.is_compared:
            return
        self._number += 1
        rank = (self._badness(score), -self._number)
        if len(self._kept) < self._most:
            heapq.heappush(self._kept, (*rank, self._show(score)))
        elif rank > self._kept[0][:2]:
            heapq.heapreplace(self._kept, (*rank, self._show(score)))

    def pairs(self) -> list[Shown]:
        """Return the pairs, the worst first."""
        return [
            shown for _, _, shown in sorted(self._kept, key=lambda kept: kept[:2], reverse=True)
        ]

    def state(self) -> Any:
        """Return all that is known of the pairs, as JSON has it."""
        return [self._number, self._kept]

    def restore(self, state: Any) -> None:
        """Go on where another was when it was asked for *state*."""
        self._number, kept = state
        self._kept = [(badness, number, shown) for badness, number, shown in kept]
