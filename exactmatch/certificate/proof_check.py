# cython: language_level=3, overflowcheck=True
"""Check every proof, before a result is called proven.

The check shares nothing with the code that finds proofs (`exactmatch.solving.dual`), and trusts
none of its numbers: from the terms of the problem and the evidence, it computes the bound of every
case again. `exactmatch.certificate.checker` explains why the result is a bound for any evidence;
the steps there are the steps here. That checker takes certificates and starts from the triples.
This one takes proofs as they are found, and is compiled where there is a compiler, so that it can
always run. Compiled, it computes in 64 bits and detects overflow, which the interpreter then
handles. (Cython detects it in ``a = a + b``, but not in ``a[i] += b``.)
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import cython


class Unproven(ValueError):  # noqa: N818
    """A proof does not prove its claim; the message says why."""


def bound(n_left: int, n_right: int, terms: Sequence[Any], node: Any) -> int:
    """Return the bound on the score of all mappings that the proof *node* shows.

    *terms* are the `exactmatch.problem.TermArrays` of the problem, *node* is an
    `exactmatch.problem.proof.Node`. Raises `Unproven` if the proof or the problem is invalid, and
    `OverflowError` if compiled code cannot hold its numbers.
    """
    check = _Check(n_left, n_right, terms)
    return int(check.bound(node, frozenset()))


def fixed(
    n_left: int, n_right: int, terms: Sequence[Any], leaf: Any, score: int
) -> frozenset[tuple[int, int]]:
    """Return the pairs that *leaf* shows to be in no mapping that scores above *score*.

    It may be a leaf below clique rows. The rest is as for `bound`.
    """
    check = _Check(n_left, n_right, terms)
    return frozenset(check.fixed(leaf, score))


def _numbers(values: Any) -> Any:
    """Return *values* as a sequence of integers, of the type that is fast here."""
    if not cython.compiled:
        return list(values)
    return values if isinstance(values, array) else array("q", values)


_ZERO = cython.declare(object, _numbers([0]))


def _zeros(length: int) -> Any:
    return _ZERO * length


@cython.cfunc
def _least(values: cython.longlong[::1]) -> cython.longlong:
    """Return the least value, or 0 if there is none below."""
    k: cython.Py_ssize_t
    least: cython.longlong = 0
    for k in range(len(values)):
        if values[k] < least:
            least = values[k]
    return least


def _exclude_each_other(sets: Sequence[Any]) -> bool:
    """Tell whether no mapping includes two of *sets*, as they share variables."""
    return all(
        any((i == k) != (j == x) for i, j in one for k, x in other)
        for at, one in enumerate(sets)
        for other in sets[:at]
    )


@cython.cclass
class _Check:
    """The terms of a problem in arrays, and the bounds that evidence shows for its cases.

    The members of term t are its pairs, at ``start[t] .. start[t + 1] - 1``. For each member,
    *term_of* has its term, *pair* the number of its pair, and *row* and *column* numbers for the
    other left and the other right variables of the term. The members with pair p, in terms of
    several pairs, are ``by_pair[first[p] .. first[p + 1] - 1]``.
    """

    n_left: cython.Py_ssize_t
    n_right: cython.Py_ssize_t
    n_terms: cython.Py_ssize_t
    n_pairs: cython.Py_ssize_t
    weight: cython.longlong[::1]
    start: cython.longlong[::1]
    left_of: cython.longlong[::1]
    right_of: cython.longlong[::1]
    pair: cython.longlong[::1]
    term_of: cython.longlong[::1]
    row: cython.longlong[::1]
    column: cython.longlong[::1]
    first: cython.longlong[::1]
    by_pair: cython.longlong[::1]
    left: cython.longlong[::1]
    right: cython.longlong[::1]
    # While a case is looked at. Of terms: where their shares begin in the evidence, or -1; if they
    # can be scored. Of rows and columns: the visit to a pair that has last seen them, its largest
    # share and its price there. Of pairs: what they are worth. Of left variables: the best gain.
    place: cython.longlong[::1]
    counts: cython.longlong[::1]
    row_of: cython.longlong[::1]
    row_best: cython.longlong[::1]
    column_of: cython.longlong[::1]
    column_price: cython.longlong[::1]
    worth: cython.longlong[::1]
    best: cython.longlong[::1]
    total: cython.longlong
    visit: cython.longlong
    _large: Any  # the sets of other variables that rows and columns stand for, and their numbers

    def __init__(self, n_left: int, n_right: int, terms: Sequence[Any]) -> None:
        self.n_left = n_left
        self.n_right = n_right
        self._large = {}
        self.weight, self.start, self.left_of, self.right_of = map(_numbers, terms)
        self.n_terms = len(self.weight)
        n_members = len(self.left_of)
        if self.start[0] != 0 or self.start[self.n_terms] != n_members:
            raise Unproven("the terms do not have all the pairs")
        # Of one array where they are compiled; a slice of a list is a list of its own.
        block: cython.longlong[::1] = _zeros(4 * n_members)
        self.pair = block[:n_members]
        self.term_of = block[n_members : 2 * n_members]
        self.row = block[2 * n_members : 3 * n_members]
        self.column = block[3 * n_members :]
        self._check_terms()
        self._number_pairs()
        self._number_others()
        self._sort_members()
        self._make_room()
        self.total = 0
        self.visit = 0

    @cython.cfunc
    def _make_room(self) -> cython.void:
        k: cython.Py_ssize_t
        n: cython.Py_ssize_t = max(self.n_left, self.n_right) + len(self._large)
        block: cython.longlong[::1] = _zeros(2 * self.n_terms + 4 * n + self.n_pairs + self.n_left)
        self.row_of = block[:n]
        self.column_of = block[n : 2 * n]
        self.row_best = block[2 * n : 3 * n]
        self.column_price = block[3 * n : 4 * n]
        block = block[4 * n :]
        self.place = block[: self.n_terms]
        self.counts = block[self.n_terms : 2 * self.n_terms]
        block = block[2 * self.n_terms :]
        self.worth = block[: self.n_pairs]
        self.best = block[self.n_pairs :]
        for k in range(n):
            self.row_of[k] = self.column_of[k] = -1

    def bound(self, node: Any, banned: frozenset[int]) -> int:
        """Return the bound of *node* for mappings without the *banned* pairs, by their numbers."""
        evidence = getattr(node, "evidence", None)  # which is computed each time
        if evidence is not None:
            self._look_at(evidence, banned)
            return int(self.total // evidence.scale)
        if hasattr(node, "score"):
            evidence = node.leaf.evidence
            self._look_at(evidence, banned)
            fixed = self._no_better_than(node.score, evidence)
            return max(int(node.score), self.bound(node.rest, banned | fixed))
        if hasattr(node, "cliques"):
            rest, multipliers = self._reweighted(node)
            left = rest.bound(node.rest, rest.numbers_of(map(self._pair, banned)))
            return int((multipliers + left) // node.unit)
        with_pair = self.bound(node.with_pair, banned | self._rivals(*node.pair))
        without = frozenset(p for p in range(self.n_pairs) if self._pair(p) == node.pair)
        return max(with_pair, self.bound(node.without_pair, banned | without))

    def fixed(self, leaf: Any, score: int) -> list[tuple[int, int]]:
        """Return the pairs that *leaf* shows to be in no mapping that scores above *score*."""
        if hasattr(leaf, "cliques"):
            rest, multipliers = self._reweighted(leaf)
            # A mapping that scores more has more than this in the new problem.
            return list(rest.fixed(leaf.rest, leaf.unit * (score + 1) - multipliers - 1))
        evidence = leaf.evidence
        self._look_at(evidence, frozenset())
        return [self._pair(p) for p in self._no_better_than(score, evidence)]

    def _reweighted(self, node: Any) -> tuple[Any, int]:
        """Return the check of the problem below clique rows, and the sum of their multipliers."""
        unit = node.unit
        if unit < 1:
            raise Unproven("a unit is not positive")
        multipliers = 0
        taken: dict[tuple[tuple[int, int], ...], int] = {}
        for multiplier, sets in node.cliques:
            if multiplier < 0:
                raise Unproven("a multiplier is negative")
            if not _exclude_each_other(sets):
                raise Unproven("a mapping may include two sets of a clique")
            for pairs in sets:
                taken[pairs] = taken.get(pairs, 0) + multiplier
            multipliers += multiplier
        return _Check(self.n_left, self.n_right, self._less(taken, unit)), multipliers

    def _less(self, taken: dict[tuple[tuple[int, int], ...], int], unit: int) -> tuple[Any, ...]:
        """Return the terms with weights in units, minus what is *taken* from sets of pairs.

        A set that is no term is inserted in its place. The check of these terms finds out whether
        it is one-to-one and in order.
        """
        weights = [unit * self.weight[t] for t in range(self.n_terms)]
        sizes = [self.start[t + 1] - self.start[t] for t in range(self.n_terms)]
        left, right = list(self.left_of), list(self.right_of)
        for pairs in sorted(taken, reverse=True):  # so that the previous ones stay in place
            t = bisect_left(range(self.n_terms), pairs, key=self._pairs)
            if t < self.n_terms and self._pairs(t) == pairs:
                weights[t] -= taken[pairs]
            else:
                at = self.start[t]
                weights.insert(t, -taken[pairs])
                sizes.insert(t, len(pairs))
                left[at:at] = [i for i, _ in pairs]
                right[at:at] = [j for _, j in pairs]
        return weights, [0, *accumulate(sizes)], left, right

    def _pairs(self, t: int) -> tuple[tuple[int, int], ...]:
        return tuple([self._pair(self.pair[m]) for m in range(self.start[t], self.start[t + 1])])

    def numbers_of(self, pairs: Iterable[tuple[int, int]]) -> frozenset[int]:
        """Return the numbers of *pairs*."""
        wanted = frozenset(pairs)
        return frozenset([p for p in range(self.n_pairs) if self._pair(p) in wanted])

    def _rivals(self, left: int, right: int) -> frozenset[int]:
        """Return the pairs that share exactly one variable with a pair: no mapping has both."""
        found = []
        for p in range(self.n_pairs):
            i, j = self._pair(p)
            if (i == left) != (j == right):
                found.append(p)
        return frozenset(found)

    def _pair(self, p: int) -> tuple[int, int]:
        return self.left[p], self.right[p]

    @cython.cfunc
    def _check_terms(self) -> cython.void:
        """Raise `Unproven` if terms are not one-to-one, or two are the same set of pairs."""
        t: cython.Py_ssize_t
        m: cython.longlong
        k: cython.longlong
        for t in range(self.n_terms):
            if not self._is_after(t):
                raise Unproven("terms are not in order, or two are the same")
            for m in range(self.start[t], self.start[t + 1]):
                self.term_of[m] = t
                if not (
                    0 <= self.left_of[m] < self.n_left and 0 <= self.right_of[m] < self.n_right
                ):
                    raise Unproven("a term has a pair of other variables")
                for k in range(self.start[t], m):
                    if self.left_of[k] >= self.left_of[m] or self.right_of[k] == self.right_of[m]:
                        raise Unproven("a term is not one-to-one, or its pairs are not in order")

    @cython.cfunc
    def _is_after(self, t: cython.Py_ssize_t) -> cython.bint:
        """Tell whether the pairs of term *t* come after those of the term before it."""
        m: cython.longlong
        before: cython.longlong = self.start[t - 1] if t > 0 else 0
        end: cython.longlong = self.start[t]
        for m in range(self.start[t], self.start[t + 1]):
            if before >= end or self.left_of[m] > self.left_of[before]:
                return True
            if self.left_of[m] < self.left_of[before]:
                return False
            if self.right_of[m] != self.right_of[before]:
                return self.right_of[m] > self.right_of[before]
            before += 1
        return False

    @cython.cfunc
    def _number_pairs(self) -> cython.void:
        """Number the pairs in the order in which they occur."""
        m: cython.Py_ssize_t
        key: cython.longlong
        numbers: dict[int, int] = {}
        n_members: cython.Py_ssize_t = len(self.pair)
        block: cython.longlong[::1] = _zeros(2 * n_members)
        self.left = block[:n_members]
        self.right = block[n_members:]
        self.n_pairs = 0
        for m in range(n_members):
            key = self.left_of[m] * self.n_right + self.right_of[m]
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = self.n_pairs
                self.left[self.n_pairs] = self.left_of[m]
                self.right[self.n_pairs] = self.right_of[m]
                self.n_pairs += 1
            self.pair[m] = number

    @cython.cfunc
    def _number_others(self) -> cython.void:
        """Number the other variables of each member: by the variable itself if it is only one."""
        t: cython.Py_ssize_t
        m: cython.longlong
        for t in range(self.n_terms):
            m = self.start[t]
            if self.start[t + 1] - m == 2:
                self.row[m], self.row[m + 1] = self.left_of[m + 1], self.left_of[m]
                self.column[m], self.column[m + 1] = self.right_of[m + 1], self.right_of[m]
            elif self.start[t + 1] - m > 2:
                self._number_sets(m, self.start[t + 1])

    def _number_sets(self, first: int, end: int) -> None:
        """Number the sets of other variables of terms of three or more pairs, after variables."""
        least = max(self.n_left, self.n_right)
        members = range(first, end)
        for m in members:
            lefts = sorted([self.left_of[k] for k in members if k != m])
            rights = sorted([self.right_of[k] for k in members if k != m])
            self.row[m] = self._large.setdefault(("row", *lefts), least + len(self._large))
            self.column[m] = self._large.setdefault(("column", *rights), least + len(self._large))

    @cython.cfunc
    def _sort_members(self) -> cython.void:
        """Sort the members of larger terms by their pairs, by counting."""
        m: cython.Py_ssize_t
        t: cython.Py_ssize_t
        p: cython.longlong
        self.first = _zeros(self.n_pairs + 1)
        for t in range(self.n_terms):
            if self.start[t + 1] - self.start[t] > 1:
                for m in range(self.start[t], self.start[t + 1]):
                    self.first[self.pair[m] + 1] += 1
        for p in range(self.n_pairs):
            self.first[p + 1] += self.first[p]
        filled: cython.longlong[::1] = _zeros(self.n_pairs)
        for p in range(self.n_pairs):
            filled[p] = self.first[p]
        self.by_pair = _zeros(len(self.pair))
        for t in range(self.n_terms):
            if self.start[t + 1] - self.start[t] > 1:
                for m in range(self.start[t], self.start[t + 1]):
                    p = self.pair[m]
                    self.by_pair[filled[p]] = m
                    filled[p] += 1

    def _look_at(self, evidence: Any, banned: frozenset[int]) -> None:
        """Compute the bound of *evidence* for mappings without *banned* pairs.

        Leaves the worth of each pair in *worth*, the best gain of each left variable in *best*, and
        the bound of the scores, times the scale, in *total*.
        """
        p: cython.longlong
        scale: cython.longlong = evidence.scale
        shares: cython.longlong[::1] = _numbers(evidence.shares)
        local: cython.longlong[::1] = _numbers(evidence.local)
        prices: cython.longlong[::1] = _numbers(evidence.prices)
        if scale < 1:
            raise Unproven("a scale is not positive")
        if len(prices) != self.n_right or _least(prices) < 0:
            raise Unproven("a price is negative or missing")
        if len(local) != len(shares) or _least(local) < 0:
            raise Unproven("a local price is negative or missing")
        self._place(_numbers(evidence.terms), len(shares))
        for p in range(self.n_pairs):
            self.worth[p] = 0
        self._find_what_counts(banned)
        self._hand_out(scale, shares)
        for p in range(self.n_pairs):
            self.worth[p] = self.worth[p] + self._worth_of_groups(p, shares, local)
        self._assign(prices)

    @cython.cfunc
    def _place(self, numbers: cython.longlong[::1], n_shares: cython.Py_ssize_t) -> cython.void:
        """Note where the shares of each term begin in the evidence."""
        k: cython.Py_ssize_t
        t: cython.longlong
        end: cython.Py_ssize_t = 0
        for k in range(self.n_terms):
            self.place[k] = -1
        for k in range(len(numbers)):
            t = numbers[k]
            if t < 0 or t >= self.n_terms:
                raise Unproven("there are shares of a term that does not exist")
            self.place[t] = end
            end += self.start[t + 1] - self.start[t]
        if end != n_shares:
            raise Unproven("there are not as many shares as the terms have pairs")

    @cython.cfunc
    def _find_what_counts(self, banned: frozenset[int]) -> cython.void:
        """Find the terms that can be scored: those without banned pairs."""
        t: cython.Py_ssize_t
        m: cython.Py_ssize_t
        any_banned: cython.bint = len(banned) > 0
        is_banned: cython.longlong[::1] = _zeros(self.n_pairs)
        for p in banned:
            is_banned[p] = 1
        for t in range(self.n_terms):
            self.counts[t] = 1
            if any_banned:
                for m in range(self.start[t], self.start[t + 1]):
                    if is_banned[self.pair[m]]:
                        self.counts[t] = 0

    @cython.cfunc
    def _hand_out(self, scale: cython.longlong, shares: cython.longlong[::1]) -> cython.void:
        """Check that shares add up to the weight of each term; give single pairs theirs."""
        t: cython.Py_ssize_t
        p: cython.longlong
        at: cython.longlong
        sum_of_shares: cython.longlong
        for t in range(self.n_terms):
            if not self.counts[t]:
                continue
            if self.start[t + 1] - self.start[t] == 1:
                p = self.pair[self.start[t]]
                self.worth[p] = self.worth[p] + scale * self.weight[t]
                continue
            if self.place[t] < 0:
                raise Unproven("a term that counts has no shares")
            sum_of_shares = 0
            for at in range(self.place[t], self.place[t] + self.start[t + 1] - self.start[t]):
                sum_of_shares = sum_of_shares + shares[at]
            if sum_of_shares < scale * self.weight[t]:
                raise Unproven("the shares of a term are below its weight")

    @cython.cfunc
    def _worth_of_groups(
        self, p: cython.longlong, shares: cython.longlong[::1], local: cython.longlong[::1]
    ) -> cython.longlong:
        """Return the worth of the shares of pair *p*: the best one of each row, after prices."""
        k: cython.longlong
        m: cython.longlong
        t: cython.longlong
        row: cython.longlong
        column: cython.longlong
        at: cython.longlong
        net: cython.longlong
        worth: cython.longlong = 0
        self.visit += 1
        for k in range(self.first[p], self.first[p + 1]):
            m = self.by_pair[k]
            t = self.term_of[m]
            if not self.counts[t]:
                continue
            at = self.place[t] + m - self.start[t]
            row = self.row[m]
            column = self.column[m]
            if self.column_of[column] != self.visit:
                self.column_of[column] = self.visit
                self.column_price[column] = local[at]
                worth = worth + local[at]
            if self.column_price[column] != local[at]:
                raise Unproven("a column has two prices")
            if self.row_of[row] != self.visit:
                self.row_of[row] = self.visit
                self.row_best[row] = 0
            net = shares[at] - local[at]
            if net > self.row_best[row]:
                worth = worth + (net - self.row_best[row])
                self.row_best[row] = net
        return worth

    @cython.cfunc
    def _assign(self, prices: cython.longlong[::1]) -> cython.void:
        """Add up the prices and, for each left variable, the best gain beyond them."""
        p: cython.longlong
        i: cython.Py_ssize_t
        gain: cython.longlong
        self.total = 0
        for i in range(self.n_left):
            self.best[i] = 0
        for p in range(self.n_pairs):
            gain = self.worth[p] - prices[self.right[p]]
            if gain > self.best[self.left[p]]:
                self.best[self.left[p]] = gain
        for i in range(self.n_left):
            self.total = self.total + self.best[i]
        for i in range(self.n_right):
            self.total = self.total + prices[i]

    def _no_better_than(self, score: int, evidence: Any) -> frozenset[int]:
        """Return the pairs that the last bound shows to be in no mapping above *score*."""
        p: cython.longlong
        lack: cython.longlong
        scale: cython.longlong = evidence.scale
        prices: cython.longlong[::1] = _numbers(evidence.prices)
        limit: cython.longlong = score
        found = []
        for p in range(self.n_pairs):
            lack = self.best[self.left[p]] - self.worth[p] + prices[self.right[p]]
            if (self.total - lack) // scale <= limit:
                found.append(p)
        return frozenset(found)
