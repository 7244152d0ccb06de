"""Precision, recall and F1, and the intervals of their true values, from whole numbers."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, kw_only=True)
class Score:
    """What a mapping matches, what no mapping exceeds, and what both are divided by.

    matched: triples matched by the mapping that was found.
    matched_upper: triples that no mapping exceeds; equal to *matched* if that is proven best.
    test_total, gold_total: triples of the judged side and of the gold standard.

    Ratios whose denominator is 0 are 0, as in smatch.
    """

    matched: int
    matched_upper: int
    test_total: int
    gold_total: int

    @property
    def precision(self) -> float:
        """Matched triples by triples of the test side."""
        return _ratio(self.matched, self.test_total)

    @property
    def recall(self) -> float:
        """Matched triples by triples of the gold side."""
        return _ratio(self.matched, self.gold_total)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return _ratio(2 * self.matched, self.test_total + self.gold_total)

    @property
    def precision_upper(self) -> float:
        """What the true precision does not exceed."""
        return _ratio(self.matched_upper, self.test_total)

    @property
    def recall_upper(self) -> float:
        """What the true recall does not exceed."""
        return _ratio(self.matched_upper, self.gold_total)

    @property
    def f1_upper(self) -> float:
        """What the true F1 does not exceed."""
        return _ratio(2 * self.matched_upper, self.test_total + self.gold_total)

    @property
    def gap(self) -> int:
        """Triples between what was found and what is proven; 0 if the score is exact."""
        return self.matched_upper - self.matched


def _ratio(numerator: int, denominator: int) -> float:
    return float(Fraction(numerator, denominator)) if denominator else 0.0
