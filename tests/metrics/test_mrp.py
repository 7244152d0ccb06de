"""The MRP metric: brute force, equality of values, and the instances with known optimum."""

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
from exactmatch.errors import UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_file, read_text
from exactmatch.metrics.mrp import Mrp
from exactmatch.scoring.comparison import Comparison, compare
from exactmatch.solving.certificates import certificate_json
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, solve

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
PAPER, MTOOL = Mrp.profiles["paper"], Mrp.profiles["mtool"]
CHOICES = Mrp.choices()
FRAMEWORKS = [*mrp_oracle.APPLICABLE, "x"]

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


def compared(system: Json, gold: Json, profile: Mrp = PAPER) -> Comparison:
    return compare(GraphPair("pair", parsed(system), parsed(gold)), profile)


def solved(comparison: Comparison) -> Solution:
    solution = solve(comparison.problem, SolverSettings())
    assert solution.is_optimal
    assert comparison.count_matched(comparison.named(solution.mapping)) == solution.lower
    return solution


def score(system: Json, gold: Json, profile: Mrp = PAPER) -> tuple[int, int, int]:
    """Return the matched items, and the items of both sides."""
    comparison = compared(system, gold, profile)
    return solved(comparison).lower, comparison.system_total, comparison.gold_total


@pytest.mark.parametrize("mtool", [False, True], ids=["paper", "mtool"])
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_optimum_equals_brute_force(framework: str, mtool: bool) -> None:
    rng = random.Random(f"mrp {framework}")
    for _ in range(24):
        system = random_mrp_graph(rng, rng.randint(1, 5), framework)
        gold = random_mrp_graph(rng, rng.randint(1, 5), framework)
        totals = [len(mrp_oracle.tuples(side, mtool=mtool)) for side in (system, gold)]
        expected = (mrp_oracle.optimum(system, gold, mtool=mtool), *totals)
        assert score(system, gold, MTOOL if mtool else PAPER) == expected, (system, gold)


@pytest.mark.parametrize("mtool", [False, True], ids=["paper", "mtool"])
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_items_are_the_tuples_of_the_definition(framework: str, mtool: bool) -> None:
    rng = random.Random("tuples")
    profile = MTOOL if mtool else PAPER
    for _ in range(50):
        graph = random_mrp_graph(rng, rng.randint(1, 6), framework)
        found = Counter(item.label[0] for item in set(profile.normalise(parsed(graph)).triples))
        expected = mrp_oracle.tuples(graph, mtool=mtool)
        assert found == Counter(label.split()[0] for label, _ in expected)


#: A graph with tuples of every kind, and for each row of the tables one that differs in it alone.
EVERYTHING = as_json(
    [
        {"id": 1, "label": "p", "anchors": [{"from": 0, "to": 2}]},
        {"id": 2, "label": "q", "properties": ["k"], "values": ["v"]},
    ],
    [{"source": 1, "target": 2, "label": "a", "attributes": ["remote"], "values": [True]}],
    tops=[1],
)
FIRST, SECOND = EVERYTHING["nodes"]
(EDGE,) = EVERYTHING["edges"]
CHANGED = {
    "top": {**EVERYTHING, "tops": [2]},
    "label": {**EVERYTHING, "nodes": [{**FIRST, "label": "other"}, SECOND]},
    "property": {**EVERYTHING, "nodes": [FIRST, {**SECOND, "values": ["other"]}]},
    "anchor": {**EVERYTHING, "nodes": [{**FIRST, "anchors": [{"from": 3, "to": 7}]}, SECOND]},
    "directed edge": {**EVERYTHING, "edges": [{"source": 2, "target": 1, "label": "a"}]},
    "edge label": {**EVERYTHING, "edges": [{"source": 1, "target": 2, "label": "b"}]},
    "attribute": {**EVERYTHING, "edges": [{**EDGE, "attributes": ["member"]}]},
}
#: How many tuples EVERYTHING has: two labels, and one of each other kind that applies.
TOTALS = {"dm": 6, "psd": 6, "eds": 6, "ucca": 4, "amr": 5, "ptg": 7, "drg": 4, "x": 7}
#: What the evaluation pages of 2019 (first five) and of 2020 (the next two) leave out.
LEFT_OUT = {
    **{"dm": ["attribute"], "psd": ["attribute"], "eds": ["attribute"]},
    **{"ucca": ["label", "property"], "amr": ["anchor", "attribute"]},
    **{"ptg": [], "drg": ["property", "anchor", "attribute"], "x": []},
}


