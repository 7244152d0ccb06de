"""The hill climbing of Smatch (Cai and Knight 2013, section 3), by steepest ascent.

From the present mapping, all that small changes lead to is looked at, and the best is taken, until
none scores more. What mappings there are, and what changes, is said by `climb` and `total`.

What a change gains is looked up, not computed: for each candidate the weight that it has or would
have beside the present mapping is kept up to date.

Climbing as it was published: all variables of the smaller graph are mapped, at any time.

Cai and Knight (2013, section 3): "We begin with m random one-to-one mappings between the m
variables of AMR1 and the n variables of AMR2", m <= n. A state is such a mapping, of whatever
score; pairs that score nothing take up their variables, too. Its m(n - 1) neighbours are those to
which a move leads (a variable gets an image that no other has) or a swap (two exchange their
images). Of these, all that can gain take in a candidate pair, so no others are looked at.

Climbing over mappings of candidates alone, which leave variables unmapped, as smatch's does.

A step takes one candidate pair into the mapping. Where one or both of its variables are taken,
this is the paper's move (a left variable gets another, free right variable) or its swap (two
left variables exchange their images), but that pairs which score nothing are not held, so that
their variables are free.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from exactmatch.problem import MatchingProblem, Pair
from exactmatch.stopping.deadline import Deadline

#: No candidate; no variable.
NONE = -1

#: Candidates between two looks at the clock.
_INTERVAL = 1000


class HillClimber(ABC):
    """Some candidates that are held, and what they score.

    Candidates are named by their position in `problem.candidates`; changes are tried in the
    order *order* of those that they take in, as no other can gain: weights are not negative.
    """

    def __init__(self, problem: MatchingProblem, order: Sequence[int]) -> None:
        self._order = order
        self._weights = [term.weight for term in problem.terms]
        position = {pair: c for c, pair in enumerate(problem.candidates)}
        self._members = [tuple(position[pair] for pair in term.pairs) for term in problem.terms]
        self._terms_of = problem.terms_of
        self.reset()

    def reset(self) -> None:
        """Start over from the empty mapping."""
        self._held = [False] * len(self._terms_of)
        self._missing = [len(members) for members in self._members]
        self._gains = [
            sum(self._weights[t] for t in terms if self._missing[t] == 1)
            for terms in self._terms_of
        ]
        self.value: int = 0

    def climb(self, deadline: Deadline) -> None:
        """Take the best step, the first of equals, until none gains or *deadline* has passed."""
        while True:
            best, best_gain = NONE, 0
            for looked_at, candidate in enumerate(self._order):
                if looked_at % _INTERVAL == 0 and deadline.passed():
                    return
                gain = self._step_gain(candidate)
                if gain > best_gain:
                    best, best_gain = candidate, gain
            if best == NONE:
                return
            self._step(best)

    @abstractmethod
    def begin(self, likely: Iterable[Pair], rng: random.Random) -> None:
        """Start over: map what can be mapped, by *likely* pairs first, and the rest at random."""

    @abstractmethod
    def mapping(self) -> dict[int, int]:
        """Return the present mapping, left to right variable."""

    @abstractmethod
    def _step_gain(self, candidate: int) -> int:
        """Return what the step scores that takes *candidate* in; 0 if it is held."""

    @abstractmethod
    def _step(self, candidate: int) -> None:
        """Take *candidate*, which is not held, into the mapping."""

    def _hold(self, candidate: int) -> None:
        self.value += self._gains[candidate]
        self._held[candidate] = True
        for t in self._terms_of[candidate]:
            self._missing[t] -= 1
            self._pass_on(t, candidate, self._missing[t], self._weights[t])

    def _let_go(self, candidate: int) -> None:
        self.value -= self._gains[candidate]
        self._held[candidate] = False
        for t in self._terms_of[candidate]:
            self._pass_on(t, candidate, self._missing[t], -self._weights[t])
            self._missing[t] += 1

    def _pass_on(self, term: int, candidate: int, missing: int, weight: int) -> None:
        """Change by *weight* the gains that hang on *candidate* through *term*.

        *missing* pairs of the term are not in the mapping when *candidate* is. If none, the
        term is scored and each other pair has a part in that; if one, that pair would score it.
        """
        if missing > 1:
            return
        for other in self._members[term]:
            if other != candidate and (missing == 0 or not self._held[other]):
                self._gains[other] += weight

    def _exchange_gain(self, old: int, rival: int, candidate: int, partner: int) -> int:
        """Return what it scores to let *old* and *rival* go, and hold *candidate* and *partner*.

        Each of them but *candidate* may be `NONE`. The left variable of *candidate* is that of
        *old*, and that of *partner* is the rival's; the right ones are exchanged. So no term
        holds one that goes and one that comes.
        """
        gain = self._gains[candidate]
        if old != NONE:
            gain -= self._gains[old]
        if rival != NONE:
            gain -= self._gains[rival]
        if partner != NONE:
            gain += self._gains[partner] + self._joint(candidate, partner, missing=2)
        if old != NONE and rival != NONE:
            gain += self._joint(old, rival, missing=0)
        return gain

    def _joint(self, candidate: int, other: int, missing: int) -> int:
        """Return the weight of the terms that hold both pairs and lack *missing* pairs."""
        return sum(
            self._weights[t]
            for t in self._terms_of[candidate]
            if self._missing[t] == missing and other in self._members[t]
        )


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
