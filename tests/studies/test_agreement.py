"""Inter-annotator agreement."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from study_files import AGREEMENT, FEW, FILES, IAA, blocks_of, numbered, run, tables, write

import exactmatch
from exactmatch.studies.agreement import compared_pair


def test_agreement_equals_scores_of_two_files(files: Path) -> None:
    rows = tables(*IAA)["pairs"]
    assert len(rows) == 10
    for row in rows:
        system, gold = Path(f"{row['first']}.amr"), Path(f"{row['second']}.amr")
        score = exactmatch.score(system, gold)
        expected = (score.matched, score.system_total, score.gold_total, score.f1, score.macro_f1)
        found = [row[k] for k in ("matched", "first_total", "second_total", "f1", "macro_f1")]
        assert found == pytest.approx(expected)
        assert row["pairs"] == row["proven"] == score.optimal == 6
        assert row["f1_low"] <= row["f1"] == row["f1_upper"] <= row["f1_high"]


@pytest.mark.nightly
def test_agreement_on_all_items() -> None:
    """The expected numbers date from before studies kept whole numbers only."""
    paths = [str(AGREEMENT / name) for name in FILES]
    found = tables("iaa", *paths[:4], "--consensus", paths[4], "--resamples", "10")
    keys = ("first", "second", "matched", "first_total", "second_total", "macro_f1")
    assert [[row[key] for key in keys] for row in found["pairs"][:2]] == [
        ["a", "b", 689, 963, 794, 0.789228902199],
        ["a", "c", 785, 963, 1067, 0.773512367489],
    ]
    assert len(found["kinds"]) == 40
    assert [list(row.values()) for row in found["kinds"][:3]] == [
        ["a", "b", "attribute", 4, 14, 0, 4, 14, 0],
        ["a", "b", "instance", 27, 85, 8, 27, 85, 8],
        ["a", "b", "relation", 20, 118, 40, 22, 120, 42],
    ]
    first = "only arg0 (12..20); only arg2 (7..10); only arg1 (6..13)"
    second = "only arg1 (9); only arg2 (6); only manner (4)"
    assert [list(row.values()) for row in found["items"][:2]] == [
        ["study.7", 0.551046732087, 0.454545454545, "a / d", 85, 88, first],
        ["study.4", 0.608173076923, 0.333333333333, "c / d", 51, 51, second],
    ]
    assert len(found["items"]) == len(found["confusions"]) == len(found["omissions"]) == 15
    assert list(found["confusions"][0].values()) == ["relation", "arg0", "arg1", 48, 62]
    assert list(found["omissions"][0].values()) == ["relation", "arg1", 316, 367]
    assert [row["matched"] for row in found["months"][:3]] == [144, 245, 316]


def test_agreement_matrix_and_means(files: Path) -> None:
    found = tables(*IAA)
    f1 = {(row["first"], row["second"]): row["f1"] for row in found["pairs"]}
    for row in found["micro_f1"]:
        one = row["annotator"]
        for other in ("a", "b", "c", "d", "consensus"):
            expected = f1.get((one, other), f1.get((other, one)))
            assert row[other] == expected
    macro = {(row["first"], row["second"]): row["macro_f1"] for row in found["pairs"]}
    assert all(macro[pair] != pytest.approx(f1[pair], abs=1e-4) for pair in f1)
    for row in found["macro_f1"]:
        for (one, other), value in macro.items():
            if row["annotator"] in (one, other):
                assert row[other if row["annotator"] == one else one] == value
    for row in found["annotators"]:
        name = row["annotator"]
        mean = [value for pair, value in macro.items() if name in pair and "consensus" not in pair]
        assert row["macro_f1"] == pytest.approx(sum(mean) / 3)
        mine = [value for pair, value in f1.items() if name in pair and "consensus" not in pair]
        assert row["micro_f1"] == pytest.approx(sum(mine) / 3)
        assert row["consensus_f1"] == f1[name, "consensus"]
    assert sum(row["pairs"] for row in found["months"]) == 24
    assert {row["month"] for row in found["months"]} == {"2026-01", "2026-02"}


def test_swapped_annotators_agree_alike(files: Path) -> None:
    (forth,) = tables("iaa", *FEW, "a.amr", "b.amr")["pairs"]
    (back,) = tables("iaa", *FEW, "b.amr", "a.amr")["pairs"]
    for key in ("f1", "f1_low", "f1_high", "macro_f1", "matched"):
        assert forth[key] == back[key]
    assert (forth["first_total"], forth["second_total"]) == (
        back["second_total"],
        back["first_total"],
    )


def test_identical_files_agree_in_full(files: Path) -> None:
    shutil.copy("a.amr", "e.amr")
    found = tables("iaa", *FEW, "a.amr", "e.amr")
    (row,) = found["pairs"]
    assert (row["f1"], row["f1_low"], row["f1_high"], row["macro_f1"]) == (1.0, 1.0, 1.0, 1.0)
    assert found["kinds"] == found["confusions"] == []
    assert run("iaa", *FEW, "a.amr", "a.amr").exit_code == 0


def test_identical_files_that_do_not_are_an_error(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(pair: Any, metric: Any, settings: Any, end: Any) -> Any:
        return exactmatch.best_mapping("(a / b)", "(a / c)")

    monkeypatch.setattr(compared_pair, "score_pair", wrong)
    result = run("iaa", *FEW, "a.amr", "a.amr")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "two equal graphs score 0.5, not 1" in result.stderr


def test_one_annotator_and_a_consensus_will_do(files: Path) -> None:
    found = tables("iaa", *FEW, "a.amr", "--consensus", "consensus.amr")
    assert len(found["pairs"]) == 1
    assert found["annotators"][0]["micro_f1"] is None
    assert found["items"]


def test_equal_graphs_that_cannot_match_are_no_error(tmp_path: Path) -> None:
    path = tmp_path / "loops.clf"
    path.write_text("b1 EQU e1 e1\nb1 REF e1\n", encoding="utf-8")
    words = ("iaa", *FEW, str(path), str(path), "--format", "json")
    loops = json.loads(run(*words, "--profile", "counter-2021").stdout)
    assert loops["tables"]["pairs"][0]["f1"] < 1
    assert json.loads(run(*words).stdout)["tables"]["pairs"][0]["f1"] == 1


def test_months_without_a_pair_are_left_out(files: Path) -> None:
    write("consensus.amr", blocks_of("consensus.amr")[:4])
    result = run("iaa", *FEW, "a.amr", "--consensus", "consensus.amr", "--format", "json")
    months = json.loads(result.stdout)["tables"]["months"]
    assert [row["month"] for row in months] == ["2026-01"]
    assert months[0]["pairs"] == 4


def dated(*metadata: str) -> list[str]:
    return [f"# ::id {k}\n{lines}\n(a / b)" for k, lines in enumerate(metadata)]


@pytest.mark.parametrize(
    "metadata, month",
    [
        ("# ::date 2026-03-04", "2026-03"),
        ("# ::date 2026-03-04T05:06:07", "2026-03"),
        ("# ::date Wed Mar 4, 2026", "2026-03"),
        ("# ::date Wed Mar 04, 2026", "2026-03"),
        ("# ::date 2026/03/04", "2026-03"),
        ("# ::date 04.03.2026", "2026-03"),
        ("# ::save-date Wed Mar 4, 2026", "2026-03"),
        ("# ::date 2026-03-04\n# ::save-date 2025-01-02", "2026-03"),
        ("# ::save-date 2025-01-02\n# ::date 2026-03-04", "2026-03"),
    ],
)
def test_months_are_read_from_dates(files: Path, metadata: str, month: str) -> None:
    """The fourth of March in every way of writing it that is known; others have no month."""
    unknown = ("# ::date March", "# ::annotator x", "# ::date no\n# ::save-date 2026-03-04")
    write("dated.amr", dated(metadata, *unknown, "# ::date 2026-12-31"))
    write("agreed.amr", dated(*["# ::date 2024-01-01"] * 5))
    found = tables("iaa", "dated.amr", "--consensus", "agreed.amr", "--resamples", "99")
    rows = [(row["month"], row["pairs"]) for row in found["months"]]
    assert rows == [(month, 1), ("2026-12", 1)]


def test_what_differs_is_counted_by_kind_and_side(files: Path) -> None:
    left = ["(a / b :ARG0 (c / d) :quant 3)", "(a / b :mod (e / f))"]
    right = ["(a / b :ARG0 (c / x) :quant 4)", "(a / b :polarity - :li 1)"]
    write("left.amr", numbered(*left))
    write("right.amr", numbered(*right))
    found = tables("iaa", *FEW, "left.amr", "right.amr")
    assert [list(row.values())[2:] for row in found["kinds"]] == [
        ["attribute", 1, 0, 2, 1, 0, 2],
        ["instance", 1, 1, 0, 1, 1, 0],
        ["relation", 0, 1, 0, 0, 1, 0],
    ]
    (first, second) = found["items"]
    # Of 4 triples a side, the concept and the root match; in the other item, 3 of 5 a side.
    assert (first["item"], first["mean_f1"], first["lowest_f1"]) == ("2", 0.5, 0.5)
    assert (second["item"], second["mean_f1"]) == ("1", 0.6)
    assert (first["differences"], second["differences"]) == (4, 2)
    assert second["most_frequent"] == "quant 3 / quant 4 (1); d / x (1)"
    assert [list(row.values()) for row in found["confusions"]] == [
        ["attribute", "quant 3", "quant 4", 1, 1],
        ["instance", "d", "x", 1, 1],
    ]
    assert [list(row.values()) for row in found["omissions"]] == [
        ["attribute", "li 1", 1, 1],
        ["attribute", "polarity -", 1, 1],
        ["instance", "f", 1, 1],
        ["relation", "domain", 1, 1],
    ]


def test_what_holds_under_some_best_mappings_alone_is_counted_apart(files: Path) -> None:
    """Either b or c may be the image of d: one of them is relabelled, the other is extra."""
    write("left.amr", numbered("(a / and :op1 (b / bird) :op1 (c / cat))"))
    write("right.amr", numbered("(a / and :op1 (d / dog))"))
    found = tables("iaa", *FEW, "left.amr", "right.amr")
    assert [list(row.values())[2:] for row in found["kinds"]] == [
        ["instance", 1, 1, 0, 1, 1, 0],
        ["relation", 0, 1, 0, 0, 1, 0],
    ]
    assert [list(row.values()) for row in found["confusions"]] == [
        ["instance", "bird", "dog", 0, 1],
        ["instance", "cat", "dog", 0, 1],
    ]
    assert [list(row.values()) for row in found["omissions"]] == [
        ["relation", "op1", 1, 1],
        ["instance", "bird", 0, 1],
        ["instance", "cat", 0, 1],
    ]
    (item,) = found["items"]
    assert (item["differences"], item["differences_some"]) == (3, 3)


def test_nothing_is_said_of_every_mapping_where_not_all_are_known(files: Path) -> None:
    write("left.amr", numbered("(a / b " + " ".join(f":x (b{k} / c{k})" for k in range(21)) + ")"))
    write("right.amr", numbered("(a / b :x (d / e))"))
    found = tables("iaa", *FEW, "left.amr", "right.amr")
    assert [list(row.values())[2:] for row in found["kinds"]] == [
        ["instance", 0, 0, 0, 1, 20, 0],
        ["relation", 0, 0, 0, 0, 20, 0],
    ]
    assert {row["times"] for row in found["confusions"]} == {0}


def test_disputed_items_are_those_of_the_lowest_mean(files: Path) -> None:
    words = ("iaa", "a.amr", "b.amr", "c.amr", "--resamples", "99")
    every = tables(*words)["items"]
    assert len(every) == 6
    assert tables(*words, "--rows", "2")["items"] == every[:2]
    means: dict[str, list[float]] = {}
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        for score in exactmatch.score(Path(f"{one}.amr"), Path(f"{other}.amr")).per_pair:
            means.setdefault(score.identifier, []).append(score.f1)
    for row in every:
        assert row["mean_f1"] == pytest.approx(sum(means[row["item"]]) / 3)
        assert row["lowest_f1"] == pytest.approx(min(means[row["item"]]))
    assert [row["mean_f1"] for row in every] == sorted(row["mean_f1"] for row in every)


def test_similar_concepts_have_their_similarity_and_gain(tmp_path: Path) -> None:
    """Each of the four graphs has four triples: the partial match adds 2 * 0.56 / 16 to the F1.

    The tree is not similar to the dog.
    """
    one, other = tmp_path / "one.amr", tmp_path / "other.amr"
    one.write_text("(a / cat :ARG0 (b / dog))\n\n(a / cat :ARG0 (b / dog))\n", encoding="utf-8")
    other.write_text(
        "(a / kitten :ARG0 (b / dog))\n\n(a / cat :ARG0 (b / tree))\n", encoding="utf-8"
    )
    near = tmp_path / "near.txt"
    near.write_text("cat kitten 0.56\n", encoding="utf-8")
    words = ("iaa", *FEW, str(one), str(other), "--metric")
    found = tables(*words, "s2match", "--similarity", str(near))
    (row,) = found["similar"]
    assert list(row.values()) == ["cat", "kitten", 0.56, 1, 1, 2 * 0.56 / 16, 2 * 0.56 / 16]
    (pair,) = found["pairs"]
    (symbolic,) = tables(*words, "smatch", "--profile", "opitz-2020")["pairs"]
    assert pair["f1"] - symbolic["f1"] == pytest.approx(row["gain"])
    assert "similar" not in tables(*words, "smatch")
