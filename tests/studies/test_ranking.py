"""Systems ranked against a gold standard."""

import json
from pathlib import Path

import pytest
from study_files import ANNOTATORS, numbered, run, tables, write

import exactmatch


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


def test_each_system_scores_as_on_its_own(files: Path) -> None:
    found = tables("compare", "d.amr", "a.amr", "--gold", "consensus.amr", "--resamples", "99")
    for row in found["ranking"]:
        score = exactmatch.score(Path(f"{row['system']}.amr"), Path("consensus.amr"))
        assert score.system_total != score.gold_total and score.precision != score.recall
        assert score.f1 != pytest.approx(score.macro_f1, abs=1e-4)
        for key in ("f1", "f1_upper", "precision", "recall", "macro_f1", "matched",
                    "matched_upper", "system_total", "gold_total", "pairs", "skipped"):  # fmt: skip
            assert row[key] == pytest.approx(getattr(score, key)), key
        assert row["proven"] == score.optimal
        assert row["f1_low"] < row["f1"] < row["f1_high"]


def test_systems_of_one_score_share_their_rank(files: Path) -> None:
    words = ("d.amr", "a.amr", "d.amr", "b.amr")
    found = tables("compare", *words, "--gold", "consensus.amr", "--resamples", "99")
    assert [row["rank"] for row in found["ranking"]] == [1, 2, 3, 3]


def test_what_is_significant(files: Path) -> None:
    """What one system always has and the other never: the p-value is 2 of 2 ** items exchanges."""
    gold = ["(a / b :ARG0 (c / d))"] * 6
    write("gold.amr", numbered(*gold))
    write("good.amr", numbered(*gold))
    write("bad.amr", numbered(*["(x / y)"] * 6))
    words = ("compare", "good.amr", "bad.amr", "--gold", "gold.amr")
    (row,) = tables(*words)["differences"]
    assert (row["p"], row["p_holm"], row["significant"]) == (2 / 64, 2 / 64, "yes")
    (row,) = tables(*words, "--confidence", "0.97")["differences"]
    assert (row["p"], row["significant"]) == (2 / 64, "no")
    write("single.amr", numbered(gold[0]))
    result = run("compare", "single.amr", "single.amr", "--gold", "gold.amr", "--format", "json")
    (row,) = json.loads(result.stdout)["tables"]["differences"]
    assert (row["p"], row["p_holm"], row["significant"]) == (None, None, None)
