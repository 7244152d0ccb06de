"""The PENMAN reader: accepted input, and messages for the rest."""

import gzip
import pickle
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import penman
import pytest
from nightly import by_day
from seeds import cases
from whole_files import read_graphs

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.graph import Constant, Graph, Triple, Variable
from exactmatch.graphs.readers import penman as reader
from exactmatch.graphs.readers.detect import read_file, read_text
from exactmatch.graphs.readers.penman import from_penman
from exactmatch.metrics.smatch import Smatch

PLAIN = "# ::id x.1 ::date 2020\n# ::snt A dog barks.\n(b / bark-01\n      :ARG0 (d / dog))\n"


def graphs(text: str | bytes) -> list[Graph | GraphError]:
    data = text.encode() if isinstance(text, str) else text
    return read_graphs(reader, data, "f.amr")


def only(text: str | bytes) -> Graph:
    (graph,) = graphs(text)
    assert isinstance(graph, Graph), graph
    return graph


def test_a_graph_in_penman_is_read() -> None:
    graph = only(PLAIN)
    assert graph.identifier == "x.1"
    assert list(graph.variables) == ["b", "d"]
    assert graph.tops == ("b",)
    assert graph.location == ("f.amr", 3)
    assert graph.triples == (
        Triple("/", (Variable("b"), Constant("bark-01"))),
        Triple("ARG0", (Variable("b"), Variable("d"))),
        Triple("/", (Variable("d"), Constant("dog"))),
    )


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace("::id ", "::id\t").replace("::date ", "::date\t"),
        PLAIN.replace("      ", "\t"),
        PLAIN.replace(":ARG0", "# in the middle (\n   # ::id another\n:ARG0"),
        "# AMR release; corpus: x\n\n" + PLAIN,
        PLAIN + "# after it\n\n\n# at the end\n",
        PLAIN.replace("))", ")) # behind it ("),
        PLAIN.replace("bark-01", "bark-01 # inside )"),
        PLAIN.replace("(d / dog)", "\n(d/dog)"),
        PLAIN.replace("))", "))\u00a0"),
    ],
    ids=[
        "crlf",
        "bom",
        "tabs in comments",
        "tabs",
        "comments",
        "release header",
        "after",
        "behind",
        "inside",
        "line ends",
        "no-break space",
    ],
)
def test_same_graph_however_written(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.amr"
    path.write_bytes(text.encode())
    (graph,) = read_file(path).graphs
    plain = only(PLAIN)
    assert isinstance(graph, Graph)
    assert (graph.identifier, graph.triples) == (plain.identifier, plain.triples)
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(text.encode()))
    (unpacked,) = read_file(packed).graphs
    assert isinstance(unpacked, Graph)
    assert unpacked.triples == plain.triples


def test_alignment_marks_are_kept_apart() -> None:
    graph = only('(a / alpha~e.1 :op1~e.2,3 "x~e.4 y"~5 :mod~e.6 a~e.7)')
    assert graph.triples == (
        Triple("/", (Variable("a"), Constant("alpha")), ("", "~e.1")),
        Triple("op1", (Variable("a"), Constant('"x~e.4 y"')), ("~e.2,3", "~5")),
        Triple("mod", (Variable("a"), Variable("a")), ("~e.6", "~e.7")),
    )


def test_strings_are_no_variables_and_may_hold_anything() -> None:
    graph = only('(a / alpha :op1 "a" :op2 "(b / :c # \\" \u2028 d" :op3 b :op4 "")')
    values = [triple.arguments[1] for triple in graph.triples[1:]]
    assert values == [
        Constant('"a"'),
        Constant('"(b / :c # \\" \u2028 d"'),
        Constant("b"),
        Constant('""'),
    ]


def test_metadata_without_value_names_nothing() -> None:
    assert only("# ::id ::snt x\n(a / alpha)").identifier is None
    assert only("# ::id ::snt\n(a / alpha)").identifier is None
    assert only("# ::id\n(a / alpha)").identifier is None
    assert only("# ::date 1 ::id  x y\t::snt z ::\n(a / alpha)").identifier == "x y"


