"""A solver that runs by name: what it receives, its own findings, and their check."""

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import generate
import pytest
from oracles import brute_force as oracle
from samples import compared, random_problem

import exactmatch
from exactmatch.encodings import NAMES, get_encoding
from exactmatch.encodings.base import NotLoaded, Outcome, OutOfMemory
from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem, Term
from exactmatch.problem.solver_work import Own, SolverWork
from exactmatch.scoring.settings import Settings
from exactmatch.solving import solver_process, strategy
from exactmatch.solving.names import BOUND, GIVEN, PRESOLVE, START, usually_given
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, bounded, solve
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: The presolve forces the pair (3, 0) and leaves two terms; the start is 6, and the bound 8.
PROBLEM = MatchingProblem(
    4,
    4,
    (
        Term(3, ((0, 3), (2, 0))),
        Term(3, ((0, 3), (2, 1), (3, 0))),
        Term(2, ((2, 2), (3, 0))),
        Term(3, ((3, 0),)),
    ),
)
OPTIMUM = 6
PARTS = [parts for number in range(4) for parts in combinations(GIVEN, number)]

Answer = Callable[[MatchingProblem, dict[int, int], int], Outcome]


class Asked:
    """A solver that records its input, and returns a prepared answer."""

    name = "asked"

    def __init__(self, answer: Answer | None = None) -> None:
        self.answer = answer
        self.requests: list[tuple[MatchingProblem, dict[int, int], int]] = []

    def __call__(self, name: str, memory: int | None = None) -> "Asked":
        return self

    def solve(self, problem, *, hint, upper, deadline, seed):  # type: ignore[no-untyped-def]
        self.requests.append((problem, dict(hint), upper))
        if self.answer is not None:
            return self.answer(problem, dict(hint), upper)
        options = {"hint": hint, "upper": upper, "deadline": deadline, "seed": seed}
        return get_encoding("maxsat").solve(problem, **options)


def solved(
    monkeypatch: pytest.MonkeyPatch,
    asked: Asked,
    given: Sequence[str] | None,
    problem: MatchingProblem = PROBLEM,
    solver: str = "maxsat",
    **more: Any,
) -> Solution:
    monkeypatch.setattr(solver_process, "get_solver", asked)
    settings = SolverSettings(solver=solver, given=given)._replace(**more)
    return solve(problem, settings)


@pytest.mark.parametrize("given", PARTS, ids=",".join)
def test_a_solver_gets_what_it_is_given_and_no_more(
    monkeypatch: pytest.MonkeyPatch, given: Sequence[str]
) -> None:
    asked = Asked()
    solution = solved(monkeypatch, asked, given)
    ((problem, hint, upper),) = asked.requests
    gained = OPTIMUM - oracle.best_score(problem.n_left, problem.n_right, problem.terms)
    assert (problem == PROBLEM) == (PRESOLVE not in given)
    assert bool(hint) == (START in given)
    first = bounded(PROBLEM).upper if BOUND in given else PROBLEM.total
    assert upper == first - gained
    assert solution.lower == solution.upper == OPTIMUM
    work = solution.work
    assert work is not None and work.asked
    assert (work.terms is None, work.start is None, work.bound is None) == tuple(
        part not in given for part in GIVEN
    )
    assert work.own.upper == OPTIMUM
    assert work.own.lower in ((None, OPTIMUM) if START in given else (OPTIMUM,))


def test_the_published_program_is_given_nothing_unless_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert usually_given("ilp-paper") == ()
    assert {usually_given(name) for name in NAMES if name != "ilp-paper"} == {GIVEN}
    asked = Asked()
    solved(monkeypatch, asked, None, solver="ilp-paper")
    assert asked.requests == [(PROBLEM, {}, PROBLEM.total)]


def test_what_the_presolve_closes_is_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = compared("(a / b)", "(a / b)").problem
    asked = Asked()
    solution = solved(monkeypatch, asked, GIVEN, problem)
    assert (solution.solver, asked.requests) == (PRESOLVE, [])
    assert solution.work == SolverWork(terms=0, bound=2)


