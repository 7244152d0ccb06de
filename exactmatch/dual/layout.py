# cython: language_level=3
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

from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, others

from .integers import integers, zeros
from .lagrangian import Dual
from .primal_heuristic import PrimalHeuristic

#: A share while it is laid out: other left variables, other right variables, and its term.
_Share = tuple[tuple[int, ...], tuple[int, ...], int]

#: Terms or candidates laid out between two looks at the clock.
_INTERVAL = 1000


class Relaxation:
    """The arrays, by candidate, group and share, of *problem*.

    Candidates are those of the problem, in its order. The shares of candidate c are
    ``share_start[c] .. share_start[c + 1] - 1``, its groups ``group_start[c] ..``, and the shares
    of group g ``group_first[g] ..``, each up to where the next one begins.

    own: the weight of the terms of each candidate alone.
    holder: the candidate of each share. weight: the weight of its term.
    ring: the next share of the same term, round in a circle.
    terms: the first share of each term of several pairs; term_of: the number of that term, in the
        problem or, if this is what is left of a larger one, in that one.
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
        numbers: Sequence[int] | None = None,
    ) -> None:
        self.problem = problem
        self.deadline = deadline
        self._numbers = numbers
        self.candidates = problem.candidates
        self.n_left = problem.n_left
        self.n_right = problem.n_right
        self.total = sum(abs(term.weight) for term in problem.terms)
        position = {pair: c for c, pair in enumerate(self.candidates)}
        self.own = zeros(len(position))
        found: list[list[_Share]] = [[] for _ in self.candidates]
        for t, (weight, pairs) in enumerate(problem.terms):
            if t % _INTERVAL == _INTERVAL - 1:
                deadline.check()
            if len(pairs) == 1:
                self.own[position[pairs[0]]] = weight
                continue
            if len(pairs) == 2:  # the same as below, only faster
                one, two = pairs
                found[position[one]].append((two[:1], two[1:], t))
                found[position[two]].append((one[:1], one[1:], t))
                continue
            for pair in pairs:
                found[position[pair]].append((others(pairs, pair, 0), others(pairs, pair, 1), t))
        self._lay_out_candidates()
        self._lay_out_shares(problem, found)

    def without(self, candidates: Iterable[int]) -> "Relaxation":
        """Return the relaxation of what is left of the problem without some candidates."""
        gone = {self.candidates[c] for c in candidates}
        terms = self.problem.terms
        kept = [t for t, term in enumerate(terms) if gone.isdisjoint(term.pairs)]
        numbers = kept if self._numbers is None else [self._numbers[t] for t in kept]
        rest = replace(self.problem, terms=tuple(terms[t] for t in kept))
        return Relaxation(rest, self.deadline, numbers)

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
        k = 0
        for first in self.terms:
            for h in self.members(first):
                found[k] = values[h]
                k += 1
        return found

    def taken_over(self, shares: Any, larger: "Relaxation", times: int) -> Any:
        """Return the shares here that are *times* those of the same terms in a *larger* relaxation.

        The total of this one may be so much smaller that its scale is *times* as large.
        """
        first_of = dict(zip(larger.term_of, larger.terms, strict=True))
        found = zeros(len(self.ring))
        for first, t in zip(self.terms, self.term_of, strict=True):
            for h, other in zip(self.members(first), larger.members(first_of[t]), strict=True):
                found[h] = times * shares[other]
        return found

    def _lay_out_candidates(self) -> None:
        first = [0] * (self.n_left + 1)
        for left, _ in self.candidates:
            first[left + 1] += 1
        for left in range(self.n_left):
            first[left + 1] += first[left]
        self.first = integers(first)
        self.left = integers([left for left, _ in self.candidates])
        self.right = integers([right for _, right in self.candidates])

    def _lay_out_shares(self, problem: MatchingProblem, found: list[list[_Share]]) -> None:
        share_start, group_start, group_first = [0], [0], [0]
        holder: list[int] = []
        term_of: list[int] = []
        self.column = zeros(sum(map(len, found)))
        self.rows: dict[int, tuple[Any, int]] = {}
        columns: list[int] = []
        for c, shares in enumerate(found):
            if c % _INTERVAL == _INTERVAL - 1:
                self.deadline.check()
            for group in _groups(shares):
                if len(group) > 1 and self._lay_out_group(len(group_first) - 1, len(holder), group):
                    columns.append(len(group_first) - 1)
                for _, _, t in group:
                    holder.append(c)
                    term_of.append(t)
                group_first.append(len(holder))
            share_start.append(len(holder))
            group_start.append(len(group_first) - 1)
        self.share_start = integers(share_start)
        self.group_start = integers(group_start)
        self.group_first = integers(group_first)
        self.is_column = zeros(len(group_first) - 1)
        for g in columns:
            self.is_column[g] = 1
        self.no_local = None if columns or self.rows else zeros(len(holder))
        self.holder = integers(holder)
        self.weight = integers([problem.terms[t].weight for t in term_of])
        self._link(term_of)

    def _lay_out_group(self, group: int, start: int, shares: list[_Share]) -> bool:
        """Number rows and columns of a group that begins at share *start*, if it has several.

        Returns whether it has several rows and one column.
        """
        columns: dict[tuple[int, ...], int] = {}
        begins = []
        last = None
        for h, (row, column, _) in enumerate(shares, start):
            if row != last:
                begins.append(h)
                last = row
            self.column[h] = columns.setdefault(column, len(columns))
        if len(begins) > 1 and len(columns) > 1:
            begins.append(start + len(shares))
            self.rows[group] = (integers(begins), len(columns))
        return len(begins) > 1 and len(columns) == 1

    def _link(self, term_of: list[int]) -> None:
        members: dict[int, list[int]] = {}
        for h, t in enumerate(term_of):
            members.setdefault(t, []).append(h)
        self.ring = zeros(len(term_of))
        for shares in members.values():
            for k, h in enumerate(shares):
                self.ring[shares[k - 1]] = h
        self.term_of = [t if self._numbers is None else self._numbers[t] for t in members]
        self.terms = integers([shares[0] for shares in members.values()])


def _groups(shares: list[_Share]) -> list[list[_Share]]:
    """Return *shares* in groups that have neither row nor column in common, each sorted."""
    if len(shares) < 2:
        return [shares] if shares else []
    by_key: dict[tuple[int, tuple[int, ...]], list[_Share]] = {}
    for share in shares:
        by_key.setdefault((0, share[0]), []).append(share)
        by_key.setdefault((1, share[1]), []).append(share)
    if len(by_key) == 2 * len(shares):
        return [[share] for share in shares]
    groups = []
    seen: set[int] = set()
    for share in shares:
        if share[2] in seen:
            continue
        seen.add(share[2])
        group = [share]
        for row, column, _ in group:  # grows while it is gone through
            for neighbour in by_key.pop((0, row), []) + by_key.pop((1, column), []):
                if neighbour[2] not in seen:
                    seen.add(neighbour[2])
                    group.append(neighbour)
        groups.append(sorted(group))
    return groups
