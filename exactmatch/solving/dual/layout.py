# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The grouped relaxation of a matching problem, laid out in arrays.

Each term of two or more pairs is divided into *shares*, one for each of its pairs (candidates). The
shares of a term are linked in a *ring*. Of one candidate's terms, a mapping scores at most one for
the same other left variables (a *row*) and at most one for the same other right variables (a
*column*). A *group* is a set of shares of a candidate that rows and columns connect, so that what
the candidate is worth is a sum over its groups; most groups have one row or one column, and of
these one share at most counts.

An example of four terms, 0 to 3, and five candidates, a to e:

    0: {(0, 0), (1, 1)}     a = (0, 0)     Shares are numbered by candidate and group, and within
    1: {(0, 0), (1, 2)}     b = (1, 1)     a group by row and column. The ring of term 0 leads from
    2: {(0, 0), (2, 1)}     c = (1, 2)     share 0 to 4 and back; of term 1, from 1 to 5; of term 2,
    3: {(0, 0), (3, 3)}     d = (2, 1)     from 2 to 6; of term 3, from 3 to 7.
                            e = (3, 3)

    a       column 1  column 2  column 3        b       column 0
    row 1   share 0   share 1            } 0    row 0   share 4   } group 2
    row 2   share 2                      } 0
    row 3                       share 3  } 1    c, d, e: likewise, shares 5 to 7, groups 3 to 5

Of group 0, a mapping that holds a scores share 0 alone, or both 1 and 2, which have neither row nor
column in common: a group of several rows and columns is *wide*. Group 1 has one of each.

This is level 1 of Adams and Johnson (1994), kept sparse: `MatchingProblem.grouped_rows` are its
rows and columns.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from typing import Any

import cython

from exactmatch.problem import MatchingProblem, Pair, TermArrays
from exactmatch.problem.integers import as_integers, ascending, integers, zeros
from exactmatch.solving.dual.clique_rows import CliqueRows
from exactmatch.solving.dual.grouping import Members, count_up_to, group_shares, number_columns
from exactmatch.solving.dual.lagrangian import Dual
from exactmatch.solving.dual.primal_heuristic import PrimalHeuristic
from exactmatch.solving.dual.subgradient import Subgradient
from exactmatch.stopping.deadline import Deadline


