"""Climbing over mappings of candidates alone, which leave variables unmapped, as smatch's does.

A step takes one candidate pair into the mapping. Where one or both of its variables are taken,
this is the paper's move (a left variable gets another, free right variable) or its swap (two
left variables exchange their images), but that pairs which score nothing are not held, so that
their variables are free.
"""

import random
from collections.abc import Iterable

from exactmatch.problem import MatchingProblem, Pair
from exactmatch.search.hill import NONE, HillClimber


class Climber(HillClimber):
    """A partial mapping that climbs. Pairs are named by their position in `problem.candidates`."""

    def __init__(self, problem: MatchingProblem) -> None:
        self._problem = problem
        self._lefts = [left for left, _ in problem.candidates]
        self._rights = [right for _, right in problem.candidates]
        self._position = {pair: c for c, pair in enumerate(problem.candidates)}
        super().__init__(problem, range(len(problem.candidates)))

    def reset(self) -> None:
        super().reset()
        self._of_left = [NONE] * self._problem.n_left
        self._of_right = [NONE] * self._problem.n_right

    def begin(self, likely: Iterable[Pair], rng: random.Random) -> None:
        self.reset()
        chosen = set(likely)
        for candidate, pair in enumerate(self._problem.candidates):
            if pair in chosen and self.is_free(candidate):
                self.add(candidate)
        by_left: list[list[int]] = [[] for _ in range(self._problem.n_left)]
        for candidate, left in enumerate(self._lefts):
            by_left[left].append(candidate)
        for candidates in by_left:
            free = [candidate for candidate in candidates if self.is_free(candidate)]
            if free:
                self.add(free[int(rng.random() * len(free))])

    def mapping(self) -> dict[int, int]:
        return {i: self._rights[c] for i, c in enumerate(self._of_left) if c != NONE}

    def is_free(self, candidate: int) -> bool:
        """Tell whether neither variable of *candidate* is mapped."""
        left, right = self._lefts[candidate], self._rights[candidate]
        return self._of_left[left] == NONE and self._of_right[right] == NONE

    def add(self, candidate: int) -> None:
        """Take *candidate*, which must be free, into the mapping."""
        self._of_left[self._lefts[candidate]] = candidate
        self._of_right[self._rights[candidate]] = candidate
        self._hold(candidate)

    def _remove(self, candidate: int) -> None:
        self._of_left[self._lefts[candidate]] = NONE
        self._of_right[self._rights[candidate]] = NONE
        self._let_go(candidate)

    def _step(self, candidate: int) -> None:
        old = self._of_left[self._lefts[candidate]]
        rival = self._of_right[self._rights[candidate]]
        partner = self._partner(old, rival)
        for leaving in (old, rival):
            if leaving != NONE:
                self._remove(leaving)
        self.add(candidate)
        if partner != NONE:
            self.add(partner)

    def _step_gain(self, candidate: int) -> int:
        if self._held[candidate]:
            return 0
        old = self._of_left[self._lefts[candidate]]
        rival = self._of_right[self._rights[candidate]]
        return self._exchange_gain(old, rival, candidate, self._partner(old, rival))

    def _partner(self, old: int, rival: int) -> int:
        """Return the other pair of a swap: the rival's left and the old image, if a candidate."""
        if old == NONE or rival == NONE:
            return NONE
        return self._position.get((self._lefts[rival], self._rights[old]), NONE)
