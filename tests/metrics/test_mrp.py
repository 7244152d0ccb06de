"""The MRP metric: brute force, what counts as equal, and the instances with known optimum."""

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from oracles import mrp as mrp_oracle
from samples import MRP_TEXT, mrp_rewritten, random_mrp_graph

from exactmatch.certificate.checker import check
from exactmatch.certificate.writer import certificate_json
from exactmatch.comparison import Comparison, compare
from exactmatch.deadline import Deadline
from exactmatch.errors import UsageError
from exactmatch.graph import Graph
from exactmatch.metrics.mrp import Mrp
from exactmatch.pairing import GraphPair
from exactmatch.readers.detect import read_file, read_text
from exactmatch.solving.strategy import Solution, solve

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
DEFAULT = Mrp.profiles["default"]
CHOICES = Mrp.choices()

Json = dict[str, Any]


def as_json(nodes: list[Json], edges: list[Json], **members: Any) -> Json:
    return {
        "id": "1",
        "framework": "x",
        "input": MRP_TEXT,
        **members,
        "nodes": nodes,
        "edges": edges,
    }


def parsed(graph: Json) -> Graph:
    (found,) = read_text(json.dumps(graph), "system").graphs
    assert isinstance(found, Graph), found
    return found


def compared(system: Json, gold: Json, profile: Mrp = DEFAULT) -> Comparison:
    return compare(GraphPair("pair", parsed(system), parsed(gold)), profile)


def solved(comparison: Comparison) -> Solution:
    solution = solve(comparison.problem, method="exact", solver="auto", seed=0, deadline=Deadline())
    assert solution.is_optimal
    assert comparison.count_matched(comparison.named(solution.mapping)) == solution.lower
    return solution


def score(system: Json, gold: Json, profile: Mrp = DEFAULT) -> tuple[int, int, int]:
    """Return matched items, and those of both sides."""
    comparison = compared(system, gold, profile)
    return solved(comparison).lower, comparison.system_total, comparison.gold_total


def test_optimum_equals_brute_force() -> None:
    rng = random.Random("mrp")
    kinds = set()
    for _ in range(500):
        system = random_mrp_graph(rng, rng.randint(1, 5))
        gold = random_mrp_graph(rng, rng.randint(1, 5))
        totals = len(mrp_oracle.tuples(system)), len(mrp_oracle.tuples(gold))
        assert score(system, gold) == (mrp_oracle.optimum(system, gold), *totals), (system, gold)
        kinds |= {item.label[0] for item in DEFAULT.normalise(parsed(system)).triples}
    assert kinds == {"top", "label", "property", "anchor", "edge", "attribute"}


def test_items_are_the_tuples_of_the_definition() -> None:
    rng = random.Random("tuples")
    for _ in range(100):
        graph = random_mrp_graph(rng, rng.randint(1, 6))
        found = Counter(item.label[0] for item in set(DEFAULT.normalise(parsed(graph)).triples))
        assert found == Counter(label.split()[0] for label, _ in mrp_oracle.tuples(graph))


def test_swapping_the_sides_swaps_the_totals() -> None:
    rng = random.Random("swap")
    for _ in range(50):
        system, gold = random_mrp_graph(rng, 5), random_mrp_graph(rng, 6)
        matched, system_total, gold_total = score(system, gold)
        assert score(gold, system) == (matched, gold_total, system_total)


def test_a_graph_against_itself_renumbered_and_in_another_order() -> None:
    rng = random.Random("itself")
    for _ in range(50):
        graph = random_mrp_graph(rng, 8)
        total = len(mrp_oracle.tuples(graph))
        assert score(graph, graph) == (total, total, total)
        assert score(graph, mrp_rewritten(graph, rng)) == (total, total, total)


def test_nothing_matches_an_empty_graph() -> None:
    graph = as_json([{"id": 1, "label": "p"}], [], tops=[1])
    assert score(graph, as_json([], [])) == (0, 2, 0)
    assert score(as_json([], []), as_json([], [])) == (0, 0, 0)


