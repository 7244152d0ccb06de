"""Chinese AMR, as text and as a table."""

from pathlib import Path

import pytest

import exactmatch
from exactmatch.graphs.camr_places import places, words_by_place
from exactmatch.graphs.graph import CAMR, CONCEPT, Constant, Graph, Triple, Variable
from exactmatch.graphs.readers import source
from exactmatch.graphs.readers.detect import cut_texts, parse, plain_text, read_text
from exactmatch.graphs.readers.recognition import recognise
from exactmatch.scoring.validity.checks import faults

CAMRS = Path(__file__).resolve().parents[2] / "instances" / "camr"
CHINESE = (
    "句子编号\t节点编号1\t概念1\t同指节点1\t关系\t关系编号\t关系对齐词\t"
    "节点编号2\t概念2\t同指节点2\n"
)
ENGLISH = "sid\tnid1\tconcept1\tcoref1\trel\trid\tralign\tnid2\tconcept2\tcoref2\n"
WIDS = "# ::id export_amr.5\n# ::wid x1_他 x2_把 x3_门 x4_关上 x5_了\n"
TEXT = "(x4 / 关上-01 :arg0() (x1 / 他) :arg1(x2/把) (x3 / 门) :aspect() (x5 / 了))\n"


def table(*rows: str, header: str = "") -> str:
    """Return a table whose rows have blanks between columns."""
    return header + "".join("\t".join(row.split()) + "\n" for row in rows)


ROWS = (
    "5 x0 root - :top - - x4 关上-01 -",
    "5 x4 关上-01 - :arg0 - - x1 他 -",
    "5 x4 关上-01 - :arg1 x2 把 x3 门 -",
    "5 x4 关上-01 - :aspect - - x5 了 -",
)


def read(text: str) -> list[Graph]:
    found = read_text(text, "x")
    assert found.format == CAMR
    graphs = [graph for graph in found.graphs if isinstance(graph, Graph)]
    assert len(graphs) == len(found.graphs), found.graphs
    return graphs


def one(text: str) -> Graph:
    (graph,) = read(text)
    return graph


def error(text: str) -> str:
    (found,) = read_text(text, "x").graphs
    assert isinstance(found, exactmatch.GraphError)
    return str(found)


def content(graph: Graph) -> tuple[object, ...]:
    """Return what two notations of one graph have in common."""
    return graph.identifier, graph.tops, sorted(graph.variables), sorted(graph.triples)


def related(graph: Graph) -> list[tuple[str, str, str, str]]:
    """Return relations as source, name, target and word."""
    return [
        (str(ends[0][0]), name, ends[1][0], word)
        for name, ends, (word, _) in graph.triples
        if name != CONCEPT
    ]


def concepts(graph: Graph) -> dict[str, str]:
    return {t.arguments[0][0]: t.arguments[1][0] for t in graph.triples if t.relation == CONCEPT}


def test_a_graph_of_the_text_form() -> None:
    graph = one(WIDS + TEXT)
    x4, x3 = Variable("x4"), Variable("x3")
    assert (graph.identifier, graph.tops, graph.location.line) == ("5", ("x4",), 3)
    assert list(graph.variables) == ["x4", "x1", "x3", "x5"]
    assert graph.triples[0] == Triple(CONCEPT, (x4, Constant("关上-01")))
    assert Triple("arg1", (x4, x3), ("x2/把", "")) in graph.triples
    assert related(graph) == [
        ("x4", "arg0", "x1", ""),
        ("x4", "arg1", "x3", "x2/把"),
        ("x4", "aspect", "x5", ""),
    ]


@pytest.mark.parametrize(
    "header",
    [CHINESE, ENGLISH, CHINESE + ENGLISH, f"{CHINESE}{ENGLISH}\n", f"{CHINESE}\n{ENGLISH}\n", ""],
)
def test_a_table_is_the_same_graph(header: str) -> None:
    written = table(*ROWS, header=header)
    assert content(one(written)) == content(one(WIDS + TEXT))
    assert one(written).location.line == header.count("\n") + 1
    crlf = one(written.replace("\n", "\r\n"))
    assert content(crlf) == content(one(written))


def test_both_notations_of_the_example_files() -> None:
    text, rows = ((CAMRS / f"gold.{kind}").read_text("utf-8") for kind in ("camr", "tuples"))
    assert [content(graph) for graph in read(text)] == [content(graph) for graph in read(rows)]


