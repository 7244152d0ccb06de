"""The agreement of annotators corrected for chance, as a part of an agreement study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from exactmatch.graphs.graph import Extent
from exactmatch.graphs.items import FilePair, Study
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import extent_for
from exactmatch.scoring.options import ExpectedPairs
from exactmatch.studies.agreement.by_group import GroupAlpha, Inside, group_alphas
from exactmatch.studies.agreement.every_pair import EveryPair, Solving, every_pair
from exactmatch.studies.agreement.item_graphs import Sample
from exactmatch.studies.agreement.layer_chance import LayerChance, layer_chance
from exactmatch.studies.chance.coefficients import (
    Bounds,
    Coefficient,
    braylan,
    krippendorff,
)
from exactmatch.studies.chance.distances import DISTANCES, Distance, PairDistances
from exactmatch.studies.chance.resampled import Disagreement
from exactmatch.studies.common.item_groups import Groups
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import Resampling, showing_resampling

#: The ranges of distances in which a plot counts pairs.
_BINS = 25


class Corrected(NamedTuple):
    """A coefficient, and the distances to a *power* that it takes."""

    distance: Distance
    power: int
    coefficient: Coefficient


class Shares(NamedTuple):
    """The shares of pairs by distance, in ranges from 0 to 1 with these *ends*."""

    ends: Sequence[float]
    observed: Sequence[float]
    expected: Sequence[float]


class WithoutOne(NamedTuple):
    """Alpha without an annotator, and its *change*; None where alpha is undefined or not proven."""

    alpha: Bounds | None
    change: Fraction | None


@dataclass(frozen=True, kw_only=True)
class ChanceAgreement:
    """The agreement of annotators corrected for chance.

    measured: each coefficient; the first is Krippendorff's alpha for the triples without a partner,
        squared.
    without: this alpha without each annotator, by name; empty for two annotators.
    by_group: alpha of each group of items, by name; empty if there are no groups.
    layers: alpha of each layer of UMR; None for other graphs.
    shares: the distances 1 - F1 of graphs of one item, and of graphs of different items; None if
        there are no pairs of either.
    items, graphs: the number of items with several graphs, and of these graphs.
    observed: the number of pairs of graphs of one item; *expected* that of different items, of
        which *taken* were compared.
    open: the number of these pairs that are not proven. by_word: the number of pairs of different
        items that rest on the word of a solver.
    reason: why there are no coefficients; empty if there are.
    """

    measured: Sequence[Corrected]
    without: Mapping[str, WithoutOne]
    shares: Shares | None
    items: int
    graphs: int
    observed: int
    expected: int
    taken: int
    open: int
    by_word: int
    reason: str = ""
    by_group: Mapping[str, GroupAlpha] = field(default_factory=dict)
    layers: LayerChance | None = None

    @property
    def solved(self) -> int:
        """The number of pairs of graphs of different items that were solved, also for groups."""
        return self.taken + self.drawn_for_groups

    @property
    def drawn_for_groups(self) -> int:
        """The number of these that were drawn for single groups."""
        return sum(one.solved for one in self.by_group.values())

    @property
    def pairs(self) -> int:
        """The number of pairs of graphs that were compared."""
        return self.observed + self.taken

    @property
    def proven(self) -> int:
        """The number of these that are proven."""
        return self.pairs - self.open

    @property
    def alpha(self) -> Coefficient:
        """Krippendorff's alpha for the triples without a partner, squared."""
        return self.measured[0].coefficient


def chance_agreement(
    study: Study,
    scores: Mapping[FilePair, ScoredPairs],
    metric: AlignmentMetric,
    expected: ExpectedPairs,
    resampling: Resampling,
    solving: Solving,
    groups: Groups | None = None,
) -> ChanceAgreement | None:
    """Return the agreement of the annotators that *scores* compares, corrected for chance.

    None if *expected* is ``none``, or if no two annotators are compared. With *groups*, each group
    of items has its alpha as well. *solving* and the errors are those of `every_pair`.
    """
    if expected == "none" or not scores:
        return None
    reason = _reason(extent_for(study.format, [metric]), metric)
    if reason:
        return _nothing(reason)
    sample = Sample(None if expected == "all" else expected, resampling.seed)

    def solved(inside: Inside | None) -> EveryPair:
        return every_pair(study, scores, metric, sample, solving, inside)

    every = solved(None)
    by_distance = {distance: every.pairs.distances(distance) for distance in DISTANCES}
    wanted = [(distance, power) for distance in DISTANCES for power in (2, 1)]
    pairs = by_distance["norm"]
    with showing_resampling(solving.progress):
        alphas = krippendorff(
            [Disagreement(by_distance[distance], power) for distance, power in wanted], resampling
        )
        coefficients = braylan(pairs, resampling)
    return ChanceAgreement(
        measured=[
            *(Corrected(*one, alpha) for one, alpha in zip(wanted, alphas, strict=True)),
            *(Corrected("norm", 1, one) for one in coefficients),
        ],
        without=_without_each(every, alphas[0].value),
        shares=_shares(pairs),
        items=len(pairs.sizes),
        graphs=len(pairs.items),
        observed=len(pairs.first) - pairs.taken,
        expected=pairs.between,
        taken=pairs.taken,
        open=pairs.open,
        by_word=every.by_word,
        by_group={}
        if groups is None
        else group_alphas(groups, every, solved, resampling, solving.progress),
        layers=layer_chance(study, scores, metric, expected, resampling, solving),
    )


def _reason(extent: Extent, metric: AlignmentMetric) -> str:
    """Return why graphs of different items have no distance; nothing if they have one."""
    if extent != "sentence":
        return f"items are {extent}s, whose sentences have no partner in other {extent}s"
    if metric.can_exceed:
        return f"{metric.name} multiplies repeated triples, so its matches make no distance"
    return ""


def _nothing(reason: str) -> ChanceAgreement:
    return ChanceAgreement(
        measured=[],
        without={},
        shares=None,
        items=0,
        graphs=0,
        observed=0,
        expected=0,
        taken=0,
        open=0,
        by_word=0,
        reason=reason,
    )


def _without_each(every: EveryPair, whole: Bounds | None) -> dict[str, WithoutOne]:
    """Return alpha without each of three or more annotators; *whole* is that of all."""
    if len(every.names) < 3:
        return {}
    pairs = every.pairs.distances("plain")
    found = {}
    for number, name in enumerate(every.names):
        others = pairs.without(every.annotators == number)
        (alpha,) = krippendorff([Disagreement(others, 2)], None)
        change = None
        if alpha.value is not None and whole is not None and not pairs.open:
            change = alpha.value.low - whole.low
        found[name] = WithoutOne(alpha.value, change)
    return found


def _shares(pairs: PairDistances) -> Shares | None:
    """Return the shares of pairs by distance; of a pair that is not proven, the largest counts."""
    values, within = pairs.largest.floats(), pairs.within
    if within.all() or not within.any():
        return None
    ends = np.linspace(0, 1, _BINS + 1)
    observed, expected = (
        np.histogram(values[mask], bins=ends)[0] / np.count_nonzero(mask)
        for mask in (within, ~within)
    )
    return Shares(ends.tolist(), observed.tolist(), expected.tolist())
