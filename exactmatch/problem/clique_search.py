"""Cliques that a relaxed solution violates: it holds more than one of their members.

*Members* are terms and single candidates, as sets of pairs. Two of them exclude each other if a
pair of one and a pair of the other have exactly one variable in common, since no mapping holds
both. Where all members of a clique have a variable in common, and two pairs at most, the rows and
columns of the relaxation bound them already; most others are triangles.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice
from typing import Protocol

from exactmatch.problem import Pair

#: The most pairs of a clique that `exactmatch.certificate.checker` reads.
_MOST_PAIRS = 1_000
#: What a member needs, sorted.
_Pairs = tuple[Pair, ...]


class CliqueLimits(Protocol):
    """The limits of a search.

    least_present: cliques with a smaller total presence are ignored.
    most_found: the most cliques that are found at a time.
    most_members: the most members of a clique; checkers look at any two.
    seconds: the number of cliques that begin from each member.
    """

    @property
    def least_present(self) -> int: ...

    @property
    def most_found(self) -> int: ...

    @property
    def most_members(self) -> int: ...

    @property
    def seconds(self) -> int: ...


class CliqueMembers:
    """Sets of *pairs* by number, and which exclude each other."""

    def __init__(self, pairs: Mapping[int, _Pairs]) -> None:
        self.pairs = pairs
        self._with: defaultdict[Pair, list[int]] = defaultdict(list)
        self._of_left: defaultdict[int, list[Pair]] = defaultdict(list)
        self._of_right: defaultdict[int, list[Pair]] = defaultdict(list)
        for member, its_pairs in pairs.items():
            for pair in its_pairs:
                if pair not in self._with:
                    self._of_left[pair[0]].append(pair)
                    self._of_right[pair[1]].append(pair)
                self._with[pair].append(member)

    def excluded_by(self, member: int) -> set[int]:
        """Return the members of which no mapping holds one together with *member*."""
        found: set[int] = set()
        for pair in self.pairs[member]:
            for other in chain(self._of_left[pair[0]], self._of_right[pair[1]]):
                if other != pair:
                    found.update(self._with[other])
        return found

    def violated(self, present: Mapping[int, int], limits: CliqueLimits) -> list[list[int]]:
        """Return cliques that *present* violates, holding more than one member, worst first.

        Only members that it names are looked at; then others that fit are put in.
        """
        order = sorted(present, key=lambda member: (-present[member], member))
        found: dict[tuple[int, ...], int] = {}
        for bits in CliqueMembers({m: self.pairs[m] for m in order})._cliques(limits):
            clique = [order[place] for place in _places(bits)]
            excess = sum(present[member] for member in clique)
            if excess >= limits.least_present and not self._is_bounded(clique):
                found[tuple(sorted(clique))] = excess
        ranked = sorted(found, key=lambda clique: (-found[clique], clique))
        most = limits.most_members
        return [self._extended(clique, most) for clique in ranked[: limits.most_found]]

    def _cliques(self, limits: CliqueLimits) -> set[int]:
        """Build cliques from each member, by taking the first one among the rest.

        Bit k of a clique stands for member k in the order of `pairs`. Most of what is built is the
        same again, which is cheap to find out of bits.
        """
        place = {member: k for k, member in enumerate(self.pairs)}
        excluded = [
            sum(1 << place[other] for other in self.excluded_by(member)) for member in self.pairs
        ]
        found = set()
        for first, partners in enumerate(excluded):
            for second in islice(_places(partners), limits.seconds):
                clique = 1 << first | 1 << second
                left = partners & excluded[second]
                while left:
                    lowest = left & -left
                    clique |= lowest
                    left &= excluded[lowest.bit_length() - 1]
                found.add(clique)
        return found

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
        found = list(clique)
        left = set.intersection(*map(self.excluded_by, clique))
        while left and len(found) < most:
            found.append(min(left, key=lambda member: (len(self.pairs[member]), member)))
            left &= self.excluded_by(found[-1])
        pairs = accumulate(len(self.pairs[member]) for member in found)
        return sorted(m for m, number in zip(found, pairs, strict=True) if number <= _MOST_PAIRS)


def _places(bits: int) -> Iterator[int]:
    """Yield the places of the ones among *bits*, from the lowest."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
