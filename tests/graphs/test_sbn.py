"""The reader of sequence box notation: its graphs, its layouts, and ill-formed input."""

import gzip
import pickle
import random
from pathlib import Path

import pytest
from sbn_samples import random_sbn

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.graph import Constant, Graph, IllFormedError, Triple, Variable
from exactmatch.graphs.readers.detect import read_file, read_text

#: "Tom says that nobody has eaten all of 'New York' yet", and more that is odd on purpose.
TEXT = (
    'male.n.02 Name "Tom" say.v.01 Agent -1 Proposition >1 Time +1 time.n.08 EQU now '
    'NEGATION <1 person.n.01 eat.v.01 Agent -1 Patient +1 city.n.01 Name "New  York" PartOf +1 '
    "CONTINUATION <0 food.n.01"
)


def only(text: str) -> Graph:
    (graph,) = read_text(text, "f.sbn").graphs
    assert isinstance(graph, Graph), graph
    assert graph.format == "SBN"
    return graph


def fault(text: str) -> IllFormedError:
    _, error = read_text(f"x.n.01 EQU now y.n.01\n{text}", "f.sbn").graphs
    assert isinstance(error, IllFormedError)
    return error


def edges(graph: Graph) -> list[tuple[str, ...]]:
    """Return the triples with names of variables and texts of constants."""
    return [(t.arguments[0][0], t.relation, t.arguments[1][0]) for t in graph.triples]


def test_a_graph_of_sbn_is_read() -> None:
    graph = only(TEXT)
    assert list(graph.variables.items()) == [
        *[("b0", "b"), ("s0", "x"), ("s1", "x"), ("s2", "x"), ("b1", "b")],
        *[("s3", "x"), ("s4", "x"), ("s5", "x"), ("b2", "b"), ("s6", "x")],
    ]
    assert edges(graph) == [
        ("b0", "/", "box"),
        ("s0", "/", "male.n.02"),
        ("b0", "member", "s0"),
        ("s0", "Name", '"Tom"'),
        ("s1", "/", "say.v.01"),
        ("b0", "member", "s1"),
        ("s1", "Agent", "s0"),
        ("s1", "Proposition", "b1"),
        ("s1", "Time", "s2"),
        ("s2", "/", "time.n.08"),
        ("b0", "member", "s2"),
        ("s2", "EQU", "now"),
        ("b1", "/", "box"),
        ("b0", "NEGATION", "b1"),
        ("s3", "/", "person.n.01"),
        ("b1", "member", "s3"),
        ("s4", "/", "eat.v.01"),
        ("b1", "member", "s4"),
        ("s4", "Agent", "s3"),
        ("s4", "Patient", "s5"),
        ("s5", "/", "city.n.01"),
        ("b1", "member", "s5"),
        ("s5", "Name", '"New York"'),
        ("s5", "PartOf", "s6"),
        ("b2", "/", "box"),
        ("s6", "/", "food.n.01"),
        ("b2", "member", "s6"),
    ]
    assert graph.triples[3] == Triple("Name", (Variable("s0"), Constant('"Tom"')))
    assert graph.triples[6] == Triple("Agent", (Variable("s1"), Variable("s0")))
    assert graph.tops == ("b0",)
    assert graph.identifier is None
    assert graph.metadata == {}
    assert graph.notes == (
        f"f.sbn:1: graph 1: box (b2) cannot be reached from b0\n    {TEXT[-85:]}\n    {' ' * 60}^",
    )


@pytest.mark.parametrize(
    "text, box",
    [
        ("NEGATION <1 NEGATION <1 NEGATION <1", "b2"),
        ("NEGATION <1 NEGATION <1 NEGATION <2", "b1"),
        ("NEGATION <1 NEGATION <1 NEGATION <3", "b0"),
        ("NEGATION <1 NEGATION <1 NEGATION <9", "b0"),
        ("NEGATION -1 NEGATION -1 NEGATION -2", "b1"),  # as in release 4
    ],
)
def test_boxes_count_back_from_the_current_one(text: str, box: str) -> None:
    assert edges(only(f"x.n.01 {text}"))[-1] == (box, "NEGATION", "b3")


def test_a_box_may_be_joined_to_a_later_one() -> None:
    graph = only("x.n.01 NEGATION >1 y.n.01 CONTINUATION <0 z.n.01")
    assert ("b2", "NEGATION", "b1") in edges(graph)
    assert graph.tops == ("b0",)


