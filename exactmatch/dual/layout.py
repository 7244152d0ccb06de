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
from dataclasses import replace
from typing import Any

import cython

from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Pair, others

from .integers import integers, zeros
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
        self.candidates: Sequence[Pair] = problem.candidates
        self.n_left = problem.n_left
        self.n_right = problem.n_right
        position = {pair: c for c, pair in enumerate(self.candidates)}
        self.origin = integers(range(len(position)))
        own = zeros(len(position))
        members = _Members()
        keys: dict[tuple[int, tuple[int, ...]], int] = {}
        largest = max(self.n_left, self.n_right)
        for t, (weight, pairs) in enumerate(problem.terms):
            if t % _INTERVAL == _INTERVAL - 1:
                deadline.check()
            if len(pairs) == 1:
                own[position[pairs[0]]] = weight
                continue
            if len(pairs) == 2:  # the same as below, only faster
                one, two = pairs
                members.candidate += (position[one], position[two])
                members.row += (two[0], one[0])
                members.column += (two[1], one[1])
            else:
                for pair in pairs:
                    row, column = (
                        keys.setdefault((side, others(pairs, pair, side)), largest + len(keys))
                        for side in (0, 1)
                    )
                    members.add(position[pair], row, column)
            members.close(t, weight)
        self._lay_out(own, members, largest + len(keys))

    def without(self, candidates: Iterable[int]) -> "Relaxation":
        """Return the relaxation of what is left of the problem without some candidates."""
        is_kept = integers([1]) * len(self.candidates)
        for c in candidates:
            is_kept[c] = 0
        rest = Relaxation.__new__(Relaxation)
        rest.deadline, rest._whole = self.deadline, self._whole
        rest.n_left, rest.n_right = self.n_left, self.n_right
        members = _Members()
        is_used = integers([1 if own else 0 for own in self.own])
        _collect(self, is_kept, is_used, members)
        kept = [c for c in range(len(self.candidates)) if is_kept[c] and is_used[c]]
        rest.candidates = [self.candidates[c] for c in kept]
        rest.origin = integers(kept)
        number = zeros(len(self.candidates))
        for new, c in enumerate(kept):
            number[c] = new
        members.candidate = [number[c] for c in members.candidate]
        rest._lay_out(integers([self.own[c] for c in kept]), members, self._n_keys)
        return rest

    @property
    def problem(self) -> MatchingProblem:
        """The problem that this is a relaxation of: the whole one, or what is left of it."""
        left = set(self.candidates)
        terms = tuple(term for term in self._whole.terms if left.issuperset(term.pairs))
        return replace(self._whole, terms=terms)

    def dual(self, scale: int) -> Any:
        """Return a `Dual` of this relaxation, in units of 1 / *scale*."""
        return Dual(self, scale)

    def primal_heuristic(self) -> Any:
        """Return a `PrimalHeuristic` for mappings of this problem."""
        return PrimalHeuristic(self)

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
        n_candidates = len(self.candidates)
        self.own = own
        self.total = sum(own) + sum(members.weight)
        self._n_keys = n_keys
        first = zeros(self.n_left + 1)
        for left, _ in self.candidates:
            first[left + 1] += 1
        for left in range(self.n_left):
            first[left + 1] += first[left]
        self.first = first
        self.left = integers([left for left, _ in self.candidates])
        self.right = integers([right for _, right in self.candidates])
        self.term_of = members.number
        candidate, row = integers(members.candidate), integers(members.row)
        column = integers(members.column)
        order = _sorted(candidate, n_candidates, row, column, n_keys)
        self.share_start = _starts(candidate, n_candidates)
        self.group_start = zeros(n_candidates + 1)
        group_first = zeros(len(order) + 1)
        place = zeros(len(order))
        n_groups = _group(self, order, row, column, n_keys, group_first, place)
        self.group_first = group_first[: n_groups + 1]
        n_shares = len(order)
        self.holder, self.weight, self.ring = zeros(n_shares), zeros(n_shares), zeros(n_shares)
        self.row_key, self.column_key = zeros(n_shares), zeros(n_shares)
        self.terms = zeros(len(members.number))
        _scatter(
            self, place, candidate, row, column, integers(members.end), integers(members.weight)
        )
        self._number_columns()

    def _number_columns(self) -> None:
        """Number rows and columns of the groups that have several."""
        n_groups = len(self.group_first) - 1
        self.column = zeros(len(self.ring))
        self.is_column = zeros(n_groups)
        wide = zeros(n_groups)
        n_columns = zeros(n_groups)
        has_local = _classify(self, wide, n_columns)
        self.rows: dict[int, tuple[Any, int]] = {}
        for g in range(n_groups):
            if wide[g]:
                self.rows[g] = (self._row_begins(g), n_columns[g])
        self.no_local = None if has_local else zeros(len(self.ring))

    def _row_begins(self, group: int) -> Any:
        start, end = self.group_first[group], self.group_first[group + 1]
        keys = self.row_key
        begins = [h for h in range(start, end) if h == start or keys[h] != keys[h - 1]]
        return integers([*begins, end])


