"""Ask a solver, and judge its answer."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.encodings import PROVER
from exactmatch.encodings.base import NeverLoaded, NotLoaded, Outcome, OutOfMemory
from exactmatch.errors import VerificationError
from exactmatch.problem import Mapping, MatchingProblem, Pair
from exactmatch.problem.solver_work import Failure, SolverWork
from exactmatch.solving.names import BOUND, PRESOLVE, START
from exactmatch.solving.search.methods import warm_start
from exactmatch.solving.settings import SolverSettings
from exactmatch.stopping.deadline import OutOfTime

if TYPE_CHECKING:
    from exactmatch.solving.presolve import Presolved

#: Solvers of integer linear programs.
LINEAR = frozenset({"highs", "ilp", "ilp-paper"})
#: These report results in floating point, SCIP with a relative error of 1e-9: they are not used if
#: all weights add up to `LARGEST_TOTAL` or more.
_FLOATING = LINEAR | {"cpsat", PROVER}
LARGEST_TOTAL = 1 << 28


def can_hold(solver: str, problem: MatchingProblem) -> bool:
    """Tell whether *solver* can represent the weights of *problem*."""
    return solver not in _FLOATING or problem.total < LARGEST_TOTAL


class SolverAnswer(NamedTuple):
    """The outcome of a solver, its name, and whether memory ran out."""

    outcome: Outcome
    used: str
    work: SolverWork
    too_large: bool = False


def ask_by_name(
    problem: MatchingProblem,
    upper: int,
    likely: Callable[[], Sequence[Pair]],
    settings: SolverSettings,
) -> SolverAnswer:
    """Ask the solver of *settings* with what it receives; *upper* is the known bound.

    It is not asked if presolve leaves nothing, or the start meets the bound. *likely* is as for
    `exactmatch.solving.strategy.solve`, and so are the errors.
    """
    presolved = None
    work = SolverWork(bound=upper if settings.may_use(BOUND) else None)
    if settings.may_use(PRESOLVE):
        presolved = presolve_briefly(problem, settings)
        work = work._replace(terms=presolved.problem.n_terms)
        if not presolved.problem.n_terms:
            return SolverAnswer(_by_presolve(presolved), PRESOLVE, work)
    hint: dict[int, int] = {}
    if settings.may_use(START):
        share = settings.deadline.share(settings.budgets.warm_start)
        hint = warm_start(problem, likely(), seed=settings.seed, deadline=share)
        work = work._replace(start=problem.value(hint))
    known = Outcome(problem.value(hint), upper, hint)
    if settings.may_use(BOUND) and known.lower == upper:
        return SolverAnswer(known, START, work)
    answer = ask(settings.solver, problem, known, presolved, settings)
    asked, own, failure = answer.work.asked, answer.work.own, answer.work.failure
    return answer._replace(work=work._replace(asked=asked, own=own, failure=failure))


def presolve_briefly(problem: MatchingProblem, settings: SolverSettings) -> "Presolved":
    """Return what presolve makes of *problem* in its part of the time."""
    from exactmatch.solving.presolve import presolve

    return presolve(problem, settings.deadline.share(settings.budgets.presolve))


def _by_presolve(presolved: "Presolved") -> Outcome:
    return Outcome(presolved.gained, presolved.gained, presolved.undo({}))


def ask(
    solver: str,
    problem: MatchingProblem,
    known: Outcome,
    presolved: "Presolved | None",
    settings: SolverSettings,
) -> SolverAnswer:
    """Ask *solver* about *problem*, or about the rest after presolve, from the *known* interval.

    If the solver finds no better mapping, or has no time or memory, that interval is the outcome.
    Raises `WorkerError` and `VerificationError` as `run` does.
    """
    if presolved is not None and not presolved.problem.n_terms:
        return SolverAnswer(_by_presolve(presolved), PRESOLVE, SolverWork())
    if settings.deadline.passed():
        return SolverAnswer(known, solver, SolverWork())
    smaller = problem if presolved is None else presolved.problem
    gained = 0 if presolved is None else presolved.gained
    left = set(smaller.candidates)
    hint = {i: j for i, j in known.mapping.items() if (i, j) in left}
    try:
        answer = run(solver, smaller, hint, known.upper - gained, settings)
    except (OutOfTime, OutOfMemory) as error:
        work = SolverWork(asked=True, failure=_failure(error))
        return SolverAnswer(known, solver, work, isinstance(error, OutOfMemory))
    work = SolverWork(asked=True, own=answer.own.plus(gained))
    upper = min(known.upper, answer.upper + gained)
    lower = answer.lower + gained
    if lower < known.lower:
        return SolverAnswer(known._replace(upper=upper), solver, work)
    mapping = answer.mapping if presolved is None else presolved.undo(answer.mapping)
    return SolverAnswer(Outcome(lower, upper, mapping), solver, work)


def run(
    solver: str, problem: MatchingProblem, hint: Mapping, upper: int, settings: SolverSettings
) -> Outcome:
    """Run *solver* once on *problem*, within the limits of *settings*, and judge its answer.

    *hint* and *upper* are as for `exactmatch.encodings.base.Encoding`. Raises `OutOfTime`,
    `OutOfMemory`, `WorkerError`, and `VerificationError` for an answer that cannot be right.
    """
    from exactmatch.solving.solver_process import get_solver  # few pairs need a process

    process = get_solver(solver, settings.memory)
    deadline, seed = settings.deadline, settings.seed
    answer = process.solve(problem, hint=hint, upper=upper, deadline=deadline, seed=seed)
    _judge(solver, problem, answer, problem.value(hint))
    return answer


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
