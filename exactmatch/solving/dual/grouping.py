# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Put the shares of a relaxation in order: by candidate, group, row and column.

The pairs of terms are collected as `Members`, with what stands for the other variables of their
terms. Sorted by candidate, row and column, they fall into groups, and each of them has its place:
that is the number of its share. `exactmatch.solving.dual.layout` has a drawing.
"""

from typing import Any

import cython

from exactmatch.problem import others
from exactmatch.problem.integers import ascending, zeros
from exactmatch.stopping.deadline import Deadline

if cython.compiled:
    from cython.cimports.exactmatch.problem.integers import sort_by
else:
    from exactmatch.problem.integers import sort_by

#: Terms laid out between two looks at the clock.
_INTERVAL = 10_000


@cython.cclass
class Members:
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
        order: cython.longlong[::1] = ascending(n_pairs)
        work: cython.longlong[::1] = zeros(n_pairs + max(n_left, n_right) + 1)
        sort_by(right, n_right, order, n_pairs, work)
        sort_by(left, n_left, order, n_pairs, work)
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
        """Record the term whose pairs have been added."""
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


def count_up_to(key: cython.longlong[::1], start: cython.longlong[::1]) -> cython.void:
    """Fill *start*, all zeros, with where each key begins when *key* is sorted, and their end."""
    k: cython.Py_ssize_t
    for k in range(len(key)):
        start[key[k] + 1] += 1
    for k in range(1, len(start)):
        start[k] += start[k - 1]


def group_shares(
    relaxation: Any, members: Members, n_keys: cython.Py_ssize_t, first: cython.longlong[::1]
) -> cython.Py_ssize_t:
    """Sort the members and divide those of each candidate into groups; return how many.

    Fills the beginning of each group, and moves the data of members to their shares.
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
    work: cython.longlong[::1] = zeros(4 * n + 3 * n_keys + n_candidates + 2)
    order: cython.longlong[::1] = ascending(n)
    place: cython.longlong[::1] = work[:n]
    parent: cython.longlong[::1] = work[n : 2 * n]  # by position in *order*
    size: cython.longlong[::1] = work[2 * n : 3 * n]
    work = work[3 * n :]
    last_row: cython.longlong[::1] = work[:n_keys]
    last_column: cython.longlong[::1] = work[n_keys : 2 * n_keys]
    work = work[2 * n_keys :]
    sort_by(members.column, n_keys, order, n, work)
    sort_by(members.row, n_keys, order, n, work)
    sort_by(members.candidate, n_candidates, order, n, work)
    count_up_to(members.candidate[:n], share_start)
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
def _scatter(relaxation: Any, members: Members, place: cython.longlong[::1]) -> cython.void:
    """Move the data of members to their shares, and link the shares of a term."""
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


def number_columns(relaxation: Any, n_columns: cython.longlong[::1]) -> cython.Py_ssize_t:
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
