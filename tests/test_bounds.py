"""The assignment bound: never below the optimum, and exact for terms of one pair."""

import random

import oracle
from samples import random_problem

from exactmatch.bounds.assignment import assign, assignment_bound, dual_value
from exactmatch.bounds.star import star_bounds
from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Term


def test_bound_is_never_below_the_optimum() -> None:
    rng = random.Random("bound")
    tight = 0
    for _ in range(1500):
        problem = random_problem(rng)
        bound, mapping = assignment_bound(problem, Deadline())
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert problem.value(mapping) <= best <= bound
        assert best <= assignment_bound(problem, Deadline(at=0.0))[0]
        tight += best == bound
    assert tight > 500


def test_bound_is_the_optimum_without_relations() -> None:
    rng = random.Random("unary")
    for _ in range(500):
        problem = random_problem(rng, largest_term=1)
        bound, mapping = assignment_bound(problem, Deadline())
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert problem.value(mapping) == best == bound


def test_assignment_is_proven_by_its_prices() -> None:
    rng = random.Random("assignment")
    for _ in range(2000):
        n_left, n_right = rng.randint(0, 6), rng.randint(1, 6)
        worth = {
            (i, j): rng.randint(-2, 9)
            for i in range(n_left)
            for j in range(n_right)
            if rng.random() < 0.6
        }
        image, prices = assign(n_left, n_right, worth, Deadline())
        assert len(set(image.values())) == len(image)
        assert min(prices) >= 0
        assert sum(worth[pair] for pair in image.items()) == dual_value(worth, prices)


def test_bound_knows_that_images_exclude_each_other() -> None:
    """Three relations of one left variable to another, of which a mapping scores one; and back."""
    terms = tuple(Term(4, ((0, 0), (1, j))) for j in (1, 2, 3))
    problem = MatchingProblem(2, 4, terms, 9, 9)
    assert star_bounds(problem, [4, 4, 4]) == {(0, 0): 4, (1, 1): 4, (1, 2): 4, (1, 3): 4}
    assert assignment_bound(problem, Deadline())[0] == 4
    back = MatchingProblem(4, 2, tuple(Term(4, ((0, 0), (i, 1))) for i in (1, 2, 3)), 9, 9)
    assert assignment_bound(back, Deadline())[0] == 4


def test_rows_hold_the_terms_that_exclude_each_other() -> None:
    terms = (
        Term(1, ((0, 0), (1, 1))),
        Term(1, ((0, 0), (1, 1), (2, 2))),
        Term(1, ((0, 0), (1, 2))),
        Term(1, ((0, 0), (1, 2), (2, 1))),
    )
    rows = MatchingProblem(3, 3, terms, 9, 9).grouped_rows
    of_first = sorted(row.terms for row in rows if row.candidate == 0)
    assert of_first == [(0,), (0, 2), (1, 3), (2,)]


def test_any_prices_give_a_bound() -> None:
    rng = random.Random("prices")
    for _ in range(500):
        problem = random_problem(rng, largest_term=1)
        worth = {term.pairs[0]: term.weight for term in problem.terms}
        prices = [rng.randint(-2, 4) for _ in range(problem.n_right)]
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert dual_value(worth, prices) >= best
