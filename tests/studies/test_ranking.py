"""Systems ranked against a gold standard."""

import json
from pathlib import Path

import pytest
from study_files import ANNOTATORS, numbered, run, tables, write


def test_compare_ranks_and_tests(files: Path) -> None:
    found = tables("compare", *reversed(ANNOTATORS), "--gold", "consensus.amr")
    f1 = [row["f1"] for row in found["ranking"]]
    assert f1 == sorted(f1, reverse=True)
    assert [row["rank"] for row in found["ranking"]] == [1, 2, 3, 4]
    assert len(found["differences"]) == 6
    for row in found["differences"]:
        assert row["difference"] >= 0
        assert 0 < row["p"] <= row["p_holm"] <= 1
        assert row["significant"] == ("yes" if row["p_holm"] <= 0.05 else "no")
    twice = tables("compare", "a.amr", "a.amr", "--gold", "consensus.amr")
    assert twice["differences"][0]["p"] == 1.0
    assert [row["rank"] for row in twice["ranking"]] == [1, 1]


def test_the_better_one_is_better_on_what_both_have(files: Path) -> None:
    """One system lacks the hard items, so that its own F1 is higher; on the others it is worse."""
    gold = ["(a / b :ARG0 (c / d))"] * 12
    write("gold.amr", numbered(*gold))
    write("easy.amr", numbered(*["(a / b :ARG0 (c / x))"] * 6, *[""] * 6))
    write("all.amr", numbered(*gold[:6], *["(x / y)"] * 6))
    result = run("compare", "easy.amr", "all.amr", "--gold", "gold.amr", "--format", "json")
    found = json.loads(result.stdout)["tables"]
    assert [row["system"] for row in found["ranking"]] == ["easy", "all"]
    (row,) = found["differences"]
    assert (row["better"], row["other"]) == ("all", "easy")
    assert row["difference"] == pytest.approx(1 - 3 / 4)
