"""Both formulas for RC2: the terms, and the penalties, which large problems use."""

import random
from importlib import import_module
from typing import Any

import generate
import pytest
from oracles import brute_force as oracle
from samples import compared, random_problem

from exactmatch.encodings.base import Outcome
from exactmatch.problem import Mapping, MatchingProblem, Term
from exactmatch.stopping.deadline import Deadline

maxsat: Any = import_module("exactmatch.encodings.maxsat")
PLAIN, PENALTIES = 1 << 30, 0
WEIGHTS = {"small": (1, 2, 3), "similarities": (317, 1000), "huge": (1, 10**20, 7**40)}

both = pytest.mark.parametrize("most_terms", [PLAIN, PENALTIES])


def solved(problem: MatchingProblem, hint: Mapping, upper: int) -> Outcome:
    outcome: Outcome = maxsat.ENCODING.solve(
        problem, hint=hint, upper=upper, deadline=Deadline(), seed=0
    )
    return outcome


@both
@pytest.mark.parametrize("weights", WEIGHTS)
def test_either_formula_has_the_optimum_of_brute_force(
    most_terms: int, weights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maxsat, "PLAIN_TERMS", most_terms)
    rng = random.Random(weights)
    for _ in range(14):
        problem = random_problem(rng, largest_term=4)
        terms = [Term(w * rng.choice(WEIGHTS[weights]), pairs) for w, pairs in problem.terms]
        problem = MatchingProblem(problem.n_left, problem.n_right, terms)
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        outcome = solved(problem, {}, problem.total)
        assert outcome.lower == outcome.upper == best == problem.value(outcome.mapping)
        assert len(set(outcome.mapping.values())) == len(outcome.mapping)
        start = dict([*outcome.mapping.items()][:1])
        assert solved(problem, start, best + rng.randint(0, 2))[:2] == (best, best)


@both
@pytest.mark.parametrize("looks", [0, 1, 3, 10, 30])
def test_what_is_stopped_early_holds_all_the_same(
    most_terms: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maxsat, "PLAIN_TERMS", most_terms)
    problem = compared(*generate.family("unrelated", 8, seed=1)).problem
    optimum = solved(problem, {}, problem.total).lower
    best = maxsat._Best(problem, {})
    search = maxsat._LevelSearch(problem, best, problem.total)
    usual = search.bound
    seen = iter(range(looks))

    def bound(upper: int) -> None:
        usual(upper)
        if next(seen, None) is None:
            search.is_stopping = True

    search.bound = bound
    search.run(Deadline())
    assert problem.value(best.mapping) == best.value <= optimum <= search.upper
    own = best.work.own
    assert own.upper is None or own.upper >= optimum


class Interrupted:
    """A solver that is interrupted after some answers, and then has none."""

    def __init__(self, solver: Any, answers: int, search: Any) -> None:
        self._solver, self._left, self._search = solver, answers, search

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def solve_limited(self, **options: Any) -> bool | None:
        self._left -= 1
        self._search.is_stopping = self._left < 0
        return None if self._left < 0 else self._solver.solve_limited(**options)


@pytest.mark.parametrize("answers", [0, 1])
def test_no_answer_is_not_taken_for_a_proof(answers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maxsat, "PLAIN_TERMS", PLAIN)
    problem = compared(*generate.family("unrelated", 8, seed=1)).problem
    optimum = solved(problem, {}, problem.total).lower
    search = maxsat._LevelSearch(problem, maxsat._Best(problem, {}), problem.total)
    usual = maxsat._Oracle

    def oracle_of(solver: Any, by: Any) -> Any:
        return usual(Interrupted(solver, answers, search), by)

    monkeypatch.setattr(maxsat, "_Oracle", oracle_of)
    search.run(Deadline())
    assert search.best.value <= optimum <= search.upper


def test_penalties_begin_at_the_bound_of_the_relaxation() -> None:
    """All labels are equal, so all terms together weigh many times the optimum."""
    problem = compared(*generate.family("unlabelled", 10, seed=1)).problem
    task = maxsat._relaxed(problem, maxsat._Best(problem, {}), Deadline())
    optimum = solved(problem, {}, problem.total).lower
    assert optimum == task.most // task.unit < problem.total / 3
