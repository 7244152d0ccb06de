"""Graphs to networkx and back: nothing is lost, and graphs made by hand are read."""

import doctest
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import penman
import pytest
from drs_samples import random_drs
from penman.models import amr
from samples import only_graph as read
from samples import random_graph, random_mrp_graph
from sbn_samples import random_sbn
from umr_samples import ONE

import exactmatch
from exactmatch import from_networkx, to_networkx
from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.convert import networkx as network
from exactmatch.graphs.graph import Graph, Variable
from exactmatch.graphs.readers.detect import read_file

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
AMR = """# ::id x.1 ::snt Birds do not sing
(s / sing-01~e.3 :ARG0~e.1 (b / bird~e.0) :polarity -~e.2 :polarity -
   :ARG1-of (c / cause-01 :ARG0 b :quant 3) :ARG0 b)
"""


def random_graphs() -> Iterator[Graph]:
    rng = random.Random("networkx")
    for _ in range(60):
        yield read(random_graph(rng, rng.randint(1, 7))[0])
        yield read(json.dumps(random_mrp_graph(rng, rng.randint(1, 6))))
        yield read(random_drs(rng))
        yield read(random_sbn(rng))


def drawn(*edges: tuple[Any, Any, dict[str, Any]], **about: Any) -> nx.MultiDiGraph:
    """Return a graph as one makes it by hand, of three nodes and *edges*."""
    graph = nx.MultiDiGraph(**about)
    graph.add_node("s", concept="sing-01")
    graph.add_node("b", concept="bird")
    graph.add_node("minus", value="-")
    graph.add_edges_from(edges)
    return graph


def test_the_example_in_the_docstring_holds() -> None:
    results = doctest.testmod(network)
    assert (results.failed, results.attempted >= 8) == (0, True)


def test_random_graphs_come_back_equal() -> None:
    for graph in random_graphs():
        again = from_networkx(to_networkx(graph))
        assert again == graph
        assert list(again.variables) == list(graph.variables)


@pytest.mark.parametrize(
    "path",
    [
        "agreement/a.amr",
        "hard/strings.system.amr",
        "mrp/system.mrp",
        "drs/gold.clf",
        "sbn/gold.sbn",
    ],
)
def test_files_come_back_equal(path: str) -> None:
    graphs = read_file(INSTANCES / path).graphs
    assert graphs == [from_networkx(to_networkx(graph)) for graph in graphs]


def test_a_copy_whose_edges_were_added_in_another_order_comes_back_equal() -> None:
    rng = random.Random("order")
    for graph in random_graphs():
        there = to_networkx(graph)
        edges = list(there.edges(keys=True, data=True))
        rng.shuffle(edges)
        copy = nx.MultiDiGraph(**there.graph)
        copy.add_nodes_from(there.nodes(data=True))
        copy.add_edges_from(edges)
        assert from_networkx(copy) == graph


def test_an_amr_becomes_a_network() -> None:
    graph = to_networkx(AMR)
    about = graph.graph
    assert (about["format"], about["top"], about["identifier"]) == ("PENMAN", "s", "x.1")
    assert about["metadata"]["snt"] == "Birds do not sing"
    concepts = {node: concept for node, concept in graph.nodes(data="concept") if concept}
    assert concepts == {"s": "sing-01", "b": "bird", "c": "cause-01"}
    assert graph.nodes["b"]["marks"] == ("", "~e.0")
    roles = [(data["role"], data.get("marks")) for data in graph["s"]["b"].values()]
    assert roles == [("ARG0", ("~e.1", "")), ("ARG0", None)]
    # Constants that look the same are apart.
    constants = [(v, graph.in_degree(n)) for n, v in graph.nodes(data="value") if v]
    assert constants == [("-", 1), ("-", 1), ("3", 1)]