def test_edges_between_the_same_two_nodes_are_all_kept() -> None:
    graph = only("x.n.01 Sub +1 EQU +1 Sub +1 EQU now EQU now y.n.01")
    assert [edge for edge in edges(graph) if edge[0] == "s0"][1:] == [
        *[("s0", "Sub", "s1"), ("s0", "EQU", "s1"), ("s0", "Sub", "s1")],
        *[("s0", "EQU", "now"), ("s0", "EQU", "now")],
    ]


@pytest.mark.parametrize(
    "target, constant",
    [("+", "+"), ("-", "-"), ("<", "<"), ('"', '"'), ('""', '""'), ("'1999'", "'1999'"),
     ("Agent", "Agent"), ("%", "%"), ('"a " b"', None)],
)  # fmt: skip
def test_anything_else_is_a_constant(target: str, constant: str | None) -> None:
    if constant is None:
        assert 'b" is no role' in fault(f"x.n.01 Name {target}").reason
    else:
        assert edges(only(f"x.n.01 Value {target}"))[-1] == ("s0", "Value", constant)


def test_what_hangs_on_a_concept_is_dropped_with_a_note() -> None:
    graph = only('x.n.01 EQU now salad.n.01% "y".n.02')
    assert [edge[2] for edge in edges(graph) if edge[1] == "/"] == [
        *["box", "x.n.01", "salad.n.01", "y.n.02"]
    ]
    (note,) = graph.notes
    assert note.startswith("f.sbn:1: graph 1: salad.n.01% is read as salad.n.01\n")


FAULTS = {
    " ": "an empty text",
    "%%%": "an empty text",
    " % only a comment": "% is no role, operator, discourse relation or concept",
    "x.n.01 EQU": "EQU has no target",
    "x.n.01 Agent y.n.01": "Agent has no target",
    "x.n.01 NEGATION": "NEGATION has no box index",
    "x.n.01 NEGATION NEGATION <1": "NEGATION has no box index",
    "x.n.01 Foo -1": "Foo is no role, operator, discourse relation or concept",
    "x.n.01 EQU now now": "now is no role, operator, discourse relation or concept",
    "hello": "hello is no role, operator, discourse relation or concept",
    'x.n.01 Name "New York': 'the name "New York is not closed',
    'x.n.01 Name "New y.n.01 York"': 'the name "New is not closed',
    "Agent +1 x.n.01": "Agent stands before the first concept",
    "x.n.01 Proposition <1": "<1 leads to a box that does not exist",
    "x.n.01 Proposition >1": ">1 leads to a box that does not exist",
    "x.n.01 NEGATION >1": ">1 leads to a box that does not exist",
}
OVERLOOKED = {
    "x.n.01 Agent -1": ("index -1 is out of range: it leads before the first concept", "-1"),
    "x.n.01 Agent +1": ("index +1 is out of range: it leads behind the last concept", "+1"),
    f"x.n.01 Agent +{'9' * 5000}": (f"index +{'9' * 5000} is out of range", f"+{'9' * 5000}"),
    "x.n.01 Agent +1 NEGATION <1": ("+1 leads to no concept: there are only 1", "+1"),
    "x.n.01 EQU <1": ("EQU relates concepts, and <1 is the index of a box", "<1"),
    "x.n.01 Agent +1y": ("found +1y, which begins like an index, but is no index", "+1y"),
    "x.n.01 Agent +0": ("a cycle: s0 -> s0", "s0"),
    "x.n.01 Agent +1 y.n.01 Sub -1": ("a cycle: s0 -> s1 -> s0", "s0"),
    "x.n.01 Agent +1 " * 9 + "x.n.01 Agent -9": (
        "a cycle: s0 -> s1 -> s2 -> s3 -> s4 -> s5 -> s6 -> s7 -> ... -> s0",
        "s0",
    ),
    "x.n.01 Proposition >0": ("a cycle: b0 -> s0 -> b0", "b0"),
    "x.n.01 NEGATION now": ("found now after NEGATION, expected the index of a box", "x.n.01"),
    "x.n.01 NEGATION <1<": ("found <1< after NEGATION, expected the index of a box", "x.n.01"),
}


@pytest.mark.parametrize("text", FAULTS)
def test_texts_of_sbn_that_tell_nothing_are_errors(text: str) -> None:
    error = fault(text)
    assert error.reason == FAULTS[text]
    assert error.lenient is None
    assert (error.source, error.line, error.number, error.identifier) == ("f.sbn", 2, 2, None)


