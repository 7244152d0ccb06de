"""Choose how to solve a problem: the dual bound, branch and bound, then a solver."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.certificate import proof_check
from exactmatch.encodings import NAMES, PROVER
from exactmatch.encodings.base import NeverLoaded, NotLoaded, Outcome, OutOfMemory
from exactmatch.errors import UsageError, VerificationError, WorkerError
from exactmatch.problem import Mapping, MatchingProblem, Pair
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.solver_work import Failure, SolverWork
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.dual.branch_and_bound import Proof, prove, quick_bound
from exactmatch.solving.names import (
    AUTO,
    BOUND,
    BRANCH_AND_BOUND,
    DUAL,
    EXACT,
    PRESOLVE,
    START,
    usually_given,
)
from exactmatch.solving.search.methods import METHODS, Starts, search, warm_start
from exactmatch.stopping.deadline import NEVER, Deadline, OutOfTime

if TYPE_CHECKING:
    from exactmatch.solving.dual.counting import CountsProof
    from exactmatch.solving.presolve import Presolved

#: Solvers of integer linear programs.
_LINEAR = frozenset({"highs", "ilp", "ilp-paper"})
#: These report results in floating point, SCIP with a relative error of 1e-9: they are not used if
#: all weights add up to this or more.
_FLOATING = _LINEAR | {"cpsat", PROVER}
_LARGEST_TOTAL = 1 << 28
_EMPTY: Mapping = MappingProxyType({})
_USUAL = Budgets()


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


class SolverSettings(NamedTuple):
    """The settings of `solve`: its method and solver, and their limits.

    method: `EXACT` or a heuristic. starts: the mappings that heuristics start from.
    solver: one of `SOLVERS`, for the exact method only.
    given: the parts of `GIVEN` that a solver in `NAMES` receives; None is the usual ones.
    certify: whether the dual proves as much as it can besides any other solver.
    seed: of random choices.
    deadline, memory: the end of the work, and the bytes that it may take; None is no limit.
    budgets: limits that do not depend on the clock.
    """

    method: str = EXACT
    starts: Starts = "all"
    solver: str = AUTO
    given: Sequence[str] | None = None
    certify: bool = False
    seed: int = 0
    deadline: Deadline = NEVER
    memory: int | None = None
    budgets: Budgets = _USUAL

    @property
    def is_by_name(self) -> bool:
        """Whether one solver alone has to find the result."""
        return self.method == EXACT and self.solver in NAMES

    def may_use(self, part: str) -> bool:
        """Tell whether the result may rest on a part of `GIVEN`."""
        parts = usually_given(self.solver) if self.given is None else self.given
        return part in parts or not self.is_by_name


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
            f"add up to {_LARGEST_TOTAL} or more; use auto, dual, maxsat or brute"
        )
    return _solve_by_name(problem, likely, settings)


class _Answer(NamedTuple):
    """The outcome of a solver, its name, and whether memory ran out."""

    outcome: Outcome
    used: str
    work: SolverWork
    too_large: bool = False


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
    answer = _ask(problem, upper, likely, settings)
    outcome, used, work, too_large = answer
    proof = _certified(problem, outcome, settings) if settings.certify else quick
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


class _State(NamedTuple):
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


_Step = Callable[[_State, SolverSettings], _State]


def _solve_by_dual(problem: MatchingProblem, hint: Mapping, settings: SolverSettings) -> Solution:
    """Solve *problem* by the dual, and the rest by further steps, unless it is `DUAL` alone."""
    deadline, budgets = settings.deadline, settings.budgets
    may_ask = settings.solver == AUTO and _fastest(problem, budgets) is not None
    share = deadline.share(budgets.proof if may_ask else budgets.proof_alone)
    rest_by, effort = (deadline, budgets.effort) if may_ask else (None, None)
    proof = checked(problem, prove(problem, share, hint, rest_by, budgets.dual, effort))
    state = _State(Outcome(proof.lower, proof.upper, proof.mapping), _method(proof), proof)
    last = _fastest(proof.rest, budgets) if may_ask and state.is_open else None
    if last is None:
        return _solution(state.outcome, state.used, state.is_open and share.passed(), proof)
    for part, step in _steps(problem, last, proof, settings):
        if state.needs_more(settings.certify) and not deadline.passed():
            state = step(state, settings._replace(deadline=deadline.share(part)))
    return _solution(state.outcome, state.used, state.is_open, state.proof)


def _steps(
    problem: MatchingProblem, solver: str, first: Proof, settings: SolverSettings
) -> list[tuple[float, _Step]]:
    """Return what follows the *first* proof, each with its part of the time that is then left.

    On terms of two pairs, linear relaxations prove what CP-SAT does not prove soon, and from their
    mapping. On larger terms, their bounds are weak: they only check what a solver has proven.
    """
    budgets, certify = settings.budgets, settings.certify
    ask = partial(_rest_asked, solver, first)
    begin_anew = partial(_rest_asked, solver, first, from_known=False)
    relax = partial(_proven_again, _proof_by_relaxations, problem)
    descend = partial(_proven_again, _proof_by_dual, problem)
    has_pairs = first.rest.largest_term <= 2
    is_linear = _has_relaxations(problem, budgets)
    if has_pairs and is_linear:
        steps: list[tuple[float, _Step]] = [
            (budgets.solver_first, ask),
            (budgets.proof_alone, relax),
            (budgets.solver if certify else 1.0, begin_anew),
        ]
    elif has_pairs or certify:
        steps = [(budgets.solver, ask), *([(budgets.proof_alone, relax)] if is_linear else ())]
    else:
        return [(1.0, ask)]
    return [*steps, (budgets.proof_alone, descend)] if certify or not is_linear else steps


def _method(proof: Proof) -> str:
    return DUAL if proof.cases == 1 else BRANCH_AND_BOUND


def _rest_asked(
    solver: str,
    first: Proof,
    state: _State,
    settings: SolverSettings,
    *,
    from_known: bool = True,
) -> _State:
    """Return what *solver* makes of the rest of a problem after its *first* proof, if it is open.

    If presolve leaves nothing of the rest, that is named instead. It begins with the known mapping
    unless it is not *from known*.
    """
    if not state.is_open:
        return state
    rest, (lower, upper, mapping, *_) = first.rest, state.outcome
    known = Outcome(rest.value(mapping), upper, mapping if from_known else {})
    answer, used, _, _ = _ask_from(solver, rest, known, _presolved(rest, settings), settings)
    upper = max(lower, answer.upper)
    if answer.lower > lower:
        return _State(answer._replace(upper=upper), used, state.proof)
    return _State(Outcome(lower, upper, mapping), used, state.proof)


def _certified(problem: MatchingProblem, known: Outcome, settings: SolverSettings) -> Proof:
    """Return the best checked proof for a result of a solver.

    Raises `OutOfTime` if there is no time for any.
    """
    budgets = settings.budgets
    first = prove(
        problem, settings.deadline, known.mapping, None, budgets.dual, effort=budgets.effort
    )
    state = _State(known, "", checked(problem, first))
    share = settings._replace(deadline=settings.deadline.share(budgets.proof_alone))
    for prove_by in (_proof_by_relaxations, _proof_by_dual):
        if state.proof.upper > state.proof.lower:
            state = _proven_again(prove_by, problem, state, share)
    return state.proof


_ProofBy = Callable[[MatchingProblem, Outcome, SolverSettings], Proof | None]


def _proven_again(
    prove_by: _ProofBy, problem: MatchingProblem, state: _State, settings: SolverSettings
) -> _State:
    """Return *state* with what a proof adds that begins with the known mapping."""
    proof = None
    with suppress(OutOfTime):
        proof = prove_by(problem, state.outcome, settings)
        if proof is not None:
            proof = checked(problem, proof)
    if proof is None:
        return state
    upper = min(state.outcome.upper, proof.upper)
    return _State(
        Outcome(proof.lower, upper, proof.mapping),
        _method(proof) if proof.upper == upper else state.used,
        min(proof, state.proof, key=lambda each: each.upper),
    )


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

    If they only find a better mapping, the proof leaves a gap. Raises `OutOfTime`.
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
    with suppress(NotLoaded, OutOfMemory, WorkerError):
        answer = _answer(PROVER, rest, hint, known.upper, settings)
        _judge(PROVER, rest, answer, rest.value(hint))
        return remainder.proof(answer) or remainder.open_proof()
    return None


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


def _ask(
    problem: MatchingProblem,
    upper: int,
    likely: Callable[[], Sequence[Pair]],
    settings: SolverSettings,
) -> _Answer:
    """Run the solver on *problem* with what it receives; *upper* is the known bound.

    It is not run if presolve leaves nothing, or the start meets the bound.
    """
    presolved = None
    work = SolverWork(bound=upper if settings.may_use(BOUND) else None)
    if settings.may_use(PRESOLVE):
        presolved = _presolved(problem, settings)
        work = work._replace(terms=presolved.problem.n_terms)
        if not presolved.problem.n_terms:
            return _Answer(_by_presolve(presolved), PRESOLVE, work)
    hint: dict[int, int] = {}
    if settings.may_use(START):
        share = settings.deadline.share(settings.budgets.warm_start)
        hint = warm_start(problem, likely(), seed=settings.seed, deadline=share)
        work = work._replace(start=problem.value(hint))
    known = Outcome(problem.value(hint), upper, hint)
    if settings.may_use(BOUND) and known.lower == upper:
        return _Answer(known, START, work)
    answer = _ask_from(settings.solver, problem, known, presolved, settings)
    asked, own, failure = answer.work.asked, answer.work.own, answer.work.failure
    return answer._replace(work=work._replace(asked=asked, own=own, failure=failure))


def _presolved(problem: MatchingProblem, settings: SolverSettings) -> "Presolved":
    from exactmatch.solving.presolve import presolve

    return presolve(problem, settings.deadline.share(settings.budgets.presolve))


def _by_presolve(presolved: "Presolved") -> Outcome:
    return Outcome(presolved.gained, presolved.gained, presolved.undo({}))


def _ask_from(
    solver: str,
    problem: MatchingProblem,
    known: Outcome,
    presolved: "Presolved | None",
    settings: SolverSettings,
) -> _Answer:
    """Run *solver* on *problem*, or on the rest after presolve, from the *known* interval."""
    if presolved is not None and not presolved.problem.n_terms:
        return _Answer(_by_presolve(presolved), PRESOLVE, SolverWork())
    if settings.deadline.passed():
        return _Answer(known, solver, SolverWork())
    smaller = problem if presolved is None else presolved.problem
    gained = 0 if presolved is None else presolved.gained
    left = set(smaller.candidates)
    hint = {i: j for i, j in known.mapping.items() if (i, j) in left}
    try:
        answer = _answer(solver, smaller, hint, known.upper - gained, settings)
    except (OutOfTime, OutOfMemory) as error:
        work = SolverWork(asked=True, failure=_failure(error))
        return _Answer(known, solver, work, isinstance(error, OutOfMemory))
    _judge(solver, smaller, answer, smaller.value(hint))
    work = SolverWork(asked=True, own=answer.own.plus(gained))
    upper = min(known.upper, answer.upper + gained)
    lower = answer.lower + gained
    if lower < known.lower:
        return _Answer(known._replace(upper=upper), solver, work)
    mapping = answer.mapping if presolved is None else presolved.undo(answer.mapping)
    return _Answer(Outcome(lower, upper, mapping), solver, work)


def _answer(
    solver: str, problem: MatchingProblem, hint: Mapping, upper: int, settings: SolverSettings
) -> Outcome:
    """Run *solver* once on *problem*, within the limits of *settings*.

    Raises `OutOfTime`, `OutOfMemory` and `WorkerError`.
    """
    from exactmatch.solving.solver_process import get_solver  # few pairs need a process

    process = get_solver(solver, settings.memory)
    deadline, seed = settings.deadline, settings.seed
    return process.solve(problem, hint=hint, upper=upper, deadline=deadline, seed=seed)


def _failure(error: OutOfTime | OutOfMemory) -> Failure:
    if isinstance(error, OutOfMemory):
        return "large"
    if isinstance(error, NeverLoaded):
        return "never loaded"
    return "not loaded" if isinstance(error, NotLoaded) else "late"


def _judge(solver: str, problem: MatchingProblem, answer: Outcome, least: int) -> None:
    """Raise `VerificationError` unless *answer* has a mapping of its claimed score, >= *least*.

    The solver's report of its own work may not contradict that either.
    """
    lower, upper, mapping, own, _ = answer
    if lower > upper:
        raise VerificationError(f"{solver}: a mapping scores {lower}, above the bound {upper}")
    if len(set(mapping.values())) != len(mapping):
        raise VerificationError(f"{solver}: a mapping is not one-to-one")
    if not mapping.items() <= set(problem.candidates):
        raise VerificationError(f"{solver}: a mapping holds pairs that are in no term")
    value = problem.value(mapping)
    if value != lower:
        raise VerificationError(f"{solver} claims {lower}, but its mapping scores {value}")
    if lower < least:
        raise VerificationError(f"{solver} returns {lower} but received {least}")
    if own.upper is not None and own.upper < lower:
        raise VerificationError(f"{solver} claims a bound of {own.upper}, but finds {lower}")
    if own.lower is not None and own.lower > lower:
        raise VerificationError(f"{solver} claims {own.lower}, but returns {lower}")


def _fastest(problem: MatchingProblem, budgets: Budgets) -> str | None:
    """Return the solver that is fastest on problems of this size (encodings/README.md), if any."""
    if problem.n_terms <= budgets.maxsat_terms:
        is_small = problem.n_terms <= budgets.maxsat_terms_larger
        if is_small or problem.largest_term <= 2 or not can_hold("cpsat", problem):
            return "maxsat"
    is_fit = problem.n_terms <= budgets.solver_terms and can_hold("cpsat", problem)
    return "cpsat" if is_fit else None


def can_hold(solver: str, problem: MatchingProblem) -> bool:
    """Tell whether *solver* can represent the weights of *problem*."""
    return solver not in _FLOATING or problem.total < _LARGEST_TOTAL


def confirm(problem: MatchingProblem, solution: Solution, settings: SolverSettings) -> bool:
    """Solve *problem* again from scratch, with another kind of solver than the first one.

    Returns whether it proved the same optimum; it may run out of time or memory first, or not be
    able to represent the weights. Raises `VerificationError` if its result contradicts *solution*.
    """
    second = "cpsat" if solution.solver in _LINEAR else "ilp"
    if not can_hold(second, problem):
        return False
    try:
        outcome = _answer(second, problem, {}, problem.total, settings)
    except (OutOfTime, OutOfMemory):
        return False
    _judge(second, problem, outcome, 0)
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
