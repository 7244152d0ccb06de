"""Graphs whose matching problem need not be written down, and all that is made of two of them."""

import random
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from exactmatch.certificate.writer import certificate_json
from exactmatch.dual.counting import CountsProof
from exactmatch.metrics.compact import build_compact
from exactmatch.pair_json import pair_as_json
from exactmatch.problem import MatchingProblem
from exactmatch.triples import (
    Duplicates,
    Item,
    ItemGraph,
    Similar,
    build_problem,
    count_matched,
)

SIMILAR: Similar = {(("p",), ("q",)): 3, (("q",), ("p",)): 7, (("z",), ("p",)): 4}


class Case:
    """Two graphs, how they are compared, and what is made of that."""

    def __init__(
        self, test: ItemGraph, gold: ItemGraph, duplicates: Duplicates, similar: Similar, scale: int
    ) -> None:
        self.test, self.gold, self.duplicates = test, gold, duplicates
        self.similar, self.scale = similar, scale
        self.compact = build_compact(test, gold, duplicates, similar, scale)
        self.pair = pair_as_json("x", "y", duplicates, test, gold, similar, scale)

    def problem(self) -> MatchingProblem:
        graphs = (self.test, self.gold)
        return build_problem(*graphs, self.duplicates, similar=self.similar, scale=self.scale)

    def named(self, mapping: dict[int, int]) -> dict[str, str]:
        return {self.test.variables[i]: self.gold.variables[j] for i, j in mapping.items()}

    def count(self, mapping: dict[int, int]) -> int:
        """Return what *mapping* matches, from the definition."""
        graphs = (self.test, self.gold)
        named = self.named(mapping)
        return count_matched(*graphs, named, self.duplicates, self.similar, self.scale)

    def optimum(self) -> int:
        return max(self.count(mapping) for mapping in self.mappings())

    def mappings(self) -> Iterator[dict[int, int]]:
        n, m = len(self.test.variables), len(self.gold.variables)
        places = [*range(m), *[-1] * max(0, n - m)]
        for images in permutations(places, n):
            yield {i: j for i, j in enumerate(images) if j >= 0}

    def certificate(self, proof: CountsProof, mapping: dict[int, int]) -> dict[str, Any]:
        return certificate_json(self.pair, proof, mapping=mapping, lower=self.count(mapping))


def random_graph(rng: random.Random, names: str, has_targets: bool) -> ItemGraph:
    def items() -> list[Item]:
        found = []
        for _ in range(rng.randint(0, 9)):
            variables = tuple(rng.choices(names, k=rng.choice([1, 1, 2, 2, 3])))
            found += [Item((rng.choice("pq"),), variables)] * rng.choice([1, 1, 1, 2, 3])
        return found

    return ItemGraph(tuple(names), items(), items() if has_targets else None)


def random_case(rng: random.Random) -> Case:
    """Return a small case: few labels in several sizes, loops, repetitions, targets."""
    test = random_graph(rng, "abcd"[: rng.randint(1, 4)], has_targets=False)
    gold = random_graph(rng, "wxyz"[: rng.randint(1, 4)], has_targets=rng.random() < 0.3)
    duplicates: Duplicates = rng.choice(["set", "multiset", "product"])
    return Case(test, gold, duplicates, *rng.choice([({}, 1), (SIMILAR, 10)]))


def tree(size: int, seed: int, labels: str = "x", degree: int = 3) -> ItemGraph:
    """Return a tree; with one label, nothing but its shape tells its nodes apart."""
    rng = random.Random(seed)
    items = [Item(("top",), ("v0",))]
    for k in range(size):
        items.append(Item(("instance", rng.choice(labels)), (f"v{k}",)))
        if k:
            parent = rng.randrange(max(0, k // degree - 2), k // degree + 1) if k > 4 else 0
            items.append(Item(("relation", "R"), (f"v{parent}", f"v{k}")))
    return ItemGraph(tuple(f"v{k}" for k in range(size)), items)


def star(size: int, seed: int, labels: str) -> ItemGraph:
    """Return a graph in which all variables hang on one."""
    rng = random.Random(seed)
    items = [Item(("instance", "hub"), ("v0",))]
    for k in range(1, size):
        items.append(Item(("instance", rng.choice(labels)), (f"v{k}",)))
        items.append(Item(("relation", "R"), ("v0", f"v{k}")))
    return ItemGraph(tuple(f"v{k}" for k in range(size)), items)


def shuffled(graph: ItemGraph, seed: int) -> ItemGraph:
    """Return *graph* with other names in another order."""
    rng = random.Random(seed)
    names, items = list(graph.variables), list(graph.items)
    rng.shuffle(names)
    rng.shuffle(items)
    new = {name: f"n{k}" for k, name in enumerate(names)}
    renamed = [Item(label, tuple(new[v] for v in variables)) for label, variables in items]
    return ItemGraph(tuple(new.values()), renamed)


def compared(test: ItemGraph, gold: ItemGraph) -> Case:
    return Case(test, gold, "set", {}, 1)
