"""How many items are enough, and which items a third annotator gets."""

import csv
import json
import random
from math import ceil, sqrt
from pathlib import Path
from statistics import NormalDist, stdev
from typing import Any

import numpy as np
import pytest
from nightly import by_day
from study_files import ANNOTATORS, IAA, numbered, run, study_of, tables, write

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.report.document import Chart
from exactmatch.studies.common.item_numbers import ItemColumns, Planned, planned, planned_width
from exactmatch.studies.common.statistics import (
    F1,
    Interval,
    Items,
    Resampling,
    compare_scores,
    pseudo_values,
)
from exactmatch.studies.ranking.power import smallest_difference

COMPARE = ("compare", *ANNOTATORS, "--gold", "consensus.amr", "--resamples", "99")
PLAN = ("--plan", "0.02")


def items_of(matched: Any, total: int) -> Items:
    """Return proven items of one size."""
    found = np.array(matched, dtype=np.int64)
    return Items(found, found, np.full(len(found), total))


def precisions(one: Planned) -> dict[int, float | None]:
    return {size.items: size.precision for size in one.sizes}


def test_more_items_are_foretold_by_the_square_root_of_their_number() -> None:
    one = planned("mean", "half-width", [], 24, 0.03, 0.0, 0.01)
    assert one.enough == 216  # 24 * 3 * 3
    assert one.is_thin
    assert precisions(one) == pytest.approx(
        {
            24: 0.03,
            50: 0.03 * sqrt(24 / 50),
            100: 0.03 * sqrt(24 / 100),
            200: 0.03 * sqrt(24 / 200),
            216: 0.01,
        }
    )
    assert [size.basis for size in one.sizes] == ["all items", *["extrapolated"] * 4]


@pytest.mark.parametrize(
    "now, fixed, wanted, enough",
    [
        (0.03, 0.005, 0.01, 600),  # (0.025 / 0.005) squared is 25
        (0.03, 0.0, 0.06, 6),  # fewer than there are
        (0.03, 0.01, 0.01, None),  # what is not proven never shrinks
        (0.005, 0.005, 0.01, 24),
        (0.0, 0.0, 0.01, 24),
        (None, 0.0, 0.01, None),
    ],
)
def test_the_part_of_unproven_pairs_stays(
    now: float | None, fixed: float, wanted: float, enough: int | None
) -> None:
    one = planned("mean", "half-width", [], 24, now, fixed, wanted)
    assert (one.enough, one.now) == (enough, now)
    assert one.is_thin == (enough is None or enough > 24)


def test_extrapolated_half_widths_keep_the_part_of_unproven_pairs() -> None:
    """Of 0.03, 0.01 stays; four times the items halve the rest."""
    one = planned("mean", "half-width", [], 50, 0.03, 0.01, 0.02)
    assert one.enough == 200
    assert precisions(one)[200] == pytest.approx(0.02)


def test_subsamples_have_the_half_width_of_a_mean() -> None:
    """With items of one size, micro F1 is the mean of the items, so its error is known."""
    rng = random.Random(5)
    matched = [rng.randint(5, 20) for _ in range(300)]
    items = items_of(matched, 40)
    given = (Interval(0.6, 0.7), 0.0, 0.01, Resampling(999))
    one = planned_width("mean", ItemColumns(items.low, items.high, F1), *given)
    deviation = stdev(2 * m / 40 for m in matched)
    quantile = NormalDist().inv_cdf(0.975)
    there = [size for size in one.sizes if size.basis == "subsamples"]
    assert [size.items for size in there] == [10, 20, 50, 100, 200]
    for size in there[1:]:
        assert size.precision == pytest.approx(quantile * deviation / sqrt(size.items), rel=0.07)
    rng.shuffle(matched)
    other = items_of(matched, 40)
    assert planned_width("mean", ItemColumns(other.low, other.high, F1), *given) == one


def test_pseudo_values_of_items_of_one_size_are_their_f1() -> None:
    items = items_of([1, 2, 2, 0], 4)
    assert pseudo_values(items.low, F1) == pytest.approx([0.5, 1.0, 1.0, 0.0])


