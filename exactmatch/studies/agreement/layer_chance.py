"""The agreement of annotators in single layers of UMR, corrected for chance.

A layer has no best mapping that sees the whole graphs, and the best mappings of whole graphs need
not match equally many triples of a layer. So the distance of two graphs in a layer lies between
that of the best mapping with the most matches in the layer, and that with the fewest. Alpha lies
between two ends, whatever best mappings are taken.

The ends of a pair of graphs need searches of their own, which take milliseconds. So the graphs of
different items are a smaller sample than for whole graphs.
"""

import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.graphs.graph import UMR, Graph
from exactmatch.graphs.items import FilePair, Study
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counts import Range
from exactmatch.runtime.processes import in_order
from exactmatch.scoring.comparison import compare
from exactmatch.scoring.options import ExpectedPairs
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline
from exactmatch.studies.agreement.every_pair import Solving
from exactmatch.studies.agreement.item_graphs import ItemGraphs, Sample, blocks_of, read_graphs
from exactmatch.studies.agreement.layers import TRIPLE_LAYERS, triple_layers
from exactmatch.studies.chance.coefficients import Coefficient, krippendorff
from exactmatch.studies.chance.distances import Distance, MatchedPairs
from exactmatch.studies.chance.resampled import Disagreement
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import Resampling

#: Pairs of graphs of different items that are compared, unless all are asked for.
_MOST = 2_000
#: The pairs that a worker gets at once.
_BLOCK = 50
#: The distances of which a layer has alpha, squared.
_DISTANCES: tuple[Distance, ...] = ("plain", "norm")

#: The positions of the graphs of pairs.
_Positions = Sequence[tuple[int, int]]


class LayerAlpha(NamedTuple):
    """Krippendorff's alpha of a layer, for its triples without a partner, and for 1 - F1, squared.

    Each value lies between its ends, whatever best mappings are taken.
    """

    plain: Coefficient
    norm: Coefficient


@dataclass(frozen=True, kw_only=True)
class LayerChance:
    """The agreement in each layer corrected for chance.

    by_layer: alpha of each layer that occurs, by its name, in the order of reports.
    taken: the number of pairs of graphs of different items that were compared, of *expected*.
    unknown: the number of pairs of graphs whose best mappings are not known. From nothing to all
        that can match is possible for them.
    """

    by_layer: Mapping[str, LayerAlpha]
    taken: int
    expected: int
    unknown: int


def layer_chance(
    study: Study,
    scores: Mapping[FilePair, ScoredPairs],
    metric: AlignmentMetric,
    expected: ExpectedPairs,
    resampling: Resampling,
    solving: Solving,
) -> LayerChance | None:
    """Return the agreement of the annotators that *scores* compares in each layer.

    None unless the graphs are sentences of UMR that several annotators have. *expected* and the
    errors are those of `exactmatch.studies.agreement.chance.chance_agreement`.
    """
    if study.format != UMR:
        return None
    names = [*dict.fromkeys(name for files in scores for name in files)]
    graphs = ItemGraphs.of(study, names, scores)
    if not len(graphs.items):
        return None
    drawn = _drawn(graphs, expected, resampling.seed)
    within = [
        pair
        for item in range(int(graphs.items[-1]) + 1)
        for pair in combinations(np.flatnonzero(graphs.items == item).tolist(), 2)
    ]
    first, second = graphs.positions(drawn)
    positions = [*within, *zip(first.tolist(), second.tolist(), strict=True)]
    called, read = read_graphs(study, names, graphs, metric)
    found = _ranges(_Solver(called, read, metric, solving.of_many), positions, solving)
    by_layer = {layer: [ranges[layer] for ranges in found] for layer in TRIPLE_LAYERS}
    return LayerChance(
        by_layer=_alphas(by_layer, graphs.items, positions, metric.scale, resampling),
        taken=len(drawn),
        expected=graphs.between,
        unknown=sum(any(known.unknown for known in ranges.values()) for ranges in found),
    )


def _drawn(graphs: ItemGraphs, expected: ExpectedPairs, seed: int) -> Sequence[int]:
    """Return the numbers of pairs of different items: some of those that whole graphs have."""
    if expected == "all":
        return graphs.drawn(Sample(None, seed))
    assert expected != "none"
    drawn = graphs.drawn(Sample(expected, seed))
    return drawn if len(drawn) <= _MOST else sorted(random.Random(seed).sample(drawn, _MOST))


def _ranges(
    solver: "_Solver", positions: _Positions, solving: Solving
) -> list[Mapping[str, Range]]:
    """Return the ranges of layers of pairs of graphs at these *positions*."""
    found: list[Mapping[str, Range]] = []
    with (
        solving.progress("comparing layers", len(positions), "pairs") as advance,
        closing(
            in_order(solver.ranges, blocks_of(positions, _BLOCK), solving.workers, solver.called)
        ) as blocks,
    ):
        for block in blocks:
            found += block
            advance(len(block))
    return found


class _Solver(NamedTuple):
    """Finds the ranges of layers of pairs of *graphs*, whose names in messages are *names*."""

    names: Sequence[str]
    graphs: Sequence[Graph]
    metric: AlignmentMetric
    settings: Settings

    def called(self, positions: _Positions) -> str:
        """Return the name of a block of pairs."""
        (first, second), *_ = positions
        return f"layers from {self.names[first]} and {self.names[second]} on"

    def ranges(self, positions: _Positions) -> list[Mapping[str, Range]]:
        """Return the ranges of each pair."""
        return [self._of_pair(*pair) for pair in positions]

    def _of_pair(self, first: int, second: int) -> Mapping[str, Range]:
        called = f"{self.names[first]} and {self.names[second]}"
        pair = GraphPair(called, self.graphs[first], self.graphs[second])
        score = score_pair(pair, self.metric, self.settings, Deadline(), parts=triple_layers)
        known = score.ranges
        if all(layer in known and not known[layer].unknown for layer in TRIPLE_LAYERS):
            return {layer: known[layer] for layer in TRIPLE_LAYERS}
        totals = {
            layer: (part.system_total, part.gold_total)
            for layer, part in triple_layers(compare(pair, self.metric)).items()
        }
        return {layer: Range(0, min(both), *both, unknown=1) for layer, both in totals.items()}


def _alphas(
    by_layer: Mapping[str, Sequence[Range]],
    items: NDArray[np.int64],
    positions: _Positions,
    scale: int,
    resampling: Resampling,
) -> dict[str, LayerAlpha]:
    """Return alpha of each layer that occurs, from its ranges in the pairs at *positions*."""
    first, second = np.array(positions, dtype=np.int64).T
    found = {}
    for layer, ranges in by_layer.items():
        least, most, left, right, _ = np.array(ranges, dtype=np.int64).T
        if not left.any() and not right.any():
            continue
        matched = MatchedPairs(items, first, second, left, right, least, most, scale)
        several = [Disagreement(matched.distances(distance), 2) for distance in _DISTANCES]
        found[layer] = LayerAlpha(*krippendorff(several, resampling))
    return found
