"""The graphs of items that several annotators have, and pairs of those of different items."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.items import NOWHERE, FilePair, Study
from exactmatch.graphs.pairing import read_mended
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.studies.common.pairs import ScoredPairs

#: A pair of graphs, by its number or by the positions of both.
Pair = TypeVar("Pair")


class Sample(NamedTuple):
    """At *most* so many pairs, drawn with a *seed*; None is all pairs."""

    most: int | None
    seed: int


class ItemGraphs(NamedTuple):
    """The graphs of items that several annotators have, in the order of items.

    sources, places: for each graph, the number of its annotator, and the position of its item in
    the study. items: its item, as a number from 0 on.
    """

    sources: NDArray[np.int64]
    places: NDArray[np.int64]
    items: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        study: Study,
        names: Sequence[str],
        scores: Mapping[FilePair, ScoredPairs],
        inside: NDArray[np.bool_] | None = None,
    ) -> Self:
        """Return the graphs of the annotators with these *names*, whom *scores* compares.

        *inside* tells which items of the study are taken; None is all. Items with fewer than two
        graphs are left out, and so are those with pairs that *scores* lacks.
        """
        places = np.array([study.places[name] for name in names], dtype=np.int64)
        there = places != NOWHERE
        scored = np.zeros(len(study.names), dtype=np.int64)
        for (one, other), score in scores.items():
            both = there[names.index(one)] & there[names.index(other)]  # none is compared as empty
            scored[score.items[both[score.items]]] += 1
        held = there.sum(axis=0)
        kept = (held > 1) & (scored == held * (held - 1) // 2)
        if inside is not None:
            kept &= inside
        items, sources = np.nonzero((there & kept).T)
        _, numbers = np.unique(items, return_inverse=True)
        return cls(sources, items, numbers)

    @property
    def between(self) -> int:
        """The number of pairs of graphs of different items."""
        return int(self._later.sum())

    def drawn(self, sample: Sample) -> Sequence[int]:
        """Return the numbers of pairs of different items: all, or so many at random, in order."""
        total = self.between
        if sample.most is None or total <= sample.most:
            return range(total)
        return sorted(random.Random(sample.seed).sample(range(total), sample.most))

    def positions(self, numbers: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the positions of the graphs of pairs with these *numbers*, counted row by row."""
        wanted, later = np.array(numbers, dtype=np.int64), self._later
        ends = np.cumsum(later)
        first = np.searchsorted(ends, wanted, side="right").astype(np.int64)
        return first, len(later) - ends[first] + wanted

    @property
    def _later(self) -> NDArray[np.int64]:
        """For each graph, the number of later graphs of other items."""
        ends = np.cumsum(np.bincount(self.items)) if len(self.items) else self.items
        later: NDArray[np.int64] = len(self.items) - ends[self.items]
        return later


def read_graphs(
    study: Study, names: Sequence[str], graphs: ItemGraphs, metric: AlignmentMetric
) -> tuple[list[str], list[Graph]]:
    """Return the names of *graphs* for messages, and the graphs as they are read for *metric*."""
    sources = {source.name: source for source in study.sources}
    mending = metric.ill_formed_policy.mending
    called, found = [], []
    for number, item in zip(graphs.sources.tolist(), graphs.places.tolist(), strict=True):
        name = names[number]
        graph = read_mended(sources[name].texts[study.places[name][item]], mending)
        assert isinstance(graph, Graph)  # it was read before
        called.append(f"{study.names[item]} of {name}")
        found.append(graph)
    return called, found


def blocks_of(pairs: Sequence[Pair], size: int) -> Iterator[Sequence[Pair]]:
    """Yield *pairs* in parts of this *size*; the last one may have fewer."""
    return (pairs[start : start + size] for start in range(0, len(pairs), size))
