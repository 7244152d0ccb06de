"""Notes on proofs and limits, and the cases without a note."""

from dataclasses import replace
from pathlib import Path

import pytest

import exactmatch
from exactmatch.scoring.options import Format
from exactmatch.studies.common.notes import caveats, limits, proven
from exactmatch.studies.common.pairs import ProofCounts

ALL = ProofCounts(
    pairs=9, optimal=9, certified=9, gap=0, by_word={}, bounded_by_word={},
    timed_out=0, too_large=0, skipped=0, emptied=0, scale=1,
)  # fmt: skip


def test_all_proven_by_checked_proofs() -> None:
    assert proven(ALL) == "Proven: 9 of 9 pairs of graphs"
    assert proven(ALL, "") == "Proven: 9 of 9 pairs"
    assert caveats(ALL) == limits(ALL) == []


def test_what_is_proven_by_the_word_of_solvers_is_told() -> None:
    worded = replace(ALL, optimal=8, certified=5, by_word={"ilp": 2, "maxsat": 1})
    assert proven(worded) == (
        "Proven: 8 of 9 pairs of graphs, 5 by a checked proof, 2 by the word of ilp, "
        "1 by the word of maxsat"
    )
    bounded = replace(ALL, bounded_by_word={"cpsat": 3, "ilp": 4})
    assert limits(bounded) == [
        "Upper bounds by the word of cpsat: 3.",
        "Upper bounds by the word of ilp: 4.",
    ]


def test_what_is_not_proven() -> None:
    assert caveats(replace(ALL, optimal=8)) == [
        "Where a pair is not proven, the true F1 lies between F1 and 'at most'."
    ]
    assert caveats(replace(ALL, optimal=7, timed_out=1, too_large=2, scale=1000)) == [
        "Where a pair is not proven, the true F1 lies between F1 and 'at most'.",
        "Matched triples and totals are counted in 1/1000 of a triple.",
        "Pairs that reached the time limit: 1.",
        "Pairs too large for the memory limit: 2.",
    ]


BESIDE = (["(c / car :mod (r / red))"], ["(c / car :domain (r / red))"])


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_domain_is_said_to_stand_for_mod_once_where_it_occurs(tmp_path: Path, form: Format) -> None:
    paths = [tmp_path / "a.amr", tmp_path / "b.amr"]
    for path, graphs in zip(paths, BESIDE, strict=True):
        path.write_text("\n\n".join(graphs), encoding="utf-8")
    study = exactmatch.agreement(paths)
    assert study.report(form).count("stands for mod") == 1
    assert "stands for mod" not in study.report("json")
    kept = exactmatch.agreement(paths, profile="default", mod="separate")
    assert "stands for mod" not in kept.report(form)
    for path in paths:
        path.write_text("(c / car :ARG0 (r / red))", encoding="utf-8")
    assert "stands for mod" not in exactmatch.agreement(paths).report(form)


def test_differences_have_the_note_as_well() -> None:
    assert exactmatch.diff(*BESIDE).count("\n# domain stands for mod, too") == 1
    assert "stands for" not in exactmatch.diff(*BESIDE, mod="separate")
    assert "stands for" not in exactmatch.diff("(a / b)", "(a / c)")
