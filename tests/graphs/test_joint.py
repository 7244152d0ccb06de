"""The joint graph places every triple, and its numbers are those of the score."""

import doctest
import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest
from drs_samples import random_drs
from nightly import day_share
from samples import only_graph as read
from samples import random_graph, random_mrp_graph

import exactmatch
from exactmatch import joint_graph
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_file
from exactmatch.graphs.words import SimilarityTable
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.mrp import Mrp
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.similarity import Similarity
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring import joint_graph as joint
from exactmatch.scoring.comparison import compare
from exactmatch.scoring.joint_graph import JointTriple

INSTANCES = Path(__file__).resolve().parents[2] / "instances"

#: Of the concepts of random graphs, and enough to tell matches in full and in part apart.
WORDS = SimilarityTable("random", {("p", "q"): Fraction(3, 4), ("q", "r"): Fraction(1, 2)})
SIMILARITY = Similarity(WORDS, Fraction(1, 4), Fraction(1, 2))

SMATCH = Smatch.profiles["default"]
COUNTER = CounterMetric.profiles["default"]
METRICS: dict[str, AlignmentMetric] = {
    "smatch": SMATCH,
    "smatch-1.0.4": Smatch.profiles["smatch-1.0.4"],
    "smatch, multiset": SMATCH.with_choices(duplicates="multiset", top="concept"),
    "s2match": S2match(similarity=SIMILARITY),
    "s2match, product": S2match(similarity=SIMILARITY, duplicates="product"),
    "s2match, program": S2match.profiles["program"].with_words(similarity=SIMILARITY),
    "mrp": Mrp.profiles["default"],
    "mrp, as written": Mrp(edges="as-written", attributes="as-written"),
    "counter": COUNTER,
    "counter-2021": CounterMetric.profiles["counter-2021"],
    "counter, two": COUNTER.with_choices(swapped="two", refs="all", senses="ignore"),
}
TEXTS: dict[str, Callable[[random.Random], str]] = {
    "PENMAN": lambda rng: random_graph(rng, rng.randint(1, 6))[0],
    "MRP": lambda rng: json.dumps(random_mrp_graph(rng, rng.randint(1, 5))),
    "clause form": random_drs,
}


def triples_of(network: nx.MultiDiGraph) -> Iterator[JointTriple]:
    for _, triples in network.nodes(data="triples"):
        yield from triples
    for *_, data in network.edges(data=True):
        yield JointTriple(**{k: v for k, v in data.items() if k != "box"})


def check_numbers(network: nx.MultiDiGraph) -> None:
    """The triples add up to the numbers of the graph, and are where their nodes may be."""
    about, triples = network.graph, list(triples_of(network))
    assert about["matched"] == sum(triple.credit for triple in triples)
    for side in ("system", "gold"):
        times = sum(getattr(triple, f"{side}_times") for triple in triples)
        assert about[f"{side}_total"] == about["scale"] * times
    for triple in triples:
        there = (triple.system is not None, triple.gold is not None)
        assert there == (triple.system_times > 0, triple.gold_times > 0)
        assert (triple.side == "both") == (there == (True, True)) == (triple.credit > 0)
    for source, target, data in network.edges(data=True):
        for node in (source, target, data.get("box", source)):
            assert data["side"] == "both" or node[data["side"] == "gold"] is not None
            assert network.nodes[node]["side"] in ("both", data["side"])


def random_mapping(
    rng: random.Random, system: tuple[str, ...], gold: tuple[str, ...]
) -> dict[str, str]:
    size = rng.randint(0, min(len(system), len(gold)))
    return dict(zip(rng.sample(system, size), rng.sample(gold, size), strict=True))


def test_the_example_in_the_docstring_holds() -> None:
    results = doctest.testmod(joint)
    assert (results.failed, results.attempted >= 6) == (0, True)


@pytest.mark.parametrize("name", METRICS)
def test_numbers_are_those_of_any_mapping(name: str) -> None:
    metric = METRICS[name]
    rng = random.Random(f"joint {name}")
    credits = set()
    for _ in range(36):
        system, gold = (read(TEXTS[metric.format](rng)) for _ in "ab")
        names = [metric.normalise(graph).variables for graph in (system, gold)]
        mapping = random_mapping(rng, *names)
        network = joint_graph(system, gold, mapping, metric=metric)
        counted = compare(GraphPair("pair", system, gold), metric).count_matched(mapping)
        assert network.graph["matched"] == counted
        check_numbers(network)
        credits |= {triple.credit for triple in triples_of(network)}
    assert credits >= {0, metric.scale}


@pytest.mark.parametrize("name", METRICS)
def test_numbers_are_those_of_the_score(name: str) -> None:
    metric = METRICS[name]
    rng = random.Random(f"score {name}")
    for _ in range(day_share(25)):
        system, gold = (TEXTS[metric.format](rng) for _ in "ab")
        best = exactmatch.best_mapping(system, gold, metric=metric)
        about = joint_graph(system, gold, best, metric=metric).graph
        totals = (about["matched"], about["system_total"], about["gold_total"])
        assert totals == (best.matched, best.system_total, best.gold_total)