def test_errors_can_be_pickled() -> None:
    (error,) = graphs("# ::id 1\n(a / alpha :x")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_header_apart_from_its_graph() -> None:
    assert only("# ::id x.1\n\n(a / alpha)").identifier == "x.1"


def test_a_header_without_a_graph_is_an_error() -> None:
    missing, graph = graphs("# ::id x.1\n\n# ::id x.2\n(a / alpha)\n")
    assert isinstance(missing, GraphError) and missing.identifier == "x.1"
    assert isinstance(graph, Graph) and graph.identifier == "x.2"
    (last,) = graphs("# ::id x.3\n")
    assert isinstance(last, GraphError) and "without a graph" in last.reason


BAD = {
    "(a / alpha": (1, "this parenthesis is not closed"),
    "(a / alpha :ARG0 (b / beta)": (1, "this parenthesis is not closed"),
    "(a / alpha))": (1, "this parenthesis closes nothing"),
    "(a / alpha)\n (b / beta)": (2, "text after the end of the graph"),
    "(a / alpha)\n\xa0\n(b / beta)": (
        3,
        "empty line (line 6 only looks empty: it holds '\\u00a0')",
    ),
    "(a / al pha)": (1, "found 'pha'"),
    "(a / alpha\n  :ARG0 (b))": (2, "variable b has no concept"),
    "(a / )": (1, "variable a has no concept"),
    "(a :ARG0 (b / beta))": (1, "variable a has no concept"),
    "( <pointer:0> boy )": (
        1,
        "variable <pointer has no concept; <pointer:N> is a variable in the linearised output of a "
        "parser",
    ),
    "(a / alpha :ARG0 (a / beta))": (1, "variable a is declared twice"),
    "(a / alpha\n # here\n :ARG0)": (3, "role :ARG0 has no value"),
    "(a / alpha :time 10:30)": (1, "role :30 has no value"),
    '(a / "alpha)': (1, "this quote is not closed"),
    '("a" / alpha)': (1, "found '\"'"),
    "alpha": (1, "expected '('; this line is neither a comment nor a graph"),
    "()": (1, "empty graph"),
    "(  \n )  # none": (1, "empty graph"),
    "(a / alpha :x ())": (1, "a variable is missing"),
    ")": (1, "expected '('"),
    "(a / alpha :x~e.0-of (b / beta))": (1, "a mark inside a role; write :x-of~e.0"),
    "(a / alpha :x~e.0-of b)": (1, "a mark inside a role; write :x-of~e.0"),
    "(a / b :x c :x": (1, "this parenthesis is not closed"),
}


@pytest.mark.parametrize("text", BAD)
def test_bad_graph_is_named_with_its_place(text: str) -> None:
    good = "# ::id x.1\n(a / alpha)\n\n"
    first, error, last = graphs(f"{good}# ::id x.2\n{text}\n\n{good.replace('x.1', 'x.3')}")
    assert isinstance(first, Graph) and isinstance(last, Graph)
    assert isinstance(error, GraphError)
    line, reason = BAD[text]
    assert str(error).startswith(f"f.amr:{4 + line}: graph 2 (id x.2): "), error
    assert reason in error.reason


@pytest.mark.slow
@pytest.mark.parametrize("levels", by_day([10_000, 100_000]))
def test_graphs_may_be_nested_deeply(levels: int) -> None:
    deep = "".join(f"(v{k} / x :y " for k in range(levels)) + "1" + ")" * levels
    graph = only(deep)
    assert len(graph.variables) == levels
    assert graph.triples[-1] == Triple("y", (Variable(f"v{levels - 1}"), Constant("1")))
    items = Smatch.profiles["default"].normalise(graph)
    assert len(items.triples) == 2 * levels + 1


