"""From a solved problem to the best mappings by name, each counted from the triples."""

from collections.abc import Iterable

from exactmatch.best.backbone import Backbone, find_backbone
from exactmatch.best.listing import defined_mapping, first_best_mappings
from exactmatch.best.optimum import Optimum
from exactmatch.comparison import Comparison
from exactmatch.errors import VerificationError
from exactmatch.mappings import BestMappings, NamedPairs
from exactmatch.problem import Pair


def best_mappings_of(comparison: Comparison, optimum: Optimum, limit: int) -> BestMappings:
    """Return the first *limit* of them and the backbone, for 0 the defined mapping alone.

    Raises `Undecided` where that cannot be said within the limits, `OutOfTime`, and
    `VerificationError` if a mapping is not what it is said to be.
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


def _in_common(mappings: Iterable[dict[int, int]]) -> Backbone:
    """Return the backbone where *mappings* are all the best ones."""
    pairs = [frozenset(mapping.items()) for mapping in mappings]
    return Backbone(frozenset.intersection(*pairs), frozenset.union(*pairs))


def _named(
    comparison: Comparison, optimum: Optimum, mappings: Iterable[dict[int, int]]
) -> list[dict[str, str]]:
    found = [comparison.named(mapping) for mapping in mappings]
    for mapping in found:
        if comparison.count_matched(mapping) != optimum.value:
            raise VerificationError("a mapping that was called a best one is none")
    return found


def _named_pairs(comparison: Comparison, pairs: Iterable[Pair]) -> NamedPairs:
    systems, golds = comparison.system.variables, comparison.gold.variables
    return frozenset((systems[left], golds[right]) for left, right in pairs)
