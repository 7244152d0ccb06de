"""The strategy, and that no solver is believed blindly."""

import math
import pickle
import random
import time
from collections.abc import Callable
from typing import Any

import generate
import pytest
import solver_set
from oracles import brute_force as oracle
from samples import WEAK, compared, random_problem

import exactmatch
from exactmatch.encodings import NAMES, PROVER, get_encoding
from exactmatch.encodings.base import Outcome, OutOfMemory
from exactmatch.errors import UsageError, VerificationError
from exactmatch.problem import MatchingProblem, Term
from exactmatch.solving import solver_process, strategy
from exactmatch.solving.budgets import Budgets, DualBudgets, Effort
from exactmatch.solving.dual.branch_and_bound import Proof, prove
from exactmatch.solving.names import AUTO, BRANCH_AND_BOUND, DUAL, EXACT, PRESOLVE, SOLVERS
from exactmatch.solving.search.methods import METHODS
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, bounded, confirm, solve
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: What reasons alike, by the names of solvers: what one has overlooked, the other may too.
KINDS = {
    DUAL: "dual",
    BRANCH_AND_BOUND: "dual",
    PRESOLVE: "presolve",
    "maxsat": "sat",
    "cpsat": "constraints",
    "ilp": "linear",
    "ilp-paper": "linear",
    "highs": "linear",
    "brute": "brute",
}

#: A pair that the first assignment does not close.
TEST, GOLD = generate.family("unrelated", 6, seed=1)
OPTIMUM = 11

#: The dual leaves a gap, and looks for no better mapping.
_NONE = Effort(passes=0, least=0, passes_larger=0, least_larger=0, least_few=0)
_NO_EFFORT = Budgets(dual=DualBudgets(root_iterations=0, shakes=0), effort=_NONE)


class Liar:
    """A solver with a prepared answer."""

    name = "liar"

    def __init__(self, answer: Callable[[MatchingProblem, dict[int, int], int], Outcome]) -> None:
        self.answer = answer

    def solve(self, problem, *, hint, upper, deadline, seed):  # type: ignore[no-untyped-def]
        return self.answer(problem, dict(hint), upper)


@pytest.mark.parametrize("method", [EXACT, *METHODS])
def test_interval_holds_the_optimum(method: str) -> None:
    rng = random.Random("solve")
    for _ in range(100):
        problem = random_problem(rng)
        solution = solve(problem, SolverSettings(method=method))
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert problem.value(solution.mapping) == solution.lower <= best <= solution.upper
        assert not solution.timed_out
        if method == EXACT:
            assert solution.is_optimal


def solve_weakly(problem: MatchingProblem, solver: str = AUTO) -> Solution:
    """Solve *problem* with next to no work for the dual."""
    deadline = Deadline()
    return solve(problem, SolverSettings(solver=solver, deadline=deadline, budgets=WEAK))


def test_no_time_at_all_leaves_an_interval() -> None:
    result = exactmatch.best_mapping(TEST, GOLD, timeout=0)
    assert result.status == "feasible" and result.timed_out
    assert result.matched <= OPTIMUM <= result.matched_upper
    assert result.f1 < result.f1_upper


@pytest.mark.parametrize(
    "answer, complaint",
    [
        (
            lambda problem, hint, upper: Outcome(upper, upper, hint),
            "claims .* but its mapping scores",
        ),
        (lambda problem, hint, upper: Outcome(upper + 1, upper, hint), "above the bound"),
        (lambda problem, hint, upper: Outcome(upper, upper, {0: 1, 1: 1}), "not one-to-one"),
    ],
    ids=["wrong value", "lower above upper", "no mapping"],
)
def test_a_lying_solver_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
    answer: Callable[[MatchingProblem, dict[int, int], int], Outcome],
    complaint: str,
) -> None:
    monkeypatch.setattr(solver_process, "get_solver", lambda name, memory=None: Liar(answer))
    with pytest.raises(VerificationError, match=complaint):
        exactmatch.score(TEST, GOLD, solver="maxsat")