def at(*spans: tuple[int, int], text: str | None = MRP_TEXT) -> Json:
    """Return a graph of one node that is anchored at *spans*."""
    anchors = [{"from": start, "to": end} for start, end in spans]
    return as_json([{"id": 1, "anchors": anchors}], [], input=text)


def edged(*edges: Json) -> Json:
    """Return a graph of two nodes, labelled so that they are told apart."""
    return as_json([{"id": 1, "label": "p"}, {"id": 2, "label": "q"}], list(edges))


def edge(source: int, target: int, label: str | None, **members: Any) -> Json:
    return {"source": source, "target": target, "label": label, **members}


def attributed(label: str, name: str, value: Any) -> Json:
    return edged(edge(1, 2, label, attributes=[name], values=[value]))


def labelled(label: str | None, *properties: tuple[str, Any]) -> Json:
    names, values = [name for name, _ in properties], [value for _, value in properties]
    return as_json([{"id": 1, "label": label, "properties": names, "values": values}], [])


#: System, gold, and what matches. MRP_TEXT is 'He said, "no go".'
EQUAL = {
    "a comma at the end": (at((3, 8)), at((3, 7)), 1),
    "a comma and a blank at the end": (at((3, 9)), at((3, 7)), 1),
    "one piece in another": (at((3, 7), (4, 5)), at((3, 7)), 1),
    "a blank at the start": (at((2, 7)), at((3, 7)), 1),
    "a quote and a full stop": (at((9, 17)), at((10, 15)), 1),
    "in two pieces": (at((10, 12), (13, 15)), at((10, 15)), 1),
    "the other way round": (at((13, 15), (10, 12)), at((10, 12), (13, 15)), 1),
    "one piece twice": (at((0, 2), (0, 2)), at((0, 2)), 1),
    "pieces that overlap": (at((3, 6), (4, 7)), at((3, 7)), 1),
    "pieces that touch": (at((3, 8), (8, 12)), at((3, 12)), 1),
    "pieces with a blank between": (at((3, 8), (9, 12)), at((3, 12)), 0),
    "punctuation at each edge": (at((3, 8), (9, 12)), at((3, 7), (10, 12)), 1),
    "nothing at the start": (at((3, 3), (4, 7)), at((4, 7)), 1),
    "punctuation inside": (at((3, 12)), at((3, 7), (10, 12)), 0),
    "one character more": (at((3, 7)), at((4, 7)), 0),
    "punctuation alone": (at((7, 8)), at((16, 17)), 1),
    "beyond the end": (at((10, 99)), at((10, 15)), 1),
    "no anchors": (at(), at((0, 2)), 0),
    "without input, every character": (at((0, 3), text=None), at((0, 2), text=None), 0),
    "without input, in two pieces": (at((0, 1), (1, 3), text=None), at((0, 3), text=None), 1),
    "without input, however long": (at((0, 10**15), text=None), at((0, 10**15), text=None), 1),
    "inverse": (edged(edge(1, 2, "a")), edged(edge(2, 1, "a-of")), 3),
    "once only": (edged(edge(1, 2, "a")), edged(edge(1, 2, "a-of-of")), 2),
    "lower case only": (edged(edge(1, 2, "a")), edged(edge(2, 1, "a-OF")), 2),
    "consist-of": (edged(edge(1, 2, "consist")), edged(edge(2, 1, "consist-of")), 3),
    "prepositions": (edged(edge(1, 2, "prep-in-place")), edged(edge(2, 1, "prep-in-place-of")), 2),
    "mod": (edged(edge(1, 2, "mod")), edged(edge(2, 1, "domain")), 3),
    "mod and domain-of": (edged(edge(1, 2, "mod")), edged(edge(1, 2, "domain-of")), 3),
    "mod-of": (edged(edge(1, 2, "mod-of")), edged(edge(1, 2, "domain")), 2),
    "normal form": (edged(edge(1, 2, "x", normal="A")), edged(edge(2, 1, "a")), 3),
    "normal form of mod": (edged(edge(1, 2, "mod", normal="mod")), edged(edge(2, 1, "mod")), 2),
    "no label": (edged(edge(1, 2, None)), edged(edge(1, 2, "")), 3),
    "no label is none": (edged(edge(1, 2, None)), edged(edge(1, 2, "a")), 2),
    "one written twice": (edged(edge(1, 2, "a"), edge(2, 1, "a-of")), edged(edge(1, 2, "a")), 3),
    "attribute": (attributed("a", "remote", True), attributed("A", "Remote", "true"), 4),
    "attribute of another edge": (attributed("a", "n", 1), attributed("b", "n", 1), 2),
    "attribute of an inverse edge": (
        attributed("a", "n", 1),
        edged(edge(2, 1, "a-of", attributes=["n"], values=["1"])),
        4,
    ),
    "attribute of an edge with a normal form": (
        edged(edge(1, 2, "x", normal="a", attributes=["n"], values=[1])),
        edged(edge(2, 1, "a", attributes=["n"], values=[1])),
        4,
    ),
    "default value": (attributed("a", "effective", False), attributed("a", "member", "False"), 3),
    "no default": (attributed("a", "n", False), attributed("a", "n", True), 3),
    "letter case": (labelled("P", ("K", "V")), labelled("p", ("k", "v")), 2),
    "types": (labelled("1", ("k", 1)), labelled("1", ("k", "1")), 2),
    "no label of nodes": (labelled(None), labelled(None), 0),
    "empty label": (labelled(""), labelled(""), 1),
    "same name twice": (labelled(None, ("k", 1), ("k", 2)), labelled(None, ("k", 2), ("k", 1)), 2),
}


