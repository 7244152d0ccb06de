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
    from cython.cimports.exactmatch.problem.integers import count_bits as _count
    from cython.cimports.exactmatch.problem.integers import lowest_bit as _lowest
else:

    def _lowest(word: int) -> int:
        """Return the number of the lowest bit that is set; there is one."""
        return (word & -word).bit_length() - 1

    def _count(word: int) -> int:
        """Return how many bits are set."""
        return word.bit_count()


#: Terms of a pair, at most, and words that hold a set of so many.
_MOST = cython.declare(cython.Py_ssize_t, 512)
_MOST_WORDS = cython.declare(cython.Py_ssize_t, 8)
#: Steps of the first search, and of those that follow while there is no cover.
USUAL_STEPS = (30, 400, 4000)
#: Steps of the search in a case.
_CASE_STEPS = cython.declare(cython.Py_ssize_t, 400)
#: Steps of the search for the first of the best mappings.
_MOST_TAKEN = cython.declare(cython.Py_ssize_t, 1000)
#: The part of the terms after which exchanges gain no more, as a rule.
_PATIENCE = cython.declare(cython.Py_ssize_t, 3)
#: Covers that are tried.
_TRIALS = cython.declare(cython.Py_ssize_t, 8)
#: Terms that are excepted from a cover, and how often what is scored gets better by them, at most.
_MOST_CASES = cython.declare(cython.Py_ssize_t, 4)
_MOST_GAINS = cython.declare(cython.Py_ssize_t, 4)
_ONE = cython.declare(cython.ulonglong, 1)
#: All bits of a word, and all but the highest.
_ALL = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BUT_HIGHEST = cython.declare(cython.ulonglong, (1 << 63) - 1)
#: A place among the terms has fewer bits.
_PLACE = cython.declare(cython.int, 12)
#: More than how many terms exclude each other.
_LATE = cython.declare(cython.Py_ssize_t, 1000)


