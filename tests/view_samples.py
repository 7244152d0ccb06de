"""Pairs as they are shown, for tests."""

import random
from collections.abc import Mapping
from typing import Any

import exactmatch
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import alignment_based
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.report.views.pair_view import PairView, pair_view
from exactmatch.report.views.shown_graph import ShownGraph
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline


def view_of(
    system: str, gold: str, *, metric: AlignmentMetric | None = None, timeout: float | None = None
) -> PairView:
    """Return the view of two texts of a graph each."""
    (one,), (other,) = exactmatch.loads(system), exactmatch.loads(gold)
    pair = GraphPair("x.1", one, other)
    counted = metric or metric_called("smatch")
    settings = Settings(best_mappings=10, timeout=timeout)
    return pair_view(pair, counted, score_pair(pair, counted, settings, Deadline()))


def metric_called(name: Any, **choices: Any) -> AlignmentMetric:
    return alignment_based(exactmatch.metric(name, **choices))


def random_mapping(rng: random.Random, view: PairView) -> Mapping[str, str]:
    """Return a mapping of some variables, good or bad."""
    ones, others = list(view.system.variables), list(view.gold.variables)
    rng.shuffle(ones)
    rng.shuffle(others)
    some = rng.randint(0, min(len(ones), len(others)))
    return dict(list(zip(ones, others, strict=False))[:some])


def random_shown(rng: random.Random) -> ShownGraph:
    """Return a graph that is no tree: several roots, loops, no concept or two, three variables."""
    names = [f"v{k}" for k in range(rng.randint(0, 6))]
    triples = []
    for name in names:
        concepts = [("instance", c) for c in rng.choices("pq", k=rng.choice([0, 1, 1, 1, 2]))]
        triples += [NormalisedTriple(label, (name,)) for label in concepts]
        if rng.random() < 0.3:
            triples.append(NormalisedTriple(("attribute", "quant", "3"), (name,)))
    for _ in range(rng.randint(0, 8) if names else 0):
        size = rng.choice([2, 2, 2, 3])
        label = ("relation", rng.choice("RS"), *rng.choice([(), (), ("true",)]))
        triples.append(NormalisedTriple(label, tuple(rng.choices(names, k=size))))
    tops = rng.sample(names, rng.randint(0, min(2, len(names))))
    triples += [NormalisedTriple(("top",), (name,)) for name in tops]
    rng.shuffle(triples)
    triples = list(dict.fromkeys(triples))
    graph = NormalisedGraph(tuple(names), triples)
    return ShownGraph(graph, triples, triples, tops)
