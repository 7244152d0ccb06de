# cython: language_level=3, overflowcheck=True, wraparound=False, initializedcheck=False
"""Check covers, and count the matches of a mapping, from the triples of two graphs.

The check shares nothing with the code that finds covers (`exactmatch.solving.covers`): it derives
from the definition which triples can match, and which of these matches exclude each other. A clique
is a set of matches any two of which exclude each other, and has a weight of 0 or more. A mapping
holds at most one match of each clique. So if the weights of the cliques that hold a match add up to
its value or more, the matches of a mapping count at most the total weight of the cliques: each
match is paid for by its cliques, and no clique pays twice.

A few matches may be excepted. A mapping either holds none of these, or there is a first one that it
holds. These are the cases, and each has cliques of its own. The cliques need not pay for matches
that no mapping of the case holds: in the first case the exceptions; in the others those before the
held one, and all that this one excludes. No mapping counts more than the heaviest case weighs.
"""

from array import array
from typing import Any

import cython

#: The most matches of two graphs, and the most cliques of them.
_MOST = cython.declare(cython.Py_ssize_t, 512)
#: The most excepted matches.
_MOST_CASES = cython.declare(cython.Py_ssize_t, 4)
#: A clique is a set of at most so many matches, the bits of one number.
_BITS = cython.declare(cython.Py_ssize_t, 64)


class Uncovered(ValueError):  # noqa: N818
    """A cover does not prove its claim; the message says why."""


