"""Two graphs under a profile: their triples, and the matching problem that they make."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exactmatch.certificate.writer import pair_json
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.items import ItemGraph, Similar, build_problem, count_matched
from exactmatch.metrics.profiles import Profile
from exactmatch.pairing import GraphPair
from exactmatch.problem import MatchingProblem


@dataclass(frozen=True, slots=True)
class Comparison:
    """The triples of both sides as *profile* counts them, and their *problem*.

    *similar* is what triples of different labels count for.
    """

    test: ItemGraph
    gold: ItemGraph
    similar: Similar
    problem: MatchingProblem
    profile: Profile

    def named(self, mapping: Mapping[int, int]) -> dict[str, str]:
        """Return a mapping of the problem with the names of the variables."""
        return {
            self.test.variables[left]: self.gold.variables[right]
            for left, right in sorted(mapping.items())
        }

    def as_json(self, identifier: str) -> dict[str, Any]:
        """Return all that a certificate of this pair is about, as the checker reads it."""
        return _triples_json(identifier, self.test, self.gold, self.similar, self.profile)

    def breakdown(self, mapping: Mapping[str, str]) -> dict[str, Counts]:
        """Count, for each part of the metric that occurs, what a mapping by name matches of it."""
        found = {}
        for part in self.profile.parts:
            test, gold = self._of_part(self.test, part), self._of_part(self.gold, part)
            if test.items or gold.items:
                matched = self._count(test, gold, mapping)
                found[part] = Counts(matched, self._total(test), self._total(gold))
        return found

    def _of_part(self, graph: ItemGraph, part: str) -> ItemGraph:
        items, targets = (
            [item for item in side if part in self.profile.parts_of(item.label)]
            for side in (graph.items, graph.as_gold())
        )
        return ItemGraph(graph.variables, items, targets)

    def count_matched(self, mapping: Mapping[str, str]) -> int:
        """Count, from the triples alone, what a mapping by name matches."""
        return self._count(self.test, self.gold, mapping)

    def _count(self, test: ItemGraph, gold: ItemGraph, mapping: Mapping[str, str]) -> int:
        profile = self.profile
        return count_matched(test, gold, mapping, profile.duplicates, self.similar, profile.scale)

    def _total(self, graph: ItemGraph) -> int:
        return self.profile.scale * graph.total(self.profile.duplicates)


def compare(pair: GraphPair, profile: Profile) -> Comparison:
    """Return the comparison of the two graphs of *pair* under *profile*."""
    return compare_triples(*count_triples(pair, profile), profile)


def count_triples(pair: GraphPair, profile: Profile) -> tuple[ItemGraph, ItemGraph]:
    """Return the triples of both graphs of *pair* as *profile* counts them."""
    return profile.normalise(pair.test), profile.normalise(pair.gold)


def triples_json(pair: GraphPair, profile: Profile) -> dict[str, Any]:
    """Return what `Comparison.as_json` returns of *pair*, but build no problem for it."""
    test, gold = count_triples(pair, profile)
    return _triples_json(pair.identifier, test, gold, profile.similar(test, gold), profile)


def compare_triples(test: ItemGraph, gold: ItemGraph, profile: Profile) -> Comparison:
    """Return the comparison of two graphs whose triples are known."""
    similar = profile.similar(test, gold)
    likely = tuple(profile.likely(test, gold))
    problem = build_problem(test, gold, profile.duplicates, likely, similar, profile.scale)
    return Comparison(test, gold, similar, problem, profile)


def _triples_json(
    identifier: str, test: ItemGraph, gold: ItemGraph, similar: Similar, profile: Profile
) -> dict[str, Any]:
    return pair_json(
        identifier, profile.label(), profile.duplicates, test, gold, similar, profile.scale
    )
