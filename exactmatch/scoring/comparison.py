"""Compare two graphs under a metric: their triples, their matching problem, and their JSON.

Certificates are about that JSON (`pair_as_json`): it is all that the checker reads of a pair
(`exactmatch.certificate.checker`). There, the system's graph is called "test", since published
certificates hold a digest of it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.triples import (
    NOT_SIMILAR,
    NormalisedGraph,
    NormalisedTriple,
    Similar,
)
from exactmatch.problem import MatchingProblem, Pair
from exactmatch.scoring.build import Links, build_compact, build_problem, most_terms
from exactmatch.scoring.match_values import MatchValues
from exactmatch.scoring.recount import count_matched, most_by_labels, most_if_all_similar
from exactmatch.stopping.deadline import NEVER, Deadline

if TYPE_CHECKING:
    from exactmatch.problem.compact import CompactProblem


@dataclass(frozen=True)
class Comparison:
    """The triples of both sides as *metric* counts them, and their *problem*.

    *similar* are the values of triples of different labels, *scale* is that of equal ones. *unit*
    is the value of 1 here in the units of the metric: statistics are in these. *about* names the
    end of a range in certificates, if the comparison is for one.
    """

    system: NormalisedGraph
    gold: NormalisedGraph
    similar: Similar
    metric: AlignmentMetric
    scale: int
    unit: int = 1
    about: str = ""

    @property
    def values(self) -> MatchValues:
        """The value of a match."""
        return MatchValues(self.metric.duplicates, self.similar, self.scale)

    @property
    def system_total(self) -> int:
        """The denominator of precision."""
        return self._total(self.system)

    @property
    def gold_total(self) -> int:
        """The denominator of recall."""
        return self._total(self.gold)

    @cached_property
    def links(self) -> Links | None:
        """The pairs that may be mapped; None if there is no restriction."""
        return Links.of(self.system, self.gold)

    @cached_property
    def problem(self) -> MatchingProblem:
        """The matching problem, however large."""
        return self.built(NEVER)

    def built(self, deadline: Deadline) -> MatchingProblem:
        """Return the matching problem; raise `OutOfTime` if *deadline* comes first."""
        return build_problem(self.system, self.gold, self.values, deadline)

    def in_largest_unit(self) -> "Comparison":
        """Return this comparison with all values in the largest unit that divides them.

        A bound is rounded down to a whole number of units, so that large units are proven sooner.
        """
        unit = math.gcd(self.scale, *self.similar.values())
        if unit <= 1:
            return self
        similar = {labels: value // unit for labels, value in self.similar.items()}
        return replace(self, similar=similar, scale=self.scale // unit, unit=self.unit * unit)

    def likely(self) -> Sequence[Pair]:
        """Return the pairs of variables, by position, that are similar to each other."""
        return list(self.metric.likely(self.system, self.gold))

    @cached_property
    def compact(self) -> "CompactProblem":
        """The matching problem without its terms, which is no larger than the graphs."""
        return self.compacted(NEVER)

    def compacted(self, deadline: Deadline) -> "CompactProblem":
        """Return `compact`; raise `OutOfTime` if *deadline* comes before it is built."""
        if "compact" not in vars(self):
            vars(self)["compact"] = build_compact(self.system, self.gold, self.values, deadline)
        return self.compact

    def most_if_all_similar(self) -> int:
        """Return an upper bound on the matches, for any similarities of the similar kinds."""
        metric = self.metric
        return most_if_all_similar(
            self.system, self.gold, metric.similar_kinds(), metric.duplicates, self.scale
        )

    def most_of_all(self) -> int:
        """Return the upper bound by the number of triples, or by labels if some are worth more."""
        if self.has_dear_labels:
            return self.most_by_labels()
        most = self.most_if_all_similar()
        return most if self.metric.can_exceed else min(most, self.system_total, self.gold_total)

    @property
    def has_dear_labels(self) -> bool:
        """Whether a match may be worth more than *scale*, as it is towards the end of a range."""
        return any(
            credit > (0 if label == other else self.scale)
            for (label, other), credit in self.similar.items()
        )

    def most_by_labels(self) -> int:
        """Return the upper bound by labels, counted from the triples alone."""
        return most_by_labels(self.system, self.gold, *self.values)

    def most_terms(self, deadline: Deadline = NEVER) -> int:
        """Return an upper bound on the number of terms of the problem, before it is built.

        Raises `OutOfTime` if *deadline* comes first.
        """
        if self.links is None:
            return self.compacted(deadline).size().terms
        return most_terms(self.system, self.gold, self.values, self.links, deadline)

    def permitted(self, mapping: Mapping[int, int]) -> dict[int, int]:
        """Return the pairs of *mapping* that keys allow; no others can be mapped."""
        links = self.links
        return {i: j for i, j in mapping.items() if links is None or links.allows((i, j))}

    def named(self, mapping: Mapping[int, int]) -> dict[str, str]:
        """Return a mapping of the problem with the names of the variables."""
        return {
            self.system.variables[left]: self.gold.variables[right]
            for left, right in sorted(mapping.items())
        }

    def as_json(self, identifier: str) -> dict[str, Any]:
        """Return the subject of this pair's certificates, as the checker reads it."""
        return pair_as_json(identifier, self.label(), self.system, self.gold, self.values)

    def label(self) -> str:
        """Return the name of the metric and its choices in certificates."""
        label = self.metric.label()
        if not self.about:
            return label
        import json

        return json.dumps({"range": self.about, "of": label}, separators=(",", ":"))

    def parts(self) -> dict[str, "Comparison"]:
        """Return the comparison of each part of the metric that occurs."""
        systems, golds = self._by_part(self.system), self._by_part(self.gold)
        return {
            part: replace(self, system=systems[part], gold=golds[part])
            for part in self.metric.parts
            if systems[part].triples or golds[part].triples
        }

    def _by_part(self, graph: NormalisedGraph) -> dict[str, NormalisedGraph]:
        """Return the triples of *graph* that belong to each part."""
        triples = self._sorted_by_part(graph.triples)
        is_own = graph.targets is None
        targets = triples if is_own else self._sorted_by_part(graph.as_gold())
        return {
            part: graph.with_triples(triples[part], None if is_own else targets[part])
            for part in self.metric.parts
        }

    def _sorted_by_part(
        self, triples: Sequence[NormalisedTriple]
    ) -> dict[str, list[NormalisedTriple]]:
        by_part: dict[str, list[NormalisedTriple]] = {part: [] for part in self.metric.parts}
        for triple in triples:
            for part in self.metric.parts_of(triple.label):
                if part in by_part:
                    by_part[part].append(triple)
        return by_part

    def counts(self, mapping: Mapping[str, str]) -> Counts:
        """Count the matches of a mapping by name, and the triples of both sides."""
        return Counts(self.count_matched(mapping), self.system_total, self.gold_total)

    def count_matched(self, mapping: Mapping[str, str]) -> int:
        """Count the matches of a mapping by name, from the triples alone.

        Variables that share no key, or do not exist, count as unmapped.
        """
        return self.count_permitted(self.permitted_names(mapping))

    def count_permitted(self, mapping: Mapping[str, str]) -> int:
        """Count the matches of a mapping by name that keys allow, from the triples alone."""
        return count_matched(self.system, self.gold, mapping, *self.values)

    def permitted_names(self, mapping: Mapping[str, str]) -> Mapping[str, str]:
        """Return the pairs of a mapping by name that keys allow, of variables that occur."""
        system, gold = self.system.keys, self.gold.keys
        if system is None or gold is None:
            return mapping
        # There may be many parts, so only the triples of each are examined.
        named = {v for triple in self.system.triples for v in triple.variables}
        # Many variables may have the same keys, and these many.
        known: dict[int, frozenset[str]] = {}
        permitted = {}
        for v in named:
            w, keys = mapping.get(v), system.get(v, ())
            if w is None:
                continue
            if id(keys) not in known:
                known[id(keys)] = frozenset(keys)
            if not known[id(keys)].isdisjoint(gold.get(w, ())):
                permitted[v] = w
        return permitted

    def _total(self, graph: NormalisedGraph) -> int:
        return self.scale * graph.total(self.metric.duplicates)