def test_pseudo_values_of_other_sizes_are_those_of_leaving_out() -> None:
    """Micro F1 is 2 * 4 / 12; without the first item, 6 / 8; without the second, 2 / 4."""
    items = Items(np.array([1, 3]), np.array([1, 3]), np.array([4, 8]))
    assert pseudo_values(items.low, F1) == pytest.approx([2 * 8 / 12 - 6 / 8, 2 * 8 / 12 - 2 / 4])


def paired(rng: random.Random, number: int, gain: float = 0.0) -> tuple[Items, Items]:
    """Return two systems on items of 40 triples; the first matches *gain* more on average."""
    left, right = [], []
    for _ in range(number):
        shared = rng.randint(6, 12)
        left.append(shared + rng.randint(0, 3) + (rng.random() < 0.5 + gain / 2))
        right.append(shared + rng.randint(0, 3) + (rng.random() < 0.5 - gain / 2))
    return items_of(left, 40), items_of(right, 40)


def test_the_smallest_difference_is_that_of_the_normal_distribution() -> None:
    """For many items, it is the sum of two quantiles, in standard errors."""
    one, other = paired(random.Random(1), 500)
    differences = (2 * (one.matched - other.matched) / 40).tolist()
    quantiles = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
    expected = quantiles * stdev(differences) / sqrt(500)
    assert smallest_difference(one, other, Resampling()) == pytest.approx(expected, rel=0.06)


def power_met(plans: int, sets: int) -> float:
    """Return the share of data sets that show a difference that was planned on other items."""
    rng = random.Random(2)
    resampling = Resampling(499)
    shown = 0
    for _ in range(plans):
        least = smallest_difference(*paired(rng, 150), resampling)
        assert least is not None
        for _ in range(sets):
            p = compare_scores(*paired(rng, 150, 40 * least / 2), resampling).p
            shown += p is not None and p <= 0.05
    return shown / (plans * sets)


@pytest.mark.nightly
def test_the_power_as_planned_is_met() -> None:
    """Of 200 sets, 160 are expected, give or take 5.7 and the uncertainty of the plans."""
    assert 0.7 < power_met(10, 20) < 0.9


@pytest.mark.nightly
def test_the_power_as_planned_is_met_in_many_sets() -> None:
    """The standard error is a hundredth."""
    assert 0.76 < power_met(100, 20) < 0.83


def test_too_few_items_show_no_difference() -> None:
    """Of 32 exchanges of five items, two are as extreme as any; of 64 of six, this is enough."""
    matched = [20, 3, 12, 17, 9, 14]
    shown = [
        smallest_difference(
            items_of(matched[:number], 40), items_of([1] * number, 40), Resampling()
        )
        for number in (1, 2, 5, 6)
    ]
    assert shown[:3] == [None, None, None]
    assert shown[3] is not None


def test_equal_systems_show_no_difference() -> None:
    one = items_of(range(20), 40)
    assert smallest_difference(one, one, Resampling()) is None


def test_a_level_that_no_test_reaches_shows_no_difference() -> None:
    both = paired(random.Random(1), 100)
    assert smallest_difference(*both, Resampling(confidence=0.9995)) is None


@pytest.mark.parametrize("command", [IAA, COMPARE])
def test_what_is_not_planned_stays_the_same(files: Path, command: tuple[str, ...]) -> None:
    usual, more = (
        json.loads(run(*command, *words, "--format", "json").stdout)
        for words in ((), (*PLAN, *(["--items", "order.csv"] if command is IAA else [])))
    )
    assert len(more["tables"].pop("plan")) > 4
    assert more["tables"] == usual["tables"]
    assert more["sentence"].startswith(usual["sentence"])
    assert more["result"] == usual["result"]


def test_the_plan_of_agreement_is_that_of_the_intervals_printed(files: Path) -> None:
    found = tables(*IAA, *PLAN)
    rows = [row for row in found["plan"] if row["basis"] == "all items"]
    printed = [*found["agreement"], *found["pairs"]]
    assert len(rows) == len(printed) == 2 + 10
    for row, of in zip(rows, printed, strict=True):
        half = (of["f1_high"] - of["f1_low"]) / 2
        assert row["half_width"] == pytest.approx(half)
        assert row["items"] == 6
        assert row["enough"] == ceil(6 * (half / 0.02) ** 2)
    more = [r for r in found["plan"] if r["basis"] == "extrapolated"]
    first, *_ = rows
    for row in more:
        if row["of"] == first["of"]:
            expected = first["half_width"] * sqrt(6 / row["items"])
            assert row["half_width"] == pytest.approx(expected)


