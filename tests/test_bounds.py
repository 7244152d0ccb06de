"""The assignment bound: never below the optimum, and exact for terms of one pair."""

import random

import oracle
from samples import random_problem

from exactmatch.bounds.assignment import assign, assignment_bound, dual_value
from exactmatch.deadline import Deadline


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


def test_any_prices_give_a_bound() -> None:
    rng = random.Random("prices")
    for _ in range(500):
        problem = random_problem(rng, largest_term=1)
        worth = {term.pairs[0]: term.weight for term in problem.terms}
        prices = [rng.randint(0, 4) for _ in range(problem.n_right)]
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert dual_value(worth, prices) >= best
