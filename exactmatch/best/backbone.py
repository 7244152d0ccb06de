"""Pairs of variables that all best mappings have in common, and those that some of them have.

The former are called the backbone (Monasson et al. 1999 of satisfiability; Slaney and Walsh 2001 of
optimisation). As in `exactmatch.best.listing`, a pair counts where it takes part in a match.

Where a block is too large to look at all of its mappings, a pair is in all of them if the score
falls when nothing with that pair is scored; it is in some if the score stays the same when a term
with it is.
"""

from typing import NamedTuple

from exactmatch.best.listing import all_of_block, best_score, holding, taking_part, without
from exactmatch.best.optimum import Optimum, ProblemBlock
from exactmatch.best.small_block import TooLarge
from exactmatch.problem import Pair


class Backbone(NamedTuple):
    """Pairs that are in *every* best mapping, and pairs that are in *some*, these among them."""

    every: frozenset[Pair]
    some: frozenset[Pair]


def find_backbone(optimum: Optimum) -> Backbone:
    """Return the backbone of a solved problem.

    Raises `Undecided` where the solver leaves a gap, and `OutOfTime`.
    """
    certain, blocks = optimum.with_others(())
    every, some = set(certain.items()), set(certain.items())
    for block in blocks:
        found = _of_block(optimum, block)
        every |= found.every
        some |= found.some
    return Backbone(frozenset(every), frozenset(some))


def _of_block(optimum: Optimum, block: ProblemBlock) -> Backbone:
    try:
        mappings = [frozenset(mapping.items()) for mapping in all_of_block(block)]
    except TooLarge:
        return _solved(optimum, block)
    return Backbone(frozenset.intersection(*mappings), frozenset.union(*mappings))


def _solved(optimum: Optimum, block: ProblemBlock) -> Backbone:
    known = taking_part(block.weights, block.mapping)
    every = {pair for pair in known if _is_needed(optimum, block, pair)}
    some = set(known)
    for pairs in sorted(block.weights):
        if not some.issuperset(pairs) and _may_score(optimum, block, pairs):
            some.update(pairs)
    return Backbone(frozenset(every), frozenset(some))


def _is_needed(optimum: Optimum, block: ProblemBlock, pair: Pair) -> bool:
    """Tell whether no best mapping can do without what *pair* takes part in."""
    return best_score(optimum, without(block.weights, pair.__eq__)) < block.value


def _may_score(optimum: Optimum, block: ProblemBlock, pairs: tuple[Pair, ...]) -> bool:
    """Tell whether a best mapping holds all of *pairs*."""
    smaller, gained = holding(block.weights, dict(pairs))
    return best_score(optimum, smaller) + gained == block.value
