"""The MRP reader: accepted input, and messages for the rest."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from whole_files import read_graphs

import exactmatch
from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.graph import ANCHOR, CONCEPT, Constant, Graph, Triple, Variable
from exactmatch.graphs.readers import mrp
from exactmatch.graphs.readers.detect import read_file, read_text

#: A dog, which barks; every part of a graph occurs.
DOG: dict[str, Any] = {
    "id": "20001",
    "flavor": 1,
    "framework": "eds",
    "version": 1.0,
    "time": "2020-01-31",
    "language": "eng",
    "input": "A dog, barks.",
    "tops": [7],
    "nodes": [
        {"id": 7, "label": "_bark_v_1", "anchors": [{"from": 7, "to": 13}]},
        {
            "id": 2,
            "label": "_dog_n_1",
            "properties": ["num", "tame"],
            "values": ["sg", True],
            "anchors": [{"from": 0, "to": 1}, {"from": 2, "to": 6}],
        },
        {"id": 3},
    ],
    "edges": [
        {"id": 0, "source": 7, "target": 2, "label": "ARG1"},
        {"source": 2, "target": 7, "label": "ARG1-of", "normal": "ARG1"},
        {"source": 3, "target": 2, "attributes": ["remote", "n"], "values": [True, 1]},
        {"source": 3, "target": 3, "label": ""},
    ],
}
BARKS, IS_DOG, EMPTY = Variable("7"), Variable("2"), Variable("3")


def line(**changes: Any) -> str:
    """Return DOG as a line with some members changed, and without the members set to None."""
    members = {**DOG, **changes}
    return json.dumps({key: value for key, value in members.items() if value is not None})


def graphs(text: str | bytes) -> list[Graph | GraphError]:
    data = text.encode() if isinstance(text, str) else text
    return read_graphs(mrp, data, "f.mrp")


def only(text: str | bytes) -> Graph:
    (graph,) = graphs(text)
    assert isinstance(graph, Graph), graph
    return graph


def test_a_graph_of_mrp_is_read() -> None:
    graph = only(f"\n{line()}\n")
    assert graph.identifier == "eds/20001"
    assert dict(graph.variables) == {"7": "", "2": "", "3": ""}
    assert list(graph.variables) == ["7", "2", "3"]
    assert graph.tops == ("7",)
    assert graph.location == ("f.mrp", 2)
    assert graph.triples == (
        Triple(CONCEPT, (BARKS, Constant("_bark_v_1"))),
        Triple(ANCHOR, (BARKS, Constant("7"), Constant("13"), Constant("barks."))),
        Triple(CONCEPT, (IS_DOG, Constant("_dog_n_1"))),
        Triple("num", (IS_DOG, Constant("sg"))),
        Triple("tame", (IS_DOG, Constant("true"))),
        Triple(ANCHOR, (IS_DOG, Constant("0"), Constant("1"), Constant("A"))),
        Triple(ANCHOR, (IS_DOG, Constant("2"), Constant("6"), Constant("dog,"))),
        Triple("ARG1", (BARKS, IS_DOG)),
        Triple("ARG1-of", (IS_DOG, BARKS)),
        Triple("ARG1-of", (IS_DOG, BARKS, Constant("ARG1"))),
        Triple("", (EMPTY, IS_DOG)),
        Triple("", (EMPTY, IS_DOG, Constant("remote"), Constant("true"))),
        Triple("", (EMPTY, IS_DOG, Constant("n"), Constant("1"))),
        Triple("", (EMPTY, EMPTY)),
    )


def test_identifiers_tell_frameworks_apart() -> None:
    found = graphs(f"{line()}\n{line(framework='dm')}")
    assert [graph.identifier for graph in found] == ["eds/20001", "dm/20001"]


@pytest.mark.parametrize(
    "text",
    [
        f"{line()}\r\n",
        f"\ufeff{line()}",
        f"\n \t\n{line()}\n\n",
        f"\t{line()}  ",
        json.dumps(DOG, separators=(",", ":")),
        json.dumps(dict(reversed(DOG.items()))),
        line().replace("dog", "\\u0064og"),
    ],
    ids=["crlf", "bom", "blank lines", "indented", "dense", "order", "escapes"],
)
def test_same_graph_however_written(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.mrp"
    path.write_bytes(text.encode())
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(text.encode()))
    for found in (
        read_file(path).graphs,
        read_file(packed).graphs,
        read_text(text, "f.mrp").graphs,
    ):
        (graph,) = found
        plain = only(line())
        assert isinstance(graph, Graph)
        assert graph.identifier == plain.identifier
        assert graph.triples == plain.triples


def test_a_graph_may_be_empty() -> None:
    for text in (line(nodes=None, edges=None, tops=None), line(nodes=[], edges=[], tops=[])):
        graph = only(text)
        assert (dict(graph.variables), graph.triples, graph.tops) == ({}, (), ())


def test_null_is_nothing() -> None:
    node = {"id": 1, "label": None, "properties": None, "values": None, "anchors": None}
    edge = {"source": 1, "target": 1, "label": None, "normal": None, "attributes": None}
    graph = only(line(nodes=[node], edges=[edge], tops=None))
    assert graph.triples == (Triple("", (Variable("1"), Variable("1"))),)


def test_edges_of_version_0_9_call_their_attributes_properties() -> None:
    edge = {"source": 1, "target": 1, "label": "A", "properties": ["remote"], "values": [True]}
    graph = only(line(nodes=[{"id": 1}], edges=[edge], tops=None))
    ends = (Variable("1"), Variable("1"))
    assert graph.triples[1] == Triple("A", (*ends, Constant("remote"), Constant("true")))


def test_anchors_end_with_the_input() -> None:
    anchors = [{"from": 7, "to": 20}, {"from": 13, "to": 15}, {"from": 4, "to": 4}]
    graph = only(line(nodes=[{"id": 1, "anchors": anchors}], edges=None, tops=None))
    assert [
        [a.text for a in triple.arguments[1:] if isinstance(a, Constant)]
        for triple in graph.triples
    ] == [
        ["7", "13", "barks."],
        ["13", "13", ""],
        ["4", "4", ""],
    ]
    assert graph.notes == (
        "f.mrp:1: graph 1 (id eds/20001): 2 anchors end beyond the input, which has 13 characters; "
        "they were cut there",
    )
    one = only(line(nodes=[{"id": 1, "anchors": anchors[:1]}], edges=None, tops=None))
    assert "1 anchor ends beyond the input, which has 13 characters; it was cut" in one.notes[0]
    assert only(line()).notes == ()


def test_anchors_without_input_have_no_text() -> None:
    nodes = [{"id": 1, "anchors": [{"from": 70, "to": 71}]}]
    graph = only(line(nodes=nodes, edges=None, tops=None, input=None))
    assert graph.triples == (Triple(ANCHOR, (Variable("1"), Constant("70"), Constant("71"))),)
    assert graph.notes == (
        "f.mrp:1: graph 1 (id eds/20001): no input, though nodes have anchors (1); white space and "
        "punctuation in these count as characters",
    )
    assert (
        only(line(nodes=[{"id": 1, "anchors": []}], edges=None, tops=None, input=None)).notes == ()
    )


def test_characters_are_code_points_and_no_line_ends() -> None:
    nodes = [{"id": 1, "anchors": [{"from": 2, "to": 4}]}]
    graph = only(line(nodes=nodes, edges=None, tops=None, input="😀 \u2028é"))
    assert graph.triples[0].arguments[3] == Constant("\u2028é")


def node(**members: Any) -> str:
    return line(nodes=[{"id": 1}, {"id": 2, **members}], edges=None, tops=None)


def edge(**members: Any) -> str:
    members = {"source": 1, "target": 1, "label": "A", **members}
    return line(nodes=[{"id": 1}], edges=[members], tops=None)


#: Lines that hold no graph one can use, and what is said of them.
BAD = {
    "(a / alpha)": "not JSON (Expecting value); each graph takes one line",
    "# a comment": "not JSON (Expecting value); each graph takes one line",
    line()[:-1]: "not JSON (Expecting ',' delimiter); each graph takes one line",
    line() + line(): "not JSON (Extra data); each graph takes one line",
    line(flavor=float("nan")): "NaN is not a JSON number",
    node(properties=["x"], values=[float("-inf")]): "-Infinity is not a JSON number",
    line(time=1).replace('"time": 1', '"time": 1e400'): "1e400 is too large a number",
    line().replace('"flavor"', '"id"'): 'key "id" occurs twice',
    node(label="x").replace('"label": "x"', '"label": "x", "label": "y"'): (
        'nodes[1]: key "label" occurs twice'
    ),
    node(anchors=[{"from": 1, "to": 2}]).replace('"to"', '"from": 3, "to"'): (
        'nodes[1].anchors[0]: key "from" occurs twice'
    ),
    '{"id": 1, "a": {"b": 1, "b": 2}, "a": 3, "id": 1, "id": 2}': 'key "id" occurs twice',
    '{"id": "a\0"}': "not JSON (Invalid control character at); each graph takes one line",
    "[" * 100_000: "nested too deeply",
    f'{{"id": {"1" * 5000}}}': "a number with too many digits",
    "[]": "found [], expected an object with a graph",
    '"' + "x" * 50 + '"': f'found "{"x" * 36}..., expected an object with a graph',
    line(id=None): "no id",
    line(id=""): "no id",
    line(id="2\n0"): "a control character in its id or framework",
    line(framework="e\u2028ds"): "a control character in its id or framework",
    line(id=20001): "id is 20001, not a string",
    line(framework=None): "id 20001, but no framework",
    line(framework=["eds"]): 'framework is ["eds"], not a string',
    line(input=1): "input is 1, not a string",
    line(input="\ud83d"): 'input is "\\ud83d", which holds half a character (a surrogate)',
    line(nodes={}): "nodes is {}, not an array",
    line(nodes=[5]): "nodes[0]: found 5, expected an object",
    line(nodes=[{"label": "x"}]): "nodes[0]: no id",
    node(id="2"): 'nodes[1]: id is "2", not an integer',
    node(id=True): "nodes[1]: id is true, not an integer",
    node(id=2.0): "nodes[1]: id is 2.0, not an integer",
    node(id=1): "nodes[1]: its id 1 is that of another node",
    node(label=[5]): "nodes[1]: label is [5], not a string, number or truth value",
    node(properties="x"): 'nodes[1]: properties is "x", not an array',
    node(properties=["x"]): "nodes[1]: 1 properties, but 0 values",
    node(values=["x"]): "nodes[1]: 0 properties, but 1 values",
    node(properties=["x", "y"], values=[1]): "nodes[1]: 2 properties, but 1 values",
    node(
        properties=[None], values=[1]
    ): "nodes[1]: a name is null, not a string, number or truth value",
    node(properties=["x"], values=[None]): (
        "nodes[1]: a value is null, not a string, number or truth value"
    ),
    node(properties=["x"], values=[["y"]]): (
        'nodes[1]: a value is ["y"], not a string, number or truth value'
    ),
    node(properties=["x"], values=["\udc00"]): (
        'nodes[1]: a value is "\\udc00", which holds half a character (a surrogate)'
    ),
    node(properties=["/"], values=[1]): (
        "nodes[1]: a property is called '/', a name with another meaning here"
    ),
    node(properties=["<:>"], values=[1]): (
        "nodes[1]: a property is called '<:>', a name with another meaning here"
    ),
    node(anchors={"from": 0, "to": 1}): 'nodes[1]: anchors is {"from": 0, "to": 1}, not an array',
    node(anchors=[[0, 1]]): "nodes[1].anchors[0]: found [0, 1], expected an object",
    node(anchors=[{"#": 1}]): "nodes[1].anchors[0]: no from",
    node(anchors=[{"from": 1}]): "nodes[1].anchors[0]: no to",
    node(anchors=[{"from": 1, "to": "2"}]): 'nodes[1].anchors[0]: to is "2", not an integer',
    node(anchors=[{"from": 2, "to": 1}]): "nodes[1].anchors[0]: from 2 to 1 is no interval",
    node(anchors=[{"from": -1, "to": 1}]): "nodes[1].anchors[0]: from -1 to 1 is no interval",
    node(anchors=[{"from": 0, "to": 1}, {"from": 14, "to": 15}]): (
        "nodes[1].anchors[1]: it starts at 14, but the input has 13 characters"
    ),
    line(edges="none"): 'edges is "none", not an array',
    line(edges=[None]): "edges[0]: found null, expected an object",
    edge(source=None): "edges[0]: no source",
    edge(target="1"): 'edges[0]: target is "1", not an integer',
    edge(source=5): "edges[0]: source is 5, but there is no node 5",
    edge(target=-1): "edges[0]: target is -1, but there is no node -1",
    edge(label={}): "edges[0]: label is {}, not a string, number or truth value",
    edge(normal=[]): "edges[0]: normal is [], not a string, number or truth value",
    edge(attributes=["remote"]): "edges[0]: 1 attributes, but 0 values",
    edge(properties=["remote"], values=[]): "edges[0]: 1 properties, but 0 values",
    edge(attributes=["remote"], values=[{}]): (
        "edges[0]: a value is {}, not a string, number or truth value"
    ),
    line(tops=7): "tops is 7, not an array",
    line(tops=["7"]): 'a top is "7", not an integer',
    line(tops=[7, 8]): "a top is 8, but there is no node 8",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_bad_graph_is_named_with_its_place(text: str) -> None:
    first, error, last = graphs(f"{line()}\n\n{text}\n{line()}")
    assert isinstance(first, Graph) and isinstance(last, Graph)
    assert isinstance(error, GraphError)
    assert error.reason == BAD[text]
    assert (error.source, error.line, error.number) == ("f.mrp", 3, 2)


def test_what_is_no_json_is_shown() -> None:
    (error,) = graphs('{"id": "20001", nodes: []}')
    assert str(error) == (
        "f.mrp:1: graph 1: not JSON (Expecting property name enclosed in double quotes); "
        "each graph takes one line\n"
        '    {"id": "20001", nodes: []}\n'
        "                    ^"
    )


def test_what_is_no_number_is_shown() -> None:
    text = '{"id": "NaN \\" NaN", "flavor": NaN}'
    (error,) = graphs(text)
    assert isinstance(error, GraphError)
    assert (error.text, error.column) == (text, text.rindex("NaN"))
    (error,) = graphs(f'{{"flavor": {"1" * 5000}.0}}')
    assert isinstance(error, GraphError)
    assert error.reason == f"{'1' * 37}... is too large a number"


def test_nesting_that_is_too_deep_is_an_error_at_any_depth() -> None:
    """This also holds if Python can read the nesting, but not write it in a message."""
    for depth in (*range(800, 1010), 100_000):
        for text in (f"[{'[' * depth}{']' * depth}]", f'{{"id": {"[" * depth}{"]" * depth}}}'):
            (error,) = graphs(text)
            assert isinstance(error, GraphError)


def test_errors_name_the_graph_once_it_is_known() -> None:
    (error,) = graphs(line(tops=[8]))
    assert str(error) == ("f.mrp:1: graph 1 (id eds/20001): a top is 8, but there is no node 8")
    (error,) = graphs(line(framework=None))
    assert isinstance(error, GraphError) and error.identifier is None


def test_graphs_of_mrp_in_other_encodings_are_errors() -> None:
    (error,) = graphs(line().encode("utf-8").replace(b"dog", b"d\xf6g"))
    assert isinstance(error, GraphError)
    assert error.reason == "byte 0xf6 is not UTF-8; convert the file to UTF-8"


def test_a_file_without_graphs_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.mrp"
    path.write_bytes(b"\n \n")
    with pytest.raises(InputError, match=r"x\.mrp: holds no graph"):
        read_file(path)
    with pytest.raises(InputError, match="<text>: holds no graph"):
        read_text("", "<text>")
    with pytest.raises(InputError, match="No such file"):
        read_file(tmp_path / "y.mrp")


#: Literal values and the strings that they are equivalent to (Oepen et al. 2019, Section 4).
LITERALS = [(42, "42"), (-1.5, "-1.5"), (True, "TRUE"), (False, "false"), (0, "0")]


@pytest.mark.parametrize("value, text", LITERALS)
def test_literal_values_are_equal_to_strings(value: Any, text: str) -> None:
    def content(literal: Any) -> str:
        nodes = [{"id": 1, "label": literal, "properties": [literal], "values": [literal]}]
        edges = [
            {"source": 1, "target": 1, "label": literal, "attributes": [literal], "values": [7]}
        ]
        return line(nodes=nodes, edges=edges, tops=[1], input=None)

    score = exactmatch.best_mapping(content(value), content(text), metric="mrp", tuples="all")
    assert (score.matched, score.system_total) == (score.gold_total, score.gold_total)
    assert score.gold_total == 5  # top, label, property, edge, attribute
    other = exactmatch.best_mapping(content(value), content("x"), metric="mrp", tuples="all")
    assert other.matched == 1  # the top
