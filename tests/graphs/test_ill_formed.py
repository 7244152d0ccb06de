"""Pairs with an ill-formed graph, and the report of a corpus on them."""

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import GraphError, InputError, UsageError
from exactmatch.graphs.graph import (
    CONCEPT,
    SBN,
    Constant,
    Graph,
    IllFormedError,
    IllFormedPolicy,
    IllFormedSides,
    Location,
    Treatment,
    Triple,
    Variable,
)
from exactmatch.graphs.pairing import (
    Couple,
    GraphPair,
    OnError,
    ReadPair,
    Skipped,
    Unread,
    read_pair,
)
from exactmatch.metrics.base import Measurement, Metric, Statistics
from exactmatch.metrics.smatch import Smatch
from exactmatch.report.json import pair_content, results_json
from exactmatch.report.text import corpus_text
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.tally import Tally

PLACE: dict[str, Any] = {"source": "s.sbn", "line": 3, "number": 3}
WELL = Graph(
    None,
    {"b0": "b"},
    (Triple(CONCEPT, (Variable("b0"), Constant("box"))),),
    ("b0",),
    Location("s.sbn", 3),
    format=SBN,
)
UNREADABLE = GraphError("not UTF-8", **PLACE)
BROKEN = IllFormedError("no such token", **PLACE)
OVERLOOKED = IllFormedError("no such index", lenient=WELL._replace(notes=("a note",)), **PLACE)


def read(
    system: Unread | None,
    gold: Unread | None,
    policy: tuple[Treatment, Treatment],
    on_error: OnError = "stop",
) -> ReadPair:
    couple = Couple("3", system, gold, "s", "g", 3)
    return read_pair(couple, on_error, IllFormedPolicy(*policy))


@pytest.mark.parametrize(
    "system, policy, pair",
    [
        (BROKEN, ("zero", "error"), Skipped("3", ["system"], is_zero=True)),
        (BROKEN, ("lenient", "error"), Skipped("3", ["system"], is_zero=True)),
        (BROKEN, ("skip", "error"), Skipped("3", ["system"])),
        (OVERLOOKED, ("zero", "error"), Skipped("3", ["system"], is_zero=True)),
        (OVERLOOKED, ("skip", "error"), Skipped("3", ["system"])),
    ],
)
def test_what_becomes_of_a_pair(
    system: GraphError, policy: tuple[Treatment, Treatment], pair: Skipped
) -> None:
    assert read(system, WELL, policy) == ReadPair(pair, (), (str(system),))
    other = Skipped("3", ["gold"], pair.is_zero)
    assert read(WELL, system, (policy[1], policy[0])).pair == other


def test_what_can_be_overlooked_is_compared() -> None:
    found = read(OVERLOOKED, WELL, ("lenient", "error"))
    assert isinstance(found.pair, GraphPair)
    assert found.pair.system == OVERLOOKED.lenient and found.pair.gold == WELL
    assert found.pair.ill_formed == ["system"] and not found.errors
    assert found.notes == (str(OVERLOOKED), "a note")


def test_both_sides_are_told() -> None:
    assert read(BROKEN, OVERLOOKED, ("zero", "lenient")).pair == Skipped(
        "3", ["system", "gold"], is_zero=True
    )
    assert read(BROKEN, BROKEN, ("zero", "skip")).pair == Skipped("3", ["system", "gold"])


def test_errors_go_first() -> None:
    for other in (UNREADABLE, BROKEN):
        found = read(BROKEN, other, ("zero", "error"))
        assert found.errors == (other,) and found.pair == Skipped("3")
    assert read(BROKEN, None, ("zero", "zero"), "skip").pair == Skipped("3")


def test_well_formed_graphs_are_told_to_be() -> None:
    found = read(WELL, WELL, ("zero", "error")).pair
    assert isinstance(found, GraphPair) and found.ill_formed == ()
    of_amr = read(WELL._replace(format="PENMAN"), WELL._replace(format="PENMAN"), ("zero", "error"))
    assert isinstance(of_amr.pair, GraphPair) and of_amr.pair.ill_formed is None


def test_ill_formed_graphs_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(OVERLOOKED))
    assert type(again) is IllFormedError
    assert (str(again), again.lenient) == (str(OVERLOOKED), OVERLOOKED.lenient)


def tally() -> Tally:
    """Three pairs are compared, one of them leniently; two count 0, and one is left out."""
    metric = Smatch.profiles["default"]
    found = Tally()
    compared: list[tuple[int, IllFormedSides]] = [(4, ()), (2, ()), (1, ["system"])]
    for matched, sides in compared:
        measured = Measurement(Statistics(matched, matched, 4, 4))
        score = PairScore.of("x", metric, measured, seconds=0.0)
        found.add(replace(score, ill_formed=sides))
    found.add(PairScore.skipped("y", ["system"], is_zero=True))
    found.add(PairScore.skipped("y", ["system", "gold"], is_zero=True))
    found.add(PairScore.skipped("z", ["gold"]))
    return found


def test_pairs_that_count_0_are_in_the_mean_alone() -> None:
    score = tally().summed_up(Smatch.profiles["default"], Settings(), seconds=0.0)
    assert (score.matched, score.system_total, score.gold_total) == (7, 12, 12)
    assert (score.pairs, score.skipped, score.optimal) == (3, 1, 3)
    assert score.ill_formed == (3, 2, 2, 6)
    assert score.macro_f1 == score.macro_f1_upper == (1 + 0.5 + 0.25) / 5
    text = str(corpus_text(score)).splitlines()
    assert "macro F1    0.3500    0.3500   5 pairs" in text
    assert (
        "ill-formed: 3 of 6 graphs of the system (ERR 50.00%), 2 of gold; 2 pairs count 0 in "
        "macro F1 only"
    ) in text
    assert '"error_rate": 0.5' in results_json([score]) and '"macro_f1": 0.35' in results_json(
        [score]
    )


