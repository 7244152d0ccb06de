"""The mean agreement of annotators, and its confidence interval."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import NormalDist, fmean

import numpy as np
import pytest
from nightly import by_day
from study_files import IAA, blocks_of, run, tables, write

import exactmatch
from exactmatch.scoring.results import PairScore

#: The annotators of whom b and c lack items.
NAMES = ("a", "b", "c")


@pytest.fixture
def scores(files: Path) -> Mapping[tuple[str, str], Mapping[str, PairScore]]:
    """The scores of every two of three annotators by item; each two have other items."""
    write("b.amr", blocks_of("b.amr")[1:])
    write("c.amr", blocks_of("c.amr")[:5])
    found = {}
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        both = Path(f"{one}.amr"), Path(f"{other}.amr")
        pairs = exactmatch.score(*both, pair_by="id", on_error="skip").per_pair
        found[one, other] = {p.identifier: p for p in pairs if p.status != "skipped"}
    return found


def mean_micro(
    scores: Mapping[tuple[str, str], Mapping[str, PairScore]], items: Sequence[str]
) -> float:
    """Return the mean over files of micro F1 on *items*, which may be there several times."""
    found = []
    for of_files in scores.values():
        drawn = [of_files[item] for item in items if item in of_files]
        if drawn:
            total = sum(pair.system_total + pair.gold_total for pair in drawn)
            found.append(2 * sum(pair.matched for pair in drawn) / total)
    return fmean(found)


def mean_macro(
    scores: Mapping[tuple[str, str], Mapping[str, PairScore]], items: Sequence[str]
) -> float:
    found = []
    for of_files in scores.values():
        drawn = [of_files[item].f1 for item in items if item in of_files]
        if drawn:
            found.append(fmean(drawn))
    return fmean(found)


@pytest.mark.parametrize("kind, mean", by_day([("f1", mean_micro), ("macro_f1", mean_macro)]))
def test_means_and_their_intervals_are_those_of_drawing_items(
    scores: Mapping[tuple[str, str], Mapping[str, PairScore]], kind: str, mean: object
) -> None:
    """Against an interval that is drawn one item at a time, with the formula of Efron (1987)."""
    assert callable(mean)
    words = ("iaa", "a.amr", "b.amr", "c.amr", "--resamples", "20000", "--format", "json")
    (row,) = json.loads(run(*words).stdout)["tables"]["agreement"]
    items = [f"study.{number}" for number in range(1, 7)]
    observed = mean(scores, items)
    assert row[kind] == row[f"{kind}_upper"] == pytest.approx(observed)
    assert (row["annotators"], row["files"], row["items"]) == (3, 3, 6)
    rng = random.Random(7)
    drawn = sorted(mean(scores, rng.choices(items, k=6)) for _ in range(20_000))
    left_out = [mean(scores, [item for item in items if item != one]) for one in items]
    spread = [fmean(left_out) - value for value in left_out]
    normal = NormalDist()
    bias = normal.inv_cdf(fmean((d < observed) / 2 + (d <= observed) / 2 for d in drawn))
    acceleration = sum(s**3 for s in spread) / (6 * sum(s**2 for s in spread) ** 1.5)
    ends = []
    for quantile in (0.025, 0.975):
        shifted = bias + normal.inv_cdf(quantile)
        share = normal.cdf(bias + shifted / (1 - acceleration * shifted))
        ends.append(float(np.quantile(drawn, share)))
    assert [row[f"{kind}_low"], row[f"{kind}_high"]] == pytest.approx(ends, abs=0.006)


def test_the_report_begins_with_the_means(files: Path) -> None:
    text = run(*IAA).stdout
    _, sentence, _, table, *_ = text.split("\n\n")
    assert sentence.startswith("Mean pairwise Smatch F1 of 4 annotators on 6 items: 0.7007 (95% ")
    assert "; mean Smatch F1 with consensus: 0.8153 (95% confidence interval " in sentence
    assert table == "Mean agreement"
    found = tables(*IAA)
    assert next(iter(found)) == "agreement"
    every_two, agreed = found["agreement"]
    for row, has_consensus in ((every_two, False), (agreed, True)):
        among = [p for p in found["pairs"] if (p["second"] == "consensus") == has_consensus]
        for key in ("f1", "macro_f1"):
            assert row[key] == pytest.approx(fmean(pair[key] for pair in among))
            assert row[f"{key}_low"] < row[key] < row[f"{key}_high"]
        assert row["files"] == len(among)
        assert row["pairs"] == row["proven"] == row["certified"] == 6 * len(among)


def test_pairs_are_shown_once_and_columns_for_a_consensus_where_there_is_one(files: Path) -> None:
    text = run(*IAA).stdout
    assert text.count("0.7557") == 3  # of a and b: in the result, and in the table of pairs
    assert "Micro F1\n" not in text and "micro F1 with consensus" in text
    square = run(*IAA, "--table", "micro_f1").stdout
    assert "\nMicro F1\n" in square and square.count("0.7557") == 3
    alone = run("iaa", "a.amr", "b.amr", "c.amr", "--resamples", "99")
    assert "consensus" not in alone.stdout
    assert tables("iaa", "a.amr", "b.amr")["annotators"][0]["consensus_f1"] is None


def test_months_have_intervals_where_there_are_items_enough(files: Path) -> None:
    for row in tables(*IAA)["months"]:
        if row["pairs"] == 1:
            assert row["f1_low"] is row["f1_high"] is None
        else:
            assert row["f1_low"] <= row["f1"] <= row["f1_high"]
