"""Heuristics: a mapping comes out, never above the optimum, and the same one each time."""

import random

import oracle
import pytest
from samples import random_problem

from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Term
from exactmatch.search.climb import Climber
from exactmatch.search.methods import METHODS, search, warm_start

NEVER = Deadline()


def problems(count: int, seed: str) -> list[MatchingProblem]:
    rng = random.Random(seed)
    return [random_problem(rng) for _ in range(count)]


@pytest.mark.parametrize("name", METHODS)
def test_methods_find_mappings_below_the_optimum(name: str) -> None:
    reached = 0
    for problem in problems(300, "methods"):
        mapping = search(problem, METHODS[name], seed=7, deadline=NEVER)
        assert mapping == search(problem, METHODS[name], seed=7, deadline=NEVER)
        assert len(set(mapping.values())) == len(mapping)
        assert set(mapping.items()) <= set(problem.candidates)
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert problem.value(mapping) <= best
        reached += problem.value(mapping) == best
    assert reached > 30


def test_restarts_never_lose() -> None:
    for problem in problems(200, "restarts"):
        values = [
            problem.value(search(problem, METHODS[name], seed=3, deadline=NEVER))
            for name in ("base", "s", "s+4r", "s+9r")
        ]
        assert values == sorted(values)


def test_gains_are_what_steps_gain() -> None:
    """After any walk, the value kept up to date is the value computed afresh."""
    rng = random.Random("gains")
    for problem in problems(200, "walks"):
        climber = Climber(problem)
        for candidate in rng.sample(range(len(problem.candidates)), len(problem.candidates)):
            if climber.is_free(candidate):
                climber.add(candidate)
        assert climber.value == problem.value(climber.mapping())
        before = climber.value
        climber.climb(NEVER)
        assert climber.value == problem.value(climber.mapping()) >= before


def test_climbing_ends_where_no_move_and_no_swap_gains() -> None:
    for problem in problems(200, "local optima"):
        mapping = search(problem, METHODS["r"], seed=1, deadline=NEVER)
        value = problem.value(mapping)
        for left, right in problem.candidates:
            moved = {i: j for i, j in mapping.items() if i != left and j != right}
            moved[left] = right
            assert problem.value(moved) <= value
            rival = next((i for i, j in mapping.items() if j == right), None)
            if rival is not None and left in mapping:
                assert problem.value({**mapping, left: right, rival: mapping[left]}) <= value


def test_warm_start_climbs_from_both_sides() -> None:
    """The optimum is out of reach of the smart start from the left, and not from the right."""
    terms = [
        (1, ((0, 1),)), (1, ((3, 1),)), (1, ((3, 2),)), (1, ((4, 1),)), (1, ((4, 2),)),
        (1, ((0, 0),)), (1, ((1, 0),)), (1, ((2, 0),)),
        (1, ((0, 0), (1, 1))), (1, ((0, 0), (4, 1))), (1, ((0, 1), (2, 2))),
        (1, ((2, 1), (3, 2))),
    ]  # fmt: skip
    problem = MatchingProblem(5, 3, tuple(Term(w, p) for w, p in sorted(terms)), 10, 6)
    value = problem.value(warm_start(problem, seed=0, deadline=NEVER))
    one_side = problem.value(search(problem, METHODS["s"], seed=0, deadline=NEVER))
    assert value >= one_side
    assert value <= oracle.best_score(5, 3, terms)


def test_a_deadline_ends_the_climb() -> None:
    (problem,) = problems(1, "late")
    mapping = search(problem, METHODS["10r"], seed=0, deadline=Deadline(at=0.0))
    assert len(set(mapping.values())) == len(mapping)
