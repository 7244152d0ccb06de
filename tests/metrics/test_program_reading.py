"""Notes on sentences that ``compare_umr.pl`` reads otherwise.

The second figure of each case is what the program (ufal/umrtools 4377bc4) matches in the file
against itself; the first is counted by hand.
"""

from pathlib import Path
from typing import Literal

import pytest

import exactmatch
from exactmatch.scoring.results import CorpusScore

GRAPH = "(s1a / aa\n    :ARG0 (s1b / bb))"


def sentence(graph: str = GRAPH, surface: str = "s1a: 1-1\ns1b: 2-2") -> str:
    """Return a sentence of two tokens with a triple of the document level."""
    return (
        f"# :: snt1\nWords: a b\n\n# sentence level graph:\n{graph}\n\n# alignment:\n{surface}\n\n"
        "# document level annotation:\n(s1s0 / sentence\n"
        "    :modal ((author :full-affirmative s1a)))\n\n\n"
    )


GOOD = sentence()
#: Three values and a triple.
SECOND = GOOD.replace("s1", "s2").replace("snt1", "snt2")
LEVEL = GOOD[GOOD.index("# document") : -2]

_EMPTY = "by its empty lines, blocks or sentences end elsewhere"
_COMMENT = "it takes '#' and the rest of the line for a comment"

UNLIKE = {
    "a concept": (GOOD.replace("bb", "#Forn"), 8, 5, _COMMENT),
    "a string": (sentence('(s1a / aa\n    :quant "#1")', "s1a: 1-1"), 7, 7, _COMMENT),
    "two empty lines": (GOOD.replace("\n\n# align", "\n\n\n# align"), 8, 10, _EMPTY),
    "an empty line": (GOOD.replace("aa\n", "aa\n\n"), 8, 5, _EMPTY),
    "one empty line between sentences": (GOOD[:-1], 8, 4, _EMPTY),
    "no empty line": (GOOD.replace("\n\n# align", "\n# align"), 8, 7, _EMPTY),
    "a zero": (
        GOOD.replace("aa\n", "aa\n    :quant 0\n"), 9, 8, "it loses the value 0 at the end",
    ),
    "tokens beside the name": (
        GOOD.replace("snt1\nWords:", "snt1"), 8, 4, "it reads tokens from a line 'Words:' alone",
    ),
}  # fmt: skip
ALIKE = {
    "as the program wants": (GOOD, 8),
    "a comment": (GOOD.replace("aa\n", "aa  # why\n"), 8),
    "ten": (GOOD.replace("aa\n", "aa\n    :quant 10\n"), 9),
    "a zero inside a line": (sentence("(s1a / aa\n    :quant 0)", "s1a: 1-1"), 7),
    "no document level": (GOOD.replace(LEVEL, ""), 7),
    "an empty line of a no-break space": (GOOD.replace("\n\n# align", "\n\xa0\n# align"), 8),
}


def score(text: str, folder: Path, scope: Literal["file", "document"] = "file") -> CorpusScore:
    path = folder / "x.umr"
    path.write_text(text + SECOND, encoding="utf-8")
    return exactmatch.score(
        path, path, metric="umatch", profile="umrtools-2026", workers=1, scope=scope
    )


@pytest.mark.parametrize("case", UNLIKE)
def test_a_note_says_where_the_program_may_count_otherwise(case: str, tmp_path: Path) -> None:
    text, ours, theirs, reason = UNLIKE[case]
    found = score(text, tmp_path)
    assert found.matched == found.system_total == found.gold_total == ours
    (note,) = found.notes
    assert "x.umr:1: sentence 1: compare_umr.pl may count otherwise" in note and reason in note
    assert ours != theirs or case == "a string"  # there, the value is another one: #1, or nothing
    assert score(text, tmp_path, scope="document").notes == ()


@pytest.mark.parametrize("case", ALIKE)
def test_no_note_where_the_program_counts_the_same(case: str, tmp_path: Path) -> None:
    text, both = ALIKE[case]
    found = score(text, tmp_path)
    assert (found.matched, found.notes) == (both, ())


def test_a_note_counts_the_other_sentences(tmp_path: Path) -> None:
    odd = GOOD.replace("bb", "#Forn")
    text = GOOD + "".join(odd.replace("s1", f"s{k}").replace("snt1", f"snt{k}") for k in (2, 3, 4))
    (note,) = score(text, tmp_path).notes
    assert "x.umr:17: sentence 2:" in note and note.endswith("(2 more sentences)")
