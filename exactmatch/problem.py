"""The matching problem: what alignment-based metrics come down to, and all that solvers see."""

from collections import defaultdict
from collections.abc import Mapping as AbstractMapping
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

#: A left and a right variable.
Pair = tuple[int, int]

#: A one-to-one and partial assignment of right variables to left variables.
Mapping = AbstractMapping[int, int]


class Term(NamedTuple):
    """A weight that a mapping scores if it holds all *pairs*.

    The pairs are sorted, and no left and no right variable occurs twice in them.
    """

    weight: int
    pairs: tuple[Pair, ...]


class Row(NamedTuple):
    """A candidate and terms that hold it, by position; no mapping scores two of them."""

    candidate: int
    terms: tuple[int, ...]


@dataclass(frozen=True)
class MatchingProblem:
    """Find the one-to-one, partial mapping of left to right variables of the highest score.

    Left variables are ``0 .. n_left - 1``, right variables ``0 .. n_right - 1``. No two terms
    have the same pairs. Weights are positive integers.
    """

    n_left: int
    n_right: int
    terms: tuple[Term, ...]

    def value(self, mapping: Mapping) -> int:
        """Return the total weight of the terms that *mapping* scores."""
        return sum(
            weight
            for weight, pairs in self.terms
            if all(mapping.get(left) == right for left, right in pairs)
        )

    @cached_property
    def candidates(self) -> tuple[Pair, ...]:
        """All pairs that occur in a term, sorted: no other pair can change the score."""
        return tuple(sorted({pair for term in self.terms for pair in term.pairs}))

    @cached_property
    def terms_of(self) -> tuple[tuple[int, ...], ...]:
        """For each candidate, the positions in *terms* of the terms that hold it."""
        position = {pair: c for c, pair in enumerate(self.candidates)}
        found: list[list[int]] = [[] for _ in self.candidates]
        for t, term in enumerate(self.terms):
            for pair in term.pairs:
                found[position[pair]].append(t)
        return tuple(map(tuple, found))

    @cached_property
    def rivals(self) -> tuple[tuple[int, ...], ...]:
        """The sets of candidates that share a variable: a mapping holds one of each at most."""
        sharing: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for c, (left, right) in enumerate(self.candidates):
            sharing["left", left].append(c)
            sharing["right", right].append(c)
        return tuple(tuple(group) for group in sharing.values() if len(group) > 1)

    @cached_property
    def grouped_rows(self) -> tuple[Row, ...]:
        """Candidates, each with terms of which at most one is scored, and none without it.

        For a candidate and some other left variables, these are the terms that hold it and
        differ in the images of those variables; and the same with left and right exchanged.
        Adams and Johnson (1994), level 1, kept sparse.
        """
        rows: defaultdict[tuple[Pair, int, tuple[int, ...]], list[int]] = defaultdict(list)
        for t, (_, pairs) in enumerate(self.terms):
            for pair in pairs if len(pairs) > 1 else ():
                for side in (0, 1):
                    rows[pair, side, others(pairs, pair, side)].append(t)
        position = {pair: c for c, pair in enumerate(self.candidates)}
        found = (Row(position[pair], tuple(terms)) for (pair, _, _), terms in rows.items())
        return tuple(dict.fromkeys(found))


def others(pairs: Sequence[Pair], pair: Pair, side: int) -> tuple[int, ...]:
    """Return the left (*side* 0) or right (1) variables of *pairs* but that of *pair*, sorted."""
    if len(pairs) == 2:
        return (pairs[1][side] if pairs[0] == pair else pairs[0][side],)
    return tuple(sorted(other[side] for other in pairs if other != pair))
