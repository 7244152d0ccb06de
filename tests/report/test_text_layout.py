"""Text for people fits into any width of a terminal, and has all columns elsewhere."""

import random
import re
import shlex

import pytest
from rich.cells import cell_len

from exactmatch.report.document import Heading
from exactmatch.report.folding import folded, folded_command, folded_text
from exactmatch.report.text_layout import Beside, CommandLine, ForTerminal, TextLayout
from exactmatch.report.text_table import Grid

TITLES = ["system", "F1", "at most", "pairs", "proven", "triples of the first", "most frequent"]
ROWS = [
    ["alpha", "0.5000", "0.5000", "40", "40", "305", "only arg1 (14); only arg0 (8); only op1 (2)"],
    ["日本語の注釈者", "0.6000", "0.6000", "39", "39", "306", "only domain (2)"],
]
GRID = Grid(TITLES, ROWS, [True, *[False] * 5, True], "--table systems --format csv")
#: Letters, blanks, wide characters, a combining one, and places where lines may break.
_LETTERS = "ab |é日本\u0301-"


def widest(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def test_folded_lines_fit_and_lose_nothing_but_blanks() -> None:
    chance = random.Random(0)
    for _ in range(2000):
        line = "".join(chance.choices(_LETTERS, k=chance.randrange(60)))
        width = chance.randint(2, 30)
        pieces = folded(line, width, "  ")
        assert all(cell_len(piece) <= width for piece in pieces), (line, width)
        assert "".join("".join(pieces).split()) == "".join(line.split()), (line, width)


def test_signatures_are_broken_between_their_parts() -> None:
    signature = "smatch|profile:default.2|top:constant"
    assert folded(signature, 25) == ["smatch|profile:default.2|", "top:constant"]


@pytest.mark.parametrize("width", [20, 41, 60, 80, 100, 160])
def test_tables_fit_and_name_what_they_leave_out(width: int) -> None:
    shown = GRID.at(width)
    assert widest(shown) <= width
    said = " ".join(shown.split())
    assert all(word in said for title in TITLES if title != "at most" for word in title.split())
    assert "proven, as pairs" in said and "--table systems --format csv" in said
    assert "at most" not in said  # the proof line tells that
    assert "0.5000" in said or width < 40


def test_tables_keep_names_scores_and_sizes() -> None:
    head, *_ = GRID.at(34).split("\n")
    assert head.split() == ["system", "F1", "pairs"]
    late = Grid(
        ["name", "of", "precision", "F1"], [["a", "b", "0.1", "0.2"]], [True, True, False, False]
    )
    assert late.at(20).split("\n")[0].split() == ["name", "of", "F1"]
    distinct = Grid(TITLES, ROWS, GRID.texts, distinct=True).at(160)
    assert "proven" in distinct.split("\n")[0] and "Not shown" not in distinct


def test_a_table_without_rows_misses_no_column() -> None:
    empty = Grid(TITLES, [], GRID.texts)
    assert "Not shown" not in empty.at(34) and widest(empty.at(34)) <= 34
    assert all(word in empty.at(160) for title in TITLES for word in title.split())


def test_words_are_folded_in_their_columns_and_numbers_are_not() -> None:
    """Wide characters count two columns, so that all columns stand below each other."""
    lines = GRID.at(80).split("\n")
    rule = next(k for k, line in enumerate(lines) if set(line) == {"-"})
    first, others = lines[rule + 1], lines[rule + 2 :]
    assert first.startswith("alpha ") and first.endswith("only arg1 (14); only arg0")
    assert others[0].strip() == "(8); only op1 (2)"
    place = cell_len(first[: first.index("0.5000")])
    assert cell_len(others[1][: others[1].index("0.6000")]) == place


def test_a_pipe_gets_every_column_on_one_line() -> None:
    shown = GRID.at(None)
    assert shown.split("\n")[0].split("   ")[0] == "system"
    assert len(shown.split("\n")) == 4
    assert all(cell in shown for row in ROWS for cell in row)


def test_commands_stay_commands() -> None:
    command = shlex.join(["exactmatch", "iaa", "a b.amr", "it's.amr", "--resamples", "1000"])
    shown = folded_command(command, 30)
    assert widest(shown) <= 30 and shown.count("\\\n") == 2
    assert shlex.split(shown.replace("\\\n", "")) == shlex.split(command)
    assert folded_command(command, 80) == command


def test_a_caret_stays_under_its_character() -> None:
    text = f"error: unclosed bracket\n    {'x' * 60}(y\n    {' ' * 60}^"
    for width in (20, 40, 80):
        *_, line, caret = folded_text(text, width).split("\n")
        assert widest(folded_text(text, width)) <= width
        assert line[caret.index("^")] == "("


def test_texts_side_by_side_are_folded_on_both_sides() -> None:
    beside = Beside([("x / " + "long-" * 20, "~", "y / boy"), ("日 / 本", " ", "z / girl")])
    assert widest(beside.at(40)) <= 40
    assert beside.at(300).split("\n")[1].index("z / girl") == 104 + 3 - 2  # two wide characters
    assert beside.at(None) == f"x / {'long-' * 20} ~ y / boy\n{'日 / 本':<104}   z / girl"


def test_only_a_terminal_is_told_what_to_do_next() -> None:
    layout = TextLayout(["said", ForTerminal("next"), CommandLine("exactmatch check a.amr")])
    assert str(layout) == "said\nexactmatch check a.amr"
    assert layout.at(80) == "said\nnext\nexactmatch check a.amr"


def test_text_cannot_steer_a_terminal_at_any_width() -> None:
    layout = TextLayout(["a\x1b[2Jb", Grid(["\x1b"], [["\x1b[2J"]], [True])])
    for width in (None, 20):
        assert not re.search("[\x00-\x09\x0b-\x1f]", layout.at(width))


def test_small_p_values_are_never_zero() -> None:
    heading = Heading("p", "p", "p")
    assert [heading.shown(p) for p in (0.00009, 0.0001, 0.5)] == ["< 0.0001", "0.0001", "0.5000"]
