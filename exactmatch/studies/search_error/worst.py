"""The pairs of graphs on which methods of search lose most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from exactmatch.graphs.items import FilePair
from exactmatch.studies.search_error.trials import Trials


@dataclass(frozen=True, kw_only=True)
class WorstLoss:
    """What the worst seed of a method lost on a pair: triples matched at best, found, and lost."""

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
    """Return the greatest losses on a pair, so many at *most*."""
    if not most:
        return []
    worst: list[WorstLoss] = []
    for pair, tried in trials.items():
        for method in methods:
            worst += _worst_of(pair, tried, method, most)
    worst.sort(key=lambda loss: (-loss.f1, " / ".join(loss.files), loss.item, loss.method))
    return worst[:most]


def _worst_of(pair: FilePair, trials: Trials, method: str, most: int) -> list[WorstLoss]:
    """Return the greatest losses of a method, with those that are equal to the last of them."""
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
