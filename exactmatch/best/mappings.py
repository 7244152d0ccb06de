"""The best mappings of a pair of graphs by the names of variables, counted from the triples."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from exactmatch.best.backbone import Backbone, find_backbone
from exactmatch.best.listing import defined_mapping, first_best_mappings
from exactmatch.best.optimum import Optimum
from exactmatch.comparison import Comparison
from exactmatch.errors import VerificationError
from exactmatch.problem import Pair

#: Pairs of variables, by name.
NamedPairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class BestMappings:
    """The best mappings of a pair of graphs. Of each, the pairs count that take part in a match.

    mappings: the first ones, system variable to gold variable by name. They are in the order of the
        image of the first system variable, then of the second one, and so on, each in the order of
        the gold graph; no image comes last. The first is the defined mapping.
    are_all: whether there are no more.
    every: the backbone, pairs that all best mappings have; some: pairs that any of them has. Both
        are empty if nothing but the defined mapping was asked for.
    """

    mappings: list[dict[str, str]]
    are_all: bool = False
    every: NamedPairs = field(default=frozenset())
    some: NamedPairs = field(default=frozenset())

    @classmethod
    def of(cls, comparison: Comparison, optimum: Optimum, limit: int) -> "BestMappings":
        """Return the first *limit* of them and the backbone, for 0 the defined mapping alone.

        Raises `Unproven` where that cannot be said within the limits, `OutOfTime`, and
        `VerificationError` if a mapping is not what it is said to be.
        """
        if limit == 0:
            return cls(mappings=_named(comparison, optimum, [defined_mapping(optimum)]))
        listing = first_best_mappings(optimum, limit)
        backbone = _in_common(listing.mappings) if listing.are_all else find_backbone(optimum)
        return cls(
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