@pytest.mark.parametrize(
    "text",
    [
        "(x1 / 他\n  :mod() (x2 / 好))\n",
        "(x1 / 他\n  :mod(x3/的) (x2 / 好))\n",
        "(x1 / 他\n\n",
        "# ::wid x1_他\n(x1 / 他)\n",
    ],
)
def test_chinese_amr_is_recognised(text: str) -> None:
    is_chinese = "()" in text or "(x3" in text or "wid" in text
    assert (recognise(text.encode().splitlines()) == CAMR) == is_chinese
    plain = plain_text(text, "x")
    assert (plain is None) == is_chinese


@pytest.mark.parametrize(
    "text",
    [
        "(x1 / sing-01 :ARG0(x2 / boy) :ARG1(x3 / song))",
        "(x1 / sing-01\n  :ARG0 (x2 / boy))",
        '(x1 / say-01 :ARG1 "a :b() c")',
        "(s / sing-01 :ARG0(x2 / boy\n :mod (x4 / tall)))",
    ],
)
def test_penman_is_no_chinese_amr(text: str) -> None:
    assert recognise(text.encode().splitlines()) == "PENMAN"
    assert exactmatch.score(text, text).f1 == 1.0


def test_a_role_without_parentheses_and_a_concept_in_pieces() -> None:
    graph = one(WIDS + '(x4/关 上-01\n:arg0 (x1 / "他 :或 (我)")\n:arg1() x1 :mod() x9)\n')
    assert concepts(graph) == {"x4": "关上-01", "x1": "他 :或 (我)"}
    assert related(graph)[1:] == [("x4", "arg1", "x1", ""), ("x4", "mod", "x9", "")]
    assert graph.triples[-1].arguments[1] == Constant("x9")
    assert [fault.kind for fault in faults(graph, 1)] == ["undeclared"]


def test_the_parts_of_a_name_are_its_concept() -> None:
    graph = one("(x9 / city :name() (x1_x2 / name :op1 x1/新 :op2 x2/华门 :mod() (x3 / 大)))")
    assert concepts(graph) == {"x9": "city", "x1_x2": "新华门", "x3": "大"}
    assert related(graph) == [("x9", "name", "x1_x2", ""), ("x1_x2", "mod", "x3", "")]


def test_a_node_that_stands_for_another_has_its_words_as_concept() -> None:
    wid = "# ::wid x1_小明 x2_爱 x3_他自己\n"
    body = "(x2 / 爱-01 :arg0() (x1 / 小明) :arg1() (x3_1 / x1) :arg2() (x7 / x1))"
    graph = one(wid + body)
    assert concepts(graph)["x3_1"] == "他"
    assert concepts(graph)["x7"] == "x1", "no word of the sentence"
    assert ("x3_1", "coref", "x1", "") in related(graph)


def test_coreference_in_a_table_is_a_relation_once() -> None:
    rows = ("1 x2 爱-01 - :arg1 - - x3 他 x1", "1 x2 爱-01 - :arg0 - - x1 小明 -")
    again = "1 x3 他 x1 :mod - - x1 小明 -"
    assert related(one(table(*rows, again))) == [
        ("x3", "coref", "x1", ""),
        ("x2", "arg1", "x3", ""),
        ("x2", "arg0", "x1", ""),
        ("x3", "mod", "x1", ""),
    ]


def test_another_concept_is_another_node_each_time() -> None:
    """The program makes a new node for each mention, unless it has the first concept."""
    rows = (
        "1 x1 一 - :mod - - x2 好 -",
        "1 x1 全 - :mod - - x2 好 -",
        "1 x1 全 - :mod - - x2 好 -",
        "1 x1 一 - :time - - x2 好 -",
    )
    graph = one(table(*rows))
    assert concepts(graph) == {"x1": "一", "x2": "好", "xx1": "全", "xxx1": "全"}
    assert [source for source, *_ in related(graph)] == ["x1", "xx1", "xxx1", "x1"]
    assert graph.notes == ("x:2: graph 1 (id 1): x1 is 一, and 全 here: read as another node",)


def test_rows_without_a_relation_or_a_second_node() -> None:
    rows = ("1 x1 他 - - - - x1 他 -", "1 x2 来-01 - :arg0 - - - - -", "1 - - - - - - x3 了 -")
    graph = one(table(*rows))
    assert (concepts(graph), related(graph)) == ({"x1": "他", "x2": "来-01", "x3": "了"}, [])
    worded = one(table("1 x2 来-01 - - x4 的 x1 他 -"))
    assert related(worded) == [("x2", "", "x1", "x4/的")]
    assert exactmatch.score(*[table("1 x2 来-01 - - x4 的 x1 他 -")] * 2).system_total == 2


