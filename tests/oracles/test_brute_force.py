"""On random pairs of graphs, the score is the best over all mappings, with any duplicates."""

import random
from typing import Any

import pytest
from oracles import brute_force as oracle
from samples import random_graph

import exactmatch

#: For each way to count duplicates; 1,200 pairs in all.
PAIRS = 400


@pytest.mark.slow
@pytest.mark.parametrize("duplicates", ["set", "multiset", "product"])
def test_optimum_equals_brute_force(duplicates: Any) -> None:
    rng = random.Random(f"brute force {duplicates}")
    kinds = set()
    pairs = [
        (random_graph(rng, rng.randint(1, 6)), random_graph(rng, rng.randint(1, 6)))
        for _ in range(PAIRS)
    ]
    result = exactmatch.score(
        [system for (system, _), _ in pairs],
        [gold for _, (gold, _) in pairs],
        duplicates=duplicates,
        timeout=None,
    )
    assert result.optimal == PAIRS
    for ((text, system), (_, gold)), found in zip(pairs, result.per_pair, strict=True):
        assert found.matched == found.matched_upper == oracle.optimum(system, gold, duplicates), (
            text
        )
        assert found.system_total == oracle.total(system, duplicates)
        assert found.gold_total == oracle.total(gold, duplicates)
        assert oracle.matched(system, gold, dict(found.mapping), duplicates) == found.matched
        kinds |= {"duplicate"} if len(set(system)) < len(system) else set()
        kinds |= {"self-loop"} if any(len(n) == 2 and n[0] == n[1] for _, n in system) else set()
        kinds |= {found.solver}
    assert kinds >= {"duplicate", "self-loop", "dual"}
