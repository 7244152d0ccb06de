"""The result of a pair of graphs, as a worker of a study sends it: no arrays, and no NumPy."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from exactmatch.metrics.base import Statistics
from exactmatch.metrics.counts import Range, Score, score_of
from exactmatch.problem.solver_work import SolverWork
from exactmatch.scoring.results import PairScore

#: Properties of a pair, as bits of a number.
OPTIMAL, CERTIFIED, TIMED_OUT, EMPTIED, TOO_LARGE, SHORTENED, CHECKED = 1, 2, 4, 8, 16, 32, 64


class PairRow(NamedTuple):
    """The numbers of a scored pair; *flags* are bits (`OPTIMAL` and so on)."""

    matched: int
    matched_upper: int
    system_total: int
    gold_total: int
    flags: int
    solver: str
    seconds: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.system_total + self.gold_total
        return 2 * self.matched / total if total else 0.0

    @property
    def score(self) -> Score:
        """The counts as a score."""
        return score_of(self)

    @classmethod
    def of(cls, score: PairScore) -> Self:
        """Return the row of the score of a pair that was not skipped."""
        held = (
            (OPTIMAL, score.status == "optimal"),
            (CERTIFIED, score.certified),
            (CHECKED, score.checked),
            (TIMED_OUT, score.timed_out),
            (SHORTENED, score.left_out > 0),
            (EMPTIED, score.emptied),
            (TOO_LARGE, score.too_large),
        )
        return cls(
            score.matched,
            score.matched_upper,
            score.system_total,
            score.gold_total,
            sum(flag for flag, holds in held if holds),
            score.solver,
            score.seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOutcome:
    """The result of a pair of graphs: its numbers, and its certificate if it was asked for.

    statistics: further inputs of the metric's formula; None if the metric divides counts.
    ranges: the matches of each part under the best mappings, if asked for.
    work: that of a solver that runs by name; None for others.
    """

    row: PairRow
    certificate: str | None = None
    statistics: Statistics | None = None
    ranges: Mapping[str, Range] = field(default_factory=dict)
    work: SolverWork | None = None

    @classmethod
    def of(cls, score: PairScore) -> "PairOutcome":
        """Return the result of a scored pair."""
        return PairOutcome(
            row=PairRow.of(score),
            certificate=score.all_certificates,
            statistics=None if score.figures is None else score.measurement.statistics,
            ranges=score.ranges,
            work=score.work,
        )