@pytest.mark.parametrize(
    "system, gold, metric",
    [
        ("agreement/a.amr", "agreement/consensus.amr", "smatch"),
        ("mrp/system.mrp", "mrp/gold.mrp", "mrp"),
        ("drs/system.clf", "drs/gold.clf", "counter"),
    ],
)
def test_joint_networks_of_files_have_the_numbers_of_their_scores(
    system: str, gold: str, metric: str
) -> None:
    scores = exactmatch.score(INSTANCES / system, INSTANCES / gold).per_pair
    sides = [read_file(INSTANCES / name).graphs for name in (system, gold)]
    matched = 0
    for left, right, score in zip(*sides, scores, strict=True):
        assert isinstance(left, Graph) and isinstance(right, Graph)
        network = joint_graph(left, right, score)
        assert (network.graph["metric"], network.graph["matched"]) == (metric, score.matched)
        check_numbers(network)
        matched += score.matched
    assert matched > 0


def test_a_pair_is_joined_as_by_hand() -> None:
    system = "(s / sing-01 :ARG0 (b / bird :mod (o / old)) :polarity - :ARG1 b)"
    gold = "(x / sing-01 :ARG0 (y / cat) :polarity -)"
    network = joint_graph(system, gold, {"s": "x", "b": "y"})
    sides = {("s", "x"): "both", ("b", "y"): "both", ("o", None): "system"}
    assert dict(network.nodes(data="side")) == sides
    said = {
        node: [(t.side, t.system, t.gold) for t in told]
        for node, told in network.nodes(data="triples")
    }
    sing, minus = ("instance", "sing-01"), ("attribute", "polarity", "-")
    assert said == {
        ("s", "x"): [("both", t, t) for t in (sing, minus, ("top",))],
        ("b", "y"): [("system", ("instance", "bird"), None), ("gold", None, ("instance", "cat"))],
        ("o", None): [("system", ("instance", "old"), None)],
    }
    edges = [(source, target, data["side"]) for source, target, data in network.edges(data=True)]
    assert sorted(edges, key=str) == [
        (("o", None), ("b", "y"), "system"),  # inverse domain
        (("s", "x"), ("b", "y"), "both"),
        (("s", "x"), ("b", "y"), "system"),
    ]
    about = network.graph
    assert (about["matched"], about["system_total"], about["gold_total"]) == (4, 8, 5)


def test_swapped_arguments_of_clauses_match() -> None:
    """Both orders are one clause, whichever order the gold graph has."""
    network = joint_graph("b1 NEQ x1 x2", "b1 NEQ x2 x1", {"b1": "b1", "x1": "x1", "x2": "x2"})
    ((source, target, data),) = network.edges(data=True)
    assert (source, target, data["box"]) == (("x1", "x1"), ("x2", "x2"), ("b1", "b1"))
    assert (data["side"], network.graph["matched"], network.graph["gold_total"]) == ("both", 1, 1)


def test_similar_concepts_count_in_part() -> None:
    network = joint_graph("(a / p)", "(b / q)", {"a": "b"}, metric=METRICS["s2match, program"])
    concept, top = network.nodes["a", "b"]["triples"]
    assert (concept.system, concept.gold) == (("instance", "p"), ("instance", "q"))
    assert (concept.side, concept.credit, top.credit, network.graph["scale"]) == (
        "both",
        750,
        750,
        1000,
    )
    paper = joint_graph("(a / p)", "(b / q)", {"a": "b"}, metric=METRICS["s2match"])
    assert sum(triple.credit for triple in paper.nodes["a", "b"]["triples"]) == 750


def test_joint_networks_tell_how_often_triples_stand() -> None:
    system, gold = "(a / p :polarity - :polarity -)", "(b / p :polarity - :polarity - :polarity -)"
    found = {}
    for choice in ("set", "multiset", "product"):
        network = joint_graph(system, gold, {"a": "b"}, duplicates=choice, top="none")
        _, triple = network.nodes["a", "b"]["triples"]
        found[choice] = (triple.system_times, triple.gold_times, triple.credit)
    assert found == {"set": (1, 1, 1), "multiset": (2, 3, 2), "product": (2, 3, 6)}


def test_graphs_that_cannot_be_joined_are_an_error() -> None:
    amr, drs = "(a / p :ARG0 (c / p))", "b1 REF x1"
    for mapping, reason in [
        ({"z": "a"}, "the mapping names z, but system has no such variable"),
        ({"a": "z"}, "the mapping names z, but gold has no such variable"),
        ({"a": "a", "c": "a"}, "not one-to-one"),
    ]:
        with pytest.raises(InputError, match=reason):
            joint_graph(amr, amr, mapping)
    with pytest.raises(InputError, match="system is in PENMAN, but gold in clause form"):
        joint_graph(amr, drs, {})
    with pytest.raises(InputError, match="counter compares graphs in clause form"):
        joint_graph(amr, amr, {}, metric="counter")
    with pytest.raises(UsageError, match="no choice called 'tops'"):
        joint_graph(amr, amr, {}, tops="none")  # type: ignore[call-arg]
