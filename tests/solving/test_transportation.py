"""Prices of the transportation problem, beside the best flow as another program finds it."""

import random
from collections.abc import Mapping, Sequence
from math import inf

import networkx
import pytest

from exactmatch.solving.dual.transportation import best_prices
from exactmatch.stopping.deadline import Deadline

Worths = Mapping[tuple[int, int], int]


def bound(worths: Worths, lefts: Sequence[int], rights: Sequence[int], prices: list[int]) -> int:
    """Return the bound that *prices* prove."""
    gains = [0] * len(lefts)
    for (a, b), worth in worths.items():
        gains[a] = max(gains[a], worth - prices[b])
    mine = sum(size * gain for size, gain in zip(lefts, gains, strict=True))
    return mine + sum(size * price for size, price in zip(rights, prices, strict=True))


def most(worths: Worths, lefts: Sequence[int], rights: Sequence[int]) -> int:
    """Return the gain of the best flow: a matching of single units."""
    graph = networkx.Graph()
    for (a, b), worth in worths.items():
        for i in range(lefts[a]):
            for j in range(rights[b]):
                graph.add_edge(("left", a, i), ("right", b, j), weight=worth)
    matching = networkx.max_weight_matching(graph)
    return sum(graph.edges[edge]["weight"] for edge in matching)


def random_case(rng: random.Random, largest: int) -> tuple[Worths, list[int], list[int]]:
    lefts, rights = ([rng.randint(1, 3) for _ in range(rng.randint(1, 5))] for _ in "lr")
    density = rng.choice([0.3, 0.7, 1.0])
    worths = {
        (a, b): rng.randint(0, largest)
        for a in range(len(lefts))
        for b in range(len(rights))
        if rng.random() < density
    }
    return worths, lefts, rights


@pytest.mark.parametrize("largest", [1, 3, 40, 10**9, 1 << 55])
def test_prices_prove_what_the_best_flow_gains(largest: int) -> None:
    rng = random.Random(f"prices {largest}")
    for case in range(80):
        worths, lefts, rights = random_case(rng, largest)
        prices = best_prices(worths, lefts, rights, Deadline())
        assert min(prices) >= 0, case
        assert bound(worths, lefts, rights, prices) == most(worths, lefts, rights), case


def test_prices_of_worths_beyond_64_bits_prove_nearly_as_much() -> None:
    rng = random.Random("huge")
    for case in range(80):
        worths, lefts, rights = random_case(rng, 1 << 90)
        best = most(worths, lefts, rights)
        found = bound(worths, lefts, rights, best_prices(worths, lefts, rights, Deadline()))
        assert best <= found <= best + best // 10**12, case


def test_prices_do_not_depend_on_the_order_of_worths() -> None:
    rng = random.Random("order")
    for case in range(80):
        worths, lefts, rights = random_case(rng, 4)
        other = dict(rng.sample(list(worths.items()), len(worths)))
        prices = best_prices(worths, lefts, rights, Deadline())
        assert best_prices(other, lefts, rights, Deadline()) == prices, case


def test_after_the_deadline_nothing_has_a_price() -> None:
    worths, lefts, rights = {(0, 0): 5, (1, 0): 5}, [1, 1], [1]
    assert best_prices(worths, lefts, rights, Deadline()) == [5]
    assert best_prices(worths, lefts, rights, Deadline(-inf)) == [0]
