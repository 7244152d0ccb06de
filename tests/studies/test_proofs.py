"""The proven and unproven parts of a study, with reasons."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from study_files import FEW, blocks_of, run, tables, write

from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.results import PairScore
from exactmatch.studies.ranking import scored_pair


def test_certificates_of_a_study_verify(files: Path) -> None:
    assert run("iaa", *FEW, "a.amr", "b.amr", "c.amr", "--certificates", "proofs").exit_code == 0
    assert sorted(path.name for path in Path("proofs").iterdir()) == [
        "a--b.jsonl", "a--c.jsonl", "b--c.jsonl", "manifest.json",
    ]  # fmt: skip
    result = run("verify", "proofs/b--c.jsonl", "b.amr", "c.amr")
    assert result.exit_code == 0
    assert result.stdout.startswith("verified: 6  bounded: 0  refuted: 0  unproven: 0\n")


def test_proofs_of_files_of_one_name_are_kept_apart(files: Path) -> None:
    for folder in ("x", "y"):
        Path(folder).mkdir()
        shutil.copy("a.amr", f"{folder}/a.amr")
    shutil.copy("a.amr", "x_a.amr")
    words = ("iaa", *FEW, "x/a.amr", "y/a.amr", "x_a.amr", "--consensus", "consensus.amr")
    assert run(*words, "--certificates", "proofs").exit_code == 0
    assert len(list(Path("proofs").glob("*.jsonl"))) == 6
    assert run("verify", "proofs").exit_code == 0


def test_not_proven_in_time(files: Path) -> None:
    words = ("iaa", *FEW, "a.amr", "c.amr", "--timeout", "0", "--format", "json")
    found = json.loads(run(*words).stdout)
    (row,) = found["tables"]["pairs"]
    assert row["proven"] < 6 and row["f1"] < row["f1_upper"]
    assert any("Pairs that reached the time limit" in note for note in found["notes"])
    assert "at most" in run(*words[:-2]).stdout
    assert run(*words, "--require-optimal").exit_code == 3


@pytest.mark.slow
def test_not_solved_for_want_of_memory(files: Path) -> None:
    memory = ("--memory", "1K")
    for name in ("a.amr", "c.amr"):
        write(name, blocks_of(name)[:3])
    (row,) = tables("iaa", *FEW, "a.amr", "c.amr", *memory)["pairs"]
    (whole,) = tables("iaa", *FEW, "a.amr", "c.amr")["pairs"]
    assert 0 < row["proven"] < 3 and row["f1"] <= whole["f1"] <= row["f1_upper"]
    assert row["f1"] < row["f1_upper"]
    text = run("principles", "a.amr", "c.amr", "--metric", "smatch", "--seeds", "1", *memory).stdout
    assert f"3 pairs of graphs, 1 seed. Proven: {row['proven']} pairs." in text


@pytest.mark.parametrize("words", ["iaa a.amr b.amr", "compare a.amr --gold b.amr"])
def test_pairs_too_large_are_noted(files: Path, words: str) -> None:
    result = run(*words.split(), "--memory", "1K")
    assert result.exit_code == 0
    assert "Pairs too large for the memory limit: " in result.stdout


def test_proofs_that_rest_on_a_word(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_word(pair: Any, metric: Any, settings: Any, end: Any, **_: Any) -> PairScore:
        score = score_pair(pair, metric, settings, end)
        if pair.identifier == "study.2":
            measured = score.measurement._replace(solver="scip", checked=False)
            score = replace(score, measurement=measured)
        return score

    words = ("compare", "a.amr", "--gold", "b.amr", "--resamples", "99")
    assert run(*words, "--require-certified").exit_code == 0
    assert "Proven: 6 of 6 pairs of graphs.\n" in run(*words).stdout
    monkeypatch.setattr(scored_pair, "score_pair", by_word)
    monkeypatch.setattr(scored_pair, "counter_of", lambda *_: None)
    result = run(*words, "--require-certified")
    assert result.exit_code == 3
    assert "1 of 6 pairs not proven by a checked proof" in result.stderr
    note = "Proven: 6 of 6 pairs of graphs, 5 by a checked proof, 1 by the word of scip.\n"
    assert note in result.stdout
    assert run(*words, "--require-optimal").exit_code == 0
