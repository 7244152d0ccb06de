"""Whether two metrics prefer the same system, graph by graph (Opitz et al. 2020, Table 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from exactmatch.studies.correlation.association import paired_t
from exactmatch.studies.correlation.opinions import SystemScores


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """The preferences of two metrics F and G between two systems C and J, on so many *items*.

    F_C is the score by F of C on an item, and so on. opposite: the items with (F_J - F_C) (G_J -
    G_C) < 0; share: their share of all items. p: that of the t-test for paired samples on F_J - F_C
    and G_J - G_C; None if it is undefined.
    """

    systems: tuple[str, str]
    metrics: tuple[str, str]
    items: int
    opposite: int
    share: float
    p: float | None


def preferences(
    scores: Mapping[str, SystemScores],
    metrics: Sequence[str],
    runs: Mapping[str, Sequence[str]] | None = None,
) -> list[Preference]:
    """Compare the preferences of every two metrics between every two systems, on common items.

    Two *runs* of one system are not compared.
    """
    system_of = {run: system for system, own in (runs or {}).items() for run in own}
    preferred = []
    for one, other in combinations(scores, 2):
        if system_of.get(one, one) == system_of.get(other, other):
            continue
        differences = _differences(scores[one], scores[other], metrics)
        for first, second in combinations(metrics, 2):
            f, g = differences[first], differences[second]
            opposite = int(np.count_nonzero(f * g < 0))
            preferred.append(
                Preference(
                    systems=(one, other),
                    metrics=(first, second),
                    items=len(f),
                    opposite=opposite,
                    share=opposite / max(1, len(f)),
                    p=paired_t(f, g),
                )
            )
    return preferred


def _differences(
    one: SystemScores, other: SystemScores, metrics: Sequence[str]
) -> dict[str, NDArray[np.float64]]:
    """Return the second system's scores minus the first's by each metric, on common items."""
    _, left, right = np.intersect1d(
        np.asarray(one.items), np.asarray(other.items), assume_unique=True, return_indices=True
    )
    return {
        metric: np.asarray(other.values[metric])[right] - np.asarray(one.values[metric])[left]
        for metric in metrics
    }
