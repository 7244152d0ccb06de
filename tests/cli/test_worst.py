"""The worst pairs, and results without times."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from nightly import by_day

import exactmatch
from exactmatch.cli import main
from exactmatch.scoring.corpus import BADNESS, Worst
from exactmatch.scoring.results import PairScore

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
A, B = (str(INSTANCES / "agreement" / f"{name}.amr") for name in "ab")


def score(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["score", A, B, *words], catch_exceptions=False)
    assert result.exit_code == status, result.stderr
    return result


def content(*words: str) -> Any:
    return json.loads(score(*words, "--format", "json").stdout)


def by_hand(field: str, pair: PairScore) -> float:
    unmatched = pair.system_total - pair.matched + pair.gold_total - pair.matched
    return {
        "score": -pair.f1,
        "gap": pair.gap,
        "difference": unmatched,
        "size": pair.system_total + pair.gold_total,
        "seconds": pair.seconds,
    }[field]


@pytest.mark.slow
@pytest.mark.parametrize("field", by_day(["score", "gap", "difference", "size"], 2))
@pytest.mark.parametrize("most", by_day([5, 1, 24, 100]))
def test_the_worst_are_the_first_of_all_sorted(field: str, most: int) -> None:
    words = ("--heuristic", "--method", "s")
    pairs = exactmatch.score(Path(A), Path(B), method="s").per_pair
    wanted = sorted(pairs, key=lambda pair: by_hand(field, pair), reverse=True)[:most]
    found = content(*words, "--worst", str(most), "--sort", field)["worst"]
    assert [pair["id"] for pair in found] == [pair.identifier for pair in wanted]
    assert found[0].keys() >= {"id", "matched", "mapping", "status"}


def test_equals_come_in_the_order_of_the_file() -> None:
    """This also holds where a later pair would displace an earlier one."""
    one = replace(exactmatch.best_mapping("(a / b)", "(a / c)"), matched=0)
    rng = random.Random(0)
    scores = [replace(one, identifier=str(k), matched_upper=rng.randrange(3)) for k in range(99)]
    for most in (1, 7, 50):
        worst = Worst(most, "gap", lambda score: {"id": score.identifier})
        for number, score in enumerate(scores):
            worst.add(score)
            if number == 20:  # as from a checkpoint
                again = Worst(most, "gap", lambda score: {"id": score.identifier})
                again.restore(json.loads(json.dumps(worst.state())))
                worst = again
        wanted = sorted(scores, key=lambda score: score.gap, reverse=True)[:most]
        assert [pair["id"] for pair in worst.pairs()] == [score.identifier for score in wanted]


def test_skipped_pairs_are_not_the_worst() -> None:
    worst = Worst(3, "score", lambda score: {"id": score.identifier})
    worst.add(PairScore.skipped("x"))
    assert worst.pairs() == []


def test_the_worst_may_be_the_slowest() -> None:
    found = content("--worst", "24", "--sort", "seconds")["worst"]
    seconds = [pair["seconds"] for pair in found]
    assert seconds == sorted(seconds, reverse=True) and len(seconds) == 24
    assert BADNESS.keys() == {"score", "gap", "difference", "size", "seconds"}


def test_the_worst_stand_in_a_table() -> None:
    text = score("--worst", "2", "--sort", "score", "--no-seconds").stdout
    head, _, *rows = text.partition("worst pairs")[2].strip().splitlines()
    assert head.split()[:2] == ["F1", "matched"] and "seconds" not in head
    assert [row.split()[:2] for row in rows] == [["study.7", "0.5854"], ["study.12", "0.6667"]]
    assert "seconds" in score("--worst", "2").stdout
    several = score("--metric", "smatch", "--metric", "sembleu", "--worst", "1").stdout
    assert several.count("worst pairs") == 2


def test_the_worst_have_lost_most_triples_if_nobody_says_otherwise() -> None:
    words = ("--no-seconds", "--worst", "5")
    assert content(*words)["worst"] == content(*words, "--sort", "difference")["worst"]


def test_the_worst_are_shown_with_their_sentences(tmp_path: Path) -> None:
    """A table has the beginning of each sentence, JSON all of it. Without sentences, no column."""
    said = {pair["id"]: pair["sentence"] for pair in content("--worst", "24")["worst"]}
    gold = exactmatch.load(B)
    assert said == {graph.metadata["id"]: graph.metadata["snt"] for graph in gold}
    table = score("--worst", "1", "--no-seconds").stdout.partition("worst pairs")[2]
    assert "sentence" in table and f"{said['study.21'][:50]}" in table and "…" in table
    silent = tmp_path / "silent.amr"
    silent.write_text("(a / b)\n", encoding="utf-8")
    words = ["score", str(silent), str(silent), "--worst", "1"]
    text = CliRunner().invoke(main, words).stdout
    assert "worst pairs" in text and "sentence" not in text


def test_no_pair_to_show() -> None:
    assert "worst pairs" in score("--worst", "2", "--where", "position=0").stdout
    assert content("--worst", "2", "--where", "position=0")["worst"] == []
    assert "worst" not in content()


@pytest.mark.parametrize(
    "words",
    ["--sort score", "--worst 0", "--worst 1 --sort f1",
     "--worst 1 --sort seconds --no-seconds", "--worst 1 --by-framework"],
)  # fmt: skip
def test_what_makes_no_sense(words: str) -> None:
    assert score(*words.split(), status=2).stderr.startswith("error: ")


def test_without_seconds_equal_runs_print_equal_results(tmp_path: Path) -> None:
    found = []
    for number in range(2):
        file = tmp_path / f"{number}.jsonl"
        words = ("--no-seconds", "--worst", "3", "--per-pair", str(file), "--format", "json")
        found.append((score(*words).stdout, file.read_bytes()))
    assert found[0] == found[1]
    assert json.loads(found[0][0])["seconds"] is None
    assert all(json.loads(line)["seconds"] is None for line in found[0][1].splitlines())