@cython.final
@cython.cclass
class CoverCheck:
    """Checks matches of graphs of *system* with graphs of *gold*, and the bounds of covers.

    *system* and *gold* are `exactmatch.problem.tables.TripleTable`. *found* has filled *image*,
    *members*, *clique_weight*, *case_term* and *case_end*, see `exactmatch.solving.covers.Covers`.
    """

    scale: cython.longlong
    is_product: cython.bint
    is_set: cython.bint
    found: Any
    start: cython.longlong[::1]
    label: cython.longlong[::1]
    times: cython.longlong[::1]
    first: cython.longlong[::1]
    second: cython.longlong[::1]
    its_start: cython.longlong[::1]
    its_label: cython.longlong[::1]
    its_times: cython.longlong[::1]
    its_first: cython.longlong[::1]
    its_second: cython.longlong[::1]
    n_variables: cython.longlong[::1]
    its_n_variables: cython.longlong[::1]
    image: cython.longlong[::1]
    members: cython.ulonglong[::1]
    clique_weight: cython.longlong[::1]
    case_term: cython.longlong[::1]
    case_end: cython.longlong[::1]
    # Whether a variable of gold is an image.
    is_taken: cython.longlong[::1]
    # By match: its pair of first variables, that of second ones (-1 if it has none), its value, and
    # the weight that pays for it. The matches of the present clique.
    n_matches: cython.Py_ssize_t
    left: cython.longlong[::1]
    right: cython.longlong[::1]
    other_left: cython.longlong[::1]
    other_right: cython.longlong[::1]
    value: cython.longlong[::1]
    paid: cython.longlong[::1]
    together: cython.longlong[::1]

    def __init__(self, system: Any, gold: Any, found: Any, scale: int, duplicates: str) -> None:
        self.scale = scale
        self.is_product, self.is_set = duplicates == "product", duplicates == "set"
        self.found = found
        self.start, self.label, self.times = system.start, system.label, system.times
        self.first, self.second = system.first, system.second
        self.its_start, self.its_label, self.its_times = gold.start, gold.label, gold.times
        self.its_first, self.its_second = gold.first, gold.second
        self.n_variables, self.its_n_variables = system.n_variables, gold.n_variables
        self.image = found.image
        self.members, self.clique_weight = found.members, found.clique_weight
        self.case_term, self.case_end = found.case_term, found.case_end
        self.n_matches = 0
        columns = [_zeros(_MOST) for _ in range(7)]
        self.left, self.right, self.other_left, self.other_right = columns[:4]
        self.value, self.paid, self.together = columns[4:]
        self.is_taken = _zeros(max(gold.n_variables, default=0))

    @cython.ccall
    def matched(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.longlong:
        """Return the matches of the mapping of graph *i* to graph *j*.

        Raises `Uncovered` if it is not one-to-one.
        """
        a: cython.longlong
        b: cython.longlong = self.its_start[j]
        k: cython.longlong
        end: cython.longlong = self.its_start[j + 1]
        label: cython.longlong
        total: cython.longlong = 0
        self._check_image(i, j)
        self._check_order(i, j)
        for a in range(self.start[i], self.start[i + 1]):
            label = self.label[a]
            while b < end and self.its_label[b] < label:
                b += 1
            k = b
            while k < end and self.its_label[k] == label:
                if self._is_image(self.first[a], self.its_first[k]) and self._is_image(
                    self.second[a], self.its_second[k]
                ):
                    total = total + self._worth(a, k)
                k += 1
        return total

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _check_image(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
        """Raise `Uncovered` if the mapping is not one-to-one."""
        k: cython.Py_ssize_t
        right: cython.longlong
        for k in range(self.its_n_variables[j]):
            self.is_taken[k] = 0
        for k in range(self.n_variables[i]):
            right = self.image[k]
            if not -1 <= right < self.its_n_variables[j]:
                raise Uncovered("a variable is mapped to a variable that does not exist")
            if right >= 0:
                if self.is_taken[right]:
                    raise Uncovered("a mapping is not one-to-one")
                self.is_taken[right] = 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _check_order(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
        """Raise `Uncovered` if the triples of a graph are not in the order of their labels."""
        a: cython.longlong
        for a in range(self.start[i] + 1, self.start[i + 1]):
            if self.label[a] < self.label[a - 1]:
                raise Uncovered("triples are not in the order of their labels")
        for a in range(self.its_start[j] + 1, self.its_start[j + 1]):
            if self.its_label[a] < self.its_label[a - 1]:
                raise Uncovered("triples are not in the order of their labels")
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _is_image(self, variable: cython.longlong, other: cython.longlong) -> cython.bint:
        """Tell whether the mapping takes a variable to the *other*, or both are missing."""
        if variable < 0 or other < 0:
            return variable < 0 and other < 0
        return self.image[variable] == other

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _worth(self, a: cython.longlong, b: cython.longlong) -> cython.longlong:
        """Return the value of the match of two triples."""
        if self.is_product:
            return self.scale * self.times[a] * self.its_times[b]
        return self.scale if self.is_set else self.scale * min(self.times[a], self.its_times[b])

    @cython.ccall
    def bound(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.longlong:
        """Return the upper bound on mappings of graph *i* to graph *j*, by the cover.

        Raises `Uncovered` if it does not cover all matches.
        """
        k: cython.Py_ssize_t
        held: cython.longlong
        self._find_matches(i, j)
        words: cython.Py_ssize_t = self.found.words
        n_cases: cython.Py_ssize_t = self.found.n_cases
        if words != max((self.n_matches + _BITS - 1) // _BITS, 1):
            raise Uncovered("cliques are not sets of existing matches")
        if not 0 <= n_cases <= _MOST_CASES:
            raise Uncovered("there are too many cases")
        begin: cython.longlong = 0
        end: cython.longlong = self.found.n_cliques
        most: cython.longlong = self._shown(begin, end, words, n_cases, -1)
        for k in range(n_cases):
            begin, end, held = end, self.case_end[k], self.case_term[k]
            if not 0 <= held < self.n_matches:
                raise Uncovered("a case is about something that is no match")
            most = max(most, self._shown(begin, end, words, k, held))
        return most

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _shown(
        self,
        begin: cython.longlong,
        end: cython.longlong,
        words: cython.Py_ssize_t,
        n_out: cython.Py_ssize_t,
        held: cython.longlong,
    ) -> cython.longlong:
        """Return the total weight of some cliques.

        Raises `Uncovered` if they do not pay for all matches except the first *n_out* exceptions
        and the matches that *held* excludes (-1 if no match is known to be held).
        """
        k: cython.Py_ssize_t
        total: cython.longlong = 0
        if not 0 <= begin <= end <= _MOST:
            raise Uncovered("there are too many cliques")
        for k in range(self.n_matches):
            self.paid[k] = 0
        for k in range(begin, end):
            if self.clique_weight[k] < 0:
                raise Uncovered("a clique has a negative weight")
            total = total + self.clique_weight[k]
            self._see_excluded(k, words)
        for k in range(self.n_matches):
            if self.paid[k] < self.value[k] and not self._is_out(k, n_out, held):
                raise Uncovered("a match is not paid for")
        return total

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _is_out(
        self, n: cython.Py_ssize_t, n_out: cython.Py_ssize_t, held: cython.longlong
    ) -> cython.bint:
        """Tell whether no mapping of a case holds a match, see `_shown`."""
        k: cython.Py_ssize_t
        for k in range(n_out):
            if self.case_term[k] == n:
                return True
        return held >= 0 and self._exclude(n, held)

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _find_matches(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
        """Find the triples that can match. Raises `Uncovered` if they are too many."""
        a: cython.longlong
        b: cython.longlong = self.its_start[j]
        k: cython.longlong
        end: cython.longlong = self.its_start[j + 1]
        label: cython.longlong
        self._check_order(i, j)
        self.n_matches = 0
        for a in range(self.start[i], self.start[i + 1]):
            label = self.label[a]
            while b < end and self.its_label[b] < label:
                b += 1
            k = b
            while k < end and self.its_label[k] == label:
                if self._can_match(a, k):
                    self._add_match(a, k)
                k += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _add_match(self, a: cython.longlong, b: cython.longlong) -> cython.int:
        """Note that two triples can match."""
        n: cython.Py_ssize_t = self.n_matches
        if n == _MOST:
            raise Uncovered("there are more matches than cliques can hold")
        self.left[n], self.right[n] = self.first[a], self.its_first[b]
        self.other_left[n], self.other_right[n] = self.second[a], self.its_second[b]
        self.value[n] = self._worth(a, b)
        self.n_matches = n + 1
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _can_match(self, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Tell whether a one-to-one mapping takes a triple to another of its label."""
        if (self.second[a] < 0) != (self.its_second[b] < 0):
            return False
        return (self.first[a] == self.second[a]) == (self.its_first[b] == self.its_second[b])

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _see_excluded(self, k: cython.Py_ssize_t, words: cython.Py_ssize_t) -> cython.int:
        """Add up the values of the matches that a clique covers.

        Raises `Uncovered` if two matches of it do not exclude each other.
        """
        n: cython.Py_ssize_t
        q: cython.Py_ssize_t
        size: cython.Py_ssize_t = 0
        left: cython.ulonglong
        for q in range(words):
            left = self.members[k * words + q]
            n = q * _BITS
            while left:
                if left & 0xFFFF == 0:  # most are empty
                    left >>= 16
                    n += 16
                elif left & 0xF == 0:
                    left >>= 4
                    n += 4
                else:
                    if left & 1:
                        self._see_member(n, size)
                        self.paid[n] = self.paid[n] + self.clique_weight[k]
                        size += 1
                    left >>= 1
                    n += 1
        return 0

    @cython.cfunc
    @cython.inline
    @cython.boundscheck(False)  # of arrays with room for the most matches, of which these are
    @cython.exceptval(-1, check=True)
    def _see_member(self, n: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.int:
        """Note a match of a clique behind *size* others; raise `Uncovered` if one is compatible."""
        m: cython.Py_ssize_t
        if n >= self.n_matches:
            raise Uncovered("a clique holds something that is no match")
        for m in range(size):
            if not self._exclude(n, self.together[m]):
                raise Uncovered("two matches of a clique do not exclude each other")
        self.together[size] = n
        return 0

    @cython.cfunc
    @cython.inline
    @cython.boundscheck(False)  # as above
    @cython.exceptval(check=False)
    def _exclude(self, n: cython.Py_ssize_t, m: cython.Py_ssize_t) -> cython.bint:
        """Tell whether no one-to-one mapping has both of two matches."""
        a: cython.longlong = self.left[n]
        b: cython.longlong = self.right[n]
        c: cython.longlong = self.other_left[n]
        d: cython.longlong = self.other_right[n]
        return (
            _differ(a, b, self.left[m], self.right[m])
            or _differ(a, b, self.other_left[m], self.other_right[m])
            or _differ(c, d, self.left[m], self.right[m])
            or _differ(c, d, self.other_left[m], self.other_right[m])
        )


def _zeros(length: int) -> Any:
    """Return a sequence of *length* zeros, which holds numbers of any size if interpreted."""
    return array("q", [0]) * length if cython.compiled else [0] * length


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _differ(
    left: cython.longlong,
    right: cython.longlong,
    other_left: cython.longlong,
    other_right: cython.longlong,
) -> cython.bint:
    """Tell whether two pairs have exactly one variable in common; a negative pair is missing."""
    if left < 0 or other_left < 0:
        return False
    return (left == other_left) != (right == other_right)
