"""The strategy: the dual bound, branch and bound, and a solver for what is left open."""

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.certificate import proof_check
from exactmatch.encodings import get_encoding
from exactmatch.encodings.base import Outcome
from exactmatch.errors import UsageError, VerificationError
from exactmatch.problem import Mapping, MatchingProblem, Pair
from exactmatch.problem.interpreted import interpreted
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.dual.branch_and_bound import Proof, prove, quick_bound
from exactmatch.solving.names import AUTO, BRANCH_AND_BOUND, DUAL, EXACT, PRESOLVE
from exactmatch.solving.search.methods import METHODS, Starts, search, warm_start
from exactmatch.stopping.deadline import Deadline, OutOfTime

if TYPE_CHECKING:
    from exactmatch.solving.dual.counting import CountsProof

#: CP-SAT and SCIP say in floating point what they have found, SCIP with a relative error of 1e-9:
#: they are not asked where all weights add up to this or more.
_FLOATING = frozenset({"cpsat", "ilp", "ilp-paper"})
_LARGEST_TOTAL = 1 << 28
_NEVER = Deadline()
_EMPTY: Mapping = MappingProxyType({})
_USUAL = Budgets()


class Solution(NamedTuple):
    """A mapping of score *lower*, and that no mapping scores more than *upper*.

    *solver* names what closed the gap, or what worked on it last: `DUAL` for the bound of the
    problem as it is, `BRANCH_AND_BOUND` if that took several. *timed_out* tells that the time limit
    left a gap, *too_large* that the problem did not fit into the memory it may take. *proof* has
    been checked; where its bound is above *upper*, that one is but the word of *solver*.
    """

    lower: int
    upper: int
    mapping: dict[int, int]
    solver: str
    timed_out: bool
    proof: "Proof | CountsProof"
    too_large: bool = False

    @property
    def is_optimal(self) -> bool:
        """Whether the mapping is proven to be the best."""
        return self.lower == self.upper

    @property
    def is_certified(self) -> bool:
        """Whether the upper bound is that of a checked proof."""
        return self.upper == self.proof.upper


def solve(
    problem: MatchingProblem,
    *,
    method: str,
    starts: Starts = "all",
    solver: str,
    seed: int,
    deadline: Deadline,
    certify: bool = False,
    hint: Mapping = _EMPTY,
    likely: Callable[[], Sequence[Pair]] = tuple,
    budgets: Budgets = _USUAL,
) -> Solution:
    """Return a mapping and a bound for *problem*, the proof of the dual's bound checked.

    *method* is `EXACT` or a heuristic, and *starts* says what heuristics map; *solver* is one of
    `SOLVERS`, of use to the exact method alone. With *certify*, the dual proves what it can beside
    any other solver. *hint* is a mapping to start from, of use to the dual. *likely* tells which
    pairs look alike, for the smart initialisation of heuristics and warm starts. Raises `OutOfTime`
    if *deadline* comes before there is any bound, `UsageError` if *solver* cannot compute with the
    weights, and `VerificationError` if a proof does not hold or a solver contradicts itself.
    """
    if method != EXACT:
        return _search(problem, method, likely(), starts=starts, seed=seed, deadline=deadline)
    if solver in (AUTO, DUAL):
        return _solve_by_dual(problem, solver == AUTO, hint, budgets, seed=seed, deadline=deadline)
    if not can_hold(solver, problem):
        raise UsageError(
            f"{solver} computes in floating point, which cannot hold weights that add up to "
            f"{_LARGEST_TOTAL} or more; ask auto, dual, maxsat or brute"
        )
    quick = bounded(problem, deadline)
    hint = warm_start(problem, likely(), seed=seed, deadline=deadline.share(budgets.warm_start))
    outcome, used = _ask(solver, problem, hint, quick.upper, seed=seed, deadline=deadline)
    proof = quick
    if certify:
        proof = checked(problem, prove(problem, deadline, budgets=budgets.dual))
    outcome = outcome._replace(upper=min(outcome.upper, proof.upper))
    return _solution(outcome, used, outcome.lower < outcome.upper, proof)


def _solve_by_dual(
    problem: MatchingProblem,
    may_ask: bool,
    hint: Mapping,
    budgets: Budgets,
    *,
    seed: int,
    deadline: Deadline,
) -> Solution:
    """Solve *problem* by the dual, and what that leaves open by a solver, if it *may ask* one."""
    is_alone = not may_ask or _fastest(problem, budgets) is None
    share = deadline.share(budgets.proof_alone if is_alone else budgets.proof)
    rest_by = None if is_alone else deadline
    proof = checked(problem, prove(problem, share, hint, rest_by, budgets.dual))
    outcome = Outcome(proof.lower, proof.upper, proof.mapping)
    used = DUAL if proof.cases == 1 else BRANCH_AND_BOUND
    if proof.lower == proof.upper:
        return _solution(outcome, used, timed_out=False, proof=proof)
    rest = proof.rest
    late = share.passed()
    last = _fastest(rest, budgets) if may_ask else None
    if last is not None:
        late = True  # unless it closes the gap
        answer, used = _ask(last, rest, proof.mapping, proof.upper, seed=seed, deadline=deadline)
        outcome = outcome._replace(upper=max(proof.lower, answer.upper))
        if answer.lower > proof.lower:
            outcome = answer
    return _solution(outcome, used, late and outcome.lower < outcome.upper, proof)


