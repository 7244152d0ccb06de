# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Subgradient steps along an average of the solutions behind the bounds so far.

Where some shares of a term are part of the bound and others are not, weight moves from the former
to the latter (Held, Wolfe and Crowder 1974). What counts is not the last bound but the averaged
primal, or the steps would go to and fro (Barahona and Anbil 2000).
"""

from typing import Any

import cython

from exactmatch.problem.integers import zeros

#: A whole share in the averaged primal.
_ONE = cython.declare(cython.longlong, 1 << 10)
#: The binary logarithm of how many bounds the frequencies of candidates remember.
_LONG_MEMORY = cython.declare(cython.int, 5)


@cython.final
@cython.cclass
class Subgradient:
    """The averaged primal of *dual*: how far each share and candidate was part of its bounds."""

    n_candidates: cython.Py_ssize_t
    n_terms: cython.Py_ssize_t
    average: cython.longlong[::1]  # of shares: the averaged primal, 0 to _ONE
    has_average: cython.bint
    often: cython.longlong[::1]  # of candidates: how often it was selected, 0 to _ONE ** 2
    share: cython.longlong[::1]
    is_chosen: cython.longlong[::1]
    is_selected: cython.longlong[::1]
    holder: cython.longlong[::1]
    ring: cython.longlong[::1]
    terms: cython.longlong[::1]
    total: cython.longlong  # of all weights, scaled
    averages = cython.declare(object, visibility="readonly")  # average, for others to read
    #: An `exactmatch.solving.dual.clique_rows.CliqueRows` that takes the same steps, or None.
    rows = cython.declare(object, visibility="public")
    _frequencies: Any  # often, to be copied

    def __init__(self, relaxation: Any, dual: Any) -> None:
        self.n_candidates = len(relaxation.own)
        self.n_terms = len(relaxation.terms)
        self.averages = zeros(len(relaxation.ring))
        self.average = self.averages
        self.rows = None
        self.has_average = False
        self._frequencies = zeros(self.n_candidates)
        self.often = self._frequencies
        self.share = dual.in_place
        self.is_chosen = dual.chosen
        self.is_selected = dual.selected
        self.holder = relaxation.holder
        self.ring = relaxation.ring
        self.terms = relaxation.terms
        self.total = relaxation.total * dual.scale

    def step(self, excess: int, halvings: int, memory: int) -> bool:
        """Take a step of a length that would lower the bound by *excess* (scaled).

        That length is halved *halvings* times. The average is over the last 2 ** *memory* bounds.
        Returns whether there was anything to move.
        """
        t: cython.Py_ssize_t
        length: cython.longlong
        norm: cython.longlong = 0
        self._update_average(memory)
        for t in range(self.n_terms):
            norm += self._imbalance(self.terms[t])
        if self.rows is not None:
            norm += self.rows.excess_norm(memory)
        if norm == 0:
            return False
        # No share can give more than there is; and so no product exceeds 64 bits.
        length = min(self.total, (excess >> halvings) * _ONE // max(1, norm // _ONE))
        for t in range(self.n_terms):
            self._balance(self.terms[t], length)
        if self.rows is not None:
            self.rows.step(length)
        return True

    @cython.cfunc
    def _update_average(self, memory: cython.int) -> cython.void:
        """Average, over the last 2 ** *memory* bounds, which shares are part of them."""
        c: cython.Py_ssize_t
        h: cython.Py_ssize_t
        now: cython.longlong
        for h in range(len(self.share)):
            now = _ONE if self.is_chosen[h] and self.is_selected[self.holder[h]] else 0
            if self.has_average:
                now = self.average[h] + ((now - self.average[h]) >> memory)
            self.average[h] = now
        self.has_average = True
        for c in range(self.n_candidates):
            now = _ONE * _ONE if self.is_selected[c] else 0
            self.often[c] += (now - self.often[c]) >> _LONG_MEMORY

    @cython.cfunc
    @cython.exceptval(check=False)
    def _mean_average(self, first: cython.longlong) -> cython.longlong:
        total: cython.longlong = self.average[first]
        size: cython.longlong = 1
        other: cython.longlong = self.ring[first]
        while other != first:
            total += self.average[other]
            size += 1
            other = self.ring[other]
        return total // size if total else 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _imbalance(self, first: cython.longlong) -> cython.longlong:
        """Return the imbalance of the averaged primal of a term: the sum of squared deviations."""
        mean: cython.longlong = self._mean_average(first)
        squares: cython.longlong = (self.average[first] - mean) ** 2
        other: cython.longlong = self.ring[first]
        while other != first:
            squares += (self.average[other] - mean) ** 2
            other = self.ring[other]
        return squares

    @cython.cfunc
    @cython.exceptval(check=False)
    def _balance(self, first: cython.longlong, length: cython.longlong) -> cython.void:
        """Move weight from the shares of a term with an average above the mean to the others.

        A share gives *length* times its excess over the mean, but not more than it has.
        """
        mean: cython.longlong = self._mean_average(first)
        h: cython.longlong = first
        part: cython.longlong
        pool: cython.longlong = 0
        missing: cython.longlong = 0
        while True:
            if self.average[h] > mean:
                part = min(length * (self.average[h] - mean) // _ONE, self.share[h])
                self.share[h] -= part
                pool += part
            else:
                missing += mean - self.average[h] + 1
            h = self.ring[h]
            if h == first:
                break
        while pool > 0:
            if self.average[h] <= mean:
                part = pool * (mean - self.average[h] + 1) // missing
                self.share[h] += part
                pool -= part
                missing -= mean - self.average[h] + 1
            h = self.ring[h]

    def frequencies(self) -> Any:
        """Return how often, of late, each candidate was selected: 0 to 2**20."""
        return self._frequencies[:]

    def set_frequencies(self, often: Any) -> None:
        """Copy the frequencies of another descent."""
        c: cython.Py_ssize_t
        source: cython.longlong[::1] = often
        for c in range(self.n_candidates):
            self.often[c] = source[c]

    def fractionality(self, candidate: int) -> int:
        """Return how far *candidate* is from being selected always or never: 0 to 2**18."""
        c: cython.Py_ssize_t = candidate
        part: cython.longlong = self.often[c] // _ONE
        return part * (_ONE - part)
