"""Texts of graphs have each triple in one line, and can be read again."""

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from drs_samples import random_drs
from samples import random_graph, random_mrp_graph
from seeds import each_seed
from view_samples import metric_called, random_shown, view_of

import exactmatch
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.report.views.shown_graph import TOP, ShownGraph
from exactmatch.report.views.written_graphs import Line, clause_text, penman_text
from exactmatch.scoring.comparison import compare

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
SMATCH = metric_called("smatch")


def told(lines: Sequence[Line]) -> list[int]:
    """Return the triples that each line tells, one after the other."""
    return [
        triple
        for line in lines
        for triple in dict.fromkeys(p.triple for p in line.pieces if p.triple is not None)
    ]


def check_whole(graph: ShownGraph, lines: Sequence[Line]) -> None:
    """Check that each triple is in one line, at the place of its own text."""
    assert sorted(told(lines)) == [*range(len(graph.triples))]
    for line in lines:
        for piece in line.pieces:
            if piece.triple is not None and piece.variable is not None:
                triple, name = graph.triples[piece.triple], graph.variables[piece.variable]
                assert name in triple.variables
                assert piece.text.strip() in (name, graph.worded[piece.triple].name)


def check_penman(graph: ShownGraph, lines: Sequence[Line]) -> None:
    check_whole(graph, lines)
    opened = [p.variable for line in lines for p in line.pieces if p.triple is None]
    assert sorted(v for v in opened if v is not None) == [*range(len(graph.variables))]
    depth = 0
    for line in lines:
        brackets = [piece.text for piece in line.pieces if piece.triple is None]
        assert line.indent == depth
        depth += brackets.count("(") - brackets.count(")")
    assert depth == 0


@each_seed(300)
def test_graphs_that_are_no_trees_are_told_whole(seed: int) -> None:
    graph = random_shown(random.Random(seed))
    check_penman(graph, penman_text(graph))


@each_seed(60)
def test_graphs_of_all_formats_are_told_whole(seed: int) -> None:
    rng = random.Random(seed)
    amrs = [random_graph(rng, rng.randint(1, 6))[0] for _ in "ab"]
    mrps = [json.dumps(random_mrp_graph(rng, rng.randint(1, 5))) for _ in "ab"]
    drss = [random_drs(rng) for _ in "ab"]
    for one, other, name in ((*amrs, "smatch"), (*mrps, "mrp"), (*drss, "counter")):
        view = view_of(one, other, metric=metric_called(name), timeout=0)
        for graph, lines in zip((view.system, view.gold), view.texts, strict=True):
            (check_whole if view.is_drs else check_penman)(graph, lines)


def test_a_chain_of_5000_variables_is_told_whole() -> None:
    size = 5000
    chain = "".join(f"(v{k} / c :R " for k in range(size)) + "v0" + ")" * size
    view = view_of(chain, "(a / b)", timeout=0)
    lines = view.texts[0]
    check_penman(view.system, lines)
    assert max(line.indent for line in lines) == size


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("(a / b)", ["(a / b", ":top)"]),
        ("(a / b :R a)", ["(a / b", ":top", ":r a)"]),
        ("(a / b :R (c / d :S a))", ["(a / b", ":top", ":r (c / d", ":s a))"]),
        ("(a / b :R-of (c / d))", ["(a / b", ":top", ":r-of (c / d))"]),
        ("(a / b :quant 3 :polarity -)", ["(a / b", ":top", ":quant 3", ":polarity -)"]),
    ],
)
def test_the_text_of_an_amr_has_a_line_for_each_triple(text: str, lines: list[str]) -> None:
    found = [line.text for line in view_of(text, "(x / y)").texts[0]]
    assert [line.lower() for line in found] == lines


def test_three_variables_and_constants() -> None:
    a, b, c = "abc"
    triples = [
        NormalisedTriple(("relation", "R", "yes"), (a, b, c)),
        NormalisedTriple(("relation", "S"), (c, c)),
        NormalisedTriple(("relation", "T", "1", "2"), (a,)),
    ]
    graph = ShownGraph(NormalisedGraph((a, b, c), triples), triples, triples, [a])
    check_penman(graph, penman_text(graph))
    assert [line.text for line in penman_text(graph)] == [
        "(a",
        ":T 1 2",
        ":R b yes (c",
        ":S c))",
        "(b)",
    ]


def test_an_empty_constant() -> None:
    triples = [NormalisedTriple(("anchor", "anchor", ""), ("a",))]
    graph = ShownGraph(NormalisedGraph(("a",), triples), triples, triples, ["a"])
    assert [line.text for line in penman_text(graph)] == ["(a", ':anchor "")']


def test_clauses_in_the_order_of_the_file() -> None:
    text = 'b1 REF x1\nb1 man "n.01" x1\nb2 TPR t1 "now"\nb1 NOT b2'
    view = view_of(text, text, metric=metric_called("counter"))
    lines = [line.text for line in clause_text(view.system)]
    assert [line for line in text.splitlines() if "REF" not in line] == lines


def normalised(graph: Graph) -> Counter[NormalisedTriple]:
    return Counter(compare(GraphPair("x", graph, graph), SMATCH).system.triples)


def written(view_lines: Sequence[Line], graph: ShownGraph) -> str:
    """Return a readable text: constants are quoted, and the mark of the root is left out."""
    found = []
    for line in view_lines:
        for piece in line.pieces:
            triple = None if piece.triple is None else graph.triples[piece.triple]
            if triple is not None and triple.kind == TOP:
                continue
            is_constant = triple is not None and triple.kind == "attribute"
            text = piece.text
            if is_constant and not text.startswith(":"):
                text = f' "{text.strip()}"'
            elif triple is not None and triple.kind == "instance" and re.search(r"[\s()\"]", text):
                text = f'"{text}"'
            found.append(text)
        found.append(" ")
    return "".join(found)


def check_read_again(text: str) -> None:
    (graph,) = exactmatch.loads(text)
    view = view_of(text, "(a / b)", timeout=0)
    (again,) = exactmatch.loads(written(view.texts[0], view.system))
    expected = Counter(dict.fromkeys(normalised(graph), 1))
    assert normalised(again) == expected


@each_seed(100)
def test_text_can_be_read_again(seed: int) -> None:
    rng = random.Random(seed)
    check_read_again(random_graph(rng, rng.randint(1, 8))[0])


@pytest.mark.parametrize("name", ["agreement/a.amr", "agreement/c.amr", "opitz/gold.amr"])
def test_files_can_be_read_again(name: str) -> None:
    for text in (INSTANCES / name).read_text("utf-8").split("\n\n"):
        if "(" in text:
            check_read_again(text)


def test_words_are_spelled_as_in_the_file() -> None:
    """Only folded concepts lose their case: a role Time does not change a concept of that name."""
    view = view_of('(a / Ada :ARG0 (t / time) :Time "Now")', "(a / ada)")
    assert [line.text for line in view.texts[0]] == [
        "(a / Ada", ":top", ":ARG0 (t / time)", ":Time Now)"
    ]  # fmt: skip
