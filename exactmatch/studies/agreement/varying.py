"""Differences between two graphs under all of their best mappings."""

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple, Self

from exactmatch.studies.common.differences import Difference

#: The sorts of differences.
SORTS = ("relabelled", "surplus", "missing")

#: A kind of triples, and one of `SORTS`.
Sort = tuple[str, str]


class VaryingDifferences(NamedTuple):
    """The differences of a pair of graphs, with their frequencies under its best mappings.

    every: the least frequency under any of them; some: the largest.
    least, most: the same of all differences of a kind and sort.
    fewest, largest: the same of all differences.
    are_all: whether all best mappings were examined. If not, the least numbers are 0.
    """

    every: Counter[Difference]
    some: Counter[Difference]
    least: Counter[Sort]
    most: Counter[Sort]
    fewest: int
    largest: int
    are_all: bool

    @classmethod
    def of(cls, found: Sequence[Sequence[Difference]], *, are_all: bool) -> Self:
        """Return the range of the differences under each mapping."""
        counts = [Counter(differences) for differences in found]
        sorts = [Counter((d.kind, _sort(d)) for d in differences) for differences in found]
        totals = [len(differences) for differences in found]
        return cls(
            every=reduce(and_, counts) if are_all else Counter(),
            some=reduce(or_, counts),
            least=reduce(and_, sorts) if are_all else Counter(),
            most=reduce(or_, sorts),
            fewest=min(totals) if are_all else 0,
            largest=max(totals),
            are_all=are_all,
        )


def _sort(difference: Difference) -> str:
    if difference.gold is None:
        return "surplus"
    return "missing" if difference.system is None else "relabelled"
