"""Which variables may be mapped to which, where keys restrict that: those that share a key.

A key is a text, such as a token that a variable is aligned with. A variable without keys is mapped
to none.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from exactmatch.deadline import Deadline
from exactmatch.joining import Occurrences, credit
from exactmatch.problem import Pair, TermArrays
from exactmatch.triples import Duplicates, Label, NormalisedGraph

#: What labels of the right side a label matches, and what that counts.
Worths = Mapping[Label, Sequence[tuple[Label, int]]]

#: Terms made between two looks at the clock.
_INTERVAL = 10_000


class Links:
    """The pairs of variables, by position, that may be mapped: a *link* is one."""

    def __init__(self, left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> None:
        """*left* and *right* are the keys of the variables of both sides."""
        self._left = [frozenset(keys) for keys in left]
        self._right = [frozenset(keys) for keys in right]
        self._of_key: defaultdict[str, list[int]] = defaultdict(list)
        for j, keys in enumerate(self._right):
            for key in keys:
                self._of_key[key].append(j)
        self._images: dict[int, list[int]] = {}

    @classmethod
    def of(cls, left: NormalisedGraph, right: NormalisedGraph) -> "Links | None":
        """Return the links between two graphs; None if keys restrict nothing."""
        if left.keys is None and right.keys is None:
            return None
        return cls(left.keys_in_order(), right.keys_in_order())

    def allows(self, pair: Pair) -> bool:
        """Tell whether the variables of *pair* share a key."""
        left, right = pair
        return not self._left[left].isdisjoint(self._right[right])

    def images(self, left: int) -> Sequence[int]:
        """Return what a left variable may be mapped to, in order."""
        if left not in self._images:
            found = {j for key in self._left[left] for j in self._of_key.get(key, ())}
            self._images[left] = sorted(found)
        return self._images[left]

    def most_terms(self, system: Occurrences, gold: Occurrences, worths: Worths) -> int:
        """Return a number that the terms of two graphs do not exceed, without listing them."""
        return sum(
            times * theirs[key]
            for label, alike in system.items()
            for other, _ in worths[label]
            if other in gold
            for theirs in [_by_key(gold[other], self._right)]
            for key, times in _by_key(alike, self._left).items()
        )

    def terms(
        self,
        system: Occurrences,
        gold: Occurrences,
        worths: Worths,
        duplicates: Duplicates,
        deadline: Deadline,
    ) -> TermArrays:
        """Return the terms that triples of two graphs make which only links identify.

        Raises `OutOfTime` if *deadline* comes first.
        """
        found: Counter[tuple[Pair, ...]] = Counter()
        looked_at = 0
        for label, alike in system.items():
            for other, worth in worths[label]:
                theirs = _by_first(gold.get(other, ()))
                for times, first, *rest in alike:
                    for j in self.images(first):
                        for its_times, *its_rest in theirs.get(j, ()):
                            looked_at += 1
                            if looked_at % _INTERVAL == 0:
                                deadline.check()
                            pairs = self._joined((first, *rest), (j, *its_rest))
                            if pairs:
                                found[pairs] += worth * credit(times, its_times, duplicates)
        return _arrays(found)

    def _joined(self, ours: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[Pair, ...]:
        """Return the pairs that take *ours* to *theirs*; none if no mapping of links does so."""
        if len(ours) != len(theirs):
            return ()
        pairs = tuple(sorted(set(zip(ours, theirs, strict=True))))
        if not len(set(ours)) == len(pairs) == len(set(theirs)):
            return ()
        return pairs if all(map(self.allows, pairs)) else ()


def _by_key(alike: Sequence[tuple[int, ...]], keys: Sequence[frozenset[str]]) -> Counter[str]:
    """Return how many triples have a first variable with each key."""
    return Counter(key for _, first, *_ in alike for key in keys[first])


def _by_first(alike: Sequence[tuple[int, ...]]) -> Mapping[int, list[tuple[int, ...]]]:
    """Return triples by their first variable, without it."""
    found: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for times, first, *rest in alike:
        found[first].append((times, *rest))
    return found


def _arrays(weights: Mapping[tuple[Pair, ...], int]) -> TermArrays:
    """Return terms, sorted by their pairs."""
    terms = sorted(weights)
    start = [0]
    for pairs in terms:
        start.append(start[-1] + len(pairs))
    flat = [pair for pairs in terms for pair in pairs]
    return TermArrays(
        weight=[weights[pairs] for pairs in terms],
        start=start,
        left=[left for left, _ in flat],
        right=[right for _, right in flat],
    )
