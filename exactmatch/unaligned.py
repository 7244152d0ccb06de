"""Scoring a corpus by a metric that needs no mapping of variables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from exactmatch._version import __version__
from exactmatch.metrics.direct import DirectMetric, DirectScore
from exactmatch.pairing import GraphPair, Skipped


class PairMeasure(NamedTuple):
    """The statistics of a pair; the rest as in `exactmatch.corpus.PairScore`."""

    statistics: Any
    emptied: bool
    noted: bool


@dataclass(frozen=True, kw_only=True)
class UnalignedScore:
    """The score of a corpus by *metric*.

    signature: every parameter that moves the score, in one line.
    pairs, skipped, emptied, noted: numbers of pairs that were scored, left out, scored although an
        empty graph stands for one that is missing or cannot be read, and about which there is
        something to note.
    seconds, notes, partial: as in `exactmatch.corpus.CorpusScore`.
    """

    metric: DirectMetric
    score: DirectScore
    signature: str
    pairs: int
    skipped: int
    emptied: int
    noted: int
    seconds: float
    notes: Sequence[str]
    partial: bool = False


class UnalignedTally:
    """The numbers of a corpus by *metric*, added up pair after pair."""

    def __init__(self, metric: DirectMetric) -> None:
        self._metric = metric
        self._sums = metric.sums()
        self._pairs = self._skipped = self._emptied = self._noted = 0

    def add(self, measure: PairMeasure | None) -> None:
        """Add a pair; None is one that is left out."""
        if measure is None:
            self._skipped += 1
            return
        self._pairs += 1
        self._emptied += measure.emptied
        self._noted += measure.noted
        self._sums.add(measure.statistics)

    def summed_up(self, *, seconds: float, notes: Sequence[str], partial: bool) -> UnalignedScore:
        """Return the score of the pairs added so far."""
        return UnalignedScore(
            metric=self._metric,
            score=self._sums.score(),
            signature=f"{self._metric.signature()}|version:{__version__}",
            pairs=self._pairs,
            skipped=self._skipped,
            emptied=self._emptied,
            noted=self._noted,
            seconds=seconds,
            notes=notes,
            partial=partial,
        )


def measure_pair(pair: GraphPair | Skipped, metric: DirectMetric) -> PairMeasure | None:
    """Return the statistics of a pair, None for one that is left out."""
    if isinstance(pair, Skipped):
        return None
    return PairMeasure(metric.measure(pair.test, pair.gold), pair.emptied, pair.noted)
