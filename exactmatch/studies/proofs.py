"""To what extent the scores of a study are proven, counted over all its pairs of graphs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from exactmatch.studies.columns import ScoredPairs


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofCounts:
    """How many pairs of graphs are proven, and what stood in the way of the others.

    pairs: those scored, of which *optimal* are proven, *certified* of these by a checked proof.
    gap: triples that the best mappings may match and those found do not.
    by_word: pairs proven by the word of a solver alone, by its name; *bounded_by_word* those not
        proven whose upper bound is such a word. Names are in their alphabetical order.
    timed_out, too_large: pairs that a limit left with a gap. skipped: pairs left out; emptied:
        those in which an empty graph stands for one that is missing.
    scale: so many parts of a triple are counted as one.
    """

    pairs: int
    optimal: int
    certified: int
    gap: int
    by_word: Mapping[str, int]
    bounded_by_word: Mapping[str, int]
    timed_out: int
    too_large: int
    skipped: int
    emptied: int
    scale: int

    @classmethod
    def of(cls, scores: Sequence[ScoredPairs]) -> Self:
        """Count over the scores of several two files, under one metric."""
        return cls(
            pairs=sum(score.pairs for score in scores),
            optimal=sum(score.optimal for score in scores),
            certified=sum(score.certified for score in scores),
            gap=sum(score.gap for score in scores),
            by_word=_added([score.by_word for score in scores]),
            bounded_by_word=_added([score.bounded_by_word for score in scores]),
            timed_out=sum(score.timed_out for score in scores),
            too_large=sum(score.too_large for score in scores),
            skipped=sum(score.skipped for score in scores),
            emptied=sum(score.emptied for score in scores),
            scale=scores[0].metric.scale,
        )

    @property
    def all_proven(self) -> bool:
        """Whether every pair is proven."""
        return self.optimal == self.pairs

    @property
    def lacking(self) -> int:
        """The number of pairs of which a graph is missing or cannot be read."""
        return self.skipped + self.emptied


def _added(counts: Sequence[Counter[str]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for counter in counts:
        total += counter
    return dict(sorted(total.items()))
