"""The drawing of a graph has every triple in one place, and no line that is too long."""

import random
from collections import Counter

from drawn import drawn, only_graph
from drs_samples import random_drs
from samples import random_graph
from seeds import each_seed

from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedTriple
from exactmatch.report.views.graph_drawing import (
    CHARACTER,
    LABEL_LENGTH,
    LINE_LENGTH,
    PADDING_X,
    Drawing,
    Edge,
    Node,
    cut,
    drawing,
    label_width,
    node_size,
)
from exactmatch.report.views.written_graphs import Piece

BOY = "(w / want-01 :ARG0 (b / boy :quant 3) :ARG1 (g / go-02 :ARG0 b))"
UCCA = (
    '{"id": "1", "flavor": 1, "framework": "ucca", "version": 1.0, "time": "2020-01-01",'
    ' "input": "The dog", "tops": [1], "nodes": [{"id": 0, "anchors": [{"from": 0, "to": 3}]},'
    ' {"id": 1}], "edges": [{"source": 1, "target": 0, "label": "C", "attributes": ["remote"],'
    ' "values": [true]}]}'
)
DRS = """b1 REF x9
b1 REF x1
b1 person "n.01" x1
b1 Name x1 "tom"
b1 IMP b2 b3
b2 Agent e1 x1
b3 NOT b4
b3 PRP p1 b5
b4 TPR t1 "now"
b5 be "v.01" e2"""


def words(node: Node) -> list[str]:
    return ["".join(piece.text for piece in line) for line in node.lines]


def places(found: Drawing) -> Counter[int]:
    """Return how often each triple is drawn; several pieces on one line are one place."""
    pieces = [
        {piece.triple for piece in line if piece.triple is not None}
        for node in found.nodes
        for line in node.lines
    ]
    return Counter([*(edge.triple for edge in found.edges), *(n for p in pieces for n in p)])


def test_an_amr_is_drawn_with_a_node_for_each_variable() -> None:
    found = drawn(BOY)
    assert [words(node) for node in found.nodes] == [
        ["w / want-01", "⊤ top"],
        ["b / boy", "quant 3"],
        ["g / go-02"],
    ]
    assert [edge[1:] for edge in found.edges] == [
        ("arg0", 0, 1, None),
        ("arg1", 0, 2, None),
        ("arg0", 2, 1, None),
    ]
    assert found.tops == [0]
    name, slash, concept = found.nodes[0].lines[0]
    assert (name, slash) == (Piece("w", None, 0), Piece(" / "))
    assert concept.triple is not None and concept.variable is None


def test_mrp_has_labels_first_and_words_of_anchors() -> None:
    found = drawing(
        ["0"],
        [
            NormalisedTriple(("anchor", "0:3 4:7"), ("0",)),
            NormalisedTriple(("label", "dog"), ("0",)),
            NormalisedTriple(("property", "pos", "nn"), ("0",)),
        ],
        "The dog",
    )
    assert words(found.nodes[0]) == ["dog 0", "0:3 4:7 The dog", "pos nn"]
    assert found.nodes[0].lines[0] == [Piece("dog", 1), Piece(" "), Piece("0", None, 0)]


def test_ucca_has_attributes_of_edges() -> None:
    found = drawn(UCCA)
    assert [words(node) for node in found.nodes] == [["0", "0:3 The"], ["1", "⊤ top"]]
    assert [edge[1:] for edge in found.edges] == [("c", 1, 0, None), ("c remote true", 1, 0, None)]


def test_an_anchor_without_characters_is_said_to_be_empty() -> None:
    found = drawing(["0"], [NormalisedTriple(("anchor", ""), ("0",))], "The dog")
    assert words(found.nodes[0]) == ["0", 'anchor ""']


def test_nodes_and_labels_have_room_for_signs_and_for_wide_characters() -> None:
    """A sign is one character and a blank before a label, left of the text of a node."""
    for text, columns in (("x" * 20, 20), ("\u4eba" * 10, 20), ("e\u0301" * 20, 20)):
        assert label_width(text) >= (columns + 2) * CHARACTER
        width, _ = node_size(Node(0, [[Piece(text)]]))
        assert width >= columns * CHARACTER + 2 * PADDING_X
    assert PADDING_X >= 2 * CHARACTER


def test_tops_of_all_profiles() -> None:
    marks = {}
    for name, metric in Smatch.profiles.items():
        found = drawn(BOY, metric)
        marks[name] = [line for line in words(found.nodes[0]) if line.startswith("⊤")]
        assert isinstance(metric, Smatch)
        assert found.tops == ([] if metric.top == "none" else [0])
    assert marks["default"] == ["⊤ top"]
    assert marks["smatch-1.0.4"] == ["⊤ top"]
    assert marks["smatchpp-1.8-amr"] == ["⊤ top want-01"]
    assert marks["paper-2013"] == []


