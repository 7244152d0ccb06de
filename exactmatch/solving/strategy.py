"""Choose how to solve a problem: the dual bound, branch and bound, then a solver."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.certificate import proof_check
from exactmatch.encodings import PROVER
from exactmatch.encodings.base import Outcome, OutOfMemory
from exactmatch.errors import UsageError, VerificationError, WorkerError
from exactmatch.problem import Mapping, MatchingProblem, Pair
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.solver_work import SolverWork
from exactmatch.solving.asking import (
    LARGEST_TOTAL,
    LINEAR,
    ask,
    ask_by_name,
    can_hold,
    presolve_briefly,
    run,
)
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.dual.branch_and_bound import Proof, prove, quick_bound
from exactmatch.solving.names import AUTO, BOUND, BRANCH_AND_BOUND, DUAL, EXACT
from exactmatch.solving.search.methods import METHODS, search
from exactmatch.solving.settings import SolverSettings
from exactmatch.stopping.deadline import NEVER, Deadline, OutOfTime

if TYPE_CHECKING:
    from exactmatch.solving.dual.counting import CountsProof

_EMPTY: Mapping = MappingProxyType({})


class Solution(NamedTuple):
    """A mapping of score *lower*, and an upper bound *upper* on all mappings.

    *solver* names what closed the gap, or what worked on it last: `DUAL` for the bound of the
    problem as it is, `BRANCH_AND_BOUND` if that took several cases. *timed_out* tells that the time
    limit left a gap, *too_large* that the problem exceeds the memory limit. *proof* has been
    checked; if its bound is above *upper*, then *upper* is only claimed by *solver*. *work* is what
    a solver asked for by name received and found.
    """

    lower: int
    upper: int
    mapping: dict[int, int]
    solver: str
    timed_out: bool
    proof: "Proof | CountsProof"
    too_large: bool = False
    work: SolverWork | None = None

    @property
    def is_optimal(self) -> bool:
        """Whether the mapping is proven to be the best."""
        return self.lower == self.upper

    @property
    def is_checked(self) -> bool:
        """Whether a checked proof gives the upper bound, or a tighter one."""
        return self.upper >= self.proof.upper


def solve(
    problem: MatchingProblem,
    settings: SolverSettings,
    *,
    is_derived: bool = False,
    hint: Mapping = _EMPTY,
    likely: Callable[[], Sequence[Pair]] = tuple,
) -> Solution:
    """Return a mapping and a bound for *problem*, the proof of the dual's bound checked.

    *hint* is a start mapping for the dual. *likely* returns the similar pairs, for the smart
    initialisation of heuristics and warm starts. Raises `OutOfTime` if the deadline comes before
    there is any bound, `UsageError` if the solver cannot compute with the weights, and
    `VerificationError` if a proof does not hold or a solver contradicts itself. A problem that *is
    derived* from a pair has larger weights than the user knows: `AUTO` replaces a solver that
    cannot compute with them.
    """
    if settings.method != EXACT:
        return _search(problem, likely(), settings)
    if is_derived and not can_hold(settings.solver, problem):
        settings = settings._replace(solver=AUTO)
    if settings.solver in (AUTO, DUAL):
        return _solve_by_dual(problem, hint, settings)
    if not can_hold(settings.solver, problem):
        raise UsageError(
            f"{settings.solver} computes in floating point, which cannot represent weights that "
            f"add up to {LARGEST_TOTAL} or more; use auto, dual, maxsat or brute"
        )
    return _solve_by_name(problem, likely, settings)


def _solve_by_name(
    problem: MatchingProblem,
    likely: Callable[[], Sequence[Pair]],
    settings: SolverSettings,
) -> Solution:
    """Solve *problem* by the solver that was asked for by name.

    The first dual bound checks the outcome, even if the solver does not receive it.
    """
    quick = bounded(problem, settings.deadline)
    if problem.n_terms > settings.budgets.load_early:
        from exactmatch.solving.solver_process import load_early

        load_early(settings.solver)
    upper = quick.upper if settings.may_use(BOUND) else problem.total
    answer = ask_by_name(problem, upper, likely, settings)
    outcome, used, work, too_large = answer
    proof = _certified(problem, outcome, quick, settings) if settings.certify else quick
    for known in (quick, proof):
        if outcome.lower > known.upper or outcome.upper < known.lower:
            raise VerificationError(
                f"{used} found the optimum in [{outcome.lower}, {outcome.upper}], but a mapping "
                f"scores {known.lower}, and a checked proof bounds all mappings by {known.upper}"
            )
    if settings.certify:
        outcome = outcome._replace(upper=min(outcome.upper, proof.upper))
    is_open = outcome.lower < outcome.upper
    solution = _solution(outcome, used, is_open and not too_large, proof)
    return solution._replace(too_large=is_open and too_large, work=work)


class _SolvingState(NamedTuple):
    """What is known of a problem, what *used* method has found it last, and the best *proof*."""

    outcome: Outcome
    used: str
    proof: Proof

    @property
    def is_open(self) -> bool:
        """Whether the mapping may not be the best."""
        return self.outcome.lower < self.outcome.upper

    def needs_more(self, certify: bool) -> bool:
        """Tell whether a gap is left or, if this has to be checked, a bound without a proof."""
        return self.is_open or (certify and self.proof.upper > self.outcome.upper)


def _solve_by_dual(problem: MatchingProblem, hint: Mapping, settings: SolverSettings) -> Solution:
    """Solve *problem* by the dual, and the rest by further steps, unless it is `DUAL` alone."""
    deadline, budgets = settings.deadline, settings.budgets
    may_ask = settings.solver == AUTO and _fastest(problem, budgets) is not None
    share = deadline.share(budgets.proof if may_ask else budgets.proof_alone)
    rest_by, effort = (deadline, budgets.effort) if may_ask else (None, None)
    proof = checked(problem, prove(problem, share, hint, rest_by, budgets.dual, effort))
    state = _SolvingState(Outcome(proof.lower, proof.upper, proof.mapping), _method(proof), proof)
    last = _fastest(proof.rest, budgets) if may_ask and state.is_open else None
    if last is None:
        return _solution(state.outcome, state.used, state.is_open and share.passed(), proof)
    state = _continued(state, _steps(problem, last, proof, settings), settings)
    return _solution(state.outcome, state.used, state.is_open, state.proof)


_Step = Callable[[_SolvingState, SolverSettings], _SolvingState]
#: Steps, each with its part of the time that is left when it begins.
_Steps = list[tuple[float, _Step]]


def _continued(state: _SolvingState, steps: _Steps, settings: SolverSettings) -> _SolvingState:
    """Return what *steps* add to *state*, as long as there is something to do, and time."""
    deadline = settings.deadline
    for part, step in steps:
        if state.needs_more(settings.certify) and not deadline.passed():
            state = step(state, settings._replace(deadline=deadline.share(part)))
    return state


def _steps(problem: MatchingProblem, solver: str, first: Proof, settings: SolverSettings) -> _Steps:
    """Return the steps that follow the *first* proof.

    On terms of two pairs, linear relaxations prove what CP-SAT does not prove soon, and from their
    mapping. On larger terms, their bounds are weak: they only check what a solver has proven.
    """
    budgets, certify = settings.budgets, settings.certify
    ask = partial(_rest_asked, solver, first)
    relax, descend = _proofs(problem, budgets)
    has_pairs = first.rest.largest_term <= 2
    is_linear = _has_relaxations(problem, budgets)
    if has_pairs and is_linear:
        ask_anew = partial(_rest_asked, solver, first, from_known=False)
        part = budgets.solver if certify else 1.0
        return [(budgets.solver_first, ask), relax, (part, ask_anew), descend]
    if has_pairs or certify:
        return [(budgets.solver, ask), relax, descend]
    return [(1.0, ask), descend]


def _proofs(problem: MatchingProblem, budgets: Budgets) -> _Steps:
    """Return the steps that prove a known mapping: by linear relaxations, and by the dual."""
    part = budgets.proof_alone
    return [
        (part, partial(_proven_again, prove_by, problem))
        for prove_by in (_proof_by_relaxations, _proof_by_dual)
    ]


def _method(proof: Proof) -> str:
    return DUAL if proof.cases == 1 else BRANCH_AND_BOUND


def _rest_asked(
    solver: str,
    first: Proof,
    state: _SolvingState,
    settings: SolverSettings,
    *,
    from_known: bool = True,
) -> _SolvingState:
    """Return what *solver* makes of the rest of a problem after its *first* proof, if it is open.

    If presolve leaves nothing of the rest, that is named instead. The solver begins with the known
    mapping, if it is asked *from known*. A closed gap is left as it is.
    """
    if not state.is_open:
        return state
    rest, (lower, upper, mapping, *_) = first.rest, state.outcome
    known = Outcome(rest.value(mapping), upper, mapping if from_known else {})
    answer, used, _, _ = ask(solver, rest, known, presolve_briefly(rest, settings), settings)
    upper = max(lower, answer.upper)
    if answer.lower > lower:
        return _SolvingState(answer._replace(upper=upper), used, state.proof)
    return _SolvingState(Outcome(lower, upper, mapping), used, state.proof)


def _certified(
    problem: MatchingProblem, known: Outcome, quick: Proof, settings: SolverSettings
) -> Proof:
    """Return the best checked proof for the *known* result of a solver, *quick* at least."""
    state = _proven_again(_proof_by_effort, problem, _SolvingState(known, "", quick), settings)
    return _continued(state, _proofs(problem, settings.budgets), settings).proof


_ProofBy = Callable[[MatchingProblem, Outcome, SolverSettings], Proof | None]


def _proven_again(
    prove_by: _ProofBy, problem: MatchingProblem, state: _SolvingState, settings: SolverSettings
) -> _SolvingState:
    """Return *state* with what a proof adds that begins with the known mapping, if there is one."""
    proof = None
    with suppress(OutOfTime):
        proof = prove_by(problem, state.outcome, settings)
        if proof is not None:
            proof = checked(problem, proof)
    if proof is None:
        return state
    upper = min(state.outcome.upper, proof.upper)
    return _SolvingState(
        Outcome(proof.lower, upper, proof.mapping),
        _method(proof) if proof.upper == upper else state.used,
        min(proof, state.proof, key=lambda each: each.upper),
    )


def _proof_by_effort(
    problem: MatchingProblem, known: Outcome, settings: SolverSettings
) -> Proof | None:
    """Return the proof by so much work of the dual as comes before a solver. Raises `OutOfTime`."""
    budgets, deadline = settings.budgets, settings.deadline
    return prove(problem, deadline, known.mapping, None, budgets.dual, effort=budgets.effort)


def _proof_by_dual(
    problem: MatchingProblem, known: Outcome, settings: SolverSettings
) -> Proof | None:
    """Return the proof by the dual alone. Raises `OutOfTime`."""
    return prove(problem, settings.deadline, known.mapping, None, settings.budgets.dual)


def _has_relaxations(problem: MatchingProblem, budgets: Budgets) -> bool:
    """Tell whether linear relaxations of *problem* are solved fast."""
    return problem.n_terms <= budgets.linear_terms and can_hold(PROVER, problem)


def _proof_by_relaxations(
    problem: MatchingProblem, known: Outcome, settings: SolverSettings
) -> Proof | None:
    """Return the proof by linear relaxations; None if they fail, or are too large.

    If only a better mapping is found, the proof leaves a gap. Raises `OutOfTime` if the deadline
    comes before there is a rest for them.
    """
    if not _has_relaxations(problem, settings.budgets):
        return None
    from exactmatch.solving.linear_proof import Remainder

    remainder = Remainder(
        problem,
        known.mapping,
        settings.deadline,
        settings.budgets.dual,
        may_be_better=known.lower < known.upper,
    )
    rest, hint = remainder.rest, remainder.hint
    proof = None
    with suppress(OutOfTime, OutOfMemory, WorkerError):
        proof = remainder.proof(run(PROVER, rest, hint, known.upper, settings))
    return proof or remainder.open_proof()


def _search(problem: MatchingProblem, likely: Sequence[Pair], settings: SolverSettings) -> Solution:
    method, deadline = settings.method, settings.deadline
    quick = bounded(problem, deadline)
    mapping = search(
        problem,
        METHODS[method],
        likely,
        starts=settings.starts,
        seed=settings.seed,
        deadline=deadline,
    )
    value = problem.value(mapping)
    late = value < quick.upper and deadline.passed()
    return _solution(Outcome(value, quick.upper, mapping), method, late, quick)


def bounded(problem: MatchingProblem, deadline: Deadline = NEVER) -> Proof:
    """Return a quick upper bound on the score, and its checked proof.

    Raises `OutOfTime` if *deadline* comes first, and `VerificationError` if the proof is wrong.
    """
    return checked(problem, quick_bound(problem, deadline))


def checked(problem: MatchingProblem, proof: Proof) -> Proof:
    """Return *proof* if it shows its claimed bound; otherwise raise `VerificationError`."""
    shown = _checking("bound", problem, proof.node)
    if not proof.lower <= shown <= proof.upper:
        raise VerificationError(
            f"a proof gives the bound {shown}, not {proof.upper}; a mapping scores {proof.lower}"
        )
    if proof.rest is not problem:
        _check_rest(problem, proof)
    return proof


def _check_rest(problem: MatchingProblem, proof: Proof) -> None:
    """Raise `VerificationError` if a better mapping may need terms outside the rest."""
    fixed = _checking("fixed", problem, proof.root, proof.lower)
    rest = proof.rest.each_term()  # in the order of the problem
    kept = next(rest, None)
    for term in problem.each_term():
        if term == kept:
            kept = next(rest, None)
        elif fixed.isdisjoint(term.pairs):
            raise VerificationError("a term was left out that a better mapping may score")
    if kept is not None:
        raise VerificationError("a term was kept that the problem does not have")


def _checking(what: str, problem: MatchingProblem, *arguments: Any) -> Any:
    """Call a function of `proof_check`: compiled, or interpreted if numbers are too large.

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


