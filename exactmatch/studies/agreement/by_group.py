"""The agreement of annotators on each group of items: on each genre, session or document."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.graphs.items import FilePair
from exactmatch.runtime.progress import Progress
from exactmatch.studies.agreement.every_pair import EveryPair
from exactmatch.studies.agreement.means import MeanAgreement, PartScore
from exactmatch.studies.chance.coefficients import Coefficient, krippendorff
from exactmatch.studies.chance.distances import Distance
from exactmatch.studies.chance.resampled import Disagreement
from exactmatch.studies.common.item_groups import Groups
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import Resampling, showing_resampling

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
    progress: Progress,
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
        with showing_resampling(progress):
            plain, norm = krippendorff([Disagreement(one, 2) for one in several], resampling)
        found[name] = GroupAlpha(
            plain,
            norm,
            items=len(several[0].sizes),
            graphs=len(several[0].items),
            solved=several[0].taken if every.is_sample else 0,
        )
    return found


class GroupRange(NamedTuple):
    """The groups with the lowest and the highest value, and these values, of so many groups."""

    groups: int
    lowest: str
    low: float
    highest: str
    high: float

    @classmethod
    def of_alphas(cls, alphas: Mapping[str, GroupAlpha]) -> "GroupRange | None":
        """Return the range of alpha; groups of one item, of which it is always 0, have no part."""
        return cls._of(
            {
                name: (float(one.plain.value.low), float(one.plain.value.high))
                for name, one in alphas.items()
                if one.plain.value is not None and one.items > 1
            }
        )

    @classmethod
    def of_means(cls, means: Mapping[str, MeanAgreement | None]) -> "GroupRange | None":
        """Return the range of the mean F1."""
        return cls._of(
            {
                name: (mean.micro.value, mean.micro.upper)
                for name, mean in means.items()
                if mean is not None
            }
        )

    @classmethod
    def _of(cls, ends: Mapping[str, tuple[float, float]]) -> "GroupRange | None":
        """Return the range of values between these ends; None for fewer than two groups."""
        if len(ends) < 2:
            return None
        lowest = min(ends, key=lambda name: ends[name][0])
        highest = max(ends, key=lambda name: ends[name][1])
        return cls(len(ends), lowest, ends[lowest][0], highest, ends[highest][1])


def group_means(
    groups: Groups, scores: Mapping[FilePair, ScoredPairs], resampling: Resampling
) -> dict[str, MeanAgreement | None]:
    """Return the mean F1 of every two annotators on each group, from their *scores* on all items.

    It is None for a group of which no two annotators have an item.
    """
    parts = {files: group_parts(groups, score) for files, score in scores.items()}
    found: dict[str, MeanAgreement | None] = {}
    for name in groups.names:
        there = {files: part[name] for files, part in parts.items() if name in part}
        found[name] = MeanAgreement.of(there, None, resampling) if there else None
    return found


def group_scores(
    groups: Groups, scores: Mapping[str, ScoredPairs], resampling: Resampling
) -> dict[str, dict[str, PartScore]]:
    """Return the score of each annotator on each group, from *scores* on all items.

    A group of which an annotator has no pair is left out.
    """
    return {
        annotator: {
            name: PartScore.of(part, resampling)
            for name, part in group_parts(groups, score).items()
        }
        for annotator, score in scores.items()
    }


def group_parts(groups: Groups, score: ScoredPairs) -> dict[str, ScoredPairs]:
    """Return the *score* of two files on each group by its name, without groups of no pair."""
    parts = {name: score.restricted(inside[score.items]) for name, inside in _insides(groups)}
    return {name: part for name, part in parts.items() if part.pairs}


def _insides(groups: Groups) -> Iterator[tuple[str, Inside]]:
    """Yield the name of each group, and the items in it."""
    of_items = np.array(groups.of_items, dtype=np.int64)
    for number, name in enumerate(groups.names):
        yield name, of_items == number
