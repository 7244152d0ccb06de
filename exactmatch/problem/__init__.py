"""The matching problem, to which alignment-based metrics are reduced, and which solvers solve."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as AbstractMapping
from functools import cached_property
from itertools import accumulate, islice
from typing import NamedTuple, Self

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


class TermArrays(NamedTuple):
    """Terms as sequences of integers; compiled code makes arrays of 64 bits.

    weight: by term. start: where the pairs of each term begin, and where the last ones end.
    left, right: by pair.
    """

    weight: Sequence[int]
    start: Sequence[int]
    left: Sequence[int]
    right: Sequence[int]


class Row(NamedTuple):
    """A candidate and terms that hold it, by position; a mapping scores at most one of them."""

    candidate: int
    terms: tuple[int, ...]


class MatchingProblem:
    """The problem to find the one-to-one, partial mapping of the highest score.

    Left variables are ``0 .. n_left - 1``, right variables ``0 .. n_right - 1``. No two terms have
    the same pairs. Weights are positive integers of any size. A problem is never changed.
    """

    def __init__(self, n_left: int, n_right: int, terms: Iterable[Term]) -> None:
        """Take the terms. Raises `ValueError` for a weight that is no `int` above 0.

        Integers of numpy are refused: they overflow.
        """
        self.n_left = n_left
        self.n_right = n_right
        self.terms = tuple(terms)
        for term in self.terms:
            if type(term.weight) is not int or term.weight <= 0:
                raise ValueError(f"{term}: its weight must be a positive int")

    @classmethod
    def of(cls, n_left: int, n_right: int, arrays: TermArrays) -> Self:
        """Return the problem of terms in arrays, which are not checked."""
        problem = cls.__new__(cls)
        problem.n_left = n_left
        problem.n_right = n_right
        problem.arrays = arrays
        return problem

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatchingProblem):
            return NotImplemented
        sizes, others = (self.n_left, self.n_right), (other.n_left, other.n_right)
        return sizes == others and self.terms == other.terms

    def __hash__(self) -> int:
        return hash((self.n_left, self.n_right, self.terms))

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The terms as objects: for encodings, and for access to single terms."""
        return tuple(self.each_term())

    @cached_property
    def arrays(self) -> TermArrays:
        """The terms in arrays: for the dual, and for the check of its proofs."""
        pairs = [pair for term in self.terms for pair in term.pairs]
        return TermArrays(
            weight=[term.weight for term in self.terms],
            start=[0, *accumulate(len(term.pairs) for term in self.terms)],
            left=[left for left, _ in pairs],
            right=[right for _, right in pairs],
        )

    def each_term(self) -> Iterator[Term]:
        """Yield the terms as objects, which are not kept: of a document there may be a million."""
        weight, start, left, right = self.arrays
        pairs = zip(left, right, strict=True)
        for each, first, end in zip(weight, start, islice(start, 1, None), strict=False):
            yield Term(each, tuple(islice(pairs, end - first)))

    @cached_property
    def largest_term(self) -> int:
        """The number of pairs of the largest term, or 0."""
        start = self.arrays.start
        return max((start[t + 1] - start[t] for t in range(len(start) - 1)), default=0)

    def pairs_of(self, t: int) -> tuple[Pair, ...]:
        """Return the pairs of term *t*, without making the others."""
        _, start, left, right = self.arrays
        span = slice(start[t], start[t + 1])
        return tuple(zip(left[span], right[span], strict=True))

    @property
    def n_terms(self) -> int:
        """The number of terms."""
        return len(self.arrays.weight)

    @property
    def total(self) -> int:
        """The weight of all terms."""
        return sum(self.arrays.weight)

    def value(self, mapping: Mapping) -> int:
        """Return the total weight of the terms that *mapping* scores."""
        weight, start, left, right = self.arrays
        # 1 or 0: bytes does not take the truth values of numpy, which its integers compare to.
        holds = bytes([1 if mapping.get(i) == j else 0 for i, j in zip(left, right, strict=True)])
        spans = zip(weight, start, islice(start, 1, None), strict=False)
        return sum([each for each, first, end in spans if 0 not in holds[first:end]])

    @cached_property
    def candidates(self) -> tuple[Pair, ...]:
        """All pairs that occur in a term, sorted: no other pair can change the score."""
        return tuple(sorted(set(zip(self.arrays.left, self.arrays.right, strict=True))))

    @cached_property
    def terms_of(self) -> tuple[tuple[int, ...], ...]:
        """For each candidate, the positions in *terms* of the terms that hold it."""
        position = {pair: c for c, pair in enumerate(self.candidates)}
        terms_of: list[list[int]] = [[] for _ in self.candidates]
        for t, term in enumerate(self.terms):
            for pair in term.pairs:
                terms_of[position[pair]].append(t)
        return tuple(map(tuple, terms_of))

    @cached_property
    def rivals(self) -> tuple[tuple[int, ...], ...]:
        """The sets of candidates that share a variable: a mapping holds at most one of each set."""
        sharing: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for c, (left, right) in enumerate(self.candidates):
            sharing["left", left].append(c)
            sharing["right", right].append(c)
        return tuple(tuple(group) for group in sharing.values() if len(group) > 1)

    @cached_property
    def grouped_rows(self) -> tuple[Row, ...]:
        """Rows of a candidate and terms: at most one of the terms is scored, and none without it.

        For a candidate and other left variables, the terms are those that hold the candidate and
        differ in the images of those variables; and the same with left and right exchanged. Adams
        and Johnson (1994), level 1, kept sparse.
        """
        rows: defaultdict[tuple[Pair, int, tuple[int, ...]], list[int]] = defaultdict(list)
        for t, (_, pairs) in enumerate(self.terms):
            for pair in pairs if len(pairs) > 1 else ():
                for side in (0, 1):
                    rows[pair, side, others(pairs, pair, side)].append(t)
        position = {pair: c for c, pair in enumerate(self.candidates)}
        grouped = (Row(position[pair], tuple(terms)) for (pair, _, _), terms in rows.items())
        return tuple(dict.fromkeys(grouped))

    @cached_property
    def undominated_rows(self) -> tuple[Row, ...]:
        """The grouped rows without those whose terms are all in another row of the same candidate.

        Linear programs keep their solutions without these, and are solved in half the time.
        """
        holding: defaultdict[tuple[int, int], list[frozenset[int]]] = defaultdict(list)
        for candidate, terms in self.grouped_rows:
            held = frozenset(terms)
            for t in terms:
                holding[candidate, t].append(held)
        return tuple(
            row
            for row in self.grouped_rows
            if not any({*row.terms} < held for held in holding[row.candidate, row.terms[0]])
        )


def others(pairs: Sequence[Pair], pair: Pair, side: int) -> tuple[int, ...]:
    """Return the left (*side* 0) or right (1) variables of *pairs* except *pair*, sorted."""
    if len(pairs) == 2:
        return (pairs[1][side] if pairs[0] == pair else pairs[0][side],)
    return tuple(sorted(other[side] for other in pairs if other != pair))
