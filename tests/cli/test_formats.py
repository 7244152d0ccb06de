"""The formats and files of results: the same names everywhere."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import get_args

import click
import generate
import pytest
from click.testing import CliRunner
from nightly import by_day

from exactmatch.cli import COMMANDS, main
from exactmatch.scoring.options import Format

INSTANCES = Path(generate.__file__).parent
A, B, C = (str(INSTANCES / "agreement" / f"{name}.amr") for name in "abc")
MRP = [str(INSTANCES / "mrp" / f"{side}.mrp") for side in ("system", "gold")]
EVERYTHING = ("--breakdown", "--subscores", "concepts", "--worst", "2", "--check")
#: The columns that are figures of a score, by their key in JSON.
KEYS = ["score", "precision", "recall", "f1", "f1_upper", "matched", "gold_total", "pairs"]


def printed(*words: str) -> str:
    result = CliRunner().invoke(main, [*words], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_formats_have_the_same_names_everywhere() -> None:
    found = {}
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        for one in command.params:
            if "--format" in one.opts:
                assert isinstance(one.type, click.Choice)
                found[name] = tuple(one.type.choices)
    assert found.pop("check") == (*found["choose"], "github", "sarif")
    assert found.pop("ngrams") == ("text", "json", "dot")
    assert {*found.values()} == {get_args(Format), ("text", "json")}
    assert found["score"] == found["compare"] == get_args(Format)
    assert found["choose"] == found["matrix"] == ("text", "json")


@pytest.mark.parametrize(
    "words", [("--worst", "2"), ("--breakdown",), ("--subscores", "damonte"), ("--check",)]
)
def test_csv_drops_nothing_that_is_asked_for(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["score", A, B, "--format", "csv", *words])
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"cannot be combined with {words[0]}" in result.stderr


def test_csv_has_a_row_for_each_metric_as_json_has_it() -> None:
    words = ("score", A, B, "--metric", "smatch,sembleu")
    rows = [*csv.DictReader(StringIO(printed(*words, "--format", "csv")))]
    contents = json.loads(printed(*words, "--format", "json"))["metrics"]
    assert [row["metric"] for row in rows] == [c["metric"] for c in contents]
    for row, content in zip(rows, contents, strict=True):
        assert row["signature"] == content["signature"]
        for key in KEYS:
            value = content[key]
            assert row[key] == ("" if value is None else str(round(value, 12))), key


@pytest.mark.parametrize("name", by_day(["markdown", "latex", "html"]))
def test_reports_of_scores_have_all_that_was_asked_for(name: str) -> None:
    content = json.loads(printed("score", A, B, *EVERYTHING, "--format", "json"))
    report = printed("score", A, B, *EVERYTHING, "--format", name)
    for figure in ("score", "precision", "recall"):
        assert f"{content[figure]:.4f}" in report
    for title in ("Scores", "Kinds of triples", "Subscores", "Worst pairs", "Validity"):
        assert title in report
    assert content["worst"][0]["id"] in report and "exactmatch score " in report
    assert content["long_signature"].partition("|memory")[0] in report


def test_scores_that_are_not_proven_have_both_ends() -> None:
    pair = [str(INSTANCES / "hard" / f"unrelated.{side}.amr") for side in ("system", "gold")]
    words = ("score", *pair, "--timeout", "0", "--memory", "1")
    (row,) = csv.DictReader(StringIO(printed(*words, "--format", "csv")))
    assert float(row["f1"]) < float(row["f1_upper"])
    assert f"F1 between {float(row['f1']):.4f} and" in printed(*words, "--format", "markdown")


def test_two_scores_of_one_metric_are_told_apart() -> None:
    rows = [*csv.DictReader(StringIO(printed("score", *MRP, "--by-framework", "--format", "csv")))]
    assert [row["metric"] for row in rows] == ["labelled", "unlabelled"]
    assert float(rows[0]["f1"]) < float(rows[1]["f1"])


def test_the_summary_of_choices_is_json_as_well(tmp_path: Path) -> None:
    words = ("choose", A, B, C, "-o", str(tmp_path / "chosen.amr"))
    text, content = printed(*words), json.loads(printed(*words, "--format", "json"))
    assert text.startswith(f"{content['items']} items")
    assert sum(file["chosen"] for file in content["files"]) == content["items"] == 24
    assert sum(content["stages"].values()) == content["pairs"] == 72
    for file in content["files"]:
        assert f"{file['chosen']} {file['path']}" in text


def test_a_difference_goes_to_a_file(tmp_path: Path) -> None:
    words = ("diff", A, B, "--id", "study.7", "--color", "always")
    shown = printed(*words)
    assert printed(*words, "-o", str(tmp_path / "diff")) == ""
    assert "\x1b[" in shown and (tmp_path / "diff").read_text("utf-8") == shown
