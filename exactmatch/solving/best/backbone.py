"""Pairs of variables that are in all best mappings, and pairs that are in some of them.

The former are called the backbone (Monasson et al. 1999 of satisfiability; Slaney and Walsh 2001 of
optimisation). As in `exactmatch.solving.best.listing`, a pair counts where it takes part in a
match.

If a block is too large to visit all of its mappings, a pair is in all of them if the score falls
when nothing with that pair is scored; it is in some if the score stays the same when a term with it
is.
"""

from collections.abc import Mapping
from typing import NamedTuple

from exactmatch.problem import Pair
from exactmatch.solving.best.cases import all_of_block, holding, solved, taking_part, without
from exactmatch.solving.best.optimum import Optimum, ProblemBlock, Weights
from exactmatch.solving.best.small_block import TooLarge

#: A block is small if visiting all of its mappings takes at most so many branches.
_MOST_BRANCHES = 2000


class Backbone(NamedTuple):
    """Pairs that are in *every* best mapping, and pairs that are in *some*, these among them."""

    every: frozenset[Pair]
    some: frozenset[Pair]


def find_backbone(optimum: Optimum) -> Backbone:
    """Return the backbone of a solved problem.

    Raises `Undecided` if the solver leaves a gap, and `OutOfTime`.
    """
    certain, blocks = optimum.certain, optimum.tight_blocks
    every, some = set(certain.items()), set(certain.items())
    for block in blocks:
        of_block = backbone_of(optimum, block)
        every |= of_block.every
        some |= of_block.some
    return Backbone(frozenset(every), frozenset(some))


def backbone_of(optimum: Optimum, block: ProblemBlock) -> Backbone:
    """Return the backbone of a single block; raises as `find_backbone` does."""
    try:
        mappings = [frozenset(mapping.items()) for mapping in all_of_block(block, _MOST_BRANCHES)]
    except TooLarge:
        return _Candidates(optimum, block).backbone()
    return Backbone(frozenset.intersection(*mappings), frozenset.union(*mappings))


class _Candidates:
    """Undecided pairs of a block; each best mapping that is found decides some."""

    def __init__(self, optimum: Optimum, block: ProblemBlock) -> None:
        self._optimum = optimum
        self._block = block
        first = taking_part(block.weights, block.mapping)
        self._every = set(first)
        self._some = set(first)

    def backbone(self) -> Backbone:
        """Decide them all."""
        weights = self._block.weights
        for pair in sorted(self._every):
            if pair in self._every:
                self._see(without(weights, pair.__eq__), {}, 0)
        for pairs in sorted(weights):
            if not self._some.issuperset(pairs):
                held = dict(pairs)
                rest, gained = holding(weights, held)
                self._see(rest, held, gained)
        return Backbone(frozenset(self._every), frozenset(self._some))

    def _see(self, weights: Weights, held: Mapping[int, int], gained: int) -> None:
        """Record a best mapping that holds the pairs *held* and scores *weights* in addition."""
        solution = solved(self._optimum, weights)
        if solution.lower + gained == self._block.value:
            pairs = taking_part(self._block.weights, {**solution.mapping, **held})
            self._every &= pairs
            self._some |= pairs
