"""Prove random small pairs by all metrics, with budgets so small that proofs have many cases.

    python tests/fuzz.py COUNT [SEED] [--coq PROGRAM]

Each score is compared with brute force over counts of triples, which shares nothing with the
solvers; every certificate is checked, by the program extracted from Coq as well if it is named. The
proofs by covers are compared in the same way, both for graphs and for texts that are read into
numbers. Prints how many results of each metric came by each way. `test_fuzz.py` runs some cases.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar

from clique_samples import FORCED
from differential import proven_verdicts
from drs_samples import random_drs
from samples import only_graph, random_graph, random_mrp_graph
from sbn_samples import random_sbn
from umr_pairs import random_pair

from exactmatch.certificate.checker import check, digest
from exactmatch.graphs.extents import by_extent
from exactmatch.graphs.graph import PENMAN, Extent, Graph
from exactmatch.graphs.inputs import opened
from exactmatch.graphs.pairing import Couple, GraphPair
from exactmatch.graphs.readers.detect import parse
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
from exactmatch.metrics.umatch import Umatch
from exactmatch.problem import Pair
from exactmatch.runtime.workers import MOST
from exactmatch.scoring.by_cover import CoverCounter
from exactmatch.scoring.comparison import Comparison, compare
from exactmatch.scoring.solve import solve_within
from exactmatch.solving.budgets import Budgets, DualBudgets
from exactmatch.solving.certificates import certificate_json
from exactmatch.solving.covers import USUAL_STEPS
from exactmatch.solving.settings import SolverSettings

LARGEST = 10**14
#: So many certificates are given to the program at a time.
_BATCH = 2000


@dataclass(frozen=True, slots=True)
class Weighted(Smatch):
    """Triples of arbitrary worth, as far as numbers may go."""

    name: ClassVar[str] = "weighted"

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


def of_umr(rng: random.Random) -> Comparison:
    """Return the first sentences, or documents, of two files; keys restrict most mappings."""
    metric = choose(rng, rng.choice([Umatch(), Smatch()]))
    if isinstance(metric, Smatch):
        metric = metric.with_choices(
            anchors=rng.choice(["none", "tokens"]), document_level=rng.choice(["ignore", "count"])
        )
    texts = random_pair(rng.randrange(2**30))
    system, gold = (first_of(text, metric.extent) for text in texts)
    return compare(GraphPair("x", system, gold), metric)


def first_of(text: str, extent: Extent) -> Graph:
    """Return the first sentence or document of a text."""
    with opened(text, "text") as given:
        ((first, *_),) = by_extent([[*given.graphs]], extent)
    graph = parse(first) if isinstance(first, GraphText) else first
    assert isinstance(graph, Graph), graph
    return graph


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
    return Comparison(system=system, gold=gold, similar=similar, metric=profile, scale=1)


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


KINDS = (of_smatch, of_s2match, of_mrp, of_counter, of_sbn, of_umr, of_weights, of_weights)


def drawn(rng: random.Random) -> Comparison:
    """Return a comparison of at most six variables on each side."""
    kind = rng.choice(KINDS)
    while True:
        found = kind(rng)
        if max(len(found.system.variables), len(found.gold.variables)) <= 6:
            return found


def optimum(comparison: Comparison) -> int:
    """Return the best count over all mappings that leave out as little as possible."""
    left, right = comparison.system.variables, comparison.gold.variables
    if len(left) <= len(right):
        every = (dict(zip(left, images, strict=True)) for images in permutations(right, len(left)))
    else:
        every = (dict(zip(images, right, strict=True)) for images in permutations(left, len(right)))
    return max(map(comparison.count_matched, every))


def small_budgets(rng: random.Random) -> Budgets:
    """Return budgets that leave little to the root of a proof, or much to cliques, or the usual."""
    kind = rng.random()
    if kind < 0.4:
        return Budgets() if kind < 0.2 else Budgets(dual=FORCED)
    dual = DualBudgets(
        root_iterations=rng.choice([0, 1, 2, 5]),
        core_iterations=rng.choice([0, 2, 5]),
        fusion_tree=rng.choice([(0, 1, 0), (0, 1, 0), DualBudgets().fusion_tree]),
        case_iterations=rng.choice([0, 1, 3]),
        rest_iterations=rng.choice([0, 1, 2]),
        trial_iterations=rng.choice([0, 1, 2]),
        least_fixed=rng.choice([0.05, 0.2, 2]),
        few_terms=0,
    )
    return Budgets(dual=dual)


#: The pair of a certificate, the certificate, and what the checker says.
Judged = tuple[Any, Any, str]


def try_one(rng: random.Random, judged: list[Judged]) -> str:
    """Prove a random pair; return the kind of its proof. Raises `AssertionError` if it is wrong.

    Its certificate is appended to *judged*.
    """
    comparison = drawn(rng)
    found = solve_within(
        comparison,
        SolverSettings(
            solver="dual", budgets=small_budgets(rng), memory=rng.choice([MOST, MOST, MOST, 0])
        ),
    )
    best = optimum(comparison)
    assert found.lower <= best <= found.upper, (comparison, found.lower, best, found.upper)
    assert comparison.count_matched(comparison.named(found.mapping)) == found.lower
    content = comparison.as_json("x")
    written = certificate_json(content, found.proof, mapping=found.mapping, lower=found.lower)
    verdict = check(content, json.loads(json.dumps(written)))
    assert verdict == ("verified" if found.lower == found.upper else "bounded")
    judged.append((content, written, verdict))
    kind = type(getattr(found.proof, "node", found.proof)).__name__
    return f"{comparison.metric.name}: {kind}, {verdict}"


def small_steps(rng: random.Random) -> tuple[int, ...]:
    """Return how long covers search: not at all, hardly, or as usual."""
    return rng.choice([(0,), (1, 0), (2, 3, 9), (5, 50), USUAL_STEPS])


def try_cover(rng: random.Random) -> str:
    """Count a random pair by a cover; tell if there is one. Raises `AssertionError` if it errs."""
    comparison = drawn(rng)
    metric = comparison.metric
    comparison = replace(comparison, similar={}, scale=metric.scale)
    found = CoverCounter(metric, small_steps(rng)).count_triples(comparison.system, comparison.gold)
    if found is None:
        return f"{metric.name}: no cover"
    totals = comparison.system_total, comparison.gold_total
    assert found == (optimum(comparison), *totals), (comparison, found)
    return f"{metric.name}: cover"


def try_texts(rng: random.Random) -> str:
    """Count two random texts of AMRs, in the same way."""
    texts = [random_graph(rng, rng.randint(1, 6))[0] for _ in range(2)]
    metric = choose(rng, Smatch.profiles["default"])
    left, right = (GraphText(text.encode(), "f", 1, 1, PENMAN, None) for text in texts)
    counter = CoverCounter(metric, small_steps(rng))
    found = counter.count_texts(Couple("x", left, right, "f", "f"))
    if found is None:
        return "smatch: texts, no cover"
    system, gold = map(only_graph, texts)
    comparison = compare(GraphPair("x", system, gold), metric)
    totals = comparison.system_total, comparison.gold_total
    assert found == (optimum(comparison), *totals), (texts, metric, found)
    return "smatch: texts, cover"


def see_proven(judged: list[Judged], program: Path) -> None:
    """Raise `AssertionError` unless the *program* extracted from Coq judges as the checker does."""
    named = [({**c, "id": str(k)}, {**w, "id": str(k)}) for k, (c, w, _) in enumerate(judged)]
    for content, written in named:
        written["digest"] = digest(content)
    pairs, lines = ([json.dumps(one).encode() for one in side] for side in zip(*named, strict=True))
    found, _, status = proven_verdicts(program, lines, pairs)
    bounded = [
        (str(k), verdict) for k, (_, _, verdict) in enumerate(judged) if verdict == "bounded"
    ]
    assert found == bounded and status == 0, (found, bounded, status)


def main(count: int, seed: str, program: Path | None = None) -> Counter[str]:
    """Try *count* random pairs, and return how many proofs there were of each metric and kind."""
    rng = random.Random(seed)
    kinds: Counter[str] = Counter()
    judged: list[Judged] = []
    for k in range(count):
        kinds.update([try_one(rng, judged), try_cover(rng), try_texts(rng)])
        if len(judged) == _BATCH or k == count - 1:
            if program:
                see_proven(judged, program)
            judged.clear()
    return kinds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", nargs="?", default="fuzz")
    parser.add_argument("--coq", type=Path, metavar="PROGRAM")
    asked = parser.parse_args()
    for name, times in sorted(main(asked.count, asked.seed, asked.coq).items()):
        print(f"{times:9}  {name}")