def test_counts_of_ill_formed_graphs_survive_a_break() -> None:
    again = Tally()
    again.restore(json.loads(json.dumps(tally().state())))
    settings, metric = Settings(), Smatch.profiles["default"]
    assert again.summed_up(metric, settings, seconds=0.0) == tally().summed_up(
        metric, settings, seconds=0.0
    )


def test_pair_that_counts_0_says_so() -> None:
    content = pair_content(PairScore.skipped("y", ["gold"], is_zero=True))
    assert (content["status"], content["ill_formed"]) == ("ill-formed", ["gold"])
    assert content["certified"] is False and content["score"] == 0.0


#: Three texts: one that parsers got right, one with an index beyond the end, one without target.
GOLD = "male.n.02 be.v.01 Theme -1\nmale.n.02 be.v.01 Theme -1\nmale.n.02 be.v.01 Theme -1\n"
SYSTEM = "male.n.02 be.v.01 Theme -1\nmale.n.02 be.v.01 Theme -7\nmale.n.02 be.v.01 Theme\n"


def scored(tmp_path: Path, *options: str, system: str = SYSTEM, gold: str = GOLD) -> Any:
    files = tmp_path / "system.sbn", tmp_path / "gold.sbn"
    for file, text in zip(files, (system, gold), strict=True):
        file.write_text(text)
    run = CliRunner().invoke(main, ["score", *map(str, files), *options, "--format", "json"])
    return run, json.loads(run.stdout) if run.stdout else None


def test_texts_that_break_the_rules_count_0(tmp_path: Path) -> None:
    run, found = scored(tmp_path)
    assert run.exit_code == 0
    assert (found["matched"], found["system_total"], found["gold_total"]) == (7, 7, 7)
    assert found["ill_formed"] == {
        "system": 2, "gold": 0, "zero": 2, "texts": 3, "error_rate": 2 / 3
    }  # fmt: skip
    assert (found["f1"], found["macro_f1"], found["pairs"], found["skipped"]) == (1, 1 / 3, 1, 0)
    assert "system.sbn:2" in run.stderr and "system.sbn:3" in run.stderr


@pytest.mark.parametrize(
    "treatment, pairs, skipped, macro",
    [("lenient", 2, 0, (1 + 12 / 14) / 3), ("skip", 1, 2, 1.0)],
)
def test_ill_formed_texts_are_treated_as_chosen(
    tmp_path: Path, treatment: str, pairs: int, skipped: int, macro: float
) -> None:
    run, found = scored(tmp_path, "--ill-formed", treatment)
    assert (found["pairs"], found["skipped"]) == (pairs, skipped)
    assert found["macro_f1"] == pytest.approx(macro)
    assert found["ill_formed"]["system"] == 2
    assert run.exit_code == (1 if skipped else 0)
    assert f"|ill-formed:{treatment}|" in found["signature"]


def test_gold_standard_has_to_be_well_formed(tmp_path: Path) -> None:
    run, found = scored(tmp_path, system=GOLD, gold=SYSTEM)
    assert (run.exit_code, found) == (1, None)
    assert "gold.sbn:2" in run.stderr and "gold.sbn:3" in run.stderr
    run, found = scored(tmp_path, "--profile", "pmb-5", system=GOLD, gold=SYSTEM)
    assert found["ill_formed"]["gold"] == 2 and found["macro_f1"] == 1 / 3
    assert (run.exit_code, found["ill_formed"]["error_rate"]) == (0, 0.0)


def test_metrics_of_one_run_do_the_same(tmp_path: Path) -> None:
    scored(tmp_path)
    files = tmp_path / "system.sbn", tmp_path / "gold.sbn"
    metrics: list[Metric] = [Smatch(), Smatch(ill_formed="skip")]
    with pytest.raises(UsageError, match="use one metric at a time"):
        exactmatch.score(*files, metric=metrics)
    named = ["smatch", "smatch:ill-formed=skip"]
    with pytest.raises(UsageError, match="use one metric at a time"):
        exactmatch.compare(files[:1], files[1], metric=named)


def test_rankings_count_0_in_the_mean(tmp_path: Path) -> None:
    scored(tmp_path)
    found = exactmatch.compare(
        [tmp_path / "system.sbn", tmp_path / "gold.sbn"], tmp_path / "gold.sbn", resamples=10
    )
    scores = found.found.scores
    assert [score.macro_f1 for score in scores.values()] == [1.0, 1 / 3]
    assert [score.value for score in scores.values()] == [1.0, 1.0]
    assert "Ill-formed graphs: system.sbn#1 2;" in found.report()


def test_rankings_refuse_ill_formed_gold(tmp_path: Path) -> None:
    scored(tmp_path)
    with pytest.raises(InputError, match="no target"):
        exactmatch.compare([tmp_path / "gold.sbn"], tmp_path / "system.sbn")


def test_among_texts_in_sbn_nothing_else_is_expected() -> None:
    text = "male.n.02 EQU speaker\n"
    gold = [text, text, text, text]
    score = exactmatch.score([text, "", "Agent +1 male.n.02", "(x"], gold)
    assert (score.matched, score.pairs, score.macro_f1) == (5, 1, 0.25)
    assert score.ill_formed == (3, 0, 3, 4)
    with pytest.raises(InputError, match=r"system\[0\] is in SBN, but system\[1\] in PENMAN"):
        exactmatch.score([text, "(x / y)"], [text, text])
    with pytest.raises(InputError, match=r"gold\[0\]:1: graph 1: an empty text"):
        exactmatch.score([text, text], ["", text])
