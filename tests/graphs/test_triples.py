"""Graphs as lists of triples, in Python and in files."""

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import penman
import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.graph import PENMAN
from exactmatch.graphs.readers.detect import read_text
from exactmatch.graphs.readers.recognition import recognise

AMR = "(s / sing-01 :ARG0 (b / bird :mod (o / old)) :polarity -)"
TRIPLES = [
    ("ROOT", ":root", "s"),
    ("s", ":instance", "sing-01"),
    ("b", ":instance", "bird"),
    ("o", ":instance", "old"),
    ("s", ":ARG0", "b"),
    ("b", ":mod", "o"),
    ("s", ":polarity", "-"),
]

#: Two files of two graphs each, and what smatch++ 1.8 counts of their pairs, read by its TSVReader,
#: with its generic standardisation and ILP: 3 of 4 and 5, and 3 of 5 and 5.
ONE = """\
# first graph
x\ty\t:instance
w\tz\t:instance
x\tw\t:rel
root\tx\t:root

# second
m\tman\t:instance
r\trun-01\t:instance
r\tm\t:ARG0
r\t-\t:polarity
root\tr\t:root
"""
OTHER = """\
# first graph
a y :instance
b z :instance
a b :rel
b b :rel2
root b :root

# second
m man :instance
r Run-01 :instance
r m :ARG0
q go :instance
r q :ARG1
"""


def written(triples: Sequence[tuple[str, str, str]]) -> str:
    return "\n".join(f"{source}\t{target}\t{role}" for source, role, target in triples)


@pytest.mark.parametrize("given", [TRIPLES, [TRIPLES], (tuple(TRIPLES),), written(TRIPLES)])
def test_triples_are_the_graph_that_penman_notation_says(given: object) -> None:
    found = exactmatch.score(given, AMR)
    assert (found.f1, found.matched, found.pairs) == (1, 7, 1)
    best = exactmatch.best_mapping(AMR, given)
    assert dict(best.mapping) == {"s": "s", "b": "b", "o": "o"}


def test_roles_may_lack_their_colon_and_graphs_their_root() -> None:
    bare = [(source, role[1:], target) for source, role, target in TRIPLES[1:]]
    found = exactmatch.best_mapping(bare, AMR)
    assert (found.matched, found.system_total, found.gold_total) == (6, 6, 7)


def test_triples_of_the_penman_library_are_such() -> None:
    triples = penman.decode(AMR).triples
    found = exactmatch.best_mapping([(s, r, str(t)) for s, r, t in triples], AMR, top="none")
    assert found.f1 == 1


def test_files_of_triples_score_as_in_smatchpp(tmp_path: Path) -> None:
    one, other = tmp_path / "one.tsv", tmp_path / "other.tsv"
    one.write_text(ONE, encoding="utf-8")
    other.write_text(OTHER, encoding="utf-8")
    found = exactmatch.score(one, other, profile="smatchpp-1.8-generic")
    assert isinstance(found, exactmatch.CorpusScore)
    counts = [(pair.matched, pair.system_total, pair.gold_total) for pair in found.per_pair]
    assert counts == [(3, 4, 5), (3, 5, 5)]
    done = CliRunner().invoke(main, ["compare", str(one), str(other), str(one)])
    assert done.exit_code == 0, done.output
    assert CliRunner().invoke(main, ["check", str(one)]).output.startswith(f"{one}:4: graph 1: ")


#: A line of a source, a target and a role. Between the first two is a tab, or else spaces, which
#: may also be parts of them.
LINE = rb"[ \t]*[^\s(#%{\":][^\t]*[ \t][^\t]*[^\s][ \t]+:[A-Za-z][\w-]*\s*$"


def test_lines_of_triples_are_recognised_by_their_parts() -> None:
    rng = random.Random("triples")
    parts = (b"a", b"-", b"\xc3", b" ", b" ", b"\t", b"\v", b":", b"(", b'"', b" :r", b"\n")
    n_found = 0
    for _ in range(5000):
        line = b"a" + b"".join(rng.choices(parts, k=rng.randint(0, 8))) + b" :r\n"
        line = line[rng.randint(0, 1) :]
        n_found += (is_triple := recognise([line]) == "triples")
        assert is_triple == bool(re.match(LINE, line)), line
    assert 1000 < n_found < 4000