def _search(
    problem: MatchingProblem,
    method: str,
    likely: Sequence[Pair],
    *,
    starts: Starts,
    seed: int,
    deadline: Deadline,
) -> Solution:
    quick = bounded(problem, deadline)
    mapping = search(problem, METHODS[method], likely, starts=starts, seed=seed, deadline=deadline)
    value = problem.value(mapping)
    late = value < quick.upper and deadline.passed()
    return _solution(Outcome(value, quick.upper, mapping), method, late, quick)


def bounded(problem: MatchingProblem, deadline: Deadline = _NEVER) -> Proof:
    """Return a quick bound on the score of any mapping, and its proof, which is checked.

    Raises `OutOfTime` if *deadline* comes first, and `VerificationError` if the proof is wrong.
    """
    return checked(problem, quick_bound(problem, deadline))


def checked(problem: MatchingProblem, proof: Proof) -> Proof:
    """Return *proof* if it shows the bound that it claims, else raise `VerificationError`."""
    shown = _checking("bound", problem, proof.node)
    if not proof.lower <= shown <= proof.upper:
        raise VerificationError(
            f"a proof shows a bound of {shown}, not {proof.upper}; a mapping scores {proof.lower}"
        )
    if proof.rest is not problem:
        _check_rest(problem, proof)
    return proof


def _check_rest(problem: MatchingProblem, proof: Proof) -> None:
    """Raise `VerificationError` if a mapping that scores more may need terms not in the rest."""
    fixed = _checking("fixed", problem, proof.root, proof.lower)
    rest = set(proof.rest.terms)
    for term in problem.terms:
        if term not in rest and fixed.isdisjoint(term.pairs):
            raise VerificationError("a term was left out that a better mapping may score")


def _checking(what: str, problem: MatchingProblem, *arguments: Any) -> Any:
    """Call a function of `proof_check`, compiled or, where numbers are too large, interpreted.

    Raises `VerificationError` if it refuses the proof.
    """
    pair = (problem.n_left, problem.n_right, problem.arrays)
    try:
        try:
            return getattr(proof_check, what)(*pair, *arguments)
        except OverflowError:
            wide = interpreted("exactmatch.certificate.proof_check")
            return getattr(wide, what)(*pair, *arguments)
    except (LookupError, TypeError, ValueError) as error:
        raise VerificationError(f"a proof is wrong: {error}") from error


def _ask(
    solver: str,
    problem: MatchingProblem,
    hint: dict[int, int],
    upper: int,
    *,
    seed: int,
    deadline: Deadline,
) -> tuple[Outcome, str]:
    """Have *solver* work on what the presolve leaves, from the mapping *hint*.

    Returns what came out, and whether it was the solver or the presolve alone.
    """
    from exactmatch.solving.presolve import presolve

    known = Outcome(problem.value(hint), upper, hint)
    presolved = presolve(problem, deadline)
    gained = presolved.gained
    if not presolved.problem.n_terms:
        return Outcome(gained, gained, presolved.undo({})), PRESOLVE
    left = set(presolved.problem.candidates)
    try:
        answer = get_encoding(solver).solve(
            presolved.problem,
            hint={i: j for i, j in hint.items() if (i, j) in left},
            upper=upper - gained,
            deadline=deadline,
            seed=seed,
        )
    except OutOfTime:
        return known, solver
    upper = min(upper, answer.upper + gained)
    lower = answer.lower + gained
    if lower < known.lower:
        return Outcome(known.lower, upper, hint), solver
    return Outcome(lower, upper, presolved.undo(answer.mapping)), solver


def _fastest(problem: MatchingProblem, budgets: Budgets) -> str | None:
    """Return the solver that is fastest on problems of this size (encodings/README.md), if any."""
    if problem.n_terms <= budgets.maxsat_terms:
        return "maxsat"
    is_fit = problem.n_terms <= budgets.solver_terms and can_hold("ilp", problem)
    return "ilp" if is_fit else None


def can_hold(solver: str, problem: MatchingProblem) -> bool:
    """Tell whether *solver* can compute with the weights of *problem*."""
    return solver not in _FLOATING or problem.total < _LARGEST_TOTAL


def confirm(problem: MatchingProblem, solution: Solution, *, seed: int, deadline: Deadline) -> bool:
    """Solve *problem* again, from nothing, with a solver of another kind than the first one.

    Returns whether it proved the same optimum; it may run out of time first, or not be able to
    compute with such weights. Raises `VerificationError` if what it found contradicts *solution*.
    """
    second = "cpsat" if solution.solver.startswith("ilp") else "ilp"
    if not can_hold(second, problem):
        return False
    try:
        outcome = get_encoding(second).solve(
            problem, hint={}, upper=problem.total, deadline=deadline, seed=seed
        )
    except OutOfTime:
        return False
    if outcome.lower > solution.upper or outcome.upper < solution.lower:
        raise VerificationError(
            f"{solution.solver} found the optimum in [{solution.lower}, {solution.upper}], "
            f"{second} in [{outcome.lower}, {outcome.upper}]"
        )
    return solution.is_optimal and outcome.lower == outcome.upper


def _solution(outcome: Outcome, solver: str, timed_out: bool, proof: Proof) -> Solution:
    lower, upper, mapping, _ = outcome
    if lower > upper:
        raise VerificationError(f"{solver}: a mapping scores {lower}, above the bound {upper}")
    if len(set(mapping.values())) != len(mapping):
        raise VerificationError(f"{solver}: a mapping is not one-to-one")
    return Solution(lower, upper, mapping, solver, timed_out, proof)
