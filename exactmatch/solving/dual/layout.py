# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The grouped relaxation of a matching problem, laid out in arrays.

Each term of two or more pairs is divided into *shares*, one for each of its pairs (candidates). The
shares that a candidate has from its terms are divided into *groups*. Of one candidate's terms, a
mapping scores at most one for the same other left variables (a row) and at most one for the same
other right variables (a column). A group is a set of shares connected by rows and columns, so that
what a candidate is worth is a sum over its groups; most groups have one row or one column, and of
these one share at most counts.

This is level 1 of Adams and Johnson (1994), kept sparse: `MatchingProblem.grouped_rows` are its
rows and columns.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import cython

from exactmatch.problem import MatchingProblem, Pair, others
from exactmatch.stopping.deadline import Deadline

from .integers import as_integers, integers, zeros
from .lagrangian import Dual
from .primal_heuristic import PrimalHeuristic

#: Terms laid out between two looks at the clock.
_INTERVAL = 10_000


class Relaxation:
    """The arrays, by candidate, group and share, of *problem*.

    Candidates are those of the problem, in its order. The shares of candidate c are
    ``share_start[c] .. share_start[c + 1] - 1``, its groups ``group_start[c] ..``, and the shares
    of group g ``group_first[g] ..``, each up to where the next one begins.

    origin: the position of each candidate in the relaxation that this is a part of.
    own: the weight of the terms of each candidate alone.
    holder: the candidate of each share. weight: the weight of its term.
    row_key, column_key: of each share, what stands for the other left and right variables.
    ring: the next share of the same term, round in a circle.
    terms: the first share of each term of several pairs; term_of: the number of that term in the
        problem. Both ascend with the terms.
    first: where the candidates of each left variable begin; right: the right variable of each.
    rows, columns: for groups with several rows and columns, by group, where each row begins and
        the number of columns; column: by share, its column in such a group.
    is_column: by group, whether it has several rows and one column.
    no_local: zeros, by share, if there are no groups of several rows; else None.

    Raises `OutOfTime` if *deadline* comes first; it holds for all that is done here later, too.
    """

    def __init__(
        self,
        problem: MatchingProblem,
        deadline: Deadline = Deadline(),  # noqa: B008 (it is immutable)
    ) -> None:
        self.deadline = deadline
        self._whole = problem
        self.n_left = problem.n_left
        self.n_right = problem.n_right
        weight, start, left, right = map(as_integers, problem.arrays)
        members = _Members(len(weight), len(left))
        self.left, self.right = members.number_pairs(left, right, self.n_left, self.n_right)
        self.origin = zeros(len(self.left))
        _number(self.origin)
        own = zeros(len(self.left))
        members.divide(weight, start, left, right, own)
        n_keys = max(self.n_left, self.n_right)
        if members.large:
            n_keys += members.number_others(start, left, right, n_keys, deadline)
        self._lay_out(own, members, n_keys)

    @cached_property
    def candidates(self) -> Sequence[Pair]:
        """The left and the right variable of each candidate."""
        return list(zip(self.left, self.right, strict=True))

    def without(self, candidates: Iterable[int]) -> "Relaxation":
        """Return the relaxation of what is left of the problem without some candidates."""
        n_candidates = len(self.left)
        is_kept = integers([1]) * n_candidates
        for c in candidates:
            is_kept[c] = 0
        rest = Relaxation.__new__(Relaxation)
        rest.deadline, rest._whole = self.deadline, self._whole
        rest.n_left, rest.n_right = self.n_left, self.n_right
        members = _Members(len(self.terms), len(self.ring))
        is_used = self.own[:]
        members.collect(self, is_kept, is_used)
        kept = [c for c in range(n_candidates) if is_kept[c] and is_used[c]]
        rest.origin = integers(kept)
        rest.left = integers([self.left[c] for c in kept])
        rest.right = integers([self.right[c] for c in kept])
        number = zeros(n_candidates)
        for new, c in enumerate(kept):
            number[c] = new
        members.renumber(number)
        rest._lay_out(integers([self.own[c] for c in kept]), members, self._n_keys)
        return rest

    @property
    def problem(self) -> MatchingProblem:
        """The problem that this is a relaxation of: the whole one, or what is left of it."""
        left = set(self.candidates)
        terms = tuple(term for term in self._whole.terms if left.issuperset(term.pairs))
        return MatchingProblem(self.n_left, self.n_right, terms)

    def dual(self, scale: int) -> Any:
        """Return a `Dual` of this relaxation, in units of 1 / *scale*."""
        return Dual(self, scale)

    def primal_heuristic(self) -> Any:
        """Return a `PrimalHeuristic` for mappings of this problem."""
        return PrimalHeuristic(self)

    def mapping(self, chosen: Any) -> dict[int, int]:
        """Return the mapping of the candidates that are *chosen*: 1 or 0, by candidate."""
        return _mapping(self.left, self.right, chosen)

    def members(self, first: int) -> list[int]:
        """Return the shares of the term of share *first*, from there on."""
        found = [first]
        h = self.ring[first]
        while h != first:
            found.append(h)
            h = self.ring[h]
        return found

    def by_term(self, values: Any) -> Any:
        """Return what is said by share in the order of the terms, and of the pairs of each."""
        found = zeros(len(self.ring))
        _by_term(self.terms, self.ring, values, found)
        return found

    def taken_over(self, shares: Any, larger: "Relaxation", times: int) -> Any:
        """Return the shares here that are *times* those of the same terms in a *larger* relaxation.

        The total of this one may be so much smaller that its scale is *times* as large.
        """
        found = zeros(len(self.ring))
        _copy(self, found, larger, shares, times)
        return found

    def put_back(self, shares: Any, smaller: "Relaxation", its_shares: Any) -> None:
        """Set, among *shares*, those of the terms of a *smaller* relaxation to *its_shares*."""
        _copy_back(self, shares, smaller, its_shares)

    def _lay_out(self, own: Any, members: "_Members", n_keys: int) -> None:
        """Fill all arrays, from the members of terms."""
        n_candidates, n_shares = len(self.left), members.n_pairs
        self.own = own
        self.total = sum(own) + members.total()
        self._n_keys = n_keys
        self.first, self.share_start = zeros(self.n_left + 1), zeros(n_candidates + 1)
        self.group_start = zeros(n_candidates + 1)
        self.holder, self.weight, self.ring = zeros(n_shares), zeros(n_shares), zeros(n_shares)
        self.row_key, self.column_key = zeros(n_shares), zeros(n_shares)
        self.terms, self.term_of = zeros(members.n_terms), zeros(members.n_terms)
        _count(self.left, self.first)
        group_first = zeros(n_shares + 1)
        n_groups = _group(self, members, n_keys, group_first)
        self.group_first = group_first[: n_groups + 1]
        self._number_columns()

    def _number_columns(self) -> None:
        """Number rows and columns of the groups that have several."""
        n_groups = len(self.group_first) - 1
        self.column = zeros(len(self.ring))
        self.is_column = zeros(n_groups)
        n_columns = zeros(n_groups)
        n_wide = _classify(self, n_columns)
        self.rows: dict[int, tuple[Any, int]] = {}
        if n_wide:
            for g in range(n_groups):
                if n_columns[g] > 1 and not self._has_one_row(g):
                    self.rows[g] = (self._row_begins(g), n_columns[g])
        has_local = n_wide or any(self.is_column)
        self.no_local = None if has_local else zeros(len(self.ring))

    def _has_one_row(self, group: int) -> bool:
        # They are sorted by rows.
        first, last = self.group_first[group], self.group_first[group + 1] - 1
        return bool(self.row_key[first] == self.row_key[last])

    def _row_begins(self, group: int) -> Any:
        start, end = self.group_first[group], self.group_first[group + 1]
        keys = self.row_key
        begins = [h for h in range(start, end) if h == start or keys[h] != keys[h - 1]]
        return integers([*begins, end])