def compare(pair: GraphPair, metric: AlignmentMetric) -> Comparison:
    """Return the comparison of the two graphs of *pair* under *metric*.

    Raises `InputError` if they cannot be compared.
    """
    metric.check(pair.system, pair.gold)
    return compare_triples(metric.normalise(pair.system), metric.normalise(pair.gold), metric)


def compare_for_proof(pair: GraphPair, metric: AlignmentMetric) -> Comparison:
    """Return the comparison of two graphs that their certificate is about; see `compare`."""
    return compare(pair, metric).in_largest_unit()


def compare_triples(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    metric: AlignmentMetric,
    deadline: Deadline = NEVER,
) -> Comparison:
    """Return the comparison of two graphs whose normalised triples are known.

    Raises `OutOfTime` if *deadline* comes before the similar labels are known.
    """
    similar = metric.similar(system, gold, deadline)
    return _compared(system, gold, metric, similar)


def without_similar(
    system: NormalisedGraph, gold: NormalisedGraph, metric: AlignmentMetric
) -> Comparison:
    """Return the comparison of two graphs whose similar labels are not known."""
    return _compared(system, gold, metric, NOT_SIMILAR)


def _compared(
    system: NormalisedGraph, gold: NormalisedGraph, metric: AlignmentMetric, similar: Similar
) -> Comparison:
    return Comparison(system, gold, similar, metric, metric.scale)


def pair_as_json(
    identifier: str,
    profile: str,
    system: NormalisedGraph,
    gold: NormalisedGraph,
    values: MatchValues,
) -> dict[str, Any]:
    """Return everything that the score of a pair depends on, with its *identifier* and *profile*.

    Values of triples of different labels are in units of 1 / scale.
    """
    is_linked = system.keys is not None or gold.keys is not None
    return {
        "id": identifier,
        "profile": profile,
        "duplicates": values.duplicates,
        "scale": values.scale,
        "similar": [[list(a), list(b), credit] for (a, b), credit in values.similar.items()],
        "test": _graph_as_json(system, system.triples, is_linked),
        "gold": _graph_as_json(gold, gold.as_gold(), is_linked),
    }


def _graph_as_json(
    graph: NormalisedGraph, triples: Sequence[NormalisedTriple], is_linked: bool
) -> dict[str, Any]:
    # The tuples themselves, since copies take longer than all the rest.
    content: dict[str, Any] = {"variables": graph.variables, "triples": triples}
    if is_linked:
        keys = graph.keys or {}
        content["keys"] = [keys.get(variable, []) for variable in graph.variables]
    return content
