# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Find the first of the best mappings of two sentences, by the cover that proves them.

A mapping scores as much as all cliques weigh only if it scores a term of each, and no term whose
cliques weigh more than it does. The other way round, all of these mappings are best. Written in
Cython's pure Python mode, as the kernel of the dual is.
"""

from typing import Any

import cython

from exactmatch.problem.integers import bits, zeros
from exactmatch.solving.conflicts import MOST_TERMS, MOST_WORDS
from exactmatch.solving.covers import Covers

if cython.compiled:
    from cython.cimports.exactmatch.problem.integers import lowest_bit
else:
    from exactmatch.problem.integers import lowest_bit

_MOST = cython.declare(cython.Py_ssize_t, MOST_TERMS)
#: Steps of the search.
_MOST_STEPS = cython.declare(cython.Py_ssize_t, 1000)
_ONE = cython.declare(cython.ulonglong, 1)


@cython.final
@cython.cclass
class FirstMapping:
    """Makes the mapping that *covers* has found the first of the best ones, the defined one.

    See `exactmatch.solving.best.listing` for their order. *image* is that of *covers*.
    """

    image = cython.declare(cython.longlong[::1], visibility="readonly")
    covers: Any
    # What has been found: terms, and the cover.
    n_terms: cython.Py_ssize_t
    words: cython.Py_ssize_t
    left: cython.longlong[::1]
    right: cython.longlong[::1]
    other_left: cython.longlong[::1]
    other_right: cython.longlong[::1]
    weight: cython.longlong[::1]
    n_cliques: cython.Py_ssize_t
    members: cython.ulonglong[::1]
    clique_weight: cython.longlong[::1]
    # By variable of either side, the terms that are about it, see `Conflicts`.
    about: cython.ulonglong[::1]
    its_about: cython.ulonglong[::1]
    # By term: how much more it weighs than its cliques.
    rest: cython.longlong[::1]
    # The variables to map, and the steps that are left; by variable, the terms that are free before
    # it is mapped, and those that hold its pair.
    n_lefts: cython.Py_ssize_t
    steps: cython.Py_ssize_t
    free: cython.ulonglong[::1]
    held: cython.ulonglong[::1]

    def __init__(self, covers: Covers) -> None:
        terms = covers.terms
        self.covers = covers
        self.image = covers.image
        self.left, self.right, self.weight = terms.left, terms.right, terms.weight
        self.other_left, self.other_right = terms.other_left, terms.other_right
        self.members, self.clique_weight = covers.members, covers.clique_weight
        levels = (MOST_TERMS + 1) * MOST_WORDS
        self.free, self.held = bits(levels), bits(levels)
        self.about, self.its_about, self.rest = terms.about, terms.its_about, zeros(MOST_TERMS)
        self.n_terms = self.n_cliques = self.n_lefts = self.steps = 0
        self.words = 1

    @cython.ccall
    def take(self, n_variables: cython.Py_ssize_t) -> cython.bint:
        """Map the variables of the system, *n_variables*, as the first of the best mappings does.

        Returns False if another method must do this: if terms are excepted from the cover, or the
        listing takes too long.
        """
        self.n_lefts = n_variables
        if not self.covers.is_plain or n_variables > _MOST:
            return False
        self.n_terms, self.words = self.covers.terms.n_terms, self.covers.words
        self.n_cliques = self.covers.n_cliques
        self._free_exact()
        self.steps = _MOST_STEPS
        return self._take_from(0)

    @cython.cfunc
    def _free_exact(self) -> cython.void:
        """Free the terms whose cliques weigh as much as they do."""
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        t: cython.Py_ssize_t
        terms: cython.ulonglong
        for t in range(self.n_terms):
            self.rest[t] = self.weight[t]
        for k in range(self.n_cliques):
            for q in range(self.words):
                terms = self.members[k * self.words + q]
                while terms:
                    t = 64 * q + lowest_bit(terms)
                    terms &= terms - 1
                    self.rest[t] -= self.clique_weight[k]
        for q in range(self.words):
            self.free[q] = 0
        for t in range(self.n_terms):
            if self.rest[t] == 0:
                self._add(self.free, 0, t)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _add(
        self, sets: cython.ulonglong[::1], place: cython.longlong, t: cython.Py_ssize_t
    ) -> cython.void:
        """Add a term to one of several sets."""
        sets[place * self.words + (t >> 6)] |= _ONE << (t & 63)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take_from(self, left: cython.Py_ssize_t) -> cython.bint:
        """Map the variables from *left* on, each to the first that best mappings take it to."""
        w: cython.Py_ssize_t = self.words
        k: cython.Py_ssize_t
        right: cython.longlong = -1
        if left == self.n_lefts:
            return True
        self.steps -= 1
        while self.steps > 0:
            right = self._next_image(left, right)
            self.image[left] = right
            for k in range(w):
                self.free[left * w + w + k] = self.free[left * w + k] & ~self._about(left, k)
            if right >= 0:
                self._take(left, right)
            if self._is_open(left + 1) and self._take_from(left + 1):
                return True
            if right < 0:
                return False
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _next_image(self, left: cython.Py_ssize_t, before: cython.longlong) -> cython.longlong:
        """Return the first variable after another that a free term maps *left* to, -1 for none."""
        q: cython.Py_ssize_t
        t: cython.Py_ssize_t
        right: cython.longlong
        found: cython.longlong = -1
        terms: cython.ulonglong
        for q in range(self.words):
            terms = self.free[left * self.words + q] & self._about(left, q)
            while terms:
                t = 64 * q + lowest_bit(terms)
                terms &= terms - 1
                right = self.right[t] if self.left[t] == left else self.other_right[t]
                if right > before and (found < 0 or right < found):
                    found = right
        return found

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _about(self, left: cython.Py_ssize_t, q: cython.Py_ssize_t) -> cython.ulonglong:
        """Return, of word *q*, the terms that are about a variable of the system."""
        w: cython.Py_ssize_t = self.words
        return self.about[2 * left * w + q] | self.about[(2 * left + 1) * w + q]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take(self, left: cython.Py_ssize_t, right: cython.longlong) -> cython.void:
        """Leave to the next variable the terms that go with a pair; note those that hold it."""
        w: cython.Py_ssize_t = self.words
        q: cython.Py_ssize_t
        as_first: cython.ulonglong
        as_second: cython.ulonglong
        for q in range(w):
            as_first = self.its_about[2 * right * w + q]
            as_second = self.its_about[(2 * right + 1) * w + q]
            self.free[left * w + w + q] &= ~(as_first | as_second)
            as_first &= self.about[2 * left * w + q]
            as_second &= self.about[(2 * left + 1) * w + q]
            self.held[left * w + q] = self.free[left * w + q] & (as_first | as_second)
            self.free[left * w + w + q] |= self.held[left * w + q]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_open(self, level: cython.Py_ssize_t) -> cython.bint:
        """Tell whether each clique has a free term, and each pair that is taken."""
        k: cython.Py_ssize_t
        for k in range(level):
            if self.image[k] >= 0 and not self._meet(self.held, k, level):
                return False
        k = 0
        while k < self.n_cliques and self._meet(self.members, k, level):
            k += 1
        return k == self.n_cliques

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _meet(
        self, sets: cython.ulonglong[::1], place: cython.Py_ssize_t, level: cython.Py_ssize_t
    ) -> cython.bint:
        """Tell whether a set has a term that is free at some level."""
        q: cython.Py_ssize_t
        for q in range(self.words):
            if sets[place * self.words + q] & self.free[level * self.words + q]:
                return True
        return False
