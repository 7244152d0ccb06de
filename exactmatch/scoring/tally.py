"""Add up the scores of pairs as they come to a corpus score, keeping no pair.

Sums of values have no rounding errors, so an interrupted and resumed run ends in the same bytes.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exactmatch.metrics.base import NOT_COUNTED, Metric, Statistics
from exactmatch.metrics.counts import Counts, Range
from exactmatch.scoring.by_cover import ProvenCounts
from exactmatch.scoring.results import (
    COUNTERS,
    CorpusScore,
    PairScore,
    score_fields,
)
from exactmatch.scoring.settings import Settings

if TYPE_CHECKING:
    from exactmatch.metrics.subscores.subscore import Subscore
    from exactmatch.scoring.framework_score import FrameworkScore
    from exactmatch.scoring.ill_formed_counts import IllFormedCounts
    from exactmatch.scoring.sentence_losses import SentenceLosses
    from exactmatch.scoring.solver_totals import SolverTotals


#: So many numbers, or pairs, are added up at once: together they take less time.
_AT_ONCE = 256


class ExactSum:
    """A sum that is rounded once, when it is asked for, as `math.fsum` rounds the sum of a list.

    The object keeps numbers whose sum is exact. If there are many, a few replace them: the rounded
    sum, the rounded rest, and so on until nothing is left.
    """

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, numbers: Iterable[float]) -> None:
        """Add finite *numbers*."""
        self._parts += numbers
        if len(self._parts) > _AT_ONCE:
            self._parts = self.parts()

    def parts(self) -> list[float]:
        """Return a few numbers whose sum is exactly the sum of all."""
        found: list[float] = []
        while rest := math.fsum([*self._parts, *(-part for part in found)]):
            found.append(rest)
        return found

    def total(self) -> float:
        """Return the sum, correctly rounded."""
        return math.fsum(self._parts)


class _FrameworkTally:
    """The sums of `FrameworkScore` over the pairs added so far."""

    def __init__(self) -> None:
        self.statistics = Statistics()
        self.pairs = 0
        self.optimal = 0

    def add(self, score: PairScore) -> None:
        self.statistics = self.statistics + score.measurement.statistics
        self.pairs += 1
        self.optimal += score.status == "optimal"

    def state(self) -> Any:
        return [_statistics_state(self.statistics), self.pairs, self.optimal]

    def restore(self, state: Any) -> None:
        statistics, self.pairs, self.optimal = state
        self.statistics = _restored_statistics(statistics)

    def summed_up(self, metric: Metric) -> "FrameworkScore":
        from exactmatch.scoring.framework_score import FrameworkScore

        found = self.statistics
        return FrameworkScore(
            **score_fields(metric, found),
            pairs=self.pairs,
            optimal=self.optimal,
        )


class Tally:
    """The sums of `CorpusScore` over the pairs added so far; no pair is kept."""

    def __init__(self) -> None:
        self.statistics = Statistics()
        self.counts: dict[str, Any] = {}
        self.ill_formed: IllFormedCounts | None = None
        self._values = ExactSum()
        self._values_upper = ExactSum()
        self._frameworks: dict[str, _FrameworkTally] = {}
        self._proven: list[ProvenCounts] = []  # which are not added up yet

    @cached_property
    def _sentences(self) -> "SentenceLosses":
        from exactmatch.scoring.sentence_losses import SentenceLosses

        return SentenceLosses()

    @cached_property
    def _solver_totals(self) -> "SolverTotals":
        from exactmatch.scoring.solver_totals import SolverTotals

        return SolverTotals()

    def add(self, score: PairScore) -> None:
        """Add the score of a pair, which may be skipped or ill-formed."""
        if score.ill_formed is not None:
            self._add_ill_formed(score)
        for name, of, _ in COUNTERS:
            if of is not None and (counted := of(score)) is not None:
                self.counts[name] = _with_one(self.counts.get(name), counted)
        if not score.is_compared:
            return
        self.statistics = self.statistics + score.measurement.statistics
        self._values.add([score.value])
        self._values_upper.add([score.value_upper])
        if score.sentences:
            self._sentences.add(score.identifier, score.sentences)
        if score.work is not None:
            self._solver_totals = self._solver_totals.with_pair(score.work)
        if score.framework:
            self._frameworks.setdefault(score.framework, _FrameworkTally()).add(score)

    def add_proven(self, counts: ProvenCounts) -> None:
        """Add a pair with only counts, proven and checked."""
        self._proven.append(counts)
        if len(self._proven) == _AT_ONCE:
            self._add_up_proven()

    def _add_up_proven(self) -> None:
        if not self._proven:
            return
        for name in ("pairs", "optimal", "certified"):
            self.counts[name] = self.counts.get(name, 0) + len(self._proven)
        matched, system_total, gold_total = map(sum, zip(*self._proven, strict=True))
        self.statistics += Statistics(matched, matched, system_total, gold_total)
        sums = [(matched, ours + theirs) for matched, ours, theirs in self._proven]
        values = [2 * matched / total if total else 0.0 for matched, total in sums]
        self._values.add(values)
        self._values_upper.add(values)
        self._proven.clear()

    def _add_ill_formed(self, score: PairScore) -> None:
        from exactmatch.scoring.ill_formed_counts import IllFormedCounts

        counts = self.ill_formed or IllFormedCounts()
        is_zero = score.status == "ill-formed"
        self.ill_formed = counts.with_pair(score.ill_formed or (), is_zero=is_zero)

    def state(self) -> dict[str, Any]:
        """Return the exact sums as values for JSON."""
        self._add_up_proven()
        return {
            "statistics": _statistics_state(self.statistics),
            "values": self._values.parts(),
            "values_upper": self._values_upper.parts(),
            "ill_formed": self.ill_formed,
            "frameworks": {name: tally.state() for name, tally in self._frameworks.items()},
            "sentences": self._sentences.state(),
            "solver_totals": self._solver_totals,
            **self.counts,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the *state* of another tally."""
        self.statistics = _restored_statistics(state["statistics"])
        for total, name in ((self._values, "values"), (self._values_upper, "values_upper")):
            total.add(state[name])
        for name, found in state["frameworks"].items():
            self._frameworks.setdefault(name, _FrameworkTally()).restore(found)
        self._sentences.restore(state["sentences"])
        self._solver_totals = type(self._solver_totals)(*state["solver_totals"])
        if state["ill_formed"] is not None:
            from exactmatch.scoring.ill_formed_counts import IllFormedCounts

            self.ill_formed = IllFormedCounts(*state["ill_formed"])
        self.counts = {name: state[name] for name, _, _ in COUNTERS if name in state}

    def summed_up(self, metric: Metric, settings: Settings, *, seconds: float) -> CorpusScore:
        """Return the score of the pairs added so far, by *metric* under *settings*."""
        self._add_up_proven()
        found = self.statistics
        order = [*metric.parts, *(part for part in found.breakdown if part not in metric.parts)]
        ranges = _ranges(found)
        return CorpusScore(
            metric=metric,
            signature=settings.signature(metric),
            settings=settings,
            seconds=seconds,
            **score_fields(metric, found),
            **self._counters(),
            ill_formed=self.ill_formed,
            breakdown={part: found.breakdown[part] for part in order if part in found.breakdown},
            ranges={part: ranges[part] for part in order if part in ranges},
            subscores=_asked_subscores(settings, found),
            sentences=self._sentences.summed_up() if settings.by_sentence else None,
            solver_totals=self._solver_totals if settings.is_by_name else None,
            frameworks={
                name: tally.summed_up(metric) for name, tally in sorted(self._frameworks.items())
            },
            macro_f1=self._mean(self._values),
            macro_f1_upper=self._mean(self._values_upper),
        )

    def _counters(self) -> dict[str, Any]:
        """Return the counters; those by solver are in the order of names."""
        return {
            name: dict(sorted(counted.items())) if isinstance(counted, dict) else counted
            for name, counted in self.counts.items()
        }

    def _mean(self, total: ExactSum) -> float:
        zero = 0 if self.ill_formed is None else self.ill_formed.zero
        pairs = self.counts.get("pairs", 0) + zero
        return total.total() / pairs if pairs else 0.0


