"""The order of battle: warm start, cheap bound, and a solver only for what is left open."""

from dataclasses import dataclass
from importlib.metadata import version

from exactmatch.bounds.assignment import assignment_bound
from exactmatch.deadline import Deadline
from exactmatch.encodings import get_encoding
from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem, Outcome
from exactmatch.search.methods import METHODS, search, warm_start

#: The method that proves its result; the others are the heuristics in `METHODS`.
EXACT = "exact"

_SOLVER = "cpsat"
_SECOND_SOLVER = "ilp"


@dataclass(frozen=True, slots=True)
class Solution:
    """A mapping of score *lower*, and that no mapping scores more than *upper*.

    *solver* names what closed the gap, or what worked on it last. *timed_out* tells that the
    time limit left a gap.
    """

    lower: int
    upper: int
    mapping: dict[int, int]
    solver: str
    timed_out: bool

    @property
    def is_optimal(self) -> bool:
        """Whether the mapping is proven to be the best."""
        return self.lower == self.upper


def solve(problem: MatchingProblem, *, method: str, seed: int, deadline: Deadline) -> Solution:
    """Return a mapping and a bound for *problem*, by the *method* called so.

    Raises `VerificationError` if a solver contradicts itself.
    """
    upper, suggested = assignment_bound(problem)
    if method != EXACT:
        mapping = search(problem, METHODS[method], seed=seed, deadline=deadline)
        return _solution(Outcome(problem.value(mapping), upper, mapping), method, deadline.passed())
    climbed = warm_start(problem, seed=seed, deadline=deadline)
    mapping = max(climbed, suggested, key=problem.value)
    outcome = Outcome(problem.value(mapping), upper, mapping)
    solver = "bound"
    if outcome.lower < outcome.upper and not deadline.passed():
        solver = _SOLVER
        outcome = get_encoding(solver).solve(
            problem, hint=mapping, upper=upper, deadline=deadline, seed=seed
        )
    return _solution(outcome, solver, outcome.lower < outcome.upper)


def confirm(problem: MatchingProblem, solution: Solution, *, seed: int, deadline: Deadline) -> bool:
    """Solve *problem* again with a solver of another kind that knows nothing of *solution*.

    Returns whether it proved the same optimum; it may run out of time first. Raises
    `VerificationError` if what it found contradicts *solution*.
    """
    every_term = sum(term.weight for term in problem.terms)
    outcome = get_encoding(_SECOND_SOLVER).solve(
        problem, hint={}, upper=every_term, deadline=deadline, seed=seed
    )
    if outcome.lower > solution.upper or outcome.upper < solution.lower:
        raise VerificationError(
            f"{solution.solver} found the optimum in [{solution.lower}, {solution.upper}], "
            f"{_SECOND_SOLVER} in [{outcome.lower}, {outcome.upper}]"
        )
    return solution.is_optimal and outcome.lower == outcome.upper


def solver_versions() -> str:
    """Return name and version of the package that `solve` and `confirm` take solvers from."""
    return f"ortools-{version('ortools')}"


def _solution(outcome: Outcome, solver: str, timed_out: bool) -> Solution:
    lower, upper, mapping = outcome
    if lower > upper:
        raise VerificationError(f"{solver}: a mapping scores {lower}, above the bound {upper}")
    if len(set(mapping.values())) != len(mapping):
        raise VerificationError(f"{solver}: a mapping is not one-to-one")
    return Solution(lower, upper, mapping, solver, timed_out)