@cython.cclass
class _Members:
    """The pairs of terms of several pairs, one after the other; by term, where its pairs end.

    candidate, row, column: of each pair, and what stands for the other variables of its term.
    end, number, weight: of each term.
    large: the terms of three or more pairs, as they are counted here; their rows and columns are
        numbered last.
    """

    n_terms = cython.declare(cython.Py_ssize_t, visibility="readonly")
    n_pairs = cython.declare(cython.Py_ssize_t, visibility="readonly")
    large = cython.declare(object, visibility="readonly")
    candidate: cython.longlong[::1]
    row: cython.longlong[::1]
    column: cython.longlong[::1]
    end: cython.longlong[::1]
    number: cython.longlong[::1]
    weight: cython.longlong[::1]

    def __init__(self, n_terms: cython.Py_ssize_t, n_pairs: cython.Py_ssize_t) -> None:
        # Of one array where they are compiled; a slice of a list is a list of its own.
        block: cython.longlong[::1] = zeros(3 * (n_pairs + n_terms))
        self.candidate = block[:n_pairs]
        self.row = block[n_pairs : 2 * n_pairs]
        self.column = block[2 * n_pairs : 3 * n_pairs]
        block = block[3 * n_pairs :]
        self.end = block[:n_terms]
        self.number = block[n_terms : 2 * n_terms]
        self.weight = block[2 * n_terms :]
        self.large = []
        self.n_terms = self.n_pairs = 0

    def total(self) -> int:
        """Return the weight of all terms."""
        t: cython.Py_ssize_t
        total: cython.longlong = 0
        for t in range(self.n_terms):
            total += self.weight[t]
        return total

    def number_pairs(self, lefts: Any, rights: Any, n_left: int, n_right: int) -> Any:
        """Return the left and the right variables of the different pairs, sorted.

        The *candidate* of each of the pairs given becomes its number there.
        """
        k: cython.Py_ssize_t
        m: cython.longlong
        n_pairs: cython.Py_ssize_t = len(lefts)
        n_found: cython.Py_ssize_t = 0
        left: cython.longlong[::1] = lefts
        right: cython.longlong[::1] = rights
        found_left, found_right = zeros(n_pairs), zeros(n_pairs)
        new_left: cython.longlong[::1] = found_left
        new_right: cython.longlong[::1] = found_right
        order: cython.longlong[::1] = zeros(n_pairs)
        work: cython.longlong[::1] = zeros(n_pairs + max(n_left, n_right) + 1)
        _number(order)
        _sort_by(right, n_right, order, work)
        _sort_by(left, n_left, order, work)
        for k in range(n_pairs):
            m = order[k]
            if (
                n_found == 0
                or new_left[n_found - 1] != left[m]
                or new_right[n_found - 1] != right[m]
            ):
                new_left[n_found] = left[m]
                new_right[n_found] = right[m]
                n_found += 1
            self.candidate[m] = n_found - 1
        return found_left[:n_found], found_right[:n_found]

    def divide(self, weights: Any, starts: Any, lefts: Any, rights: Any, all_own: Any) -> None:
        """Hand the terms of one pair to their candidates, and keep the others."""
        t: cython.Py_ssize_t
        k: cython.longlong
        m: cython.longlong
        size: cython.longlong
        weight: cython.longlong[::1] = weights
        start: cython.longlong[::1] = starts
        left: cython.longlong[::1] = lefts
        right: cython.longlong[::1] = rights
        own: cython.longlong[::1] = all_own
        for t in range(len(weight)):
            m = start[t]
            size = start[t + 1] - m
            if size == 1:
                own[self.candidate[m]] = weight[t]
            if size < 2:
                continue
            if size == 2:
                self.row[self.n_pairs] = left[m + 1]
                self.row[self.n_pairs + 1] = left[m]
                self.column[self.n_pairs] = right[m + 1]
                self.column[self.n_pairs + 1] = right[m]
            else:
                self.large.append(self.n_terms)
            # What is kept comes before what is still to be read, if not in its place.
            for k in range(m, m + size):
                self.candidate[self.n_pairs] = self.candidate[k]
                self.n_pairs += 1
            self._close(t, weight[t])

    @cython.cfunc
    def _close(self, number: cython.longlong, weight: cython.longlong) -> cython.void:
        """Say which term it was whose pairs have been added."""
        self.end[self.n_terms] = self.n_pairs
        self.number[self.n_terms] = number
        self.weight[self.n_terms] = weight
        self.n_terms += 1

    def number_others(
        self, start: Any, left: Any, right: Any, least: int, deadline: Deadline
    ) -> int:
        """Number the rows and columns of large terms, from *least* on; return how many."""
        keys: dict[tuple[int, tuple[int, ...]], int] = {}
        for k, t in enumerate(self.large):
            if k % _INTERVAL == _INTERVAL - 1:
                deadline.check()
            first, end = start[self.number[t]], start[self.number[t] + 1]
            pairs = list(zip(left[first:end], right[first:end], strict=True))
            m = self.end[t] - len(pairs)
            for pair in pairs:
                row, column = (
                    keys.setdefault((side, others(pairs, pair, side)), least + len(keys))
                    for side in (0, 1)
                )
                self.row[m], self.column[m] = row, column
                m += 1
        return len(keys)

    def collect(self, relaxation: Any, is_kept: Any, is_used: Any) -> None:
        """Add the terms of *relaxation* whose pairs are all kept; note which candidates they use.

        Candidates keep their numbers, see `renumber`.
        """
        t: cython.Py_ssize_t
        h: cython.longlong
        first: cython.longlong
        holder: cython.longlong[::1] = relaxation.holder
        ring: cython.longlong[::1] = relaxation.ring
        terms: cython.longlong[::1] = relaxation.terms
        weight: cython.longlong[::1] = relaxation.weight
        row: cython.longlong[::1] = relaxation.row_key
        column: cython.longlong[::1] = relaxation.column_key
        number: cython.longlong[::1] = relaxation.term_of
        kept: cython.longlong[::1] = is_kept
        used: cython.longlong[::1] = is_used
        whole: cython.bint
        for t in range(len(terms)):
            first = h = terms[t]
            whole = True
            while True:
                if not kept[holder[h]]:
                    whole = False
                    break
                h = ring[h]
                if h == first:
                    break
            if not whole:
                continue
            while True:
                used[holder[h]] = 1
                self.candidate[self.n_pairs] = holder[h]
                self.row[self.n_pairs] = row[h]
                self.column[self.n_pairs] = column[h]
                self.n_pairs += 1
                h = ring[h]
                if h == first:
                    break
            self._close(number[t], weight[first])

    def renumber(self, numbers: Any) -> None:
        """Give candidates other numbers."""
        m: cython.Py_ssize_t
        number: cython.longlong[::1] = numbers
        for m in range(self.n_pairs):
            self.candidate[m] = number[self.candidate[m]]