def test_a_start_that_meets_the_bound_is_no_work_of_a_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = compared("(a / b)", "(a / b)").problem
    asked = Asked()
    solution = solved(monkeypatch, asked, [START, BOUND], problem)
    assert (solution.solver, asked.requests) == (START, [])
    assert solution.work == SolverWork(start=2, bound=2)
    assert solution.is_checked and not solution.timed_out
    for alone in (START, BOUND):
        solved(monkeypatch, asked, [alone], problem)
    assert len(asked.requests) == 2


def test_a_solver_given_nothing_that_finds_nothing_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: Any) -> Outcome:
        raise OutOfTime

    solution = solved(monkeypatch, Asked(late), ())
    assert (solution.lower, solution.upper) == (0, PROBLEM.total)
    assert (solution.timed_out, solution.too_large) == (True, False)
    assert solution.work == SolverWork(asked=True, failure="late")
    # The first dual bound, which is checked, is lower: nobody has to believe the solver.
    assert solution.proof.upper < solution.upper and solution.is_checked
    pair = exactmatch.best_mapping(
        *generate.family("unrelated", 6, seed=1), solver="ilp", given="none"
    )
    assert (pair.matched, pair.matched_upper) == (0, min(pair.system_total, pair.gold_total))
    assert pair.work == SolverWork(asked=True, failure="late")


def test_a_solver_without_memory_leaves_what_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def large(*_: Any) -> Outcome:
        raise OutOfMemory

    solution = solved(monkeypatch, Asked(large), GIVEN)
    assert solution.lower == PROBLEM.value(solution.mapping) > 0
    assert solution.lower < solution.upper == bounded(PROBLEM).upper
    assert (solution.timed_out, solution.too_large) == (False, True)


class Loads:
    """Stands in for a solver: loading it takes all the time there is, and as much again."""

    SECONDS = 1000.0

    def __call__(self, name: str, memory: int | None = None) -> "Loads":
        return self

    def solve(self, problem, *, deadline, **options):  # type: ignore[no-untyped-def]
        deadline.loading.seconds += self.SECONDS
        deadline.loading.restarts += 1
        return best(problem)


def test_loading_is_no_time_of_a_pair_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_process, "get_solver", Loads())
    pair = exactmatch.best_mapping(
        *generate.family("unrelated", 6, seed=1), solver="maxsat", given="none"
    )
    assert pair.work is not None and pair.work.worked
    assert (pair.work.loading, pair.work.restarts) == (Loads.SECONDS, 1)
    assert -Loads.SECONDS < pair.seconds < 0  # nobody has waited here


@pytest.mark.parametrize(
    ("error", "failure"), [(OutOfTime, "late"), (OutOfMemory, "large"), (NotLoaded, "not loaded")]
)
def test_a_solver_that_does_not_answer_has_a_reason(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], failure: str
) -> None:
    def fail(*_: Any) -> Outcome:
        raise error

    work = solved(monkeypatch, Asked(fail), GIVEN).work
    assert work is not None
    assert (work.asked, work.worked, work.failure) == (True, False, failure)


def test_a_solver_without_time_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy, "bounded", lambda problem, _: bounded(problem))
    asked = Asked()
    work = solved(monkeypatch, asked, (), deadline=Deadline(at=0.0)).work
    assert work == SolverWork() and asked.requests == []


def best(problem: MatchingProblem) -> Outcome:
    return get_encoding("brute").solve(
        problem, hint={}, upper=problem.total, deadline=Deadline(), seed=0
    )


