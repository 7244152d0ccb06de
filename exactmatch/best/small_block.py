"""All best mappings of a small block, one by one: where few are possible, that is fast.

Variables are mapped in turn, or left out. A branch is cut off where even the best images of all
variables to come do not make up for what is lost; after so many branches, the block is left to
others.
"""

from collections.abc import Callable
from operator import itemgetter

from exactmatch.best.optimum import Block
from exactmatch.problem import Pair

_MOST_BRANCHES = 200


class TooLarge(Exception):  # noqa: N818
    """There are too many branches to look at."""


def visit_best_mappings(block: Block, visit: Callable[[dict[int, int]], None]) -> None:
    """Call *visit* with each best mapping of *block*; it must not keep that, but copy it.

    Pairs that are in no term are in none of them. Raises `TooLarge`, perhaps after some visits.
    """
    _Search(block, visit).go_on(0, block.value)


class _Search:
    """Left variables in order; each term is known by the last one that it needs.

    gains: for each left variable, its images, and for each of these the terms that it is the last
        pair of: what else they need, and their weights.
    hope: for each left variable, what those from it on can gain at most.
    """

    def __init__(self, block: Block, visit: Callable[[dict[int, int]], None]) -> None:
        images: dict[int, dict[int, list[tuple[tuple[Pair, ...], int]]]] = {}
        for pairs, weight in block.weights.items():
            for left, right in pairs:
                images.setdefault(left, {}).setdefault(right, [])
            *others, (left, right) = pairs
            images[left][right].append((tuple(others), weight))
        self._lefts = sorted(images)
        self._images = [sorted(images[left].items(), key=itemgetter(0)) for left in self._lefts]
        self._hope = [0]
        for found in reversed(self._images):
            most = max(sum(weight for _, weight in terms) for _, terms in found)
            self._hope.append(self._hope[-1] + most)
        self._hope.reverse()
        self._visit = visit
        self._mapping: dict[int, int] = {}
        self._used: set[int] = set()
        self._branches = 0

    def go_on(self, place: int, missing: int) -> None:
        """Map the variables from *place* on so that they gain *missing*."""
        if place == len(self._lefts):
            if missing == 0:
                self._visit(self._mapping)
            return
        self._branches += 1
        if self._branches > _MOST_BRANCHES:
            raise TooLarge
        hope = self._hope[place + 1]
        mapping, used, left = self._mapping, self._used, self._lefts[place]
        if missing <= hope:
            self.go_on(place + 1, missing)
        for right, terms in self._images[place]:
            if right in used:
                continue
            rest = missing
            for others, weight in terms:
                if all([mapping.get(i) == j for i, j in others]):
                    rest -= weight
            if rest <= hope:
                mapping[left] = right
                used.add(right)
                self.go_on(place + 1, rest)
                used.remove(right)
                del mapping[left]
