"""Presolve keeps the optimum."""

import random

import pytest
from oracles import brute_force as oracle
from samples import random_problem

from exactmatch.problem import MatchingProblem, Term
from exactmatch.solving.presolve import presolve
from exactmatch.stopping.deadline import Deadline


@pytest.mark.slow
def test_the_optimum_is_kept() -> None:
    rng = random.Random("presolve")
    smaller = solved = 0
    for _ in range(800):
        problem = random_problem(rng)
        presolved = presolve(problem, Deadline())
        left = presolved.problem
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        rest = oracle.best_score(left.n_left, left.n_right, left.terms)
        assert best == rest + presolved.gained
        assert not {i for i, _ in left.candidates} & set(presolved.forced)
        assert not {j for _, j in left.candidates} & set(presolved.forced.values())
        smaller += len(left.candidates) < len(problem.candidates)
        solved += not left.terms
    assert smaller > 400 and solved > 120


def test_undoing_adds_what_was_forced() -> None:
    rng = random.Random("undo")
    for _ in range(500):
        problem = random_problem(rng)
        presolved = presolve(problem, Deadline())
        mapping = dict(
            rng.sample(presolved.problem.candidates, min(1, len(presolved.problem.candidates)))
        )
        whole = presolved.undo(mapping)
        assert len(set(whole.values())) == len(whole)
        assert problem.value(whole) == presolved.gained + presolved.problem.value(mapping)


def test_a_pair_without_worthy_rivals_is_forced() -> None:
    terms = (Term(5, ((0, 0),)), Term(1, ((0, 1),)), Term(1, ((0, 1), (1, 0))), Term(1, ((1, 0),)))
    assert presolve(MatchingProblem(2, 2, terms), Deadline()).forced == {0: 0}


def test_a_pair_worth_as_little_as_its_rivals_stays() -> None:
    """Two clauses also fit each other crosswise, so nothing is forced and nothing dominated."""
    terms = tuple(
        Term(1, pairs)
        for pairs in sorted(
            [((i, j),) for i in range(4) for j in range(4) if i % 2 == j % 2]
            + [((i, j), (i + 1, j + 1)) for i in (0, 2) for j in (0, 2)]
        )
    )
    problem = MatchingProblem(4, 4, terms)
    assert presolve(problem, Deadline()).problem == problem


@pytest.mark.parametrize("turned", [False, True])
def test_a_pair_dominates_a_rival_on_either_side(turned: bool) -> None:
    """(0, 0) is worth 5: more than (1, 0), worth 1, and its best rival on the other side, worth 4.

    With 4 and 3 on both sides it is not forced, and it does not dominate these.
    """
    worth = {(0, 0): 5, (0, 1): 4, (1, 0): 1, (2, 0): 3}
    pairs = {(j, i) if turned else (i, j): weight for (i, j), weight in worth.items()}
    terms = tuple(Term(weight, (pair,)) for pair, weight in sorted(pairs.items()))
    presolved = presolve(MatchingProblem(3, 3, terms), Deadline())
    assert presolved.forced == {}
    assert sorted(presolved.problem.candidates) == sorted(p for p, w in pairs.items() if w > 1)
