"""Rewired graphs: properties of every step, and the damage that metrics detect."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from nightly import by_day
from samples import only_graph, random_graph

import exactmatch
from exactmatch.graphs.graph import CONCEPT, Graph, Variable
from exactmatch.metrics.registry import METRICS
from exactmatch.scoring.settings import Settings
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.rewiring import (
    Consistency,
    ConsistencyCollector,
    Rewired,
    RewiredScore,
    _heights,
    _roles,
    rewired,
    rewired_scores,
)

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
EXACT = Judge("smatch", METRICS["smatch"].profiles["default"], Settings())

CHAIN = "(a / a :r (b / b :s (c / c :t (d / d))) :u (e / e :v 1))"

Edge = tuple[str, str, str]


def edges(graph: Graph) -> tuple[set[Edge], set[Edge]]:
    """Return relations, the inverse ones turned round, and attributes."""
    relations, attributes = set(), set()
    for triple in graph.triples:
        source, target = triple.arguments
        assert isinstance(source, Variable)
        if triple.relation == CONCEPT:
            continue
        if not isinstance(target, Variable):
            attributes.add((source.name, triple.relation, target.text))
        elif triple.relation.endswith("-of") and triple.relation != "consist-of":
            relations.add((target.name, triple.relation[:-3], source.name))
        else:
            relations.add((source.name, triple.relation, target.name))
    return relations, attributes


def network(graph: Graph) -> "nx.DiGraph[str]":
    return nx.DiGraph((source, target) for source, _, target in edges(graph)[0])


def corpus() -> list[Graph]:
    rng = random.Random(3)
    found = [only_graph(random_graph(rng, rng.randint(1, 8))[0]) for _ in range(50)]
    return [*found, *exactmatch.load(INSTANCES / "agreement" / "c.amr")[:10]]


@pytest.mark.slow
@pytest.mark.parametrize("seed", by_day(["0", "1"]))
def test_what_holds_of_every_step(seed: str) -> None:
    steps = acyclic = 0
    for graph in corpus():
        relations, attributes = before = edges(graph)
        total = len(relations) + len(attributes)
        is_acyclic = nx.is_directed_acyclic_graph(network(graph))
        last = 1.0
        for copy, kept in rewired(graph, seed):
            now = edges(copy)
            # Two triples have gone and two have come, of one kind, made of the same parts.
            (kind,) = (k for k in (0, 1) if now[k] != before[k])
            gone, new = before[kind] - now[kind], now[kind] - before[kind]
            assert len(gone) == len(new) == 2
            assert not new & (relations, attributes)[kind]
            for part in range(3):
                assert Counter(e[part] for e in gone) == Counter(e[part] for e in new)
            still = len(relations & now[0]) + len(attributes & now[1])
            assert kept == still / total < last
            assert copy._replace(triples=()) == graph._replace(triples=())
            concepts = [triple for triple in graph.triples if triple.relation == CONCEPT]
            assert [triple for triple in copy.triples if triple.relation == CONCEPT] == concepts
            if now[0]:
                assert nx.is_weakly_connected(network(copy))
            if kind == 0:
                ends = [(source, target) for source, _, target in new]
                assert all(sum(e[::2] == pair for e in now[0]) == 1 for pair in ends)
            assert not is_acyclic or nx.is_directed_acyclic_graph(network(copy))
            steps += 1
            acyclic += is_acyclic
            before, last = now, kept
    assert steps > 100 and acyclic > 35


def test_the_same_seed_gives_the_same_graphs() -> None:
    (graph, *_) = exactmatch.load(INSTANCES / "agreement" / "c.amr")
    once, again, other = (rewired(graph, seed) for seed in ("0", "0", "1"))
    assert once == again != other
    # On every machine and with every version.
    copy, kept = rewired(only_graph(CHAIN), "0")[0]
    exchanged = {("c", "t", "e"), ("a", "u", "d")}
    assert edges(copy)[0] == {("a", "r", "b"), ("b", "s", "c"), *exchanged}
    assert kept == 3 / 5


def test_relations_of_one_node() -> None:
    """Exchanged targets have the same height; then both triples have changed."""
    (step,) = rewired(only_graph("(a / a :r (b / b) :s (c / c))"), "0")
    assert (edges(step.graph)[0], step.kept) == ({("a", "r", "c"), ("a", "s", "b")}, 0)
    assert rewired(only_graph("(a / a :r (b / b :t (c / c)) :s c)"), "0") == []


@pytest.mark.parametrize("text", ["(a / b)", "(a / b :r 1 :s 2)", "(a / b :r (c / d))"])
def test_graphs_that_leave_no_choice(text: str) -> None:
    assert rewired(only_graph(text), "0") == []
    assert rewired_scores(EXACT, only_graph(text), [], 0) == []
    assert ConsistencyCollector().finish() is None


def test_deep_graphs_are_rewired() -> None:
    deep = "(v0 / x" + "".join(f" :r (v{k} / x" for k in range(1, 3000)) + ")" * 3000
    relations = _roles(only_graph(deep))
    assert max(_heights(relations).values()) == len(relations) == 2999


AMR_METRICS = [name for name, kind in METRICS.items() if kind.format == "PENMAN"]


@pytest.mark.parametrize("name", AMR_METRICS)
def test_no_damage_costs_nothing(name: Any) -> None:
    """A copy with only its inverse roles turned round is the same graph to every metric."""
    words = INSTANCES / "vectors" / "words.txt" if name == "s2match" else None
    judge = Judge(name, exactmatch.metric(name, vectors=words), Settings())
    for graph in exactmatch.load(INSTANCES / "agreement" / "c.amr")[:8]:
        concepts = [triple for triple in graph.triples if triple.relation == CONCEPT]
        turned = Rewired(graph._replace(triples=(*concepts, *_roles(graph))), 1.0)
        damaged = rewired(graph, "0")[:2]
        itself, same, *others = rewired_scores(judge, graph, [turned, *damaged], 0)
        assert itself == same == RewiredScore(1.0, 1.0, True)
        assert all(each.score < 1 for each in others)


def test_rho_is_as_counted_by_hand() -> None:
    """Ranks of the scores 4, 2.5, 2.5, 1, and of the truth 4, 3, 2, 1.

    The ranks deviate from their mean 2.5 by 1.5, 0, 0, -1.5 and by 1.5, 0.5, -0.5, -1.5: the
    correlation is 4.5 / (4.5 * 5)^(1/2).
    """
    collector = ConsistencyCollector()
    collector.add([RewiredScore(0.9, 1.0, True), RewiredScore(0.5, 0.8, False)])
    collector.add([])
    collector.add([RewiredScore(0.5, 0.6, True), RewiredScore(0.1, 0.0, True)])
    found = collector.finish()
    assert found is not None and found.rho == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    rest = Consistency(graphs=2, comparisons=4, settled=3, damage=0.6, rho=None)
    assert replace(found, rho=None) == rest


def test_a_metric_that_never_varies_has_no_rho() -> None:
    collector = ConsistencyCollector()
    collector.add([RewiredScore(1.0, 1.0, True), RewiredScore(1.0, 0.5, True)])
    found = collector.finish()
    assert found is not None and found.rho is None


def test_comparisons_of_exact_scores_are_settled_and_of_climbs_are_not() -> None:
    graph = exactmatch.load(INSTANCES / "agreement" / "c.amr")[0]
    copies = rewired(graph, "0")
    climb = Judge("smatch:r", EXACT.metric, Settings(method="r"))
    assert all(each.settled for each in rewired_scores(EXACT, graph, copies, 0))
    assert not any(each.settled for each in rewired_scores(climb, graph, copies, 0))
