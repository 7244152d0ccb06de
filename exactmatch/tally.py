"""The numbers of a corpus, added up pair after pair."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from exactmatch.metrics.counts import Counts
from exactmatch.sums import ExactSum

if TYPE_CHECKING:
    from exactmatch.corpus import PairScore


@dataclass(slots=True)
class Tally:
    """What `exactmatch.corpus.CorpusScore` says of the pairs added so far; it keeps no pair."""

    matched: int = 0
    matched_upper: int = 0
    test_total: int = 0
    gold_total: int = 0
    pairs: int = 0
    optimal: int = 0
    certified: int = 0
    by_word: Counter[str] = field(default_factory=Counter)
    timed_out: int = 0
    skipped: int = 0
    emptied: int = 0
    noted: int = 0
    confirmed: int | None = None
    _breakdown: dict[str, Counts] = field(default_factory=dict)
    _f1: ExactSum = field(default_factory=ExactSum)
    _f1_upper: ExactSum = field(default_factory=ExactSum)

    @classmethod
    def of(cls, scores: "Iterable[PairScore]") -> Self:
        """Return the tally of *scores*."""
        tally = cls()
        for score in scores:
            tally.add(score)
        return tally

    def add(self, score: "PairScore") -> None:
        """Add the score of a pair, which may be skipped."""
        if score.status == "skipped":
            self.skipped += 1
            return
        self.pairs += 1
        self.matched += score.matched
        self.matched_upper += score.matched_upper
        self.test_total += score.test_total
        self.gold_total += score.gold_total
        self._f1.add(score.f1)
        self._f1_upper.add(score.f1_upper)
        if score.status == "optimal":
            self.optimal += 1
            if score.certified:
                self.certified += 1
            else:
                self.by_word[score.solver] += 1
        self.timed_out += score.timed_out
        self.emptied += score.emptied
        self.noted += score.noted
        if score.confirmed is not None:
            self.confirmed = (self.confirmed or 0) + score.confirmed
        for part, counts in score.breakdown.items():
            self._breakdown[part] = self._breakdown.get(part, Counts(0, 0, 0)) + counts

    def numbers(self, parts: Sequence[str]) -> dict[str, Any]:
        """Return the fields of `CorpusScore` that are numbers; *parts* are those of the metric."""
        return {
            "matched": self.matched,
            "matched_upper": self.matched_upper,
            "test_total": self.test_total,
            "gold_total": self.gold_total,
            "pairs": self.pairs,
            "optimal": self.optimal,
            "certified": self.certified,
            "by_word": dict(sorted(self.by_word.items())),
            "timed_out": self.timed_out,
            "skipped": self.skipped,
            "emptied": self.emptied,
            "noted": self.noted,
            "confirmed": self.confirmed,
            "breakdown": {p: self._breakdown[p] for p in parts if p in self._breakdown},
            "macro_f1": self._mean(self._f1),
            "macro_f1_upper": self._mean(self._f1_upper),
        }

    def _mean(self, total: ExactSum) -> float:
        return total.total() / self.pairs if self.pairs else 0.0