def test_cross_check_contradicts_a_false_optimum() -> None:
    problem = random_problem(random.Random("contradiction"))
    right = solve(problem, SolverSettings())
    assert confirm(problem, right, SolverSettings())
    assert right.lower > 0
    wrong = right.lower - 1
    too_low = right._replace(lower=wrong, upper=wrong, mapping={}, solver="cpsat")
    above = right.lower + 1
    too_high = right._replace(lower=above, upper=above, mapping={}, solver="cpsat")
    for claim in (too_low, too_high):
        with pytest.raises(VerificationError, match="found the optimum in"):
            confirm(problem, claim, SolverSettings())
    open_still = right._replace(lower=wrong, upper=above, solver="cpsat", timed_out=True)
    assert not confirm(problem, open_still, SolverSettings())


class Clock:
    """A clock that moves only on command."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Recorder:
    """Hands out solvers, and records each request with the seconds left.

    Time passes while the solvers work.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.asked: list[tuple[str, float]] = []

    def __call__(self, name: str, memory: int | None = None) -> "Recorder.Solver":
        return Recorder.Solver(self, name)

    class Solver:
        def __init__(self, recorder: "Recorder", name: str) -> None:
            self.recorder, self.name = recorder, name

        def solve(self, problem, *, deadline, **options):  # type: ignore[no-untyped-def]
            self.recorder.asked.append((self.name, deadline.remaining()))
            self.recorder.clock.now += 70
            return get_encoding(self.name).solve(problem, deadline=Deadline(), **options)


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    found = Recorder(Clock())
    monkeypatch.setattr(time, "monotonic", found.clock)
    monkeypatch.setattr(solver_process, "get_solver", found)
    return found


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != AUTO])
def test_a_cross_check_asks_a_solver_of_another_kind(recorder: Recorder, solver: Any) -> None:
    """The second solver gets no start, and as much time as the first."""
    (pair,) = exactmatch.score(TEST, GOLD, solver=solver, cross_check=True, timeout=100).per_pair
    assert pair.confirmed
    *first, (second, seconds) = recorder.asked
    assert [name for name, _ in first] == ([] if solver == DUAL else [solver])
    assert KINDS[second] != KINDS[pair.solver] and second in NAMES
    assert seconds == 100


@pytest.mark.parametrize(
    "family, size, solver, shares",
    [
        ("unrelated", 6, "maxsat", (15, 15)),
        ("unrelated", 18, "cpsat", (15, 15)),
        ("clauses", 4, "maxsat", (100, 60)),
    ],
)
def test_a_solver_is_asked_after_so_many_passes_of_the_dual(
    recorder: Recorder, family: str, size: int, solver: str, shares: tuple[int, int]
) -> None:
    """Work decides, and no clock; if a proof is due after the solver, there is time left for it."""
    problem = solver_set.problem_of(f"{family}-{size}-1").problem
    share, certified = shares
    for seconds, certify, expected in (
        (100, False, share),
        (100, True, certified),
        (None, False, None),
    ):
        deadline = Deadline.after(seconds)
        found = solve(
            problem, SolverSettings(certify=certify, deadline=deadline, budgets=_NO_EFFORT)
        )
        assert found.is_optimal and (certify or found.solver == solver)
        assert recorder.asked[0] == (solver, expected or math.inf)
        recorder.asked.clear()
    assert solve(problem, SolverSettings(deadline=Deadline.after(100))).is_checked
    assert not recorder.asked


