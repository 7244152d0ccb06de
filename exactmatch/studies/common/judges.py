"""Metrics for studies of several: each with its search, and a seed for each call."""

from dataclasses import dataclass, replace

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Measurement, Metric, Statistics
from exactmatch.metrics.counts import Score
from exactmatch.scoring.by_cover import counter_of
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.results import score_fields
from exactmatch.scoring.settings import Settings
from exactmatch.solving.names import EXACT
from exactmatch.stopping.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Judge:
    """A metric with its search: ``exact``, or one of the heuristics.

    name: the name in reports. settings: those of the search; a result after the time limit is what
        was found by then.
    exchanged: the gold graph takes the place of the system's, and vice versa.
    """

    name: str
    metric: Metric
    settings: Settings
    exchanged: bool = False

    @property
    def signature(self) -> str:
        """Metric, choices and search in one line."""
        return self.signed(self.metric.signature(self.settings.search))

    @property
    def maps_variables(self) -> bool:
        """Whether the metric is alignment-based."""
        return self.metric.maps_variables

    def is_settled(self, statistics: Statistics) -> bool:
        """Tell whether the result is the same for any seed: it is proven, or needs no search."""
        return self.settings.method == EXACT and statistics.matched == statistics.matched_upper

    def score(self, system: Graph, gold: Graph, seed: int) -> float:
        """Return the score of a pair."""
        return self.value(self.measure(system, gold, seed))

    def signed(self, signature: str) -> str:
        """Return a signature of the metric with the additions of the judge."""
        return f"{signature}|exchanged:yes" if self.exchanged else signature

    def measure(self, system: Graph, gold: Graph, seed: int) -> Statistics:
        """Return the statistics of a pair. Raises `VerificationError` as scoring does."""
        return self.measurement(system, gold, seed).statistics

    def measurement(self, system: Graph, gold: Graph, seed: int) -> Measurement:
        """Return the measurement of a pair; without a mapping, if only counts were found."""
        settings = replace(self.settings, seed=seed)
        deadline, counter = Deadline.after(settings.timeout), counter_of(self.metric, settings)
        mapper = Mapper("", settings, deadline, Deadline(), counter=counter)
        sides = (gold, system) if self.exchanged else (system, gold)
        return mapper.measure(self.metric, *sides)

    def value(self, statistics: Statistics) -> float:
        """Return the score of the pairs with these statistics together."""
        return self.corpus_score(statistics).value

    def corpus_score(self, statistics: Statistics) -> Score:
        """Return that score as a corpus score."""
        return Score(**score_fields(self.metric, statistics))