def test_boxes_of_drss_are_nodes() -> None:
    found = drawn(DRS)
    assert [words(node) for node in found.nodes] == [
        ["b1 x9 x1", "person.n.01(x1)", 'Name(x1, "tom")'],
        ["b2 e1", "Agent(e1, x1)"],
        ["b3 p1"],
        ["b4 t1", 'TPR(t1, "now")'],
        ["b5 e2", "be.v.01(e2)"],
    ]
    assert [edge[1:] for edge in found.edges] == [
        ("IMP", 1, 2, 0),
        ("NOT", 2, 3, None),
        ("PRP p1", 2, 4, None),
    ]
    assert found.tops == [0]
    assert found.nodes[0].lines[0][2::2] == [
        Piece("x9", 0, variable(found, "x9")),
        Piece("x1", None, variable(found, "x1")),
    ]
    assert {piece.variable for piece in found.nodes[1].lines[1]} == {
        None,
        variable(found, "e1"),
        variable(found, "x1"),
    }


def variable(found: Drawing, name: str) -> int:
    """Return the position of a variable, as pieces with this text have it."""
    (position,) = {
        piece.variable
        for node in found.nodes
        for line in node.lines
        for piece in line
        if piece.text == name
    }
    assert position is not None
    return position


def test_boxes_without_senses() -> None:
    found = drawn('b1 man "n.01" x1', CounterMetric(senses="ignore"))
    assert words(found.nodes[0]) == ["b1 x1", "man(x1)"]


def test_many_referents_take_several_lines() -> None:
    found = drawn("\n".join(f"b1 REF x{i}" for i in range(30)))
    assert len(found.nodes) == 1
    assert words(found.nodes[0])[0].startswith("b1 x0 x1 ")
    assert " ".join(words(found.nodes[0])).split() == ["b1", *(f"x{i}" for i in range(30))]
    assert max(map(len, words(found.nodes[0]))) <= LINE_LENGTH


def test_clauses_of_three_variables_elsewhere() -> None:
    found = drawing(["a", "b", "c"], [NormalisedTriple(("meets", "at"), ("a", "b", "c"))])
    assert found.edges == [Edge(0, "at b", 0, 2)]


def test_loops_and_parallel_edges() -> None:
    found = drawn("(a / b :ARG0 a :ARG1 (c / d) :ARG2 c)")
    assert [edge[2:4] for edge in found.edges] == [(0, 0), (0, 1), (0, 1)]


def test_long_lines_are_cut_and_keep_their_pieces() -> None:
    long = "x" * 10_000
    found = drawn(f'(a / {long} :{long} "{long}" :ARG0-{long} (b / c))')
    lines = [line for node in found.nodes for line in words(node)]
    assert max(map(len, lines)) == LINE_LENGTH
    assert max(len(edge.label) for edge in found.edges) == LABEL_LENGTH
    boxes = drawn(f'b1 {long} "n.01" {long}\nb1 Name x{long} "{long}"')
    for line in boxes.nodes[0].lines:
        assert sum(len(piece.text) for piece in line) <= LINE_LENGTH
        assert all(piece.text for piece in line)
    assert [len(line) for line in boxes.nodes[0].lines[-2:]] == [3, 5]


def test_what_is_cut_ends_in_dots() -> None:
    assert cut("abcd", 4) == "abcd"
    assert cut("abcde", 4) == "abc…"


def test_hostile_text_is_left_alone() -> None:
    found = drawing(["a"], [NormalisedTriple(("attribute", "name", "‮\x07</script>"), ("a",))])
    assert words(found.nodes[0]) == ["a", "name ‮\x07</script>"]


def test_graphs_without_triples_are_drawn() -> None:
    assert drawing([], []) == Drawing([], [], [])
    assert words(drawing(["a"], []).nodes[0]) == ["a"]


@each_seed(20)
def test_each_triple_is_in_one_place_of_a_drawing(seed: int) -> None:
    rng = random.Random(seed)
    amr, drs = random_graph(rng, rng.randint(1, 8))[0], random_drs(rng)
    cases = [(amr, metric) for metric in Smatch.profiles.values()]
    for text, metric in [*cases, *((drs, metric) for metric in CounterMetric.profiles.values())]:
        assert isinstance(metric, AlignmentMetric)
        normalised = metric.normalise(only_graph(text))
        found = drawn(text, metric)
        assert places(found) == Counter(range(len(normalised.triples)))
        named = {p.variable for node in found.nodes for line in node.lines for p in line}
        assert named - {None} <= set(range(len(normalised.variables)))
