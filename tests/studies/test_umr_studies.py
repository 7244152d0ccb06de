"""Studies of UMR as the shared task has it: several systems, one gold standard, documents."""

import json
from pathlib import Path
from typing import Any

import pytest
from study_files import run, tables, write

import exactmatch

INSTANCES = Path(__file__).resolve().parents[2] / "instances" / "umr"
A, B = INSTANCES / "a.umr", INSTANCES / "b.umr"
SENTENCES = "umatch:document-level=ignore"


@pytest.fixture
def systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return files of three systems: an annotator, the gold standard itself, and a poor one."""
    monkeypatch.chdir(tmp_path)
    text = A.read_text(encoding="utf-8")
    write("annotator.umr", [text])
    write("perfect.umr", [B.read_text(encoding="utf-8")])
    write("poor.umr", [text.replace(":aspect", ":manner").replace("/ person", "/ thing")])
    return ["annotator.umr", "perfect.umr", "poor.umr"]


def compared(systems: list[str], *words: str) -> dict[str, list[dict[str, Any]]]:
    return tables("compare", *systems, "--gold", str(B), "--resamples", "99", *words)


def test_systems_by_umatch_and_smatch(systems: list[str]) -> None:
    found = compared(systems, "--metric", SENTENCES, "--metric", "smatch")
    assert [(row["system"], row["smatch_rank"]) for row in found["metrics"]] == [
        ("perfect", 1), ("annotator", 2), ("poor", 3),
    ]  # fmt: skip
    for row in found["ranking"]:
        choices: Any = {"document_level": "ignore"} if row["metric"] == SENTENCES else {}
        metric = exactmatch.metric(row["metric"].partition(":")[0], **choices)
        score = exactmatch.score(Path(f"{row['system']}.umr"), B, metric=metric)
        expected = (score.matched, score.system_total, score.gold_total)
        assert tuple(row[k] for k in ("matched", "system_total", "gold_total")) == expected
        assert row["pairs"] == row["proven"] == 5
        assert row["f1_low"] <= row["f1"] <= row["f1_high"]
    assert {row["significant"] for row in found["differences"]} <= {"yes", "no"}


def test_documents_are_items_where_their_level_counts(systems: list[str]) -> None:
    words = ("compare", *systems, "--gold", str(B), "--metric", "umatch", "--resamples", "99")
    result = json.loads(run(*words, "--format", "json").stdout)
    assert {row["pairs"] for row in result["tables"]["ranking"]} == {2}
    assert "Each item is a document, compared as a whole." in result["notes"]
    perfect, *_ = result["tables"]["ranking"]
    assert (perfect["system"], perfect["f1"]) == ("perfect", 1)


@pytest.mark.parametrize("command", ["compare", "iaa"])
def test_of_one_document_nothing_can_be_resampled(systems: list[str], command: str) -> None:
    for name in systems:
        text = Path(name).read_text(encoding="utf-8")
        write(name, [text.partition("# meta-info :: sent_id = boats")[0].rstrip("#\n")])
    words = [command, *systems[:2], "--gold", systems[1], "--metric", "umatch"]
    if command == "iaa":
        words = [command, *systems[:2], "--metric", "umatch"]
    result = json.loads(run(*words, "--resamples", "99", "--format", "json").stdout)
    (note,) = (note for note in result["notes"] if "nothing to resample" in note)
    assert "With --document-level ignore, each sentence is an item" in note
    row = result["tables"]["pairs" if command == "iaa" else "ranking"][0]
    assert (row["f1_low"], row["f1_high"]) == (None, None)
    again = run(*words, "--document-level", "ignore", "--resamples", "99", "--format", "json")
    assert not any("resample" in note for note in json.loads(again.stdout)["notes"])


def test_metrics_of_other_extents_are_not_mixed(systems: list[str]) -> None:
    words = ("compare", *systems, "--gold", str(B), "--metric", "umatch", "--metric", "smatch")
    result = run(*words)
    assert result.exit_code == 2
    assert "umatch:document-level=ignore" in result.stderr
