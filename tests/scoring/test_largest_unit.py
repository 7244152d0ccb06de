"""Pairs are solved in the largest unit of their values, and counted in that of the metric."""

import json
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day

import exactmatch
from exactmatch.certificate.checker import MALFORMED, check
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.credits import parse_credits
from exactmatch.metrics.sentence_triples import SentenceTriples
from exactmatch.scoring.comparison import Comparison, compare, compare_for_proof
from exactmatch.scoring.results import PairScore

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
DOCUMENTS = tuple(
    f"(d / document :snt1 (g / go-02 :ARG0 (p / person) :ARG4 (c / {place}))"
    f" :snt2 (s / see-01 :ARG0 p{more}))"
    for place, more in (("metropolis", ""), ("town", " :ARG1 (e / sea)"))
)
AMR = INSTANCES / "agreement" / "a.amr", INSTANCES / "agreement" / "c.amr"
ROWS = b"instance person man 0.5\ninstance want-01 need-01 0.25\npolarity - + 0.05\n"


def with_credits() -> Metric:
    return exactmatch.metric("smatch", credits=parse_credits(ROWS.splitlines(), "table"))


def with_vectors() -> Metric:
    return exactmatch.metric("s2match", vectors=INSTANCES / "vectors" / "words.txt")


def of_documents() -> Metric:
    table = parse_credits([b"instance city town 0.05"], "table")
    return exactmatch.metric("smatch", credits=table, sentences="aligned")


#: Files and metrics that count in parts of a triple, and what else is asked for.
REQUESTS: dict[str, tuple[Sequence[Path | str], Callable[[], Metric], dict[str, Any]]] = {
    "credits": (AMR, with_credits, {"best_mappings": 0}),
    "vectors": (AMR, with_vectors, {"best_mappings": 0}),
    "by name": (AMR, with_vectors, {"solver": "maxsat", "best_mappings": 0}),
    "documents": (DOCUMENTS, of_documents, {"by_sentence": True, "best_mappings": 0}),
}


def scored(name: str) -> list[PairScore]:
    files, metric, choices = REQUESTS[name]
    scores = exactmatch.score_pairs(*files, metric=metric(), breakdown=True, **choices)
    return list(islice(scores, 8))


def counts(pair: PairScore) -> tuple[Any, ...]:
    """Return what is the same for all best mappings; that of a solver may be another."""
    parts = pair.breakdown
    assert sum(part.matched for part in parts.values()) == pair.matched
    totals = {name: (part.system_total, part.gold_total) for name, part in parts.items()}
    work = pair.work and (pair.work.start, pair.work.own.lower)
    return pair.measurement.statistics._replace(breakdown={}), totals, pair.status, work


@pytest.mark.parametrize("name", by_day(REQUESTS))
def test_counts_are_those_of_the_unit_of_the_metric(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = set()
    in_largest_unit = Comparison.in_largest_unit

    def noted(comparison: Comparison) -> Comparison:
        found = in_largest_unit(comparison)
        units.add(found.unit)
        return found

    monkeypatch.setattr(Comparison, "in_largest_unit", noted)
    found = scored(name)
    assert max(units) > 1 and all(pair.status == "optimal" for pair in found)
    for pair in found:
        rows = sum(pair.sentences.values(), SentenceTriples())
        assert not pair.sentences or rows.gold_matched == pair.matched
    monkeypatch.setattr(Comparison, "in_largest_unit", lambda comparison: comparison)
    assert [counts(pair) for pair in scored(name)] == [counts(pair) for pair in found]


def test_a_certificate_is_in_the_largest_unit() -> None:
    """It proves a multiple of that unit; in smaller units, the same prices prove no optimum."""
    metric = with_credits()
    assert isinstance(metric, AlignmentMetric) and metric.scale == 20
    graphs = zip(*(exactmatch.load(file) for file in AMR), strict=True)
    scores = exactmatch.score_pairs(*AMR, metric=metric, certificates=True)
    units = set()
    for (system, gold), score in zip(graphs, scores, strict=True):
        certificate = json.loads(str(score.certificate))
        pair = GraphPair(score.identifier, system, gold)
        comparison = compare_for_proof(pair, metric)
        units.add(comparison.unit)
        check(comparison.as_json(score.identifier), certificate)
        assert certificate["value"] * comparison.unit == certificate["upper"] * comparison.unit
        assert certificate["value"] * comparison.unit == score.matched
        if comparison.unit > 1:
            with pytest.raises(MALFORMED):
                check(compare(pair, metric).as_json(score.identifier), certificate)
    assert 20 in units and len(units) > 1


def test_studies_with_credits_are_verified_in_the_unit_of_the_metric(tmp_path: Path) -> None:
    credits = tmp_path / "credits.txt"
    credits.write_bytes(ROWS)
    found = exactmatch.agreement(
        AMR, credits=credits, chance=100, resamples=99, certificates=tmp_path / "proofs"
    )
    folder = tmp_path / "proofs"
    checked = exactmatch.verify_study(folder, graphs=AMR[0].parent, credits=credits)
    assert checked.sentence == json.loads(found.report("json"))["sentence"]
