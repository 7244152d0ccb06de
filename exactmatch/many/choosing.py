"""The graph that is nearest to all others on average: the choice of minimum Bayes risk.

Kumar and Byrne (2004), *Minimum Bayes-Risk Decoding for Statistical Machine Translation*, choose
the candidate of the least expected loss, the others being what may be true. Here the loss is
1 - F1.

A graph whose mean cannot reach that of another is out of the question whatever its pairs may be, so
pairs are looked at one by one, and only until one graph is left.
"""

from collections.abc import Iterable

from exactmatch.many.candidates import CandidatePairs


def best_of(pairs: CandidatePairs) -> int:
    """Return the graph of the largest mean, as far as it is known; of equals the first.

    One of a lower rank is not the best.
    """
    return max(range(len(pairs.graphs)), key=lambda i: (pairs.ranks[i], pairs.lower[i], -i))


def choose(pairs: CandidatePairs) -> None:
    """Find out about *pairs* until it is known which graph is the best, or nothing more can be."""
    for members in pairs.members:
        if len(members) > 1:
            pairs.solve(members[0], members[1])
    if not is_decided(pairs):
        pairs.bound_by_labels()
    while (found := _next_pair(pairs)) is not None:
        pairs.solve(*found)


def is_decided(pairs: CandidatePairs) -> bool:
    """Tell whether it is proven that no graph is better than the best that is known."""
    return not _rivals(pairs, best_of(pairs))


def _rivals(pairs: CandidatePairs, best: int) -> list[int]:
    return [i for i in range(len(pairs.graphs)) if i != best and not is_better(pairs, best, i)]


def is_better(pairs: CandidatePairs, best: int, other: int) -> bool:
    """Tell whether *best* is proven to come before *other*, whatever open pairs may be."""
    if pairs.ranks[best] != pairs.ranks[other]:
        return pairs.ranks[best] > pairs.ranks[other]
    least = pairs.lower[best] - pairs.upper[other] + _saved(pairs, best, other)
    return least > 0 or (least == 0 and best < other)


def _saved(pairs: CandidatePairs, best: int, other: int) -> int:
    """Return what is gained by counting the pair of both alike in both means."""
    if not pairs.pairwise.is_symmetric:
        return 0
    known = pairs.bounds(best, other)
    ours, theirs = pairs.means.contribution(best, other), pairs.means.contribution(other, best)
    apart = ours * known.matched - theirs * known.upper
    together = (ours - theirs) * (known.matched if ours >= theirs else known.upper)
    return together - apart


def _next_pair(pairs: CandidatePairs) -> tuple[int, int, int] | None:
    """Return a pair that may decide, and how many triples must match lest one be out.

    It is None if all is decided, or nothing more can be found out.
    """
    best = best_of(pairs)
    rivals = _rivals(pairs, best)
    if not rivals:
        return None
    for i in _by_upper(pairs, [best, *rivals]):
        for j in _by_upper(pairs, range(len(pairs.graphs))):
            if j != i and pairs.is_open(i, j):
                return i, j, 0 if best in (i, j) else _least(pairs, best, i, j)
    return None


def _by_upper(pairs: CandidatePairs, some: Iterable[int]) -> list[int]:
    """Return *some* graphs, the most promising first: the sooner others are out."""
    return sorted(some, key=lambda i: (-pairs.upper[i], i))


def _least(pairs: CandidatePairs, best: int, i: int, j: int) -> int:
    """Return how many triples of *i* must match in *j* lest *i* be out of the question."""
    value = pairs.means.contribution(i, j)
    if not value:
        return 0
    without = pairs.upper[i] - value * pairs.bounds(i, j).upper
    return max(0, -((without - pairs.lower[best]) // value))