def test_a_graph_in_mrp() -> None:
    node = {"id": 7, "label": "p", "properties": ["k"], "values": [True]}
    edge = {"source": 7, "target": 9, "label": "e", "normal": "n", "attributes": ["remote"]}
    text = {
        **{"id": "1", "framework": "eds", "input": "a bird", "tops": [7, 9]},
        "nodes": [{**node, "anchors": [{"from": 0, "to": 1}]}, {"id": 9}],
        "edges": [{**edge, "values": [False]}, {"source": 7, "target": 9}],
    }
    graph = to_networkx(json.dumps(text))
    assert (graph.graph["top"], graph.graph["framework"]) == (("7", "9"), "eds")
    assert dict(graph.nodes["7"]) == {"concept": "p", "anchors": ((0, 1, "a"),)}
    assert list(graph["7"]["9"].values()) == [
        {"role": "e", "normal": "n", "attributes": (("remote", "false"),)},
        {"role": ""},
    ]


def test_a_drs_becomes_a_network() -> None:
    text = """b1 REF x1
b1 bird "n.01" x1
b1 Agent e1 x1
b1 TPR "now" t1
b1 EQU "now" "then"
b1 NOT b2"""
    graph = to_networkx(text)
    sorts = {n: sort for n, sort in graph.nodes(data="sort") if sort}
    assert sorts == {"b1": "b", "x1": "x", "e1": "x", "t1": "x", "b2": "b"}
    clauses = list(graph["b1"]["x1"].values())
    assert clauses == [{"role": "REF"}, {"role": "bird", "sense": '"n.01"'}]
    assert list(graph["e1"]["x1"].values()) == [{"role": "Agent", "box": "b1"}]
    ends = [graph.nodes[n].get("value", n) for u, v in graph.edges() for n in (u, v)]
    pairs = sorted(zip(ends[::2], ends[1::2], strict=True))
    assert pairs[:2] == [('"now"', '"then"'), ('"now"', "t1")]


def test_what_networkx_says_of_a_graph_is_true_of_its_variables() -> None:
    """Reentrancy, depth and connection, of a graph for which they are easy to see."""
    graph = to_networkx("(a / p :ARG0 (b / q :ARG0 (c / r)) :ARG1 c :ARG2 1)")
    variables = graph.subgraph(n for n, data in graph.nodes(data=True) if "value" not in data)
    assert dict(variables.in_degree()) == {"a": 0, "b": 1, "c": 2}
    assert nx.dag_longest_path_length(nx.DiGraph(variables)) == 2
    assert nx.is_weakly_connected(variables)


def test_only_graphs_become_networks() -> None:
    decoded = penman.decode("(s / sing-01 :ARG0-of (b / bird))", model=amr.model)
    assert [data["role"] for data in to_networkx(decoded)["b"]["s"].values()] == ["ARG0"]
    with pytest.raises(InputError, match="graph: 2 graphs, expected one"):
        to_networkx("(a / b)\n\n(c / d)")
    with pytest.raises(GraphError, match="not closed"):
        to_networkx("(a / b")
    with pytest.raises(InputError, match="graph: int is no graph"):
        to_networkx(3)


def test_a_sentence_of_umr_becomes_a_network() -> None:
    (graph, _) = exactmatch.loads(ONE)
    network = exactmatch.to_networkx(graph)
    assert network.graph["sentences"][0].tokens_of == {"s1s": (4,), "s1b": (1, 3), "s1o": (2,)}
    assert exactmatch.from_networkx(network) == graph
    network.remove_node("s1o")
    assert [*exactmatch.from_networkx(network).sentences[0].variables] == ["s1s", "s1b"]
    del network.graph["sentences"]
    again = exactmatch.from_networkx(network)
    assert exactmatch.score(again, graph).matched == 6
    two = graph._replace(sentences=graph.sentences * 2)
    with pytest.raises(exactmatch.InputError, match="its triples are not those of its sentences"):
        exactmatch.from_networkx(exactmatch.to_networkx(two))


def test_a_graph_made_by_hand_scores() -> None:
    by_hand = drawn(*[("s", "b", {"role": "ARG0"}), ("s", "minus", {"role": "polarity"})], top="s")
    text = "(s / sing-01 :ARG0 (b / bird) :polarity -)"
    result = exactmatch.score(from_networkx(by_hand), [text])
    assert (result.matched, result.system_total, result.gold_total) == (5, 5, 5)
    assert exactmatch.best_mapping(text, from_networkx(by_hand)).f1 == 1.0


