"""Steepest ascent over mappings: the hill climbing of Smatch (Cai and Knight 2013, section 3).

A step takes one candidate pair into the mapping. Where one or both of its variables are taken,
this is the paper's move (a left variable gets another, free right variable) or its swap (two
left variables exchange their images). Moves and swaps that take in no candidate pair cannot
gain, since weights are not negative, so these steps are all there are to look at.

What a step gains is looked up, not computed: for each candidate the weight that it has or would
have beside the present mapping is kept up to date.
"""

from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem

_NONE = -1
#: Candidates between two looks at the clock.
_INTERVAL = 1000


class Climber:
    """A mapping that climbs. Pairs are named by their position in `problem.candidates`."""

    def __init__(self, problem: MatchingProblem) -> None:
        self._problem = problem
        self._lefts = [left for left, _ in problem.candidates]
        self._rights = [right for _, right in problem.candidates]
        self._position = {pair: c for c, pair in enumerate(problem.candidates)}
        self._weights = [term.weight for term in problem.terms]
        self._members = [
            tuple(self._position[pair] for pair in term.pairs) for term in problem.terms
        ]
        self._terms_of = problem.terms_of
        self.reset()

    def reset(self) -> None:
        """Start over from the empty mapping."""
        self._of_left = [_NONE] * self._problem.n_left
        self._of_right = [_NONE] * self._problem.n_right
        self._missing = [len(members) for members in self._members]
        self._gains = [
            sum(self._weights[t] for t in terms if self._missing[t] == 1)
            for terms in self._terms_of
        ]
        self.value: int = 0

    def mapping(self) -> dict[int, int]:
        """Return the present mapping, left to right variable."""
        return {i: self._rights[c] for i, c in enumerate(self._of_left) if c != _NONE}

    def is_free(self, candidate: int) -> bool:
        """Tell whether neither variable of *candidate* is mapped."""
        left, right = self._lefts[candidate], self._rights[candidate]
        return self._of_left[left] == _NONE and self._of_right[right] == _NONE

    def add(self, candidate: int) -> None:
        """Take *candidate*, which must be free, into the mapping."""
        self.value += self._gains[candidate]
        self._of_left[self._lefts[candidate]] = candidate
        self._of_right[self._rights[candidate]] = candidate
        for t in self._terms_of[candidate]:
            self._missing[t] -= 1
            self._pass_on(t, candidate, self._missing[t], self._weights[t])

    def climb(self, deadline: Deadline) -> None:
        """Take the best step, the first of equals, until none gains or *deadline* has passed."""
        while True:
            best, best_gain = _NONE, 0
            for candidate in range(len(self._lefts)):
                if candidate % _INTERVAL == 0 and deadline.passed():
                    return
                gain = self._step_gain(candidate)
                if gain > best_gain:
                    best, best_gain = candidate, gain
            if best == _NONE:
                return
            self._step(best)

    def _remove(self, candidate: int) -> None:
        self.value -= self._gains[candidate]
        self._of_left[self._lefts[candidate]] = _NONE
        self._of_right[self._rights[candidate]] = _NONE
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
            if other != candidate and (missing == 0 or not self._contains(other)):
                self._gains[other] += weight

    def _contains(self, candidate: int) -> bool:
        return self._of_left[self._lefts[candidate]] == candidate

    def _step(self, candidate: int) -> None:
        old = self._of_left[self._lefts[candidate]]
        rival = self._of_right[self._rights[candidate]]
        partner = self._partner(old, rival)
        for leaving in (old, rival):
            if leaving != _NONE:
                self._remove(leaving)
        self.add(candidate)
        if partner != _NONE:
            self.add(partner)

    def _step_gain(self, candidate: int) -> int:
        old = self._of_left[self._lefts[candidate]]
        if old == candidate:
            return 0
        rival = self._of_right[self._rights[candidate]]
        gain = self._gains[candidate]
        if old != _NONE:
            gain -= self._gains[old]
        if rival != _NONE:
            gain -= self._gains[rival]
        partner = self._partner(old, rival)
        if partner != _NONE:
            gain += self._gains[partner] + self._joint(candidate, partner, missing=2)
        if old != _NONE and rival != _NONE:
            gain += self._joint(old, rival, missing=0)
        return gain

    def _partner(self, old: int, rival: int) -> int:
        """Return the other pair of a swap: the rival's left and the old image, if a candidate."""
        if old == _NONE or rival == _NONE:
            return _NONE
        return self._position.get((self._lefts[rival], self._rights[old]), _NONE)

    def _joint(self, candidate: int, other: int, missing: int) -> int:
        """Return the weight of the terms that hold both pairs and lack *missing* pairs."""
        return sum(
            self._weights[t]
            for t in self._terms_of[candidate]
            if self._missing[t] == missing and other in self._members[t]
        )
