"""Names of systems and their runs in the studies other than `compare`."""

import json
import os
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from study_files import blocks_of, run, tables, write

import exactmatch

SCORED = ("--metric", "smatch,sembleu")
ONE_SEED = ("--method", "s", "--seeds", "1")


def untimed(*words: str) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a study without seconds."""
    found = tables(*words)
    for row in found.get("methods", []):
        row.pop("seconds", None)
    return found


@pytest.mark.parametrize("command", ["correlate", "search-error"])
def test_a_name_with_one_file_changes_the_name_alone(files: Path, command: str) -> None:
    words = SCORED if command == "correlate" else ONE_SEED
    Path("one.amr").write_bytes(Path("a.amr").read_bytes())
    by_file = untimed(command, "one.amr", "b.amr", "consensus.amr", *words)
    assert untimed(command, "one=a.amr", "b=b.amr", "consensus.amr", *words) == by_file


def test_systems_are_ranked_by_the_means_of_their_runs(files: Path) -> None:
    found = tables("correlate", "x=a.amr", "x=d.amr", "y=[bc].amr", "consensus.amr", *SCORED)
    scores = {row["system"]: row for row in found["rankings"]}
    assert [*scores] == ["x (a)", "x (d)", "y (b)", "y (c)"]
    for row in found["means"]:
        own = [scores[run] for run in scores if run.startswith(row["system"])]
        assert row["runs"] == 2
        for metric in ("smatch", "sembleu"):
            assert row[metric] == pytest.approx(sum(one[metric] for one in own) / 2)
    for metric in ("smatch", "sembleu"):
        ranked = sorted(found["means"], key=lambda row: -row[metric])
        assert [row[f"{metric}_rank"] for row in ranked] == [1, 2]
    compared = tables("compare", "x=a.amr", "x=d.amr", "y=[bc].amr", "consensus.amr",
                      "--resamples", "99")  # fmt: skip
    assert {row["system"]: row["f1"] for row in compared["ranking"]} == {
        row["system"]: pytest.approx(row["smatch"]) for row in found["means"]
    }
    preferred = {(row["system"], row["other_system"]) for row in found["preferences"]}
    assert preferred == {(f"x ({x})", f"y ({y})") for x in "ad" for y in "bc"}


def test_python_takes_runs_as_compare_does(files: Path) -> None:
    result = exactmatch.correlate({"x": ["a.amr", "d.amr"]}, "consensus.amr", metric=["smatch"])
    assert [*result.found.means] == ["x"]
    alone = exactmatch.search_error({"x": "a.amr"}, "consensus.amr", methods=["s"], seeds=1)
    assert [*alone.found.scores] == [("x", "consensus")]


def test_runs_of_search_errors_are_verified_by_their_names(files: Path) -> None:
    words = ("search-error", "x=[ab].amr", "y=c.amr", *ONE_SEED, "--certificates")
    for folder, more in (("one", ["consensus.amr"]), ("two", ["--every-two"])):
        report = run(*words, folder, *more, "--format", "json")
        assert report.exit_code == 0, report.stderr
        sentence = json.loads(report.stdout)["sentence"]
        assert "x (a) / " in sentence
        assert json.loads(run("verify", folder, "--format", "json").stdout)["sentence"] == sentence


@pytest.mark.parametrize("command", ["compare", "correlate", "search-error"])
def test_a_list_of_systems_is_read_once(files: Path, command: str) -> None:
    """A pipe can be read only once."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names")
    words = {"correlate": SCORED, "search-error": ONE_SEED, "compare": ("--resamples", "99")}
    text = '[systems]\nx = "[ab].amr"\ny = "c.amr"\n'
    Path("systems.toml").write_text(text, encoding="utf-8")
    found = untimed(command, "consensus.amr", "--systems", "systems.toml", *words[command])
    os.mkfifo("pipe")
    writer = Thread(target=Path("pipe").write_text, args=[text])
    writer.start()
    again = untimed(command, "consensus.amr", "--systems", "pipe", *words[command])
    writer.join()
    assert again == found


def test_the_files_of_a_list_are_not_overwritten(files: Path) -> None:
    write("systems.toml", ['[systems]\nx = "[ab].amr"'])
    before = Path("b.amr").read_bytes()
    result = run("correlate", "consensus.amr", "--systems", "systems.toml", "-o", "b.amr")
    assert result.exit_code == 2
    assert Path("b.amr").read_bytes() == before


def test_show_takes_the_name_of_one_run(files: Path) -> None:
    named, plain = (run("show", word, "b.amr", "-o", f"{k}.html")
                    for k, word in enumerate(("x=a.amr", "a.amr")))  # fmt: skip
    assert (named.exit_code, named.stdout) == (0, "0.html\n")
    assert plain.exit_code == 0
    assert Path("0.html").read_bytes() == Path("1.html").read_bytes()
    several = run("show", "x=[ab].amr", "c.amr", "-o", "no.html")
    assert several.exit_code == 2
    assert "x=[ab].amr names 2 files: show one of them" in several.stderr
    assert not Path("no.html").exists()
    assert run("show", "x=[yz].amr", "c.amr", "-o", "no.html").exit_code == 1
    assert len(blocks_of("a.amr")) == 6