def _with_one(counted: Any, more: int | str) -> Any:
    """Return a counter after a pair has added *more*: to a number, or to that of a solver."""
    if isinstance(more, str):
        by_solver = counted or {}
        return {**by_solver, more: by_solver.get(more, 0) + 1}
    return (counted or 0) + more


def _statistics_state(found: Statistics) -> Any:
    sums = {name: str(number) for name, number in found.sums.items()}
    ranges, subscores = dict(found.ranges), dict(found.subscores)
    return [*found[:4], dict(found.breakdown), sums, ranges, subscores]


def _restored_statistics(state: Any) -> Statistics:
    from fractions import Fraction

    from exactmatch.metrics.subscores.subscore import Subscore

    matched, matched_upper, system_total, gold_total, *parts = state
    breakdown, sums, ranges, subscores = parts
    return Statistics(
        matched,
        matched_upper,
        system_total,
        gold_total,
        {part: Counts(*numbers) for part, numbers in breakdown.items()},
        {name: Fraction(number) for name, number in sums.items()},
        {part: Range(*numbers) for part, numbers in ranges.items()},
        {name: Subscore(*numbers) for name, numbers in subscores.items()},
    )


def _ranges(found: Statistics) -> Mapping[str, Range]:
    """Return the ranges of parts; if pairs are not counted, those of the others."""
    late = int(found.sums.get(NOT_COUNTED, 0))
    if not late:
        return found.ranges
    parts = found.breakdown.items()
    return {part: Range(counts.matched, *counts, unknown=late) for part, counts in parts}


def _asked_subscores(settings: Settings, found: Statistics) -> "dict[str, Subscore]":
    """Return the requested subscores, including those that no pair has."""
    if settings.subscores is None:
        return {}
    from exactmatch.metrics.subscores.subscore import Subscore

    return {n: found.subscores.get(n, Subscore()) for n in settings.subscores.definitions}
