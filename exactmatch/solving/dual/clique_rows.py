# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Multipliers of cliques, which take steps together with the shares of a dual.

A *clique* is a set of terms and candidates any two of which exclude each other, so that a mapping
scores at most one of them. Each clique has a *multiplier*, which is added to the bound and
subtracted from the weight of each member. Any multipliers give a valid bound: a mapping loses at
most one multiplier of each clique. `exactmatch.certificate.checker` has the proof.

The averaged primal may score more than one member of a clique. While it does, the multiplier of
that clique rises; when it scores less than one, the multiplier falls, but not below 0. Weight is
taken from all shares of a term. The weight of a candidate may become negative.
"""

from collections.abc import Sequence
from typing import Any

import cython

from exactmatch.problem.integers import integers, zeros

#: A whole member in the averaged primal, as in `exactmatch.solving.dual.subgradient`.
_ONE = cython.declare(cython.longlong, 1 << 10)


@cython.final
@cython.cclass
class CliqueRows:
    """The multipliers of *cliques* in a dual, in its units, and their effect on weights.

    A clique is a list of members, by the numbers of `exactmatch.solving.dual.tightening`: terms
    by their position in the relaxation, and ``-1 - c`` for candidate c. All multipliers begin at 0.
    """

    n_cliques: cython.Py_ssize_t
    start: cython.longlong[::1]  # of cliques: where their members begin
    member: cython.longlong[::1]
    multiplier: cython.longlong[::1]
    excess: cython.longlong[::1]  # of cliques: by how much the averaged primal holds more than one
    charge: cython.longlong[::1]  # of terms: what multipliers take from its weight
    candidate_average: cython.longlong[::1]  # of candidates: the averaged primal, 0 to _ONE
    touched: cython.longlong[::1]  # the terms in cliques
    has_average: cython.bint
    average: cython.longlong[::1]
    share: cython.longlong[::1]
    own: cython.longlong[::1]
    is_selected: cython.longlong[::1]
    weight: cython.longlong[::1]
    ring: cython.longlong[::1]
    terms: cython.longlong[::1]
    scale: cython.longlong
    _multipliers: Any  # multiplier, to be copied
    _candidate_average: Any  # candidate_average, to be handed over

    def __init__(
        self,
        relaxation: Any,
        dual: Any,
        averages: Any,
        cliques: Sequence[Sequence[int]],
    ) -> None:
        self.n_cliques = len(cliques)
        starts: list[int] = [0]
        members: list[int] = []
        for clique in cliques:
            members += clique
            starts.append(len(members))
        self.start = integers(starts)
        self.member = integers(members)
        self.touched = integers(sorted({member for member in members if member >= 0}))
        self._multipliers = zeros(self.n_cliques)
        self.multiplier = self._multipliers
        self.excess = zeros(self.n_cliques)
        self.charge = zeros(len(relaxation.terms))
        self._candidate_average = zeros(len(relaxation.own))
        self.candidate_average = self._candidate_average
        self.has_average = False
        self.average = averages
        self.share = dual.in_place
        self.own = dual.own_in_place
        self.is_selected = dual.selected
        self.weight = relaxation.weight
        self.ring = relaxation.ring
        self.terms = relaxation.terms
        self.scale = dual.scale

    def multipliers(self) -> Any:
        """Return a copy of the multipliers."""
        return self._multipliers[:]

    def hand_over_to(self, rows: Any) -> None:
        """Hand over to other *rows* of the same dual; these no longer reduce weights."""
        k: cython.Py_ssize_t
        for k in range(self.n_cliques):
            self._charge(k, 0)
        rows.take_candidate_average(self._candidate_average)

    def take_candidate_average(self, averages: Any) -> None:
        """Copy the values of candidates in the averaged primal."""
        c: cython.Py_ssize_t
        source: cython.longlong[::1] = averages
        for c in range(len(source)):
            self.candidate_average[c] = source[c]
        self.has_average = True

    def total(self) -> int:
        """Return the sum of the multipliers, which is a part of the bound."""
        k: cython.Py_ssize_t
        total: cython.longlong = 0
        for k in range(self.n_cliques):
            total += self.multiplier[k]
        return total

    def weights_left(self, unit: int) -> Any:
        """Return, for each share, the remaining weight of its term, in this *unit*; at least 0."""
        t: cython.Py_ssize_t
        h: cython.longlong
        left: cython.longlong
        found = zeros(len(self.ring))
        target: cython.longlong[::1] = found
        for t in range(len(self.terms)):
            h = self.terms[t]
            left = max(0, self.weight[h] * self.scale - self.charge[t]) // unit
            while True:
                target[h] = left
                h = self.ring[h]
                if h == self.terms[t]:
                    break
        return found

    def set_multipliers(self, multipliers: Sequence[int]) -> None:
        """Copy *multipliers*; adapt shares that do not add up to the remaining weight."""
        k: cython.Py_ssize_t
        for k in range(self.n_cliques):
            self._charge(k, multipliers[k])
        self._settle()

    def excess_norm(self, memory: int) -> int:
        """Average the selected candidates, over the last 2 ** *memory* bounds; return the excesses.

        That is the sum of their squares, of those cliques whose multiplier would change.
        """
        c: cython.Py_ssize_t
        k: cython.Py_ssize_t
        m: cython.longlong
        now: cython.longlong
        norm: cython.longlong = 0
        for c in range(len(self.candidate_average)):
            now = _ONE if self.is_selected[c] else 0
            if self.has_average:
                now = self.candidate_average[c] + ((now - self.candidate_average[c]) >> memory)
            self.candidate_average[c] = now
        self.has_average = True
        for k in range(self.n_cliques):
            now = -_ONE
            for m in range(self.start[k], self.start[k + 1]):
                now += self.present(self.member[m])
            # A step multiplies it by numbers for which it must not be more than a whole.
            self.excess[k] = min(now, _ONE)
            if now > 0 or self.multiplier[k] > 0:
                norm += self.excess[k] * self.excess[k]
        return norm

    @cython.ccall
    def present(self, member: cython.longlong) -> cython.longlong:
        """Return the value of a member in the averaged primal."""
        first: cython.longlong
        other: cython.longlong
        total: cython.longlong
        size: cython.longlong = 1
        if member < 0:
            return self.candidate_average[-1 - member]
        first = self.terms[member]
        total = self.average[first]
        other = self.ring[first]
        while other != first:
            total += self.average[other]
            size += 1
            other = self.ring[other]
        return total // size

    def step(self, length: int) -> None:
        """Change each multiplier by *length* times its excess."""
        k: cython.Py_ssize_t
        times: cython.longlong = length
        change: cython.longlong
        for k in range(self.n_cliques):
            if self.excess[k] >= 0:
                change = times * self.excess[k] // _ONE
            else:
                change = -min(self.multiplier[k], times * -self.excess[k] // _ONE)
            if change != 0:
                self._charge(k, self.multiplier[k] + change)
        self._settle()

    @cython.cfunc
    def _charge(self, k: cython.Py_ssize_t, multiplier: cython.longlong) -> cython.void:
        """Set the multiplier of clique *k*, and take the change from its members."""
        m: cython.longlong
        change: cython.longlong = multiplier - self.multiplier[k]
        self.multiplier[k] = multiplier
        for m in range(self.start[k], self.start[k + 1]):
            if self.member[m] >= 0:
                self.charge[self.member[m]] += change
            else:
                self.own[-1 - self.member[m]] -= change

    @cython.cfunc
    def _settle(self) -> cython.void:
        """Let the shares of each term in a clique add up to its remaining weight."""
        k: cython.Py_ssize_t
        first: cython.longlong
        h: cython.longlong
        size: cython.longlong
        missing: cython.longlong
        for k in range(len(self.touched)):
            first = self.terms[self.touched[k]]
            missing = self.weight[first] * self.scale - self.charge[self.touched[k]]
            missing = max(0, missing)
            size = 0
            h = first
            while True:
                missing -= self.share[h]
                size += 1
                h = self.ring[h]
                if h == first:
                    break
            self._hand_out(first, size, missing)

    @cython.cfunc
    def _hand_out(
        self, first: cython.longlong, size: cython.longlong, missing: cython.longlong
    ) -> cython.void:
        """Let the shares of a term rise by *missing* together, evenly, or sink if that is < 0."""
        h: cython.longlong = first
        part: cython.longlong
        left: cython.longlong = size
        while missing != 0:
            if missing > 0:
                part = (missing + left - 1) // left
            else:
                part = -min(self.share[h], (left - 1 - missing) // left)
            self.share[h] += part
            missing -= part
            h = self.ring[h]
            # What a share did not have, the next ones give; and if need be, in another round.
            left = left - 1 if left > 1 else size
