"""Distances of pairs of graphs, as exact fractions, from the triples that match.

The distances are those of Skjærholt (2014, *A chance-corrected measure of inter-annotator agreement
for syntax*), with triples without a partner in the place of his tree edits. A pair whose best
mapping is not proven has an interval of distances.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

#: The distances of two graphs: the triples without a partner; those that are left if one graph is
#: larger are free; or their share of all triples, which is 1 - F1.
Distance = Literal["plain", "diff", "norm"]
DISTANCES: tuple[Distance, ...] = get_args(Distance)

#: Whole numbers: of 64 bits or, if these might not be enough, of Python.
Integers = NDArray[Any]

#: Sums of 64 bits stay below this.
_LARGEST_SUM = 2**62


class Fractions(NamedTuple):
    """Fractions in two columns of whole numbers; denominators are above 0."""

    numerators: Integers
    denominators: Integers

    def chosen(self, mask: NDArray[np.bool_]) -> "Fractions":
        """Return the fractions for which *mask* is true."""
        return Fractions(self.numerators[mask], self.denominators[mask])

    def to_power(self, power: int) -> "Fractions":
        """Return the fractions to a *power* (1 or 2)."""
        if power == 1:
            return self
        return Fractions(_squared(self.numerators), _squared(self.denominators))

    def total(self) -> Fraction:
        """Return the exact sum."""
        if not len(self.numerators):
            return Fraction(0)
        order = np.argsort(self.denominators, kind="stable")
        denominators = self.denominators[order]
        starts = np.flatnonzero(np.append(True, denominators[1:] != denominators[:-1]))
        sums = np.add.reduceat(_summable(self.numerators)[order], starts)
        parts = zip(sums.tolist(), denominators[starts].tolist(), strict=True)
        return sum((Fraction(number, of) for number, of in parts), Fraction(0))

    def floats(self) -> NDArray[np.float64]:
        """Return the rounded quotients."""
        quotients: NDArray[np.float64] = np.asarray(
            self.numerators / self.denominators, dtype=np.float64
        )
        return quotients


def _squared(numbers: Integers) -> Integers:
    """Return the squares, in Python's integers if 64 bits are not enough."""
    if len(numbers) and int(numbers.max()) ** 2 >= _LARGEST_SUM:
        numbers = numbers.astype(object)
    return numbers**2


def _summable(numbers: Integers) -> Integers:
    """Return *numbers*, in Python's integers if their sum may not fit into 64 bits."""
    if int(numbers.max()) * len(numbers) >= _LARGEST_SUM:
        return numbers.astype(object)
    return numbers


@dataclass(frozen=True, eq=False)
class PairDistances:
    """The least and the largest distances of pairs of graphs, each pair once.

    items: the item of each graph, as a number from 0 on; each item has at least two graphs.
    first, second: the positions of the graphs of each pair. All pairs of graphs of one item are
        there; those of different items are all there, or a sample of them.
    least, largest: the distances; they are equal if all pairs are proven.
    """

    items: Integers
    first: Integers
    second: Integers
    least: Fractions
    largest: Fractions

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of graphs of each item."""
        sizes: NDArray[np.int64] = np.bincount(self.items)
        return sizes

    @cached_property
    def within(self) -> NDArray[np.bool_]:
        """For each pair, whether both graphs are of one item."""
        is_within: NDArray[np.bool_] = self.items[self.first] == self.items[self.second]
        return is_within

    @property
    def between(self) -> int:
        """The number of all pairs of graphs of different items."""
        graphs = len(self.items)
        return (graphs * graphs - int(self.sizes @ self.sizes)) // 2

    @property
    def taken(self) -> int:
        """The number of these that are here."""
        return len(self.first) - int(np.count_nonzero(self.within))

    @property
    def is_sample(self) -> bool:
        """Whether the pairs of different items are a sample."""
        return self.taken < self.between

    @property
    def open(self) -> int:
        """The number of pairs whose distance is not proven."""
        return int(np.count_nonzero(self.least.numerators != self.largest.numerators))

    def without(self, graphs: NDArray[np.bool_]) -> "PairDistances":
        """Return the distances without some graphs, and without items that are left with one."""
        kept = ~graphs
        sizes = np.bincount(self.items[kept], minlength=len(self.sizes))
        kept &= sizes[self.items] > 1
        number = np.cumsum(kept) - 1
        _, items = np.unique(self.items[kept], return_inverse=True)
        pairs = kept[self.first] & kept[self.second]
        least = self.least.chosen(pairs)
        return PairDistances(
            items,
            number[self.first[pairs]],
            number[self.second[pairs]],
            least,
            largest=least if self.largest is self.least else self.largest.chosen(pairs),
        )


@dataclass(frozen=True, eq=False)
class MatchedPairs:
    """The matches of pairs of graphs, from which each distance follows.

    items, first, second: as in `PairDistances`.
    first_total, second_total: the triples of both graphs; *matched* and *upper* are the matches of
        a mapping, and their upper bound. All four are counted in parts of a triple; a triple has
        *scale* of them.
    """

    items: Integers
    first: Integers
    second: Integers
    first_total: Integers
    second_total: Integers
    matched: Integers
    upper: Integers
    scale: int

    def distances(self, distance: Distance) -> PairDistances:
        """Return the distances of one kind."""
        least = self._of_kind(distance, self.upper)
        proven = np.array_equal(self.matched, self.upper)
        return PairDistances(
            self.items,
            self.first,
            self.second,
            least,
            largest=least if proven else self._of_kind(distance, self.matched),
        )

    def _of_kind(self, distance: Distance, matched: Integers) -> Fractions:
        both = np.asarray(self.first_total, dtype=np.int64) + self.second_total
        left_over = both - 2 * np.asarray(matched, dtype=np.int64)
        if distance == "norm":
            return Fractions(left_over, np.maximum(both, 1))  # no triples: distance 0 of 1
        if distance == "diff":
            left_over -= np.abs(np.asarray(self.first_total, dtype=np.int64) - self.second_total)
        return Fractions(left_over, np.broadcast_to(np.int64(self.scale), left_over.shape))
