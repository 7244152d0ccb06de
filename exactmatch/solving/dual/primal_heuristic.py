# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Find good mappings: local search from an assignment of the dual, and random changes.

The assignment behind a bound is a mapping, but it is best for worths that terms only promise. Two
kinds of moves improve it: assign again, with each candidate worth its real gain in the mapping, and
insert a candidate or all pairs of a term if this gains more than the displaced pairs lose. Where
both are at their end, an iterated local search puts in terms at random, and inserts around them.
"""

from typing import Any

import cython

from exactmatch.problem.integers import integers, zeros
from exactmatch.solving.dual.assignment import Assignment

#: So often at most, one after the other.
_ASSIGNMENTS = cython.declare(cython.int, 20)
_PASSES = cython.declare(cython.int, 6)
#: The most candidates and terms that are put in at random at a time.
_MOST_FORCED = cython.declare(cython.int, 3)
#: One of so many changes is kept even if it loses something.
_WORSE = cython.declare(cython.int, 50)
#: Shares of candidates that are tried between two looks at the clock.
_INTERVAL = cython.declare(cython.longlong, 1 << 12)


@cython.final
@cython.cclass
class PrimalHeuristic:
    """A mapping as a set of candidates, and the moves that improve it.

    The moves raise `OutOfTime` if *deadline* comes meanwhile.
    """

    n_candidates: cython.Py_ssize_t
    is_in: cython.longlong[::1]  # of candidates
    of_left: cython.longlong[::1]  # the candidate in the mapping of each left variable, or -1
    of_right: cython.longlong[::1]
    seen: cython.longlong[::1]  # of candidates, see `remember`
    own: cython.longlong[::1]
    left: cython.longlong[::1]
    right: cython.longlong[::1]
    first: cython.longlong[::1]  # candidate of each left variable
    share_start: cython.longlong[::1]
    holder: cython.longlong[::1]
    weight: cython.longlong[::1]
    ring: cython.longlong[::1]
    worth: cython.longlong[::1]
    is_selected: cython.longlong[::1]
    moved: cython.longlong[::1]  # what the move that is tried has changed: c, or -1 - c if c left
    n_moved: cython.Py_ssize_t
    entering: cython.longlong[::1]  # what that move puts in, before what it brings about
    n_entering: cython.Py_ssize_t
    change: cython.longlong  # of the score, by all moves that were kept
    kept: cython.longlong[::1]  # `of_left` before the moves that `shake` tries
    near: cython.longlong[::1]  # left variables near these moves, ascending, and
    is_near: cython.longlong[::1]
    n_near: cython.Py_ssize_t
    place: cython.Py_ssize_t  # in `near`: where a pass over these variables is
    _flags: Any  # is_in, to be copied
    _relaxation: Any
    _assignment: Any
    _deadline: Any
    work: cython.longlong  # shares looked at since the last look at the clock
    spent: cython.longlong  # shares looked at before that

    def __init__(self, relaxation: Any, deadline: Any) -> None:
        self._relaxation = relaxation
        self.n_candidates = len(relaxation.own)
        self._flags = zeros(self.n_candidates)
        self.is_in = self._flags
        self.seen = integers([-(1 << 32)]) * self.n_candidates
        self.of_left = zeros(relaxation.n_left)
        self.of_right = zeros(relaxation.n_right)
        self.own = relaxation.own
        self.left = relaxation.left
        self.right = relaxation.right
        self.first = relaxation.first
        self.share_start = relaxation.share_start
        self.holder = relaxation.holder
        self.weight = relaxation.weight
        self.ring = relaxation.ring
        worth, selected = zeros(self.n_candidates), zeros(self.n_candidates)
        self.worth, self.is_selected = worth, selected
        self.moved = zeros(3 * (relaxation.n_left + relaxation.n_right) + 16)
        self.n_moved = 0
        self.entering = zeros(relaxation.n_left)
        self.n_entering = 0
        self._assignment = Assignment(
            relaxation.first,
            relaxation.right,
            relaxation.n_right,
            worth,
            selected,
            zeros(self.n_candidates),
            deadline,
        )
        self._deadline = deadline
        self.work = self.spent = 0
        self.change = 0
        self.kept, self.near = zeros(relaxation.n_left), zeros(relaxation.n_left)
        self.is_near = zeros(relaxation.n_left)
        self.n_near = self.place = 0

    def start(self, selected: Any) -> None:
        """Begin with the mapping of the candidates that are *selected*."""
        c: cython.Py_ssize_t
        source: cython.longlong[::1] = selected
        for c in range(len(self.of_left)):
            self.of_left[c] = -1
        for c in range(len(self.of_right)):
            self.of_right[c] = -1
        for c in range(self.n_candidates):
            self.is_in[c] = 0
            if source[c]:
                self._put_in(c)

    def start_from(self, mapping: dict[int, int]) -> None:
        """Begin with the candidates of *mapping*."""
        selected = zeros(self.n_candidates)
        for left, right in mapping.items():
            c = self._candidate(left, right)
            if c >= 0:
                selected[c] = 1
        self.start(selected)

    def remember(self, number: int) -> None:
        """Note *number* for all candidates in the mapping, as the last time that they were seen."""
        c: cython.Py_ssize_t
        for c in range(self.n_candidates):
            if self.is_in[c]:
                self.seen[c] = number

    def seen_since(self, least: int, mapping: dict[int, int]) -> list[int]:
        """Return the candidates last seen at *least* or later, and those of *mapping*."""
        c: cython.Py_ssize_t
        for left, right in mapping.items():
            c = self._candidate(left, right)
            if c >= 0:
                self.seen[c] = max(least, self.seen[c])
        return [c for c in range(self.n_candidates) if self.seen[c] >= least]

    def chosen(self) -> Any:
        """Return, by candidate, 1 if it is in the mapping and 0 if not."""
        return self._flags[:]

    def value(self) -> int:
        """Return the score of the mapping."""
        return int(self._relaxation.value(self._flags))

    def assign_again(self) -> None:
        """Assign anew by the gain of each candidate in the mapping, as long as the score rises."""
        c: cython.Py_ssize_t
        value: cython.longlong = self.value()
        better: cython.longlong
        for _ in range(_ASSIGNMENTS):
            for c in range(self.n_candidates):
                # Twice, so that among equals those count more that are in the mapping.
                self.worth[c] = 2 * self._gain(c) + self.is_in[c]
            before = self._flags[:]
            self._assignment.solve()
            self.start(self.is_selected)
            better = self.value()
            if better <= value:
                self.start(before)
                return
            value = better

    def insert(self) -> None:
        """Insert candidates and terms that gain more than what they displace."""
        c: cython.Py_ssize_t
        improved: cython.bint = True
        for _ in range(_PASSES):
            if not improved:
                return
            improved = False
            for c in range(self.n_candidates):
                if not self.is_in[c] and self._insert_with_terms(c):
                    improved = True

    def shake(self, most_work: int, seed: int) -> None:
        """Put in random terms, and improve the mapping near them; mostly keep what loses nothing.

        This iterated local search (Lourenço, Martin and Stützle 2003) ends when it has looked at
        *most_work* shares, or at the deadline. The mapping is then the best one that it has seen.
        """
        drawn: cython.longlong = seed
        now: cython.longlong = 0
        most: cython.longlong = 0
        left: cython.Py_ssize_t
        best = self._flags[:]
        for left in range(len(self.of_left)):
            self.kept[left] = self.of_left[left]
        self._settle()
        self.spent = self.work = 0
        try:
            while self.n_candidates and self.spent + self.work < most_work:
                self._look_at_clock()  # changes may find nothing to try
                drawn = self._change_at_random(drawn)
                now += self.change
                self._settle()
                if now > most:
                    most = now
                    best = self._flags[:]
        finally:
            self.start(best)

    @cython.cfunc
    def _change_at_random(self, drawn: cython.longlong) -> cython.longlong:
        """Try changes with the random numbers after *drawn*; return the last of these numbers."""
        self.change = 0
        drawn = _next_random(drawn)
        for _ in range(1 + drawn % _MOST_FORCED):
            drawn = _next_random(drawn)
            self._force(drawn % (self.n_candidates + len(self.ring)))
        self._improve_near()
        drawn = _next_random(drawn)
        if self.change < 0 and drawn % _WORSE:
            self._take_back()
        return drawn

    @cython.cfunc
    @cython.exceptval(check=False)
    def _force(self, drawn: cython.longlong) -> cython.void:
        """Put in a candidate or, for larger numbers, a term, whatever they displace."""
        h: cython.longlong = max(-1, drawn - self.n_candidates)
        c: cython.longlong = drawn if h < 0 else self.holder[h]
        self.work += 1
        self.change += self._enter_term(c, h)
        self._note_near()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _note_near(self) -> cython.void:
        """Note the left variables of what has moved, and of what shares a term with it."""
        k: cython.Py_ssize_t
        h: cython.longlong
        c: cython.longlong
        other: cython.longlong
        for k in range(self.n_moved):
            c = self.moved[k] if self.moved[k] >= 0 else -1 - self.moved[k]
            self._note(self.left[c])
            for h in range(self.share_start[c], self.share_start[c + 1]):
                other = self.ring[h]
                while other != h:
                    self._note(self.left[self.holder[other]])
                    other = self.ring[other]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _note(self, left: cython.longlong) -> cython.void:
        k: cython.Py_ssize_t = self.n_near
        if self.is_near[left]:
            return
        self.is_near[left] = 1
        while k > 0 and self.near[k - 1] > left:
            self.near[k] = self.near[k - 1]
            k -= 1
        self.near[k] = left
        self.n_near += 1
        if k <= self.place:  # the variable at hand has moved; this one is for the next pass
            self.place += 1

    @cython.cfunc
    def _improve_near(self) -> cython.void:
        """Insert candidates of the left variables noted, like `insert`."""
        c: cython.Py_ssize_t
        left: cython.longlong
        improved: cython.bint = True
        for _ in range(_PASSES):
            if not improved:
                return
            improved = False
            self.place = 0
            while self.place < self.n_near:
                left = self.near[self.place]
                for c in range(self.first[left], self.first[left + 1]):
                    if not self.is_in[c] and self._insert_with_terms(c):
                        improved = True
                        self._note_near()
                self.place += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take_back(self) -> cython.void:
        """Undo all moves since the mapping was kept."""
        k: cython.Py_ssize_t
        c: cython.longlong
        for k in range(self.n_near):
            c = self.of_left[self.near[k]]
            if c >= 0:
                self._take_out(c)
        for k in range(self.n_near):
            c = self.kept[self.near[k]]
            if c >= 0:
                self._put_in(c)
        self.change = 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _settle(self) -> cython.void:
        """Keep the mapping as it is, with nothing near any move."""
        k: cython.Py_ssize_t
        left: cython.longlong
        for k in range(self.n_near):
            left = self.near[k]
            self.is_near[left] = 0
            self.kept[left] = self.of_left[left]
        self.n_near = 0

    @cython.cfunc
    def _insert_with_terms(self, c: cython.longlong) -> cython.bint:
        """Try to insert candidate *c* alone, then with each of its terms; tell if that helped."""
        h: cython.longlong
        self._look_at_clock()
        if self._try(c, -1):
            return True
        for h in range(self.share_start[c], self.share_start[c + 1]):
            if self._is_first(h) and not self._others_in(h) and self._try(c, h):
                return True
        return False

    @cython.cfunc
    def _look_at_clock(self) -> cython.void:
        if self.work >= _INTERVAL:
            self.spent += self.work
            self.work = 0
            self._deadline.check()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_first(self, h: cython.longlong) -> cython.bint:
        """Tell whether share *h* is the first one of its term, from which it is tried."""
        other: cython.longlong = self.ring[h]
        while other != h:
            if other < h:
                return False
            other = self.ring[other]
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def _try(self, c: cython.longlong, h: cython.longlong) -> cython.bint:
        """Insert *c*, with the term of share *h* unless that is -1; undo what gains nothing."""
        gain: cython.longlong
        n_displaced: cython.Py_ssize_t
        k: cython.Py_ssize_t
        end: cython.Py_ssize_t
        gain = self._enter_term(c, h)
        end = self.n_moved
        n_displaced = self.n_moved - self.n_entering
        gain += self._reconnect(n_displaced)
        for k in range(n_displaced, end):
            gain += self._fill_around(self.moved[k])
        if gain > 0:
            self.change += gain
            return True
        self._undo()
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _enter_term(self, c: cython.longlong, h: cython.longlong) -> cython.longlong:
        """Begin a move: put in *c*, with the term of share *h* unless that is -1.

        Rivals are taken out first. Returns the change in score.
        """
        k: cython.Py_ssize_t
        other: cython.longlong = h if h < 0 else self.ring[h]
        change: cython.longlong = 0
        self.n_moved = self.n_entering = 0
        self._enter_later(c)
        while other != h:
            self._enter_later(self.holder[other])
            other = self.ring[other]
        for k in range(self.n_entering):
            change += self._displace_rivals(self.entering[k])
        for k in range(self.n_entering):
            change += self._enter(self.entering[k])
        return change

    @cython.cfunc
    @cython.exceptval(check=False)
    def _enter_later(self, c: cython.longlong) -> cython.void:
        if not self.is_in[c]:
            self.entering[self.n_entering] = c
            self.n_entering += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _displace_rivals(self, c: cython.longlong) -> cython.longlong:
        """Take out what shares a variable with *c*; return the change in score."""
        change: cython.longlong = 0
        if self.of_left[self.left[c]] >= 0:
            change += self._leave(self.of_left[self.left[c]])
        if self.of_right[self.right[c]] >= 0:
            change += self._leave(self.of_right[self.right[c]])
        return change

    @cython.cfunc
    @cython.exceptval(check=False)
    def _reconnect(self, n_displaced: cython.Py_ssize_t) -> cython.longlong:
        """Pair left variables that have lost their partner with right ones that have, too."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        left: cython.longlong
        right: cython.longlong
        best: cython.longlong
        best_gain: cython.longlong
        found: cython.longlong
        gain: cython.longlong
        change: cython.longlong = 0
        for a in range(n_displaced):
            left = self.left[-1 - self.moved[a]]
            if self.of_left[left] >= 0:
                continue
            best = -1
            best_gain = 0
            for b in range(n_displaced):
                right = self.right[-1 - self.moved[b]]
                if self.of_right[right] >= 0:
                    continue
                found = self._candidate(left, right)
                gain = 0 if found < 0 else self._gain(found)
                if gain > best_gain:
                    best = found
                    best_gain = gain
            if best >= 0:
                change += self._enter(best)
        return change

    @cython.cfunc
    @cython.exceptval(check=False)
    def _candidate(self, left: cython.longlong, right: cython.longlong) -> cython.longlong:
        """Return the candidate of two variables, or -1."""
        low: cython.longlong = self.first[left]
        high: cython.longlong = self.first[left + 1]
        middle: cython.longlong
        while low < high:
            middle = (low + high) // 2
            if self.right[middle] < right:
                low = middle + 1
            else:
                high = middle
        is_found: cython.bint = low < self.first[left + 1] and self.right[low] == right
        return low if is_found else -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fill_around(self, c: cython.longlong) -> cython.longlong:
        """Insert candidates that share terms with *c*, are free and gain something."""
        h: cython.longlong
        other: cython.longlong
        change: cython.longlong = 0
        for h in range(self.share_start[c], self.share_start[c + 1]):
            other = self.ring[h]
            while other != h:
                if self._is_free(self.holder[other]) and self._gain(self.holder[other]) > 0:
                    change += self._enter(self.holder[other])
                other = self.ring[other]
        return change

    @cython.cfunc
    @cython.exceptval(check=False)
    def _undo(self) -> cython.void:
        k: cython.Py_ssize_t
        for k in range(self.n_moved - 1, -1, -1):
            if self.moved[k] >= 0:
                self._take_out(self.moved[k])
        for k in range(self.n_moved - 1, -1, -1):
            if self.moved[k] < 0:
                self._put_in(-1 - self.moved[k])

    @cython.cfunc
    @cython.exceptval(check=False)
    def _enter(self, c: cython.longlong) -> cython.longlong:
        self._put_in(c)
        self.moved[self.n_moved] = c
        self.n_moved += 1
        return self._gain(c)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _leave(self, c: cython.longlong) -> cython.longlong:
        self._take_out(c)
        self.moved[self.n_moved] = -1 - c
        self.n_moved += 1
        return -self._gain(c)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _put_in(self, c: cython.longlong) -> cython.void:
        self.is_in[c] = 1
        self.of_left[self.left[c]] = c
        self.of_right[self.right[c]] = c

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take_out(self, c: cython.longlong) -> cython.void:
        self.is_in[c] = 0
        self.of_left[self.left[c]] = -1
        self.of_right[self.right[c]] = -1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_free(self, c: cython.longlong) -> cython.bint:
        return self.of_left[self.left[c]] < 0 and self.of_right[self.right[c]] < 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _gain(self, c: cython.longlong) -> cython.longlong:
        """Return the score of candidate *c* with the rest of the mapping."""
        h: cython.longlong
        gain: cython.longlong = self.own[c]
        self.work += self.share_start[c + 1] - self.share_start[c] + 1
        for h in range(self.share_start[c], self.share_start[c + 1]):
            if self._others_in(h):
                gain += self.weight[h]
        return gain

    @cython.cfunc
    @cython.exceptval(check=False)
    def _others_in(self, h: cython.longlong) -> cython.bint:
        """Tell whether all other pairs of the term of share *h* are in the mapping."""
        other: cython.longlong = self.ring[h]
        while other != h:
            if not self.is_in[self.holder[other]]:
                return False
            other = self.ring[other]
        return True


@cython.cfunc
@cython.exceptval(check=False)
def _next_random(drawn: cython.longlong) -> cython.longlong:
    """Return the next random number after *drawn*, both from 1 to 2^31 - 2.

    The generator is that of Park, Miller and Stockmeyer (1993).
    """
    return drawn * 48271 % 2147483647