@pytest.mark.parametrize("row", CHANGED)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_cell_of_the_matrix(framework: str, row: str) -> None:
    """A different tuple costs one if the framework has its kind, otherwise nothing."""
    gold = {**EVERYTHING, "framework": framework}
    system = {**CHANGED[row], "framework": framework}
    total = TOTALS[framework]
    lost = 0 if row in LEFT_OUT[framework] else 1
    # An attribute goes with its edge: the system has none where the edge is another.
    without = 1 if "edge" in row else 0
    counted = without if "attribute" not in LEFT_OUT[framework] else 0
    assert score(system, gold) == (total - lost - counted, total - counted, total)
    assert score(system, gold, MTOOL) == (6 - without, 7 - without, 7)


def test_frameworks_are_known_in_any_case_of_letters() -> None:
    graph = {**EVERYTHING, "framework": "AMR"}
    assert score(graph, graph) == (5, 5, 5)


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
    """Return a graph of two nodes with different labels."""
    return as_json([{"id": 1, "label": "p"}, {"id": 2, "label": "q"}], list(edges))


def edge(source: int, target: int, label: str | None, **members: Any) -> Json:
    return {"source": source, "target": target, "label": label, **members}


def attributed(label: str, name: str, value: Any) -> Json:
    return edged(edge(1, 2, label, attributes=[name], values=[value]))


def labelled(label: str | None, *properties: tuple[str, Any]) -> Json:
    names, values = [name for name, _ in properties], [value for _, value in properties]
    return as_json([{"id": 1, "label": label, "properties": names, "values": values}], [])


