"""Files of PENMAN with one graph a line."""

from pathlib import Path

import pytest

import exactmatch
from exactmatch.errors import GraphError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.cutting import begins_several
from exactmatch.graphs.readers.detect import plain_text, read_text
from exactmatch.problem.interpreted import interpreted

ONE, TWO = '(a / "x(" :mod (b / beta))', "(c / gamma) # (d"


def found(text: str) -> list[tuple[int, str | None, str]]:
    """Return line, identifier, and the variables or the error of each graph."""
    return [
        (g.line, g.identifier, "error")
        if isinstance(g, GraphError)
        else (g.location.line, g.identifier, "".join(g.variables))
        for g in read_text(text, "f").graphs
    ]


def test_each_line_is_a_graph() -> None:
    assert found(f"{ONE}\n{TWO}\n") == [(1, None, "ab"), (2, None, "c")]
    assert found(f"\n# A file\n{ONE}\r\n{TWO}\n\n{TWO}") == [
        (3, None, "ab"),
        (4, None, "c"),
        (6, None, "c"),
    ]
    mixed = f"(e / epsilon\n  :mod (f / phi))\n\n{ONE}\n{TWO}\n\n(g / gamma)"
    assert found(mixed) == [(1, None, "ef"), (4, None, "ab"), (5, None, "c"), (7, None, "g")]


def test_comments_belong_to_the_line_after_them() -> None:
    text = f"# ::id 1 ::snt One.\n{ONE}\n# between\n# ::id 2\n{TWO}\n# end"
    assert found(text) == [(2, "1", "ab"), (5, "2", "c")]
    first, _ = read_text(text, "f").graphs
    assert isinstance(first, Graph) and first.metadata["snt"] == "One."


def test_a_broken_line_costs_itself() -> None:
    lines = [ONE, "(c / gamma :mod", TWO, "no graph", ONE]
    assert [each[2] for each in found("\n".join(lines))] == ["ab", "error", "c", "error", "ab"]
    assert [each[2] for each in found(f"(c / gamma :mod\n{ONE}\n{TWO}")] == ["error", "ab", "c"]


@pytest.mark.parametrize(
    "text",
    [
        f"# ::id 1\n{ONE}\n{TWO}",  # only one has an identifier
        f"{ONE}\n# ::id 2\n{TWO}",
        f"{ONE}\ntext",  # half of the lines
        f"(a / alpha :op1\n{TWO}",  # a graph without its last parenthesis
        "(a / alpha\n :mod (b / beta))\n(c / gamma)",
        ")\n(",
    ],
)
def test_other_blocks_stay_whole(text: str) -> None:
    assert [each[2] for each in found(text)] == ["error"]


def test_a_graph_on_several_lines_is_no_such_block() -> None:
    assert found("(a / alpha :op1\n(b / beta)\n:op2\n(c / gamma)\n)") == [(1, None, "abc")]


@pytest.mark.parametrize("text", ["", "\n", "(", "(\n(", "#\n(\n", "x\n (\n(", "(\n\n(", "a(\n("])
def test_lines_with_a_parenthesis_at_the_beginning_are_counted(text: str) -> None:
    several = sum(line.startswith("(") for line in text.split("\n")) > 1
    plain = interpreted("exactmatch.graphs.readers.cutting")
    assert begins_several(text.encode()) == several
    assert plain.begins_several(text.encode()) == several


def test_scores_are_those_of_the_lines(tmp_path: Path) -> None:
    """The first pair is equal (5 triples with the root), the second has one triple of two."""
    file = tmp_path / "a.amr"
    file.write_text(f"{ONE}\n{TWO}\n", "utf-8")
    gold = f"{ONE}\n\n(c / delta)\n"
    score = exactmatch.score(file, gold)
    assert isinstance(score, exactmatch.CorpusScore)
    assert [(p.matched, p.gold_total) for p in score.per_pair] == [(4, 4), (1, 2)]
    assert plain_text(f"{ONE}\n{TWO}", "f") is None
    assert exactmatch.reward(f"{ONE}\n{TWO}", ONE) == 0  # an answer is one graph
