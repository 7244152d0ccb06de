"""Compare the best mappings of random pairs of graphs with brute force.

    python tests/best_pairs.py COUNT [SEED]

Each pair is tested for ranges of parts, certificates of their ends, best mappings, and the common
part of all best mappings. `best/test_pairs.py` tests some pairs.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import fuzz
from oracles import best_mappings as oracle
from samples import only_graph, random_graph

from exactmatch.certificate.checker import check
from exactmatch.errors import VerificationError
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.base import Measurement
from exactmatch.metrics.counts import Range
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import Similar
from exactmatch.scoring.best import ends_of
from exactmatch.scoring.comparison import Comparison, compare, compare_triples
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.settings import Settings
from exactmatch.solving.best import backbone, listing, ranges
from exactmatch.stopping.deadline import Deadline

Named = dict[str, str]


def random_comparison(rng: random.Random) -> Comparison:
    """Return a pair with up to four variables on either side, of any metric."""
    while True:
        kind = rng.choice([*fuzz.KINDS, alike, alike, alike])
        found = kind(rng)
        if max(len(found.system.variables), len(found.gold.variables)) <= 4:
            return with_parts(found) if kind is fuzz.of_weights else found


def alike(rng: random.Random) -> Comparison:
    """Return two AMRs with few concepts and roles, so that there are many best mappings."""
    system, gold = (random_graph(rng, rng.randint(2, 4))[0] for _ in range(2))
    roles = rng.choice(["ARG0", "ARG1"])
    texts = [text.replace("/ q", "/ p").replace("ARG1", roles) for text in (system, gold)]
    pair = GraphPair("x", only_graph(texts[0]), only_graph(texts[1]))
    return compare(pair, Smatch(duplicates=rng.choice(["set", "multiset", "product"])))


def with_parts(comparison: Comparison) -> Comparison:
    """Return a comparison of weights, some labels being parts."""
    metric, worth = comparison.metric, comparison.similar

    def similar(*_: object) -> Similar:
        return worth

    said = {"parts": ("p", "q"), "similar": similar, "scale": comparison.scale}
    counted = type("WithParts", (fuzz.Weighted,), said)(duplicates=metric.duplicates)
    return compare_triples(comparison.system, comparison.gold, counted)


def measured(comparison: Comparison, **asked: Any) -> Measurement:
    """Return the results for a pair."""
    mapper = Mapper("x", Settings(solver="dual", **asked), Deadline(), Deadline())
    return mapper.map_triples(comparison.metric, comparison.system, comparison.gold)


def best_of(comparison: Comparison) -> list[Named]:
    left, right = comparison.system.variables, comparison.gold.variables
    return oracle.best_mappings(left, right, comparison.count_matched)


def check_mappings(comparison: Comparison, best: list[Named], found: Measurement) -> None:
    """Compare the *found* list of mappings, and their common part, with *best*.

    If only the defined mapping was requested, the other mappings stay unknown.
    """
    left, right = comparison.system.variables, comparison.gold.variables
    matching = [oracle.needed(mapping, comparison.count_matched) for mapping in best]
    listed = oracle.in_order(left, right, matching)
    pairs = [frozenset(mapping.items()) for mapping in listed]
    assert found.best is not None
    limit = len(found.best.mappings)
    assert found.best.mappings == listed[:limit]
    assert found.mapping == listed[0]
    if not found.best.some and not found.best.are_all:
        assert limit == 1
        return
    assert found.best.are_all == (limit == len(listed))
    assert found.best.every == frozenset.intersection(*pairs)
    assert found.best.some == frozenset.union(*pairs)


def check_ranges(
    parts: Mapping[str, Comparison], best: list[Named], found: Mapping[str, Range]
) -> int:
    """Compare ranges with *best*; return how many have more than one value."""
    several = 0
    for name, part in parts.items():
        values = [part.count_matched(mapping) for mapping in best]
        ends = found[name]
        assert (ends.least, ends.most, ends.unknown) == (min(values), max(values), 0), name
        assert (ends.system_total, ends.gold_total) == (part.system_total, part.gold_total)
        several += ends.least < ends.most
    return several


def check_certificates(comparison: Comparison, best: list[Named], found: Measurement) -> None:
    """Check each certificate, and derive from the certificate alone which end it proves."""
    parts = comparison.parts()
    value = comparison.count_matched(best[0])
    assert len(found.end_certificates) == 2 * len(parts)
    for (end, towards), line in zip(ends_of(comparison), found.end_certificates, strict=True):
        content, certificate = towards.as_json("x"), json.loads(line)
        assert check(content, certificate) == "verified"
        ends = found.statistics.ranges[end.part]
        rest = certificate["value"] - value * towards.scale // comparison.scale
        assert rest == (ends.most if end.side == "most" else -ends.least), end
        mapping = comparison.named(
            {i: j for i, j in enumerate(certificate["mapping"]) if j is not None}
        )
        assert comparison.count_matched(mapping) == value, end
        assert parts[end.part].count_matched(mapping) == abs(rest), end


def try_one(rng: random.Random) -> str:
    """Compare a random pair with brute force, and say how it is; raise `AssertionError` if not."""
    comparison = random_comparison(rng)
    best = best_of(comparison)
    branches = rng.choice([0, 10, 2000])
    try:
        with (
            patch.object(listing, "_MOST_BRANCHES", branches),
            patch.object(listing, "_FEW_BRANCHES", min(branches, listing._FEW_BRANCHES)),
            patch.object(backbone, "_MOST_BRANCHES", branches),
            patch.object(ranges, "_MOST_BRANCHES", branches),
        ):
            found = measured(
                comparison,
                breakdown=True,
                certificates=rng.random() < 0.5,
                best_mappings=rng.choice([0, 1, 2, 5, 10**4]),
            )
        check_mappings(comparison, best, found)
        several = check_ranges(comparison.parts(), best, found.statistics.ranges)
        if found.certificate is not None:
            check_certificates(comparison, best, found)
    except (AssertionError, VerificationError) as error:
        raise AssertionError(branches, comparison.as_json("x")) from error
    return "ranges" if several else "one value"


def main(count: int, seed: str) -> Counter[str]:
    """Try *count* random pairs, and return how many had ranges with more than one value."""
    rng = random.Random(seed)
    return Counter(try_one(rng) for _ in range(count))


if __name__ == "__main__":
    print(main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "best"))
