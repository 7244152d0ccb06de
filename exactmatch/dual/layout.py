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

from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Pair, others

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
        candidate = zeros(len(left))
        self.left, self.right = _number_pairs(left, right, self.n_left, self.n_right, candidate)
        self.origin = integers(range(len(self.left)))
        own = zeros(len(self.left))
        members = _Members(len(weight), len(left))
        _divide(weight, start, left, right, candidate, own, members)
        n_keys = max(self.n_left, self.n_right)
        if members.large:
            n_keys += _number_others(members, start, left, right, n_keys, deadline)
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
        _collect(self, is_kept, is_used, members)
        kept = [c for c in range(n_candidates) if is_kept[c] and is_used[c]]
        rest.origin = integers(kept)
        rest.left = integers([self.left[c] for c in kept])
        rest.right = integers([self.right[c] for c in kept])
        number = zeros(n_candidates)
        for new, c in enumerate(kept):
            number[c] = new
        members.candidate = integers([number[c] for c in members.candidate])
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
        n_candidates = len(self.left)
        self.own = own
        self.total = sum(own) + sum(members.weight)
        self._n_keys = n_keys
        self.first = _starts(self.left, self.n_left)
        self.term_of = members.number
        order, self.share_start = _sorted(members, n_candidates, n_keys)
        n_shares = len(order)
        self.group_start = zeros(n_candidates + 1)
        group_first = zeros(n_shares + 1)
        place = zeros(n_shares)
        n_groups = _group(self, order, members, n_keys, group_first, place)
        self.group_first = group_first[: n_groups + 1]
        self.holder, self.weight, self.ring = zeros(n_shares), zeros(n_shares), zeros(n_shares)
        self.row_key, self.column_key = zeros(n_shares), zeros(n_shares)
        self.terms = zeros(len(members.number))
        _scatter(self, place, members)
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
    large: the terms of three or more pairs, as they are counted here; their rows and columns are
        numbered last.
    """

    def __init__(self, n_terms: int, n_pairs: int) -> None:
        self.candidate, self.row, self.column = zeros(n_pairs), zeros(n_pairs), zeros(n_pairs)
        self.end, self.number, self.weight = zeros(n_terms), zeros(n_terms), zeros(n_terms)
        self.large: list[int] = []

    def cut(self, n_terms: int, n_pairs: int) -> None:
        """Keep so many terms and pairs: there were no more."""
        self.candidate, self.row = self.candidate[:n_pairs], self.row[:n_pairs]
        self.column = self.column[:n_pairs]
        self.end, self.number = self.end[:n_terms], self.number[:n_terms]
        self.weight = self.weight[:n_terms]


def _number_pairs(lefts: Any, rights: Any, n_left: int, n_right: int, candidate: Any) -> Any:
    """Return the left and the right variables of the different pairs, sorted.

    Fills *candidate* with the number of each of the pairs given.
    """
    k: cython.Py_ssize_t
    m: cython.longlong
    n_found: cython.Py_ssize_t = 0
    left: cython.longlong[::1] = lefts
    right: cython.longlong[::1] = rights
    number: cython.longlong[::1] = candidate
    order = _sorted_by(rights, n_right, integers(range(len(lefts))))
    members: cython.longlong[::1] = _sorted_by(lefts, n_left, order)
    found_left, found_right = zeros(len(left)), zeros(len(left))
    new_left: cython.longlong[::1] = found_left
    new_right: cython.longlong[::1] = found_right
    for k in range(len(members)):
        m = members[k]
        if (
            n_found == 0
            or new_left[n_found - 1] != left[m]
            or new_right[n_found - 1] != right[m]
        ):
            new_left[n_found] = left[m]
            new_right[n_found] = right[m]
            n_found += 1
        number[m] = n_found - 1
    return found_left[:n_found], found_right[:n_found]


def _divide(
    all_weights: Any,
    starts: Any,
    lefts: Any,
    rights: Any,
    candidates: Any,
    all_own: Any,
    members: _Members,
) -> None:
    """Hand the terms of one pair to their candidates, and make *members* of the others."""
    t: cython.Py_ssize_t
    k: cython.longlong
    m: cython.longlong
    size: cython.longlong
    n_terms: cython.Py_ssize_t = 0
    n_pairs: cython.Py_ssize_t = 0
    weight: cython.longlong[::1] = all_weights
    start: cython.longlong[::1] = starts
    left: cython.longlong[::1] = lefts
    right: cython.longlong[::1] = rights
    candidate: cython.longlong[::1] = candidates
    own: cython.longlong[::1] = all_own
    holder: cython.longlong[::1] = members.candidate
    row: cython.longlong[::1] = members.row
    column: cython.longlong[::1] = members.column
    end: cython.longlong[::1] = members.end
    number: cython.longlong[::1] = members.number
    new_weight: cython.longlong[::1] = members.weight
    for t in range(len(weight)):
        m = start[t]
        size = start[t + 1] - m
        if size == 1:
            own[candidate[m]] = weight[t]
        if size < 2:
            continue
        if size == 2:
            row[n_pairs] = left[m + 1]
            row[n_pairs + 1] = left[m]
            column[n_pairs] = right[m + 1]
            column[n_pairs + 1] = right[m]
        else:
            members.large.append(n_terms)
        for k in range(m, m + size):
            holder[n_pairs] = candidate[k]
            n_pairs += 1
        end[n_terms] = n_pairs
        number[n_terms] = t
        new_weight[n_terms] = weight[t]
        n_terms += 1
    members.cut(n_terms, n_pairs)


def _number_others(
    members: _Members, start: Any, left: Any, right: Any, least: int, deadline: Deadline
) -> int:
    """Number the rows and columns of large terms, from *least* on; return how many there are."""
    keys: dict[tuple[int, tuple[int, ...]], int] = {}
    for k, t in enumerate(members.large):
        if k % _INTERVAL == _INTERVAL - 1:
            deadline.check()
        first, end = start[members.number[t]], start[members.number[t] + 1]
        pairs = list(zip(left[first:end], right[first:end], strict=True))
        m = members.end[t] - len(pairs)
        for pair in pairs:
            for side, into in ((0, members.row), (1, members.column)):
                key = (side, others(pairs, pair, side))
                into[m] = keys.setdefault(key, least + len(keys))
            m += 1
    return len(keys)


def _collect(relaxation: Any, is_kept: Any, is_used: Any, members: _Members) -> None:
    """Add the terms of *relaxation* whose pairs are all kept; note which candidates they use."""
    t: cython.Py_ssize_t
    h: cython.longlong
    first: cython.longlong
    n_terms: cython.Py_ssize_t = 0
    n_pairs: cython.Py_ssize_t = 0
    holder: cython.longlong[::1] = relaxation.holder
    ring: cython.longlong[::1] = relaxation.ring
    terms: cython.longlong[::1] = relaxation.terms
    weight: cython.longlong[::1] = relaxation.weight
    row: cython.longlong[::1] = relaxation.row_key
    column: cython.longlong[::1] = relaxation.column_key
    number: cython.longlong[::1] = relaxation.term_of
    kept: cython.longlong[::1] = is_kept
    used: cython.longlong[::1] = is_used
    new_candidate: cython.longlong[::1] = members.candidate
    new_row: cython.longlong[::1] = members.row
    new_column: cython.longlong[::1] = members.column
    end: cython.longlong[::1] = members.end
    new_number: cython.longlong[::1] = members.number
    new_weight: cython.longlong[::1] = members.weight
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
            new_candidate[n_pairs] = holder[h]
            new_row[n_pairs] = row[h]
            new_column[n_pairs] = column[h]
            n_pairs += 1
            h = ring[h]
            if h == first:
                break
        end[n_terms] = n_pairs
        new_number[n_terms] = number[t]
        new_weight[n_terms] = weight[first]
        n_terms += 1
    members.cut(n_terms, n_pairs)


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


def _sorted(members: _Members, n_candidates: int, n_keys: int) -> Any:
    """Return the positions of members, sorted by candidate, row, column and position.

    And where each candidate begins among them.
    """
    order = _sorted_by(members.column, n_keys, integers(range(len(members.column))))
    order = _sorted_by(members.row, n_keys, order)
    order = _sorted_by(members.candidate, n_candidates, order)
    return order, _starts(members.candidate, n_candidates)


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
    members: _Members,
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
    member: cython.longlong[::1] = order
    row_of: cython.longlong[::1] = members.row
    column_of: cython.longlong[::1] = members.column
    share_start: cython.longlong[::1] = relaxation.share_start
    group_start: cython.longlong[::1] = relaxation.group_start
    firsts: cython.longlong[::1] = group_first
    places: cython.longlong[::1] = place
    parent: cython.longlong[::1] = zeros(len(member))  # by position in *order*
    size: cython.longlong[::1] = zeros(len(member) + 1)
    last_row: cython.longlong[::1] = integers([-1]) * n_keys
    last_column: cython.longlong[::1] = integers([-1]) * n_keys
    for c in range(len(share_start) - 1):
        for k in range(share_start[c], share_start[c + 1]):
            m = member[k]
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
            places[member[k]] = size[root]
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


def _scatter(relaxation: Any, place: Any, members: _Members) -> None:
    """Put what is known of members where their shares are, and link those of a term."""
    t: cython.Py_ssize_t
    m: cython.longlong
    h: cython.longlong
    start: cython.longlong = 0
    places: cython.longlong[::1] = place
    candidates: cython.longlong[::1] = members.candidate
    rows: cython.longlong[::1] = members.row
    columns: cython.longlong[::1] = members.column
    ends: cython.longlong[::1] = members.end
    weights: cython.longlong[::1] = members.weight
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
