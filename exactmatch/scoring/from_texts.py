"""Score pairs from their texts without parsing graphs, if counts are enough.

Modules that only the usual way needs are loaded for the pairs that need it.
"""

import time
from typing import TYPE_CHECKING

from exactmatch.errors import VerificationError
from exactmatch.graphs.pairing import Couple, GraphPair, read_pair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Measurement, Metric
from exactmatch.scoring.by_cover import COVER, CoverCounter, ProvenCounts
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings

if TYPE_CHECKING:
    from exactmatch.scoring.results import WritePage


def count_texts(
    couple: Couple, metric: Metric, settings: Settings, counter: CoverCounter
) -> ProvenCounts | None:
    """Return the matches of the texts of a pair by *metric*; None if *counter* leaves it open.

    Raises `VerificationError` if two computations disagree.
    """
    try:
        return counter.count_texts(couple)
    except VerificationError as error:
        raise _reproducible(error, couple, metric, settings) from error


def _reproducible(
    error: VerificationError, couple: Couple, metric: Metric, settings: Settings
) -> VerificationError:
    """Return *error* with what reproduces it."""
    from exactmatch.scoring.comparison import compare
    from exactmatch.scoring.pair import reproducible

    pair = read_pair(couple, "stop").pair
    assert isinstance(pair, GraphPair) and isinstance(metric, AlignmentMetric)
    return reproducible(error, couple.identifier, compare(pair, metric), settings)


def score_texts(
    couple: Couple, metric: Metric, settings: Settings, counter: CoverCounter
) -> PairScore | None:
    """Score the texts of a pair as `score_pair` does its graphs; None as in `count_texts`.

    The texts are not parsed first, so the time includes reading.
    """
    start = time.monotonic()
    counts = count_texts(couple, metric, settings, counter)
    if counts is None:
        return None
    measurement = Measurement(counts.statistics(), solver=COVER)
    return PairScore.of(couple.identifier, metric, measurement, seconds=time.monotonic() - start)


def map_texts(
    couple: Couple, metric: Metric, settings: Settings, counter: CoverCounter, pages: "WritePage"
) -> PairScore | None:
    """Score the texts of a pair with the defined mapping; return None as `count_texts` does."""
    from exactmatch.metrics.best_mappings import BestMappings

    start = time.monotonic()
    try:
        found = counter.map_texts(couple)
    except VerificationError as error:
        raise _reproducible(error, couple, metric, settings) from error
    if found is None:
        return None
    counts, mapping = found
    best = BestMappings(mappings=[mapping])
    measurement = Measurement(counts.statistics(), mapping, solver=COVER, best=best)
    seconds = time.monotonic() - start
    return PairScore.of(couple.identifier, metric, measurement, seconds=seconds, pages=pages)
