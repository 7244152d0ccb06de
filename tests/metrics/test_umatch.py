"""Exact umatch, against all mappings, and under changes that must not matter."""

import random
import re
from typing import Any

import pytest
import umr_documents
from seeds import cases
from umr_documents import best, pair_of_documents, total, written

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.umatch import Umatch

SENTENCE = """# :: snt1
Words: Ada missed it

# sentence level graph:
(s1m / miss-02 :ARG0 (s1p / person :name (s1n / name :op1 "Ada")) :aspect performance)

# alignment:
s1m: 2-2
s1p: 1-1

# document level annotation:
(s1s0 / sentence :temporal ((document-creation-time :before s1m))
    :modal ((root :modal author) (author :full-affirmative s1m)))
"""


def matched(system: str, gold: str) -> int:
    score = exactmatch.score(system, gold, metric="umatch")
    assert score.optimal == score.pairs
    return score.matched


@pytest.mark.slow
def test_optima_of_umatch_are_the_best_of_all_mappings() -> None:
    rng = random.Random(2026)
    crossing = 0
    for _ in range(cases(120)):
        system, gold = pair_of_documents(rng)
        score = exactmatch.score(written(system), written(gold), metric="umatch")
        found = (score.matched, score.matched_upper, score.system_total, score.gold_total)
        wanted = best(system, gold)
        assert found == (wanted, wanted, total(system), total(gold))
        alone = sum(best([one], [other]) for one, other in zip(system, gold, strict=True))
        crossing += wanted != alone
    assert crossing > cases(10)  # what stands in one sentence depends on the mapping of another


@pytest.mark.parametrize("solver", ["cpsat", "maxsat"])
def test_other_solvers_find_the_same(solver: Any) -> None:
    rng = random.Random(7)
    for _ in range(8):
        system, gold = map(written, pair_of_documents(rng))
        one, other = (
            exactmatch.score(system, gold, metric="umatch", solver=s) for s in ("auto", solver)
        )
        assert one.matched == other.matched == other.matched_upper


def test_a_file_against_itself_and_files_exchanged() -> None:
    rng = random.Random(3)
    for _ in range(20):
        system, gold = map(written, pair_of_documents(rng))
        assert exactmatch.score(system, system, metric="umatch").f1 == 1
        assert matched(system, gold) == matched(gold, system)


def test_names_of_variables_do_not_matter() -> None:
    rng = random.Random(5)
    for _ in range(20):
        system, gold = map(written, pair_of_documents(rng))
        renamed = re.sub(r"\bs(\d)([xyz])(\d)\b", r"s\g<1>q\g<3>\g<2>", system)
        assert renamed != system
        assert matched(renamed, gold) == matched(system, gold)


@pytest.mark.parametrize(
    "choices, wanted",
    [
        ({}, 10),
        ({"top": "attribute"}, 11),
        ({"document_level": "ignore"}, 7),
        ({"only": "concept"}, 3),
        ({"only": ":ARG0, :name"}, 2),
        ({"excluding": "aspect,modal,before"}, 7),
        ({"only": "TOP", "top": "attribute"}, 1),
        ({"only": "aspect,concept", "excluding": "concept"}, 1),
    ],
)
def test_choices_of_umatch_change_what_counts(choices: dict[str, Any], wanted: int) -> None:
    score = exactmatch.score(SENTENCE, SENTENCE, metric="umatch", **choices)
    assert (score.matched, score.system_total, score.gold_total) == (wanted,) * 3


def test_nothing_left_to_count() -> None:
    with pytest.raises(UsageError):
        Umatch().with_choices(only="mode", excluding="mode")
    with pytest.raises(UsageError):
        Umatch().with_choices(only=3)
    with pytest.raises(UsageError, match="',' names no role"):
        Umatch().with_choices(excluding=",")


@pytest.mark.parametrize(
    "changed, lost",
    [
        # A node whose tokens are others is mapped to none: its concept, what leads to it, and what
        # hangs on it.
        (SENTENCE.replace("s1p: 1-1", "s1p: 3-3"), 3),
        # A name is known by its operands, where it is aligned with nothing.
        (SENTENCE.replace('"Ada"', '"Eda"'), 3),
        # Roles are compared as written, and so is case.
        (SENTENCE.replace(":ARG0", ":arg0"), 1),
        # The block of a triple does not matter, its sentence does.
        (SENTENCE.replace(":modal ((", ":coref (("), 0),
        (SENTENCE.replace('"Ada"', "Ada"), 0),
        (SENTENCE.replace("(root :modal author)", "(root :modal null)"), 1),
    ],
)
def test_each_change_loses_so_many_triples(changed: str, lost: int) -> None:
    assert matched(changed, SENTENCE) == matched(SENTENCE, changed) == 10 - lost


def test_a_constant_is_no_variable() -> None:
    triples = ("* :modal s1m", "s1m :modal *")
    one, other = (SENTENCE.replace("root :modal author", triple) for triple in triples)
    assert matched(one, other) == 9


def test_parts_add_up_and_have_ranges() -> None:
    score = exactmatch.score(SENTENCE, SENTENCE, metric="umatch", breakdown=True)
    assert {part: counts.matched for part, counts in score.breakdown.items()} == {
        "concept": 3, "relation": 2, "attribute": 2, "temporal": 1, "modal": 2,
    }  # fmt: skip
    assert all(found[0] == found[1] for found in score.ranges.values())


def test_smatch_of_whole_documents() -> None:
    rng = random.Random(11)
    for _ in range(10):
        system, gold = map(written, pair_of_documents(rng))
        whole, anchored = (
            exactmatch.score(system, gold, document_level="count", anchors=anchors, case="keep")
            for anchors in ("none", "tokens")
        )
        assert whole.optimal == anchored.optimal == 1
        assert whole.matched >= anchored.matched
        assert exactmatch.score(system, system, document_level="count").f1 == 1


@pytest.mark.parametrize("solver", ["cpsat", "maxsat"])
def test_whole_documents_with_triples_of_constants(solver: Any) -> None:
    score = exactmatch.score(SENTENCE, SENTENCE, document_level="count", solver=solver)
    assert (score.matched, score.matched_upper) == (score.gold_total, score.system_total)


def test_only_what_may_be_mapped_looks_alike() -> None:
    graph, other = (
        exactmatch.loads(text)[0] for text in (SENTENCE, SENTENCE.replace("s1p: 1-1", "s1p: 2-3"))
    )
    for metric in (Umatch(), Smatch(anchors="tokens")):
        system, gold = metric.normalise(graph), metric.normalise(other)
        names = [(system.variables[i], gold.variables[j]) for i, j in metric.likely(system, gold)]
        assert [pair for pair in names if pair[0][0] == "s"] == [("s1m", "s1m"), ("s1n", "s1n")]


def test_samples_have_what_they_are_to_test() -> None:
    system, gold = pair_of_documents(random.Random(1))
    assert umr_documents.total(system) > 0 and umr_documents.best(gold, gold) == total(gold)
