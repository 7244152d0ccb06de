"""One published number: what its digits allow, what mappings reach, and which profile gives it."""

import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day
from study_files import numbered, run, study_of, tables, write

import exactmatch
from exactmatch.metrics.counts import Score
from exactmatch.studies.common.claims import claim_about
from exactmatch.studies.explanation.one_number import _is_reached, _TriedPair

AGREEMENT = Path(__file__).resolve().parents[2] / "instances" / "agreement"
FILES = (str(AGREEMENT / "c.amr"), str(AGREEMENT / "consensus.amr"))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def explained(printed: str, *words: str) -> dict[str, Any]:
    write("number.txt", [f"F-score: {printed}"])
    given = words or ("--from", "smatch")
    return tables("explain", *FILES, "--scores", "number.txt", *given)


@pytest.mark.parametrize("scores, line", [("0.57", "F-score: 0.57"), ("bare.txt", "F-score: 0.80")])
def test_a_number_alone_leads_to_the_line_that_is_read(scores: str, line: str) -> None:
    write("bare.txt", ["0.57"])
    result = run("explain", *FILES, "--scores", scores, "--from", "other")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "published score" in result.stderr and f"on a line such as '{line}'" in result.stderr


@pytest.mark.parametrize("printed", by_day(["0.80", "0.8034"]))
def test_the_digits_allow_the_numbers_that_round_to_them(printed: str) -> None:
    found = explained(printed)
    (row,) = found["number"]
    total = sum(found["scores"][0][side] for side in ("system_total", "gold_total"))
    digits = len(printed) - 2
    fitting = [n for n in range(total // 2) if f"{2 * n / total:.{digits}f}" == printed]
    assert (row["low"], row["high"]) == (fitting[0], fitting[-1])
    assert row["pairs"] == 24 and row["reached"] == "yes"


def test_what_no_mapping_reaches_is_said() -> None:
    write("number.txt", ["F-score: 0.99"])
    result = study_of("explain", *FILES, "--scores", "number.txt", "--from", "other")
    text = result.report("text")
    assert "number.txt has 0.99, and the best mappings have 0.8034 by default" in text
    assert "which no mapping reaches; no profile has 0.99 as its exact score." in text
    assert "let the tool print its score for every pair" in text
    found = json.loads(result.report("json"))["tables"]
    assert "seeds" not in found
    assert found["number"][0]["reached"] == "no"


def test_the_profiles_that_give_it_are_named() -> None:
    write("number.txt", ["F-score: 0.8032"])
    result = study_of("explain", *FILES, "--scores", "number.txt", "--from", "smatch")
    found = json.loads(result.report("json"))["tables"]
    answers = {row["profile"]: row["gives_it"] for row in found["profiles"]}
    scores = {
        name: exactmatch.score(*map(Path, FILES), profile=name).f1
        for name in ("default", "smatch-1.0.4", "paper-2013")
    }
    for name, f1 in scores.items():
        assert (answers[name] == "yes") is (f"{f1:.4f}" == "0.8032")
    assert answers["smatch-1.0.4"] == "yes" and answers["default"] == "no"
    text = result.report("text")
    assert "0.8032 is the exact score by " in text
    assert "run smatch with --ms for every pair" in text


@pytest.mark.nightly
def test_seeds_of_smatch_are_those_of_search_error() -> None:
    rows = explained("0.80")["seeds"]
    assert [row["seed"] for row in rows] == ["0", "1", "2", "3", "4"]
    scores = tables("search-error", *FILES, "--method", "s+4r", "--starts", "candidates")["scores"]
    mean = next(row["c / consensus"] for row in scores if row["method"] == "s+4r")
    assert sum(row["f1"] for row in rows) / 5 == pytest.approx(mean, abs=1e-9)


def test_the_number_of_scores_is_checked_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import exactmatch.studies.explanation.from_files as module

    def solved(*_: object, **__: object) -> None:
        raise AssertionError("solved")

    monkeypatch.setattr(module, "explanation", solved)
    write("two.txt", ["F-score: 0.5\nF-score: 0.6"])
    result = run("explain", *FILES, "--scores", "two.txt", "--from", "smatch")
    assert result.exit_code == 1 and "scores of 2 pairs, but there are 24" in result.stderr
    result = run("search-error", *FILES, "--scores", "two.txt", "--from", "smatch")
    assert result.exit_code == 1 and "scores of 2 pairs, but there are 24" in result.stderr
    write("one.txt", ["F-score: 0.5"])
    result = run("search-error", *FILES, "--scores", "one.txt", "--from", "smatch")
    assert result.exit_code == 1 and "exactmatch explain" in result.stderr


def test_a_pair_and_its_score_are_compared_as_before() -> None:
    write("a.amr", numbered("(a / b)"))
    write("one.txt", ["F-score: 1.00"])
    found = tables("explain", "a.amr", "a.amr", "--scores", "one.txt", "--from", "smatch")
    assert "runs" in found and "number" not in found


def bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


@pytest.mark.parametrize("claimed", [*range(60, 101), 0, 1])
def test_reached_are_the_sums_of_one_mapping_of_each_pair(claimed: int) -> None:
    lost = [(0, 3), (0, 7, 20), (0, 3, 9)]
    exact = Score(matched=100, matched_upper=100, system_total=100, gold_total=100)
    pairs = [_TriedPair(score=exact, others=[], searched=[], lost=bits(some)) for some in lost]
    claim = claim_about("run", "all", claimed, None, exact)
    sums = {100 - sum(some) for some in product(*lost)}
    assert _is_reached(pairs, 100, claim) is (claimed in sums)


def test_distant_numbers_are_reached_too() -> None:
    exact = Score(matched=10**6, matched_upper=10**6, system_total=10**6, gold_total=10**6)
    pairs = [_TriedPair(score=exact, others=[], searched=[], lost=bits((0, 1, 999)))] * 1000
    for claimed, is_reached in ((10**6 - 999_000, True), (10**6 - 599_500, True), (0, False)):
        claim = claim_about("run", "all", claimed, None, exact)
        assert _is_reached(pairs, 10**6, claim) is is_reached
