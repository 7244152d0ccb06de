"""Principles I to III of Opitz et al. (2020, sections 2.1 and 3): range, identity, symmetry.

I    range: a metric takes two graphs to a number from 0 to 1.
II identity of indiscernibles: m(A, B) is 1 if and only if A equals B up to the names of variables,
    as an exact alignment-based metric decides.
III  symmetry: m(A, B) = m(B, A). The symmetry violation ratio (Eq. 4) is the share of pairs with
     |m(A, B) - m(B, A)| > `TOLERANCE`, the mean symmetry violation (Eq. 5) the mean of that
     difference over all pairs, in points: times 100.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple

from exactmatch.graphs.pairing import GraphPair
from exactmatch.studies.common.judges import Judge

#: Differences up to this count as none (Opitz et al. 2020, Table 1).
TOLERANCE = 1e-4

#: The names of violations with counter-examples.
_ITSELF = "II: a graph against itself"
_TWIN = "II: different graphs, and their Jaccard index"
_SWAPPED = "III: the pair, and swapped"


class BothWays(NamedTuple):
    """The scores of A and B by a metric: m(A, B), m(B, A), and m(A, A), m(B, B) as *selves*."""

    forth: float
    back: float
    selves: tuple[float, float]


@dataclass(frozen=True)
class CounterExample:
    """A pair on which a metric violates a principle, with the two scores *score* and *other*."""

    principle: str
    item: str
    score: float
    other: float


@dataclass(frozen=True, kw_only=True)
class Symmetry:
    """Principles I to III of a metric.

    low, high: the least and the largest score; outside: scores below 0 or above 1. selves_below:
    graphs whose score against themselves is not 1; twins: pairs of different graphs whose score is
    1. asymmetric: the symmetry violation ratio (Eq. 4), from 0 to 1. asymmetry: the mean symmetry
    violation (Eq. 5), in points. examples: the worst pair for each violated principle. forth, back:
    m(A, B) and m(B, A) of every pair.
    """

    low: float
    high: float
    outside: int
    selves_below: int
    twins: int
    asymmetric: float
    asymmetry: float
    examples: Sequence[CounterExample]
    forth: Sequence[float] = field(repr=False)
    back: Sequence[float] = field(repr=False)


def both_ways(judge: Judge, pair: GraphPair, forth: float, seed: int) -> BothWays:
    """Compute the scores for principles I to III, besides the score *forth* of the pair."""
    system, gold = pair.system, pair.gold
    return BothWays(
        forth,
        judge.score(gold, system, seed),
        (judge.score(system, system, seed), judge.score(gold, gold, seed)),
    )


class SymmetryCollector:
    """Collects the scores of a metric for pairs."""

    def __init__(self) -> None:
        self._forth, self._back = array("d"), array("d")
        self._selves_below = 0
        self._twins = 0
        self._examples: dict[str, tuple[float, CounterExample]] = {}

    def add(self, item: str, said: BothWays, jaccard: float) -> None:
        """Add the scores of one pair, whose triples have this Jaccard index."""
        self._forth.append(said.forth)
        self._back.append(said.back)
        self._selves_below += sum(abs(1 - score) > TOLERANCE for score in said.selves)
        least = min(said.selves)
        if least < 1 - TOLERANCE:
            self._keep(_ITSELF, item, 1 - least, least, 1.0)
        if said.forth > 1 - TOLERANCE and jaccard < 1 - TOLERANCE:
            self._twins += 1
            self._keep(_TWIN, item, 1 - jaccard, said.forth, jaccard)
        change = abs(said.forth - said.back)
        if change > TOLERANCE:
            self._keep(_SWAPPED, item, change, said.forth, said.back)

    def finish(self) -> Symmetry:
        """Return the summary over the pairs."""
        changes = [abs(one - other) for one, other in zip(self._forth, self._back, strict=True)]
        order = (_ITSELF, _TWIN, _SWAPPED)
        return Symmetry(
            low=min(self._forth),
            high=max(self._forth),
            outside=sum(not -TOLERANCE <= score <= 1 + TOLERANCE for score in self._forth),
            selves_below=self._selves_below,
            twins=self._twins,
            asymmetric=fmean(change > TOLERANCE for change in changes),
            asymmetry=100 * fmean(changes),
            examples=[self._examples[name][1] for name in order if name in self._examples],
            forth=self._forth,
            back=self._back,
        )

    def _keep(self, name: str, item: str, badness: float, score: float, other: float) -> None:
        """Keep the pair if it is the worst example so far."""
        if name not in self._examples or badness > self._examples[name][0]:
            example = CounterExample(name, item, score, other)
            self._examples[name] = (badness, example)