@pytest.mark.parametrize("system, gold, matched", EQUAL.values(), ids=EQUAL)
def test_what_counts_as_equal(system: Json, gold: Json, matched: int) -> None:
    assert score(system, gold)[0] == matched


@pytest.mark.parametrize("name", ["remote", "effective", "member"])
def test_attributes_that_say_nothing_when_false(name: str) -> None:
    plain = edged(edge(1, 2, "a"))
    assert score(attributed("a", name, False), plain) == (3, 3, 3)
    assert score(attributed("a", name, True), plain) == (3, 4, 3)
    assert score(attributed("a", f"x{name}", False), plain) == (3, 4, 3)


def test_totals_count_what_is_left() -> None:
    assert score(attributed("a", "remote", False), at()) == (0, 3, 0)
    twice = edged(edge(1, 2, "a"), edge(1, 2, "A"), edge(2, 1, "a-of"))
    assert score(twice, twice) == (3, 3, 3)


#: For each value of each choice, a pair of graphs and what it matches then.
CHOSEN = [
    (edged(edge(1, 2, "a")), edged(edge(2, 1, "a-of")), "edges", {"restored": 3, "as-written": 2}),
    (
        edged(edge(1, 2, "x", normal="a")),
        edged(edge(1, 2, "x")),
        "edges",
        {"restored": 2, "as-written": 3},
    ),
    (labelled("P", ("K", "V")), labelled("p", ("k", "v")), "case", {"lower": 2, "keep": 0}),
    (edged(edge(1, 2, "a")), edged(edge(1, 2, "A")), "case", {"lower": 3, "keep": 2}),
    (
        attributed("a", "member", False),
        attributed("a", "member", False),
        "attributes",
        {"no-defaults": 3, "as-written": 4},
    ),
    (at((3, 8)), at((3, 7)), "anchors", {"characters": 1, "as-written": 0}),
    (at((0, 2), (3, 7)), at((3, 7), (0, 2)), "anchors", {"characters": 1, "as-written": 1}),
]


