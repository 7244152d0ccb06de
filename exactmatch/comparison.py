"""Two graphs under a profile: their triples, and the matching problem that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactmatch.compact import CompactProblem
from exactmatch.deadline import Deadline
from exactmatch.metrics.compact import build_compact
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.profiles import Profile
from exactmatch.pair_json import pair_as_json
from exactmatch.pairing import GraphPair
from exactmatch.problem import MatchingProblem, Pair
from exactmatch.triples import ItemGraph, Similar, build_problem, count_matched


@dataclass(frozen=True)
class Comparison:
    """The triples of both sides as *profile* counts them, and their *problem*.

    *similar* is what triples of different labels count for.
    """

    test: ItemGraph
    gold: ItemGraph
    similar: Similar
    profile: Profile

    @property
    def test_total(self) -> int:
        """What precision is divided by."""
        return self._total(self.test)

    @property
    def gold_total(self) -> int:
        """What recall is divided by."""
        return self._total(self.gold)

    @cached_property
    def problem(self) -> MatchingProblem:
        """The matching problem, however large."""
        return self.built(Deadline())

    def built(self, deadline: Deadline) -> MatchingProblem:
        """Return the matching problem; raise `OutOfTime` if *deadline* comes first."""
        profile = self.profile
        return build_problem(
            self.test,
            self.gold,
            profile.duplicates,
            self.similar,
            profile.scale,
            deadline,
        )

    def likely(self) -> Sequence[Pair]:
        """Return the pairs of variables, by position, that look alike."""
        return list(self.profile.likely(self.test, self.gold))

    def compact(self) -> CompactProblem:
        """Return the matching problem without its terms, no larger than the graphs."""
        profile = self.profile
        return build_compact(self.test, self.gold, profile.duplicates, self.similar, profile.scale)

    def named(self, mapping: Mapping[int, int]) -> dict[str, str]:
        """Return a mapping of the problem with the names of the variables."""
        return {
            self.test.variables[left]: self.gold.variables[right]
            for left, right in sorted(mapping.items())
        }

    def as_json(self, identifier: str) -> dict[str, Any]:
        """Return all that a certificate of this pair is about, as the checker reads it."""
        profile = self.profile
        return pair_as_json(
            identifier,
            profile.label(),
            profile.duplicates,
            self.test,
            self.gold,
            self.similar,
            profile.scale,
        )

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


def compare_triples(test: ItemGraph, gold: ItemGraph, profile: Profile) -> Comparison:
    """Return the comparison of two graphs whose triples are known."""
    return Comparison(test, gold, profile.similar(test, gold), profile)