def test_deep_graphs_need_no_stack() -> None:
    """A small stack, as threads have on some systems, is enough."""
    found: list[Graph | GraphError] = []
    text = "\n".join(f"(v{k} / x :y" for k in range(10_000)) + " 1" + ")" * 9_999
    size = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.extend(graphs(text)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    (error,) = found
    assert isinstance(error, GraphError)
    assert (error.line, error.column) == (1, 0)
    assert error.reason.startswith("this parenthesis is not closed")


def tree_edges(node: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the nodes and triples of a tree of the penman library, in order.

    Raises `ValueError` for a tree that is no graph: a variable without a concept or with two, a
    role without a value.
    """
    variable, branches = node
    if variable is None or not branches or branches[0][0] != "/":
        raise ValueError(f"{variable} has no concept")
    for role, target in branches:
        if target is None:
            raise ValueError(f"{role} has no value")
        yield variable, role, target if isinstance(target, str) else target[0]
        if not isinstance(target, str):
            yield from tree_edges(target)


def as_penman_reads(text: str) -> list[tuple[str, str, str]] | None:
    """Return the penman library's reading of a text, or None unless the text is one graph."""
    try:
        trees = list(penman.iterparse(text.split("\n")))
        (edges,) = (list(tree_edges(tree.node)) for tree in trees)
    except (penman.DecodeError, ValueError):
        return None
    declared = [source for source, role, _ in edges if role == "/"]
    return edges if len(set(declared)) == len(declared) else None


@pytest.mark.slow
def test_text_means_what_it_means_to_penman() -> None:
    """Graphs and rubbish, put together at random."""
    rng = random.Random("penman")
    parts = ["(", ")", "/", ":", '"', '\\"', "~", "~e.1", "~2,3", "\\", "\n", "\t", " ", "a", "c#b"]
    parts += ["(b / c", "(d/e~e.4)", ":x", " :ARG0-of", '"s t"', "-", ",", ":y~e.1 f", "\x0b", "é"]
    seen = {True: 0, False: 0}
    for _ in range(cases(3000)):
        text = "(a / b " + "".join(rng.choice(parts) for _ in range(rng.randrange(7))) + ")"
        if any(not line.strip() for line in text.split("\n")):
            continue  # an empty line ends a graph here, and nothing in penman
        expected = as_penman_reads(text)
        # Behind the end of its last graph, penman reads on only if another one begins.
        found = graphs(text)[0]
        seen[isinstance(found, Graph)] += 1
        if isinstance(found, GraphError):
            assert expected is None or "the end" in found.reason or "closes" in found.reason, text
            continue
        edges = [
            (
                triple.arguments[0][0],
                triple.relation if triple.relation == "/" else f":{triple.relation}",
                triple.arguments[1][0],
                triple.marks,
            )
            for triple in found.triples
        ]
        assert [(s, r + m[0], t + m[1]) for s, r, t, m in edges] == expected, text
    assert min(seen.values()) > cases(300)


def test_long_lines_are_shown_in_part() -> None:
    (error,) = graphs("(a / alpha " + ":op1 b " * 10_000 + ":c)")
    assert len(str(error)) < 400


def test_long_names_are_shown_in_part() -> None:
    name = "x" * 100_000
    for text in (name, f"({name} / a", f"({name} / a :y ({name} / a))", f"(a / b~{name})"):
        (error,) = graphs(f"# ::id \x1b[31m {name}\n{text}")
        assert len(str(error)) < 800
        assert "\x1b" not in str(error)
        assert error.identifier == f"\x1b[31m {name}"


@pytest.mark.parametrize("where", ["# ::snt caf\xe9\n(a / alpha)", "(a / alpha\n:op1 \xe9)"])
def test_latin_1_is_an_error_with_its_line(where: str) -> None:
    text = "(a / alpha)\n\n" + where
    _, error = graphs(text.encode("latin-1"))
    assert isinstance(error, GraphError)
    assert "0xe9" in error.reason
    assert error.line == 1 + text[: text.index("\xe9")].count("\n")


def test_hashes_in_strings_and_symbols_are_no_comments() -> None:
    graph = only('(a / alpha :op1 "b # c" :op2 d#e)')
    assert [triple.arguments[1] for triple in graph.triples[1:]] == [
        Constant('"b # c"'),
        Constant("d#e"),
    ]


def test_a_comment_never_swallows_a_value() -> None:
    (error,) = graphs("(a / alpha\n  :op1 #b\n  :op2 c)")
    assert isinstance(error, GraphError)
    assert (error.line, error.reason) == (2, "role :op1 has no value")


def test_other_encodings_are_named_and_shown_harmlessly() -> None:
    (error,) = graphs("(a / alpha)".encode("utf-16-le"))
    assert isinstance(error, GraphError) and "NUL" in error.reason
    (error,) = graphs("(a / \x1b[31m :x")
    assert "\x1b" not in str(error)


def test_files_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    empty = tmp_path / "empty.amr"
    empty.write_bytes(b"\n# nothing\n")
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(PLAIN.encode())[:-9])
    for path, reason in [
        (empty, "holds no graph"),
        (broken, "broken gzip file"),
        (tmp_path, "directory"),
        (tmp_path / "missing.amr", "No such file"),
    ]:
        with pytest.raises(InputError, match=reason) as caught:
            read_file(path)
        assert str(path) in str(caught.value)


def test_graphs_of_the_library_penman_are_taken() -> None:
    text = "(b / bark-01 :polarity - :ARG0 (d / dog :mod d))"
    (graph,) = read_text(text, "x").graphs
    converted = from_penman(penman.decode(text), "x", 1)
    assert isinstance(graph, Graph)
    assert set(converted.triples) == set(graph.triples)
    assert converted.tops == graph.tops
    two = penman.Graph([("b", ":instance", "bark-01"), ("b", ":instance", "dog")])
    with pytest.raises(GraphError, match="variable b has 2 concept"):
        from_penman(two, "x", 1)
    for bad, reason in [
        ("(b / bark-01 :ARG0 (d))", "variable d has no concept"),
        ("(b / bark-01 :polarity)", "role :polarity of variable b has no value"),
    ]:
        with pytest.raises(GraphError, match=reason):
            from_penman(penman.decode(bad), "x", 1)


@pytest.mark.parametrize("title", ["My own AMRs", "Some text of mine", "x1 REF x2", "Title: AMRs"])
@pytest.mark.parametrize("between", ["\n", "\n\n", "\n\n# ::id x.1\n"])
def test_a_line_of_text_before_graphs_is_told_as_such(title: str, between: str) -> None:
    error, *others = graphs(f"{title}{between}(a / alpha)\n\n(b / beta)\n")
    assert isinstance(error, GraphError)
    assert error.line == 1
    assert error.reason.endswith("this line is neither a comment nor a graph")
    assert all(isinstance(graph, Graph) for graph in others)
    assert len(others) == 1 + ("\n\n" in between)


@pytest.mark.parametrize("text", ["(n / #1 :x y)", "(n /#1 :x y) # end", "(n / #1\n# here\n :x y)"])
def test_a_concept_may_begin_with_a_hash(text: str) -> None:
    """Every variable has a concept, so this cannot be a comment."""
    (graph,) = graphs(text)
    assert isinstance(graph, Graph)
    assert [triple.arguments[1][0] for triple in graph.triples] == ["#1", "y"]


def test_a_comment_with_a_blank_is_no_concept() -> None:
    (graph,) = graphs("(n / # the concept\n number)")
    assert isinstance(graph, Graph)
    assert graph.triples[0].arguments[1] == Constant("number")


@pytest.mark.parametrize("before", ["", "# :: snt1\n\n# sentence level graph:\n"])
def test_the_line_of_an_error_is_quoted_in_full(before: str) -> None:
    """PENMAN and UMR remove comments differently."""
    (error,) = read_text(f"{before}(a / alpha :x y z # tail\n)", "f").graphs
    assert isinstance(error, GraphError)
    assert (error.text, error.column) == ("(a / alpha :x y z # tail", 16)
