"""Every encoding finds the optimum, and keeps its word when time runs out."""

import random
import sys

import generate
import pytest
from oracles import brute_force as oracle
from ortools.sat.python import cp_model
from samples import compared, random_problem

from exactmatch.encodings import NAMES, get_encoding
from exactmatch.problem import MatchingProblem
from exactmatch.stopping.deadline import Deadline, OutOfTime

pytestmark = pytest.mark.parametrize("name", sorted(NAMES))


def enough(problem: MatchingProblem) -> int:
    return sum(term.weight for term in problem.terms)


def hard_problem() -> MatchingProblem:
    return compared(*generate.family("unrelated", 24, seed=1)).problem


@pytest.mark.slow
def test_optimum_equals_brute_force(name: str) -> None:
    rng = random.Random("encodings")
    encoding = get_encoding(name)
    for _ in range(40):
        problem = random_problem(rng)
        outcome = encoding.solve(
            problem, hint={}, upper=enough(problem), deadline=Deadline(), seed=0
        )
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert outcome.lower == outcome.upper == best == problem.value(outcome.mapping)
        assert len(set(outcome.mapping.values())) == len(outcome.mapping)


@pytest.mark.slow
def test_a_hint_is_never_lost(name: str) -> None:
    rng = random.Random("hints")
    encoding = get_encoding(name)
    for _ in range(12):
        problem = random_problem(rng)
        first = encoding.solve(problem, hint={}, upper=enough(problem), deadline=Deadline(), seed=0)
        again = encoding.solve(
            problem, hint=first.mapping, upper=first.upper, deadline=Deadline(), seed=1
        )
        assert again.lower == again.upper == first.lower


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_out_of_time_leaves_an_interval(name: str, seconds: float) -> None:
    problem = hard_problem()
    hint = {0: 0}
    try:
        outcome = get_encoding(name).solve(
            problem, hint=hint, upper=enough(problem), deadline=Deadline.after(seconds), seed=0
        )
    except OutOfTime:
        assert seconds < 1
        return
    assert problem.value(hint) <= outcome.lower == problem.value(outcome.mapping) <= outcome.upper


def test_a_mapping_without_proof_leaves_its_gap(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped at its first mapping, CP-SAT must not call that the optimum."""
    if name != "cpsat":
        return
    encoding = get_encoding(name)
    module = sys.modules[type(encoding).__module__]
    usual = module._set_parameters

    def stop_early(solver, deadline, seed):  # type: ignore[no-untyped-def]
        usual(solver, deadline, seed)
        solver.parameters.stop_after_first_solution = True

    monkeypatch.setattr(module, "_set_parameters", stop_early)
    problem = hard_problem()
    outcome = encoding.solve(
        problem, hint={0: 0}, upper=enough(problem), deadline=Deadline(), seed=0
    )
    assert problem.value({0: 0}) <= outcome.lower < outcome.upper <= enough(problem)


def test_cp_sat_is_set_up_as_it_must_be(name: str) -> None:
    """CP-SAT needs one worker for determinism, rows in the relaxation, and no faulty step."""
    if name != "cpsat":
        return
    module = sys.modules[type(get_encoding(name)).__module__]
    solver = cp_model.CpSolver()
    module._set_parameters(solver, Deadline(), seed=7)
    parameters = solver.parameters
    assert (parameters.num_workers, parameters.random_seed) == (1, 7)
    assert (parameters.linearization_level, parameters.presolve_inclusion_work_limit) == (2, 0)


@pytest.mark.parametrize(
    "most_work, most_terms, starts",
    [(10.0, 6_000, [True]), (0.0, 6_000, [True, False]), (0.0, 1, [True])],
)
def test_cp_sat_searches_near_a_start_and_then_anew_without_it(
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    most_work: float,
    most_terms: int,
    starts: list[bool],
) -> None:
    if name != "cpsat":
        return
    problem = compared(*generate.family("unrelated", 8, seed=2)).problem
    encoding = get_encoding(name)
    module = sys.modules[type(encoding).__module__]
    monkeypatch.setattr(module, "_NEAR_START", most_work)
    monkeypatch.setattr(module, "_MOST_TERMS", most_terms)
    usual = cp_model.CpSolver.solve
    asked = []

    def recorded(solver, model, callback):  # type: ignore[no-untyped-def]
        asked.append(bool(model.proto.solution_hint.vars))
        return usual(solver, model, callback)

    monkeypatch.setattr(cp_model.CpSolver, "solve", recorded)
    outcome = encoding.solve(
        problem, hint={0: 0}, upper=enough(problem), deadline=Deadline(), seed=0
    )
    assert asked == starts
    assert (outcome.lower, outcome.upper) == (16, 16) == (outcome.own.lower, outcome.own.upper)


def test_same_mapping_each_time(name: str) -> None:
    rng = random.Random("same")
    encoding = get_encoding(name)
    for _ in range(10):
        problem = random_problem(rng)
        outcomes = {
            str(encoding.solve(problem, hint={}, upper=99, deadline=Deadline(), seed=5)[:3])
            for _ in range(3)
        }
        assert len(outcomes) == 1