class _Members:
    """The pairs of terms of several pairs, one after the other; by term, where its pairs end.

    candidate, row, column: of each pair, and what stands for the other variables of its term.
    end, number, weight: of each term.
    """

    def __init__(self) -> None:
        self.candidate: list[int] = []
        self.row: list[int] = []
        self.column: list[int] = []
        self.end: list[int] = []
        self.number: list[int] = []
        self.weight: list[int] = []

    def add(self, candidate: int, row: int, column: int) -> None:
        """Add a pair."""
        self.candidate.append(candidate)
        self.row.append(row)
        self.column.append(column)

    def close(self, number: int, weight: int) -> None:
        """Say which term it was whose pairs have been added."""
        self.end.append(len(self.candidate))
        self.number.append(number)
        self.weight.append(weight)


def _collect(relaxation: Any, is_kept: Any, is_used: Any, members: _Members) -> None:
    """Add the terms of *relaxation* whose pairs are all kept; note which candidates they use."""
    t: cython.Py_ssize_t
    h: cython.longlong
    start: cython.longlong
    holder: cython.longlong[::1] = relaxation.holder
    ring: cython.longlong[::1] = relaxation.ring
    terms: cython.longlong[::1] = relaxation.terms
    weight: cython.longlong[::1] = relaxation.weight
    row: cython.longlong[::1] = relaxation.row_key
    column: cython.longlong[::1] = relaxation.column_key
    kept: cython.longlong[::1] = is_kept
    used: cython.longlong[::1] = is_used
    whole: cython.bint
    numbers = relaxation.term_of
    for t in range(len(terms)):
        start = h = terms[t]
        whole = True
        while True:
            if not kept[holder[h]]:
                whole = False
                break
            h = ring[h]
            if h == start:
                break
        if not whole:
            continue
        while True:
            used[holder[h]] = 1
            members.add(holder[h], row[h], column[h])
            h = ring[h]
            if h == start:
                break
        members.close(numbers[t], weight[start])


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


def _starts(keys: Any, n_keys: int) -> Any:
    """Return where each key begins when *keys* are sorted, and where the last one ends."""
    k: cython.Py_ssize_t
    key: cython.longlong[::1] = keys
    found = zeros(n_keys + 1)
    start: cython.longlong[::1] = found
    for k in range(len(key)):
        start[key[k] + 1] += 1
    for k in range(n_keys):
        start[k + 1] += start[k]
    return found


def _sorted(candidate: Any, n_candidates: int, row: Any, column: Any, n_keys: int) -> Any:
    """Return the positions of members, sorted by candidate, row, column and position."""
    order = integers(range(len(candidate)))
    for keys, number in ((column, n_keys), (row, n_keys), (candidate, n_candidates)):
        order = _sorted_by(keys, number, order)
    return order


def _sorted_by(keys: Any, n_keys: int, order: Any) -> Any:
    """Return the positions *order* sorted by their *keys*, stably, by counting."""
    k: cython.Py_ssize_t
    key: cython.longlong[::1] = keys
    source: cython.longlong[::1] = order
    filled: cython.longlong[::1] = _starts(keys, n_keys)
    found = zeros(len(source))
    target: cython.longlong[::1] = found
    for k in range(len(source)):
        target[filled[key[source[k]]]] = source[k]
        filled[key[source[k]]] += 1
    return found


