# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The best mapping of a small pair of graphs, and its proof, by the conflicts of terms.

A term is made by a triple of either graph with equal labels. Two are in conflict if no one-to-one
mapping scores both: so what a mapping scores is an independent set of the graph of conflicts, and
the best one is searched for by branch and bound. Of a clique, terms each of which is in conflict
with all others, one at most is scored. Cliques with weights, such that those that hold a term weigh
as much as the term or more, therefore bound the score of all mappings by the sum of their weights:
a weighted clique cover, the dual of the independent set (Grötschel, Lovász and Schrijver 1988,
section 9.2). One is looked for around the terms that are scored; where there is none of the same
value, or the search takes long, the pair is left to others. `exactmatch.certificate.cover_check`
checks what is found here.

Written in Cython's pure Python mode, as the kernel of the dual is.
"""

from typing import Any

import cython

from exactmatch.many.table import DUPLICATES, TripleTable
from exactmatch.problem.integers import zeros

#: Terms of a small pair, at most: one for each bit of a number.
_MOST = cython.declare(cython.Py_ssize_t, 64)
#: Steps of the search, and covers that are tried, before a pair is left to others.
_STEPS = cython.declare(cython.Py_ssize_t, 2000)
_TRIALS = cython.declare(cython.Py_ssize_t, 8)
_ONE = cython.declare(cython.ulonglong, 1)


@cython.cclass
class SmallPairs:
    """Searches best mappings of the graphs of *system* to those of *gold*, and covers.

    What `solve` has found: *image*, the variable of gold for each one of the system, or -1;
    *cliques*, of each term, in the order of the triples of the system and then of those of gold,
    the set of cliques that hold it, as bits; *clique_weight*, what each of the *n_cliques* weighs.
    """

    image = cython.declare(object, visibility="readonly")
    cliques = cython.declare(object, visibility="readonly")
    clique_weight = cython.declare(object, visibility="readonly")
    n_cliques = cython.declare(cython.Py_ssize_t, visibility="readonly")
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
    # By term: its triple of the system and of gold, its weight, and the terms in conflict with it.
    n_terms: cython.Py_ssize_t
    common_weight: cython.longlong  # -1 if they have several
    ours: cython.longlong[::1]
    theirs: cython.longlong[::1]
    weight: cython.longlong[::1]
    conflicts: cython.ulonglong[::1]
    # By triple of the system that makes terms, those with few terms first: its terms.
    n_groups: cython.Py_ssize_t
    groups: cython.ulonglong[::1]
    # The search: its steps, and the best that it has found.
    steps: cython.Py_ssize_t
    best: cython.longlong
    scored: cython.ulonglong
    # The cover: of each clique, the term around which it is, and all of its terms.
    centre: cython.longlong[::1]
    members: cython.ulonglong[::1]
    order: cython.longlong[::1]
    its_cliques: cython.ulonglong[::1]
    its_clique_weight: cython.longlong[::1]
    its_image: cython.longlong[::1]

    def __init__(self, system: TripleTable, gold: TripleTable, scale: int, duplicates: str) -> None:
        self.scale = scale
        self.duplicates = DUPLICATES.index(duplicates)
        self.start, self.label, self.times = system.start, system.label, system.times
        self.first, self.second = system.first, system.second
        self.its_start, self.its_label, self.its_times = gold.start, gold.label, gold.times
        self.its_first, self.its_second = gold.first, gold.second
        self.n_variables = system.n_variables
        self.image = zeros(max(system.n_variables, default=0))
        self.cliques, self.clique_weight = bits(_MOST), zeros(_MOST)
        self.its_image, self.its_cliques = self.image, self.cliques
        self.its_clique_weight = self.clique_weight
        self.ours, self.theirs, self.weight = zeros(_MOST), zeros(_MOST), zeros(_MOST)
        self.conflicts, self.groups, self.members = bits(_MOST), bits(_MOST), bits(_MOST)
        self.centre, self.order = zeros(_MOST), zeros(_MOST)
        self.n_terms = self.n_groups = self.n_cliques = self.steps = 0
        self.best = self.common_weight = 0
        self.scored = 0

    @cython.ccall
    def solve(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Search for the best mapping of graph *i* to graph *j*, and a cover that proves it.

        Returns whether both were found.
        """
        if not self._join(i, j):
            return False
        self._find_conflicts()
        self._find_common_weight()
        self._group()
        self.best = -1
        self.scored = 0
        self.steps = _STEPS
        self._search(0, self._all(), 0, 0)
        if self.steps <= 0:
            return False
        self._map(i)
        return self._cover()

    @cython.cfunc
    def _all(self) -> cython.ulonglong:
        t: cython.Py_ssize_t
        found: cython.ulonglong = 0
        for t in range(self.n_terms):
            found |= _ONE << t
        return found

    @cython.cfunc
    def _join(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Note the terms of a pair; return False if there are too many."""
        a: cython.longlong = self.start[i]
        end: cython.longlong = self.start[i + 1]
        b: cython.longlong = self.its_start[j]
        its_end: cython.longlong = self.its_start[j + 1]
        k: cython.longlong
        self.n_terms = 0
        while a < end:
            while b < its_end and self.its_label[b] < self.label[a]:
                b += 1
            k = b  # several triples may have this label
            while k < its_end and self.its_label[k] == self.label[a]:
                if self._have_one_pattern(a, k):
                    if self.n_terms == _MOST:
                        return False
                    self.ours[self.n_terms] = a
                    self.theirs[self.n_terms] = k
                    self.weight[self.n_terms] = self.scale * self._credit(a, k)
                    self.n_terms += 1
                k += 1
            a += 1
        return True

    @cython.cfunc
    @cython.inline
    def _have_one_pattern(self, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Tell whether two triples have as many variables, and as many different ones."""
        if (self.second[a] < 0) != (self.its_second[b] < 0):
            return False
        return (self.first[a] == self.second[a]) == (self.its_first[b] == self.its_second[b])

    @cython.cfunc
    @cython.inline
    def _credit(self, a: cython.longlong, b: cython.longlong) -> cython.longlong:
        """Return how often two triples count, as `exactmatch.problem.joining.credit` does."""
        if self.duplicates == 2:
            return self.times[a] * self.its_times[b]
        if self.duplicates == 0:
            return 1
        return min(self.times[a], self.its_times[b])

    @cython.cfunc
    def _find_common_weight(self) -> cython.void:
        t: cython.Py_ssize_t
        self.common_weight = self.weight[0] if self.n_terms else 0
        for t in range(self.n_terms):
            if self.weight[t] != self.common_weight:
                self.common_weight = -1
                return

    @cython.cfunc
    def _find_conflicts(self) -> cython.void:
        t: cython.Py_ssize_t
        u: cython.Py_ssize_t
        for t in range(self.n_terms):
            self.conflicts[t] = 0
            for u in range(t):
                if self._conflict(t, u):
                    self.conflicts[t] |= _ONE << u
                    self.conflicts[u] |= _ONE << t

    @cython.cfunc
    @cython.inline
    def _conflict(self, t: cython.Py_ssize_t, u: cython.Py_ssize_t) -> cython.bint:
        """Tell whether two terms hold different pairs with a variable in common."""
        a: cython.longlong = self.ours[t]
        b: cython.longlong = self.theirs[t]
        c: cython.longlong = self.ours[u]
        d: cython.longlong = self.theirs[u]
        a1: cython.longlong = self.first[a]
        a2: cython.longlong = self.second[a]
        b1: cython.longlong = self.its_first[b]
        b2: cython.longlong = self.its_second[b]
        c1: cython.longlong = self.first[c]
        c2: cython.longlong = self.second[c]
        d1: cython.longlong = self.its_first[d]
        d2: cython.longlong = self.its_second[d]
        if (a1 == c1) != (b1 == d1):
            return True
        if a2 >= 0 and (a2 == c1) != (b2 == d1):
            return True
        if c2 < 0:
            return False
        if (a1 == c2) != (b1 == d2):
            return True
        return a2 >= 0 and (a2 == c2) != (b2 == d2)

    @cython.cfunc
    def _group(self) -> cython.void:
        """Put the terms of each triple of the system together, the smallest groups first."""
        t: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        size: cython.Py_ssize_t
        group: cython.ulonglong
        self.n_groups = 0
        while t < self.n_terms:
            group = 0
            size = t
            while t < self.n_terms and self.ours[t] == self.ours[size]:
                group |= _ONE << t
                t += 1
            size = t - size
            k = self.n_groups
            while k > 0 and self.order[k - 1] > size:
                self.order[k] = self.order[k - 1]
                self.groups[k] = self.groups[k - 1]
                k -= 1
            self.order[k] = size
            self.groups[k] = group
            self.n_groups += 1

    @cython.cfunc
    @cython.inline
    def _heaviest(self, terms: cython.ulonglong) -> cython.longlong:
        """Return the largest weight of some terms."""
        if self.common_weight >= 0:
            return self.common_weight if terms else 0
        return self._largest_weight(terms)

    @cython.cfunc
    def _largest_weight(self, terms: cython.ulonglong) -> cython.longlong:
        t: cython.Py_ssize_t
        most: cython.longlong = 0
        for t in range(self.n_terms):
            if terms >> t & 1 and self.weight[t] > most:
                most = self.weight[t]
        return most

    @cython.cfunc
    def _search(
        self,
        depth: cython.Py_ssize_t,
        free: cython.ulonglong,
        value: cython.longlong,
        scored: cython.ulonglong,
    ) -> cython.void:
        """Try all ways to score terms that are *free*, of the groups from *depth* on."""
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        group: cython.ulonglong
        later: cython.ulonglong = 0
        bound: cython.longlong = value
        self.steps -= 1
        for k in range(depth, self.n_groups):
            group = self.groups[k] & free
            if group:
                bound += self._heaviest(group)
                later |= group
        if bound <= self.best or self.steps <= 0:
            return
        if not later:
            self.best = value
            self.scored = scored
            return
        while not self.groups[depth] & free:
            depth += 1
        group = self.groups[depth] & free
        later &= ~group
        bound = self._heaviest(group)
        for t in range(self.n_terms):
            if group >> t & 1:
                self._search(
                    depth + 1, free & ~self.conflicts[t], value + self.weight[t], scored | _ONE << t
                )
                if self.weight[t] == bound and not self.conflicts[t] & later:
                    return  # nothing is lost by scoring it
        self._search(depth + 1, later, value, scored)

    @cython.cfunc
    def _map(self, i: cython.Py_ssize_t) -> cython.void:
        """Note the mapping that scores the best terms."""
        t: cython.Py_ssize_t
        a: cython.longlong
        b: cython.longlong
        k: cython.Py_ssize_t
        for k in range(self.n_variables[i]):
            self.its_image[k] = -1
        for t in range(self.n_terms):
            if self.scored >> t & 1:
                a = self.ours[t]
                b = self.theirs[t]
                self.its_image[self.first[a]] = self.its_first[b]
                if self.second[a] >= 0:
                    self.its_image[self.second[a]] = self.its_second[b]

    @cython.cfunc
    def _cover(self) -> cython.bint:
        """Look for cliques around the terms that are scored, and tell if they hold all others."""
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        failed: cython.longlong
        self.n_cliques = 0
        for t in range(self.n_terms):
            if self.scored >> t & 1:
                self.centre[self.n_cliques] = t
                self.its_clique_weight[self.n_cliques] = self.weight[t]
                self.n_cliques += 1
        n_others: cython.Py_ssize_t = self._order_others()
        for _ in range(_TRIALS):
            for k in range(self.n_cliques):
                self.members[k] = _ONE << self.centre[k]
                self.its_cliques[self.centre[k]] = _ONE << k
            k = 0
            while k < n_others and self._insert(self.order[k]):
                k += 1
            if k == n_others:
                return True
            failed = self.order[k]  # which goes first the next time
            while k > 0:
                self.order[k] = self.order[k - 1]
                k -= 1
            self.order[0] = failed
        return False

    @cython.cfunc
    def _order_others(self) -> cython.Py_ssize_t:
        """Put the terms that are not scored in order, by how many they are in conflict with."""
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        choices: cython.longlong
        for t in range(self.n_terms):
            if self.scored >> t & 1:
                continue
            choices = self._choices(t)
            k = n
            while k > 0 and self._choices(self.order[k - 1]) > choices:
                self.order[k] = self.order[k - 1]
                k -= 1
            self.order[k] = t
            n += 1
        return n

    @cython.cfunc
    def _choices(self, t: cython.Py_ssize_t) -> cython.longlong:
        k: cython.Py_ssize_t
        found: cython.longlong = 0
        for k in range(self.n_cliques):
            found += self.conflicts[t] >> self.centre[k] & 1
        return found

    @cython.cfunc
    def _insert(self, t: cython.Py_ssize_t) -> cython.bint:
        """Add a term to cliques until they weigh as much; tell if there are enough."""
        k: cython.Py_ssize_t
        lacking: cython.longlong = self.weight[t]
        self.its_cliques[t] = 0
        for k in range(self.n_cliques):
            if lacking > 0 and not self.members[k] & ~self.conflicts[t]:
                self.members[k] |= _ONE << t
                self.its_cliques[t] |= _ONE << k
                lacking -= self.its_clique_weight[k]
        return lacking <= 0 or self._make_room(t)

    @cython.cfunc
    def _make_room(self, t: cython.Py_ssize_t) -> cython.bint:
        """Add a term to a clique whose other terms can go elsewhere, if all weigh the same."""
        k: cython.Py_ssize_t
        for k in range(self.n_cliques if self.common_weight > 0 else 0):
            if self.conflicts[t] >> self.centre[k] & 1 and self._move_out(t, k):
                self.members[k] |= _ONE << t
                self.its_cliques[t] = _ONE << k
                return True
        return False

    @cython.cfunc
    def _move_out(self, t: cython.Py_ssize_t, k: cython.Py_ssize_t) -> cython.bint:
        """Move terms that are not in conflict with *t* out of clique *k*; tell if all could be."""
        u: cython.Py_ssize_t
        m: cython.Py_ssize_t
        for u in range(self.n_terms):
            if self.members[k] & ~self.conflicts[t] & _ONE << u:
                m = 0
                while m < self.n_cliques and (m == k or self.members[m] & ~self.conflicts[u]):
                    m += 1
                if m == self.n_cliques:
                    return False
                self.members[k] &= ~(_ONE << u)
                self.members[m] |= _ONE << u
                self.its_cliques[u] = _ONE << m
        return True


def bits(length: int) -> Any:
    """Return a mutable sequence of *length* empty sets, whose members are less than 64."""
    from array import array

    return array("Q", [0]) * length if cython.compiled else [0] * length
