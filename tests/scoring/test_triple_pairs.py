"""Pairs of triples that may match: counted by hand, and by definition on random graphs."""

import random
from collections import Counter
from itertools import product

import pytest
from samples import compared, random_graph

from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import Duplicates, Label, NormalisedGraph, NormalisedTriple
from exactmatch.problem import Term
from exactmatch.scoring.comparison import Comparison
from exactmatch.scoring.triple_pairs import triple_pairs


def comparison(
    system: NormalisedGraph, gold: NormalisedGraph, duplicates: Duplicates, **similar: int
) -> Comparison:
    worths: dict[tuple[Label, Label], int] = {
        (("c", label), ("c", "far")): worth for label, worth in similar.items()
    }
    metric = Smatch(profile="a test", duplicates=duplicates)
    return Comparison(system=system, gold=gold, similar=worths, metric=metric, scale=10)


def concepts(*labelled: tuple[str, str], **keys: str) -> NormalisedGraph:
    variables = tuple(dict.fromkeys(variable for _, variable in labelled))
    triples = [NormalisedTriple(("c", label), (variable,)) for label, variable in labelled]
    allowed = {variable: tuple(key) for variable, key in keys.items()}
    return NormalisedGraph(variables, triples, keys=allowed or None)


@pytest.mark.parametrize(("duplicates", "weight"), [("set", 10), ("multiset", 20), ("product", 60)])
def test_a_triple_that_occurs_several_times_is_one(duplicates: Duplicates, weight: int) -> None:
    system, gold = concepts(*[("p", "a")] * 2), concepts(*[("p", "b")] * 3)
    assert [*triple_pairs(comparison(system, gold, duplicates))] == [Term(weight, ((0, 0),))]


def test_triples_over_the_same_variables_are_not_merged() -> None:
    graph = concepts(("p", "a"), ("q", "a"))
    found = [*triple_pairs(comparison(graph, graph, "set"))]
    assert found == [Term(10, ((0, 0),)), Term(10, ((0, 0),))]


def test_similar_labels_match_for_their_value() -> None:
    system, gold = concepts(("near", "a")), concepts(("far", "b"))
    assert [*triple_pairs(comparison(system, gold, "set", near=7))] == [Term(7, ((0, 0),))]


def test_variables_that_share_no_key_do_not_match() -> None:
    system = concepts(("p", "a"), ("p", "b"), a="k", b="m")
    gold = concepts(("p", "c"), ("p", "d"), c="mk", d="n")
    found = [*triple_pairs(comparison(system, gold, "set"))]
    assert found == [Term(10, ((0, 0),)), Term(10, ((1, 0),))]


def test_every_two_triples_that_a_mapping_matches_are_found_once() -> None:
    rng = random.Random("triple pairs")
    merged = 0
    for _ in range(60):
        (ours, triples), (theirs, others) = (random_graph(rng, rng.randint(1, 5)) for _ in "ab")
        made = compared(ours, theirs)
        wanted: list[tuple[tuple[str, str], ...]] = []
        for (label, left), (other, right) in product(set(triples), set(others)):
            pairs = set(zip(left, right, strict=False))
            is_one_to_one = len(set(left)) == len(pairs) == len(set(right))
            if label == other and len(left) == len(right) and is_one_to_one:
                wanted.append(tuple(sorted(pairs)))
        lefts, rights = made.system.variables, made.gold.variables
        found = [*triple_pairs(made)]
        assert {term.weight for term in found} <= {1}
        named = (tuple(sorted((lefts[i], rights[j]) for i, j in term.pairs)) for term in found)
        assert Counter(named) == Counter(wanted)
        merged += len(found) > made.problem.n_terms
    assert merged > 10
