"""The hill climbing of Smatch (Cai and Knight 2013, section 3), by steepest ascent.

From the present mapping, all that small changes lead to is looked at, and the best is taken, until
none scores more. What mappings there are, and what changes, is said by `climb` and `total`.

What a change gains is looked up, not computed: for each candidate the weight that it has or would
have beside the present mapping is kept up to date.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Pair

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
