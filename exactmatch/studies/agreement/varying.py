"""What differs between two graphs under all of their best mappings."""

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple, Self

from exactmatch.studies.common.differences import Difference

#: What can be said of a triple that differs.
SORTS = ("relabelled", "surplus", "missing")

#: A kind of triples, and one of `SORTS`.
Sort = tuple[str, str]


class VaryingDifferences(NamedTuple):
    """Differences of a pair of graphs, as often as they occur under its best mappings.

    every: as often as under any, at least; some: as often as under any, at most.
    least, most: the same of all differences of a sort, whatever they say.
    fewest, largest: and of all differences.
    are_all: all best mappings have been looked at. If not, what is said to be the least is 0.
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
        """Return what varies between the differences under each mapping."""
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