@pytest.mark.parametrize("system, gold, choice, expected", CHOSEN)
def test_each_choice_is_an_option(
    system: Json, gold: Json, choice: str, expected: dict[str, int]
) -> None:
    for value, matched in expected.items():
        assert score(system, gold, DEFAULT.with_choices(**{choice: value}))[0] == matched, value


def test_every_choice_is_tested() -> None:
    tested = {(choice, value) for _, _, choice, values in CHOSEN for value in values}
    assert tested == {(choice, value) for choice, values in CHOICES.items() for value in values}


def test_names_and_signature() -> None:
    assert (DEFAULT.name, DEFAULT.label(), DEFAULT.duplicates) == ("mrp", "mrp.1", "set")
    assert DEFAULT.signature() == (
        "mrp|profile:mrp.1|edges:restored|case:lower|attributes:no-defaults|anchors:characters"
    )
    with pytest.raises(UsageError, match="no choice called 'duplicates'"):
        DEFAULT.with_choices(duplicates="product")


def test_nodes_look_alike_by_label_or_anchors() -> None:
    nodes: list[Json] = [
        {"id": 1, "label": "p", "anchors": [{"from": 0, "to": 2}]},
        {"id": 2, "label": "q"},
        {"id": 3},
    ]
    system = DEFAULT.normalise(parsed(as_json(nodes, [])))
    gold = DEFAULT.normalise(parsed(as_json([{**nodes[0], "label": "Q"}, nodes[1], nodes[2]], [])))
    assert list(DEFAULT.likely(system, gold)) == [(0, 0), (1, 0), (1, 1)]


def test_certificates() -> None:
    rng = random.Random("certificates")
    for _ in range(20):
        comparison = compared(random_mrp_graph(rng, 6), random_mrp_graph(rng, 5))
        solution = solved(comparison)
        pair = comparison.as_json("pair")
        certificate = certificate_json(
            pair, solution.proof, mapping=solution.mapping, lower=solution.lower
        )
        assert check(pair, certificate) == "verified"


#: | `pair` | matched | test | gold | ... |
ROW = re.compile(r"^\| `(\w+/\w+)` \| (\d+) \| (\d+) \| (\d+) \| ", re.MULTILINE)


def test_the_instances_score_what_their_table_says() -> None:
    text = (INSTANCES / "README.md").read_text(encoding="utf-8")
    rows = {pair: tuple(map(int, numbers)) for pair, *numbers in ROW.findall(text)}
    tests, golds = (
        read_file(INSTANCES / "mrp/system.mrp").graphs,
        read_file(INSTANCES / "mrp/gold.mrp").graphs,
    )
    assert [graph.identifier for graph in tests] == list(rows)
    for system, gold in zip(tests, golds, strict=True):
        assert isinstance(system, Graph) and isinstance(gold, Graph)
        assert system.identifier == gold.identifier
        comparison = compare(GraphPair("pair", system, gold), DEFAULT)
        totals = comparison.system_total, comparison.gold_total
        assert (solved(comparison).lower, *totals) == rows[str(gold.identifier)]


def test_the_optima_of_the_instances_by_brute_force() -> None:
    text = (INSTANCES / "README.md").read_text(encoding="utf-8")
    rows = {pair: tuple(map(int, numbers)) for pair, *numbers in ROW.findall(text)}
    files = [INSTANCES / "mrp" / name for name in ("system.mrp", "gold.mrp")]
    lines = [path.read_text(encoding="utf-8").splitlines() for path in files]
    for system, gold in zip(*([json.loads(line) for line in side] for side in lines), strict=True):
        totals = len(mrp_oracle.tuples(system)), len(mrp_oracle.tuples(gold))
        best = mrp_oracle.optimum(system, gold)
        assert (best, *totals) == rows[f"{gold['framework']}/{gold['id']}"]
