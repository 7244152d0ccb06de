"""Sum up the work of a solver that runs by name, over the pairs of a corpus."""

from typing import NamedTuple

from exactmatch.problem.solver_work import SolverWork


class SolverTotals(NamedTuple):
    """The progress of pairs by what a solver received, and by what it found itself.

    presolved: pairs that presolve solved entirely. met: pairs whose start met the bound. asked:
    calls of the solver. found, bounded: pairs with a mapping or a bound of the solver's own; lower,
    upper: the sums of these. closed: pairs where the two met. seconds: the total time until the
    solver had found them. late, large, not_loaded: calls without an answer, since time ended,
    memory ended, or the time for all pairs ended while the solver was loading. loading: the seconds
    that pairs waited for loading, beyond their limits. restarts: processes of the solver that were
    ended and replaced.
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

    @property
    def worked(self) -> int:
        """The pairs on which the solver worked: calls with an answer."""
        return self.asked - self.late - self.large - self.not_loaded

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
        )
