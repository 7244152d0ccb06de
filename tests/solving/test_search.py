"""Heuristics return a mapping, never above the optimum, and the same one each time."""

import random
from collections.abc import Sequence
from functools import cache, partial
from typing import get_args

import pytest
from oracles import brute_force as oracle
from samples import diagonal, random_problem
from seeds import cases

from exactmatch.problem import MatchingProblem, Term
from exactmatch.solving.search.climbing import HillClimber
from exactmatch.solving.search.methods import METHODS, Starts, search, warm_start
from exactmatch.stopping.deadline import Deadline

NEVER = Deadline()


@cache
def problems(count: int, seed: str) -> Sequence[MatchingProblem]:
    rng = random.Random(seed)
    return [random_problem(rng) for _ in range(count)]


@cache
def best_scores(count: int, seed: str) -> Sequence[int]:
    return [oracle.best_score(p.n_left, p.n_right, p.terms) for p in problems(count, seed)]


@pytest.mark.slow
@pytest.mark.parametrize("starts", get_args(Starts))
@pytest.mark.parametrize("name", METHODS)
def test_methods_find_mappings_below_the_optimum(name: str, starts: Starts) -> None:
    reached = 0
    for problem, best in zip(
        problems(cases(300), "methods"), best_scores(cases(300), "methods"), strict=True
    ):
        find = partial(
            search, problem, METHODS[name], diagonal(problem), starts=starts, seed=7, deadline=NEVER
        )
        mapping = find()
        assert mapping == find()
        assert len(set(mapping.values())) == len(mapping)
        if starts == "all":
            assert len(mapping) == min(problem.n_left, problem.n_right)
            assert set(mapping) <= set(range(problem.n_left))
            assert set(mapping.values()) <= set(range(problem.n_right))
        else:
            assert set(mapping.items()) <= set(problem.candidates)
        assert problem.value(mapping) <= best
        reached += problem.value(mapping) == best
    assert reached > cases(30)


@pytest.mark.parametrize("starts", get_args(Starts))
def test_restarts_never_lose(starts: Starts) -> None:
    for problem in problems(200, "restarts"):
        likely = diagonal(problem)
        values = [
            problem.value(
                search(problem, METHODS[name], likely, starts=starts, seed=3, deadline=NEVER)
            )
            for name in ("base", "s", "s+4r", "s+9r")
        ]
        assert values == sorted(values)


@pytest.mark.parametrize("maps_all", [False, True])
def test_gains_are_what_steps_gain(maps_all: bool) -> None:
    """After any walk, the value kept up to date is the value computed afresh."""
    rng = random.Random("gains")
    for problem in problems(200, "walks"):
        climber = HillClimber(problem, maps_all=maps_all)
        climber.begin((), rng)
        assert climber.value == problem.value(climber.mapping())
        before = climber.value
        climber.climb(NEVER)
        assert climber.value == problem.value(climber.mapping()) >= before


def test_climbing_ends_where_no_move_and_no_swap_gains() -> None:
    for problem in problems(200, "local optima"):
        likely = diagonal(problem)
        mapping = search(problem, METHODS["r"], likely, starts="candidates", seed=1, deadline=NEVER)
        value = problem.value(mapping)
        for left, right in problem.candidates:
            moved = {i: j for i, j in mapping.items() if i != left and j != right}
            moved[left] = right
            assert problem.value(moved) <= value
            rival = next((i for i, j in mapping.items() if j == right), None)
            if rival is not None and left in mapping:
                assert problem.value({**mapping, left: right, rival: mapping[left]}) <= value


def test_warm_start_climbs_from_both_sides() -> None:
    better = {"left": 0, "right": 0}
    smart_climb = partial(search, method=METHODS["s"], starts="candidates", seed=2, deadline=NEVER)
    for problem in problems(300, "sides"):
        start = problem.value(warm_start(problem, diagonal(problem), seed=2, deadline=NEVER))
        from_left = problem.value(smart_climb(problem, likely=diagonal(problem)))
        back = MatchingProblem(
            problem.n_right,
            problem.n_left,
            tuple(
                Term(weight, tuple(sorted((j, i) for i, j in pairs)))
                for weight, pairs in problem.terms
            ),
        )
        from_right = back.value(smart_climb(back, likely=diagonal(back)))
        assert start == max(from_left, from_right)
        better["left"] += from_left > from_right
        better["right"] += from_right > from_left
    assert min(better.values()) > 0


def test_seeds_make_a_difference() -> None:
    found = {
        tuple(
            problem.value(
                search(problem, METHODS["r"], diagonal(problem), seed=seed, deadline=NEVER)
            )
            for problem in problems(100, "seeds")
        )
        for seed in range(3)
    }
    assert len(found) > 1


@pytest.mark.parametrize(
    "name, climbs", [("base", 0), ("r", 1), ("10r", 10), ("s", 1), ("s+4r", 5), ("s+9r", 10)]
)
def test_methods_start_as_often_as_their_names_say(
    monkeypatch: pytest.MonkeyPatch, name: str, climbs: int
) -> None:
    starts = []
    monkeypatch.setattr(HillClimber, "climb", lambda self, _: starts.append(self.mapping()))
    problem = problems(30, "starts")[-1]
    search(problem, METHODS[name], diagonal(problem), seed=0, deadline=NEVER)
    assert len(starts) == climbs


def test_a_deadline_ends_the_climb() -> None:
    (problem,) = problems(1, "late")
    mapping = search(problem, METHODS["10r"], diagonal(problem), seed=0, deadline=Deadline(at=0.0))
    assert len(set(mapping.values())) == len(mapping)
