"""The matching problem with its terms not multiplied out, for graphs that would make too many.

Where a left triple could match a right one, there is a term. All that is here takes time and memory
in proportion to the triples of the graphs, not to the pairs of triples.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Occurrence(NamedTuple):
    """The positions of a triple's variables, each once and in order, and how often it occurs."""

    variables: tuple[int, ...]
    times: int


class Kind(NamedTuple):
    """Triples of both graphs any two of which can match, and then are *worth* it.

    All have the same number of variables, one or more, and no two of a graph have the same ones.
    *is_equal* tells that the triples are the same but for their variables, and not just similar.
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
    """A problem has no more *candidates* and *terms* than these."""

    candidates: int
    terms: int


@dataclass(frozen=True)
class CompactProblem:
    """What `exactmatch.problem.MatchingProblem` says, in the size of the graphs.

    A mapping that takes the variables of a left triple to those of a right one of its kind scores
    the worth of the kind times the *credit* of how often the two occur. A worth below 0 takes from
    that of another kind of the same triples.
    """

    n_left: int
    n_right: int
    kinds: Sequence[Kind]
    credit: Callable[[int, int], int]

    def value(self, mapping: Mapping[int, int]) -> int:
        """Return what a one-to-one *mapping* of positions scores."""
        total = 0
        for worth, left, right, _ in self.kinds:
            wanted = dict(right)
            for variables, times in left:
                others = wanted.get(tuple([mapping.get(i, -1) for i in variables]))
                if others is not None:
                    total += worth * self.credit(times, others)
        return total

    def size(self) -> Size:
        """Return the largest size that the problem can have once its terms are written down.

        Terms that have all their pairs in common are counted each, and so are candidates that
        occur in several kinds of terms.
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
