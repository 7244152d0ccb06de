"""Test every two of several sides for significant differences."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from exactmatch.studies.common.pairs import ScoredPairs, resampled_together
from exactmatch.studies.common.statistics import (
    Items,
    Resampling,
    ScoreDifference,
    compare_scores,
    holm,
)


@dataclass(frozen=True)
class Contest:
    """The difference of two sides in their score on their common items, the better side first.

    *items* is the number of these. *p_adjusted* is the p-value adjusted for the number of contests
    (Holm 1979), and *significant* tells whether it is at most the level asked for; None if there is
    nothing to compare.
    """

    one: str
    other: str
    items: int
    difference: ScoreDifference
    p_adjusted: float | None
    significant: bool | None


def contests(scores: Mapping[str, ScoredPairs], resampling: Resampling) -> list[Contest]:
    """Compare every two of the *scores*, in their order, on their common items."""
    pairs = list(combinations(scores, 2))
    common = [on_common_items(scores[one], scores[other]) for one, other in pairs]
    differences = [compare_scores(*both, resampling) for both in common]
    adjusted = holm([difference.p for difference in differences])
    return [
        better_first(
            Contest(
                one,
                other,
                len(both[0].total),
                difference,
                p_adjusted=p,
                significant=None if p is None else p <= resampling.level,
            )
        )
        for (one, other), both, difference, p in zip(
            pairs, common, differences, adjusted, strict=True
        )
    ]


def better_first(contest: Contest) -> Contest:
    """Return *contest* turned around if its second side is better on the common items."""
    low, high, p = contest.difference
    if high >= 0:
        return contest
    turned = ScoreDifference(-high, -low, p)
    return replace(contest, one=contest.other, other=contest.one, difference=turned)


def on_common_items(one: ScoredPairs, other: ScoredPairs) -> tuple[Items, Items]:
    """Return the numbers of both sides on the items on which both were scored."""
    common = np.intersect1d(one.items, other.items)
    left, right = (side.restricted(np.isin(side.items, common)) for side in (one, other))
    return resampled_together(left, right)
