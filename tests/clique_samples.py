"""Problems whose bounds cliques lower, and budgets that leave them to cliques."""

import random

from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.solving.budgets import CliqueBudgets, DualBudgets

#: Everything is left to cliques: no mapping is looked for, and hardly any case is tried before.
FORCED = DualBudgets(
    root_iterations=10,
    first_tree=(0, 1, 0),
    level_tree=(40, 2, 100),
    core_iterations=10,
    fusion_tree=(0, 1, 0),
    nearby_tree=(0, 1, 0),
    rest_iterations=2,
    case_iterations=5,
    least_fixed=0.01,
    few_terms=0,
    cliques=CliqueBudgets(least_present=1030, rounds=2, iterations=15),
)


def tangled_problem(rng: random.Random, n_left: int = 4) -> MatchingProblem:
    """Return a problem of many terms of two and three pairs, some of single pairs too."""
    n_right = n_left + rng.randint(0, 2)
    sets: set[tuple[Pair, ...]] = set()
    for _ in range(rng.randint(4 * n_left, 12 * n_left)):
        size = rng.choice((1, 2, 2, 2, 2, 3))
        lefts = sorted(rng.sample(range(n_left), size))
        sets.add(tuple(zip(lefts, rng.sample(range(n_right), size), strict=True)))
    heaviest = rng.choice((1, 2, 5))
    terms = [Term(rng.randint(1, heaviest), pairs) for pairs in sorted(sets)]
    return MatchingProblem(n_left, n_right, terms)