def _mapping(lefts: Any, rights: Any, chosen: Any) -> dict[int, int]:
    c: cython.Py_ssize_t
    left: cython.longlong[::1] = lefts
    right: cython.longlong[::1] = rights
    flag: cython.longlong[::1] = chosen
    mapping: dict[int, int] = {}
    for c in range(len(flag)):
        if flag[c]:
            mapping[left[c]] = right[c]
    return mapping


def _by_term(terms: Any, ring: Any, values: Any, found: Any) -> None:
    t: cython.Py_ssize_t
    k: cython.Py_ssize_t = 0
    h: cython.longlong
    first: cython.longlong[::1] = terms
    following: cython.longlong[::1] = ring
    source: cython.longlong[::1] = values
    target: cython.longlong[::1] = found
    for t in range(len(first)):
        h = first[t]
        while True:
            target[k] = source[h]
            k += 1
            h = following[h]
            if h == first[t]:
                break


def _copy(small: Any, into: Any, large: Any, shares: Any, times: int) -> None:
    """Fill *into*, by share of *small*, with *times* the *shares* of the same terms of *large*."""
    t: cython.Py_ssize_t
    other: cython.Py_ssize_t = 0
    h: cython.longlong
    g: cython.longlong
    factor: cython.longlong = times
    target: cython.longlong[::1] = into
    source: cython.longlong[::1] = shares
    firsts: cython.longlong[::1] = small.terms
    ring: cython.longlong[::1] = small.ring
    large_firsts: cython.longlong[::1] = large.terms
    large_ring: cython.longlong[::1] = large.ring
    numbers, large_numbers = small.term_of, large.term_of
    for t in range(len(firsts)):
        while large_numbers[other] != numbers[t]:
            other += 1
        h = firsts[t]
        g = large_firsts[other]
        while True:
            target[h] = factor * source[g]
            h = ring[h]
            g = large_ring[g]
            if h == firsts[t]:
                break


