"""Texts with odd blanks, invisible characters and marks, as smatch 1.0.4 splits them."""

from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.detect import parse, read_text
from exactmatch.graphs.readers.graph_text import GraphText

#: Two texts, and what smatch 1.0.4 found for them: matches, and the triples of both. All are small,
#: so that its search found the best mapping.
OF_SMATCH = [
    ("(a0 /\xa0boy)", "(a0 / boy)", (1, 2, 2)),
    ("(a0\ufeff/ boy)", "(a0 / boy)", (2, 2, 2)),
    ("(a0 / \xe9t\xe9)", "(a0\x0c/ \xe9t\xe9)", (2, 2, 2)),
    ("(c0\xa0 / \xe9t\xe9)", "(c0 / \xe9t\xe9)", (2, 2, 2)),
    ("(\u3000a0 / \xe9t\xe9)", "(a0 / \xe9t\xe9)", (2, 2, 2)),
    ("(b0 / boy)", "\xa0(b0 / boy)", (2, 2, 2)),
    ("(a0 / \u2003\xe9t\xe9)", "(a0 / \xe9t\xe9)", (1, 2, 2)),
    ("(c0 /\xad\xe9t\xe9\x0c)", "(c0 / \xe9t\xe9)", (1, 2, 2)),
    ("(a0 \x1f/ \xe9t\xe9)", "(a0 / \xe9t\xe9)", (2, 2, 2)),
    ("(b0 \xad/ \xe9t\xe9)", "(b0 / \xe9t\xe9)", (2, 2, 2)),
    ("(c0\u200b / \xe9t\xe9)", "(a0 / boy)", (1, 2, 2)),
    ("\u200e(c0 / boy)", "(c0 / boy)", (2, 2, 2)),
    ("(a0 / \xe9t\xe9)", "(b0 / \xe9t\xe9)\u205f", (2, 2, 2)),
    ("(a0 /\u200e boy)", "(a0 / boy)", (1, 2, 2)),
    ("(c0 / boy)", "(\xadc0 /\x0cboy)", (1, 2, 2)),
    ("(b0 / \xe9t\x0b\xe9)", "(b0 / \xe9t\xe9)", (1, 2, 2)),
    ("(a0 / boy)", "(a0 /\u202fboy)\ufeff", (1, 2, 2)),
    ("(c0 / \xe9t\xe9)", "(c0 /\t \xe9t\xe9)", (1, 2, 2)),
    ("(b0\xa0 / \u200b\xe9t\xe9)", "(b0\u2009/ \xe9t\xe9)", (1, 2, 2)),
    ("(\u202fc0 /\u202f\xe9t\xe9)", "(c0\u2028/\u200e\xe9t\xad\xe9)", (1, 2, 2)),
    ("(c0 / \xe9t\xe9)", "(c0 ~2/ \xe9t\xe9)", (2, 2, 2)),
    ("(c0 / name\xad)", "(b0\u2009/ boy)", (1, 2, 2)),
    ("(a0~2 / boy)", "(b0 \x0c/ \xe9t\xe9)", (1, 2, 2)),
    ("(c0 /~2 \xe9t\xe9)", "(c0 / \u3000\xe9t\xe9)", (1, 2, 2)),
    ("(a0 / \u2003\xe9t\xe9)", "(~2a0 / \xe9t\xe9)", (1, 2, 2)),
    ("(b0 / \xe9t\xe9)", "\x0c\xa0(b0 \u202f/ \xe9t\xe9)", (2, 2, 2)),
    ("(c0 /\u3000 boy)", "(c0 / boy)~2", (1, 2, 2)),
    ("~2(c0 / name)", "(a0 /\u2009 \xe9t\xe9)", (1, 2, 2)),
    ("(c0 / name)", "\u200b\u202f(c0 /\u200e name)", (1, 2, 2)),
    ("(c0 \u200b ~e.5/ boy)\xa0", "(c0 / boy)", (2, 2, 2)),
    ("\u200e(b0 / name)", "~e.1\ufeff(b0 / name)", (2, 2, 2)),
    ("\u2028 ~e.5(a0 \x0c/ \xe9t\xe9)", "(a0 \u2003/ \xe9t\xe9)", (2, 2, 2)),
    ("(b0 / boy \u2003:op2 5)", "(b0 / boy\xad)", (1, 3, 2)),
    ("(a0 / \xe9t\xe9\u3000\u1680)", "(a0 \xa0 ~e.5/ \xe9t~2\xe9)", (1, 2, 2)),
    ("(c0\u200b/ \xe9t\xe9\n\t:ARG1 -)", "(b0 \u1680/ name)", (1, 3, 2)),
    ("(a0\t /\x0b \xe9t\xe9)", "(b0 / \xe9t\xe9\n  \ufeff:op2 5)", (1, 2, 3)),
    ("(c0 / want-01)\u2003", "(c0 \u202f/ want-01)\u202f\x0c", (2, 2, 2)),
    ("(b0 / \xe9t\xe9)", "(c0 / boy\n  :\u202fdomain -)", (1, 2, 3)),
    ("(a0 / want-01)~e.1\u200d", "(a0 / \u2003want-01)", (1, 2, 2)),
    ("(b0 ~e.5/ want-01\u200b)", "(b0 /\ufeffwant-01)\u200b\u205f", (1, 2, 2)),
    ('(c0 / boy\n\t:op1\x0b"Rio")', "(c0 /\x0bwant-01)", (1, 3, 2)),
    ("(a0 / say-01\n\t:\u200dop1 5)", "(b0 \u200b/ want-01)", (1, 3, 2)),
    ("(b0 /\u1680 \xe9t\xe9)", '(b0 / name\n\t:ARG0 "Rio"~2)', (1, 2, 3)),
    ("(a0 / boy :mod ~2-)", "(a0 / \x1fboy\u3000\u200e:mod -)", (1, 2, 2)),
    ('(\u202fc0 / say-01\n \u202f:quant \u205f"Rio")', "(b0 / \xe9t\xe9)", (1, 3, 2)),
    # A role without name is dropped.
    ("(c0 / boy : (g1 / name) )", "(c0 / boy :(g1 / name))", (3, 3, 3)),
    ("(c0 / boy :\n  (g1 / name))", "(c0 / boy)", (2, 3, 2)),
    ("(b0 / boy : (f1 / name :ARG0 f1))", "(b0 / boy :ARG0 (f1 / name :ARG0 f1))", (4, 4, 5)),
]


