"""Certificates of the ends of ranges, with a triple worth several others."""

import fuzz
import pytest
from best_pairs import best_of, check_certificates, check_ranges, measured

from exactmatch.metrics.triples import Duplicates, NormalisedGraph, NormalisedTriple, Similar
from exactmatch.scoring.comparison import compare_triples

#: The part p is worth nearly as much as q, and all of it is lost for q.
WORTH: Similar = {(("p", "a"), ("p", "b")): 50, (("q", "a"), ("q", "b")): 51}


@pytest.mark.parametrize("scale", [1, 7])
@pytest.mark.parametrize("duplicates", ["set", "multiset", "product"])
def test_ends_where_similar_triples_count_for_more_than_equal_ones(
    duplicates: Duplicates, scale: int
) -> None:
    def similar(*_: object) -> Similar:
        return WORTH

    said = {"parts": ("p", "q"), "similar": similar, "scale": scale}
    metric = type("Large", (fuzz.Weighted,), said)(duplicates=duplicates)
    system = [NormalisedTriple((kind, "a"), ("x",)) for kind in "pq"]
    gold = [NormalisedTriple(("p", "b"), ("u",)), NormalisedTriple(("q", "b"), ("v",))]
    comparison = compare_triples(
        NormalisedGraph(("x",), system), NormalisedGraph(("u", "v"), gold), metric
    )
    best = best_of(comparison)
    found = measured(comparison, breakdown=True, certificates=True, best_mappings=5)
    assert check_ranges(comparison.parts(), best, found.statistics.ranges) == 0
    check_certificates(comparison, best, found)
