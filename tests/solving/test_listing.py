"""Best mappings in their order, and the defined one, against a look at all mappings."""

import random

import pytest
from best_samples import NoProof, Sample, Terms, alike, never, unsure
from seeds import each_seed

from exactmatch.solving.best import listing
from exactmatch.solving.best.cases import all_of_block, holding
from exactmatch.solving.best.listing import defined_mapping, first_best_mappings
from exactmatch.solving.best.optimum import Optimum
from exactmatch.solving.best.small_block import TooLarge


@pytest.fixture(params=["looked at", "solved"])
def road(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have blocks looked at, or each step of their search solved."""
    if request.param == "solved":
        monkeypatch.setattr(listing, "_MOST_BRANCHES", 0)
        monkeypatch.setattr(listing, "_FEW_BRANCHES", 0)
    return str(request.param)


def fork(count: int) -> Sample:
    """*count* variables with two images each; all take the first image, or all the second."""
    first: Terms = {((i, i),): 1 for i in range(count)}
    second: Terms = {((i, (i + 1) % count),): 1 for i in range(count)}
    return Sample(count, count, {**first, **second})


@pytest.mark.usefixtures("road")
@each_seed(8)
def test_best_mappings_are_listed_in_order(seed: int) -> None:
    rng = random.Random(f"listing {seed}")
    several = 0
    for _ in range(40):
        sample = Sample.of(rng)
        optimum, limit = sample.solved(), rng.choice([1, 1, 2, 3, 100, len(sample.listed)])
        found = first_best_mappings(optimum, limit)
        assert found.mappings == sample.listed[:limit], sample.terms
        assert [list(mapping) for mapping in found.mappings] == [
            sorted(mapping) for mapping in sample.listed[:limit]
        ]
        assert found.are_all == (len(sample.listed) <= limit), sample.terms
        assert defined_mapping(optimum) == sample.listed[0]
        several += len(sample.listed) > 1
    assert several > 5


@pytest.mark.usefixtures("road")
@each_seed(10)
def test_the_mapping_that_was_found_does_not_matter(seed: int) -> None:
    rng = random.Random(f"start {seed}")
    sample = Sample.of(rng)
    solution = sample.solved()
    for mapping in sample.best[:20]:
        value = solution.value
        from_another = Optimum(
            sample.problem,
            solution.solve(sample.problem, {})._replace(mapping=mapping, lower=value),
            solution.solve,
        )
        assert defined_mapping(from_another) == sample.listed[0]
        assert first_best_mappings(from_another, 100).mappings == sample.listed


def test_no_image_comes_last() -> None:
    sample = Sample(2, 1, {((0, 0),): 1, ((1, 0),): 1})
    assert first_best_mappings(sample.solved(), 5).mappings == [{0: 0}, {1: 0}]


def test_the_order_is_that_of_variables_and_not_of_blocks() -> None:
    """Blocks of the variables 0 and 2, and 1 and 3, that have two mappings each."""
    terms: Terms = {((i, j),): 1 for i in (0, 2) for j in (0, 1)}
    terms |= {((i, j),): 1 for i in (1, 3) for j in (2, 3)}
    sample = Sample(4, 4, terms)
    assert first_best_mappings(sample.solved(), 9) == (sample.listed, True)
    assert [tuple(m[i] for i in range(4)) for m in sample.listed] == [
        (0, 2, 1, 3),
        (0, 3, 1, 2),
        (1, 2, 0, 3),
        (1, 3, 0, 2),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 2, 5])
def test_of_many_mappings_only_the_first_are_made(limit: int) -> None:
    """Eight variables with eight images each: too many to look at, and 8! best mappings."""
    every = Sample(8, 8, alike(8, 8))
    found = first_best_mappings(every.solved(), limit)
    ends = [tuple(mapping[i] for i in range(5, 8)) for mapping in found.mappings]
    assert ends == [(5, 6, 7), (5, 7, 6), (6, 5, 7), (6, 7, 5), (7, 5, 6)][:limit]
    assert not found.are_all
    (block,) = every.solved().tight_blocks
    with pytest.raises(TooLarge):
        all_of_block(block, listing._MOST_BRANCHES)


def test_many_blocks_are_not_multiplied_out() -> None:
    """2 to the power of 50 best mappings."""
    terms: Terms = {((2 * k + i, 2 * k + j),): 1 for k in range(50) for i in (0, 1) for j in (0, 1)}
    found = first_best_mappings(Sample(100, 100, terms).solved(), 3)
    assert not found.are_all
    assert [[i for i in mapping if mapping[i] != i] for mapping in found.mappings] == [
        [],
        [98, 99],
        [96, 97],
    ]


def test_a_cycle_has_two_mappings(road: str) -> None:
    sample = fork(9)
    found = first_best_mappings(sample.solved(), 2)
    assert found.are_all
    assert [mapping[0] for mapping in found.mappings] == [0, 1], road


def test_nothing_is_solved_for_small_blocks() -> None:
    sample = fork(4)
    solution = sample.solved().solve(sample.problem, {})
    assert defined_mapping(Optimum(sample.problem, solution, never)) == {i: i for i in range(4)}


def test_a_gap_leaves_a_list_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "_MOST_BRANCHES", 0)
    monkeypatch.setattr(listing, "_FEW_BRANCHES", 0)
    sample = fork(4)
    optimum = Optimum(sample.problem, sample.solved().solve(sample.problem, {}), unsure)
    with pytest.raises(NoProof):
        defined_mapping(optimum)
    with pytest.raises(NoProof):
        first_best_mappings(optimum, 1)


@pytest.mark.parametrize(("limit", "value"), [("_MOST_SOLVED", 3), ("_MOST_VARIABLES", 3)])
def test_there_is_an_end_to_the_search_for_best_mappings(
    limit: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_MOST_BRANCHES", 0)
    monkeypatch.setattr(listing, "_FEW_BRANCHES", 0)
    optimum = fork(4).solved()
    assert defined_mapping(optimum) == {i: i for i in range(4)}
    monkeypatch.setattr(listing, limit, value)
    with pytest.raises(NoProof):
        defined_mapping(optimum)


@each_seed(20)
def test_pairs_that_are_held_leave_the_rest_of_the_score(seed: int) -> None:
    """The score of a mapping with these pairs is their gain plus the score of the rest."""
    rng = random.Random(f"holding {seed}")
    sample = Sample.of(rng)
    if not sample.terms:
        return
    taken = dict(rng.choice(list(sample.terms)))
    rest, gained = holding(sample.terms, taken)
    left = Sample(sample.n_left, sample.n_right, rest)
    for mapping in sample.best:
        if mapping.items() >= taken.items():
            assert sample.score(mapping) == gained + left.score(mapping)
    assert all(pair not in taken.items() for pairs in rest for pair in pairs)
