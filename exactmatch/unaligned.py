"""Scoring a corpus by a metric that needs no mapping of variables."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from exactmatch._version import __version__
from exactmatch.metrics.direct import DirectMetric, DirectScore
from exactmatch.pairing import GraphPair, Pairing


@dataclass(frozen=True, kw_only=True)
class UnalignedScore:
    """The score of a corpus by *metric*.

    signature: every parameter that moves the score, in one line.
    pairs, skipped, emptied: numbers of pairs that were scored, left out, and scored although an
        empty graph stands for one that is missing or cannot be read.
    seconds: without reading. notes: as in `exactmatch.corpus.CorpusScore`.
    """

    metric: DirectMetric
    score: DirectScore
    signature: str
    pairs: int
    skipped: int
    emptied: int
    seconds: float
    notes: Sequence[str]


def score_unaligned(pairing: Pairing, metric: DirectMetric) -> UnalignedScore:
    """Score the pairs by *metric*."""
    start = time.monotonic()
    pairs = [pair for pair in pairing.pairs if isinstance(pair, GraphPair)]
    score = metric.summarise([metric.measure(pair.test, pair.gold) for pair in pairs])
    return UnalignedScore(
        metric=metric,
        score=score,
        signature=f"{metric.signature()}|version:{__version__}",
        pairs=len(pairs),
        skipped=len(pairing.pairs) - len(pairs),
        emptied=sum(pair.emptied for pair in pairs),
        seconds=time.monotonic() - start,
        notes=pairing.notes,
    )