class Idle:
    """Hands out solvers that find nothing, and records who works with what share of 100 seconds.

    A solver that begins with no mapping is recorded as such. The dual works but once, at first.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps: list[tuple[str, float]] = []
        self._is_first = True
        monkeypatch.setattr(time, "monotonic", Clock())
        monkeypatch.setattr(solver_process, "get_solver", lambda name, _: Idle.Solver(self, name))
        monkeypatch.setattr(strategy, "prove", self._prove)

    def _prove(self, problem, deadline, *rest, **options):  # type: ignore[no-untyped-def]
        if self._is_first:
            self._is_first = False
            return prove(problem, deadline, *rest, **options)
        self.steps.append((DUAL, deadline.remaining()))
        raise OutOfTime

    class Solver:
        def __init__(self, recorder: "Idle", name: str) -> None:
            self.recorder, self.name = recorder, name

        def solve(self, problem, *, hint, upper, deadline, seed):  # type: ignore[no-untyped-def]
            name = self.name if hint else f"{self.name} anew"
            self.recorder.steps.append((name, deadline.remaining()))
            return Outcome(problem.value(hint), upper, dict(hint))


#: The dual leaves a gap at once, and is not asked for more.
_IDLE = Budgets(dual=DualBudgets(root_iterations=0, shakes=0, rest_iterations=0), effort=_NONE)
#: The same, for problems that are too large for linear relaxations.
_LARGE = _IDLE._replace(linear_terms=0)


@pytest.mark.parametrize(
    "name, budgets, certify, expected",
    [
        ("unrelated-18-1", _IDLE, False, "cpsat 15, linear-tree 90, cpsat anew 100, dual 90"),
        ("unrelated-18-1", _IDLE, True, "cpsat 15, linear-tree 90, cpsat anew 60, dual 90"),
        ("unrelated-18-1", _LARGE, False, "highs 60, dual 90"),
        ("unrelated-18-1", _LARGE, True, "highs 60, dual 90"),
        ("clauses-14-1", _IDLE, False, "cpsat 100, dual 90"),
        ("clauses-14-1", _IDLE, True, "cpsat 60, linear-tree 90, dual 90"),
        ("clauses-14-1", _LARGE, True, "cpsat 60, dual 90"),
    ],
)
def test_each_step_has_its_part_of_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch, name: str, budgets: Budgets, certify: bool, expected: str
) -> None:
    problem = solver_set.problem_of(name).problem
    idle = Idle(monkeypatch)
    deadline = Deadline.after(100)
    found = solve(problem, SolverSettings(certify=certify, deadline=deadline, budgets=budgets))
    assert ", ".join(f"{who} {seconds:g}" for who, seconds in idle.steps) == expected
    assert found.timed_out and problem.value(found.mapping) == found.lower < found.upper


def test_no_step_begins_once_time_is_over(recorder: Recorder) -> None:
    """The first solver takes more than the time for all."""
    problem = solver_set.problem_of("unrelated-18-1").problem
    deadline = Deadline.after(60)
    found = solve(problem, SolverSettings(certify=True, deadline=deadline, budgets=_IDLE))
    assert recorder.asked == [("cpsat", 9)]
    assert found.is_optimal and not found.is_checked


@pytest.mark.parametrize("certify, expected", [(True, [PROVER, DUAL]), (False, [])])
def test_no_solver_is_asked_about_a_closed_gap(
    monkeypatch: pytest.MonkeyPatch, certify: bool, expected: list[str]
) -> None:
    """A proven result only lacks a proof: the dual goes on where relaxations have failed."""
    problem = solver_set.problem_of("unrelated-6-1").problem
    idle = Idle(monkeypatch)
    relaxations, asked = Idle.Solver(idle, PROVER), []

    def prepared(name: str, _: int | None) -> Any:
        asked.append(name)
        return relaxations if name == PROVER else Recorder.Solver(Recorder(Clock()), name)

    monkeypatch.setattr(solver_process, "get_solver", prepared)
    deadline = Deadline.after(100)
    found = solve(problem, SolverSettings(certify=certify, deadline=deadline, budgets=_IDLE))
    assert (found.solver, found.is_optimal, found.is_checked) == ("maxsat", True, False)
    assert asked == ["maxsat", *expected[:1]]
    assert [who.removesuffix(" anew") for who, _ in idle.steps] == expected


@pytest.mark.parametrize("name", ["unrelated-18-1", "clauses-14-1"])
def test_the_dual_goes_on_if_all_solvers_lack_memory(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    problem = solver_set.problem_of(name).problem
    idle = Idle(monkeypatch)

    def fail(*_: object, **__: object) -> Outcome:
        raise OutOfMemory

    monkeypatch.setattr(Idle.Solver, "solve", fail)
    found = solve(problem, SolverSettings(budgets=_IDLE))
    assert idle.steps == [(DUAL, math.inf)]
    assert problem.value(found.mapping) == found.lower < found.upper


def test_a_solver_begins_anew_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds without the known mapping may be worse."""
    problem = solver_set.problem_of("unrelated-18-1").problem
    idle = Idle(monkeypatch)
    known = solve(problem, SolverSettings(budgets=_IDLE))
    assert [who for who, _ in idle.steps] == ["cpsat", PROVER, "cpsat anew", DUAL]
    first = prove(problem, Deadline(), {}, Deadline(), _IDLE.dual, _NONE)
    assert first.lower == known.lower == problem.value(known.mapping) > 0
    assert known.upper == first.upper