class Relaxation:
    """The arrays, by candidate, group and share, of *problem*.

    Candidates are those of the problem, in its order. The shares of candidate c are
    ``share_start[c] .. share_start[c + 1] - 1``, its groups ``group_start[c] ..``, and the shares
    of group g ``group_first[g] ..``, each up to where the next one begins.

    origin: the position of each candidate in the relaxation that this is a part of.
    own: the weight of the terms of each candidate alone.
    holder: the candidate of each share. weight: the weight of its term.
    row_key, column_key: of each share, the keys of the other left and of the other right variables.
    ring: the next share of the same term, cyclically.
    terms: the first share of each term of several pairs; term_of: the number of that term in the
        problem. Both ascend with the terms.
    first: where the candidates of each left variable begin; right: the right variable of each.
    rows, columns: for groups with several rows and columns, by group, where each row begins and
        the number of columns; column: by share, its column in such a group.
    is_column: by group, whether it has several rows and one column.
    no_local: zeros, by share, if there are no groups of several rows; else None.
    unit, charged: times *unit*, a mapping scores up to *charged* more than weights say, after
        `reweighted`; added: sets of pairs that have become terms there, and how many terms of the
        whole problem come before each.

    Raises `OutOfTime` if *deadline* comes first; the deadline also applies to all later calls.
    """

    weight: Any
    ring: Any
    terms: Any
    _scores: Any
    #: With other weights than mappings score, this relaxation with those.
    _plain: "Relaxation | None" = None

    def __init__(
        self,
        problem: MatchingProblem,
        deadline: Deadline = Deadline(),  # noqa: B008 (it is immutable)
    ) -> None:
        self.deadline = deadline
        self.unit, self.charged = 1, 0
        self.added: dict[tuple[Pair, ...], int] = {}
        self.whole = problem
        self.n_left = problem.n_left
        self.n_right = problem.n_right
        weight, start, left, right = map(as_integers, problem.arrays)
        members = Members(len(weight), len(left))
        self.left, self.right = members.number_pairs(left, right, self.n_left, self.n_right)
        self.origin = ascending(len(self.left))
        own = zeros(len(self.left))
        members.divide(weight, start, left, right, own)
        n_keys = max(self.n_left, self.n_right)
        if members.large:
            n_keys += members.number_others(start, left, right, n_keys, deadline)
        self._lay_out(own, members, n_keys)

    @property
    def plain(self) -> "Relaxation":
        """This relaxation, with the weights that mappings score."""
        return self._plain or self

    @cached_property
    def candidates(self) -> Sequence[Pair]:
        """The left and the right variable of each candidate."""
        return list(zip(self.left, self.right, strict=True))

    def without(self, candidates: Iterable[int]) -> "Relaxation":
        """Return the relaxation of the problem without some candidates."""
        n_candidates = len(self.left)
        is_kept = integers([1]) * n_candidates
        for c in candidates:
            is_kept[c] = 0
        rest = Relaxation.__new__(Relaxation)
        rest.deadline, rest.whole = self.deadline, self.whole
        rest.n_left, rest.n_right = self.n_left, self.n_right
        rest.unit, rest.charged, rest.added = self.unit, self.charged, self.added
        members = Members(len(self.terms), len(self.ring))
        is_used = self.plain.own[:]
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
        if self._plain is not None:
            rest._score_by(integers([self._plain.own[c] for c in kept]))
        return rest

    def reweighted(
        self, own: Any, weight: Any, unit: int, charged: int, sets: Iterable[tuple[Pair, ...]]
    ) -> "Relaxation":
        """Return this relaxation with other weights, *own* by candidate and *weight* by share.

        Times *unit*, a mapping scores up to *charged* more than by these. Of the *sets* that have
        other weights now, some of single pairs may have been no terms; they are *added*.
        """
        rest = copy(self)
        rest.unit, rest.charged = unit * self.unit, unit * self.charged + charged
        rest.own, rest.weight = own, weight
        rest.added = dict(self.added)
        n_terms = self.whole.n_terms
        singles: set[tuple[Pair, ...]] = {pairs for pairs in sets if len(pairs) == 1}
        for pairs in singles - self.added.keys():
            t = bisect_left(range(n_terms), pairs, key=self.whole.pairs_of)
            if t == n_terms or self.whole.pairs_of(t) != pairs:
                rest.added[pairs] = t
        rest._score_by(self.plain.own)
        return rest

    @property
    def numbers(self) -> Any:
        """The numbers of the terms as in proofs, which also count added terms."""
        if not self.added:
            return self.term_of
        places = sorted(self.added.values())
        return integers([t + bisect_right(places, t) for t in self.term_of])

    def _score_by(self, own: Any) -> None:
        """Let mappings score the terms of the whole problem, and *own* by candidate."""
        plain = copy(self)
        plain.own = own
        plain.weight = zeros(len(self.ring))
        _weigh(plain, as_integers(self.whole.arrays.weight), plain.weight)
        plain._plain, plain._scores = None, _Scores(plain)
        self._plain = plain
        self.total = sum(map(abs, self.own)) + sum(self.weight[first] for first in self.terms)

    @property
    def problem(self) -> MatchingProblem:
        """The problem behind this relaxation: the whole one, or the remaining part."""
        candidates = set(self.candidates)
        weight, start, left, right = self.whole.arrays
        is_held = bytes([pair in candidates for pair in zip(left, right, strict=True)])
        weights, starts, lefts, rights = integers([]), integers([0]), integers([]), integers([])
        for t, each in enumerate(weight):
            span = slice(start[t], start[t + 1])
            if 0 not in is_held[span]:
                weights.append(each)
                lefts.extend(left[span])
                rights.extend(right[span])
                starts.append(len(lefts))
        arrays = TermArrays(weights, starts, lefts, rights)
        return MatchingProblem.of(self.n_left, self.n_right, arrays)

    def dual(self, scale: int) -> Any:
        """Return a `Dual` of this relaxation, in units of 1 / *scale*."""
        return Dual(self, scale)

    def subgradient(self, dual: Any) -> Any:
        """Return the `Subgradient` steps of a *dual* of this relaxation."""
        return Subgradient(self, dual)

    def primal_heuristic(self, deadline: Deadline) -> Any:
        """Return a `PrimalHeuristic` for mappings of this problem, which stops at *deadline*."""
        return PrimalHeuristic(self.plain, deadline)

    def clique_rows(self, dual: Any, averages: Any, cliques: Sequence[Sequence[int]]) -> Any:
        """Return `CliqueRows` for a *dual* of this relaxation and its averaged primal."""
        return CliqueRows(self, dual, averages, cliques)

    def value(self, chosen: Any) -> int:
        """Return the score of the mapping of *chosen* candidates: 1 or 0, by candidate."""
        return int(self.plain._scores.value(chosen))

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
        """Return values by share in the order of the terms, and of the pairs of each term."""
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

    def _lay_out(self, own: Any, members: "Members", n_keys: int) -> None:
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
        count_up_to(self.left, self.first)
        group_first = zeros(n_shares + 1)
        n_groups = group_shares(self, members, n_keys, group_first)
        self.group_first = group_first[: n_groups + 1]
        self._find_wide_groups()
        self._scores = _Scores(self)

    def _find_wide_groups(self) -> None:
        """Number rows and columns of the groups that have several."""
        n_groups = len(self.group_first) - 1
        self.column = zeros(len(self.ring))
        self.is_column = zeros(n_groups)
        n_columns = zeros(n_groups)
        n_wide = number_columns(self, n_columns)
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