def _copy_back(large: Any, into: Any, small: Any, shares: Any) -> None:
    """Replace in *into*, by share of *large*, those of the terms of *small* by its *shares*."""
    t: cython.Py_ssize_t
    other: cython.Py_ssize_t = 0
    h: cython.longlong
    g: cython.longlong
    target: cython.longlong[::1] = into
    source: cython.longlong[::1] = shares
    firsts: cython.longlong[::1] = small.terms
    ring: cython.longlong[::1] = small.ring
    large_firsts: cython.longlong[::1] = large.terms
    large_ring: cython.longlong[::1] = large.ring
    numbers, large_numbers = small.term_of, large.term_of
    for t in range(len(firsts)):
        while large_numbers[other] != numbers[t]:
            other += 1
        h = firsts[t]
        g = large_firsts[other]
        while True:
            target[g] = source[h]
            h = ring[h]
            g = large_ring[g]
            if h == firsts[t]:
                break


@cython.cfunc
def _count(key: cython.longlong[::1], start: cython.longlong[::1]) -> cython.void:
    """Fill *start*, all zeros, with where each key begins when *key* is sorted, and their end."""
    k: cython.Py_ssize_t
    for k in range(len(key)):
        start[key[k] + 1] += 1
    for k in range(1, len(start)):
        start[k] += start[k - 1]


