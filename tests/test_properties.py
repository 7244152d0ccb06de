"""Laws that hold for any two graphs."""

import random

import penman
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from penman.models import amr
from samples import random_graph

import exactmatch

seeds = st.integers(0, 2**32)
few = settings(deadline=None, max_examples=60, derandomize=True)


def rewritten(text: str, rng: random.Random, *, new_root: bool) -> str:
    """Return the same graph with other variables, in another order, from another root."""
    graph = penman.decode(text, model=amr.model)
    names = {
        v: f"z{k}"
        for k, v in enumerate(rng.sample(sorted(graph.variables()), len(graph.variables())))
    }
    triples = [(names[s], role, names.get(t, t)) for s, role, t in graph.triples]
    rng.shuffle(triples)
    top = rng.choice(sorted(names.values())) if new_root else names[graph.top]
    encoded: str = penman.encode(penman.Graph(triples, top=top), model=amr.model)
    return encoded


@few
@given(seeds, seeds)
def test_swapping_the_files_swaps_precision_and_recall(one: int, other: int) -> None:
    system, _ = random_graph(random.Random(one), 5)
    gold, _ = random_graph(random.Random(other), 4)
    forth, back = exactmatch.score(system, gold), exactmatch.score(gold, system)
    assert (forth.precision, forth.recall, forth.f1) == (back.recall, back.precision, back.f1)
    assert (forth.matched, forth.matched_upper) == (back.matched, back.matched_upper)


@few
@given(seeds, st.integers(1, 12))
def test_a_graph_against_itself_is_1(seed: int, size: int) -> None:
    text, _ = random_graph(random.Random(seed), size)
    result = exactmatch.score(text, text)
    assert result.f1 == result.f1_upper == 1.0


@few
@given(seeds, seeds)
def test_names_and_order_change_nothing(seed: int, other: int) -> None:
    rng = random.Random(seed)
    system, _ = random_graph(rng, 5)
    gold, _ = random_graph(random.Random(other), 5)
    plain = exactmatch.score(system, gold)
    again = exactmatch.score(rewritten(system, rng, new_root=False), gold)
    assert (plain.matched, plain.system_total) == (again.matched, again.system_total)


@few
@given(seeds, seeds)
def test_another_root_changes_the_top_alone(seed: int, other: int) -> None:
    rng = random.Random(seed)
    system, _ = random_graph(rng, 5)
    gold, _ = random_graph(random.Random(other), 5)
    moved = rewritten(system, rng, new_root=True)
    without = exactmatch.score(system, gold, top="none"), exactmatch.score(moved, gold, top="none")
    assert without[0].matched == without[1].matched
    with_top = exactmatch.score(system, gold), exactmatch.score(moved, gold)
    assert abs(with_top[0].matched - with_top[1].matched) <= 1


@few
@given(seeds, st.sampled_from(["default", "smatch-1.0.4"]))
def test_heuristics_are_never_above_the_optimum(seed: int, profile: str) -> None:
    rng = random.Random(seed)
    system, gold = random_graph(rng, 6)[0], random_graph(rng, 6)[0]
    exact = exactmatch.score(system, gold, profile=profile)
    for method in ("base", "r", "s+4r"):
        found = exactmatch.score(system, gold, profile=profile, method=method, seed=seed % 1000)
        assert found.matched <= exact.matched <= found.matched_upper


@pytest.mark.parametrize("cross_check", [False, True])
def test_same_result_each_time(cross_check: bool) -> None:
    rng = random.Random("same")
    texts = [random_graph(rng, 8)[0] for _ in range(20)]
    results = [exactmatch.score(texts[:10], texts[10:], cross_check=cross_check) for _ in range(2)]
    first, second = (
        [(pair.matched, pair.solver, list(pair.mapping.items())) for pair in result.per_pair]
        for result in results
    )
    assert first == second
