"""The reader of DRS clauses: accepted input, and messages for the rest."""

import gzip
from pathlib import Path

import pytest
from whole_files import read_graphs

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.graph import CLAUSES, Constant, Graph, Triple, Variable
from exactmatch.graphs.readers import clauses
from exactmatch.graphs.readers.detect import read_file, read_text

PLAIN = """\
%%% made by some command --input a/b.tags
%%% Tom sleeps .
b1 REF x1          % Tom [0...3]
b1 Name x1 "tom"   % Tom [0...3]
b2 REF e1          % sleeps [4...10]
b2 Agent e1 x1     % sleeps [4...10]
b2 sleep "v.01" e1 % sleeps [4...10]
                   % . [10...11]
"""


def graphs(text: str | bytes) -> list[Graph | GraphError]:
    data = text.encode() if isinstance(text, str) else text
    return read_graphs(clauses, data, "f.clf")


def only(text: str | bytes) -> Graph:
    (graph,) = graphs(text)
    assert isinstance(graph, Graph), graph
    return graph


@pytest.mark.parametrize(
    ("comments", "sentence"),
    [
        ("%%% made by a command\n%%% I needed money .\n% I [0...1]\n", "I needed money ."),
        ("%%% I needed money .\n%%%\n                  % I [0...1]\n", "I needed money ."),
        ("%%% ::id p.1\n%%% I needed money .\n% ø [0-1]\n", "I needed money ."),
        ("%%% made by a command\n%%% std::vector is :: odd .\n", "std::vector is :: odd ."),
        ("% I needed money .\n", "I needed money ."),
        ("% made by hand\n% I needed money .\n% I [0...1]\n% needed [2...8]\n", "I needed money ."),
        ("% I needed money [sic]\n", "I needed money [sic]"),
        ("% I [0...1]\n", ""),
        ("", ""),
    ],
)
def test_no_comment_of_a_token_takes_the_place_of_the_sentence(
    comments: str, sentence: str
) -> None:
    assert only(comments + "b1 REF x1\n").metadata.remark == sentence  # type: ignore[attr-defined]


def test_a_drs_is_read() -> None:
    graph = only(PLAIN)
    assert graph.identifier is None
    assert graph.variables == {"b1": "b", "x1": "x", "b2": "b", "e1": "x"}
    assert list(graph.variables) == ["b1", "x1", "b2", "e1"]
    assert graph.tops == ()
    assert graph.location == ("f.clf", 3)
    b1, x1, b2, e1 = map(Variable, graph.variables)
    assert graph.triples == (
        Triple("REF", (b1, x1)),
        Triple("Name", (b1, x1, Constant('"tom"'))),
        Triple("REF", (b2, e1)),
        Triple("Agent", (b2, e1, x1)),
        Triple("sleep", (b2, Constant('"v.01"'), e1)),
    )


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace(" ", "\t"),
        PLAIN.replace("b2 REF", "% in between\n   % and again\nb2 REF"),
        PLAIN.replace("                   % .", "% ."),
        "% a file of DRSs\n\n" + PLAIN,
        PLAIN + " \n\t\n% at the end",
        PLAIN.replace("b1 REF x1 ", "  b1   REF x1"),
    ],
    ids=["crlf", "bom", "tabs", "comments", "flush", "head", "end", "blanks"],
)
def test_same_drs_however_written(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.clf"
    path.write_bytes(text.encode())
    (graph,) = read_file(path).graphs
    plain = only(PLAIN)
    assert isinstance(graph, Graph)
    assert (graph.variables, graph.triples) == (plain.variables, plain.triples)
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(text.encode()))
    (unpacked,) = read_file(packed).graphs
    assert isinstance(unpacked, Graph)
    assert unpacked.triples == plain.triples
    (same,) = read_text(text, "text").graphs
    assert isinstance(same, Graph)
    assert same.triples == plain.triples


