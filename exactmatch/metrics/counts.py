"""Counts: what metrics come down to that need no mapping, because anchors tell what is the same.

Such a metric takes two graphs to sets of items, one for each part of the metric, in which anchors
stand for the variables. Items of both sets match. Precision is what matches by the items of the
test side, recall by those of the gold side (`exactmatch.scores`), after summing up a corpus.
"""

from collections.abc import Set
from dataclasses import dataclass
from typing import Self

from exactmatch.scores import Score


@dataclass(frozen=True, slots=True)
class Counts:
    """How many items of the test side and of the gold side there are, and how many match."""

    matched: int
    test_total: int
    gold_total: int

    @classmethod
    def of(cls, test: Set[object], gold: Set[object]) -> Self:
        """Return the counts of two sets of items."""
        return cls(len(test & gold), len(test), len(gold))

    def score(self) -> Score:
        """Return precision, recall and F1."""
        return Score(
            matched=self.matched,
            matched_upper=self.matched,
            test_total=self.test_total,
            gold_total=self.gold_total,
        )

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.matched + other.matched,
            self.test_total + other.test_total,
            self.gold_total + other.gold_total,
        )


#: The counts of no items.
NOTHING = Counts(0, 0, 0)