@cython.cfunc
def _number(order: cython.longlong[::1]) -> cython.void:
    k: cython.Py_ssize_t
    for k in range(len(order)):
        order[k] = k


@cython.cfunc
def _sort_by(
    key: cython.longlong[::1],
    n_keys: cython.Py_ssize_t,
    order: cython.longlong[::1],
    work: cython.longlong[::1],
) -> cython.void:
    """Sort the positions *order* by their keys, stably, by counting.

    *work* has room for the order and the keys, and one more.
    """
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t = len(order)
    for k in range(n, n + n_keys + 1):
        work[k] = 0
    for k in range(n):
        work[k] = order[k]
        work[n + key[order[k]] + 1] += 1
    for k in range(n + 1, n + n_keys):
        work[k] += work[k - 1]
    for k in range(n):
        order[work[n + key[work[k]]]] = work[k]
        work[n + key[work[k]]] += 1


@cython.cfunc
def _group(
    relaxation: Any, members: _Members, n_keys: cython.Py_ssize_t, first: cython.longlong[::1]
) -> cython.Py_ssize_t:
    """Sort the members and divide those of each candidate into groups; return how many.

    Fills where each group begins, and puts what is known of members where their shares are.
    """
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    m: cython.longlong
    root: cython.longlong
    n_groups: cython.Py_ssize_t = 0
    n_shares: cython.longlong = 0
    n: cython.Py_ssize_t = members.n_pairs
    share_start: cython.longlong[::1] = relaxation.share_start
    group_start: cython.longlong[::1] = relaxation.group_start
    n_candidates: cython.Py_ssize_t = len(share_start) - 1
    work: cython.longlong[::1] = zeros(5 * n + 3 * n_keys + n_candidates + 2)
    order: cython.longlong[::1] = work[:n]
    place: cython.longlong[::1] = work[n : 2 * n]
    parent: cython.longlong[::1] = work[2 * n : 3 * n]  # by position in *order*
    size: cython.longlong[::1] = work[3 * n : 4 * n]
    work = work[4 * n :]
    last_row: cython.longlong[::1] = work[:n_keys]
    last_column: cython.longlong[::1] = work[n_keys : 2 * n_keys]
    work = work[2 * n_keys :]
    _number(order)
    _sort_by(members.column[:n], n_keys, order, work)
    _sort_by(members.row[:n], n_keys, order, work)
    _sort_by(members.candidate[:n], n_candidates, order, work)
    _count(members.candidate[:n], share_start)
    for k in range(n_keys):
        last_row[k] = last_column[k] = -1
    for c in range(n_candidates):
        for k in range(share_start[c], share_start[c + 1]):
            m = order[k]
            parent[k] = k
            if last_row[members.row[m]] >= share_start[c]:
                _unite(parent, k, last_row[members.row[m]])
            if last_column[members.column[m]] >= share_start[c]:
                _unite(parent, k, last_column[members.column[m]])
            last_row[members.row[m]] = k
            last_column[members.column[m]] = k
        for k in range(share_start[c], share_start[c + 1]):
            size[_root(parent, k)] += 1
        # The smallest position in a group is its root: groups begin in the order of their roots.
        for k in range(share_start[c], share_start[c + 1]):
            root = _root(parent, k)
            if root == k:
                first[n_groups] = n_shares
                n_groups += 1
                n_shares += size[k]
                size[k] = first[n_groups - 1]
            place[order[k]] = size[root]
            size[root] += 1
        group_start[c + 1] = n_groups
    first[n_groups] = n_shares
    _scatter(relaxation, members, place)
    return n_groups


