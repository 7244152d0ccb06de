"""Score pairs from their texts without parsing graphs, if counts are enough.

Modules that only the usual way needs are loaded for the pairs that need it.
"""

import time

from exactmatch.errors import VerificationError
from exactmatch.graphs.pairing import Couple, GraphPair, read_pair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Measurement, Metric
from exactmatch.scoring.by_cover import COVER, CoverRoad, ProvenCounts
from exactmatch.scoring.options import Settings
from exactmatch.scoring.results import PairScore


def count_texts(
    couple: Couple, metric: Metric, settings: Settings, road: CoverRoad
) -> ProvenCounts | None:
    """Return the matches of the texts of a pair by *metric*; None if *road* leaves it open.

    Raises `VerificationError` if two computations disagree.
    """
    try:
        return road.count_texts(couple)
    except VerificationError as error:
        from exactmatch.scoring.comparison import compare
        from exactmatch.scoring.pair import reproducible

        pair = read_pair(couple, "stop").pair
        assert isinstance(pair, GraphPair) and isinstance(metric, AlignmentMetric)
        raise reproducible(error, couple.identifier, compare(pair, metric), settings) from error


def score_texts(
    couple: Couple, metric: Metric, settings: Settings, road: CoverRoad
) -> PairScore | None:
    """Score the texts of a pair as `score_pair` does its graphs; None as in `count_texts`.

    The texts are not parsed first, so the time includes reading.
    """
    start = time.monotonic()
    counts = count_texts(couple, metric, settings, road)
    if counts is None:
        return None
    measurement = Measurement(counts.statistics(), solver=COVER)
    return PairScore.of(couple.identifier, metric, measurement, seconds=time.monotonic() - start)
