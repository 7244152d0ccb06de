"""Problems some of whose terms cost something, as problems that have gains alone.

A term that costs c if a mapping holds all its pairs gains c as soon as the variable of its last
pair goes elsewhere, or nowhere, and all the others are held: with the constant -c for these, and so
on, that is the same. Going nowhere is to be mapped to a variable that is there for that alone.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from exactmatch.problem import MatchingProblem, Pair, Term


class Gains(NamedTuple):
    """A problem of gains alone.

    What a mapping scores in the problem with costs is what the best mapping that extends it by
    variables from *n_right* on scores in *problem*, and *offset*.
    """

    problem: MatchingProblem
    n_right: int
    offset: int

    def undo(self, mapping: Mapping[int, int]) -> dict[int, int]:
        """Return the part of *mapping* that is one of the problem with costs."""
        return {left: right for left, right in mapping.items() if right < self.n_right}


def gains(n_left: int, n_right: int, weights: Mapping[tuple[Pair, ...], int]) -> Gains:
    """Return the problem of the terms *weights*, some of which may be negative."""
    found = Counter({pairs: weight for pairs, weight in weights.items() if weight})
    costly = [pairs for pairs, weight in found.items() if weight < 0]
    if costly:
        _replace_costs(found, n_right)
    offset = found.pop((), 0)
    terms = [Term(weight, pairs) for pairs, weight in sorted(found.items()) if weight]
    return Gains(
        MatchingProblem(n_left, n_right + (n_left if costly else 0), terms), n_right, offset
    )


def _replace_costs(found: Counter[tuple[Pair, ...]], n_right: int) -> None:
    images: defaultdict[int, set[int]] = defaultdict(set)
    for pairs in found:
        for left, right in pairs:
            images[left].add(right)
    for size in range(max(map(len, found)), 0, -1):
        for pairs in [pairs for pairs in found if len(pairs) == size]:
            cost = found[pairs]
            if cost >= 0:
                continue
            del found[pairs]
            *rest, (left, right) = pairs
            found[tuple(rest)] += cost
            taken = {its_right for _, its_right in rest}
            for other in {*images[left], n_right + left} - {right} - taken:
                found[tuple(sorted([*rest, (left, other)]))] -= cost