@pytest.mark.parametrize("text", OVERLOOKED, ids=[text[:40] for text in OVERLOOKED])
def test_a_fault_that_can_be_overlooked_comes_with_its_graph(text: str) -> None:
    reason, target = OVERLOOKED[text]
    error = fault(text)
    assert error.reason.startswith(reason)
    assert error.lenient is not None
    assert target in [edge[2] for edge in edges(error.lenient)]
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.lenient) == (str(error), error.lenient)


def test_the_first_fault_is_told_and_shown_where_it_is() -> None:
    text = "Ah .\tx.n.01 Agent +1 y.n.01 Theme -3 Time +7"
    _, error = read_text(f"x.n.01\n{text}\n", "f.sbn").graphs
    assert isinstance(error, IllFormedError)
    assert str(error) == (
        "f.sbn:2: graph 2: index -3 is out of range: it leads before the first concept\n"
        f"    {text}\n        \t{' ' * 29}^"
    )


def test_what_is_not_there_comes_before_what_can_be_overlooked() -> None:
    assert fault("x.n.01 Agent -1 Theme").reason == "Theme has no target"
    assert fault("x.n.01 Agent -1 Proposition <3").lenient is None


BLOCK = """\
%%% made by some command
%%% Nobody sings .

NEGATION <1                   % No- [0-2]
person.n.01                   % body [2-6]
sing.v.01   Agent -1 Time +1  % sings [7-12]
time.n.08   EQU now           %
                              % . [13-14]
"""


def test_a_block_is_the_same_graph() -> None:
    graph = only(BLOCK)
    (flat,) = read_text(
        "NEGATION <1 person.n.01 sing.v.01 Agent -1 Time +1 time.n.08 EQU now", "f.sbn"
    ).graphs
    assert isinstance(flat, Graph)
    assert (graph.variables, graph.triples) == (flat.variables, flat.triples)
    assert graph.location.line == 4
    assert graph.metadata.remark == "Nobody sings ."  # type: ignore[attr-defined]


BLOCKS = """\
%%% ::id x.1
bird.n.01
sing.v.01 Agent -1

%%% ::id x.2
NEGATION <1
bird.n.01

sing.v.01 Agent -1
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n\n", "\n%%% the end\n"])
def test_a_file_may_hold_several_blocks(end: str, tmp_path: Path) -> None:
    path = tmp_path / "x.sbn"
    text = "\ufeff" + BLOCKS.rstrip("\n").replace("\n", end if end == "\r\n" else "\n") + end
    for data in (text.encode(), gzip.compress(text.encode())):
        path.write_bytes(data)
        one, two, three = read_file(path).graphs
        assert isinstance(one, Graph)
        assert isinstance(two, Graph)
        assert isinstance(three, IllFormedError)
        assert (one.identifier, two.identifier) == ("x.1", "x.2")
        assert (one.location.line, two.location.line, three.line) == (2, 6, 9)
        assert three.text == "sing.v.01 Agent -1"


def test_raw_text_with_a_percent_sign_is_no_comment() -> None:
    found = read_text("50 % of it\tpart.n.01\n10 % left\tleave.v.01 Theme +1 part.n.01\n", "f.sbn")
    graphs = [graph for graph in found.graphs if isinstance(graph, Graph)]
    assert [graph.metadata["snt"] for graph in graphs] == ["50 % of it", "10 % left"]


def test_a_table_is_refused() -> None:
    with pytest.raises(InputError, match="looks like a table"):
        read_text('id,text,graph\n1,"Tom","male.n.02 Name ""Tom"""\n', "f.csv")


def test_a_concept_inside_a_line_of_a_block() -> None:
    (error,) = read_text(
        "%%%\n%%%\nbird.n.01\nsing.v.01 Agent -1 song.n.01\n%%% end", "f.sbn"
    ).graphs
    assert isinstance(error, IllFormedError)
    assert error.reason == "concept song.n.01 is not at the beginning of a line"
    assert (error.line, error.column) == (4, 19)