@pytest.mark.parametrize("system, gold, expected", OF_SMATCH)
def test_texts_are_split_as_smatch_splits_them(
    system: str, gold: str, expected: tuple[int, int, int], tmp_path: Path
) -> None:
    paths = tmp_path / "a.amr", tmp_path / "b.amr"
    for path, text in zip(paths, (system, gold), strict=True):
        path.write_text(f"# ::id 1\n{text}\n", encoding="utf-8", newline="")
    found = exactmatch.score(*paths, profile="smatch-1.0.4")
    assert (found.matched, found.system_total, found.gold_total) == expected


def test_other_profiles_split_as_penman_does() -> None:
    """b02nbspx.amr of the public situations: two roles end in a no-break space."""
    odd = '(c / city :name\u00a0(n / name :op1\u00a0"New"))'
    plain = '(c / city :name (n / name :op1 "New"))'
    assert exactmatch.score(odd, plain).matched == 3
    # All of the odd text is read by smatch's rules, which write strings with an underscore.
    assert exactmatch.score(odd, plain, blanks="smatch-1.0.4").matched == 4
    as_smatch = exactmatch.metric("smatch", profile="smatch-1.0.4")
    metrics: list[str | exactmatch.Metric] = ["smatch", as_smatch]
    several = exactmatch.score(odd, plain, metric=metrics)
    assert [one.matched for one in several] == [3, 5]


def test_a_text_that_penman_refuses_is_read_with_a_note() -> None:
    odd, plain = "(b / boy :polarity\u00a0-)", "(b / boy :polarity -)"
    notes: list[str] = []
    found = exactmatch.score(odd, plain, profile="smatch-1.0.4", note=notes.append)
    assert (found.matched, found.system_total, found.mended) == (3, 3, 1)
    assert len(notes) == 1 and "role :polarity\\u00a0- has no value; it is split as" in notes[0]
    cases: list[dict[str, Any]] = [{}, {"profile": "smatch-1.0.4", "unclosed": "error"}]
    for choices in cases:
        with pytest.raises(exactmatch.InputError, match="has no value"):
            exactmatch.score(odd, plain, **choices)


@pytest.mark.parametrize(
    "text",
    [
        "(b / boy :ARG0\u00a0)",  # a role without a value
        "(b / boy\u00a0:ARG0 (b / girl))",  # two nodes of a name
        "(b\u200b / boy",  # no end
        "(b / big boy)",  # neither odd blanks nor marks
    ],
)
def test_a_text_that_smatch_refuses_too_is_refused(text: str) -> None:
    with pytest.raises(exactmatch.InputError, match="graph 1: "):
        exactmatch.score(text, "(b / boy)", profile="smatch-1.0.4")


def test_indentation_by_tabs_is_not_odd() -> None:
    """Only a graph that smatch may split otherwise is read twice."""
    (tabs,) = read_text("(b / boy\t\n\t:ARG0 (c / cat))", "x").graphs
    assert isinstance(tabs, Graph) and tabs.by_smatch is None
    (inside,) = read_text("(b / boy\t:ARG0 (c / cat))", "x").graphs
    assert isinstance(inside, Graph) and inside.by_smatch is not None
    assert inside.by_smatch.triples[0].arguments[1][0] == "boy\t"


def test_names_with_blanks_are_names() -> None:
    text = "(b\u00a0/ boy :ARG0 (b / cat) :ARG1 b)"
    graph = parse(GraphText(text.encode(), "x", 1, 1, "PENMAN", None))
    assert isinstance(graph, Graph) and graph.by_smatch is not None
    first, second = graph.by_smatch.variables
    assert second == "b" != first and not any(map(str.isspace, first))