def test_a_solver_by_name_keeps_its_result_without_time_for_a_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: object, **__: object) -> Proof:
        raise OutOfTime

    monkeypatch.setattr(strategy, "prove", late)
    problem = compared(TEST, GOLD).problem
    settings = SolverSettings(solver="maxsat", certify=True, budgets=_LARGE)
    found = solve(problem, settings)
    assert (found.lower, found.upper, found.solver) == (OPTIMUM, OPTIMUM, "maxsat")
    assert found.proof.upper == bounded(problem).upper > OPTIMUM


@pytest.mark.parametrize("name, solver", [("clauses-10-1", "cpsat"), ("cubics-10-1", "maxsat")])
def test_terms_of_three_pairs_come_to_another_solver(
    recorder: Recorder, name: str, solver: str
) -> None:
    """Both problems have 321 terms; only the first has some of three pairs."""
    problem = solver_set.problem_of(name).problem
    assert problem.n_terms == 321
    assert solve(problem, SolverSettings(budgets=_NO_EFFORT)).is_optimal
    assert [asked for asked, _ in recorder.asked] == [solver]


@pytest.mark.slow
@pytest.mark.parametrize("size, solver", [(6, "maxsat"), (18, "cpsat")])
def test_a_cross_check_of_what_was_left_to_a_solver(
    recorder: Recorder, size: int, solver: str
) -> None:
    problem = compared(*generate.family("unrelated", size, seed=1)).problem
    solution = solve_weakly(problem)
    assert confirm(problem, solution, SolverSettings())
    (first, _), (second, _) = recorder.asked
    assert first == solution.solver == solver
    assert KINDS[second] != KINDS[first]


def test_a_cross_check_of_what_was_presolved_to_nothing(recorder: Recorder) -> None:
    (pair,) = exactmatch.score("(a / b)", "(a / b)", solver="ilp", cross_check=True).per_pair
    assert (pair.solver, pair.confirmed) == (PRESOLVE, True)
    assert len(recorder.asked) == 1


def test_a_cross_check_confirms_that_nothing_matches(recorder: Recorder) -> None:
    topless = exactmatch.metric("smatch", top="none")
    result = exactmatch.score("(a / b)", "(c / d)", metric=topless, solver="ilp", cross_check=True)
    (pair,) = result.per_pair
    assert (pair.matched, pair.matched_upper, pair.confirmed) == (0, 0, True)
    assert len(recorder.asked) == 1


def test_a_cross_check_ends_with_the_time_for_all_pairs(recorder: Recorder) -> None:
    exactmatch.score(TEST, GOLD, solver="maxsat", cross_check=True, timeout=100, total_timeout=90)
    assert [seconds for _, seconds in recorder.asked] == [90, 20]