@cython.final
@cython.cclass
class Covers:
    """Searches best mappings of the graphs of *system* to those of *gold*, and covers.

    What `solve` has found: *image*, the variable of gold for each one of the system, or -1;
    *members*, of each of the *n_cliques*, in *words* words, the terms that it holds, in the order
    of the triples of the system and then of those of gold; *clique_weight*, what each weighs. These
    hold all terms but *case_term*, *n_cases* of them. Each of those has cliques that hold what can
    be scored with it and without those before it: they follow up to its *case_end*. What was found
    before cases were looked at is *is_plain*. The searches of a pair take *steps*.
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
    all_steps: tuple[int, ...]
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
    # All terms, and by term: the pair of its first variables and that of its second ones (-1 if it
    # has none), its weight, and the terms in conflict with it.
    n_terms: cython.Py_ssize_t
    common_weight: cython.longlong  # -1 if they have several
    every: cython.ulonglong[::1]
    left: cython.longlong[::1]
    right: cython.longlong[::1]
    other_left: cython.longlong[::1]
    other_right: cython.longlong[::1]
    weight: cython.longlong[::1]
    conflicts: cython.ulonglong[::1]
    # By variable of either side: the terms of which it is the first variable, then those of which
    # it is the second one.
    about: cython.ulonglong[::1]
    its_about: cython.ulonglong[::1]
    # By triple of the system that makes terms, those with few terms first: its terms; how many, and
    # where they begin, as one number. The last term of each group; the terms that are not the last
    # ones, nor the last of a word.
    n_groups: cython.Py_ssize_t
    groups: cython.ulonglong[::1]
    group_key: cython.longlong[::1]
    last: cython.ulonglong[::1]
    inner: cython.ulonglong[::1]
    # The search: its steps, the best that it has found, and by level the free terms, and those of
    # one group to choose from.
    steps: cython.Py_ssize_t
    best: cython.longlong
    scored: cython.ulonglong[::1]
    chosen: cython.ulonglong[::1]
    free: cython.ulonglong[::1]
    choice: cython.ulonglong[::1]
    later: cython.ulonglong[::1]
    # Exchanges: the terms that scored ones exclude, and those that fit in where some are removed.
    excluded: cython.ulonglong[::1]
    room: cython.ulonglong[::1]
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
    n_scored: cython.Py_ssize_t  # where the cliques end that are around scored terms
    clique: cython.longlong[::1]  # by scored term
    near: cython.longlong[::1]  # cliques that may hold a term
    order: cython.longlong[::1]
    choices: cython.longlong[::1]
    n_alike: cython.longlong[::1]
    its_members: cython.ulonglong[::1]
    its_clique_weight: cython.longlong[::1]
    its_image: cython.longlong[::1]

    def __init__(
        self,
        system: TripleTable,
        gold: TripleTable,
        scale: int,
        duplicates: str,
        steps: tuple[int, ...] = USUAL_STEPS,
    ) -> None:
        self.all_steps = steps
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
        self.about = bits(2 * n_left * _MOST_WORDS)
        self.its_about = bits(2 * n_right * _MOST_WORDS)
        self.left, self.right, self.weight = zeros(_MOST), zeros(_MOST), zeros(_MOST)
        self.other_left, self.other_right = zeros(_MOST), zeros(_MOST)
        self.centre, self.clique, self.order = zeros(_MOST), zeros(_MOST), zeros(_MOST)
        self.choices, self.n_alike, self.near = zeros(_MOST), zeros(_MOST + 1), zeros(2 * _MOST)
        self.conflicts, self.groups = bits(_MOST * _MOST_WORDS), bits(_MOST * _MOST_WORDS)
        self.group_key = zeros(_MOST)
        levels = (_MOST + 1) * _MOST_WORDS
        self.free, self.later, self.choice = bits(levels), bits(levels), bits(levels)
        self.every, self.last, self.inner = (bits(_MOST_WORDS) for _ in range(3))
        self.scored, self.chosen = bits(_MOST_WORDS), bits(_MOST_WORDS)
        self.room, self.to_hold = bits(_MOST_WORDS), bits(_MOST_WORDS)
        self.excluded, self.best_scored = bits(_MOST_WORDS), bits(_MOST_WORDS)
        self.case_term, self.case_end = zeros(_MOST_CASES), zeros(_MOST_CASES)
        self.its_case_term, self.its_case_end = self.case_term, self.case_end
        self.n_terms = self.n_groups = self.n_cliques = self.n_cases = self.steps = 0
        self.begin = self.end = self.n_scored = self.n_excepted = self.n_lefts = 0
        self.best = self.common_weight = self.spare = 0
        self.is_plain = True
        self.words = 1

    @cython.ccall
    def solve(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Search for the best mapping of graph *i* to graph *j*, and a cover that proves it.

        Returns whether there is one. If the search has not ended, exchanges come before the cover.
        """
        k: cython.Py_ssize_t
        steps: cython.Py_ssize_t
        before: cython.longlong = -1
        is_best: cython.bint
        found: cython.bint = False
        if not self._join(i, j):
            return False
        self._find_conflicts(i, j)
        self._group()
        self.best = 0
        for k in range(self.words):
            self.scored[k] = 0
        for steps in self.all_steps:
            is_best = self._search_again(steps)
            found = self._cover() if is_best else self._improve()
            self.is_plain = found
            if not found and (is_best or before >= 0):
                found = self._cover_by_cases()
            if found or is_best:
                break
            before = self.best
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
    @cython.inline
    @cython.exceptval(check=False)
    def _about(self, left: cython.Py_ssize_t, q: cython.Py_ssize_t) -> cython.ulonglong:
        """Return, of word *q*, the terms that are about a variable of the system."""
        place: cython.Py_ssize_t = 2 * left * self.words + q
        return self.about[place] | self.about[place + self.words]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _about_its(self, right: cython.longlong, q: cython.Py_ssize_t) -> cython.ulonglong:
        """Return, of word *q*, the terms that are about a variable of gold."""
        place: cython.Py_ssize_t = 2 * right * self.words + q
        return self.its_about[place] | self.its_about[place + self.words]

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
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                right = self.right[t] if self.left[t] == left else self.other_right[t]
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
            terms = self.free[left * w + q] & self._about(left, q) & self._about_its(right, q)
            while terms:
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                if self._holds(t, left, right):
                    self._add(self.later, left, t)
            self.free[left * w + w + q] &= ~self._about_its(right, q)
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
                self.group_key[self.n_groups] = (n - begin) << _PLACE | begin
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
            self._add(self.about, 2 * self.left[t], t)
            self._add(self.its_about, 2 * self.right[t], t)
            if self.other_left[t] >= 0:
                self._add(self.about, 2 * self.other_left[t] + 1, t)
                self._add(self.its_about, 2 * self.other_right[t] + 1, t)
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
    @cython.inline
    @cython.exceptval(check=False)
    def _holds(
        self, t: cython.Py_ssize_t, left: cython.longlong, right: cython.longlong
    ) -> cython.bint:
        """Tell if a term maps a variable to another."""
        return (self.left[t] == left and self.right[t] == right) or (
            self.other_left[t] == left and self.other_right[t] == right
        )

    @cython.cfunc
    def _group(self) -> cython.void:
        """Put the terms of each triple of the system together, the smallest groups first."""
        w: cython.Py_ssize_t = self.words
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        t: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        self._sort_groups()
        for q in range(w):
            self.last[q] = 0
        for q in range(self.n_groups * w):
            self.groups[q] = 0
        for k in range(self.n_groups):
            begin = self.group_key[k] & ((1 << _PLACE) - 1)
            end = begin + (self.group_key[k] >> _PLACE)
            for t in range(begin, end):
                self._add(self.groups, k, t)
            self._add(self.last, 0, end - 1)
        for q in range(w):
            self.inner[q] = _BUT_HIGHEST & ~self.last[q]

    @cython.cfunc
    def _sort_groups(self) -> cython.void:
        """Sort the groups by size and, of one size, by place."""
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        key: cython.longlong
        for k in range(1, self.n_groups):
            key = self.group_key[k]
            m = k
            while m > 0 and self.group_key[m - 1] > key:
                self.group_key[m] = self.group_key[m - 1]
                m -= 1
            self.group_key[m] = key

    @cython.cfunc
    def _search_again(self, steps: cython.Py_ssize_t) -> cython.bint:
        """Look for something better in so many steps; tell whether there is surely no more."""
        k: cython.Py_ssize_t
        for k in range(self.words):
            self.free[k], self.chosen[k] = self.every[k], 0
        self.steps = steps
        self._search(0, 0, 0)
        return self.steps > 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _search(
        self, level: cython.Py_ssize_t, depth: cython.Py_ssize_t, value: cython.longlong
    ) -> cython.void:
        """Try all ways to score the free terms; all of them are of the groups from *depth* on."""
        at: cython.Py_ssize_t = level * self.words
        t: cython.Py_ssize_t
        is_harmless: cython.bint
        most: cython.longlong = 0
        bound: cython.longlong = value + self._most_of_free(depth, at)
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
        """Leave the free terms that a term allows to the next level; tell if it allows all."""
        w: cython.Py_ssize_t = self.words
        k: cython.Py_ssize_t
        lost: cython.ulonglong = 0
        for k in range(w):
            lost |= self.free[at + k] & self.conflicts[t * w + k]
            self.free[at + w + k] = self.free[at + k] & ~self.conflicts[t * w + k]
        return lost == 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _free_later(self, at: cython.Py_ssize_t) -> cython.void:
        """Leave all free terms to the next level."""
        k: cython.Py_ssize_t
        for k in range(self.words):
            self.free[at + self.words + k] = self.free[at + k]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _most_of_free(self, depth: cython.Py_ssize_t, at: cython.Py_ssize_t) -> cython.longlong:
        """Return a bound on the weight of free terms: the heaviest one of each group."""
        q: cython.Py_ssize_t
        k: cython.Py_ssize_t
        most: cython.longlong
        found: cython.longlong = 0
        if self.common_weight >= 0:
            return self.common_weight * self._count_groups(at)
        for k in range(depth, self.n_groups):
            most = 0
            for q in range(self.words):
                most = max(
                    most, self._heaviest(q, self.groups[k * self.words + q] & self.free[at + q])
                )
            found += most
        return found

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _count_groups(self, at: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return how many groups have free terms.

        The terms of a group are neighbours. If one before its last term is free, adding 1 to each
        of these bits carries a bit to the place of the last one. If a group goes on in the next
        word, the bit goes there.
        """
        q: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        free: cython.ulonglong
        inner: cython.ulonglong
        carried: cython.ulonglong = 0
        for q in range(self.words):
            free, inner = self.free[at + q] | carried, self.inner[q]
            free = ((free & inner) + inner | free) & ~inner
            carried = (free & ~self.last[q]) >> 63
            n += _count(free & self.last[q])
        return n

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
            self.free[at + q] ^= group
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
        """Return the term to choose first: heavy, and in conflict with few free terms; -1 if none.

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
                    harm += _count(self.conflicts[t * self.words + k] & self.free[at + k])
                if harm == 0:
                    return t
                if best < 0 or harm < least:
                    best, least = t, harm
        return best

    @cython.cfunc
    def _improve(self) -> cython.bint:
        """Score single terms in place of those they exclude, while that gains; look for a cover.

        Returns whether there is one. It is sought as soon as a gain has become unlikely, which
        spares the last round of attempts.
        """
        t: cython.Py_ssize_t = 0
        tried: cython.Py_ssize_t = 0  # since something was gained
        self._see_excluded()
        while True:
            if tried == self.n_terms // _PATIENCE and self._cover():
                return True
            if tried == self.n_terms:
                return False
            tried += 1
            if not self._has(self.scored, 0, t) and self._gains(t):
                self._see_excluded()
                tried = 0
            t = t + 1 if t + 1 < self.n_terms else 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _see_excluded(self) -> cython.void:
        """Note the terms that scored terms exclude."""
        w: cython.Py_ssize_t = self.words
        q: cython.Py_ssize_t
        k: cython.Py_ssize_t
        t: cython.Py_ssize_t
        terms: cython.ulonglong
        for k in range(w):
            self.excluded[k] = 0
        for q in range(w):
            terms = self.scored[q]
            while terms:
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                for k in range(w):
                    self.excluded[k] |= self.conflicts[t * w + k]

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
        lost: cython.ulonglong = 0
        value: cython.longlong = self.best + self.weight[t]
        most: cython.longlong
        for q in range(w):
            terms = self.scored[q] & self.conflicts[t * w + q]
            self.chosen[q] = self.scored[q] ^ terms
            lost |= terms
        if not self._see_room_beside(t) and lost and self.common_weight >= 0:
            return False
        for q in range(w):
            value -= self._weight_of(q, self.scored[q] ^ self.chosen[q])
        most = value
        for q in range(w):
            most += self._weight_of(q, self.room[q])
        if most <= self.best:
            return False
        self.chosen[t >> 6] |= _ONE << (t & 63)
        for q in range(w):
            terms = self.room[q]
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
    def _see_room_beside(self, t: cython.Py_ssize_t) -> cython.bint:
        """Note the terms that fit in beside a term and the chosen ones, not beside all scored.

        Tells whether there are any. Two words at once are fastest, as most pairs have no more.
        """
        w: cython.Py_ssize_t = self.words
        q: cython.Py_ssize_t
        k: cython.Py_ssize_t
        at: cython.Py_ssize_t
        next_word: cython.Py_ssize_t
        terms: cython.ulonglong
        room: cython.ulonglong
        its_room: cython.ulonglong
        found: cython.ulonglong = 0
        for k in range(0, w, 2):
            next_word = 1 if k + 1 < w else 0
            room = self.excluded[k] & ~self.conflicts[t * w + k]
            its_room = self.excluded[k + next_word] & ~self.conflicts[t * w + k + next_word]
            for q in range(w):
                terms = self.chosen[q]
                while terms and room | its_room:
                    at = (64 * q + _lowest(terms)) * w + k
                    room &= ~self.conflicts[at]
                    its_room &= ~self.conflicts[at + next_word]
                    terms &= terms - 1
            self.room[k], self.room[k + next_word] = room, its_room
        self._remove(self.room, t)
        for k in range(w):
            found |= self.room[k]
        return found != 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _weight_of(self, q: cython.Py_ssize_t, terms: cython.ulonglong) -> cython.longlong:
        """Return the sum of the weights of some terms of word *q*."""
        found: cython.longlong = 0
        if terms and self.common_weight >= 0:
            return self.common_weight * _count(terms)
        while terms:
            found += self.weight[64 * q + _lowest(terms)]
            terms &= terms - 1
        return found

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
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        terms: cython.ulonglong
        for k in range(self.n_variables[i]):
            self.its_image[k] = -1
        for q in range(self.words):
            terms = self.scored[q]
            while terms:
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                self.its_image[self.left[t]] = self.right[t]
                if self.other_left[t] >= 0:
                    self.its_image[self.other_left[t]] = self.other_right[t]

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
        k: cython.Py_ssize_t
        for k in range(self.words):
            self.to_hold[k] = self.every[k]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _surround(self, spare: cython.longlong, most: cython.Py_ssize_t) -> cython.bint:
        """Look for cliques, from *begin* on, around the terms that are scored.

        Returns whether the cliques hold all other required terms, with up to *most* exceptions.
        Other cliques may weigh *spare* together.
        """
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        end: cython.Py_ssize_t = self.begin
        failed: cython.longlong
        terms: cython.ulonglong
        for q in range(self.words):
            terms = self.scored[q]
            while terms:
                if end == _MOST:
                    return False
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                self.centre[end], self.clique[t] = t, end
                self.its_clique_weight[end] = self.weight[t]
                end += 1
        self.n_scored = end
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
        self.steps = _CASE_STEPS
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

        The best are left out, which are scored. Returns how many others there are.
        """
        w: cython.Py_ssize_t = self.words
        t: cython.Py_ssize_t
        k: cython.Py_ssize_t
        q: cython.Py_ssize_t
        n: cython.Py_ssize_t
        place: cython.Py_ssize_t
        most: cython.Py_ssize_t = 0
        terms: cython.ulonglong
        self.n_alike[0] = 0
        for q in range(w):
            terms = self.to_hold[q] & ~self.scored[q]
            while terms:
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                n = 0
                for k in range(w):
                    n += _count(self.conflicts[t * w + k] & self.scored[k])
                while most < n:
                    most += 1
                    self.n_alike[most] = 0
                self.choices[t] = n
                self.n_alike[n] += 1
        place = 0
        for k in range(most + 1):
            n = self.n_alike[k]
            self.n_alike[k] = place
            place += n
        for q in range(w):
            terms = self.to_hold[q] & ~self.scored[q]
            while terms:
                t = 64 * q + _lowest(terms)
                terms &= terms - 1
                n = self.choices[t]
                self.order[self.n_alike[n]] = t
                self.n_alike[n] += 1
        return place

    @cython.cfunc
    @cython.exceptval(check=False)
    def _insert(self, t: cython.Py_ssize_t) -> cython.bint:
        """Add a term to cliques until they weigh as much; tell if there are enough."""
        q: cython.Py_ssize_t
        k: cython.Py_ssize_t = self.n_scored
        terms: cython.ulonglong
        lacking: cython.longlong = self.weight[t]
        for q in range(self.words):
            terms = self.conflicts[t * self.words + q] & self.scored[q]
            while terms and lacking > 0:
                lacking -= self._paid_by(self.clique[64 * q + _lowest(terms)], t)
                terms &= terms - 1
        while k < self.end and lacking > 0:
            lacking -= self._paid_by(k, t)
            k += 1
        return lacking <= 0 or self._make_room(t) or self._add_clique(t, lacking)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _paid_by(self, k: cython.Py_ssize_t, t: cython.Py_ssize_t) -> cython.longlong:
        """Add a term to clique *k* if it excludes all terms there; return what this pays of it."""
        if not self._excludes_all(t, k):
            return 0
        self._add(self.its_members, k, t)
        return self.its_clique_weight[k]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _list_near(self, t: cython.Py_ssize_t, begin: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """List the cliques around terms that exclude a term, from *begin* on; return their end."""
        q: cython.Py_ssize_t
        k: cython.Py_ssize_t
        terms: cython.ulonglong
        end: cython.Py_ssize_t = begin
        for q in range(self.words):
            terms = self.conflicts[t * self.words + q] & self.scored[q]
            while terms:
                self.near[end] = self.clique[64 * q + _lowest(terms)]
                terms &= terms - 1
                end += 1
        for k in range(self.n_scored, self.end):
            if self._has(self.conflicts, t, self.centre[k]):
                self.near[end] = k
                end += 1
        return end

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
    @cython.exceptval(check=False)
    def _make_room(self, t: cython.Py_ssize_t) -> cython.bint:
        """Add a term to a clique whose other terms can go elsewhere, if all weigh the same."""
        m: cython.Py_ssize_t
        n_near: cython.Py_ssize_t = self._list_near(t, 0) if self.common_weight > 0 else 0
        for m in range(n_near):
            if self._move_out(t, self.near[m], n_near):
                self._add(self.its_members, self.near[m], t)
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
    @cython.exceptval(check=False)
    def _move_out(
        self, t: cython.Py_ssize_t, k: cython.Py_ssize_t, n_near: cython.Py_ssize_t
    ) -> cython.bint:
        """Move terms that are not in conflict with *t* out of clique *k*; tell if all could be."""
        w: cython.Py_ssize_t = self.words
        q: cython.Py_ssize_t
        u: cython.Py_ssize_t
        m: cython.Py_ssize_t
        end: cython.Py_ssize_t
        terms: cython.ulonglong
        for q in range(w):
            terms = self.its_members[k * w + q] & ~self.conflicts[t * w + q]
            while terms:
                u = 64 * q + _lowest(terms)
                terms &= terms - 1
                end = self._list_near(u, n_near)
                m = n_near
                while m < end and (self.near[m] == k or not self._excludes_all(u, self.near[m])):
                    m += 1
                if m == end:
                    return False
                self.its_members[k * w + q] &= ~(_ONE << (u & 63))
                self._add(self.its_members, self.near[m], u)
        return True


def bits(length: int) -> Any:
    """Return a mutable sequence of *length* empty sets, whose members are less than 64."""
    return array("Q", [0]) * length if cython.compiled else [0] * length
