"""Cliques that a relaxed solution violates: it holds more than one of their members.

*Members* are terms and single candidates, as sets of pairs. Two of them exclude each other if a
pair of one and a pair of the other have exactly one variable in common, since no mapping holds
both. Where all members of a clique have a variable in common, and two pairs at most, the rows and
columns of the relaxation bound them already; most others are triangles.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate, islice
from operator import and_
from typing import Protocol

from exactmatch.problem import Pair
from exactmatch.stopping.deadline import NEVER, Deadline, looking

#: The most pairs of a clique that `exactmatch.certificate.checker` reads.
_MOST_PAIRS = 1_000
#: What a member needs, sorted.
_Pairs = tuple[Pair, ...]


class CliqueLimits(Protocol):
    """The limits of a search.

    least_present: cliques with a smaller total presence are ignored.
    most_found: the most cliques that are found at a time.
    most_members: the most members of a clique; checkers look at any two.
    partners: with so many members that each member excludes, it begins a clique.
    """

    @property
    def least_present(self) -> int: ...

    @property
    def most_found(self) -> int: ...

    @property
    def most_members(self) -> int: ...

    @property
    def partners(self) -> int: ...


class CliqueMembers:
    """Sets of *pairs* by number, and cliques of them."""

    def __init__(self, pairs: Mapping[int, _Pairs]) -> None:
        self.pairs = pairs
        self._small_first = sorted(pairs, key=lambda member: (len(pairs[member]), member))
        self._place = {member: place for place, member in enumerate(self._small_first)}
        self._exclusions = _Exclusions([pairs[member] for member in self._small_first])

    def violated(
        self, present: Mapping[int, int], limits: CliqueLimits, deadline: Deadline = NEVER
    ) -> list[list[int]]:
        """Return cliques that *present* violates, holding more than one member, worst first.

        Only members that it names are looked at; then others that fit are put in. Raises
        `OutOfTime` if *deadline* comes first.
        """
        order = sorted(present, key=lambda member: (-present[member], member))
        found: dict[tuple[int, ...], int] = {}
        exclusions = _Exclusions([self.pairs[member] for member in order])
        for bits in looking(exclusions.cliques(limits.partners, deadline), deadline):
            clique = [order[place] for place in _places(bits)]
            excess = sum([present[member] for member in clique])
            if excess >= limits.least_present and not self._is_bounded(clique):
                found[tuple(sorted(clique))] = excess
        ranked = sorted(found, key=lambda clique: (-found[clique], clique))
        extended = []
        for members in ranked[: limits.most_found]:
            deadline.check()
            extended.append(self._extended(members, limits.most_members))
        return extended

    def _is_bounded(self, clique: Sequence[int]) -> bool:
        """Tell whether the dual bounds *clique* already: its members have a variable in common.

        Given the partner of that variable, members of two pairs exclude each other only if they
        share another variable, too: the dual has a row for that. Members of three pairs may share
        other variables two by two, without one common to all.
        """
        if any(len(self.pairs[member]) > 2 for member in clique):
            return False
        for side in (0, 1):
            variables = [{pair[side] for pair in self.pairs[member]} for member in clique]
            if set.intersection(*variables):
                return True
        return False

    def _extended(self, clique: Sequence[int], most: int) -> list[int]:
        """Return *clique* with up to *most* members that exclude each other, small ones first.

        Members are left out if there would be more pairs than checkers read.
        """
        places = [self._place[member] for member in clique]
        left = reduce(and_, map(self._exclusions.of, places))
        while left and len(places) < most:
            places.append((left & -left).bit_length() - 1)
            left &= self._exclusions.of(places[-1])
        found = [self._small_first[place] for place in places]
        pairs = accumulate(len(self.pairs[member]) for member in found)
        return sorted(m for m, number in zip(found, pairs, strict=True) if number <= _MOST_PAIRS)


class _Exclusions:
    """Which of *sets* exclude each other. In a whole number, bit k stands for set k."""

    def __init__(self, sets: Sequence[_Pairs]) -> None:
        self._sets = sets
        self._with: defaultdict[Pair, list[int]] = defaultdict(list)
        sharing: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for place, pairs in enumerate(sets):
            for pair in pairs:
                self._with[pair].append(place)
                sharing[0, pair[0]].append(place)
                sharing[1, pair[1]].append(place)
        self._sharing = {variable: self._bits(places) for variable, places in sharing.items()}

    def of(self, place: int) -> int:
        """Return the sets of which no mapping holds one together with the set at *place*.

        They share a variable with one of its pairs, and do not hold that pair.
        """
        excluded = 0
        for pair in self._sets[place]:
            sharing = self._sharing[0, pair[0]] | self._sharing[1, pair[1]]
            excluded |= sharing ^ self._bits(self._with[pair])
        return excluded

    def cliques(self, number: int, deadline: Deadline) -> set[int]:
        """Build cliques from each set and each of the first *number* that it excludes.

        Each grows by the first set that fits, again and again. Most of what is built is the same,
        which is cheap to find out of bits. Raises `OutOfTime` if *deadline* comes first.
        """
        excluded = [self.of(place) for place in range(len(self._sets))]
        found = set()
        for first, partners in enumerate(excluded):
            deadline.check()
            for second in islice(_places(partners), number):
                clique = 1 << first | 1 << second
                left = partners & excluded[second]
                while left:
                    lowest = left & -left
                    clique |= lowest
                    left &= excluded[lowest.bit_length() - 1]
                found.add(clique)
        return found

    def _bits(self, places: Iterable[int]) -> int:
        bits = bytearray(len(self._sets) // 8 + 1)
        for place in places:
            bits[place // 8] |= 1 << place % 8
        return int.from_bytes(bits, "little")


def _places(bits: int) -> Iterator[int]:
    """Yield the places of the ones among *bits*, from the lowest."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