def test_every_solver_can_be_asked_for_and_confirmed() -> None:
    solver: Any
    for solver in SOLVERS:
        result = exactmatch.score(TEST, GOLD, solver=solver, cross_check=True)
        (pair,) = result.per_pair
        assert pair.matched == pair.matched_upper == OPTIMUM
        assert pair.confirmed
        assert pair.solver == solver or {solver, pair.solver} <= {AUTO, DUAL, BRANCH_AND_BOUND}


def test_the_dual_alone_may_leave_a_gap() -> None:
    found = solve_weakly(compared(TEST, GOLD).problem, DUAL)
    assert (found.solver, found.is_optimal, found.timed_out) == (DUAL, False, False)
    assert found.lower <= OPTIMUM < found.upper


def test_what_the_dual_leaves_open_goes_to_a_solver() -> None:
    for size, solver in ((6, "maxsat"), (18, "cpsat")):
        found = solve_weakly(compared(*generate.family("unrelated", size, seed=1)).problem)
        assert (found.solver, found.is_optimal) == (solver, True)


def test_solvers_finish_what_a_weak_dual_begins() -> None:
    rng = random.Random("weak")
    used = set()
    for _ in range(400):
        problem = random_problem(rng)
        solution = solve_weakly(problem)
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert problem.value(solution.mapping) == solution.lower == best == solution.upper
        assert not solution.timed_out
        used.add(solution.solver)
    assert used == {DUAL, PRESOLVE, "maxsat"}


def test_the_dual_names_what_it_needed() -> None:
    easy = exactmatch.score("(a / b)", "(a / b)").per_pair[0]
    hard = exactmatch.score(*generate.family("unlabelled", 12, seed=1)).per_pair[0]
    assert (easy.solver, hard.status) == (DUAL, "optimal")
    assert hard.solver in (DUAL, BRANCH_AND_BOUND)


def test_the_library_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    method: Any
    solver: Any
    for method, solver in ((EXACT, "cpsat"), (EXACT, "maxsat"), (EXACT, "ilp"), ("s+4r", AUTO)):
        exactmatch.score(TEST, GOLD, method=method, solver=solver)
    assert capfd.readouterr() == ("", "")


def test_results_and_problems_can_be_pickled() -> None:
    result = exactmatch.score(TEST, GOLD)
    assert pickle.loads(pickle.dumps(result)) == result
    problem = random_problem(random.Random("pickle"))
    assert pickle.loads(pickle.dumps(problem)) == problem


@pytest.mark.parametrize("solver", ["cpsat", "ilp", "ilp-paper", "highs"])
def test_weights_that_floating_point_cannot_hold(solver: str) -> None:
    """These solvers do not run, since their floating-point answers would be inexact."""
    terms = (Term(2**55, ((0, 0), (1, 1))), Term(1, ((0, 1),)), Term(2**55 + 3, ((1, 1),)))
    problem = MatchingProblem(2, 2, terms)
    with pytest.raises(UsageError, match="computes in floating point"):
        solve(problem, SolverSettings(solver=solver))
    best = solve(problem, SolverSettings())
    assert best.lower == best.upper == 2**56 + 3
    assert not confirm(problem, best, SolverSettings())


def test_no_solver_is_asked_for_the_rest_that_cannot_hold_it() -> None:
    budgets = WEAK._replace(maxsat_terms=0)
    rng = random.Random("heavy rest")
    left = 0
    for _ in range(60):
        problem = random_problem(rng)
        heavy = tuple(t._replace(weight=t.weight << 40) for t in problem.terms)
        heavier = MatchingProblem(problem.n_left, problem.n_right, heavy)
        found = solve(heavier, SolverSettings(budgets=budgets))
        assert found.solver == DUAL
        left += not found.is_optimal
    assert left > 5
