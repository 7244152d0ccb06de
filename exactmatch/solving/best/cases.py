"""Blocks under an assumption: their remaining terms, and the score of these."""

from collections.abc import Callable, Mapping

from exactmatch.problem import Pair
from exactmatch.solving.best.optimum import (
    Optimum,
    ProblemBlock,
    Undecided,
    Weights,
    contracted,
    matching_problem,
)
from exactmatch.solving.best.small_block import MOST_TERMS, visit_best_mappings
from exactmatch.solving.strategy import Solution


def all_of_block(block: ProblemBlock, most_branches: int) -> list[dict[int, int]]:
    """Return all best mappings of a small block, in no order; raise `TooLarge` for others."""
    best: set[frozenset[Pair]] = set()

    def visit(mapping: dict[int, int]) -> None:
        best.add(taking_part(block.weights, mapping))

    visit_best_mappings(block, visit, most_branches)
    return [dict(pairs) for pairs in best]


def taking_part(weights: Weights, mapping: Mapping[int, int]) -> frozenset[Pair]:
    """Return the pairs of *mapping* that take part in a match."""
    # Lists, since generators take twice as long, and this is asked of each mapping of a block.
    scored = [
        pairs
        for pairs, weight in weights.items()
        if weight and all([mapping.get(left) == right for left, right in pairs])
    ]
    return frozenset([pair for pairs in scored for pair in pairs])


def without(weights: Weights, is_out: Callable[[Pair], bool]) -> dict[tuple[Pair, ...], int]:
    """Return the terms that need no pair that *is_out*."""
    return {pairs: w for pairs, w in weights.items() if not any(map(is_out, pairs))}


def holding(weights: Weights, taken: Mapping[int, int]) -> tuple[dict[tuple[Pair, ...], int], int]:
    """Return the remaining terms for mappings that hold the pairs *taken*, and their score.

    Terms are removed that need a pair with exactly one of two variables in common.
    """
    back = {right: left for left, right in taken.items()}

    def is_rival(pair: Pair) -> bool:
        left, right = pair
        return taken.get(left, right) != right or back.get(right, left) != left

    rest = without(weights, is_rival)
    smaller = contracted(rest, taken)
    return smaller, sum(rest.values()) - sum(smaller.values())


def solved(optimum: Optimum, weights: Weights) -> Solution:
    """Return a best mapping for these terms; raise `Undecided` if no mapping is proven best.

    With so many terms that each of many cases would take long, it is not tried. Raises `OutOfTime`.
    """
    if len(weights) > MOST_TERMS:
        raise Undecided
    optimum.deadline.check()
    solution = optimum.solve(matching_problem(optimum.problem, weights), {})
    if not solution.is_optimal:
        raise Undecided
    return solution
