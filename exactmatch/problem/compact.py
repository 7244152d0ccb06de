"""The matching problem without listing its terms, for graphs that would make too many.

Every left triple and right triple that could match are a term. Here, time and memory are
proportional to the triples of the graphs, not to the pairs of triples.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Occurrence(NamedTuple):
    """The positions of a triple's variables, each once and in order, and how often it occurs."""

    variables: tuple[int, ...]
    times: int


class Kind(NamedTuple):
    """Triples of both graphs, any two of which can match, with the value *worth*.

    All have the same number of variables, at least one, and no two of a graph have the same ones.
    *is_equal* tells that the triples are equal except for their variables, and not just similar.
    """

    worth: int
    left: Sequence[Occurrence]
    right: Sequence[Occurrence]
    is_equal: bool

    @property
    def size(self) -> int:
        """The number of variables of each triple."""
        return len(self.left[0].variables)


class Size(NamedTuple):
    """Upper bounds on the *candidates* and *terms* of a problem."""

    candidates: int
    terms: int


@dataclass(frozen=True)
class CompactProblem:
    """The content of an `exactmatch.problem.MatchingProblem`, in the size of the graphs.

    If a mapping takes the variables of a left triple to those of a right one of its kind, it scores
    the worth of the kind times the *credit* of the numbers of occurrences of the two. A negative
    worth reduces that of another kind of the same triples.
    """

    n_left: int
    n_right: int
    kinds: Sequence[Kind]
    credit: Callable[[int, int], int]

    def value(self, mapping: Mapping[int, int]) -> int:
        """Return the score of a one-to-one *mapping* of positions."""
        total = 0
        for worth, left, right, _ in self.kinds:
            wanted = dict(right)
            for variables, times in left:
                others = wanted.get(tuple([mapping.get(i, -1) for i in variables]))
                if others is not None:
                    total += worth * self.credit(times, others)
        return total

    def size(self) -> Size:
        """Return an upper bound on the size of the problem with its terms listed.

        Terms with the same pairs are counted separately, and so are candidates in several kinds of
        terms.
        """
        candidates = terms = 0
        for kind in self.kinds:
            terms += len(kind.left) * len(kind.right)
            for place in range(kind.size):
                lefts, rights = (
                    len({triple.variables[place] for triple in side})
                    for side in (kind.left, kind.right)
                )
                candidates += lefts * rights
        return Size(min(candidates, self.n_left * self.n_right), terms)