@pytest.mark.parametrize(
    ("line", "is_triple"),
    [
        (b"a%s:r" % (b" " * 1_000_000), False),
        (b"a%s\tb\tc :r" % (b" x" * 500_000), False),
        (b"a\tb%s :r" % (b" x" * 500_000), True),
    ],
    ids=["spaces", "two tabs", "target"],
)
def test_a_long_line_is_recognised_at_once(line: bytes, is_triple: bool) -> None:
    """Matched as a whole, a line takes as long as its length squared: here, an hour."""
    assert (recognise([line]) == "triples") == is_triple


def test_triples_go_with_graphs_in_penman_notation(tmp_path: Path) -> None:
    text = f"# ::id x.1\n{written(TRIPLES)}\n"
    file = tmp_path / "a.tsv"
    file.write_text(text, encoding="utf-8")
    (graph,) = read_text(text, "t").graphs
    assert isinstance(graph, exactmatch.Graph)
    assert (graph.format, graph.identifier, graph.tops) == (PENMAN, "x.1", ("s",))
    assert graph.location == ("t", 2)
    (pair,) = exactmatch.score_pairs(file, f"# ::id x.1\n{AMR}", pair_by="id")
    assert (pair.identifier, pair.f1) == ("x.1", 1)
    several = exactmatch.score([TRIPLES, AMR, penman.decode(AMR)], [AMR, TRIPLES, TRIPLES])
    assert isinstance(several, exactmatch.CorpusScore)
    assert (several.pairs, several.f1) == (3, 1)


@pytest.mark.parametrize(
    "given, message",
    [
        ([("a", "b")], "triple 1: ('a', 'b') is no source, role and target"),
        ([("a", ":instance", 5)], "triple 1: ('a', ':instance', 5) is no source"),
        ([], "no triples"),
        ([("a", ":ARG0", "b")], "triple 1: a has no concept"),
        ([("r", ":root", "a")], "triple 1: the root a has no concept"),
        (
            [("a", ":instance", "x"), ("a", ":instance", "y")],
            "triple 2: a has two concepts",
        ),
    ],
)
def test_what_is_no_list_of_triples(given: list[object], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        exactmatch.score([given], AMR)


@pytest.mark.parametrize(
    "wrong", [("s", ":quant", 3), ("s", ":ARG0", None), ("s", ":ARG0"), ["s", b":ARG0", b"b"]]
)
def test_a_list_with_one_wrong_triple_is_one_graph(wrong: object) -> None:
    given: list[Any] = [*TRIPLES, wrong]
    with pytest.raises(InputError, match=rf"graph 1: triple {len(given)}: .* is no source"):
        exactmatch.score(given, AMR)
    found = exactmatch.score(given, AMR, on_error="skip")
    assert isinstance(found, exactmatch.CorpusScore)
    assert (found.pairs, found.skipped) == (0, 1)


@pytest.mark.parametrize(
    "line, message",
    [
        ("a b", ":3: graph 1: 'a b' is no source, target and :role"),
        ("a\tb", ":3: graph 1: 'a\\tb' is no source"),
        ("a b ARG0", ":3: graph 1: 'a b ARG0' is no source, target and :role"),
        ("a\t\t:ARG0", ":3: graph 1: "),
        ("q b :ARG0", ":3: graph 1: q has no concept"),
        ("a c :instance", ":3: graph 1: a has two concepts"),
    ],
)
def test_what_is_no_line_of_triples(line: str, message: str) -> None:
    text = f"\na b :instance\n{line}\n\nd e :instance\n"
    with pytest.raises(InputError, match=re.escape(message)):
        exactmatch.score(text, text)
    found = exactmatch.score(text, text, on_error="skip")
    assert isinstance(found, exactmatch.CorpusScore)
    assert (found.pairs, found.skipped) == (1, 1)


@pytest.mark.parametrize(
    ("line", "is_triple"),
    [
        *((line, True) for line in (b"x\ty\t:r\n", b" x y :r-of", b"x New York  :r \r\n")),
        *((line, False) for line in (b"x :r", b"(x y :r", b"%x y :r", b"x\ty\tz :r", b"x y :r z")),
    ],
)
def test_a_line_of_triples_has_three_columns_of_which_the_last_is_a_role(
    line: bytes, is_triple: bool
) -> None:
    assert (recognise([line]) == "triples") == is_triple


#: A graph as `penman --triples` (penman 1.3.1) writes it, and its text.
CONJUNCTION = """\
instance(w, want-01) ^
ARG0(w, b) ^
instance(b, boy) ^
name(b, "a, b)^c") ^
polarity(w, -) ^
li(w, 3)"""
CONJOINED = '(w / want-01 :ARG0 (b / boy :name "a, b)^c") :polarity - :li 3)'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("", ""), (" ^\n", "^"), (" ^", " \u2227"), ("(w, ", "( w,"), ("(b, b", "(b,b")),
        *(("ARG0", ":ARG0"), ("\n", "\r\n"), ("^\n", "^\n# c\n")),
    ],
)
def test_conjunctions_are_the_graph_that_penman_notation_says(old: str, new: str) -> None:
    text = CONJUNCTION.replace(old, new)
    (found,) = exactmatch.loads(f"# ::id x\n{text}\n")
    (said,) = exactmatch.loads(CONJOINED)
    assert isinstance(found, exactmatch.Graph) and isinstance(said, exactmatch.Graph)
    assert (found.triples, found.tops, found.identifier) == (said.triples, ("w",), "x")
    assert (found.format, found.location.line) == (PENMAN, 2)


