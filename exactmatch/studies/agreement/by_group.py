"""The agreement of annotators on each group of items: on each genre, session or document."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.graphs.items import FilePair
from exactmatch.studies.agreement.every_pair import EveryPair
from exactmatch.studies.agreement.means import MeanAgreement
from exactmatch.studies.chance.coefficients import Coefficient, krippendorff
from exactmatch.studies.chance.distances import Distance
from exactmatch.studies.chance.resampled import Disagreement
from exactmatch.studies.common.item_groups import Groups
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import Resampling

#: For each item of a study, whether it is in a group.
Inside = NDArray[np.bool_]

#: The distances of which a group has alpha, squared.
_DISTANCES: tuple[Distance, ...] = ("plain", "norm")


class GroupAlpha(NamedTuple):
    """Krippendorff's alpha of a group, whose expected disagreement is that of its own graphs.

    plain, norm: for the triples without a partner, and for 1 - F1, both squared.
    items, graphs: the number of items with several graphs, and of these graphs.
    solved: the number of pairs of graphs that were solved for this group alone.
    """

    plain: Coefficient
    norm: Coefficient
    items: int
    graphs: int
    solved: int


def group_alphas(
    groups: Groups,
    every: EveryPair,
    solve: Callable[[Inside], EveryPair],
    resampling: Resampling,
) -> dict[str, GroupAlpha]:
    """Return alpha of each group by its name.

    If *every* has all pairs of graphs, those of a group are among them. If it has a sample, *solve*
    returns the pairs of a group: the sample may have too few of them.
    """
    found = {}
    for name, inside in _insides(groups):
        own = solve(inside) if every.is_sample else every
        outside = ~inside[own.places]
        several = [own.pairs.distances(distance).without(outside) for distance in _DISTANCES]
        plain, norm = krippendorff([Disagreement(one, 2) for one in several], resampling)
        found[name] = GroupAlpha(
            plain=plain,
            norm=norm,
            items=len(several[0].sizes),
            graphs=len(several[0].items),
            solved=several[0].taken if every.is_sample else 0,
        )
    return found


def drawn_for_groups(alphas: Mapping[str, GroupAlpha]) -> int:
    """Return the number of pairs of graphs that were drawn for single groups."""
    return sum(one.solved for one in alphas.values())


def extremes(ends: Mapping[str, tuple[float, float]]) -> tuple[str, str]:
    """Return the names of the lowest lower end and of the highest upper end."""
    lowest = min(ends, key=lambda name: ends[name][0])
    return lowest, max(ends, key=lambda name: ends[name][1])


def group_means(
    groups: Groups, scores: Mapping[FilePair, ScoredPairs], resampling: Resampling
) -> dict[str, MeanAgreement | None]:
    """Return the mean F1 of every two annotators on each group, from their *scores* on all items.

    It is None for a group of which no two annotators have an item.
    """
    found = {}
    for name, inside in _insides(groups):
        parts = {files: score.restricted(inside[score.items]) for files, score in scores.items()}
        there = {files: score for files, score in parts.items() if score.pairs}
        found[name] = MeanAgreement.of(there, None, resampling) if there else None
    return found


def _insides(groups: Groups) -> Iterator[tuple[str, Inside]]:
    """Yield the name of each group, and the items in it."""
    of_items = np.array(groups.of_items, dtype=np.int64)
    for number, name in enumerate(groups.names):
        yield name, of_items == number
