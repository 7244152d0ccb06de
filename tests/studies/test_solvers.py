"""Studies whose pairs are proven by a solver that is asked for by name."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from missing_prover import without_relaxations
from nightly import by_day
from study_files import run

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.problem import MatchingProblem
from exactmatch.solving import strategy
from exactmatch.solving.strategy import bounded

BOTH = ("d.amr", "consensus.amr")
#: The studies that certify, and their options.
CERTIFYING = {
    "iaa": BOTH,
    "compare": BOTH,
    "search-error": (*BOTH, "--method", "s", "--seeds", "1"),
}
#: The pairs of these files.
PAIRS = 6


def content_of(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*words, "--workers", "1", "--format", "json").stdout)
    return found


def by_word(text: str, solver: str) -> int:
    """Return how many pairs rest on the word of *solver* according to *text*."""
    found = re.search(rf"(\d+) by the word of {solver}", text)
    return int(found[1]) if found else 0


def certified(text: str) -> int:
    found = re.search(rf"(\d+) of {PAIRS} pairs of graphs certified", text)
    assert found is not None, text
    return int(found[1])


def unclosed(problem: MatchingProblem, *_: Any, **__: Any) -> Any:
    """Prove no more than the first bound."""
    return bounded(problem)


@pytest.mark.parametrize("study", by_day(CERTIFYING))
def test_reports_say_whose_word_a_result_is(files: Path, study: str) -> None:
    words = (study, *CERTIFYING[study])
    found = content_of(*words, "--solver", "cpsat", "--given", "none")
    claimed = by_word(found["sentence"], "cpsat")
    assert claimed == PAIRS - certified(found["sentence"]) > 0
    proven = f"Proven: 6 of 6 pairs of graphs, {PAIRS - claimed} by a checked proof, {claimed} by"
    assert any(proven in note for note in found["notes"])
    assert "Given to cpsat: nothing; asked for 6 of 6 pairs." in found["notes"]
    if study != "search-error":
        name = {"iaa": "pairs", "compare": "ranking"}[study]
        (row,), (usual,) = found["tables"][name], content_of(*words)["tables"][name]
        assert row.pop("by_word") == f"cpsat {claimed}"
        assert row["proven"] == PAIRS
        if study == "iaa":
            assert row.pop("certified") == usual.pop("certified") - claimed
        assert row == usual  # the numbers, which the dual has proven


@pytest.mark.parametrize("study", by_day(CERTIFYING))
def test_certificates_hold_what_a_checked_proof_shows(
    files: Path, study: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (study, *CERTIFYING[study], "--solver", "cpsat", "--given", "none")
    found = content_of(*words, "--certificates", "closed")
    assert certified(found["sentence"]) == PAIRS
    assert by_word(found["sentence"], "cpsat") == 0
    with monkeypatch.context() as patched:
        patched.setattr(strategy, "prove", unclosed)
        without_relaxations(patched)
        found = content_of(*words, "--certificates", "open")
    claimed = by_word(found["sentence"], "cpsat")
    assert 0 < claimed == PAIRS - certified(found["sentence"])
    (note,) = (note for note in found["notes"] if note.startswith("Certificates:"))
    assert certified(note) == PAIRS - claimed and by_word(note, "cpsat") == claimed
    for folder, bounded_only in (("closed", 0), ("open", claimed)):
        checked = run("verify", folder)
        assert checked.exit_code == 0, checked.output
        verified = PAIRS - bounded_only
        told = f"verified: {verified}  bounded: {bounded_only}  refuted: 0  unproven: 0"
        assert told in checked.stdout
        assert certified(checked.stdout) == verified


def test_a_solver_that_never_worked_comes_first(files: Path) -> None:
    words = ("iaa", *BOTH, "--solver", "highs", "--given", "none", "--timeout", "0")
    first, second, third, *_ = content_of(*words)["notes"]
    assert first.startswith("highs worked on none of 6 pairs: ") and "--timeout" in first
    assert second.startswith("6 items. Proven: ")
    assert third.startswith("Given to highs: nothing; asked for 0 of 6 pairs")


@pytest.mark.parametrize(
    "words",
    by_day(
        [
            ["correlate", *BOTH, "--metric", "smatch,smatch:s"],
            ["principles", *BOTH, "--metric", "smatch:s,smatch", "--sample", "1", "--seeds", "1"],
            ["explain", *BOTH, "--between", "default", "smatch-1.0.4"],
        ]
    ),
)
def test_a_solver_that_never_worked_on_metrics_comes_first(files: Path, words: list[str]) -> None:
    late = (*words, "--solver", "highs", "--given", "none", "--timeout", "0")
    first, second, *_ = content_of(*late)["notes"]
    found = re.fullmatch(
        r"highs worked on none of (\d+) pairs: no time or memory was left for it in (\d+); raise "
        "--timeout or --memory.",
        first,
    )
    assert found is not None and int(found[1]) == int(found[2]) > 0, first
    if words[0] == "correlate":
        assert int(found[1]) == PAIRS
    assert second[0].isdigit()  # the first note of other runs
    assert first in run(*late, "--workers", "1").stdout.splitlines()[:8]
    usual = content_of(*words, "--solver", "maxsat")
    assert not any("worked on none" in note for note in usual["notes"])


def test_each_metric_of_a_ranking_has_the_work_of_its_solver(files: Path) -> None:
    words = ("compare", *BOTH, "--metric", "smatch,smatch:top=none,sembleu", "--solver", "maxsat")
    notes = content_of(*words, "--given", "none")["notes"]
    told = [note for note in notes if "asked for 6 of 6 pairs" in note]
    assert told == [
        "smatch: Given to maxsat: nothing; asked for 6 of 6 pairs.",
        "smatch:top=none: Given to maxsat: nothing; asked for 6 of 6 pairs.",
    ]


@pytest.mark.parametrize(
    "words",
    by_day(
        [
            ["correlate", *BOTH, "--metric", "smatch,smatch:s+4r", "--table", "correlations"],
            ["principles", *BOTH, "--metric", "smatch:s,smatch", "--sample", "2", "--seeds", "1"],
            ["explain", *BOTH, "--between", "default", "smatch-1.0.4"],
        ]
    ),
)
def test_other_studies_get_the_same_numbers_by_a_solver(files: Path, words: list[str]) -> None:
    usual = content_of(*words)
    found = content_of(*words, "--exact", "--solver", "highs", "--given", "start")
    assert "solver:highs" in found["long_signature"]
    assert "given:start" in found["long_signature"]
    for tables in (usual["tables"], found["tables"]):
        tables.pop("signatures", None)
    assert found["tables"] == usual["tables"]


@pytest.mark.nightly
def test_studies_of_metrics_count_what_rests_on_a_word(files: Path) -> None:
    by = ("--solver", "maxsat", "--given", "none")
    ranked = content_of("iaa", *BOTH, *by)
    note = f"Pairs proven by the word of a solver alone: {by_word(ranked['sentence'], 'maxsat')}."
    for command in ("correlate", "principles"):
        words = (command, *BOTH, "--metric", "smatch")
        assert note in content_of(*words, *by)["notes"]
        assert not any("word of a solver" in one for one in content_of(*words)["notes"])


def test_python_takes_the_same_options(files: Path) -> None:
    usual = exactmatch.agreement(BOTH)
    found = exactmatch.agreement(BOTH, solver="cpsat", given=["presolve", "start"])
    assert "exactmatch.agreement(" in found.document.provenance.command
    assert "solver='cpsat', given=['presolve', 'start']" in found.document.provenance.command
    assert found.optimal == usual.optimal == PAIRS > found.certified
    (both,), (as_usual,) = (one.found.compared.values() for one in (found, usual))
    assert (both.score.matched, both.interval) == (as_usual.score.matched, as_usual.interval)


@pytest.mark.parametrize("wrong", [{"solver": "gurobi"}, {"given": "start"}])
def test_wrong_solvers_are_refused_before_anything_is_written(
    files: Path, wrong: dict[str, Any]
) -> None:
    for study in (exactmatch.agreement, exactmatch.search_error):
        with pytest.raises(UsageError):
            study(BOTH, certificates="proofs", **wrong)
        assert not Path("proofs").exists()
