"""Metrics as the study of principles sees them: statistics of pairs, and scores from those."""

from dataclasses import dataclass
from typing import Any, Protocol

from exactmatch.comparison import compare
from exactmatch.deadline import Deadline
from exactmatch.errors import VerificationError
from exactmatch.graph import Graph
from exactmatch.memory import MOST
from exactmatch.metrics.direct import DirectMetric, DirectSums
from exactmatch.metrics.profiles import Profile
from exactmatch.pairing import GraphPair
from exactmatch.solving.limits import solve_within
from exactmatch.solving.strategy import AUTO, EXACT


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

    def sums(self) -> "JudgedSums":
        """Return the sums over no pair, to which statistics can be added."""


class JudgedSums(Protocol):
    """The statistics of pairs, summed up."""

    def add(self, measure: Any) -> None:
        """Add the statistics of a pair."""

    def value(self) -> float:
        """Return the score of the pairs added so far."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A metric that aligns, with its search: ``exact``, or one of the heuristics.

    timeout: seconds for a pair; what was found by then counts.
    memory: bytes for a pair; what would take more is not solved but bounded.
    """

    profile: Profile
    method: str = EXACT
    timeout: float | None = None
    memory: int = MOST

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
        deadline = Deadline.after(self.timeout)
        comparison = compare(GraphPair("", test, gold), self.profile)
        found = solve_within(
            comparison,
            method=self.method,
            solver=AUTO,
            seed=seed,
            deadline=deadline,
            memory=self.memory,
        )
        matched = comparison.count_matched(comparison.named(found.mapping))
        if matched != found.lower:
            raise VerificationError(
                f"{found.solver} claims {found.lower} matched triples, but its mapping matches "
                f"{matched}"
            )
        return matched, found.upper, comparison.test_total, comparison.gold_total

    def sums(self) -> "JudgedSums":
        """Return sums whose value is the micro F1."""
        return _AlignedSums()


class _AlignedSums:
    def __init__(self) -> None:
        self._matched = self._total = 0

    def add(self, measure: tuple[int, int, int, int]) -> None:
        matched, _, left, right = measure
        self._matched += matched
        self._total += left + right

    def value(self) -> float:
        return 2 * self._matched / self._total if self._total else 0.0


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

    def sums(self) -> "JudgedSums":
        """Return sums whose value is the score."""
        return _UnalignedSums(self.metric.sums())


class _UnalignedSums:
    def __init__(self, sums: DirectSums) -> None:
        self._sums = sums

    def add(self, measure: Any) -> None:
        self._sums.add(measure)

    def value(self) -> float:
        return self._sums.score().value


def value_of(metric: Judged, measure: Any) -> float:
    """Return the score of a pair that has these statistics."""
    sums = metric.sums()
    sums.add(measure)
    return sums.value()