@cython.cfunc
def _root(parent: cython.longlong[::1], k: cython.longlong) -> cython.longlong:
    while parent[k] != k:
        parent[k] = parent[parent[k]]
        k = parent[k]
    return k


@cython.cfunc
def _unite(
    parent: cython.longlong[::1], one: cython.longlong, other: cython.longlong
) -> cython.void:
    one = _root(parent, one)
    other = _root(parent, other)
    parent[max(one, other)] = min(one, other)


@cython.cfunc
def _scatter(relaxation: Any, members: _Members, place: cython.longlong[::1]) -> cython.void:
    """Put what is known of members where their shares are, and link those of a term."""
    t: cython.Py_ssize_t
    m: cython.longlong
    h: cython.longlong
    start: cython.longlong = 0
    holder: cython.longlong[::1] = relaxation.holder
    share_weight: cython.longlong[::1] = relaxation.weight
    ring: cython.longlong[::1] = relaxation.ring
    row_key: cython.longlong[::1] = relaxation.row_key
    column_key: cython.longlong[::1] = relaxation.column_key
    terms: cython.longlong[::1] = relaxation.terms
    number: cython.longlong[::1] = relaxation.term_of
    for t in range(members.n_terms):
        terms[t] = place[start]
        number[t] = members.number[t]
        for m in range(start, members.end[t]):
            h = place[m]
            holder[h] = members.candidate[m]
            share_weight[h] = members.weight[t]
            row_key[h] = members.row[m]
            column_key[h] = members.column[m]
            ring[h] = place[m + 1 if m + 1 < members.end[t] else start]
        start = members.end[t]


@cython.cfunc
def _classify(relaxation: Any, n_columns: cython.longlong[::1]) -> cython.Py_ssize_t:
    """Number the columns in each group, and note which groups have several rows and one column.

    Fills the number of columns. Returns how many groups have several of both.
    """
    g: cython.Py_ssize_t
    h: cython.Py_ssize_t
    n_rows: cython.longlong
    n_found: cython.longlong
    n_wide: cython.Py_ssize_t = 0
    n_keys: cython.Py_ssize_t = relaxation._n_keys
    group_first: cython.longlong[::1] = relaxation.group_first
    row_key: cython.longlong[::1] = relaxation.row_key
    column_key: cython.longlong[::1] = relaxation.column_key
    column: cython.longlong[::1] = relaxation.column
    is_column: cython.longlong[::1] = relaxation.is_column
    # Of the columns: the last group, from 1, that they were met in, and their number there.
    work: cython.longlong[::1] = zeros(2 * n_keys)
    group_of: cython.longlong[::1] = work[:n_keys]
    number_of: cython.longlong[::1] = work[n_keys:]
    for g in range(len(group_first) - 1):
        n_rows = 0
        n_found = 0
        for h in range(group_first[g], group_first[g + 1]):
            if h == group_first[g] or row_key[h] != row_key[h - 1]:
                n_rows += 1
            if group_of[column_key[h]] != g + 1:
                group_of[column_key[h]] = g + 1
                number_of[column_key[h]] = n_found
                n_found += 1
            column[h] = number_of[column_key[h]]
        n_columns[g] = n_found
        if n_rows > 1:
            is_column[g] = n_found == 1
            n_wide += n_found > 1
    return n_wide
