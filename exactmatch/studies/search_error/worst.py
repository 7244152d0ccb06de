"""The pairs of graphs with the largest losses of search methods."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from exactmatch.graphs.items import FilePair
from exactmatch.studies.search_error.trials import Trials


@dataclass(frozen=True, kw_only=True)
class WorstLoss:
    """The loss of the worst seed of a method on a pair: best known matches, found matches, loss."""

    files: FilePair
    item: str
    method: str
    best: int
    found: int
    lost: int
    f1: float


def worst_losses(
    trials: Mapping[FilePair, Trials], methods: Sequence[str], most: int
) -> list[WorstLoss]:
    """Return the largest losses on a pair, at most *most*."""
    if not most:
        return []
    worst: list[WorstLoss] = []
    for pair, tried in trials.items():
        for method in methods:
            worst += _worst_of(pair, tried, method, most)
    worst.sort(key=lambda loss: (-loss.f1, " / ".join(loss.files), loss.item, loss.method))
    return worst[:most]


def _worst_of(pair: FilePair, trials: Trials, method: str, most: int) -> list[WorstLoss]:
    """Return the largest losses of a method, including those equal to the last of them."""
    best, least_matched = trials.best, trials.found[method].forth.min(axis=1)
    shares = 2 * (best - least_matched) / np.maximum(trials.scores.totals, 1)
    least = np.sort(shares)[-most:][0]
    return [
        WorstLoss(
            files=pair,
            item=trials.scores.names[int(trials.scores.items[k])],
            method=method,
            best=int(best[k]),
            found=int(least_matched[k]),
            lost=int(best[k] - least_matched[k]),
            f1=float(shares[k]),
        )
        for k in np.flatnonzero((least_matched < best) & (shares >= least)).tolist()
    ]
