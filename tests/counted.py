"""Graphs whose matching problem is too large to be built, and the results for two of them."""

import random
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from exactmatch.metrics.triples import (
    Duplicates,
    NormalisedGraph,
    NormalisedTriple,
    Similar,
)
from exactmatch.problem import MatchingProblem
from exactmatch.scoring.build import build_compact, build_problem
from exactmatch.scoring.comparison import pair_as_json
from exactmatch.scoring.match_values import MatchValues
from exactmatch.scoring.recount import count_matched
from exactmatch.solving.certificates import certificate_json
from exactmatch.solving.dual.counting import CountsProof

SIMILAR: Similar = {(("p",), ("q",)): 3, (("q",), ("p",)): 7, (("z",), ("p",)): 4}


class Case:
    """Two graphs, their comparison, and the results derived from it."""

    def __init__(
        self,
        system: NormalisedGraph,
        gold: NormalisedGraph,
        duplicates: Duplicates,
        similar: Similar,
        scale: int,
    ) -> None:
        self.system, self.gold, self.duplicates = system, gold, duplicates
        self.similar, self.scale = similar, scale
        self.values = MatchValues(duplicates, similar, scale)
        self.compact = build_compact(system, gold, self.values)
        self.pair = pair_as_json("x", "y", system, gold, self.values)

    def problem(self) -> MatchingProblem:
        return build_problem(self.system, self.gold, self.values)

    def named(self, mapping: dict[int, int]) -> dict[str, str]:
        return {self.system.variables[i]: self.gold.variables[j] for i, j in mapping.items()}

    def count(self, mapping: dict[int, int]) -> int:
        """Return the number of triples that *mapping* matches, by the definition."""
        return count_matched(self.system, self.gold, self.named(mapping), *self.values)

    def optimum(self) -> int:
        return max(self.count(mapping) for mapping in self.mappings())

    def mappings(self) -> Iterator[dict[int, int]]:
        n, m = len(self.system.variables), len(self.gold.variables)
        places = [*range(m), *[-1] * max(0, n - m)]
        for images in permutations(places, n):
            yield {i: j for i, j in enumerate(images) if j >= 0}

    def certificate(self, proof: CountsProof, mapping: dict[int, int]) -> dict[str, Any]:
        return certificate_json(self.pair, proof, mapping=mapping, lower=self.count(mapping))


def random_graph(rng: random.Random, names: str, has_targets: bool) -> NormalisedGraph:
    def items() -> list[NormalisedTriple]:
        found = []
        for _ in range(rng.randint(0, 9)):
            variables = tuple(rng.choices(names, k=rng.choice([1, 1, 2, 2, 3])))
            found += [NormalisedTriple((rng.choice("pq"),), variables)] * rng.choice(
                [1, 1, 1, 2, 3]
            )
        return found

    return NormalisedGraph(tuple(names), items(), items() if has_targets else None)


def random_case(rng: random.Random) -> Case:
    """Return a small case: few labels in several sizes, loops, repetitions, targets."""
    system = random_graph(rng, "abcd"[: rng.randint(1, 4)], has_targets=False)
    gold = random_graph(rng, "wxyz"[: rng.randint(1, 4)], has_targets=rng.random() < 0.3)
    duplicates: Duplicates = rng.choice(["set", "multiset", "product"])
    return Case(system, gold, duplicates, *rng.choice([({}, 1), (SIMILAR, 10)]))


def tree(size: int, seed: int, labels: str = "x", degree: int = 3) -> NormalisedGraph:
    """Return a tree; with a single label, only the shape distinguishes its nodes."""
    rng = random.Random(seed)
    items = [NormalisedTriple(("top",), ("v0",))]
    for k in range(size):
        items.append(NormalisedTriple(("instance", rng.choice(labels)), (f"v{k}",)))
        if k:
            parent = rng.randrange(max(0, k // degree - 2), k // degree + 1) if k > 4 else 0
            items.append(NormalisedTriple(("relation", "R"), (f"v{parent}", f"v{k}")))
    return NormalisedGraph(tuple(f"v{k}" for k in range(size)), items)


def star(size: int, seed: int, labels: str) -> NormalisedGraph:
    """Return a graph in which all variables hang on one."""
    rng = random.Random(seed)
    items = [NormalisedTriple(("instance", "hub"), ("v0",))]
    for k in range(1, size):
        items.append(NormalisedTriple(("instance", rng.choice(labels)), (f"v{k}",)))
        items.append(NormalisedTriple(("relation", "R"), ("v0", f"v{k}")))
    return NormalisedGraph(tuple(f"v{k}" for k in range(size)), items)


def shuffled(graph: NormalisedGraph, seed: int) -> NormalisedGraph:
    """Return *graph* with other names in another order."""
    rng = random.Random(seed)
    names, items = list(graph.variables), list(graph.triples)
    rng.shuffle(names)
    rng.shuffle(items)
    new = {name: f"n{k}" for k, name in enumerate(names)}
    renamed = [
        NormalisedTriple(label, tuple(new[v] for v in variables)) for label, variables in items
    ]
    return NormalisedGraph(tuple(new.values()), renamed)


def compared(system: NormalisedGraph, gold: NormalisedGraph) -> Case:
    return Case(system, gold, "set", {}, 1)
