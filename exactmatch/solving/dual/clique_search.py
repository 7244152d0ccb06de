"""Cliques that the averaged primal of a dual violates: it holds more than one of their members.

*Members* are terms and single candidates, as sets of pairs. Two of them exclude each other if a
pair of one and a pair of the other have exactly one variable in common, since no mapping holds
both. Where all members of a clique have a variable in common, the rows and columns of the
relaxation bound them already; most others are triangles.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exactmatch.problem import Pair
from exactmatch.solving.budgets import CliqueBudgets

#: What a member needs, sorted.
_Pairs = tuple[Pair, ...]


class CliqueMembers:
    """The terms and candidates of a relaxation, and which exclude each other.

    They have numbers: that of a term is its position there, that of candidate c is ``-1 - c``.
    """

    def __init__(self, pairs: Mapping[int, _Pairs]) -> None:
        self.pairs = pairs
        self._of_left: defaultdict[int, set[int]] = defaultdict(set)
        self._of_right: defaultdict[int, set[int]] = defaultdict(set)
        self._of_pair: defaultdict[Pair, set[int]] = defaultdict(set)
        for member, its_pairs in pairs.items():
            for pair in its_pairs:
                self._of_left[pair[0]].add(member)
                self._of_right[pair[1]].add(member)
                self._of_pair[pair].add(member)

    @classmethod
    def of(cls, relaxation: Any) -> "CliqueMembers":
        """Return all members of *relaxation*."""
        candidates = relaxation.candidates
        pairs: dict[int, _Pairs] = {-1 - c: (pair,) for c, pair in enumerate(candidates)}
        start = relaxation.whole.arrays.start
        held = [candidates[c] for c in relaxation.by_term(relaxation.holder)]
        end = 0
        for t, number in enumerate(relaxation.term_of):
            first, end = end, end + start[number + 1] - start[number]
            pairs[t] = tuple(held[first:end])
        return cls(pairs)

    def excluded_by(self, member: int) -> set[int]:
        """Return the members of which no mapping holds one together with *member*."""
        found: set[int] = set()
        for left, right in self.pairs[member]:
            same = self._of_pair[left, right]
            found |= self._of_left[left] - same
            found |= self._of_right[right] - same
        return found

    def violated(self, present: Mapping[int, int], budgets: CliqueBudgets) -> list[list[int]]:
        """Return cliques that *present* violates, holding more than one member, worst first.

        Only members that it names are looked at; then others that fit are put in.
        """
        found: dict[tuple[int, ...], int] = {}
        for clique in CliqueMembers({m: self.pairs[m] for m in present})._cliques(present, budgets):
            excess = sum(present[member] for member in clique)
            if excess >= budgets.least_present and not self._is_bounded(clique):
                found[tuple(sorted(clique))] = excess
        ranked = sorted(found, key=lambda clique: (-found[clique], clique))
        most = budgets.most_members
        return [self._extended(clique, most) for clique in ranked[: budgets.most_found]]

    def _cliques(self, present: Mapping[int, int], budgets: CliqueBudgets) -> Iterator[list[int]]:
        """Build cliques from each member, by taking the one that is present most among the rest."""
        order = sorted(self.pairs, key=lambda member: (-present[member], member))
        rank = {member: k for k, member in enumerate(order)}
        excluded = {member: self.excluded_by(member) for member in order}
        for first in order:
            for second in sorted(excluded[first], key=rank.__getitem__)[: budgets.seconds]:
                clique = [first, second]
                left = excluded[first] & excluded[second]
                while left:
                    clique.append(min(left, key=rank.__getitem__))
                    left &= excluded[clique[-1]]
                yield clique

    def _is_bounded(self, clique: Sequence[int]) -> bool:
        """Tell whether all members of *clique* have a variable in common."""
        for side in (0, 1):
            variables = [{pair[side] for pair in self.pairs[member]} for member in clique]
            if set.intersection(*variables):
                return True
        return False

    def _extended(self, clique: Sequence[int], most: int) -> list[int]:
        """Return *clique* with up to *most* members that exclude each other, small ones first."""
        found = list(clique)
        left = set.intersection(*map(self.excluded_by, clique))
        while left and len(found) < most:
            found.append(min(left, key=lambda member: (len(self.pairs[member]), member)))
            left &= self.excluded_by(found[-1])
        return sorted(found)
