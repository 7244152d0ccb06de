"""Who did what of the pairs of a corpus, where a solver was asked for by name."""

from typing import NamedTuple

from exactmatch.problem.solver_work import SolverWork


class SolverTotals(NamedTuple):
    """How far pairs came by what a solver was given, and what it found by itself.

    presolved: pairs of which the presolve left nothing. met: the start met the bound. asked: the
    solver was called. found, bounded: it had a mapping or a bound of its own; lower, upper: the
    sums of these. closed: the two met. seconds: until it had found them, in all.
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

    def with_pair(self, work: SolverWork) -> "SolverTotals":
        """Return the same with one pair more."""
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
        )