def test_an_empty_cell_is_nothing_and_an_empty_concept_is_told() -> None:
    text = "1\tx1\t\t\t:mod\t-\t-\tx2\t-\t\n"
    graph = one(text)
    assert concepts(graph) == {"x1": "", "x2": "-"}
    assert graph.notes == ("x:1: graph 1 (id 1): x1 has no concept",)


def test_sentences_without_an_empty_line_between_and_headers_in_between() -> None:
    other = "6 x0 root - :top - - x1 好 -"
    graphs = read(table(*ROWS, other, "# 好", other.replace("6 ", "7 ")) + ENGLISH + table(ROWS[1]))
    places = [(graph.identifier, graph.location.line) for graph in graphs]
    assert places == [("5", 1), ("6", 5), ("7", 7), ("5", 9)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("name", ["gold.camr", "gold.tuples"])
def test_texts_hold_what_whole_files_hold_wherever_they_are_cut(name: str, end: str) -> None:
    text = (CAMRS / name).read_text("utf-8")
    data = f"\ufeff{text.replace(chr(10), end)}".encode()
    whole = read(text)
    for size in (1, 2, 7, 64, len(data)):
        pieces = (data[start : start + size] for start in range(0, len(data), size))
        texts = [*cut_texts(source._text_chunks(pieces), "x").texts]
        assert [parse(one) for one in texts] == whole
        assert [one.identifier for one in texts] == ["1", "2", "3"]


def test_errors_have_their_place() -> None:
    assert error(table(ROWS[0], "5 x4 关上 - :mod")).startswith(
        "x:2: graph 1 (id 5): found 5 columns, expected 10"
    )
    assert "x:1: graph 1 (id 5): a row without a node" in error("5\t-" + "\t-" * 8 + "\n" + ENGLISH)


@pytest.mark.parametrize(
    ("body", "reason", "line"),
    [
        ("(x1 / 他 :mod() (x2 / 好)", "this parenthesis is not closed", 3),
        ("(x1 / 他\n :mod() )", ":mod has no value", 4),
        ("(x1 :mod() x2)", "found 'mod', expected /", 3),
        ("(x1 / :mod() x2)", "x1 has no concept", 3),
        ("(/ 他)", "found '/', expected the identifier of a node", 3),
        ("(x1 / 他\n :mod(x2) x1)", "found '(x2)', expected a place and a word: (x4/把)", 4),
        ("(x1 / 他) :mod", "text after the graph", 3),
        ("(x1 / 他 (x2 / 好))", "found '(', expected a role or )", 3),
        ("(", "the graph ends here, expected the identifier of a node", 3),
    ],
)
def test_errors_of_the_text_form(body: str, reason: str, line: int) -> None:
    assert error(f"{WIDS}{body}\n").startswith(f"x:{line}: graph 1 (id 5): {reason}\n")


def test_faults_are_found(tmp_path: Path) -> None:
    rows = ("1 x1 一 - :mod - - x2 好 -", "1 x1 全 - :mod - - x2 好 -", "1 x3 大 - - - - x3 大 -")
    other = "2 x1 一 - :mod - - x2 好 -"
    path = tmp_path / "a.tuples"
    path.write_text(table(*rows, other, other, rows[0]), encoding="utf-8")
    (file,) = exactmatch.check(path).files
    assert file.counts["no-top"] == 3
    faults = [fault for fault in file.faults if fault.kind != "no-top"]
    assert [(fault.kind, fault.line) for fault in faults] == [
        ("disconnected", 1),
        ("several-concepts", 2),
        ("duplicate", 5),
        ("identifier-twice", 6),
    ]


def test_a_graph_goes_to_networkx_and_back() -> None:
    graph = one(WIDS + TEXT)
    assert exactmatch.from_networkx(exactmatch.to_networkx(graph)).triples == graph.triples


@pytest.mark.parametrize(
    ("identifier", "found"),
    [
        ("x3", ["3"]),
        ("xx3", ["3"]),
        ("x1_x2", ["1", "2"]),
        ("x1_2", ["1.2"]),
        ("x1_2_3", ["1.2", "1.3"]),
        ("x1_x2_3", ["1", "2.3"]),
        ("x1_2_x3", ["1.2", "3"]),
        ("b", []),
        ("x", []),
        ("x" + "9" * 5000, []),
    ],
)
def test_places_in_identifiers(identifier: str, found: list[str]) -> None:
    assert places(identifier) == found


def test_words_of_the_comment() -> None:
    assert words_by_place({"wid": "x1_a_b x2_ 3_c"}) == {1: "a_b", 2: ""}
    assert words_by_place({}) == {}
