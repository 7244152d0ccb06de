"""Facts about all best mappings of a pair, with each number counted again from the triples.

`optimum_of` turns the solution of a pair into a solved problem. From it, `best_mappings_of` finds
the best mappings by name, and `ends_of_parts` the least and the most that they match of a part.

The ends of ranges have certificates, about problems whose best mappings match the least, or the
most, of a part (`ends_of`). In these, every triple counts K times its value, and a triple of the
part once more, or once less, where K exceeds the possible matches of the part (see
`exactmatch.solving.best.ranges`). In the pair's JSON, that is a larger *scale*, and labels that are
similar to themselves; the checker need not know about ranges. Together with the certificate of the
pair itself, such a certificate proves an end of the range: its mapping scores as much as the best
one, and the rest of its value is its matches of the part. If a limit leaves its bound open, it
proves an interval for the end.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple

from exactmatch.errors import VerificationError
from exactmatch.metrics.best_mappings import BestMappings, NamedPairs
from exactmatch.metrics.counts import Range
from exactmatch.metrics.triples import Label, NormalisedGraph
from exactmatch.problem import Pair
from exactmatch.scoring.comparison import Comparison
from exactmatch.solving.best.backbone import Backbone, find_backbone
from exactmatch.solving.best.listing import defined_mapping, first_best_mappings
from exactmatch.solving.best.optimum import Optimum
from exactmatch.solving.best.ranges import Ends, Witness, find_ends, look
from exactmatch.solving.dual.branch_and_bound import Proof
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, solve
from exactmatch.stopping.deadline import Deadline, OutOfTime

Side = Literal["least", "most"]


class RangeEnd(NamedTuple):
    """The *least* or the *most* that the best mappings match of a part."""

    part: str
    side: Side

    def __str__(self) -> str:
        return f"{self.side} {self.part}"


def optimum_of(
    comparison: Comparison, solution: Solution, settings: SolverSettings
) -> Optimum | None:
    """Return the solved problem of *comparison*; None if *solution* is not proven to be best.

    Also return None if the deadline of *settings* comes first.
    """
    if not solution.is_optimal or solution.too_large:
        return None
    proof, deadline = solution.proof, settings.deadline
    try:
        problem = proof.problem if isinstance(proof, Proof) else comparison.built(deadline)
    except OutOfTime:
        return None
    again = partial(solve, settings=settings._replace(certify=False), is_derived=True)
    return Optimum(problem, solution, lambda problem, hint: again(problem, hint=hint), deadline)


def best_mappings_of(comparison: Comparison, optimum: Optimum, limit: int) -> BestMappings:
    """Return the first *limit* best mappings and the backbone; for 0, the defined mapping alone.

    Raises `Undecided` if the limits do not allow an answer, `OutOfTime`, and `VerificationError` if
    a mapping is not as claimed.
    """
    if limit == 0:
        return BestMappings(mappings=_named(comparison, optimum, [defined_mapping(optimum)]))
    listing = first_best_mappings(optimum, limit)
    backbone = _in_common(listing.mappings) if listing.are_all else find_backbone(optimum)
    return BestMappings(
        mappings=_named(comparison, optimum, listing.mappings),
        are_all=listing.are_all,
        every=_named_pairs(comparison, backbone.every),
        some=_named_pairs(comparison, backbone.some),
    )


def ends_of_parts(
    comparison: Comparison,
    optimum: Optimum | None,
    parts: Mapping[str, Comparison],
    deadline: Deadline,
) -> dict[str, Ends] | None:
    """Return the least and the most matches of each of *parts* over the best mappings.

    *optimum* is the solved problem of *comparison*, or None if it is not known. Returns None if an
    end is not known. Raises `VerificationError` if a mapping for an end is not as claimed.
    """
    if optimum is None:
        return None
    try:
        if optimum.is_settled and _are_within(parts.values(), comparison, deadline):
            named = comparison.named(optimum.mapping)
            alike = {}
            for name, part in parts.items():
                look(deadline, len(parts))
                alike[name] = Witness(part.count_matched(named), optimum.mapping)
            return {name: Ends(witness, witness) for name, witness in alike.items()}
        terms = {
            name: {pairs: weight for weight, pairs in part.built(deadline).terms}
            for name, part in parts.items()
        }
        ends = find_ends(optimum, terms)
        if ends is not None:
            _check_ends(comparison, optimum.value, parts, ends, deadline)
        return ends
    except OutOfTime:
        return None


def ranges_of_parts(
    parts: Mapping[str, Comparison], ends: Mapping[str, Ends] | None
) -> dict[str, Range]:
    """Return the range of each of *parts* between its *ends*, which are None if not known."""
    if ends is None:
        return dict.fromkeys(parts, Range(unknown=1))
    found = {}
    for name, part in parts.items():
        least, most = ends[name].least.matched, ends[name].most.matched
        counts = (least, most, part.system_total, part.gold_total)
        found[name] = Range(*(part.unit * count for count in counts))
    return found


def ends_of(comparison: Comparison) -> Iterator[tuple[RangeEnd, Comparison]]:
    """Yield the ends of all parts that occur, and the comparison whose best mappings reach each."""
    for part, its_triples in comparison.parts().items():
        yield (
            RangeEnd(part, "least"),
            _towards(comparison, its_triples, RangeEnd(part, "least"), -1),
        )
        yield RangeEnd(part, "most"), _towards(comparison, its_triples, RangeEnd(part, "most"), 1)


def factor(part: Comparison) -> int:
    """Return a whole number that exceeds the matches of *part* under any mapping."""
    if part.metric.duplicates == "product":
        return part.problem.total + 1
    most = max([part.scale, *part.similar.values()])
    return most * min(len(part.system.triples), len(part.gold.as_gold())) + 1


def _in_common(mappings: Iterable[dict[int, int]]) -> Backbone:
    """Return the backbone if *mappings* are all the best ones."""
    pairs = [frozenset(mapping.items()) for mapping in mappings]
    return Backbone(frozenset.intersection(*pairs), frozenset.union(*pairs))


def _named(
    comparison: Comparison, optimum: Optimum, mappings: Iterable[dict[int, int]]
) -> list[dict[str, str]]:
    by_name = [comparison.named(mapping) for mapping in mappings]
    for mapping in by_name:
        if comparison.count_matched(mapping) != optimum.value:
            raise VerificationError("a mapping that was reported as best is not best")
    return by_name


def _named_pairs(comparison: Comparison, pairs: Iterable[Pair]) -> NamedPairs:
    systems, golds = comparison.system.variables, comparison.gold.variables
    return frozenset((systems[left], golds[right]) for left, right in pairs)


def _are_within(parts: Collection[Comparison], whole: Comparison, deadline: Deadline) -> bool:
    """Tell whether a match in *parts* is also one in *whole*: whether it has all their triples.

    Raises `OutOfTime` if *deadline* comes first.
    """
    system, gold = set(whole.system.triples), set(whole.gold.triples)
    for part in parts:
        look(deadline, len(parts))
        if not system.issuperset(part.system.triples) or not gold.issuperset(part.gold.triples):
            return False
    return True


def _check_ends(
    comparison: Comparison,
    best: int,
    parts: Mapping[str, Comparison],
    ends: Mapping[str, Ends],
    deadline: Deadline,
) -> None:
    """Raise `VerificationError` unless the mapping of each end is best, and matches as claimed.

    All matches are counted from the triples. Raises `OutOfTime` if *deadline* comes first.
    """
    known: set[tuple[tuple[int, int], ...]] = set()
    for name, part in parts.items():
        for witness in ends[name]:
            look(deadline, len(parts))
            named = comparison.named(witness.mapping)
            key = tuple(sorted(witness.mapping.items()))
            if key not in known and comparison.count_matched(named) != best:
                raise VerificationError("the mapping for the end of a range is not best")
            known.add(key)
            matched = part.count_matched(named)
            if matched != witness.matched:
                raise VerificationError(
                    f"the end of a range is {witness.matched}, but its mapping matches {matched}"
                )


def _towards(whole: Comparison, part: Comparison, end: RangeEnd, sign: int) -> Comparison:
    times = factor(part)
    worth = Counter({labels: times * credit for labels, credit in whole.similar.items()})
    systems, golds = _labels(part.system), _labels(part.gold)
    for label in systems & golds:
        worth[label, label] += sign * whole.scale
    for (label, other), credit in part.similar.items():
        if label in systems and other in golds:
            worth[label, other] += sign * credit
    return replace(
        whole, similar=dict(sorted(worth.items())), scale=times * whole.scale, about=str(end)
    )


def _labels(graph: NormalisedGraph) -> set[Label]:
    return {triple.label for triple in (*graph.triples, *graph.as_gold())}