LINES = """\
Sing !\tsing.v.01 Agent -1
\t
p01/d0002\tNobody sings .\tNEGATION <1 person.n.01 sing.v.01 Agent -1

p01/d0003\tEQU now
5 % of them sing\tperson.n.01 sing.v.01 Agent -1
time.n.08 EQU now
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_text_a_line(end: str, tmp_path: Path) -> None:
    path = tmp_path / "x.sbn"
    path.write_bytes(("\ufeff" + LINES.replace("\n", end)).encode())
    found = read_file(path)
    assert found.format == "SBN"
    assert [type(graph) for graph in found.graphs] == [
        *[IllFormedError, IllFormedError, Graph, IllFormedError, IllFormedError, Graph, Graph]
    ]
    names = [graph.identifier for graph in found.graphs]
    assert names == [None, None, "p01/d0002", None, "p01/d0003", None, None]
    said = [graph.metadata for graph in found.graphs if isinstance(graph, Graph)]
    assert said == [{"snt": "Nobody sings ."}, {"snt": "5 % of them sing"}, {}]
    last = found.graphs[-1]
    assert isinstance(last, Graph)
    assert last.location.line == 7


def test_lines_of_records_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.sbn"
    path.write_bytes(
        b"p01/d0001\r\nNobody sings .\r\nNEGATION <1 person.n.01 sing.v.01 Agent -1\r\n\r\n"
        b"p01/d0002\r\nSing !\r\nsing.v.01 Agent -1"
    )
    one, two = read_file(path).graphs
    assert isinstance(one, Graph)
    assert isinstance(two, IllFormedError)
    assert (one.identifier, two.identifier) == ("p01/d0001", "p01/d0002")
    assert (one.metadata, one.location.line, two.line) == ({"snt": "Nobody sings ."}, 3, 7)


def test_empty_lines_are_texts_so_that_two_files_stay_in_step() -> None:
    graphs = read_text("\nx.n.01 EQU now y.n.01\n\n\n", "f.sbn").graphs
    reasons = [graph.reason if isinstance(graph, GraphError) else "" for graph in graphs]
    assert reasons == ["an empty text", "", "an empty text", "an empty text"]


@pytest.mark.parametrize(
    "text, count",
    [
        ("x.n.01\ny.n.01\n", 2),  # in doubt
        ("x.n.01\ny.n.01 EQU now\n", 2),
        ("x.n.01 EQU now\ny.n.01 Sub -1\n", 1),  # what its index leads to stands above it
        ("x.n.01 % one\ny.n.01\n", 1),
        ("%%%\nx.n.01\ny.n.01\n", 1),
        ("x.n.01\nNEGATION <1\ny.n.01\n", 1),
        ("x.n.01 Sub -1\nx.n.01 Sub +1 y.n.01\n", 2),
        ("A .\tx.n.01 Sub -1\n", 1),
        ("A .\tx.n.01 Sub -1\nB .\tx.n.01 Sub -1\n", 2),
        ("y.n.01 .\tx.n.01 Sub -1\ny.n.01 .\tx.n.01 Sub -1\n", 2),
        ("x.n.01\t% A .\ny.n.01 Sub -1\t% B .\n", 1),
        ("x.n.01 \tEQU now\ny.n.01\tSub -1\n", 1),
        ("p01/d0001\tx.n.01\np01/d0002\ty.n.01\n", 2),
        ("p01/d0001\n\nx.n.01\n\ny.n.01", 3),
    ],
)
def test_layouts_are_told_apart(text: str, count: int) -> None:
    assert len(read_text(text, "f.sbn").graphs) == count


@pytest.mark.parametrize(
    "first",
    ['"Ah" !\tsing', "[Ah]\t", "3 birds\tsing.v.01 foo", "# one\tx.n.01", "(Ah)\tNEGATION <1",
     "%%% comment", "\n\n", "{Ah}\tx.n.01", "<Ah>\t<", "a,b", "sing sing sing", "b1 REF x1"],
)  # fmt: skip
def test_the_first_text_may_be_anything(first: str) -> None:
    found = read_text(f"{first}\nA .\tx.n.01 EQU now y.n.01\n", "f.sbn")
    assert found.format == "SBN"
    assert isinstance(found.graphs[-1], Graph)


def test_no_other_format_is_taken_for_it() -> None:
    drs = 'b1 REF x1 % x.n.01\n% NEGATION <1\n%%% raw\ty.n.01 EQU now\nb1 male "n.02" x1\n'
    assert read_text(drs, "f").format == "clause form"
    assert read_text(f"% y.n.01\n\n{drs}", "f").format == "clause form"
    assert read_text("(x / y.n.01\n:A\nNEGATION)", "f").format == "PENMAN"


def test_bytes_that_are_no_text() -> None:
    _, error = read_text("x.n.01\na\0b\n", "f.sbn").graphs
    assert isinstance(error, GraphError)
    assert not isinstance(error, IllFormedError)
    assert "NUL" in error.reason


def test_random_texts_are_well_formed() -> None:
    rng = random.Random("sbn")
    for _ in range(200):
        text = random_sbn(rng)
        assert next(iter(only(text).variables)) == "b0"