#: System, gold, and what matches, in both profiles or under ``paper`` and ``mtool``. MRP_TEXT is
#: 'He said, "no go".'
EQUAL: dict[str, tuple[Json, Json, int | tuple[int, int]]] = {
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
    "pieces with a blank between": (at((3, 8), (9, 12)), at((3, 12)), (1, 0)),
    "punctuation where pieces end": (at((3, 8), (9, 12)), at((3, 7), (10, 12)), (0, 1)),
    "nothing at the start": (at((3, 3), (4, 7)), at((4, 7)), 1),
    "punctuation inside": (at((3, 12)), at((3, 7), (10, 12)), 0),
    "one character more": (at((3, 7)), at((4, 7)), 0),
    "punctuation alone": (at((7, 8)), at((16, 17)), 1),
    "beyond the end": (at((10, 99)), at((10, 15)), 1),
    "no anchors": (at(), at((0, 2)), 0),
    "without input, every character": (at((0, 3), text=None), at((0, 2), text=None), 0),
    "without input, in two pieces": (at((0, 1), (1, 3), text=None), at((0, 3), text=None), 1),
    "without input, however long": (at((0, 10**15), text=None), at((0, 10**15), text=None), 1),
    "inverse by its label": (edged(edge(1, 2, "a")), edged(edge(2, 1, "a-of")), (2, 3)),
    "once only": (edged(edge(1, 2, "a")), edged(edge(1, 2, "a-of-of")), 2),
    "lower case only": (edged(edge(1, 2, "a")), edged(edge(2, 1, "a-OF")), 2),
    "consist-of": (edged(edge(1, 2, "consist")), edged(edge(2, 1, "consist-of")), (2, 3)),
    "prepositions": (edged(edge(1, 2, "prep-in-place")), edged(edge(2, 1, "prep-in-place-of")), 2),
    "mod": (edged(edge(1, 2, "mod")), edged(edge(2, 1, "domain")), (2, 3)),
    "mod and domain-of": (edged(edge(1, 2, "mod")), edged(edge(1, 2, "domain-of")), (2, 3)),
    "mod-of": (edged(edge(1, 2, "mod-of")), edged(edge(1, 2, "domain")), 2),
    "normal form": (edged(edge(1, 2, "x", normal="A")), edged(edge(2, 1, "a")), 3),
    "normal form of mod": (
        edged(edge(1, 2, "mod", normal="mod")),
        edged(edge(2, 1, "mod")),
        (3, 2),
    ),
    "no label": (edged(edge(1, 2, None)), edged(edge(1, 2, "")), 3),
    "no label is none": (edged(edge(1, 2, None)), edged(edge(1, 2, "a")), 2),
    "one written twice": (edged(edge(1, 2, "a"), edge(1, 2, "A")), edged(edge(1, 2, "a")), 3),
    "attribute": (attributed("a", "remote", True), attributed("A", "Remote", "true"), 4),
    "attribute of another edge": (attributed("a", "n", 1), attributed("b", "n", 1), 2),
    "attribute of an edge that is inverse by its label": (
        attributed("a", "n", 1),
        edged(edge(2, 1, "a-of", attributes=["n"], values=["1"])),
        (2, 4),
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
def test_what_counts_as_equal(system: Json, gold: Json, matched: int | tuple[int, int]) -> None:
    found = tuple(score(system, gold, profile)[0] for profile in (PAPER, MTOOL))
    assert found == (matched if isinstance(matched, tuple) else (matched, matched))


@pytest.mark.parametrize("name", ["remote", "effective", "member"])
def test_attributes_that_say_nothing_when_false(name: str) -> None:
    plain = edged(edge(1, 2, "a"))
    assert score(attributed("a", name, False), plain) == (3, 3, 3)
    assert score(attributed("a", name, True), plain) == (3, 4, 3)
    assert score(attributed("a", f"x{name}", False), plain) == (3, 4, 3)


def test_totals_count_what_is_left() -> None:
    assert score(attributed("a", "remote", False), at()) == (0, 3, 0)
    twice = edged(edge(1, 2, "a"), edge(1, 2, "A"), edge(2, 1, "x", normal="a"))
    assert score(twice, twice) == (3, 3, 3)
    by_label = edged(edge(1, 2, "a"), edge(2, 1, "a-of"))
    assert score(by_label, by_label) == (4, 4, 4)
    assert score(by_label, by_label, MTOOL) == (3, 3, 3)


#: For each value of each choice, a pair of graphs and what it matches then.
CHOSEN = [
    (
        attributed("s\u00e3o", "n", "\u00e3"),
        attributed("sa\u0303o", "n", "a\u0303"),
        "unicode",
        {"nfc": 4, "as-written": 2},
    ),
    (
        {**attributed("a", "n", 1), "framework": "eds"},
        {**attributed("a", "n", 1), "framework": "eds"},
        "tuples",
        {"by-framework": 3, "all": 4},
    ),
    (
        edged(edge(1, 2, "a")),
        edged(edge(2, 1, "a-of")),
        "edges",
        {"by-normal-form": 2, "by-label": 3, "as-written": 2},
    ),
    (
        edged(edge(1, 2, "x", normal="a")),
        edged(edge(1, 2, "x")),
        "edges",
        {"by-normal-form": 2, "by-label": 2, "as-written": 3},
    ),
    (
        edged(edge(1, 2, "a"), edge(1, 2, "b")),
        edged(edge(1, 2, "c")),
        "edge_labels",
        {"keep": 2, "ignore": 3},
    ),
    (attributed("a", "n", 1), attributed("b", "n", 1), "edge_labels", {"keep": 2, "ignore": 4}),
    (labelled("P", ("K", "V")), labelled("p", ("k", "v")), "case", {"lower": 2, "keep": 0}),
    (edged(edge(1, 2, "a")), edged(edge(1, 2, "A")), "case", {"lower": 3, "keep": 2}),
    (
        attributed("a", "member", False),
        attributed("a", "member", False),
        "attributes",
        {"no-defaults": 3, "as-written": 4},
    ),
    (
        at((3, 8)),
        at((3, 7)),
        "anchors",
        {"characters": 1, "characters-by-span": 1, "as-written": 0},
    ),
    (
        at((3, 8), (9, 12)),
        at((3, 12)),
        "anchors",
        {"characters": 1, "characters-by-span": 0, "as-written": 0},
    ),
    (
        at((0, 2), (3, 7)),
        at((3, 7), (0, 2)),
        "anchors",
        {"characters": 1, "characters-by-span": 1, "as-written": 1},
    ),
]


@pytest.mark.parametrize("system, gold, choice, expected", CHOSEN)
def test_each_choice_is_an_option(
    system: Json, gold: Json, choice: str, expected: dict[str, int]
) -> None:
    for value, matched in expected.items():
        assert score(system, gold, PAPER.with_choices(**{choice: value}))[0] == matched, value


def test_every_choice_is_tested() -> None:
    tested = {(choice, value) for _, _, choice, values in CHOSEN for value in values}
    assert tested == {(choice, value) for choice, values in CHOICES.items() for value in values}


def test_mrp_has_names_and_a_signature() -> None:
    default = Mrp.profiles["default"]
    assert default.label() == "mrp.3"
    assert default.with_choices(unicode="as-written").signature() == (
        PAPER.signature().replace("mrp.2", "custom")
    )
    assert (PAPER.name, PAPER.label(), PAPER.duplicates) == ("mrp", "mrp.2", "set")
    assert (MTOOL.label(), MTOOL.duplicates) == ("mtool", "set")
    assert PAPER.signature() == (
        "mrp|profile:mrp.2|tuples:by-framework|edges:by-normal-form|edge-labels:keep|case:lower"
        "|attributes:no-defaults|anchors:characters"
    )
    assert MTOOL.signature() == (
        "mrp|profile:mtool|tuples:all|edges:by-label|edge-labels:keep|case:lower"
        "|attributes:no-defaults|anchors:characters-by-span"
    )
    with pytest.raises(UsageError, match="no choice called 'duplicates'"):
        PAPER.with_choices(duplicates="product")


def test_nodes_look_alike_by_label_or_anchors() -> None:
    nodes: list[Json] = [
        {"id": 1, "label": "p", "anchors": [{"from": 0, "to": 2}]},
        {"id": 2, "label": "q"},
        {"id": 3},
    ]
    system = PAPER.normalise(parsed(as_json(nodes, [])))
    gold = PAPER.normalise(parsed(as_json([{**nodes[0], "label": "Q"}, nodes[1], nodes[2]], [])))
    assert list(PAPER.likely(system, gold)) == [(0, 0), (1, 0), (1, 1)]


def test_scores_of_mrp_are_certified() -> None:
    rng = random.Random("certificates")
    for _ in range(20):
        comparison = compared(random_mrp_graph(rng, 6), random_mrp_graph(rng, 5))
        solution = solved(comparison)
        pair = comparison.as_json("pair")
        certificate = certificate_json(
            pair, solution.proof, mapping=solution.mapping, lower=solution.lower
        )
        assert check(pair, certificate) == "verified"


#: | `pair` | matched | system | gold | the same three under ``mtool`` | ... |
ROW = re.compile(r"^\| `(\w+/\w+)` " + 6 * r"\| (\d+) " + r"\| ", re.MULTILINE)


def rows() -> dict[str, list[int]]:
    """Return the numbers of the table of the instances, by pair."""
    text = (INSTANCES / "README.md").read_text(encoding="utf-8")
    return {pair: list(map(int, numbers)) for pair, *numbers in ROW.findall(text)}


def test_the_instances_score_what_their_table_says() -> None:
    systems, golds = (
        read_file(INSTANCES / "mrp/system.mrp").graphs,
        read_file(INSTANCES / "mrp/gold.mrp").graphs,
    )
    assert [graph.identifier for graph in systems] == list(rows())
    for system, gold in zip(systems, golds, strict=True):
        assert isinstance(system, Graph) and isinstance(gold, Graph)
        assert system.identifier == gold.identifier
        found = []
        for profile in (PAPER, MTOOL):
            comparison = compare(GraphPair("pair", system, gold), profile)
            found += [solved(comparison).lower, comparison.system_total, comparison.gold_total]
        assert found == rows()[str(gold.identifier)]


@pytest.mark.slow
def test_the_optima_of_the_instances_by_brute_force() -> None:
    files = [INSTANCES / "mrp" / name for name in ("system.mrp", "gold.mrp")]
    lines = [path.read_text(encoding="utf-8").splitlines() for path in files]
    for system, gold in zip(*([json.loads(line) for line in side] for side in lines), strict=True):
        found = []
        for mtool in (False, True):
            totals = [len(mrp_oracle.tuples(side, mtool=mtool)) for side in (system, gold)]
            found += [mrp_oracle.optimum(system, gold, mtool=mtool), *totals]
        assert found == rows()[f"{gold['framework']}/{gold['id']}"]
