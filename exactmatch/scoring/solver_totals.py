"""Sum up the work of a solver that runs by name, over the pairs of a corpus."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from exactmatch.problem.solver_work import SolverWork, taken_by

if TYPE_CHECKING:
    from exactmatch.scoring.settings import Settings

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class SolverTotals(NamedTuple):
    """The progress of pairs by what a solver received, and by what it found itself.

    presolved: pairs that presolve solved entirely. met: pairs whose start met the bound. asked:
    calls of the solver. found, bounded: pairs with a mapping or a bound of the solver's own; lower,
    upper: the sums of these. closed: pairs where the two met. seconds: the total time until the
    solver had found them. late, large, not_loaded: calls without an answer, since time ended,
    memory ended, or the time for all pairs ended while the solver was loading. loading: the seconds
    that pairs waited for loading, beyond their limits. restarts: processes of the solver that were
    ended and replaced. never_loaded: calls after nobody waited for the solver to load any more.
    """

    presolved: int = 0
    met: int = 0
    asked: int = 0
    found: int = 0
    bounded: int = 0
    closed: int = 0
    lower: int = 0
    upper: int = 0
    seconds: float = 0.0
    late: int = 0
    large: int = 0
    not_loaded: int = 0
    loading: float = 0.0
    restarts: int = 0
    never_loaded: int = 0

    @property
    def worked(self) -> int:
        """The pairs on which the solver worked: calls with an answer."""
        return self.asked - self.late - self.large - self.not_loaded - self.never_loaded

    def plus(self, other: "SolverTotals") -> "SolverTotals":
        """Return the totals of both."""
        theirs = other._asdict()
        return SolverTotals(**{name: one + theirs[name] for name, one in self._asdict().items()})

    def with_pair(self, work: SolverWork) -> "SolverTotals":
        """Return the totals with one more pair."""
        own = work.own
        has_met = not work.asked and work.start is not None and work.start == work.bound
        return SolverTotals(
            presolved=self.presolved + (work.terms == 0),
            met=self.met + has_met,
            asked=self.asked + work.asked,
            found=self.found + (own.lower is not None),
            bounded=self.bounded + (own.upper is not None),
            closed=self.closed + (own.lower is not None and own.lower == own.upper),
            lower=self.lower + (own.lower or 0),
            upper=self.upper + (own.upper or 0),
            seconds=self.seconds + max(own.lower_seconds or 0.0, own.upper_seconds or 0.0),
            late=self.late + (work.failure == "late"),
            large=self.large + (work.failure == "large"),
            not_loaded=self.not_loaded + (work.failure == "not loaded"),
            loading=self.loading + work.loading,
            restarts=self.restarts + work.restarts,
            never_loaded=self.never_loaded + (work.failure == "never loaded"),
        )


class SolverRun(NamedTuple):
    """The work of the solver that *settings* name, on so many *pairs* that it was to solve.

    settings: None if no pair was to be solved by a solver by name.
    """

    settings: "Settings | None" = None
    pairs: int = 0
    solver_totals: SolverTotals = SolverTotals()

    def plus(self, other: "SolverRun") -> "SolverRun":
        """Return the work of both together."""
        totals = self.solver_totals.plus(other.solver_totals)
        return SolverRun(self.settings or other.settings, self.pairs + other.pairs, totals)


def with_run(task: _Task, function: Callable[[_Task], _Result]) -> tuple[_Result, SolverRun]:
    """Return the result of *function* for *task*, and the work of the solver meanwhile."""
    run = SolverRun()

    def take(work: SolverWork, settings: "Settings") -> None:
        nonlocal run
        run = SolverRun(settings, run.pairs + 1, run.solver_totals.with_pair(work))

    with taken_by(take):
        result = function(task)
    return result, run
