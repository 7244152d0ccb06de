"""Prove random small pairs by all metrics, with budgets so small that proofs have many cases.

    python tests/fuzz.py COUNT [SEED]

Each score is compared with brute force over counts of triples, which shares nothing with the
solvers; every certificate is checked. The proofs by covers are compared in the same way, both for
graphs and for texts that are read into numbers. `test_fuzz.py` runs some cases.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import ClassVar

from drs_samples import random_drs
from samples import only_graph, random_graph, random_mrp_graph
from sbn_samples import random_sbn

from exactmatch.certificate.checker import check
from exactmatch.graphs.graph import PENMAN
from exactmatch.graphs.pairing import Couple, GraphPair
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.words import SimilarityTable
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.amr.amr_metric import AmrMetric
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.mrp import Mrp
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.similarity import Similarity
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import Duplicates, NormalisedGraph, NormalisedTriple, Similar
from exactmatch.problem import Pair
from exactmatch.runtime.workers import MOST
from exactmatch.scoring.by_cover import CoverRoad
from exactmatch.scoring.comparison import Comparison, compare
from exactmatch.scoring.solve import solve_within
from exactmatch.solving.budgets import Budgets, DualBudgets
from exactmatch.solving.certificates import certificate_json
from exactmatch.solving.covers import USUAL_STEPS
from exactmatch.stopping.deadline import Deadline

LARGEST = 10**14


@dataclass(frozen=True, slots=True)
class Weighted(Smatch):
    """Triples of arbitrary worth, as far as numbers may go."""

    metric: ClassVar[str] = "weighted"

    def likely(self, system: NormalisedGraph, gold: NormalisedGraph) -> Iterator[Pair]:
        return iter(())


def choose(rng: random.Random, profile: AlignmentMetric) -> AlignmentMetric:
    """Return *profile* with random values of its choices, except those for files or UMR alone."""
    choices = {
        name: rng.choice([value for value in values if value != "file"])
        for name, values in profile.choices().items()
        if name not in AmrMetric.linking
    }
    return profile.with_choices(**choices) if rng.random() < 0.7 else profile


def of_smatch(rng: random.Random) -> Comparison:
    system, gold = (only_graph(random_graph(rng, rng.randint(1, 6))[0]) for _ in range(2))
    return compare(GraphPair("x", system, gold), choose(rng, Smatch.profiles["default"]))


def of_s2match(rng: random.Random) -> Comparison:
    system, gold = (only_graph(random_graph(rng, rng.randint(1, 6))[0]) for _ in range(2))
    table = {(a, b): Fraction(rng.randint(0, 1000), 1000) for a in "pqr" for b in "pqr" if a < b}
    similarity = Similarity(
        SimilarityTable("random", table), Fraction(rng.randint(0, 2), 4), Fraction(1, 2)
    )
    profile = S2match.profiles["default"]
    assert isinstance(profile, S2match)
    return compare(
        GraphPair("x", system, gold), choose(rng, profile.with_words(similarity=similarity))
    )


def of_mrp(rng: random.Random) -> Comparison:
    system, gold = (
        only_graph(json.dumps(random_mrp_graph(rng, rng.randint(1, 6)))) for _ in range(2)
    )
    return compare(GraphPair("x", system, gold), choose(rng, Mrp.profiles["default"]))


def of_counter(rng: random.Random) -> Comparison:
    system, gold = (only_graph(random_drs(rng)) for _ in range(2))
    return compare(GraphPair("x", system, gold), choose(rng, CounterMetric.profiles["default"]))


def of_sbn(rng: random.Random) -> Comparison:
    system, gold = (only_graph(random_sbn(rng)) for _ in range(2))
    return compare(GraphPair("x", system, gold), choose(rng, Smatch.profiles["default"]))


def of_weights(rng: random.Random) -> Comparison:
    """Return triples of one to three variables, some repeated, of labels more or less similar."""
    largest = rng.choice([1, 10, 10**6, LARGEST])
    duplicates: Duplicates = rng.choice(["set", "multiset", "product"])
    labels = ["p", "q", "r"]
    similar: Similar = {
        ((a,), (b,)): rng.randint(1, largest) for a in labels for b in labels if rng.random() < 0.3
    }
    similar = {key: worth for key, worth in similar.items() if key[0] != key[1]}
    system, gold = (random_items(rng, labels) for _ in range(2))
    profile = type("Weights", (Weighted,), {"scale": rng.randint(1, largest)})(
        duplicates=duplicates
    )
    return Comparison(system, gold, similar, profile, 1)


def random_items(rng: random.Random, labels: list[str]) -> NormalisedGraph:
    names = tuple(f"v{k}" for k in range(rng.randint(1, 6)))
    items = [
        NormalisedTriple(
            (rng.choice(labels),), tuple(rng.choice(names) for _ in range(rng.randint(1, 3)))
        )
        for _ in range(rng.randint(0, 14))
    ]
    return NormalisedGraph(
        names, items + rng.choices(items, k=rng.randint(0, 3)) if items else items
    )


KINDS = (of_smatch, of_s2match, of_mrp, of_counter, of_sbn, of_weights, of_weights)


def optimum(comparison: Comparison) -> int:
    """Return the best count over all mappings that leave out as little as possible."""
    left, right = comparison.system.variables, comparison.gold.variables
    if len(left) <= len(right):
        every = (dict(zip(left, images, strict=True)) for images in permutations(right, len(left)))
    else:
        every = (dict(zip(images, right, strict=True)) for images in permutations(left, len(right)))
    return max(map(comparison.count_matched, every))


def small_budgets(rng: random.Random) -> Budgets:
    """Return budgets that leave little to the root of a proof, or the usual ones."""
    if rng.random() < 0.2:
        return Budgets()
    dual = DualBudgets(
        root_iterations=rng.choice([0, 1, 2, 5]),
        rounds=rng.choice([0, 0, 1]),
        core_iterations=rng.choice([0, 2, 5]),
        case_iterations=rng.choice([0, 1, 3]),
        rest_iterations=rng.choice([0, 1, 2]),
        trial_iterations=rng.choice([0, 1, 2]),
        least_fixed=rng.choice([0.05, 0.2, 2]),
    )
    return Budgets(dual=dual)


def try_one(rng: random.Random) -> str:
    """Prove a random pair; return the kind of its proof. Raises `AssertionError` if it is wrong."""
    comparison = rng.choice(KINDS)(rng)
    while max(len(comparison.system.variables), len(comparison.gold.variables)) > 6:
        comparison = rng.choice(KINDS)(rng)
    found = solve_within(
        comparison,
        method="exact",
        solver="dual",
        seed=0,
        deadline=Deadline(),
        budgets=small_budgets(rng),
        memory=rng.choice([MOST, MOST, MOST, 0]),
    )
    best = optimum(comparison)
    assert found.lower <= best <= found.upper, (comparison, found.lower, best, found.upper)
    assert comparison.count_matched(comparison.named(found.mapping)) == found.lower
    content = comparison.as_json("x")
    written = certificate_json(content, found.proof, mapping=found.mapping, lower=found.lower)
    verdict = check(content, json.loads(json.dumps(written)))
    assert verdict == ("verified" if found.lower == found.upper else "bounded")
    return f"{type(getattr(found.proof, 'node', found.proof)).__name__}, {verdict}"


def small_steps(rng: random.Random) -> tuple[int, ...]:
    """Return how long covers search: not at all, hardly, or as usual."""
    return rng.choice([(0,), (1, 0), (2, 3, 9), (5, 50), USUAL_STEPS])


def try_cover(rng: random.Random) -> str:
    """Count a random pair by a cover; tell if there is one. Raises `AssertionError` if it errs."""
    comparison = rng.choice(KINDS)(rng)
    while max(len(comparison.system.variables), len(comparison.gold.variables)) > 6:
        comparison = rng.choice(KINDS)(rng)
    metric = comparison.metric
    comparison = replace(comparison, similar={}, scale=metric.scale)
    found = CoverRoad(metric, small_steps(rng)).count_triples(comparison.system, comparison.gold)
    if found is None:
        return "no cover"
    totals = comparison.system_total, comparison.gold_total
    assert found == (optimum(comparison), *totals), (comparison, found)
    return "cover"


def try_texts(rng: random.Random) -> str:
    """Count two random texts of AMRs, in the same way."""
    texts = [random_graph(rng, rng.randint(1, 6))[0] for _ in range(2)]
    metric = choose(rng, Smatch.profiles["default"])
    left, right = (GraphText(text.encode(), "f", 1, 1, PENMAN, None) for text in texts)
    road = CoverRoad(metric, small_steps(rng))
    found = road.count_texts(Couple("x", left, right, "f", "f"))
    if found is None:
        return "texts, no cover"
    system, gold = map(only_graph, texts)
    comparison = compare(GraphPair("x", system, gold), metric)
    totals = comparison.system_total, comparison.gold_total
    assert found == (optimum(comparison), *totals), (texts, metric, found)
    return "texts, cover"


def main(count: int, seed: str) -> Counter[str]:
    """Try *count* random pairs, and return how many proofs there were of each kind."""
    rng = random.Random(seed)
    kinds: Counter[str] = Counter()
    for _ in range(count):
        for attempt in (try_one, try_cover, try_texts):
            kinds[attempt(rng)] += 1
    return kinds


if __name__ == "__main__":
    print(main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "fuzz"))
