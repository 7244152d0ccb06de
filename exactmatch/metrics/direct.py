"""Metrics that need no mapping: statistics of each pair, summed up over a corpus to a score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from exactmatch.graph import Graph
from exactmatch.metrics.counts import Counts


@dataclass(frozen=True, slots=True)
class DirectScore:
    """The score of a corpus, or of one pair.

    value: the one figure that stands for all, from 0 to 1; *value_name* says which it is.
    figures: others, by their names. parts: counts of the parts of the metric, by their names.
    """

    value: float
    value_name: str
    figures: Mapping[str, float] = field(default_factory=dict)
    parts: Mapping[str, Counts] = field(default_factory=dict)


class DirectSums(Protocol):
    """The statistics of the pairs of a corpus, summed up."""

    def add(self, measure: Any) -> None:
        """Add the statistics of a pair."""

    def score(self) -> DirectScore:
        """Return the score of the pairs added so far."""


class DirectMetric(Protocol):
    """A metric that needs no mapping of variables, with its parameters."""

    @property
    def name(self) -> str:
        """The name on the command line."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def format(self) -> str:
        """The format of the files that hold its graphs."""

    def measure(self, test: Graph, gold: Graph) -> Any:
        """Return the statistics of a pair."""

    def sums(self) -> DirectSums:
        """Return the sums over no pair, to which pairs can be added."""

    def signature(self) -> str:
        """Return the name and all parameters in one line."""


def summarise(metric: DirectMetric, measures: Iterable[Any]) -> DirectScore:
    """Return the score of the pairs that have these statistics."""
    sums = metric.sums()
    for measure in measures:
        sums.add(measure)
    return sums.score()