LIES: dict[str, tuple[Sequence[Sequence[str]], Answer, str]] = {
    "above its own bound": (
        PARTS,
        lambda problem, hint, upper: best(problem)._replace(upper=best(problem).lower - 1),
        "above the bound",
    ),
    "below what it says that it has found": (
        PARTS,
        lambda problem, hint, upper: best(problem)._replace(own=Own(lower=problem.total + 1)),
        "claims .* but returns",
    ),
    "above what it says that it has shown": (
        PARTS,
        lambda problem, hint, upper: best(problem)._replace(own=Own(upper=0)),
        "claims a bound of 0, but finds",
    ),
    "below the start": (
        [parts for parts in PARTS if START in parts],
        lambda problem, hint, upper: Outcome(0, upper, {}),
        "returns 0 but received",
    ),
    "a bound below a known mapping": (
        PARTS,
        lambda problem, hint, upper: Outcome(0, 0, {}),
        "returns 0 but received|found the optimum in .* but a mapping scores",
    ),
    "not one-to-one": (
        PARTS,
        lambda problem, hint, upper: Outcome(0, upper, {0: 0, 1: 0}),
        "not one-to-one",
    ),
    "not from the candidates": (
        PARTS,
        lambda problem, hint, upper: best(problem)._replace(
            mapping={**best(problem).mapping, problem.n_left: problem.n_right}
        ),
        "holds pairs that are in no term",
    ),
    "another score than its mapping has": (
        PARTS,
        lambda problem, hint, upper: best(problem)._replace(lower=upper, upper=upper),
        "claims .* but its mapping scores",
    ),
}


@pytest.mark.parametrize(
    "lie, given",
    [(lie, given) for lie, (paths, _, _) in LIES.items() for given in paths],
    ids=lambda value: value if isinstance(value, str) else ",".join(value),
)
def test_a_lying_solver_is_caught_whatever_it_is_given(
    monkeypatch: pytest.MonkeyPatch, lie: str, given: Sequence[str]
) -> None:
    _, answer, complaint = LIES[lie]
    with pytest.raises(VerificationError, match=complaint):
        solved(monkeypatch, Asked(answer), given)


def test_what_lies_in_a_cross_check_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = solve(PROBLEM, SolverSettings(solver="dual"))
    for lie, (paths, answer, complaint) in LIES.items():
        if () not in paths:
            continue
        monkeypatch.setattr(solver_process, "get_solver", Asked(answer))
        with pytest.raises(VerificationError, match=f"{complaint}|found the optimum in"):
            strategy.confirm(PROBLEM, right, SolverSettings())
            pytest.fail(lie)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NAMES))
def test_all_and_nothing_lead_to_the_same_optimum(name: str) -> None:
    rng = random.Random("given")
    for _ in range(25):
        problem = random_problem(rng)
        optimum = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        for given in (GIVEN, ()):
            found = solve(problem, SolverSettings(solver=name, given=given))
            assert found.lower == found.upper == optimum == problem.value(found.mapping)
            own = found.work and found.work.own
            assert own is not None and own.lower in (None, optimum)
            assert given or (own.lower, own.upper) == (optimum, optimum) or not problem.n_terms


def test_a_problem_of_nothing_is_solved_given_nothing() -> None:
    for name in NAMES:
        nothing = MatchingProblem(1, 1, ())
        found = solve(nothing, SolverSettings(solver=name, given=()))
        assert (found.lower, found.upper, found.mapping) == (0, 0, {})


def test_the_parts_that_are_given_stand_in_the_long_signature() -> None:
    metric = compared("(a / b)", "(a / b)").metric
    for settings, said in (
        (Settings(solver="ilp"), "|solver:ilp|given:presolve,start,bound|seed:0|"),
        (Settings(solver="ilp", given="bound,start"), "|solver:ilp|given:start,bound|seed:0|"),
        (Settings(solver="ilp", given="none"), "|solver:ilp|given:none|seed:0|"),
        (Settings(solver="ilp-paper"), "|solver:ilp-paper|given:none|seed:0|"),
        (Settings(), "|solver:auto|seed:0|"),
        (Settings(solver="dual"), "|solver:dual|seed:0|"),
    ):
        assert said in settings.long_signature(metric)


def test_heavy_weights_of_terms_are_no_obstacle_to_those_who_can_hold_them() -> None:
    terms = (Term(2**70, ((0, 0), (1, 1))), Term(1, ((0, 1),)), Term(2**70 + 3, ((1, 1),)))
    problem = MatchingProblem(2, 2, terms)
    for name in ("maxsat", "brute"):
        for given in (GIVEN, ()):
            found = solve(problem, SolverSettings(solver=name, given=given))
            assert found.lower == found.upper == 2**71 + 3
