"""A pair of graphs scored by each metric, in the process that parses it."""

from collections.abc import Sequence

from exactmatch.graphs.pairing import Couple, GraphPair
from exactmatch.metrics.base import Metric
from exactmatch.scoring.by_cover import counter_of
from exactmatch.scoring.from_texts import score_texts
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline
from exactmatch.studies.common.outcomes import PairOutcome


def scored_pair(
    metrics: Sequence[Metric], settings: Settings, pair: GraphPair
) -> list[PairOutcome]:
    """Return the result of a pair by each metric."""
    return [
        PairOutcome.of(
            score_pair(pair, metric, settings, Deadline(), counter=counter_of(metric, settings))
        )
        for metric in metrics
    ]


def scored_texts(
    metrics: Sequence[Metric], settings: Settings, couple: Couple
) -> list[PairOutcome] | None:
    """Return the results of two unread texts; None if counts are not enough."""
    found = []
    for metric in metrics:
        counter = counter_of(metric, settings)
        score = None if counter is None else score_texts(couple, metric, settings, counter)
        if score is None:
            return None
        found.append(PairOutcome.of(score))
    return found