def test_pairs_of_files_with_too_few_items_are_named(files: Path) -> None:
    words = ("iaa", "a.amr", "b.amr", "c.amr", "--resamples", "99", "--plan", "0.02")
    thin = [row["of"] for row in tables(*words)["plan"] if (row["enough"] or 0) > 6]
    among, *pairs = thin
    assert (among, len(pairs) > 1) == ("mean of every two", True)
    report = study_of(*words).document
    (note,) = [one for one in report.notes if one.startswith("Too few items")]
    named = [part.split(" (")[0].strip() for part in note.split(": ")[1].split(";")]
    assert [name.replace(" and ", " / ") for name in named] == pairs
    plot = next(plot for plot in report.plots if plot.key == "plan")
    assert isinstance(plot, Chart)
    there, beyond = plot.series
    assert (there.label, beyond.label) == (among, f"{among}, extrapolated")
    assert (list(there.xs), list(beyond.xs)[:2]) == ([6], [6, 10])


def test_one_item_has_no_plan(files: Path) -> None:
    for name in ("a", "b"):
        write(f"{name}.amr", numbered("(x / one)"))
    found = json.loads(run("iaa", "a.amr", "b.amr", *PLAN, "--format", "json").stdout)
    assert found["sentence"].endswith("so its precision is unknown.")
    (row,) = found["tables"]["plan"]
    assert (row["items"], row["half_width"], row["enough"]) == (1, None, None)
    shown = run("compare", "a.amr", "b.amr", *PLAN)
    assert "nothing can be planned" in shown.stdout


@pytest.mark.parametrize("form", by_day(["text", "markdown", "latex", "html"]))
@pytest.mark.parametrize("command", [("iaa", "a.amr", "b.amr", "--resamples", "99"), COMPARE])
def test_every_format_has_the_sentence_and_the_table(
    files: Path, command: tuple[str, ...], form: str
) -> None:
    shown = run(*command, *PLAN, "--format", form).stdout
    assert "items give 0.02" in shown
    assert "How many items are enough" in shown
    assert "extrapolated" in shown


def test_metrics_are_planned_one_by_one(files: Path) -> None:
    rows = tables(*COMPARE, "--metric", "smatch,sembleu", *PLAN)["plan"]
    assert {row["metric"] for row in rows} == {"smatch", "sembleu"}
    alone = tables(*COMPARE, "--metric", "sembleu", *PLAN)["plan"]
    assert [{**row, "metric": "sembleu"} for row in alone] == [
        row for row in rows if row["metric"] == "sembleu"
    ]


def test_unproven_pairs_have_a_part_that_stays(files: Path) -> None:
    """No half-width below half of the gap is ever reached."""
    found = tables(
        "iaa", "a.amr", "b.amr", "--memory", "1K", "--resamples", "99", "--plan", "0.003"
    )
    (mean,) = found["agreement"]
    gap = mean["f1_upper"] - mean["f1"]
    assert gap > 2 * 0.003
    (row, *_), *more = [[r for r in found["plan"] if r["basis"] == b] for b in ("all items",)]
    assert (row["enough"], more) == (None, [])
    assert all(r["half_width"] > gap / 2 for r in found["plan"])


@pytest.mark.parametrize("width", ["0", "1", "-0.1", "nan", "inf", "1e-200"])
@pytest.mark.parametrize("command", [IAA, COMPARE])
def test_a_width_that_no_interval_has_is_refused(
    files: Path, command: tuple[str, ...], width: str
) -> None:
    refused = run(*command, "--plan", width)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "half-width" in refused.stderr