def test_names_and_values_that_are_no_strings() -> None:
    graph = nx.DiGraph(top=(1, 2))
    graph.add_node((1, 2), concept="number")
    graph.add_node(2, value=2)
    graph.add_edge((1, 2), 2, role="quant")
    assert exactmatch.score(from_networkx(graph), "(a / number :quant 2)").f1 == 1.0
    graph.nodes[2]["value"] = True
    assert exactmatch.score(from_networkx(graph), "(a / number :quant true)").f1 == 1.0


def test_mrp_and_clauses_made_by_hand() -> None:
    graph = nx.MultiDiGraph(format="MRP", top=[1], identifier="ptg/1", framework="ptg")
    graph.add_node(1)
    graph.add_node(2, concept="p", anchors=[(0, 2)])
    graph.add_edge(1, 2, role="e", attributes=[("remote", True)])
    nodes = [{"id": 1}, {"id": 2, "label": "p", "anchors": [{"from": 0, "to": 2}]}]
    edge = {"source": 1, "target": 2, "label": "e", "attributes": ["remote"], "values": [True]}
    text = {"id": "1", "framework": "ptg", "tops": [1], "nodes": nodes, "edges": [edge]}
    result = exactmatch.score(from_networkx(graph), json.dumps(text))
    assert (result.f1, result.gold_total) == (1.0, 5)
    graph = nx.MultiDiGraph(format="clause form")
    graph.add_nodes_from([("b", {"sort": "b"}), ("x", {"sort": "x"}), ("c", {"value": '"tom"'})])
    graph.add_edge("b", "x", role="male", sense='"n.02"')
    graph.add_edge("x", "c", role="Name", box="b")
    drs = from_networkx(graph)
    assert drs.triples[1].arguments[:2] == (Variable("b"), Variable("x"))
    assert exactmatch.score(drs, 'b1 male "n.02" x1\nb1 Name x1 "tom"').f1 == 1.0


@pytest.mark.parametrize(
    "edges, about, reason",
    [
        ([], {}, "0 tops; expected one"),
        ([], {"top": "z"}, "its top is 'z', which is no node"),
        ([], {"top": ("s", "b")}, "2 tops; expected one"),
        ([], {"top": "minus"}, "its top is 'minus', which is no variable"),
        ([("s", "b", {})], {"top": "s"}, "the edge from 's' to 'b' has no role"),
        ([("s", "b", {"role": 3})], {"top": "s"}, "the edge from 's' to 'b' has no role"),
        ([("minus", "b", {"role": "r"})], {"top": "s"}, "'minus' to 'b' begins at a constant"),
        ([("s", "new", {"role": "r"})], {"top": "s"}, "node 'new' has no concept"),
        (
            [],
            {"format": "XML"},
            "no format is called 'XML'; the formats are PENMAN, UMR, MRP",
        ),
        ([], {"format": "clause form", "identifier": 7}, r"\(id 7\): node 's' has no sort"),
    ],
)
def test_what_is_missing_is_named(edges: list[Any], about: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=f"networkx graph.*{reason}"):
        from_networkx(drawn(*edges, **about))


def test_what_is_wrong_is_named() -> None:
    graph = drawn(top="s")
    graph.nodes["b"]["concept"] = ["bird"]
    with pytest.raises(InputError, match="the concept of node 'b' is no string, number or truth"):
        from_networkx(graph)
    with pytest.raises(InputError, match="no direction"):
        from_networkx(nx.Graph(top="s"))
    graph = drawn(top="s")
    graph.add_nodes_from([(1, {"concept": "p"}), ("1", {"concept": "q"})])
    with pytest.raises(InputError, match="two nodes have the same name"):
        from_networkx(graph)


@pytest.mark.parametrize(
    "data, reason",
    [
        ({"role": "Name"}, "the edge from 'c' to 'x' has no box"),
        (
            {"role": "Name", "box": "q"},
            "the box of the edge from 'c' to 'x' is 'q', which does not exist",
        ),
    ],
)
def test_what_is_missing_in_clauses_is_named(data: dict[str, str], reason: str) -> None:
    graph = nx.MultiDiGraph(format="clause form")
    graph.add_nodes_from([("x", {"sort": "x"}), ("c", {"value": '"tom"'})])
    graph.add_edge("c", "x", **data)
    with pytest.raises(InputError, match=reason):
        from_networkx(graph)
