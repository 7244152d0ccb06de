"""Every command takes UMR, and reports a faulty file with the place of the fault."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from umr_samples import ONE, TWO

from exactmatch.cli import main

FOLDER = Path(__file__).resolve().parents[2] / "instances" / "umr"
SYSTEM, GOLD = str(FOLDER / "a.umr"), str(FOLDER / "b.umr")


def run(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, list(words), catch_exceptions=False)
    assert result.exit_code == status, result.stderr + result.stdout
    return result


@pytest.mark.parametrize(
    "words",
    by_day(
        [
            ["score", SYSTEM, GOLD, "--breakdown", "--check"],
            ["score", SYSTEM, GOLD, "--metric", "sembleu", "--metric", "rematch"],
            ["iaa", SYSTEM, GOLD, "--resamples", "10"],
            ["compare", SYSTEM, "--gold", GOLD, "--resamples", "10"],
            ["search-error", SYSTEM, "--gold", GOLD, "--seeds", "1"],
            ["explain", SYSTEM, GOLD, "--between", "default", "smatch-1.0.4"],
            ["principles", SYSTEM, GOLD, "--seeds", "1"],
            ["correlate", SYSTEM, "--gold", GOLD, "--metric", "smatch", "--metric", "rematch"],
            ["diff", SYSTEM, GOLD],
            ["mappings", SYSTEM, GOLD, "--id", "snt1"],
            ["export", SYSTEM, GOLD, "--to", "triples"],
            ["export", SYSTEM, GOLD, "--to", "lp", "--id", "d2.snt1"],
            ["matrix", SYSTEM, GOLD],
            ["nearest", SYSTEM, GOLD],
            ["choose", SYSTEM, GOLD],
            ["check", SYSTEM, GOLD],
        ],
        4,
    ),
    ids=lambda words: " ".join(word for word in words if ".umr" not in word),
)
def test_every_command_takes_umr(words: list[str]) -> None:
    assert run(*words).stdout


def test_umr_has_certificates_and_pages(tmp_path: Path) -> None:
    proofs, page = str(tmp_path / "proofs.jsonl"), str(tmp_path / "page.html")
    run("score", SYSTEM, GOLD, "--certificates", proofs)
    assert "verified: 5  bounded: 0  refuted: 0" in run("verify", proofs, SYSTEM, GOLD).stdout
    run("show", SYSTEM, GOLD, "--output", page)
    assert "Ada missed it and called her sister ." in Path(page).read_text(encoding="utf-8")


def test_chosen_graphs_are_a_file_of_umr(tmp_path: Path) -> None:
    path = tmp_path / "chosen.umr"
    run("choose", SYSTEM, GOLD, "--output", str(path))
    found = json.loads(run("check", str(path), "--format", "json").stdout)["files"][0]
    assert (found["format"], found["graphs"], found["faulty"]) == ("UMR", 5, 0)
    assert "\n\n\n" in path.read_text(encoding="utf-8")


def test_choose_tells_sentences_by_their_tokens(tmp_path: Path) -> None:
    one, other, third = (tmp_path / name for name in ("a.umr", "b.umr", "c.umr"))
    on = ONE.replace("snt1", "snt3").replace("snt2", "snt4")
    one.write_text(TWO, encoding="utf-8")
    other.write_text(f"{ONE}\n\n{on}", encoding="utf-8")
    third.write_text(TWO.replace("They flew", "We flew"), encoding="utf-8")
    assert "4 of graphs that equal others" in run("choose", str(one), str(other)).stderr
    result = run("choose", str(one), str(other), str(third))
    assert "c.umr:27: graph 2 (id snt2): token 1 is 'We', but 'They' at" in result.stderr


def test_metrics_of_documents_compare_no_sentences() -> None:
    for command in ("matrix", "nearest", "choose"):
        result = run(command, SYSTEM, GOLD, "--metric", "umatch", status=2)
        assert "this umatch compares a document as a whole; here, only sentences" in result.stderr


def test_documents_without_some_sentences(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.umr", tmp_path / "part.umr"
    whole.write_text(ONE, encoding="utf-8")
    part.write_text(ONE.split("\n\n\n")[0], encoding="utf-8")
    files = (str(whole), str(part))
    for words in (("score", *files, "--on-error", "skip"), ("iaa", *files, "--resamples", "10")):
        result = run(*words, "--metric", "umatch", status=1)
        assert f"{whole}:27: graph 2 (id snt2): {part} has no such sentence" in result.stderr
    assert "pairs of documents without some of their sentences: 1" in result.stderr


def test_what_maps_by_rules_is_not_proven() -> None:
    result = run(
        "score", SYSTEM, GOLD, "--metric", "umatch", "--profile", "umrtools-2026",
        "--certificates", "x", status=2,
    )  # fmt: skip
    assert "umatch maps by rules in this profile" in result.stderr


def test_a_malformed_file_of_umr_is_told_in_full(tmp_path: Path) -> None:
    path = tmp_path / "x.umr"
    text = TWO.replace("(s2t / they)", "(s2t)").replace("s1b: 1-1", "s9b: 1-1")
    path.write_text(text, encoding="utf-8")
    gold = tmp_path / "gold.umr"
    gold.write_text(TWO, encoding="utf-8")
    result = run("score", str(path), str(gold), status=1)
    lines = result.stderr.splitlines()
    assert f"error: {path}:35: graph 2 (id snt2): variable s2t has no concept" in lines
    assert f"{path}:82: graph 4 (id d2.snt2): variable s2t has no concept" in lines
    result = run("score", str(path), str(gold), "--on-error", "skip", status=1)
    note = "alignment: s9b is no variable of the graph; this line is lost"
    assert f"note: {path}:17: graph 1 (id snt1): {note}" in result.stderr
    for said in ("16 of 16", "pairs skipped: 2", "pairs with a note: 2"):
        assert said in result.stdout
    result = run("score", str(path), str(gold), "--on-error", "empty", status=1)
    assert "16 of 26" in result.stdout
