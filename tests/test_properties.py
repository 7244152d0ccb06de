"""Laws that hold for any two graphs: tried with random ones."""

import random

import penman
import pytest
from nightly import by_day
from penman.models import amr
from samples import random_graph
from seeds import each_seed

import exactmatch


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


def texts_of(rng: random.Random, *sizes: int) -> list[str]:
    """Return random graphs of so many variables, as text."""
    return [random_graph(rng, size)[0] for size in sizes]


@each_seed(60)
def test_swapping_the_files_swaps_precision_and_recall(seed: int) -> None:
    system, gold = texts_of(random.Random(f"swapped {seed}"), 5, 4)
    forth, back = exactmatch.score(system, gold), exactmatch.score(gold, system)
    assert (forth.precision, forth.recall, forth.f1) == (back.recall, back.precision, back.f1)
    assert (forth.matched, forth.matched_upper) == (back.matched, back.matched_upper)


@each_seed(60)
def test_the_score_of_a_graph_against_itself_is_1(seed: int) -> None:
    (text,) = texts_of(random.Random(f"itself {seed}"), 1 + seed % 12)
    result = exactmatch.score(text, text)
    assert result.f1 == result.f1_upper == 1.0


@each_seed(60)
def test_names_and_the_order_of_triples_change_no_score(seed: int) -> None:
    rng = random.Random(f"rewritten {seed}")
    system, gold = texts_of(rng, 5, 5)
    plain = exactmatch.score(system, gold)
    again = exactmatch.score(rewritten(system, rng, new_root=False), gold)
    assert (plain.matched, plain.system_total) == (again.matched, again.system_total)


@each_seed(60)
def test_another_root_changes_the_top_alone(seed: int) -> None:
    rng = random.Random(f"root {seed}")
    system, gold = texts_of(rng, 5, 5)
    moved = rewritten(system, rng, new_root=True)
    without = exactmatch.score(system, gold, top="none"), exactmatch.score(moved, gold, top="none")
    assert without[0].matched == without[1].matched
    with_top = exactmatch.score(system, gold), exactmatch.score(moved, gold)
    assert abs(with_top[0].matched - with_top[1].matched) <= 1


@pytest.mark.parametrize("profile", by_day(["default", "smatch-1.0.4"]))
@each_seed(40)
def test_heuristics_are_never_above_the_optimum(seed: int, profile: str) -> None:
    system, gold = texts_of(random.Random(f"heuristics {seed}"), 6, 6)
    exact = exactmatch.score(system, gold, profile=profile)
    for method in ("base", "r", "s+4r"):
        found = exactmatch.score(system, gold, profile=profile, method=method, seed=seed)
        assert found.matched <= exact.matched <= found.matched_upper


@pytest.mark.parametrize("cross_check", by_day([False, True]))
def test_the_same_pairs_have_the_same_results_each_time(cross_check: bool) -> None:
    rng = random.Random("same")
    texts = [random_graph(rng, 8)[0] for _ in range(20)]
    results = [exactmatch.score(texts[:10], texts[10:], cross_check=cross_check) for _ in range(2)]
    first, second = (
        [(pair.matched, pair.solver, list(pair.mapping.items())) for pair in result.per_pair]
        for result in results
    )
    assert first == second
