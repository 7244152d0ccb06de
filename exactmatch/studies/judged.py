"""Metrics as the study of principles sees them: statistics of pairs, and scores from those."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from exactmatch.comparison import compare
from exactmatch.deadline import Deadline
from exactmatch.graph import Graph
from exactmatch.metrics.direct import DirectMetric, summarise
from exactmatch.metrics.profiles import Profile
from exactmatch.pairing import GraphPair
from exactmatch.solve import AUTO, EXACT, solve


class Judged(Protocol):
    """A metric whose principles are measured."""

    @property
    def name(self) -> str:
        """Its name, and that of its search."""

    @property
    def signature(self) -> str:
        """All that its scores depend on, in one line."""

    def measure(self, test: Graph, gold: Graph, seed: int) -> Any:
        """Return the statistics of a pair."""

    def value(self, measures: Sequence[Any]) -> float:
        """Return the score of the pairs that have these statistics."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A metric that aligns, with its search: ``exact``, or one of the heuristics.

    timeout: seconds for a pair; what was found by then counts.
    """

    profile: Profile
    method: str = EXACT
    timeout: float | None = None

    @property
    def name(self) -> str:
        """The name of the metric, and that of the heuristic if it is one."""
        return self.profile.metric + ("" if self.method == EXACT else f":{self.method}")

    @property
    def signature(self) -> str:
        """Metric, profile and search."""
        return f"{self.profile.metric}|{self.profile.signature()}|method:{self.method}"

    def measure(self, test: Graph, gold: Graph, seed: int) -> tuple[int, int, int, int]:
        """Return the triples matched, at most matched, and those of both sides."""
        problem = compare(GraphPair("", test, gold), self.profile).problem
        deadline = Deadline.after(self.timeout)
        found = solve(problem, method=self.method, solver=AUTO, seed=seed, deadline=deadline)
        return found.lower, found.upper, problem.left_total, problem.right_total

    def value(self, measures: Sequence[tuple[int, int, int, int]]) -> float:
        """Return the micro F1."""
        matched, _, left, right = (sum(column) for column in zip(*measures, strict=True))
        return 2 * matched / (left + right) if left + right else 0.0


@dataclass(frozen=True, slots=True)
class Unaligned:
    """A metric that needs no mapping."""

    metric: DirectMetric

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.metric.name

    @property
    def signature(self) -> str:
        """Metric and parameters."""
        return self.metric.signature()

    def measure(self, test: Graph, gold: Graph, seed: int) -> Any:
        """Return the statistics of a pair; no *seed* has a part in them."""
        return self.metric.measure(test, gold)

    def value(self, measures: Sequence[Any]) -> float:
        """Return the score."""
        return summarise(self.metric, measures).value