def _group(
    relaxation: Any,
    order: Any,
    row: Any,
    column: Any,
    n_keys: int,
    group_first: Any,
    place: Any,
) -> int:
    """Divide the members of each candidate, in *order*, into groups; return how many there are.

    Fills where each group begins, and for each member its *place* among the shares.
    """
    c: cython.Py_ssize_t
    k: cython.Py_ssize_t
    m: cython.longlong
    root: cython.longlong
    n_groups: cython.Py_ssize_t = 0
    n_shares: cython.longlong = 0
    members: cython.longlong[::1] = order
    row_of: cython.longlong[::1] = row
    column_of: cython.longlong[::1] = column
    share_start: cython.longlong[::1] = relaxation.share_start
    group_start: cython.longlong[::1] = relaxation.group_start
    firsts: cython.longlong[::1] = group_first
    places: cython.longlong[::1] = place
    parent: cython.longlong[::1] = zeros(len(members))  # by position in *order*
    size: cython.longlong[::1] = zeros(len(members) + 1)
    last_row: cython.longlong[::1] = integers([-1]) * n_keys
    last_column: cython.longlong[::1] = integers([-1]) * n_keys
    for c in range(len(share_start) - 1):
        for k in range(share_start[c], share_start[c + 1]):
            m = members[k]
            parent[k] = k
            size[k] = 0
            if last_row[row_of[m]] >= share_start[c]:
                _unite(parent, k, last_row[row_of[m]])
            if last_column[column_of[m]] >= share_start[c]:
                _unite(parent, k, last_column[column_of[m]])
            last_row[row_of[m]] = k
            last_column[column_of[m]] = k
        for k in range(share_start[c], share_start[c + 1]):
            size[_root(parent, k)] += 1
        # The smallest position in a group is its root: groups begin in the order of their roots.
        for k in range(share_start[c], share_start[c + 1]):
            root = _root(parent, k)
            if root == k:
                firsts[n_groups] = n_shares
                n_groups += 1
                n_shares += size[k]
                size[k] = firsts[n_groups - 1]
            places[members[k]] = size[root]
            size[root] += 1
        group_start[c + 1] = n_groups
    firsts[n_groups] = n_shares
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


def _scatter(
    relaxation: Any, place: Any, candidate: Any, row: Any, column: Any, end: Any, weight: Any
) -> None:
    """Put what is known of members where their shares are, and link those of a term."""
    t: cython.Py_ssize_t
    m: cython.longlong
    h: cython.longlong
    start: cython.longlong = 0
    places: cython.longlong[::1] = place
    candidates: cython.longlong[::1] = candidate
    rows: cython.longlong[::1] = row
    columns: cython.longlong[::1] = column
    ends: cython.longlong[::1] = end
    weights: cython.longlong[::1] = weight
    holder: cython.longlong[::1] = relaxation.holder
    share_weight: cython.longlong[::1] = relaxation.weight
    ring: cython.longlong[::1] = relaxation.ring
    row_key: cython.longlong[::1] = relaxation.row_key
    column_key: cython.longlong[::1] = relaxation.column_key
    terms: cython.longlong[::1] = relaxation.terms
    for t in range(len(ends)):
        terms[t] = places[start]
        for m in range(start, ends[t]):
            h = places[m]
            holder[h] = candidates[m]
            share_weight[h] = weights[t]
            row_key[h] = rows[m]
            column_key[h] = columns[m]
            ring[h] = places[m + 1 if m + 1 < ends[t] else start]
        start = ends[t]


def _classify(relaxation: Any, wide: Any, n_columns: Any) -> bool:
    """Number the columns in each group; see which groups have several rows, and columns as well.

    Returns whether there are any of several rows.
    """
    g: cython.Py_ssize_t
    h: cython.Py_ssize_t
    n_rows: cython.longlong
    n_found: cython.longlong
    any_rows: cython.bint = False
    group_first: cython.longlong[::1] = relaxation.group_first
    row_key: cython.longlong[::1] = relaxation.row_key
    column_key: cython.longlong[::1] = relaxation.column_key
    column: cython.longlong[::1] = relaxation.column
    is_column: cython.longlong[::1] = relaxation.is_column
    is_wide: cython.longlong[::1] = wide
    numbers: cython.longlong[::1] = n_columns
    group_of: cython.longlong[::1] = integers([-1]) * relaxation._n_keys
    number_of: cython.longlong[::1] = zeros(relaxation._n_keys)
    for g in range(len(group_first) - 1):
        n_rows = 0
        n_found = 0
        for h in range(group_first[g], group_first[g + 1]):
            if h == group_first[g] or row_key[h] != row_key[h - 1]:
                n_rows += 1
            if group_of[column_key[h]] != g:
                group_of[column_key[h]] = g
                number_of[column_key[h]] = n_found
                n_found += 1
            column[h] = number_of[column_key[h]]
        numbers[g] = n_found
        if n_rows > 1:
            any_rows = True
            is_column[g] = n_found == 1
            is_wide[g] = n_found > 1
    return any_rows
