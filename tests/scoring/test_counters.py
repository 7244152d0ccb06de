"""Counters of a corpus reach its JSON and its text, and pairs add to them as declared."""

import json
from dataclasses import replace
from typing import Any

import pytest

from exactmatch.metrics.base import Measurement, Statistics
from exactmatch.metrics.smatch import Smatch
from exactmatch.report.json import pair_content, results_json
from exactmatch.report.text import corpus_text
from exactmatch.scoring.by_cover import COVER, ProvenCounts
from exactmatch.scoring.results import COUNTERS, CorpusCounter, CorpusScore, PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.tally import Tally
from exactmatch.studies.common.outcomes import CERTIFIED, CHECKED, PairRow

METRIC = Smatch.profiles["default"]


def pair(matched: int, upper: int, *, checked: bool, solver: str) -> PairScore:
    measured = Measurement(Statistics(matched, upper, 9, 9), solver=solver, checked=checked)
    return PairScore.of("x", METRIC, measured, seconds=0.0)


def corpus(*pairs: PairScore) -> CorpusScore:
    tally = Tally()
    for one in pairs:
        tally.add(one)
    return tally.summed_up(METRIC, Settings(), seconds=0.0)


def corpus_with(one: PairScore) -> CorpusScore:
    return replace(corpus(one), per_pair=[one])


@pytest.mark.parametrize("counter", COUNTERS, ids=lambda counter: counter.name)
def test_every_counter_is_told_in_json_and_in_text(counter: CorpusCounter) -> None:
    is_by_solver = isinstance(getattr(corpus(), counter.name), dict)
    counted: Any = {"highs": 7} if is_by_solver else 7
    score = replace(corpus(pair(4, 4, checked=True, solver="dual")), **{counter.name: counted})
    assert json.loads(results_json([score]))[counter.name] == counted
    if counter.words:
        solver = " highs" if is_by_solver else ""
        assert f"{counter.words}{solver}: 7" in str(corpus_text(score)).splitlines()


def test_pairs_are_counted_by_what_is_proven_of_them_and_by_whom() -> None:
    score = corpus(
        pair(4, 4, checked=True, solver="dual"),
        pair(4, 4, checked=False, solver="highs"),
        pair(4, 4, checked=False, solver="cp-sat"),
        pair(4, 4, checked=False, solver="highs"),
        pair(4, 5, checked=False, solver="highs"),
        PairScore.skipped("x"),
        PairScore.skipped("x", ["system"], is_zero=True),
    )
    assert (score.pairs, score.optimal, score.certified, score.skipped) == (5, 4, 1, 1)
    assert list(score.by_word.items()) == [("cp-sat", 1), ("highs", 2)]
    assert score.bounded_by_word == {"highs": 1}
    assert score.confirmed is None


def test_pairs_of_which_only_counts_are_known_add_to_the_same_counters() -> None:
    by_counts = Tally()
    for matched in (9, 4):
        by_counts.add_proven(ProvenCounts(matched, 9, 9))
    found = by_counts.summed_up(METRIC, Settings(), seconds=0.0)
    usual = corpus(*(pair(n, n, checked=True, solver=COVER) for n in (9, 4)))
    for counter in COUNTERS:
        assert getattr(found, counter.name) == getattr(usual, counter.name), counter.name


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("upper", [4, 5])
def test_a_pair_is_certified_if_it_is_proven_and_its_proof_is_checked(
    upper: int, checked: bool
) -> None:
    one = pair(4, upper, checked=checked, solver="dual")
    is_certified = upper == 4 and checked
    assert (one.certified, one.checked) == (is_certified, checked)
    assert one.measurement.certified == is_certified
    assert json.loads(results_json([corpus(one)]))["certified"] == is_certified
    assert pair_content(one)["certified"] == is_certified
    assert list(corpus_with(one).to_frame()["certified"]) == [is_certified]
    row = PairRow.of(one)
    assert bool(row.flags & CERTIFIED) == is_certified
    assert bool(row.flags & CHECKED) == checked
    who = "dual, proof checked" if checked else "by the word of dual"
    assert who in one._repr_html_()


@pytest.mark.parametrize("is_zero", [False, True])
def test_a_pair_that_is_not_compared_matches_nothing(is_zero: bool) -> None:
    one = PairScore.skipped("x", ["system"] if is_zero else None, is_zero=is_zero)
    assert (one.matched, one.matched_upper, one.gap) == (0, 0, 0)
    assert (one.system_total, one.gold_total, one.f1, one.f1_upper) == (0, 0, 0, 0)
    assert (corpus(one).matched_upper, corpus(one).f1_upper) == (0, 0)
