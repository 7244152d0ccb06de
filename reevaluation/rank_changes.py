"""Which systems change places when published scores are replaced by exact ones."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from rescoring import Rescored

from exactmatch.studies.common.statistics import Resampling, compare_scores, holm


class RankChange(NamedTuple):
    """Two systems in the order of their published scores, which the exact ones reverse.

    p: that the exact scores differ by chance (paired approximate randomisation), adjusted for the
    number of pairs of systems that were compared (Holm 1979).
    """

    better: str
    other: str
    published: float
    exact: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether the difference of the exact scores is significant."""
        return self.p <= 0.05


def ranks(scores: Mapping[str, float]) -> dict[str, int]:
    """Return the rank of each score: 1 for the highest, the same for equal ones."""
    return {name: 1 + sum(other > score for other in scores.values())
            for name, score in scores.items()}  # fmt: skip


def rank_changes(
    published: Mapping[str, float], runs: Mapping[str, Rescored], resamples: int = 9999
) -> list[RankChange]:
    """Return the pairs of systems whose order the exact scores reverse.

    Equal scores have no order. All *runs* are of the same items.
    """
    pairs = list(combinations(sorted(published, key=lambda name: -published[name]), 2))
    resampling = Resampling(resamples)
    items = {name: runs[name].items for name in published}
    adjusted = holm([compare_scores(items[a], items[b], resampling).p for a, b in pairs])
    return [
        RankChange(
            better,
            other,
            published[better] - published[other],
            runs[better].f1 - runs[other].f1,
            1.0 if p is None else p,
        )
        for (better, other), p in zip(pairs, adjusted, strict=True)
        if published[better] > published[other] and runs[better].f1 < runs[other].f1
    ]