def test_blank_lines_separate() -> None:
    found = graphs(f"{PLAIN}\n{PLAIN} \t\n{PLAIN}")
    assert [graph.location.line for graph in found if isinstance(graph, Graph)] == [3, 12, 21]


def test_an_identifier_can_be_given() -> None:
    assert only("%%% ::id p.1 ::snt Tom .\nb1 REF x1").identifier == "p.1"
    missing, graph = graphs("% ::id p.1\n\n% ::id p.2\nb1 REF x1\n")
    assert isinstance(missing, GraphError) and missing.identifier == "p.1"
    assert "without a clause" in missing.reason
    assert isinstance(graph, Graph) and graph.identifier == "p.2"


#: A clause, and the sorts of its variables: b1 is a box wherever it is.
SORTS = {
    "b1 REF y": "x",
    "b1 NOT y": "b",
    "b1 POS y": "b",
    "b1 NEC y": "b",
    "b1 DRS y": "b",
    "b1 PRESUPPOSITION y": "b",
    "b1 NEGATION y": "b",
    "b1 CONTINUATION y": "b",
    "b1 CONTINUATION y z": "bb",
    "b1 IMP y z": "bb",
    "b1 DIS y z": "bb",
    "b1 DUP y z": "bb",
    "b1 PRP y z": "xb",
    "b1 EQU y z": "xx",
    'b1 TPR "now" y': "x",
    'b1 EQU "a" "b"': "",
    "b1 SY1 y z": "xx",
    "b1 Agent y z": "xx",
    "b1 Co-Theme y z": "xx",
    'b1 PartOf "hearer" y': "x",
    'b1 Quantity y "%"': "x",
    'b1 Of "a" "b"': "",
    'b1 person "n.01" y': "x",
    'b1 USA "n.01" y': "x",
    'b1 Internet "n.01" y': "x",
    'b1 able "s.01" y': "x",
    'b1 18+½~o\'clock "n.12" y': "x",
    'b1 time "n.08" "now"': "",
    "b1 Agent y y": "x",
    "b1 NOT b1": "",
    "é1_ö Agent y z": "xx",
}


@pytest.mark.parametrize("clause", SORTS)
def test_clauses_tell_the_sorts_of_variables(clause: str) -> None:
    first, *others = only(clause).variables.values()
    assert (first, "".join(others)) == ("b", SORTS[clause])


#: What is wrong with a clause of the second line, the word in question, and what is said of it.
BAD = {
    "b1 REF": ("REF", "a clause has 3 or 4 words, not 2"),
    "b1": ("b1", "a clause has 3 or 4 words, not 1"),
    "b1 Agent e1 x1 x2": ("x2", "a clause has 3 or 4 words, not 5"),
    'b1 Name x1 "New York"': ('"New', "unmatched quotes; strings contain no blanks"),
    'b1 Name x1 "tom': ('"tom', "unmatched quotes"),
    'b1 Name x1 tom"': ('tom"', "unmatched quotes"),
    'b1 Name x1 "to"m"': ('"to"m"', "unmatched quotes"),
    'b1 Name x1 "': ('"', "unmatched quotes"),
    "b1 REF x1 x2": ("REF", "a clause of REF has 3 words, not 4"),
    "b1 NOT b2 b3": ("NOT", "a clause of NOT has 3 words, not 4"),
    "b1 IMP b2": ("IMP", "a clause of IMP has 4 words, not 3"),
    "b1 EQU x1": ("EQU", "a clause of EQU has 4 words, not 3"),
    "b1 Agent e1": ("Agent", "a clause of Agent has 4 words, not 3"),
    "b1 CONTRAST": ("CONTRAST", "a clause has 3 or 4 words, not 2"),
    "b1 person x1": ("person", "person is no operator or role, and no sense of a concept follows"),
    "b1 person x1 x2": ("person", "no sense of a concept follows"),
    'b1 person "n01" x1': ("person", "no sense of a concept follows"),
    'b1 person "n.01"': ("person", "no sense of a concept follows"),
    "b1 agent e1 x1": ("agent", "no sense of a concept follows"),
    "b1 Ref9 x1 x2": ("Ref9", "no sense of a concept follows"),
    'b1 "REF" x1': ('"REF"', "no sense of a concept follows"),
    'b1 REF "x1"': ('"x1"', 'found "x1", expected a referent'),
    '"b1" REF x1': ('"b1"', 'found "b1", expected a box'),
    'b1 NOT "b2"': ('"b2"', 'found "b2", expected a box'),
    'b1 PRP "now" b2': ('"now"', 'found "now", expected a referent'),
    'b1 PRP p1 "now"': ('"now"', 'found "now", expected a box'),
    "b1 Agent e1 'now'": ("'now'", "found 'now', expected a referent or a string"),
    "b1 Quantity x1 18": ("18", "found 18, expected a referent or a string"),
    "b1 Agent e1 b1": ("b1", "b1 is a referent here, but a box before"),
    "b1 Agent e1 b0": ("b0", "b0 is a referent here, but a box before"),
    "x0 REF x1": ("x0", "x0 is a box here, but a referent before"),
    "b1 NOT x0": ("x0", "x0 is a box here, but a referent before"),
}


