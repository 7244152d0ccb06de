"""Open questions of a solved problem: excluded pairs, assumed pairs, and separate blocks."""

import random
from collections.abc import Iterable
from functools import partial
from typing import Any

import pytest
from best_samples import Sample, alike
from oracles import best_mappings as oracle
from seeds import each_seed

from exactmatch.problem import Pair
from exactmatch.solving.best.optimum import ProblemBlock, contracted, value_of
from exactmatch.solving.best.ranges import gains
from exactmatch.solving.best.small_block import TooLarge, visit_best_mappings
from exactmatch.stopping.deadline import Deadline


def visited(block: Any, most_branches: int, *, in_order: bool = False) -> list[dict[int, int]]:
    found: list[dict[int, int]] = []

    def visit(mapping: dict[int, int]) -> None:
        found.append(mapping.copy())

    visit_best_mappings(block, visit, most_branches, in_order=in_order)
    return found


@each_seed(100)
def test_what_an_optimum_says_holds_of_all_best_mappings(seed: int) -> None:
    rng = random.Random(f"optimum {seed}")
    sample = Sample.of(rng)
    optimum = sample.solved()
    pairs = [set(mapping.items()) for mapping in sample.listed]
    assert all(mapping.isdisjoint(optimum.ruled_out) for mapping in pairs)
    assert set().union(*pairs) <= optimum.open
    # Those granted can be added to any best mapping, and the certain ones are in all of them.
    granted = optimum.granted.items()
    wider = [mapping for mapping in sample.best if mapping.items() >= granted]
    assert {frozenset(oracle.needed(mapping, sample.score).items()) for mapping in wider} == {
        *map(frozenset, pairs)
    }
    foreign = sample.some_pairs(rng, rng.randint(0, 3))
    certain, blocks = optimum.with_others(foreign)
    assert all(mapping >= certain.items() for mapping in pairs)
    for block in blocks:
        assert value_of(block.weights, block.mapping) == block.value
    assert optimum.is_settled <= (len({sample.terms_of(m) for m in sample.best}) == 1)


@pytest.mark.parametrize("in_order", [True, False])
@each_seed(40)
def test_all_best_mappings_of_a_block_are_visited(seed: int, in_order: bool) -> None:
    for block in Sample.of(random.Random(f"block {seed}")).solved().blocks:
        found = visited(block, 10**6, in_order=in_order)
        lefts = block.lefts
        rights = sorted({right for pairs in block.weights for _, right in pairs})
        score = partial(oracle.matched, block.weights)
        best = oracle.best_mappings(lefts, rights, score)
        candidates = {pair for pairs in block.weights for pair in pairs}
        wanted = oracle.in_order(lefts, rights, [m for m in best if m.items() <= candidates])
        assert len(found) == len(wanted)
        assert (found if in_order else oracle.in_order(lefts, rights, found)) == wanted


def test_a_large_block_is_left_alone() -> None:
    (block,) = Sample(5, 5, alike(5, 5)).solved().blocks
    with pytest.raises(TooLarge):
        visited(block, 50)


def candidates(blocks: Iterable[ProblemBlock]) -> set[Pair]:
    return {pair for block in blocks for pairs in block.weights for pair in pairs}


def test_tightening_rules_out_more_pairs_but_none_of_a_best_mapping(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactmatch.solving.best.optimum._MANY", 0)
    sample = Sample.of(random.Random("tight 28"))
    solved = sample.solved()
    before, after = candidates(solved.loose_blocks), candidates(solved.tight_blocks)
    assert after < before
    used = {pair for mapping in sample.listed for pair in mapping.items()}
    assert used & before <= after
    solved.deadline = Deadline(0)
    assert all(list(solved.tightened(block)) == [block] for block in solved.loose_blocks)


@each_seed(80)
def test_costs_become_gains(seed: int) -> None:
    """The best mapping by gains and costs is the best by gains alone, and scores the same."""
    rng = random.Random(f"gains {seed}")
    sample = Sample.of(rng)
    weights = {pairs: rng.randint(-4, 4) for pairs in sample.terms}
    made = gains(sample.n_left, sample.n_right, weights)
    for weight, pairs in made.problem.terms:
        assert weight > 0
        assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    lefts, rights = range(made.problem.n_left), range(made.problem.n_right)
    best = oracle.best_mappings(lefts, rights, made.problem.value)
    wanted = max(
        oracle.matched(weights, mapping)
        for mapping in oracle.all_mappings(range(sample.n_left), range(sample.n_right))
    )
    assert made.problem.value(best[0]) + made.offset == wanted
    for mapping in best[:50]:
        assert oracle.matched(weights, made.undo(mapping)) == wanted


@each_seed(40)
def test_pairs_that_are_taken_leave_the_rest_of_the_score(seed: int) -> None:
    rng = random.Random(f"contracted {seed}")
    sample = Sample.of(rng)
    mapping = rng.choice(sample.best)
    taken = dict(rng.sample(sorted(mapping.items()), rng.randint(0, len(mapping))))
    smaller = contracted(sample.terms, taken)
    always = sum(w for pairs, w in sample.terms.items() if {*pairs} <= taken.items())
    assert oracle.matched(smaller, mapping) == sample.score(mapping) - always
