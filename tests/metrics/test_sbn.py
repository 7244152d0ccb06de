"""Fine-grained scores of SBN: the counts of a text, and ranges over the best mappings."""

import pytest

import exactmatch
from exactmatch.metrics.subscores.subscore import Subscore

#: A man is named, a negated box has a verb and a time, and there is a reason.
TEXT = (
    'male.n.02 Name "Tom" NEGATION <1 come.v.01 Agent -1 Time +1 time.n.08 TPR now '
    "EXPLANATION <1 ill.a.01 Source now"
)
#: How many triples each has, with concepts: by hand.
COUNTS = {
    "sbn-concepts": 4,
    "sbn-nouns": 2,
    "sbn-verbs": 1,
    "sbn-adjectives": 1,
    "sbn-names": 2,  # the name, and the man
    "sbn-negation": 3,  # and two boxes
    "sbn-discourse": 3,
    "sbn-roles": 8,  # Name, Agent, Time, Source, and four concepts
    "sbn-operators": 2,
    "sbn-members": 11,  # four members, four concepts, three boxes
}


@pytest.mark.parametrize("profile", ["default", "pmb-5", "pmb-5-tabs"])
def test_each_counts_its_triples(profile: str) -> None:
    found = exactmatch.score(TEXT, TEXT, profile=profile, subscores="sbn,sbn-own").subscores
    for name, total in COUNTS.items():
        for suffix in ("", "-own") if found[name] and name + "-own" in found else ("",):
            assert found[name + suffix][:4] == (total,) * 4, name
    assert found["sbn-adverbs"] == Subscore()


def test_boxes_and_concepts_have_relations_of_one_name() -> None:
    """Concepts are in lower case, as programs compare them."""
    boxes, concepts = "a.n.01 SOURCE <1 b.n.01", "a.n.01 Source +1 b.n.01"
    for text, name, other in (
        (boxes, "sbn-discourse", "sbn-roles"),
        (concepts, "sbn-roles", "sbn-discourse"),
    ):
        found = exactmatch.score(text, text, profile="pmb-5", subscores="sbn").subscores
        assert found[name].matched == 3
        assert not found[other].pairs


def test_best_mappings_may_differ_in_what_they_match() -> None:
    """One man of the gold standard has the name, the other a title; either may be mapped."""
    system = 'a.n.01 Name "B" Title "C"'
    gold = 'a.n.01 Name "B" a.n.01 Title "C"'
    found = exactmatch.score(system, gold, profile="pmb-5", subscores="sbn").subscores["sbn-names"]
    assert (found.matched, found.matched_upper) == (0, 2)
    own = exactmatch.score(system, gold, profile="pmb-5", subscores="sbn-own").subscores
    assert own["sbn-names-own"].matched == 2


def test_lemma_and_sense_are_no_roles() -> None:
    found = exactmatch.score(TEXT, TEXT, profile="ud-boxer", subscores="sbn").subscores
    assert found["sbn-roles"].system_total == 4 + 6  # and their ends, constants among them
    assert found["sbn-concepts"] == Subscore()  # they are taken apart
