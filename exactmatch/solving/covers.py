# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Find the best mapping of two sentences, and its proof, by the conflicts of terms.

A term is made by a triple of either graph with equal labels. Two are in conflict if no one-to-one
mapping scores both. So a mapping scores an independent set of the graph of conflicts, and branch
and bound searches for the best one. A mapping scores at most one term of a clique, in which any two
terms are in conflict. Let cliques have weights so that those that hold a term weigh at least as
much as the term. Then the sum of all weights bounds the score of every mapping. This is a weighted
clique cover, the dual of the independent set (Grötschel, Lovász and Schrijver 1988, section 9.2). A
cover is sought around the scored terms. If there is one, it proves them to be the best, even if the
search has not ended. So the search takes few steps at first, and more only if there is no cover of
the same value. Five terms in a circle of conflicts, for example, have no cover. In such cases, a
few terms are excepted from the cover, and each of them gets a cover of its own, for the terms that
can be scored with it. Other methods solve the pairs that still have none.
`exactmatch.certificate.cover_check` checks the covers.

Sets of terms are bits of as many words as a pair needs. Written in Cython's pure Python mode, as
the kernel of the dual is.
"""

from array import array
from typing import Any

import cython

from exactmatch.problem.integers import zeros
from exactmatch.problem.tables import DUPLICATES, TripleTable

if cython.compiled:
    from cython.cimports.exactmatch.problem.integers import lowest_bit as _lowest
else:

    def _lowest(word: int) -> int:
        """Return the number of the lowest bit that is set; there is one."""
        return (word & -word).bit_length() - 1


#: Terms of a pair, at most, and words that hold a set of so many.
_MOST = cython.declare(cython.Py_ssize_t, 512)
_MOST_WORDS = cython.declare(cython.Py_ssize_t, 8)
#: Steps of the search, and of the second one.
USUAL_STEPS = (30, 400)
#: Steps of the search for the first of the best mappings.
_MOST_TAKEN = cython.declare(cython.Py_ssize_t, 1000)
#: Covers that are tried.
_TRIALS = cython.declare(cython.Py_ssize_t, 8)
#: Terms that are excepted from a cover, and how often what is scored gets better by them, at most.
_MOST_CASES = cython.declare(cython.Py_ssize_t, 4)
_MOST_GAINS = cython.declare(cython.Py_ssize_t, 4)
_ONE = cython.declare(cython.ulonglong, 1)
#: The lower half of every two, four and eight bits.
_OF_2 = cython.declare(cython.ulonglong, 0x5555555555555555)
_OF_4 = cython.declare(cython.ulonglong, 0x3333333333333333)
_OF_8 = cython.declare(cython.ulonglong, 0x0F0F0F0F0F0F0F0F)
#: More than how many terms exclude each other.
_LATE = cython.declare(cython.Py_ssize_t, 1000)


@cython.cclass
class Covers:
    """Searches best mappings of the graphs of *system* to those of *gold*, and covers.

    What `solve` has found: *image*, the variable of gold for each one of the system, or -1;
    *members*, of each of the *n_cliques*, in *words* words, the terms that it holds, in the order
    of the triples of the system and then of those of gold; *clique_weight*, what each weighs. These
    hold all terms but *case_term*, *n_cases* of them. Each of those has cliques that hold what can
    be scored with it and without those before it: they follow up to its *case_end*. What was found
    before cases were looked at is *is_plain*. The two searches take *steps*.
    """

    image = cython.declare(object, visibility="readonly")
    members = cython.declare(object, visibility="readonly")
    clique_weight = cython.declare(object, visibility="readonly")
    n_cliques = cython.declare(cython.Py_ssize_t, visibility="readonly")
    words = cython.declare(cython.Py_ssize_t, visibility="readonly")
    case_term = cython.declare(object, visibility="readonly")
    case_end = cython.declare(object, visibility="readonly")
    n_cases = cython.declare(cython.Py_ssize_t, visibility="readonly")
    is_plain = cython.declare(cython.bint, visibility="readonly")
    first_steps: cython.Py_ssize_t
    more_steps: cython.Py_ssize_t
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
    # By term: its triple of the system and of gold, its weight, and the terms in conflict with it.
    n_terms: cython.Py_ssize_t
    common_weight: cython.longlong  # -1 if they have several
    ours: cython.longlong[::1]
    theirs: cython.longlong[::1]
    weight: cython.longlong[::1]
    conflicts: cython.ulonglong[::1]
    # By variable of either side: the terms that are about it.
    about: cython.ulonglong[::1]
    its_about: cython.ulonglong[::1]
    # By triple of the system that makes terms, those with few terms first: its terms, how many.
    n_groups: cython.Py_ssize_t
    groups: cython.ulonglong[::1]
    group_size: cython.longlong[::1]
    # The search: its steps, the best that it has found, and by level what it has in hand.
    steps: cython.Py_ssize_t
    best: cython.longlong
    scored: cython.ulonglong[::1]
    chosen: cython.ulonglong[::1]
    room: cython.ulonglong[::1]
    free: cython.ulonglong[::1]
    later: cython.ulonglong[::1]
    choice: cython.ulonglong[::1]
    # The cover at hand: the terms that it is to hold, where its cliques begin and end, what more of
    # them may weigh, how many terms are excepted; of each clique, the term around which it is, all
    # of its terms, and its weight.
    to_hold: cython.ulonglong[::1]
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    spare: cython.longlong
    n_excepted: cython.Py_ssize_t
    its_case_term: cython.longlong[::1]
    its_case_end: cython.longlong[::1]
    best_scored: cython.ulonglong[::1]
    n_lefts: cython.Py_ssize_t
    centre: cython.longlong[::1]
    order: cython.longlong[::1]
    choices: cython.longlong[::1]
    its_members: cython.ulonglong[::1]
    its_clique_weight: cython.longlong[::1]
    its_image: cython.longlong[::1]

    def __init__(
        self,
        system: TripleTable,
        gold: TripleTable,
        scale: int,
        duplicates: str,
        steps: tuple[int, int] = USUAL_STEPS,
    ) -> None:
        self.first_steps, self.more_steps = steps
        self.scale = scale
        self.duplicates = DUPLICATES.index(duplicates)
        self.start, self.label, self.times = system.start, system.label, system.times
        self.first, self.second = system.first, system.second
        self.its_start, self.its_label, self.its_times = gold.start, gold.label, gold.times
        self.its_first, self.its_second = gold.first, gold.second
        self.n_variables, self.its_n_variables = system.n_variables, gold.n_variables
        n_left, n_right = (max(table.n_variables, default=0) for table in (system, gold))
        self.image, self.clique_weight = zeros(n_left), zeros(_MOST)
        self.members = bits(_MOST * _MOST_WORDS)
        self.its_image, self.its_clique_weight = self.image, self.clique_weight
        self.its_members = self.members
        self.about, self.its_about = bits(n_left * _MOST_WORDS), bits(n_right * _MOST_WORDS)
        self.ours, self.theirs, self.weight = zeros(_MOST), zeros(_MOST), zeros(_MOST)
        self.centre, self.order, self.choices = zeros(_MOST), zeros(_MOST), zeros(_MOST)
        self.conflicts, self.groups = bits(_MOST * _MOST_WORDS), bits(_MOST * _MOST_WORDS)
        self.group_size = zeros(_MOST)
        levels = (_MOST + 1) * _MOST_WORDS
        self.free, self.later, self.choice = bits(levels), bits(levels), bits(levels)
        self.scored, self.chosen = bits(_MOST_WORDS), bits(_MOST_WORDS)
        self.room, self.to_hold = bits(_MOST_WORDS), bits(_MOST_WORDS)
        self.best_scored = bits(_MOST_WORDS)
        self.case_term, self.case_end = zeros(_MOST_CASES), zeros(_MOST_CASES)
        self.its_case_term, self.its_case_end = self.case_term, self.case_end
        self.n_terms = self.n_groups = self.n_cliques = self.n_cases = self.steps = 0
        self.begin = self.end = self.n_excepted = self.n_lefts = 0
        self.best = self.common_weight = self.spare = 0
        self.is_plain = True
        self.words = 1

    @cython.ccall
    def solve(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Search for the best mapping of graph *i* to graph *j*, and a cover that proves it.

        Returns whether there is one.
        """
        k: cython.Py_ssize_t
        before: cython.longlong
        is_best: cython.bint
        found: cython.bint
        if not self._join(i, j):
            return False
        self._find_conflicts(i, j)
        self._group()
        self.best = 0
        for k in range(self.words):
            self.scored[k] = 0
        is_best = self._search_again(self.first_steps)
        found = self._cover()
        if not found and not is_best:
            found = self._improve() and self._cover()
        if not found and not is_best:
            before = self.best
            if not self._search_again(self.more_steps):
                self._improve()
            found = self.best > before and self._cover()
        self.is_plain = found
        if not found:
            found = self._cover_by_cases()
        if found:
            self._map(i)
        return found

    @cython.ccall
    def take_first(self, i: cython.Py_ssize_t) -> cython.bint:
        """Make *image* the first of the best mappings of graph *i*: the defined one.

        See `exactmatch.solving.best.listing` for their order. Returns False if another method must
        do this: if terms are excepted from the cover, or the listing takes too long.

        A mapping scores as much as all cliques weigh only if it scores a term of each, and no term
        whose cliques weigh more than it does. The other way round, all of these mappings are best.
        """
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        t: cython.Py_ssize_t
        terms: cython.ulonglong
        self.n_lefts = self.n_variables[i]
        if not self.is_plain or self.n_lefts > _MOST:
            return False
        for t in range(self.n_terms):
            self.choices[t] = self.weight[t]
        for k in range(self.n_cliques):
            for q in range(self.words):
                terms = self.its_members[k * self.words + q]
                while terms:
                    t = 64 * q + _lowest(terms)
                    terms &= terms - 1
                    self.choices[t] -= self.its_clique_weight[k]
        for q in range(self.words):
            self.free[q] = 0
        for t in range(self.n_terms):
            if self.choices[t] == 0:
                self._add(self.free, 0, t)
        self.steps = _MOST_TAKEN
        return self._take_from(0)

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
            self.its_image[left] = right
            for k in range(left * w, left * w + w):
                self.free[k + w] = self.free[k] & ~self.about[k]
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
            terms = self.free[left * self.words + q] & self.about[left * self.words + q]
            while terms:
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                right = self.its_second[self.theirs[t]]
                if self.first[self.ours[t]] == left:
                    right = self.its_first[self.theirs[t]]
                if right > before and (found < 0 or right < found):
                    found = right
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take(self, left: cython.Py_ssize_t, right: cython.longlong) -> cython.void:
        """Leave to the next variable the terms that go with a pair; note those that hold it."""
        w: cython.Py_ssize_t = self.words
        q: cython.Py_ssize_t
        t: cython.Py_ssize_t
        terms: cython.ulonglong
        for q in range(w):
            self.later[left * w + q] = 0
            terms = self.free[left * w + q] & self.about[left * w + q]
            terms &= self.its_about[right * w + q]
            while terms:
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                if self._holds(t, left, right):
                    self._add(self.later, left, t)
            self.free[left * w + w + q] &= ~self.its_about[right * w + q]
            self.free[left * w + w + q] |= self.later[left * w + q]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_open(self, level: cython.Py_ssize_t) -> cython.bint:
        """Tell whether each clique has a free term, and each pair that is taken."""
        k: cython.Py_ssize_t
        for k in range(level):
            if self.its_image[k] >= 0 and not self._meet(self.later, k, level):
                return False
        k = 0
        while k < self.n_cliques and self._meet(self.its_members, k, level):
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

    @cython.cfunc
    def _join(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Note the terms of a pair; return False if there are too many."""
        a: cython.longlong = self.start[i]
        end: cython.longlong = self.start[i + 1]
        b: cython.longlong = self.its_start[j]
        its_end: cython.longlong = self.its_start[j + 1]
        k: cython.longlong
        n: cython.Py_ssize_t = 0
        self.common_weight = 0
        while a < end:
            while b < its_end and self.its_label[b] < self.label[a]:
                b += 1
            k = b  # several triples may have this label
            while k < its_end and self.its_label[k] == self.label[a]:
                if self._have_one_pattern(a, k):
                    if n == _MOST:
                        return False
                    self.ours[n] = a
                    self.theirs[n] = k
                    self.weight[n] = self.scale * self._credit(a, k)
                    if n == 0:
                        self.common_weight = self.weight[0]
                    elif self.weight[n] != self.common_weight:
                        self.common_weight = -1
                    n += 1
                k += 1
            a += 1
        self.n_terms = n
        self.words = (n + 63) // 64 if n > 0 else 1
        return True

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
        a: cython.longlong
        b: cython.longlong
        for k in range(self.n_variables[i] * w):
            self.about[k] = 0
        for k in range(self.its_n_variables[j] * w):
            self.its_about[k] = 0
        for t in range(self.n_terms):
            a, b = self.ours[t], self.theirs[t]
            self._add(self.about, self.first[a], t)
            self._add(self.its_about, self.its_first[b], t)
            if self.second[a] >= 0:
                self._add(self.about, self.second[a], t)
                self._add(self.its_about, self.its_second[b], t)
        for t in range(self.n_terms):
            a, b = self.ours[t], self.theirs[t]
            for k in range(w):
                self.conflicts[t * w + k] = 0
            self._exclude_others(t, self.first[a], self.its_first[b])
            if self.second[a] >= 0 and self.second[a] != self.first[a]:
                self._exclude_others(t, self.second[a], self.its_second[b])

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _add(
        self, sets: cython.ulonglong[::1], place: cython.longlong, t: cython.Py_ssize_t
    ) -> cython.void:
        """Add a term to one of several sets."""
        sets[place * self.words + (t >> 6)] |= _ONE << (t & 63)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _has(
        self, sets: cython.ulonglong[::1], place: cython.Py_ssize_t, t: cython.Py_ssize_t
    ) -> cython.bint:
        """Tell if a term is in one of several sets."""
        return sets[place * self.words + (t >> 6)] >> (t & 63) & 1 != 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _exclude_others(
        self, t: cython.Py_ssize_t, left: cython.longlong, right: cython.longlong
    ) -> cython.void:
        """Add to the conflicts of a term all that map one of two variables to a third."""
        w: cython.Py_ssize_t = self.words
        k: cython.Py_ssize_t
        u: cython.Py_ssize_t
        found: cython.ulonglong
        both: cython.ulonglong
        for k in range(w):
            found = self.about[left * w + k] ^ self.its_about[right * w + k]
            both = self.about[left * w + k] & self.its_about[right * w + k]
            while both:
                u = _lowest(both)
                both &= both - 1
                if not self._holds(64 * k + u, left, right):
                    found |= _ONE << u
            self.conflicts[t * w + k] |= found

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _holds(
        self, t: cython.Py_ssize_t, left: cython.longlong, right: cython.longlong
    ) -> cython.bint:
        """Tell if a term maps a variable to another."""
        a: cython.longlong = self.ours[t]
        b: cython.longlong = self.theirs[t]
        return (self.first[a] == left and self.its_first[b] == right) or (
            self.second[a] == left and self.its_second[b] == right
        )

    @cython.cfunc
    def _group(self) -> cython.void:
        """Put the terms of each triple of the system together, the smallest groups first."""
        w: cython.Py_ssize_t = self.words
        t: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        u: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        self.n_groups = 0
        while t < self.n_terms:
            begin = t
            while t < self.n_terms and self.ours[t] == self.ours[begin]:
                t += 1
            k = self.n_groups
            while k > 0 and self.group_size[k - 1] > t - begin:
                self.group_size[k] = self.group_size[k - 1]
                for q in range(w):
                    self.groups[k * w + q] = self.groups[(k - 1) * w + q]
                k -= 1
            self.group_size[k] = t - begin
            for q in range(w):
                self.groups[k * w + q] = 0
            for u in range(begin, t):
                self._add(self.groups, k, u)
            self.n_groups += 1

    @cython.cfunc
    def _search_again(self, steps: cython.Py_ssize_t) -> cython.bint:
        """Look for something better in so many steps; tell whether there is surely no more."""
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for k in range(self.words):
            self.free[k] = self.chosen[k] = 0
        for t in range(self.n_terms):
            self._add(self.free, 0, t)
        self.steps = steps
        self._search(0, 0, 0)
        return self.steps > 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _search(
        self, level: cython.Py_ssize_t, depth: cython.Py_ssize_t, value: cython.longlong
    ) -> cython.void:
        """Try all ways to score terms that are free, of the groups from *depth* on."""
        at: cython.Py_ssize_t = level * self.words
        t: cython.Py_ssize_t
        is_harmless: cython.bint
        most: cython.longlong = 0
        bound: cython.longlong = value + self._open_all(depth, at)
        self.steps -= 1
        if bound <= self.best or self.steps <= 0:
            return
        if bound == value:
            self._keep(value)
            return
        while most == 0:
            most = self._take_group(depth, at)
            depth += 1
        t = self._least_harmful(at, most)
        while t >= 0:
            is_harmless = self._free_beside(t, at)
            self.chosen[t >> 6] |= _ONE << (t & 63)
            self._search(level + 1, depth, value + self.weight[t])
            self.chosen[t >> 6] &= ~(_ONE << (t & 63))
            if self.steps <= 0 or (is_harmless and self.weight[t] == most):
                return  # nothing is lost by scoring it
            self.choice[at + (t >> 6)] &= ~(_ONE << (t & 63))
            t = self._least_harmful(at, most)
        self._free_later(at)
        self._search(level + 1, depth, value)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _keep(self, value: cython.longlong) -> cython.void:
        """Keep the chosen terms as the best so far."""
        k: cython.Py_ssize_t
        self.best = value
        for k in range(self.words):
            self.scored[k] = self.chosen[k]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _free_beside(self, t: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.bint:
        """Leave the later terms that a term allows to the next level; tell if it allows all."""
        w: cython.Py_ssize_t = self.words
        k: cython.Py_ssize_t
        are_all: cython.bint = True
        for k in range(w):
            self.free[at + w + k] = self.later[at + k] & ~self.conflicts[t * w + k]
            are_all = are_all and self.free[at + w + k] == self.later[at + k]
        return are_all

    @cython.cfunc
    @cython.inline
    def _free_later(self, at: cython.Py_ssize_t) -> cython.void:
        """Leave all later terms to the next level."""
        k: cython.Py_ssize_t
        for k in range(self.words):
            self.free[at + self.words + k] = self.later[at + k]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _open_all(self, depth: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.longlong:
        """Record all free terms as candidates for later; return a bound on their weight."""
        k: cython.Py_ssize_t
        found: cython.longlong = 0
        for k in range(self.words):
            self.later[at + k] = 0
        for k in range(depth, self.n_groups):
            found += self._open(k, at)
        return found

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _open(self, k: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.longlong:
        """Add the terms of a group that are free to those for later; return the largest weight."""
        q: cython.Py_ssize_t
        group: cython.ulonglong
        most: cython.longlong = 0
        for q in range(self.words):
            group = self.groups[k * self.words + q] & self.free[at + q]
            if group:
                self.later[at + q] |= group
                most = max(most, self._heaviest(q, group))
        return most

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _take_group(self, k: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.longlong:
        """Make the free terms of a group those to choose from; return the largest weight."""
        q: cython.Py_ssize_t
        group: cython.ulonglong
        most: cython.longlong = 0
        for q in range(self.words):
            group = self.groups[k * self.words + q] & self.free[at + q]
            self.choice[at + q] = group
            self.later[at + q] &= ~group
            if group:
                most = max(most, self._heaviest(q, group))
        return most

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _heaviest(self, q: cython.Py_ssize_t, terms: cython.ulonglong) -> cython.longlong:
        """Return the largest weight of some terms of word *q*."""
        most: cython.longlong = 0
        if self.common_weight >= 0:
            return self.common_weight
        while terms:
            most = max(most, self.weight[64 * q + _lowest(terms)])
            terms &= terms - 1
        return most

    @cython.cfunc
    @cython.exceptval(check=False)
    def _least_harmful(self, at: cython.Py_ssize_t, most: cython.longlong) -> cython.Py_ssize_t:
        """Return the term to choose first: heavy, and in conflict with few later terms; -1 if none.

        Of equals, that is the first one.
        """
        q: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        harm: cython.Py_ssize_t
        best: cython.Py_ssize_t = -1
        least: cython.Py_ssize_t = 0
        terms: cython.ulonglong
        for q in range(self.words):
            terms = self.choice[at + q]
            while terms:
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                harm = 0 if self.weight[t] == most else _LATE
                for k in range(self.words):
                    harm += _count(self.conflicts[t * self.words + k] & self.later[at + k])
                if best < 0 or harm < least:
                    best, least = t, harm
        return best

    @cython.cfunc
    def _improve(self) -> cython.bint:
        """Score single terms in place of those they exclude, while that gains; tell if any did."""
        t: cython.Py_ssize_t = 0
        before: cython.longlong = self.best
        tried: cython.Py_ssize_t = 0  # since something was gained
        while tried < self.n_terms:
            if not self._has(self.scored, 0, t) and self._gains(t):
                tried = 0
            tried += 1
            t = t + 1 if t + 1 < self.n_terms else 0
        return self.best > before

    @cython.cfunc
    @cython.exceptval(check=False)
    def _gains(self, t: cython.Py_ssize_t) -> cython.bint:
        """Score a term and others that then fit, in place of the excluded ones, if that gains.

        Only terms that the removed ones exclude may fit in now: all others were tried before.
        """
        w: cython.Py_ssize_t = self.words
        q: cython.Py_ssize_t
        u: cython.Py_ssize_t
        terms: cython.ulonglong
        value: cython.longlong = self.best + self.weight[t]
        for q in range(w):
            self.chosen[q] = self.scored[q] & ~self.conflicts[t * w + q]
            self.room[q] = 0
        self.chosen[t >> 6] |= _ONE << (t & 63)
        for q in range(w):
            terms = self.scored[q] & self.conflicts[t * w + q]
            while terms:
                u = 64 * q + _lowest(terms)
                terms &= terms - 1
                value -= self.weight[u]
                self._make_room_of(u)
        for q in range(w):
            terms = self.room[q] & ~self.conflicts[t * w + q] & ~self.chosen[q]
            while terms:
                u = 64 * q + _lowest(terms)
                terms &= terms - 1
                if self._fits_in(u):
                    self.chosen[q] |= _ONE << (u & 63)
                    value += self.weight[u]
        if value <= self.best:
            return False
        self._keep(value)
        return True

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _make_room_of(self, t: cython.Py_ssize_t) -> cython.void:
        """Record the terms in conflict with a removed term, which may fit in without it."""
        q: cython.Py_ssize_t
        for q in range(self.words):
            self.room[q] |= self.conflicts[t * self.words + q]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _fits_in(self, t: cython.Py_ssize_t) -> cython.bint:
        """Tell if a term is in conflict with none of those chosen."""
        q: cython.Py_ssize_t
        for q in range(self.words):
            if self.chosen[q] & self.conflicts[t * self.words + q]:
                return False
        return True

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
            if self._has(self.scored, 0, t):
                a, b = self.ours[t], self.theirs[t]
                self.its_image[self.first[a]] = self.its_first[b]
                if self.second[a] >= 0:
                    self.its_image[self.second[a]] = self.its_second[b]

    @cython.cfunc
    def _cover(self) -> cython.bint:
        """Look for cliques around the terms that are scored, and tell if they hold all others."""
        found: cython.bint
        self._hold_all()
        self.begin = self.n_cases = 0
        found = self._surround(0, 0)
        self.n_cliques = self.end
        return found

    @cython.cfunc
    def _hold_all(self) -> cython.void:
        """Make all terms those that a cover is to hold."""
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for k in range(self.words):
            self.to_hold[k] = 0
        for t in range(self.n_terms):
            self._add(self.to_hold, 0, t)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _surround(self, spare: cython.longlong, most: cython.Py_ssize_t) -> cython.bint:
        """Look for cliques, from *begin* on, around the terms that are scored.

        Returns whether the cliques hold all other required terms, with up to *most* exceptions.
        Other cliques may weigh *spare* together.
        """
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        end: cython.Py_ssize_t = self.begin
        failed: cython.longlong
        for t in range(self.n_terms):
            if self._has(self.scored, 0, t):
                if end == _MOST:
                    return False
                self.centre[end] = t
                self.its_clique_weight[end] = self.weight[t]
                end += 1
        n_others: cython.Py_ssize_t = self._order_others()
        for _ in range(_TRIALS):
            for k in range(self.begin * self.words, end * self.words):
                self.its_members[k] = 0
            for k in range(self.begin, end):
                self._add(self.its_members, k, self.centre[k])
            self.end, self.spare, self.n_excepted = end, spare, 0
            k = 0
            while k < n_others and (
                self._insert(self.order[k]) or self._except(self.order[k], most)
            ):
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
    def _except(self, t: cython.longlong, most: cython.Py_ssize_t) -> cython.bint:
        """Leave a term out of the cover; tell if that can be, with *most* of them at most."""
        if self.n_excepted == most:
            return False
        self.its_case_term[self.n_excepted] = t
        self.n_excepted += 1
        return True

    @cython.cfunc
    def _cover_by_cases(self) -> cython.bint:
        """Cover all terms with as few exceptions as possible, and the case of each exception."""
        k: cython.Py_ssize_t
        most: cython.Py_ssize_t = 1
        n_gains: cython.Py_ssize_t = 0
        before: cython.longlong
        while most <= _MOST_CASES:
            self._hold_all()
            self.begin = 0
            if not self._surround(0, most):
                most += 1
                continue
            self.n_cliques, self.n_cases = self.end, self.n_excepted
            before = self.best
            k = 0
            while k < self.n_cases and self._cover_case(k):
                k += 1
            if k == self.n_cases:
                return True
            if self.best == before or n_gains == _MOST_GAINS:
                return False
            n_gains += 1  # something better was found: once more, around that
        return False

    @cython.cfunc
    def _cover_case(self, k: cython.Py_ssize_t) -> cython.bint:
        """Cover the terms that go with an exception and with none of the exceptions before it.

        Returns whether that was found. If it can be more than the best so far, it becomes that.
        """
        q: cython.Py_ssize_t
        m: cython.Py_ssize_t
        t: cython.Py_ssize_t = self.its_case_term[k]
        before: cython.longlong = self.best
        found: cython.bint
        self._hold_all()
        for m in range(k):
            self._remove(self.to_hold, self.its_case_term[m])
        for q in range(self.words):
            self.to_hold[q] &= ~self.conflicts[t * self.words + q]
            self.best_scored[q] = self.scored[q]
            self.free[q] = self.to_hold[q]
            self.chosen[q] = 0
        self._remove(self.free, t)
        self._add(self.chosen, 0, t)
        self._keep(self.weight[t])
        self.steps = self.more_steps
        self._search(0, 0, self.weight[t])
        if self.best > before:
            return False
        self.begin = self.end
        found = self._surround(before - self.best, 0)
        self.its_case_end[k] = self.end
        self.best = before
        for q in range(self.words):
            self.scored[q] = self.best_scored[q]
        return found

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _remove(self, terms: cython.ulonglong[::1], t: cython.longlong) -> cython.void:
        """Take a term out of a set."""
        terms[t >> 6] &= ~(_ONE << (t & 63))

    @cython.cfunc
    def _order_others(self) -> cython.Py_ssize_t:
        """Put the terms that cliques are to hold in order, by how many of the best exclude them.

        The best are left out, which are scored.
        """
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        choices: cython.longlong
        terms: cython.ulonglong
        for t in range(self.n_terms):
            if self._has(self.scored, 0, t) or not self._has(self.to_hold, 0, t):
                continue
            choices = 0
            for q in range(self.words):
                terms = self.conflicts[t * self.words + q] & self.scored[q]
                while terms:  # they are few
                    terms &= terms - 1
                    choices += 1
            k = n
            while k > 0 and self.choices[k - 1] > choices:
                self.choices[k], self.order[k] = self.choices[k - 1], self.order[k - 1]
                k -= 1
            self.choices[k], self.order[k] = choices, t
            n += 1
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def _insert(self, t: cython.Py_ssize_t) -> cython.bint:
        """Add a term to cliques until they weigh as much; tell if there are enough."""
        k: cython.Py_ssize_t
        lacking: cython.longlong = self.weight[t]
        for k in range(self.begin, self.end):
            if self._excludes_all(t, k):
                self._add(self.its_members, k, t)
                lacking -= self.its_clique_weight[k]
                if lacking <= 0:
                    return True
        return self._make_room(t) or self._add_clique(t, lacking)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _excludes_all(self, t: cython.Py_ssize_t, k: cython.Py_ssize_t) -> cython.bint:
        """Tell if a term is in conflict with all of clique *k*."""
        q: cython.Py_ssize_t
        for q in range(self.words):
            if self.its_members[k * self.words + q] & ~self.conflicts[t * self.words + q]:
                return False
        return True

    @cython.cfunc
    def _make_room(self, t: cython.Py_ssize_t) -> cython.bint:
        """Add a term to a clique whose other terms can go elsewhere, if all weigh the same."""
        k: cython.Py_ssize_t
        for k in range(self.begin, self.end if self.common_weight > 0 else self.begin):
            if self._has(self.conflicts, t, self.centre[k]) and self._move_out(t, k):
                self._add(self.its_members, k, t)
                return True
        return False

    @cython.cfunc
    def _add_clique(self, t: cython.longlong, weight: cython.longlong) -> cython.bint:
        """Add a clique of one term; tell if the spare weight suffices for it."""
        q: cython.Py_ssize_t
        if self.spare < weight or self.end == _MOST:
            return False
        for q in range(self.words):
            self.its_members[self.end * self.words + q] = 0
        self._add(self.its_members, self.end, t)
        self.centre[self.end] = t
        self.its_clique_weight[self.end] = weight
        self.spare -= weight
        self.end += 1
        return True

    @cython.cfunc
    def _move_out(self, t: cython.Py_ssize_t, k: cython.Py_ssize_t) -> cython.bint:
        """Move terms that are not in conflict with *t* out of clique *k*; tell if all could be."""
        w: cython.Py_ssize_t = self.words
        q: cython.Py_ssize_t
        u: cython.Py_ssize_t
        m: cython.Py_ssize_t
        terms: cython.ulonglong
        for q in range(w):
            terms = self.its_members[k * w + q] & ~self.conflicts[t * w + q]
            while terms:
                u = 64 * q + _lowest(terms)
                terms &= terms - 1
                m = self.begin
                while m < self.end and (m == k or not self._excludes_all(u, m)):
                    m += 1
                if m == self.end:
                    return False
                self.its_members[k * w + q] &= ~(_ONE << (u & 63))
                self._add(self.its_members, m, u)
        return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _count(word: cython.ulonglong) -> cython.Py_ssize_t:
    """Return how many bits are set."""
    word = word - (word >> 1 & _OF_2)
    word = (word & _OF_4) + (word >> 2 & _OF_4)
    word = word + (word >> 4) & _OF_8
    word = word + (word >> 8)
    word = word + (word >> 16)
    word = word + (word >> 32)
    return word & 127


def bits(length: int) -> Any:
    """Return a mutable sequence of *length* empty sets, whose members are less than 64."""
    return array("Q", [0]) * length if cython.compiled else [0] * length
