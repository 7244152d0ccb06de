"""Climbing as it was published: all variables of the smaller graph are mapped, at any time.

Cai and Knight (2013, section 3): "We begin with m random one-to-one mappings between the m
variables of AMR1 and the n variables of AMR2", m <= n. A state is such a mapping, of whatever
score; pairs that score nothing take up their variables, too. Its m(n - 1) neighbours are those to
which a move leads (a variable gets an image that no other has) or a swap (two exchange their
images). Of these, all that can gain take in a candidate pair, so no others are looked at.
"""

import random
from collections.abc import Iterable

from exactmatch.problem import MatchingProblem, Pair
from exactmatch.search.hill import NONE, HillClimber


class TotalClimber(HillClimber):
    """A mapping of all variables of the smaller graph that climbs.

    If the graphs are equally large, it is the left one that is mapped.
    """

    def __init__(self, problem: MatchingProblem) -> None:
        self._is_turned = problem.n_left > problem.n_right
        self._sizes = sorted((problem.n_left, problem.n_right))
        self._pairs = [self._turned(pair) for pair in problem.candidates]
        self._position = {pair: c for c, pair in enumerate(self._pairs)}
        super().__init__(problem, [self._position[pair] for pair in sorted(self._pairs)])

    def reset(self) -> None:
        super().reset()
        smaller, larger = self._sizes
        self._images = [NONE] * smaller
        self._owners = [NONE] * larger

    def begin(self, likely: Iterable[Pair], rng: random.Random) -> None:
        self.reset()
        # "If there are two or more variables to choose from, we pick the first available one."
        for i, j in sorted(map(self._turned, likely)):
            if self._images[i] == NONE == self._owners[j]:
                self._map(i, j)
        free = [j for j, owner in enumerate(self._owners) if owner == NONE]
        for i, image in enumerate(self._images):
            if image == NONE:
                drawn = int(rng.random() * len(free))
                free[drawn], free[-1] = free[-1], free[drawn]
                self._map(i, free.pop())

    def mapping(self) -> dict[int, int]:
        return dict(sorted(map(self._turned, enumerate(self._images))))

    def _turned(self, pair: Pair) -> Pair:
        """Take a pair of left and right to one of smaller and larger, or back."""
        return (pair[1], pair[0]) if self._is_turned else pair

    def _candidate(self, i: int, j: int) -> int:
        return self._position.get((i, j), NONE)

    def _map(self, i: int, j: int) -> None:
        self._images[i] = j
        self._owners[j] = i
        candidate = self._candidate(i, j)
        if candidate != NONE:
            self._hold(candidate)

    def _unmap(self, i: int) -> None:
        candidate = self._candidate(i, self._images[i])
        if candidate != NONE:
            self._let_go(candidate)
        self._owners[self._images[i]] = NONE

    def _step(self, candidate: int) -> None:
        i, j = self._pairs[candidate]
        image, owner = self._images[i], self._owners[j]
        self._unmap(i)
        if owner != NONE:
            self._unmap(owner)
            self._map(owner, image)
        self._map(i, j)

    def _step_gain(self, candidate: int) -> int:
        if self._held[candidate]:
            return 0
        i, j = self._pairs[candidate]
        image, owner = self._images[i], self._owners[j]
        rival, partner = NONE, NONE
        if owner != NONE:
            rival, partner = self._candidate(owner, j), self._candidate(owner, image)
        return self._exchange_gain(self._candidate(i, image), rival, candidate, partner)
