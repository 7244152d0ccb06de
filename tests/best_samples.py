"""Small problems with their solutions, and with all best mappings by brute force."""

import random
from collections.abc import Mapping
from functools import cached_property, partial

from oracles import best_mappings as oracle

from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.solving.best.optimum import Optimum
from exactmatch.solving.best.optimum import Undecided as NoProof
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, solve

Terms = dict[tuple[Pair, ...], int]

__all__ = ["SIZES", "NoProof", "Sample", "Terms", "alike", "never", "solved", "unsure"]


#: Most are large enough for several best mappings.
SIZES = (0, 1, 2, 3, 3, 4, 4, 4)


def alike(n_left: int, n_right: int) -> Terms:
    """Return a term of each pair, all of weight 1."""
    return {((i, j),): 1 for i in range(n_left) for j in range(n_right)}


class Sample:
    """A problem of up to four variables on either side, and its terms."""

    def __init__(self, n_left: int, n_right: int, terms: Terms) -> None:
        self.n_left, self.n_right, self.terms = n_left, n_right, terms
        ordered = [Term(weight, pairs) for pairs, weight in sorted(terms.items())]
        self.problem = MatchingProblem(n_left, n_right, ordered)

    @classmethod
    def of(cls, rng: random.Random) -> "Sample":
        """Return a random problem; there may be no variables, or no terms."""
        sample = cls(rng.choice(SIZES), rng.choice(SIZES), {})
        weights = rng.choice([[1], [1, 2], [1, 1, 1, 2, 5]])  # the former leave more best mappings
        return cls(
            sample.n_left,
            sample.n_right,
            {pairs: rng.choice(weights) for pairs in sample.some_pairs(rng, rng.randint(0, 14))},
        )

    def some_pairs(self, rng: random.Random, count: int) -> list[tuple[Pair, ...]]:
        """Return the pairs for *count* terms of one to three pairs."""
        if not (self.n_left and self.n_right):
            return []
        return [self._pairs(rng) for _ in range(count)]

    def _pairs(self, rng: random.Random) -> tuple[Pair, ...]:
        size = min(rng.choice([1, 1, 2, 2, 2, 3]), self.n_left, self.n_right)
        lefts = sorted(rng.sample(range(self.n_left), size))
        return tuple(zip(lefts, rng.sample(range(self.n_right), size), strict=True))

    def score(self, mapping: dict[int, int]) -> int:
        return oracle.matched(self.terms, mapping)

    def terms_of(self, mapping: dict[int, int]) -> frozenset[tuple[Pair, ...]]:
        """Return the score of *mapping*."""
        return frozenset(pairs for pairs in self.terms if {*pairs} <= mapping.items())

    @cached_property
    def best(self) -> list[dict[int, int]]:
        """All best mappings, including those with pairs that score nothing."""
        return oracle.best_mappings(range(self.n_left), range(self.n_right), self.score)

    @cached_property
    def listed(self) -> list[dict[int, int]]:
        """The scoring pairs of all best mappings, in order."""
        best = [oracle.needed(mapping, self.score) for mapping in self.best]
        return oracle.in_order(range(self.n_left), range(self.n_right), best)

    def solved(self) -> Optimum:
        return Optimum(self.problem, solved(self.problem, {}), solved)


def solved(problem: MatchingProblem, hint: Mapping[int, int]) -> Solution:
    """Return a best mapping, and its proof."""
    return _solve(problem, hint=hint)


def never(problem: MatchingProblem, hint: Mapping[int, int]) -> Solution:
    """A solver that must not be called."""
    raise AssertionError("it was solved again")


def unsure(problem: MatchingProblem, hint: Mapping[int, int]) -> Solution:
    """Return a solution with a gap."""
    return solved(problem, hint)._replace(upper=problem.total + 1)


_solve = partial(solve, settings=SolverSettings(solver="dual"))
