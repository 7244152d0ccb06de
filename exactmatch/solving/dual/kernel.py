"""Which form of the kernel computes: compiled, or interpreted for numbers beyond 64 bits."""

from exactmatch.problem import MatchingProblem
from exactmatch.problem.interpreted import interpreted
from exactmatch.solving.dual.integers import COMPILED, LARGEST_TOTAL
from exactmatch.solving.dual.layout import Relaxation
from exactmatch.stopping.deadline import Deadline

_MODULES = ("integers", "assignment", "lagrangian", "primal_heuristic", "layout")


def relax(problem: MatchingProblem, deadline: Deadline) -> Relaxation:
    """Return the relaxation of *problem*, of the kind that can hold its weights.

    Raises `OutOfTime` if *deadline* comes first; all that is done with it raises that as well.
    """
    if COMPILED and problem.total >= LARGEST_TOTAL:
        wide: Relaxation = interpreted("exactmatch.solving.dual", *_MODULES).Relaxation(
            problem, deadline
        )
        return wide
    return Relaxation(problem, deadline)
