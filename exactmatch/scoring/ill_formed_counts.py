"""Count ill-formed graphs. It is loaded for formats that have such graphs."""

from collections.abc import Sequence
from typing import NamedTuple


class IllFormedCounts(NamedTuple):
    """The numbers of ill-formed graphs.

    system, gold: the numbers of either side. zero: pairs that count 0 for that reason, only in the
        mean of the pairs.
    texts: all pairs that were read.
    """

    system: int = 0
    gold: int = 0
    zero: int = 0
    texts: int = 0

    def with_pair(self, sides: Sequence[str], *, is_zero: bool) -> "IllFormedCounts":
        """Return the counts with one more pair, whose *sides* are ill-formed."""
        return IllFormedCounts(
            self.system + ("system" in sides),
            self.gold + ("gold" in sides),
            self.zero + is_zero,
            self.texts + 1,
        )

    @property
    def error_rate(self) -> float:
        """The share of ill-formed graphs of the system: ERR in the literature."""
        return self.system / self.texts if self.texts else 0.0
