# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Find the best mapping of two sentences, and its proof, by the conflicts of terms.

A mapping scores an independent set of the graph of conflicts (`exactmatch.solving.conflicts`), and
branch and bound searches for the best one. A mapping scores at most one term of a clique, in which
any two terms are in conflict. Let cliques have weights so that those that hold a term weigh at
least as much as the term. Then the sum of all weights bounds the score of every mapping. This is a
weighted clique cover, the dual of the independent set (Grötschel, Lovász and Schrijver 1988,
section 9.2). A cover is sought around the scored terms. If there is one, it proves them to be the
best, even if the search has not ended. So the search takes few steps at first, and more only if
there is no cover of the same value. Five terms in a circle of conflicts, for example, have no
cover. In such cases, a few terms are excepted from the cover, and each of them gets a cover of its
own, for the terms that can be scored with it. Other methods solve the pairs that still have none.
`exactmatch.certificate.cover_check` checks the covers.

Sets of terms are bits of as many words as a pair needs. Written in Cython's pure Python mode, as
the kernel of the dual is.
"""

import cython

from exactmatch.problem.integers import bits, zeros
from exactmatch.problem.tables import TripleTable
from exactmatch.solving.conflicts import MOST_TERMS, MOST_WORDS, Conflicts

if cython.compiled:
    from cython.cimports.exactmatch.problem.integers import count_bits, lowest_bit, sort_by
else:
    from exactmatch.problem.integers import count_bits, lowest_bit, sort_by

_MOST = cython.declare(cython.Py_ssize_t, MOST_TERMS)
#: Steps of the first search, and of those that follow while there is no cover.
USUAL_STEPS = (30, 400, 4000)
#: Steps of the search in a case.
_CASE_STEPS = cython.declare(cython.Py_ssize_t, 400)
#: The part of the terms after which exchanges gain no more, as a rule.
_PATIENCE = cython.declare(cython.Py_ssize_t, 3)
#: Covers that are tried.
_TRIALS = cython.declare(cython.Py_ssize_t, 8)
#: Terms that are excepted from a cover, at most.
_MOST_CASES = cython.declare(cython.Py_ssize_t, 4)
_ONE = cython.declare(cython.ulonglong, 1)
#: More than how many terms exclude each other.
_LATE = cython.declare(cython.Py_ssize_t, 1000)


@cython.final
@cython.cclass
class Covers:
    """Searches best mappings of the graphs of *system* to the graphs of *gold*, and covers.

    `solve` finds these. Terms are in the order of the triples of the system, then of gold.

    image: by variable of the system, its variable of gold, or -1.
    members: by clique (there are *n_cliques*), its terms as bits of *words* words.
    clique_weight: by clique, its weight.
    case_term: the *n_cases* terms that no clique of the cover holds.
    case_end: by case, the end of its own cliques, which begin where the cliques of the case before
        end. They hold the terms that may score together with the term of the case, if the terms of
        earlier cases do not score.
    is_plain: whether the cover was found without cases.
    """

    image = cython.declare(cython.longlong[::1], visibility="readonly")
    members = cython.declare(cython.ulonglong[::1], visibility="readonly")
    clique_weight = cython.declare(cython.longlong[::1], visibility="readonly")
    n_cliques = cython.declare(cython.Py_ssize_t, visibility="readonly")
    words = cython.declare(cython.Py_ssize_t, visibility="readonly")
    case_term = cython.declare(cython.longlong[::1], visibility="readonly")
    case_end = cython.declare(cython.longlong[::1], visibility="readonly")
    n_cases = cython.declare(cython.Py_ssize_t, visibility="readonly")
    is_plain = cython.declare(cython.bint, visibility="readonly")
    all_steps: tuple[int, ...]
    # The terms of the pair, see `Conflicts`.
    terms = cython.declare(object, visibility="readonly")
    n_terms: cython.Py_ssize_t
    n_groups: cython.Py_ssize_t
    common_weight: cython.longlong
    every: cython.ulonglong[::1]
    left: cython.longlong[::1]
    right: cython.longlong[::1]
    other_left: cython.longlong[::1]
    other_right: cython.longlong[::1]
    weight: cython.longlong[::1]
    conflicts: cython.ulonglong[::1]
    groups: cython.ulonglong[::1]
    last: cython.ulonglong[::1]
    inner: cython.ulonglong[::1]
    n_variables: cython.longlong[::1]
    # The search: its steps, the best that it has found, and by level the free terms, and those of
    # one group to choose from.
    steps: cython.Py_ssize_t
    best: cython.longlong
    scored: cython.ulonglong[::1]
    chosen: cython.ulonglong[::1]
    free: cython.ulonglong[::1]
    choice: cython.ulonglong[::1]
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
    best_scored: cython.ulonglong[::1]
    centre: cython.longlong[::1]
    n_scored: cython.Py_ssize_t  # where the cliques end that are around scored terms
    clique: cython.longlong[::1]  # by scored term
    near: cython.longlong[::1]  # cliques that may hold a term
    order: cython.longlong[::1]
    choices: cython.longlong[::1]
    work: cython.longlong[::1]

    def __init__(
        self,
        system: TripleTable,
        gold: TripleTable,
        scale: int,
        duplicates: str,
        steps: tuple[int, ...] = USUAL_STEPS,
    ) -> None:
        self.all_steps = steps
        self.terms = terms = Conflicts(system, gold, scale, duplicates)
        self.every, self.weight, self.conflicts = terms.every, terms.weight, terms.conflicts
        self.left, self.right = terms.left, terms.right
        self.other_left, self.other_right = terms.other_left, terms.other_right
        self.groups, self.last, self.inner = terms.groups, terms.last, terms.inner
        self.n_variables = system.n_variables
        self.image = zeros(max(system.n_variables, default=0))
        self.clique_weight = zeros(_MOST)
        self.members = bits(MOST_TERMS * MOST_WORDS)
        self.case_term = zeros(_MOST_CASES)
        self.case_end = zeros(_MOST_CASES)
        levels = (MOST_TERMS + 1) * MOST_WORDS
        self.free, self.choice = bits(levels), bits(levels)
        self.scored, self.chosen = bits(MOST_WORDS), bits(MOST_WORDS)
        self.excluded, self.room = bits(MOST_WORDS), bits(MOST_WORDS)
        self.to_hold, self.best_scored = bits(MOST_WORDS), bits(MOST_WORDS)
        self.centre, self.clique, self.order = zeros(_MOST), zeros(_MOST), zeros(_MOST)
        self.choices, self.near, self.work = zeros(_MOST), zeros(2 * _MOST), zeros(2 * _MOST + 2)
        self.n_terms = self.n_groups = self.n_cliques = self.n_cases = self.steps = 0
        self.begin = self.end = self.n_scored = self.n_excepted = 0
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
        if not self.terms.find(i, j):
            return False
        self.n_terms, self.words = self.terms.n_terms, self.terms.words
        self.n_groups, self.common_weight = self.terms.n_groups, self.terms.common_weight
        self.best = 0
        for k in range(self.words):
            self.scored[k] = 0
        for steps in self.all_steps:
            is_best = self._search_again(steps)
            found = self._cover(0) if is_best else self._improve()
            self.is_plain = found
            if not found and (is_best or before >= 0):
                found = self._cover_by_cases()
            if found or is_best:
                break
            before = self.best
        if found:
            self._map(i)
        return found

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _add(
        self, sets: cython.ulonglong[::1], place: cython.longlong, t: cython.Py_ssize_t
    ) -> cython.void:
        """Add a term to one of several sets."""
        sets[place * self.words + (t >> 6)] |= _ONE << (t & 63)

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
        of these bits carries a bit to the place of the last one. If the next word holds the rest
        of a group, the bit moves there.
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
            n += count_bits(free & self.last[q])
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
        while terms:
            most = max(most, self.weight[64 * q + lowest_bit(terms)])
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
                t = 64 * q + lowest_bit(terms)
                terms &= terms - 1
                harm = 0 if self.weight[t] == most else _LATE
                for k in range(self.words):
                    harm += count_bits(self.conflicts[t * self.words + k] & self.free[at + k])
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
            if tried == self.n_terms // _PATIENCE and self._cover(0):
                return True
            if tried == self.n_terms:
                return False
            tried += 1
            if not self.scored[t >> 6] >> (t & 63) & 1 and self._gains(t):
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
                t = 64 * q + lowest_bit(terms)
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
        value: cython.longlong = self.best + self.weight[t]
        most: cython.longlong
        for q in range(w):
            terms = self.scored[q] & self.conflicts[t * w + q]
            self.chosen[q] = self.scored[q] ^ terms
            value -= self._weight_of(q, terms)
        self._see_room_beside(t)
        most = value
        for q in range(w):
            most += self._weight_of(q, self.room[q])
        if most <= self.best:
            return False
        self.chosen[t >> 6] |= _ONE << (t & 63)
        for q in range(w):
            terms = self.room[q]
            while terms:
                u = 64 * q + lowest_bit(terms)
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
    def _see_room_beside(self, t: cython.Py_ssize_t) -> cython.void:
        """Note the terms that fit in beside a term and the chosen ones, not beside all scored."""
        w: cython.Py_ssize_t = self.words
        q: cython.Py_ssize_t
        k: cython.Py_ssize_t
        terms: cython.ulonglong
        room: cython.ulonglong
        for k in range(w):
            room = self.excluded[k] & ~self.conflicts[t * w + k]
            for q in range(w):
                terms = self.chosen[q]
                while terms and room:
                    room &= ~self.conflicts[(64 * q + lowest_bit(terms)) * w + k]
                    terms &= terms - 1
            self.room[k] = room
        self._remove(self.room, t)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _weight_of(self, q: cython.Py_ssize_t, terms: cython.ulonglong) -> cython.longlong:
        """Return the sum of the weights of some terms of word *q*."""
        found: cython.longlong = 0
        while terms:
            found += self.weight[64 * q + lowest_bit(terms)]
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
            self.image[k] = -1
        for q in range(self.words):
            terms = self.scored[q]
            while terms:
                t = 64 * q + lowest_bit(terms)
                terms &= terms - 1
                self.image[self.left[t]] = self.right[t]
                if self.other_left[t] >= 0:
                    self.image[self.other_left[t]] = self.other_right[t]

    @cython.cfunc
    def _cover(self, most: cython.Py_ssize_t) -> cython.bint:
        """Cover all terms, with up to *most* exceptions, by cliques around those that are scored.

        Each exception is a case with cliques of its own.
        """
        k: cython.Py_ssize_t = 0
        self._hold_all()
        self.begin = 0
        if not self._surround(0, most):
            return False
        self.n_cliques, self.n_cases = self.end, self.n_excepted
        while k < self.n_cases and self._cover_case(k):
            k += 1
        return k == self.n_cases

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
                t = 64 * q + lowest_bit(terms)
                terms &= terms - 1
                self.centre[end], self.clique[t] = t, end
                self.clique_weight[end] = self.weight[t]
                end += 1
        self.n_scored = end
        n_others: cython.Py_ssize_t = self._order_others()
        for _ in range(_TRIALS):
            for k in range(self.begin * self.words, end * self.words):
                self.members[k] = 0
            for k in range(self.begin, end):
                self._add(self.members, k, self.centre[k])
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
        self.case_term[self.n_excepted] = t
        self.n_excepted += 1
        return True

    @cython.cfunc
    def _cover_by_cases(self) -> cython.bint:
        """Cover all terms with as few exceptions as possible; tell if that was found."""
        most: cython.Py_ssize_t = 1
        while most <= _MOST_CASES and not self._cover(most):
            most += 1
        return most <= _MOST_CASES

    @cython.cfunc
    def _cover_case(self, k: cython.Py_ssize_t) -> cython.bint:
        """Cover the terms that go with an exception and with none of the exceptions before it.

        Returns whether that was found. If it can be more than the best so far, it becomes that.
        """
        q: cython.Py_ssize_t
        m: cython.Py_ssize_t
        t: cython.Py_ssize_t = self.case_term[k]
        before: cython.longlong = self.best
        found: cython.bint
        self._hold_all()
        for m in range(k):
            self._remove(self.to_hold, self.case_term[m])
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
        self.case_end[k] = self.end
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
        n: cython.Py_ssize_t = 0
        most: cython.longlong = 0
        terms: cython.ulonglong
        for q in range(w):
            terms = self.to_hold[q] & ~self.scored[q]
            while terms:
                t = 64 * q + lowest_bit(terms)
                terms &= terms - 1
                self.choices[t] = 0
                for k in range(w):
                    self.choices[t] += count_bits(self.conflicts[t * w + k] & self.scored[k])
                most = max(most, self.choices[t])
                self.order[n] = t
                n += 1
        sort_by(self.choices, most + 1, self.order, n, self.work)
        return n

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
                lacking -= self._paid_by(self.clique[64 * q + lowest_bit(terms)], t)
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
        self._add(self.members, k, t)
        return self.clique_weight[k]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _list_near(self, t: cython.Py_ssize_t, begin: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """List the cliques around terms that exclude a term, from *begin* on; return their end."""
        q: cython.Py_ssize_t
        terms: cython.ulonglong
        end: cython.Py_ssize_t = begin
        for q in range(self.words):
            terms = self.conflicts[t * self.words + q] & self.scored[q]
            while terms:
                self.near[end] = self.clique[64 * q + lowest_bit(terms)]
                terms &= terms - 1
                end += 1
        return end

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _excludes_all(self, t: cython.Py_ssize_t, k: cython.Py_ssize_t) -> cython.bint:
        """Tell if a term is in conflict with all of clique *k*."""
        q: cython.Py_ssize_t
        for q in range(self.words):
            if self.members[k * self.words + q] & ~self.conflicts[t * self.words + q]:
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
                self._add(self.members, self.near[m], t)
                return True
        return False

    @cython.cfunc
    def _add_clique(self, t: cython.longlong, weight: cython.longlong) -> cython.bint:
        """Add a clique of one term; tell if the spare weight suffices for it."""
        q: cython.Py_ssize_t
        if self.spare < weight or self.end == _MOST:
            return False
        for q in range(self.words):
            self.members[self.end * self.words + q] = 0
        self._add(self.members, self.end, t)
        self.clique_weight[self.end] = weight
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
            terms = self.members[k * w + q] & ~self.conflicts[t * w + q]
            while terms:
                u = 64 * q + lowest_bit(terms)
                terms &= terms - 1
                end = self._list_near(u, n_near)
                m = n_near
                while m < end and (self.near[m] == k or not self._excludes_all(u, self.near[m])):
                    m += 1
                if m == end:
                    return False
                self.members[k * w + q] &= ~(_ONE << (u & 63))
                self._add(self.members, self.near[m], u)
        return True
