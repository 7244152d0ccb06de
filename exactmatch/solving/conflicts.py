# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Find the terms of two sentences, and which of them exclude each other.

A term is made by a triple of either graph with equal labels. Two are in conflict if no one-to-one
mapping scores both: if they map a variable to different ones, or different ones to the same. Sets
of terms are bits of as many words as a pair needs. Written in Cython's pure Python mode, as the
kernel of the dual is.
"""

import cython

from exactmatch.problem.integers import bits, zeros
from exactmatch.problem.tables import DUPLICATES, TripleTable

if cython.compiled:
    from cython.cimports.exactmatch.problem.integers import sort_by
else:
    from exactmatch.problem.integers import sort_by

#: Terms of a pair, at most, and words that hold a set of so many.
MOST_TERMS = 512
MOST_WORDS = 8
_MOST = cython.declare(cython.Py_ssize_t, MOST_TERMS)
_ONE = cython.declare(cython.ulonglong, 1)
#: All bits of a word, and all but the highest.
_ALL = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BUT_HIGHEST = cython.declare(cython.ulonglong, (1 << 63) - 1)


@cython.final
@cython.cclass
class Conflicts:
    """Finds the terms of graphs of *system* and *gold*, in the order of the triples of both.

    n_terms: the number of terms that `find` has found. words: the number of words that hold a set
        of terms. every: the set of all terms.
    left, right: by term, its first variables. other_left, other_right: by term, its second
        variables, or -1 if it has none.
    weight: by term. common_weight: the weight of all terms, or -1 if weights differ.
    conflicts: by term, the terms that it excludes.
    groups: the terms of a triple of the system, for each of the *n_groups* that make terms, the
        smallest groups first.
    last: the last term of each group. inner: all bits except *last*, and except the highest bit of
        each word.
    about, its_about: by variable of either side, the terms with this first variable, then the terms
        with this second variable.
    """

    n_terms = cython.declare(cython.Py_ssize_t, visibility="readonly")
    words = cython.declare(cython.Py_ssize_t, visibility="readonly")
    common_weight = cython.declare(cython.longlong, visibility="readonly")
    n_groups = cython.declare(cython.Py_ssize_t, visibility="readonly")
    every = cython.declare(cython.ulonglong[::1], visibility="readonly")
    left = cython.declare(cython.longlong[::1], visibility="readonly")
    right = cython.declare(cython.longlong[::1], visibility="readonly")
    other_left = cython.declare(cython.longlong[::1], visibility="readonly")
    other_right = cython.declare(cython.longlong[::1], visibility="readonly")
    weight = cython.declare(cython.longlong[::1], visibility="readonly")
    conflicts = cython.declare(cython.ulonglong[::1], visibility="readonly")
    groups = cython.declare(cython.ulonglong[::1], visibility="readonly")
    last = cython.declare(cython.ulonglong[::1], visibility="readonly")
    inner = cython.declare(cython.ulonglong[::1], visibility="readonly")
    about = cython.declare(cython.ulonglong[::1], visibility="readonly")
    its_about = cython.declare(cython.ulonglong[::1], visibility="readonly")
    scale: cython.longlong
    duplicates: cython.int
    # Of the tables.
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
    # The size of each group, where it begins, and their order.
    size: cython.longlong[::1]
    begin: cython.longlong[::1]
    order: cython.longlong[::1]
    work: cython.longlong[::1]

    def __init__(self, system: TripleTable, gold: TripleTable, scale: int, duplicates: str) -> None:
        self.scale = scale
        self.duplicates = DUPLICATES.index(duplicates)
        self.start, self.label, self.times = system.start, system.label, system.times
        self.first, self.second = system.first, system.second
        self.its_start, self.its_label, self.its_times = gold.start, gold.label, gold.times
        self.its_first, self.its_second = gold.first, gold.second
        self.n_variables, self.its_n_variables = system.n_variables, gold.n_variables
        n_left, n_right = (max(table.n_variables, default=0) for table in (system, gold))
        self.about = bits(2 * n_left * MOST_WORDS)
        self.its_about = bits(2 * n_right * MOST_WORDS)
        self.left = zeros(MOST_TERMS)
        self.right = zeros(MOST_TERMS)
        self.other_left = zeros(MOST_TERMS)
        self.other_right = zeros(MOST_TERMS)
        self.weight = zeros(MOST_TERMS)
        self.size, self.begin, self.order = (zeros(MOST_TERMS) for _ in range(3))
        self.work = zeros(2 * MOST_TERMS + 2)
        self.conflicts = bits(MOST_TERMS * MOST_WORDS)
        self.groups = bits(MOST_TERMS * MOST_WORDS)
        self.every = bits(MOST_WORDS)
        self.last = bits(MOST_WORDS)
        self.inner = bits(MOST_WORDS)
        self.n_terms = self.n_groups = self.common_weight = 0
        self.words = 1

    @cython.ccall
    def find(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Find the terms of graphs *i* and *j*; return False if they are too many."""
        if not self._join(i, j):
            return False
        self._find_conflicts(i, j)
        self._group()
        return True

    @cython.cfunc
    def _join(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Note the terms of a pair, and their groups; return False if there are too many."""
        a: cython.longlong
        b: cython.longlong = self.its_start[j]
        its_end: cython.longlong = self.its_start[j + 1]
        label: cython.longlong
        k: cython.longlong
        n: cython.Py_ssize_t = 0
        begin: cython.Py_ssize_t
        self.n_groups = 0
        for a in range(self.start[i], self.start[i + 1]):
            label = self.label[a]
            while b < its_end and self.its_label[b] < label:
                b += 1
            begin = n
            k = b  # several triples may have this label
            while k < its_end and self.its_label[k] == label:
                if self._have_one_pattern(a, k):
                    if n == _MOST:
                        return False
                    self._add_term(n, a, k)
                    n += 1
                k += 1
            if n > begin:
                self.size[self.n_groups], self.begin[self.n_groups] = n - begin, begin
                self.n_groups += 1
        self.n_terms = n
        self.words = (n + 63) // 64 if n > 0 else 1
        self._weigh()
        return True

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _add_term(
        self, n: cython.Py_ssize_t, a: cython.longlong, b: cython.longlong
    ) -> cython.void:
        """Note the term number *n* of two triples."""
        self.left[n], self.right[n] = self.first[a], self.its_first[b]
        self.other_left[n], self.other_right[n] = self.second[a], self.its_second[b]
        self.weight[n] = self.scale * self._credit(a, b)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _weigh(self) -> cython.void:
        """Note the set of all terms, and the weight that they have in common."""
        t: cython.Py_ssize_t
        q: cython.Py_ssize_t
        for q in range(self.words):
            self.every[q] = _ALL
        if self.n_terms < 64 * self.words:
            self.every[self.words - 1] = (_ONE << (self.n_terms & 63)) - 1
        self.common_weight = self.weight[0] if self.n_terms > 0 else 0
        for t in range(1, self.n_terms):
            if self.weight[t] != self.common_weight:
                self.common_weight = -1
                break

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _have_one_pattern(self, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Tell whether two triples have as many variables, and as many different ones."""
        if (self.second[a] < 0) != (self.its_second[b] < 0):
            return False
        return (self.first[a] == self.second[a]) == (self.its_first[b] == self.its_second[b])

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _credit(self, a: cython.longlong, b: cython.longlong) -> cython.longlong:
        """Return how often two triples count, as `exactmatch.problem.joining.credit` does."""
        if self.duplicates == 2:
            return self.times[a] * self.its_times[b]
        if self.duplicates == 0:
            return 1
        return min(self.times[a], self.its_times[b])

    @cython.cfunc
    def _find_conflicts(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.void:
        """Note which terms hold different pairs with a variable in common."""
        w: cython.Py_ssize_t = self.words
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for k in range(2 * self.n_variables[i] * w):
            self.about[k] = 0
        for k in range(2 * self.its_n_variables[j] * w):
            self.its_about[k] = 0
        for t in range(self.n_terms):
            self._put(t, self.about, 2 * self.left[t])
            self._put(t, self.its_about, 2 * self.right[t])
            if self.other_left[t] >= 0:
                self._put(t, self.about, 2 * self.other_left[t] + 1)
                self._put(t, self.its_about, 2 * self.other_right[t] + 1)
        for t in range(self.n_terms):
            for k in range(w):
                self.conflicts[t * w + k] = self._other_uses(self.left[t], self.right[t], k)
            if self.other_left[t] >= 0 and self.other_left[t] != self.left[t]:
                for k in range(w):
                    self.conflicts[t * w + k] |= self._other_uses(
                        self.other_left[t], self.other_right[t], k
                    )

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _other_uses(
        self, left: cython.longlong, right: cython.longlong, q: cython.Py_ssize_t
    ) -> cython.ulonglong:
        """Return, of word *q*, the terms that map one of two variables to a third."""
        w: cython.Py_ssize_t = self.words
        as_first: cython.ulonglong = self.about[2 * left * w + q]
        as_second: cython.ulonglong = self.about[(2 * left + 1) * w + q]
        its_first: cython.ulonglong = self.its_about[2 * right * w + q]
        its_second: cython.ulonglong = self.its_about[(2 * right + 1) * w + q]
        held: cython.ulonglong = (as_first & its_first) | (as_second & its_second)
        return (as_first | as_second | its_first | its_second) & ~held

    @cython.cfunc
    def _group(self) -> cython.void:
        """Put the terms of each triple of the system together, the smallest groups first."""
        w: cython.Py_ssize_t = self.words
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        t: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        most: cython.longlong = 0
        for k in range(self.n_groups):
            self.order[k] = k
            most = max(most, self.size[k])
        sort_by(self.size, most + 1, self.order, self.n_groups, self.work)
        for q in range(w):
            self.last[q] = 0
        for q in range(self.n_groups * w):
            self.groups[q] = 0
        for k in range(self.n_groups):
            begin = self.begin[self.order[k]]
            end = begin + self.size[self.order[k]]
            for t in range(begin, end):
                self._put(t, self.groups, k)
            self._put(end - 1, self.last, 0)
        for q in range(w):
            self.inner[q] = _BUT_HIGHEST & ~self.last[q]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _put(
        self, t: cython.Py_ssize_t, sets: cython.ulonglong[::1], place: cython.longlong
    ) -> cython.void:
        """Put a term into one of several sets."""
        sets[place * self.words + (t >> 6)] |= _ONE << (t & 63)
