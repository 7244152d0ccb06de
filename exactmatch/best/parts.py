"""Ranges of parts of the triples of a pair of graphs, counted anew from the triples."""

from collections.abc import Iterable, Mapping

from exactmatch.best.optimum import Optimum
from exactmatch.best.ranges import Ends, Witness, find_ends
from exactmatch.comparison import Comparison
from exactmatch.counts import Counts, Range
from exactmatch.deadline import Deadline, OutOfTime
from exactmatch.errors import VerificationError

_UNKNOWN = Range(unknown=1)


def ranges_of_parts(
    comparison: Comparison,
    optimum: Optimum | None,
    parts: Mapping[str, Comparison],
    deadline: Deadline,
) -> dict[str, Range]:
    """Return the range of each of *parts* over the best mappings of *comparison*.

    *optimum* is its problem, solved, or None if that is not known. Raises `VerificationError` if a
    mapping that reaches an end is not what it is said to be.
    """
    if optimum is None:
        return dict.fromkeys(parts, _UNKNOWN)
    try:
        if optimum.is_settled and _are_within(parts.values(), comparison):
            found = comparison.named(optimum.mapping)
            return {name: _single(part.counts(found)) for name, part in parts.items()}
        terms = {
            name: {pairs: weight for weight, pairs in part.built(deadline).terms}
            for name, part in parts.items()
        }
    except OutOfTime:
        return dict.fromkeys(parts, _UNKNOWN)
    ends = find_ends(optimum, terms)
    if ends is None:
        return dict.fromkeys(parts, _UNKNOWN)
    return _checked(comparison, optimum.value, parts, ends)


def _are_within(parts: Iterable[Comparison], whole: Comparison) -> bool:
    """Tell whether what matches in *parts* matches in *whole*, too: their triples are among its."""
    system, gold = set(whole.system.triples), set(whole.gold.triples)
    return all(
        system.issuperset(part.system.triples) and gold.issuperset(part.gold.triples)
        for part in parts
    )


def _single(counts: Counts) -> Range:
    matched, system_total, gold_total = counts
    return Range(matched, matched, system_total, gold_total)


def _checked(
    comparison: Comparison, best: int, parts: Mapping[str, Comparison], ends: Mapping[str, Ends]
) -> dict[str, Range]:
    """Return the ranges, each end counted from the triples under the mapping that reaches it."""
    known: set[tuple[tuple[int, int], ...]] = set()

    def check(part: Comparison, witness: Witness) -> None:
        named = comparison.named(witness.mapping)
        key = tuple(sorted(witness.mapping.items()))
        if key not in known and comparison.count_matched(named) != best:
            raise VerificationError("a mapping that reaches the end of a range is not a best one")
        known.add(key)
        matched = part.count_matched(named)
        if matched != witness.matched:
            raise VerificationError(
                f"the end of a range is {witness.matched}, but its mapping matches {matched}"
            )

    found = {}
    for name, part in parts.items():
        least, most = ends[name]
        check(part, least)
        check(part, most)
        totals = (part.system_total, part.gold_total)
        found[name] = Range(least.matched, most.matched, *totals)
    return found