@pytest.mark.parametrize("clause", BAD)
def test_bad_clause_is_named_with_its_place(clause: str) -> None:
    good = "% ::id p.1\nb1 REF x1\n\n"
    text = f"{good}% ::id p.2\nb0 REF x0\n% between\n  {clause}  % why\n\n{good.replace('1', '3')}"
    first, error, last = graphs(text)
    assert isinstance(first, Graph) and isinstance(last, Graph)
    assert isinstance(error, GraphError)
    word, reason = BAD[clause]
    head, shown, caret = str(error).splitlines()
    assert head.startswith("f.clf:7: graph 2 (id p.2): ") and reason in head
    assert shown == f"      {clause}  % why"
    assert caret.index("^") == shown.rindex(f" {word} ") + 1


def test_clauses_in_other_encodings_are_errors() -> None:
    text = 'b1 REF x1\n\nb1 Name x1 "caf\xe9"'
    _, error = graphs(text.encode("latin-1"))
    assert isinstance(error, GraphError)
    assert (error.line, "0xe9" in error.reason) == (3, True)
    (error,) = graphs("b1 REF x1".encode("utf-16-le"))
    assert isinstance(error, GraphError) and "NUL" in error.reason


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    empty = tmp_path / "empty.clf"
    empty.write_bytes(b"\n% nothing\n \n")
    for path, reason in [(empty, "holds no graph"), (tmp_path / "missing.clf", "No such file")]:
        with pytest.raises(InputError, match=reason):
            read_file(path)
    with pytest.raises(InputError, match="text: holds no graph"):
        read_text("", "text")


@pytest.mark.parametrize(
    "line", ["# :: snt1", "# ::id x", "# a comment", "#", "A title", "The (a / b)"]
)
@pytest.mark.parametrize("end", ["", "%%% a comment\n"])
def test_a_line_of_another_format_costs_one_drs(line: str, end: str) -> None:
    drs = 'b1 REF x1 % Tom\nb1 male "n.02" x1\n'
    file = read_text(f"{line}\n{end}{drs}\n{drs}", "f")
    assert file.format == CLAUSES
    error, good = file.graphs
    assert isinstance(error, GraphError) and error.line == 1
    assert isinstance(good, Graph) and len(good.triples) == 2


@pytest.mark.parametrize(
    "line", ["# :: snt1", "# sentence level graph:", "x.n.01 y.n.01", "(a / b)"]
)
def test_clauses_decide_before_lines_of_another_format(line: str) -> None:
    drs = 'b1 male "n.02" x1\nb1 REF x1'
    file = read_text(f"{drs}\n\n{line}\n\n{drs}", "f")
    assert file.format == CLAUSES
    first, error, last = file.graphs
    assert isinstance(first, Graph) and isinstance(last, Graph) and first.triples == last.triples
    assert isinstance(error, GraphError) and error.line == 4
