# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""The Lagrangian dual of the grouped relaxation: an upper bound for every division into shares.

Let every term hand all of its weight to its pairs, in any shares. A candidate is worth its own
weight and, of each of its groups, the best choice of shares with at most one in each row and
column. A mapping scores no more than its candidates are worth, so that the best assignment under
these worths is an upper bound on the score of any mapping (Hahn and Grant 1998, Swoboda et al.
2017). Which bound depends on the shares. It sinks as weight moves between the shares of a term, by
sweeps, and by steps of `exactmatch.solving.dual.subgradient`.

In the example of `exactmatch.solving.dual.layout`, let term 0 weigh 4, the others 3, and the scale
be 2. Of equal shares, 0 and 4 are 4, all others 3:

    a       column 1  column 2  column 3
    row 1       4         3              } the best choice is 3 + 3, shares 1 and 2
    row 2       3                        }
    row 3                           3    } the best choice is 3

So a is worth 9, b is worth 4, and c, d and e are worth 3 each. The best assignment takes a, c, d
and e: no mapping scores more than (9 + 3 + 3 + 3) / 2 = 9, and this one does. `Dual.sweep` has an
example in which shares have to move.

All numbers are integers: weights times `scale`.
"""

from collections.abc import Iterable
from typing import Any

import cython

from exactmatch.problem.integers import zeros
from exactmatch.solving.dual.assignment import Assignment

#: Shares looked at between two looks at the clock.
_INTERVAL = cython.declare(cython.longlong, 1 << 17)


@cython.final
@cython.cclass
class Dual:
    """A division of all terms into shares, none negative, and the bound that it gives.

    `evaluate` and `sweep` raise `OutOfTime` if the deadline of the relaxation comes meanwhile.
    """

    scale = cython.declare(cython.longlong, visibility="readonly")
    n_candidates: cython.Py_ssize_t
    n_terms: cython.Py_ssize_t
    share: cython.longlong[::1]
    is_chosen: cython.longlong[::1]  # of shares: chosen in its group
    ceiling: cython.longlong[::1]  # of shares, see `Assignment`
    own: cython.longlong[::1]  # of candidates: the weight of its own terms
    worth: cython.longlong[::1]
    is_selected: cython.longlong[::1]  # of candidates: chosen by the assignment
    worth_ceiling: cython.longlong[::1]  # of candidates, see `Assignment`
    share_start: cython.longlong[::1]
    group_start: cython.longlong[::1]
    group_first: cython.longlong[::1]
    holder: cython.longlong[::1]
    weight: cython.longlong[::1]
    ring: cython.longlong[::1]
    terms: cython.longlong[::1]
    is_wide: cython.longlong[::1]  # of groups: several rows and columns
    is_column: cython.longlong[::1]  # of groups: several rows, one column
    column: cython.longlong[::1]  # of shares, in wide groups
    work: cython.longlong
    _no_local: Any
    _deadline: Any
    # share, own, is_chosen and is_selected, for others to read, and to copy; steps write the first
    # two.
    own_in_place = cython.declare(object, visibility="readonly")
    in_place = cython.declare(object, visibility="readonly")
    chosen = cython.declare(object, visibility="readonly")
    selected = cython.declare(object, visibility="readonly")
    _assignment: Any
    _local: dict[int, Any]

    def __init__(self, relaxation: Any, scale: cython.longlong) -> None:
        c: cython.Py_ssize_t
        self.scale = scale
        self.n_candidates = len(relaxation.own)
        self.n_terms = len(relaxation.terms)
        n_shares = len(relaxation.ring)
        share, chosen, ceiling = zeros(n_shares), zeros(n_shares), zeros(n_shares)
        worth, selected = zeros(self.n_candidates), zeros(self.n_candidates)
        worth_ceiling = zeros(self.n_candidates)
        self.share, self.is_chosen, self.ceiling = share, chosen, ceiling
        self.in_place = share
        self.chosen = chosen
        self.worth, self.is_selected, self.worth_ceiling = worth, selected, worth_ceiling
        own: cython.longlong[::1] = relaxation.own
        self.own_in_place = zeros(self.n_candidates)
        self.own = self.own_in_place
        for c in range(self.n_candidates):
            self.own[c] = own[c] * scale
        self.share_start = relaxation.share_start
        self.group_start = relaxation.group_start
        self.group_first = relaxation.group_first
        self.holder = relaxation.holder
        self.weight = relaxation.weight
        self.ring = relaxation.ring
        self.terms = relaxation.terms
        self.is_column = relaxation.is_column
        self.column = relaxation.column
        self.work = 0
        self._deadline = relaxation.deadline
        self._no_local = relaxation.no_local
        self.is_wide = zeros(len(relaxation.group_first) - 1)
        for group in relaxation.rows:
            self.is_wide[group] = 1
        self.selected = selected
        self._assignment = Assignment(
            relaxation.first,
            relaxation.right,
            relaxation.n_right,
            worth,
            selected,
            worth_ceiling,
            relaxation.deadline,
        )
        self._local = {
            group: Assignment(
                first, relaxation.column, n_columns, share, chosen, ceiling, relaxation.deadline
            )
            for group, (first, n_columns) in relaxation.rows.items()
        }

    def divide_equally(self) -> None:
        """Divide each term into shares that differ by 1 at most, the first ones larger."""
        t: cython.Py_ssize_t
        h: cython.longlong
        k: cython.longlong
        rest: cython.longlong
        for t in range(self.n_terms):
            k = self._size(self.terms[t])
            rest = self.weight[self.terms[t]] * self.scale
            h = self.terms[t]
            while k > 0:
                self.share[h] = (rest + k - 1) // k
                rest -= self.share[h]
                k -= 1
                h = self.ring[h]

    def shares(self) -> Any:
        """Return a copy of the shares."""
        return self.in_place[:]

    def set_shares(self, shares: Any) -> None:
        """Copy *shares* from an earlier time."""
        h: cython.Py_ssize_t
        source: cython.longlong[::1] = shares
        for h in range(len(source)):
            self.share[h] = source[h]

    def take_rounded(self, shares: Any, scale: int) -> None:
        """Copy *shares* in units of 1 / *scale*, rounded so that each term keeps its weight.

        The last share of a term takes the rounding errors of the others.
        """
        t: cython.Py_ssize_t
        h: cython.longlong
        rest: cython.longlong
        part: cython.longlong
        unit: cython.longlong = scale
        source: cython.longlong[::1] = shares
        for t in range(self.n_terms):
            h = self.terms[t]
            rest = self.weight[h] * self.scale
            while self.ring[h] != self.terms[t]:
                # In two parts, so that no product exceeds 64 bits.
                part = source[h] // unit * self.scale
                part += (2 * (source[h] % unit) * self.scale + unit) // (2 * unit)
                self.share[h] = min(rest, part)
                rest -= self.share[h]
                h = self.ring[h]
            self.share[h] = rest

    def differing(self, shares: Any, others: Any) -> list[int]:
        """Return the first shares of the terms whose *shares* differ from those in *others*."""
        t: cython.Py_ssize_t
        h: cython.longlong
        one: cython.longlong[::1] = shares
        other: cython.longlong[::1] = others
        found = []
        for t in range(self.n_terms):
            h = self.terms[t]
            while one[h] == other[h] and self.ring[h] != self.terms[t]:
                h = self.ring[h]
            if one[h] != other[h]:
                found.append(self.terms[t])
        return found

    def ban(self, banned: Iterable[int]) -> None:
        """Exclude the candidates *banned*, and no others: their terms are worth nothing."""
        h: cython.longlong
        other: cython.longlong
        c: cython.longlong
        for c in banned:
            self.own[c] = 0
            for h in range(self.share_start[c], self.share_start[c + 1]):
                self.share[h] = 0
                other = self.ring[h]
                while other != h:
                    self.share[other] = 0
                    other = self.ring[other]

    def evaluate(self) -> int:
        """Return `scale` times the bound of the shares.

        Leaves in *is_selected* the assignment behind it, and in *is_chosen* the shares.
        """
        c: cython.Py_ssize_t
        g: cython.Py_ssize_t
        worth: cython.longlong
        for c in range(self.n_candidates):
            self._look_at_clock(c)
            worth = self.own[c]
            for g in range(self.group_start[c], self.group_start[c + 1]):
                worth += self._choose(g)
            self.worth[c] = worth
        return self._assignment.solve()

    @cython.cfunc
    def _look_at_clock(self, c: cython.Py_ssize_t) -> cython.bint:
        """Count the shares of candidate *c*, the next one; now and then see how late it is."""
        self.work += self.share_start[c + 1] - self.share_start[c] + 1
        if self.work < _INTERVAL:
            return False
        self.work = 0
        self._deadline.check()
        return True

    def prices(self) -> Any:
        """Return the prices of the right variables that prove the last bound."""
        return self._assignment.prices()

    def local_prices(self) -> Any:
        """Return, by share, the price of its column for its candidate that proves the last bound.

        In a group of one row, no price is needed. In a group of one column, its price is the
        largest share, unless there is only one. If there are no other groups, the answer is always
        the same object.
        """
        g: cython.Py_ssize_t
        h: cython.Py_ssize_t
        columns: cython.longlong[::1]
        if self._no_local is not None:
            return self._no_local
        found = zeros(len(self.share))
        prices: cython.longlong[::1] = found
        for g in range(len(self.is_column)):
            if self.is_wide[g]:
                columns = self._local[g].prices()
                for h in range(self.group_first[g], self.group_first[g + 1]):
                    prices[h] = columns[self.column[h]]
            elif self.is_column[g] and self._n_positive(g) > 1:
                for h in range(self.group_first[g], self.group_first[g + 1]):
                    prices[h] = self.ceiling[h]
        return found

    @cython.cfunc
    def _n_positive(self, g: cython.Py_ssize_t) -> cython.longlong:
        h: cython.Py_ssize_t
        found: cython.longlong = 0
        for h in range(self.group_first[g], self.group_first[g + 1]):
            if self.share[h] > 0:
                found += 1
        return found

    def fixed(self, bound: int) -> list[int]:
        """Return the candidates that are in no mapping of a score of *bound* (scaled) or more.

        Reduced-cost fixing (Dantzig, Fulkerson and Johnson 1954) by the last evaluation: a mapping
        with a candidate falls short of the bound by what its worth is below its ceiling.
        """
        c: cython.Py_ssize_t
        most: cython.longlong = self._assignment.total() - bound
        found = []
        for c in range(self.n_candidates):
            if self.worth_ceiling[c] - self.worth[c] > most:
                found.append(c)
        return found

    def spared(self, margin: int) -> list[int]:
        """Return the candidates that stay *margin* below their ceiling with all of their terms.

        That is, even if all weight of these were theirs, by the last evaluation.
        """
        c: cython.Py_ssize_t
        g: cython.Py_ssize_t
        slack: cython.longlong
        found = []
        for c in range(self.n_candidates):
            slack = self.worth_ceiling[c] - self.own[c] - margin
            for g in range(self.group_start[c], self.group_start[c + 1]):
                slack -= self._most(g)
            if slack >= 0:
                found.append(c)
        return found

    def concentrate(self, bound: int) -> None:
        """Gather slack in candidates that are then in no mapping of a score of *bound* (scaled).

        The slack of a candidate is its distance below its ceiling, by the last evaluation. If
        others of its terms take from its shares as much as their own slack allows, the bound and
        its prices remain the same, but the candidate falls farther below its ceiling. This is done
        where the candidate then falls far enough, and only as far as needed.
        """
        c: cython.Py_ssize_t
        g: cython.Py_ssize_t
        lack: cython.longlong
        most: cython.longlong = self._assignment.total() - bound
        for c in range(self.n_candidates):
            lack = most + 1 - (self.worth_ceiling[c] - self.worth[c])
            if lack > 0 and not self.is_selected[c] and self._can_lose(c) >= lack:
                for g in range(self.group_start[c], self.group_start[c + 1]):
                    if lack > 0:
                        lack -= self._lose(g, lack)

    @cython.cfunc
    def _can_lose(self, c: cython.Py_ssize_t) -> cython.longlong:
        """Return how much the worth of candidate *c* could decrease."""
        g: cython.Py_ssize_t
        total: cython.longlong = 0
        for g in range(self.group_start[c], self.group_start[c + 1]):
            total += self._loss(g)
        return total

    @cython.cfunc
    def _loss(self, g: cython.Py_ssize_t) -> cython.longlong:
        """Return how much group *g* could lose in worth, or 0 for a wide group."""
        h: cython.Py_ssize_t
        before: cython.longlong = 0
        after: cython.longlong = 0
        if self.is_wide[g]:
            return 0
        for h in range(self.group_first[g], self.group_first[g + 1]):
            before = max(before, self.share[h])
            after = max(after, self.share[h] - self._room(h))
        return before - after

    @cython.cfunc
    def _room(self, h: cython.longlong) -> cython.longlong:
        """Return how much the others of the term of share *h* could take from it."""
        other: cython.longlong = self.ring[h]
        room: cython.longlong = 0
        while other != h:
            room += self.worth_ceiling[self.holder[other]] - self.worth[self.holder[other]]
            other = self.ring[other]
        return min(room, self.share[h])

    @cython.cfunc
    def _lose(self, g: cython.Py_ssize_t, most: cython.longlong) -> cython.longlong:
        """Let others take from group *g* so that it is worth up to *most* less; return how much."""
        h: cython.longlong
        other: cython.longlong
        excess: cython.longlong
        part: cython.longlong
        best: cython.longlong = 0
        left: cython.longlong = 0  # more than asked for if shares need the room of one candidate
        loss: cython.longlong = min(most, self._loss(g))
        for h in range(self.group_first[g], self.group_first[g + 1]):
            best = max(best, self.share[h])
        for h in range(self.group_first[g], self.group_first[g + 1]):
            excess = self.share[h] - (best - loss)
            other = self.ring[h]
            while other != h and excess > 0:
                part = self.worth_ceiling[self.holder[other]] - self.worth[self.holder[other]]
                part = min(part, excess)
                self.share[h] -= part
                self.share[other] += part
                self.worth[self.holder[other]] += part
                excess -= part
                other = self.ring[other]
            left = max(left, self.share[h])
        self.worth[self.holder[self.group_first[g]]] -= best - left
        return best - left

    @cython.cfunc
    def _most(self, g: cython.Py_ssize_t) -> cython.longlong:
        """Return a bound on what group *g* is worth, however the terms are divided."""
        h: cython.Py_ssize_t
        most: cython.longlong = 0
        for h in range(self.group_first[g], self.group_first[g + 1]):
            most = max(most, self.weight[h])
        if self.is_wide[g]:
            most *= self._local[g].size()
        return most * self.scale

    def take_full_weight(self, candidates: Iterable[int]) -> None:
        """Let *candidates* take all weight of their terms; of two such, the later one."""
        c: cython.longlong
        h: cython.longlong
        for c in candidates:
            for h in range(self.share_start[c], self.share_start[c + 1]):
                self._take(h, self.weight[h] * self.scale)

    @cython.cfunc
    def _choose(self, g: cython.Py_ssize_t) -> cython.longlong:
        """Choose among the shares of group *g*, and return the worth of the choice."""
        h: cython.Py_ssize_t
        first: cython.Py_ssize_t = self.group_first[g]
        end: cython.Py_ssize_t = self.group_first[g + 1]
        best: cython.longlong = 0
        if end - first == 1:
            self.is_chosen[first] = self.share[first] > 0
            self.ceiling[first] = self.share[first]
            return self.share[first]
        if self.is_wide[g]:
            return self._local[g].solve()
        for h in range(first, end):
            self.is_chosen[h] = 0
            if self.share[h] > best:
                best = self.share[h]
        for h in range(first, end):
            self.ceiling[h] = best
        for h in range(first, end):
            if best > 0 and self.share[h] == best:
                self.is_chosen[h] = 1
                break
        return best

    def sweep(self, backwards: bool) -> None:
        """Let each candidate in turn take weight from the other shares, at no cost.

        With s(t, p) >= 0 the share of pair p in term t, of weight w(t), and i and j its variables:

            sum of s(t, p) over p = w(t)                                         (division)
            worth(p) = own(p) + the best choice of s(t, p) in each group of p
            bound = sum of u(i) + sum of v(j), where u(i) + v(j) >= worth(i, j)  (assignment)
            slack(p) = u(i) + v(j) - worth(p), and of a share, its ceiling less itself
            s(t, p) rises within both slacks  =>  u, v remain feasible; worth(q), q in t, sinks

        So no sweep raises the bound, and the next evaluation may find lower u and v. A candidate
        takes half of the slack of each share, which leaves its worth as it is, and then raises its
        worth by its own slack, in equal parts for its groups and one part left to itself: what it
        does not take, others may give back.

        Example of two left and three right variables: w({(0, 0), (1, 1)}) = 2, own(1, 2) = 2, in
        units of 1 / 4.

                           s(0, 0)  s(1, 1)  own(1, 2)  bound
            equal shares      4        4         8      4 + 8 = 12, u = (4, 8), v = 0
            first sweep       2        6         8      2 + 8 = 10
            second sweep      1        7         8      1 + 8 = 9

        In the first one, (0, 0) has no slack, while (1, 1) has 8 - 4, and takes half of that. The
        bound on scores sinks from 12 // 4 = 3 to 9 // 4 = 2, which is the optimum. (With two
        variables on either side, every division gives the optimum.)
        """
        k: cython.Py_ssize_t
        c: cython.Py_ssize_t
        slack: cython.longlong
        for k in range(self.n_candidates):
            c = self.n_candidates - 1 - k if backwards else k
            self._look_at_clock(c)
            slack = self.worth_ceiling[c] - self._take_within_groups(c)
            if slack > 0:
                self._raise_worth(c, slack)

    @cython.cfunc
    def _take_within_groups(self, c: cython.Py_ssize_t) -> cython.longlong:
        """Raise shares of candidate *c* by half of their slack; return its worth, which remains."""
        g: cython.Py_ssize_t
        h: cython.Py_ssize_t
        worth: cython.longlong = self.own[c]
        for g in range(self.group_start[c], self.group_start[c + 1]):
            worth += self._choose(g)
            if self.group_first[g + 1] - self.group_first[g] > 1:
                for h in range(self.group_first[g], self.group_first[g + 1]):
                    self._take(h, (self.ceiling[h] - self.share[h]) // 2)
        return worth

    @cython.cfunc
    @cython.exceptval(check=False)
    def _raise_worth(self, c: cython.Py_ssize_t, slack: cython.longlong) -> cython.void:
        """Raise the worth of candidate *c* by up to *slack*, less the part that stays with it."""
        g: cython.Py_ssize_t
        n_parts: cython.longlong = 1
        for g in range(self.group_start[c], self.group_start[c + 1]):
            n_parts += self._is_open(g)
        for g in range(self.group_start[c], self.group_start[c + 1]):
            if self._is_open(g):
                slack -= self._raise(g, slack // n_parts)
                n_parts -= 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_open(self, g: cython.Py_ssize_t) -> cython.bint:
        """Tell whether some share of group *g* could take weight from others."""
        h: cython.Py_ssize_t
        other: cython.longlong
        for h in range(self.group_first[g], self.group_first[g + 1]):
            other = self.ring[h]
            while other != h:
                if self.share[other] > 0:
                    return True
                other = self.ring[other]
        return False

    @cython.cfunc
    def _raise(self, g: cython.Py_ssize_t, most: cython.longlong) -> cython.longlong:
        """Raise the shares of group *g* so that it is worth *most* more at most; return how much.

        With several rows and columns, each one that can be chosen may rise by its part.
        """
        h: cython.Py_ssize_t
        taken: cython.longlong
        largest: cython.longlong = 0
        n_chosen: cython.longlong = 1
        if self.is_wide[g]:
            n_chosen = self._local[g].size()
        for h in range(self.group_first[g], self.group_first[g + 1]):
            taken = self._take(h, most // n_chosen)
            if taken > largest:
                largest = taken
        return largest * n_chosen

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take(self, h: cython.longlong, most: cython.longlong) -> cython.longlong:
        """Move up to *most* to share *h* from the others of its term, evenly; return how much."""
        other: cython.longlong = self.ring[h]
        n_others: cython.longlong
        taken: cython.longlong = 0
        part: cython.longlong
        if self.ring[other] == h:
            taken = min(most, self.share[other])
            self.share[other] -= taken
            self.share[h] += taken
            return taken
        n_others = self._size(h) - 1
        while other != h:
            part = (most - taken) // n_others
            if part > self.share[other]:
                part = self.share[other]
            if part > 0:
                self.share[other] -= part
                taken += part
            n_others -= 1
            other = self.ring[other]
        self.share[h] += taken
        return taken

    @cython.cfunc
    @cython.exceptval(check=False)
    def _size(self, h: cython.longlong) -> cython.longlong:
        """Return the number of shares of the term of share *h*."""
        size: cython.longlong = 1
        other: cython.longlong = self.ring[h]
        while other != h:
            size += 1
            other = self.ring[other]
        return size