def _fastest(problem: MatchingProblem, budgets: Budgets) -> str | None:
    """Return the solver that is fastest on problems of this size (encodings/README.md), if any."""
    if problem.n_terms <= budgets.maxsat_terms:
        is_small = problem.n_terms <= budgets.maxsat_terms_larger
        if is_small or problem.largest_term <= 2 or not can_hold("cpsat", problem):
            return "maxsat"
    if problem.n_terms > budgets.solver_terms:
        return None
    has_pairs = problem.largest_term <= 2
    solver = "highs" if has_pairs and problem.n_terms > budgets.linear_terms else "cpsat"
    return solver if can_hold(solver, problem) else None


def confirm(problem: MatchingProblem, solution: Solution, settings: SolverSettings) -> bool:
    """Solve *problem* again from scratch, with another kind of solver than the first one.

    Returns whether it proved the same optimum; it may run out of time or memory first, or not be
    able to represent the weights. Raises `VerificationError` if its result contradicts *solution*.
    """
    second = "cpsat" if solution.solver in LINEAR else "ilp"
    if not can_hold(second, problem):
        return False
    try:
        outcome = run(second, problem, {}, problem.total, settings)
    except (OutOfTime, OutOfMemory):
        return False
    if outcome.lower > solution.upper or outcome.upper < solution.lower:
        raise VerificationError(
            f"{solution.solver} found the optimum in [{solution.lower}, {solution.upper}], "
            f"{second} in [{outcome.lower}, {outcome.upper}]"
        )
    return solution.is_optimal and outcome.lower == outcome.upper


def _solution(outcome: Outcome, solver: str, timed_out: bool, proof: Proof) -> Solution:
    lower, upper, mapping, *_ = outcome
    if lower > upper:
        raise VerificationError(f"{solver}: a mapping scores {lower}, above the bound {upper}")
    return Solution(lower, upper, mapping, solver, timed_out, proof)
