"""Pairs in all best mappings and in some of them, compared with brute force."""

import random

import pytest
from best_samples import NoProof, Sample, alike, unsure
from seeds import each_seed

from exactmatch.solving.best import backbone
from exactmatch.solving.best.backbone import find_backbone
from exactmatch.solving.best.optimum import Optimum


@pytest.mark.parametrize("branches", [2000, 0])
@each_seed(3)
def test_a_backbone_is_that_of_all_best_mappings(
    seed: int, branches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backbone, "_MOST_BRANCHES", branches)
    rng = random.Random(f"backbone {seed}")
    differing = 0
    for _ in range(40):
        sample = Sample.of(rng)
        found = find_backbone(sample.solved())
        best = [frozenset(mapping.items()) for mapping in sample.listed]
        assert found.every == frozenset.intersection(*best), sample.terms
        assert found.some == frozenset.union(*best), sample.terms
        differing += found.every != found.some
    assert differing > 5


def test_a_backbone_is_found_among_twelve_variables_that_are_alike() -> None:
    every = alike(12, 12)
    found = find_backbone(Sample(13, 13, {**every, ((12, 12),): 1}).solved())
    assert found.every == {(12, 12)}
    assert found.some == {pairs[0] for pairs in every} | {(12, 12)}


def test_a_gap_leaves_a_backbone_unproven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backbone, "_MOST_BRANCHES", 0)
    sample = Sample(2, 2, alike(2, 2))
    solution = sample.solved().solve(sample.problem, {})
    with pytest.raises(NoProof):
        find_backbone(Optimum(sample.problem, solution, unsure))