@cython.final
@cython.cclass
class _Scores:
    """The scores of mappings in *relaxation*."""

    own: cython.longlong[::1]
    holder: cython.longlong[::1]
    weight: cython.longlong[::1]
    ring: cython.longlong[::1]
    terms: cython.longlong[::1]

    def __init__(self, relaxation: Any) -> None:
        self.own = relaxation.own
        self.holder = relaxation.holder
        self.weight = relaxation.weight
        self.ring = relaxation.ring
        self.terms = relaxation.terms

    def value(self, chosen: Any) -> int:
        c: cython.Py_ssize_t
        t: cython.Py_ssize_t
        h: cython.longlong
        total: cython.longlong = 0
        flag: cython.longlong[::1] = chosen
        for c in range(len(flag)):
            if flag[c]:
                total += self.own[c]
        for t in range(len(self.terms)):
            h = self.terms[t]
            while flag[self.holder[h]]:
                h = self.ring[h]
                if h == self.terms[t]:
                    total += self.weight[h]
                    break
        return total


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


def _weigh(relaxation: Any, weights: Any, into: Any) -> None:
    """Fill *into*, by share, with the weight of its term, which *weights* has by number."""
    t: cython.Py_ssize_t
    h: cython.longlong
    each: cython.longlong
    target: cython.longlong[::1] = into
    weight: cython.longlong[::1] = weights
    number: cython.longlong[::1] = relaxation.term_of
    firsts: cython.longlong[::1] = relaxation.terms
    ring: cython.longlong[::1] = relaxation.ring
    for t in range(len(firsts)):
        each = weight[number[t]]
        h = firsts[t]
        while True:
            target[h] = each
            h = ring[h]
            if h == firsts[t]:
                break


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
