"""No score or bound is above 1, for the whole and for every part."""

import random
from fractions import Fraction
from typing import Any

import pytest
from drs_samples import random_drs
from samples import random_graph
from sbn_samples import random_sbn

import exactmatch
from exactmatch.errors import VerificationError
from exactmatch.graphs.words import SimilarityTable
from exactmatch.metrics.base import Measurement, Statistics
from exactmatch.metrics.counts import Counts, Figures, Range, Score
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.similarity import Similarity
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.subscores.subscore import Subscore
from exactmatch.scoring.results import PairScore

#: Limits that leave much unproven, and none.
LIMITS: list[dict[str, Any]] = [
    {},
    {"timeout": 0},
    {"memory": 1},
    {"timeout": 0, "memory": 1},
    {"method": "r"},
]


def document(rng: random.Random, length: int) -> str:
    """Return a document of so many sentences, with chains, and edges from one to another."""
    names: list[str] = []
    sentences = []
    for number in range(1, 1 + length):
        text, _ = random_graph(rng, rng.randint(1, 4))
        for letter in "abcx":
            for digit in range(4):
                text = text.replace(f"{letter}{digit}", f"s{number}{letter}{digit}")
        if names:
            role = rng.choice(["ARG0", "part", "coref", "subset-of"])
            text = f"{text[:-1]} :{role} {rng.choice(names)})"
        names.append(text[1:].partition(" ")[0])
        if rng.random() < 0.5:
            text = f"{text[:-1]} :coref-of (e{number} / coref-entity :coref {names[0]}))"
        sentences.append(f":snt{number} {text}")
    return f"(d / document {' '.join(sentences)})"


def of_amr(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    pair = [random_graph(rng, rng.randint(1, 6))[0] for _ in range(2)]
    names = "damonte,damonte-set,aspects,aspects-own"
    return *pair, {"subscores": names, "profile": rng.choice([*Smatch.profiles])}  # type: ignore[return-value]


def of_documents(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    length = rng.randint(1, 3)
    choices = {"subscores": "documents", "by_sentence": True, "sentences": "aligned-docsmatch"}
    return document(rng, length), document(rng, length), choices


def of_drs(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    return random_drs(rng), random_drs(rng), {}


def of_sbn(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    return random_sbn(rng), random_sbn(rng), {"subscores": "sbn,sbn-own"}


def of_similar(rng: random.Random) -> tuple[str, str, dict[str, Any]]:
    """Return two AMRs with concepts that are similar to several others."""
    system, gold = (random_graph(rng, rng.randint(1, 6))[0] for _ in range(2))
    table = {("p", "q"): Fraction(3, 4), ("q", "r"): Fraction(3, 4), ("p", "r"): Fraction(1, 2)}
    similarity = Similarity(SimilarityTable("letters", table), Fraction(1, 2), Fraction(1, 2))
    metric = S2match.profiles["default"].with_words(similarity=similarity)
    return system, gold, {"metric": metric}


@pytest.mark.parametrize("kind", [of_amr, of_documents, of_drs, of_sbn, of_similar])
def test_no_more_matches_than_there_is_whatever_is_proven(kind: Any) -> None:
    rng = random.Random(33)
    for number in range(24):
        system, gold, choices = kind(rng)
        limits = LIMITS[number % len(LIMITS)]
        score = exactmatch.score(system, gold, breakdown=True, **limits, **choices)
        if score.metric.can_exceed:
            continue
        counted = [score, *(one.score() for one in score.subscores.values())]
        counted += [one.score() for one in score.breakdown.values()]
        counted += [end for one in score.ranges.values() for end in one.ends]
        for one in counted:
            assert 0 <= one.matched <= one.matched_upper
            assert max(one.precision_upper, one.recall_upper, one.f1_upper) <= 1


def test_where_each_pair_of_equal_triples_counts_more_can_match_than_there_is() -> None:
    """smatch 1.0.4 counts three times three for the repeated pair, and each other pair once."""
    text = "(a / x :ARG0 (b / y) :ARG0 b :ARG0 b)"
    score = exactmatch.score(text, text, profile="smatch-1.0.4")
    assert (score.matched, score.system_total, score.metric.can_exceed) == (12, 6, True)


@pytest.mark.parametrize(
    "wrong",
    [
        Statistics(3, 3, 2, 4),
        Statistics(3, 3, 4, 2),
        Statistics(1, 3, 2, 4),
        Statistics(1, 1, 2, 2, breakdown={"x": Counts(2, 1, 2)}),
        Statistics(1, 1, 2, 2, ranges={"x": Range(0, 2, 2, 1)}),
        Statistics(1, 1, 2, 2, subscores={"x": Subscore(0, 2, 1, 2)}),
    ],
)
def test_more_than_there_is_is_a_defect(wrong: Statistics) -> None:
    metric = Smatch.profiles["default"]
    with pytest.raises(VerificationError, match=r"pair here: of (all|x), \d match, but there"):
        PairScore.of("here", metric, Measurement(wrong), seconds=0)
    product = Smatch.profiles["smatch-1.0.4"]
    assert PairScore.of("here", product, Measurement(wrong), seconds=0).identifier == "here"


@pytest.mark.parametrize(("matched", "upper"), [(-1, 0), (2, 1)])
def test_counts_out_of_order_are_a_defect(matched: int, upper: int) -> None:
    with pytest.raises(VerificationError, match=r"\d triples match, but at most \d can"):
        Score(matched=matched, matched_upper=upper, system_total=5, gold_total=5)


@pytest.mark.parametrize("figure", [-0.1, 1.001, float("nan")])
@pytest.mark.parametrize("name", ["value", "precision", "recall", "f1"])
def test_figures_beyond_0_and_1_are_a_defect(figure: float, name: str) -> None:
    changed: Any = {name: figure}
    figures = Figures(0.5, "x")._replace(**changed)
    with pytest.raises(VerificationError, match=f"the {name} of a score is"):
        Score(matched=1, matched_upper=1, system_total=1, gold_total=1, figures=figures)