#: Graphs of two annotators, with one triple of a concept and one of each role and attribute.
#: The F1 without tops is 1/2, 1, 1/2 and 1/4, with 1, 0, 2 and more differences.
ONE = [
    "(a / x :polarity -)",
    "(a / x)",
    "(a / x :polarity - :ARG0 (b / v))",
    "(a / x :polarity - :ARG0 (b / v))",
]
OTHER = [
    "(a / y :polarity -)",
    "(a / x)",
    "(a / y :polarity - :ARG1 (b / v))",
    "(a / y :polarity - :ARG1 (b / w))",
]


def listed(*words: str) -> list[dict[str, str]]:
    assert run("iaa", "one.amr", "other.amr", "--top", "none", "--resamples", "99",
               "--items", "order.csv", *words).exit_code == 0  # fmt: skip
    with Path("order.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_third_annotator_gets_the_lowest_agreement_first(files: Path) -> None:
    """Of equal agreement, the item with more certain differences; nothing that is agreed upon."""
    write("one.amr", numbered(*ONE))
    write("other.amr", numbered(*OTHER))
    rows = listed()
    assert [(row["order"], row["item"], float(row["mean_f1"])) for row in rows] == [
        ("1", "4", 0.25),
        ("2", "3", 0.5),
        ("3", "1", 0.5),
    ]
    assert [(row["certain"], row["arbitrary"]) for row in rows[1:]] == [("2", "0"), ("1", "0")]
    assert rows[2]["differences"] == "x / y (1)"
    assert rows[0]["lowest_files"] == "one / other"
    assert listed("--rows", "1") == rows  # the file is not cut
    assert (
        len(tables("iaa", "one.amr", "other.amr", "--rows", "1", "--items", "o.csv")["items"]) == 1
    )


def test_the_file_of_items_is_no_other_file(files: Path) -> None:
    before = Path("b.amr").read_bytes()
    refused = run("iaa", "a.amr", "b.amr", "--items", "b.amr")
    assert (refused.exit_code, Path("b.amr").read_bytes()) == (2, before)
    with pytest.raises(UsageError, match=r"b\.amr"):
        exactmatch.agreement(["a.amr", "b.amr"], items="b.amr")
    assert Path("b.amr").read_bytes() == before
    refused = run("iaa", "a.amr", "b.amr", "--certificates", "p", "--items", "p/x.csv")
    assert refused.exit_code == 2
    assert not Path("p").exists()


def test_python_has_the_same(files: Path) -> None:
    found = exactmatch.agreement(["a.amr", "b.amr"], resamples=99, plan=0.02, items="o.csv")
    assert found.to_frame("plan")["items"].max() >= 50
    assert Path("o.csv").read_text(encoding="utf-8").startswith("order,item,mean_f1,")
    ranked = exactmatch.compare(["a.amr", "b.amr"], "c.amr", resamples=99, plan=0.02)
    assert "plan" in ranked.tables
    with pytest.raises(UsageError, match="half-width"):
        exactmatch.compare(["a.amr"], "c.amr", plan=2.0)


def test_the_plan_of_equal_runs_is_that_of_one_run(files: Path) -> None:
    """The mean of a run and its copy is the run; a plan is for these runs, whatever their order."""
    Path("again.amr").write_bytes(Path("a.amr").read_bytes())
    words = ("consensus.amr", "--resamples", "99", *PLAN)
    one, two = (
        {row["of"]: row for row in tables("compare", *runs, "b=b.amr", *words)["plan"]
         if row["basis"] == "all items"}
        for runs in (["a=a.amr"], ["a=a.amr", "a=again.amr"])
    )  # fmt: skip
    assert [*one] == [*two] == ["a", "b", "a / b"]
    for name, row in one.items():
        for key in ("half_width", "difference"):
            assert two[name].get(key) == pytest.approx(row.get(key))


def test_the_order_of_runs_changes_no_plan(files: Path) -> None:
    words = ("y=d.amr", "consensus.amr", "--resamples", "99", *PLAN)
    found = [
        run("compare", *(f"x={name}.amr" for name in order), *words, "--table", "plan",
            "--format", "csv").stdout
        for order in ("abc", "cba")
    ]  # fmt: skip
    assert found[0] == found[1]
    shown = run("compare", "x=a.amr", "x=b.amr", *words).stdout
    assert "confidence interval over items, for these runs, of the Smatch F1 of" in shown
    assert "New runs vary as well, which no number of items reduces." in shown
