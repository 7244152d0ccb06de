"""Many graphs, whose pairs are solved by a solver that is asked for by name."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nightly import by_day
from study_files import AGREEMENT, run, write_files

import exactmatch
from exactmatch.many.pairwise import COVER, PROOF, WORD

FILES = ("a.amr", "b.amr", "d.amr")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files()


def content_of(*words: str) -> dict[str, Any]:
    done = run(*words, "--workers", "1", "--format", "json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("given", by_day(["none", "presolve,start,bound"]))
def test_a_solver_by_name_solves_the_pairs_of_a_matrix(given: str) -> None:
    sides = Path(FILES[0]), Path(FILES[2])
    usual = exactmatch.matrix(*sides)
    found = exactmatch.matrix(*sides, solver="maxsat", given=given)
    assert np.array_equal(found.matched, usual.matched)
    assert np.array_equal(found.upper, usual.upper)
    assert usual.stages[COVER] > 0 and WORD not in usual.stages
    assert found.stages[COVER] == 0
    assert found.stages[PROOF] + found.stages[WORD] == found.pairs == 36
    assert found.stages[WORD] > 0


def test_summaries_count_what_rests_on_a_word() -> None:
    by = ("--solver", "maxsat", "--given", "none")
    for command in (("matrix", *FILES[:2], "-o", "m.csv"), ("choose", *FILES, "-o", "c.amr")):
        usual, found = content_of(*command), content_of(*command, "--exact", *by)
        assert "word" not in usual["stages"]
        count = found["stages"]["word"]
        assert count > 0 == found["stages"]["cover"]
        assert (
            f"{count} solved one by one, bounded by the word of a solver"
            in run(*command, *by, "--workers", "1").stdout
        )


@pytest.mark.parametrize(
    "words",
    by_day(
        [
            ["matrix", *FILES[:2], "-o", "m.csv"],
            ["nearest", *FILES[:2], "-o", "n.csv"],
            ["choose", *FILES, "--all", "-o", "c.amr"],
        ]
    ),
)
def test_a_solver_that_never_worked_comes_first(words: list[str]) -> None:
    words = [*words, "--solver", "highs", "--given", "none"]
    firsts = [
        run(*words, "--timeout", "0", "--workers", workers).stdout.splitlines()[0]
        for workers in ("1", "2")
    ]
    told = re.fullmatch(
        r"highs worked on none of (\d+) pairs: no time or memory was left for it in (\d+); "
        "raise --timeout or --memory",
        firsts[0],
    )
    assert told is not None and int(told[1]) == int(told[2]) > 0, firsts
    assert firsts[0] == firsts[1]
    late = content_of(*words, "--timeout", "0")["solver_work"]
    assert (late["asked"], late["worked"]) == (0, 0)
    usual = content_of(*words)
    assert usual["solver_work"]["worked"] == usual["solver_work"]["asked"] == int(told[1])
    assert "worked on none" not in run(*words, "--workers", "1").stdout


def test_choices_and_neighbours_are_the_same_by_a_solver() -> None:
    by = ("--solver", "highs", "--given", "start")
    for command in (("choose", *FILES, "--all"), ("nearest", "a.amr", "d.amr", "--top", "2")):
        run(*command, "-o", "usual.csv")
        assert run(*command, *by, "-o", "found.csv", "--workers", "1").exit_code == 0
        assert Path("found.csv").read_text() == Path("usual.csv").read_text()


def test_candidates_take_a_solver() -> None:
    graphs = [(AGREEMENT / name).read_text().split("\n\n")[6] for name in FILES]
    usual = exactmatch.candidates(graphs)
    found = exactmatch.candidates(graphs, solver="maxsat", given="none")
    assert np.array_equal(found.matched, usual.matched) and found.best == usual.best
    assert (found.solved, found.spared) == (usual.solved, usual.spared)
    birds = ["(s / sing-01 :ARG0 (b / bird))", "(x / sing-01 :ARG0 (y / bird) :time (n / now))"]
    kept = exactmatch.consensus([*birds, "(z / shout-01 :ARG0 (b / bird))"], solver="maxsat")
    assert kept.to_penman() == "(s / sing-01\n   :ARG0 (b / bird))"
    with pytest.raises(exactmatch.UsageError, match="given needs a solver by name"):
        exactmatch.candidates(graphs, given="start")


def test_adjudication_takes_a_solver() -> None:
    usual = run("adjudicate", *FILES, "-o", "usual", "--workers", "1")
    assert usual.exit_code == 0, usual.output
    found = run("adjudicate", *FILES, "-o", "found", "--solver", "maxsat", "--workers", "1")
    assert found.exit_code == 0, found.output
    assert Path("found/batch.json").read_bytes() == Path("usual/batch.json").read_bytes()
