"""What a pair can add to the score of any mapping: a bound from its own terms alone."""

from collections import defaultdict
from collections.abc import Sequence

from exactmatch.problem import MatchingProblem, Pair, others

#: The largest share for a candidate and some other variables on one side.
_Largest = dict[tuple[Pair, tuple[int, ...]], int]


def star_bounds(problem: MatchingProblem, shares: Sequence[int]) -> dict[Pair, int]:
    """Bound, for each candidate, the *shares* of the terms that are scored together with it.

    *shares* holds a number >= 0 for each term. Terms of the candidate alone are always scored
    with it. Of the others, those that ask for other images of the same left variables exclude
    each other, so that the largest of them counts; likewise for right variables, and the
    smaller of the two sums holds.
    """
    own = dict.fromkeys(problem.candidates, 0)
    by_left: _Largest = {}
    by_right: _Largest = {}
    for (_, pairs), share in zip(problem.terms, shares, strict=True):
        if len(pairs) == 1:
            own[pairs[0]] += share
            continue
        for pair in pairs:
            key = (pair, others(pairs, pair, 0))
            if share > by_left.get(key, 0):
                by_left[key] = share
            key = (pair, others(pairs, pair, 1))
            if share > by_right.get(key, 0):
                by_right[key] = share
    most_left, most_right = _sums(by_left), _sums(by_right)
    return {pair: alone + min(most_left[pair], most_right[pair]) for pair, alone in own.items()}


def _sums(largest: _Largest) -> defaultdict[Pair, int]:
    sums: defaultdict[Pair, int] = defaultdict(int)
    for (pair, _), share in largest.items():
        sums[pair] += share
    return sums
