"""Find the graphs of one corpus that are nearest to a graph of another, by F1."""

from bisect import insort
from collections import Counter
from typing import NamedTuple

from exactmatch.many.pairwise import LABELS, TOTALS, Limits, Pairwise, least_matched


class Neighbour(NamedTuple):
    """A graph of the corpus, given by its *position*, and its F1.

    If the F1 is not proven, *f1_upper* is above *f1* and *upper* above *matched*.
    """

    position: int
    matched: int
    upper: int
    f1: float
    f1_upper: float

    @property
    def rank(self) -> tuple[float, int]:
        """The sort key of neighbours: the nearest first, then in the order of the corpus.

        Two different quotients are different floats while the product of their denominators is
        below 2**53: for pairs of up to 94 million triples. If triples are counted in thousandths,
        both denominators are multiples of 1000, and the limit is 3 million.
        """
        return -self.f1, self.position


class Neighbourhood(NamedTuple):
    """The nearest graphs, in order.

    is_proven: whether no other graph is nearer, and these are in their true order.
    stages: how many graphs of the corpus each stage decided.
    """

    neighbours: list[Neighbour]
    is_proven: bool
    stages: Counter[str]


def nearest(
    i: int, pairwise: Pairwise, limits: Limits, top: int, skip: int | None = None
) -> Neighbourhood:
    """Return the *top* graphs of gold that are nearest to graph *i* of system.

    The graph at the position *skip* is left out.
    """
    import numpy as np

    by_totals = limits.by_totals(i)
    upper = np.minimum(by_totals, limits.by_labels(i))
    if skip is not None:
        by_totals[skip] = upper[skip] = -1.0
    search = _Search(i, pairwise, limits, top)
    first = np.argpartition(-upper, top)[:top] if top < len(upper) else np.arange(len(upper))
    for j in first.tolist():
        if j != skip:
            search.look_at(j)
    rest = np.flatnonzero(upper >= search.worst[0])
    looked_at = set(first.tolist())
    in_order = rest[np.argsort(-upper[rest], kind="stable")]
    for j, f1 in zip(in_order.tolist(), upper[in_order].tolist(), strict=True):
        if f1 < search.worst[0]:
            break  # the following graphs are of no interest either
        if j not in looked_at and search.may_include(j, f1):
            search.look_at(j)
    pruned = len(upper) - sum(search.stages.values()) - (skip is not None)
    if skip is not None:
        by_totals[skip] = np.inf
    search.stages[TOTALS] = min(int((by_totals < search.worst[0]).sum()), pruned)
    search.stages[LABELS] = pruned - search.stages[TOTALS]
    return Neighbourhood(search.best, search.is_proven(), search.stages)


class _Search:
    """The nearest graphs so far, at most *top*, and the work spent on them."""

    def __init__(self, i: int, pairwise: Pairwise, limits: Limits, top: int) -> None:
        self.best: list[Neighbour] = []
        self.stages: Counter[str] = Counter()
        self._i = i
        self._pairwise = pairwise
        self._totals = limits.both_totals(i)
        self._top = top
        self._open: list[Neighbour] = []

    @property
    def worst(self) -> tuple[float, float]:
        """F1 and position of the last of the nearest; graphs below it are of no interest."""
        if len(self.best) < self._top:
            return -1.0, float("inf")
        return self.best[-1].f1, self.best[-1].position

    def may_include(self, j: int, upper: float) -> bool:
        """Tell whether graph *j*, whose F1 is at most *upper*, may be among the nearest."""
        f1, position = self.worst
        return upper > f1 or (upper == f1 and j < position)

    def look_at(self, j: int) -> None:
        """Score graph *j*, as far as needed, and keep it if it is among the nearest."""
        totals = int(self._totals[j])
        least = least_matched(max(self.worst[0], 0.0), totals)
        matched, upper, stage = self._pairwise.score(self._i, j, least)
        self.stages[stage] += 1
        if upper < least:
            return
        f1, f1_upper = (2 * n / totals if totals else 0.0 for n in (matched, upper))
        found = Neighbour(j, matched, upper, f1, f1_upper)
        if upper > matched:
            self._open.append(found)
        insort(self.best, found, key=lambda one: one.rank)
        del self.best[self._top :]

    def is_proven(self) -> bool:
        """Tell whether open graphs could not change the result."""
        return not any(self.may_include(one.position, one.f1_upper) for one in self._open)