def test_conjunctions_of_the_penman_library_are_its_graphs() -> None:
    rng = random.Random("conjunctions")
    for _ in range(200):
        names = [f"x{number}" for number in range(rng.randint(1, 5))]
        lines = [f"({names[0]} / c0"]
        for number, name in enumerate(names[1:], start=1):
            lines.append(f":r{number}{rng.choice(['', '-of'])} ({name} / c{number} :op1 ")
            lines.append(rng.choice(['"a b"', "3", "-", '"x) ^ y(z, "', names[0]]))
        text = " ".join(lines) + ")" * len(names)
        conjunction = penman.format_triples(penman.decode(text).triples)
        score = exactmatch.score(conjunction, text)
        assert score.matched == score.system_total == score.gold_total, text


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("instance(a, b) ^\nARG0(a)", 2, "'ARG0(a)' is no role(source, target) with ^ after it"),
        ("instance(a b)\n\ninstance(a, b) ^\nARG0 (a, b)", 4, "'ARG0 (a, b)' is no role"),
        ("instance(a, b)\nARG0(a, c)", 1, "'instance(a, b)' is no role"),
        ("instance(a, b) ^\n\t(", 2, "'(' is no role"),
        ("ARG0(a, b) ^\ninstance(b, c)", 1, "the root a has no concept"),
        ("instance(a, b) ^\n\n# ::id y\nARG0(a", 4, "'ARG0(a' is no role"),
    ],
)
def test_a_bad_conjunction_is_named_with_its_line(text: str, line: int, reason: str) -> None:
    *_, error = read_text(text, "f").graphs
    assert isinstance(error, GraphError)
    assert (error.line, error.reason.startswith(reason)) == (line, True), error


@pytest.mark.parametrize(
    ("line", "is_conjunction"),
    [
        *((line, True) for line in (b"instance(a, b) ^", b" :x(a,b)", b'x(a, "b ^") ^ y(')),
        *((line, False) for line in (b"see f(x, y) here", b"Note(s, x)tract", b"x(a b)")),
        (b"x(a, b)\n", True),
        (b"x(a, b)\ty", False),
        (b"x(" + 1_000_000 * b"a", False),
        (b"x(a, " + 1_000_000 * b'"b" ', False),
    ],
    ids=range(10),
)  # fmt: skip
def test_a_line_begins_a_conjunction_if_it_holds_a_triple(
    line: bytes, is_conjunction: bool
) -> None:
    assert (recognise([line]) == "triples") == is_conjunction
