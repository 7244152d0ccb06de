"""The order of battle: reduction, warm start, cheap bound, and a solver for what is left open."""

from dataclasses import dataclass
from importlib.metadata import version

from exactmatch.bounds.assignment import assignment_bound
from exactmatch.deadline import Deadline, OutOfTime
from exactmatch.encoding import Outcome
from exactmatch.encodings import NAMES, get_encoding
from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem
from exactmatch.reduction import reduce
from exactmatch.search.methods import METHODS, search, warm_start

#: The method that proves its result; the others are the heuristics in `METHODS`.
EXACT = "exact"

AUTO = "auto"
BOUND = "bound"
#: What may prove a result: whatever is fastest, the bound alone, or a solver on its own.
SOLVERS = (AUTO, BOUND, *NAMES)

#: Above this many terms, RC2 is no longer the fastest, and on some problems far from it.
_MOST_TERMS_FOR_MAXSAT = 500
#: The warm start may take this part of the time, lest nothing is left for the proof.
_WARM_UP = 0.3


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


def solve(
    problem: MatchingProblem, *, method: str, solver: str, seed: int, deadline: Deadline
) -> Solution:
    """Return a mapping and a bound for *problem*.

    *method* is `EXACT` or a heuristic, *solver* one of `SOLVERS`, of use to the exact method
    alone. Raises `VerificationError` if a solver contradicts itself.
    """
    if method != EXACT:
        return _search(problem, method, seed=seed, deadline=deadline)
    reduction = reduce(problem, deadline)
    outcome, used = _prove(reduction.problem, solver, seed=seed, deadline=deadline)
    whole = Outcome(
        outcome.lower + reduction.gained,
        outcome.upper + reduction.gained,
        reduction.undo(outcome.mapping),
    )
    return _solution(whole, used, outcome.lower < outcome.upper and used != BOUND)


def _search(problem: MatchingProblem, method: str, *, seed: int, deadline: Deadline) -> Solution:
    upper, _ = assignment_bound(problem, deadline)
    mapping = search(problem, METHODS[method], seed=seed, deadline=deadline)
    value = problem.value(mapping)
    late = value < upper and deadline.passed()
    return _solution(Outcome(value, upper, mapping), method, late)


def _prove(
    problem: MatchingProblem, solver: str, *, seed: int, deadline: Deadline
) -> tuple[Outcome, str]:
    """Return what is proven of a reduced problem, and by what."""
    if not problem.terms:
        return Outcome(0, 0, {}), "reduction"
    bound, suggested = assignment_bound(problem, deadline)
    climbed = warm_start(problem, seed=seed, deadline=deadline.share(_WARM_UP))
    mapping = max(climbed, suggested, key=problem.value)
    value = problem.value(mapping)
    if solver in (AUTO, BOUND) and (value == bound or solver == BOUND):
        return Outcome(value, bound, mapping), BOUND
    used = _fastest(problem) if solver == AUTO else solver
    # A solver that is asked for by name has to find its own bound.
    upper = bound if solver == AUTO else sum(term.weight for term in problem.terms)
    try:
        found = get_encoding(used).solve(
            problem, hint=mapping, upper=upper, deadline=deadline, seed=seed
        )
    except OutOfTime:
        found = Outcome(value, upper, mapping)
    return Outcome(found.lower, min(found.upper, bound), found.mapping), used


def _fastest(problem: MatchingProblem) -> str:
    """Return the solver that is fastest on problems of this size (encodings/README.md)."""
    return "maxsat" if len(problem.terms) <= _MOST_TERMS_FOR_MAXSAT else "ilp"


def confirm(problem: MatchingProblem, solution: Solution, *, seed: int, deadline: Deadline) -> bool:
    """Solve *problem* again, from nothing, with a solver of another kind than the first one.

    Returns whether it proved the same optimum; it may run out of time first. Raises
    `VerificationError` if what it found contradicts *solution*.
    """
    every_term = sum(term.weight for term in problem.terms)
    second = "cpsat" if solution.solver.startswith("ilp") else "ilp"
    try:
        outcome = get_encoding(second).solve(
            problem, hint={}, upper=every_term, deadline=deadline, seed=seed
        )
    except OutOfTime:
        return False
    if outcome.lower > solution.upper or outcome.upper < solution.lower:
        raise VerificationError(
            f"{solution.solver} found the optimum in [{solution.lower}, {solution.upper}], "
            f"{second} in [{outcome.lower}, {outcome.upper}]"
        )
    return solution.is_optimal and outcome.lower == outcome.upper


def solver_versions() -> str:
    """Return names and versions of the packages that `solve` and `confirm` take solvers from."""
    return "+".join(f"{package}-{version(package)}" for package in ("ortools", "python-sat"))


def _solution(outcome: Outcome, solver: str, timed_out: bool) -> Solution:
    lower, upper, mapping = outcome
    if lower > upper:
        raise VerificationError(f"{solver}: a mapping scores {lower}, above the bound {upper}")
    if len(set(mapping.values())) != len(mapping):
        raise VerificationError(f"{solver}: a mapping is not one-to-one")
    return Solution(lower, upper, mapping, solver, timed_out)
