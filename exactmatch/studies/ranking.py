"""Systems ranked by their score against one gold standard, with the significance of differences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from exactmatch.deadline import Deadline
from exactmatch.errors import UsageError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.pair_scoring import score_pair
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.settings import Settings
from exactmatch.studies.columns import PairRow, ScoreCollector, ScoredPairs
from exactmatch.studies.sources import FilePair, Study
from exactmatch.studies.statistics import (
    F1Difference,
    Interval,
    Items,
    Resampling,
    compare_f1,
    confidence_interval,
    holm,
)
from exactmatch.studies.sweep import Sweep


@dataclass(frozen=True, kw_only=True)
class Contest:
    """The difference of two systems in micro F1 on the items that both have.

    *p_adjusted* is the p-value with regard to the number of contests (Holm 1979).
    """

    one: str
    other: str
    difference: F1Difference
    p_adjusted: float | None


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Systems against a gold standard, the best first.

    scores: the systems' scores; *intervals* are their bootstrap confidence intervals, None where
        there are fewer than two items.
    contests: every two systems, the better first.
    """

    study: Study
    gold: str
    scores: Mapping[str, ScoredPairs]
    intervals: Mapping[str, Interval | None]
    contests: Sequence[Contest]


def rank(
    study: Study,
    gold: str,
    metric: AlignmentMetric,
    settings: Settings,
    resampling: Resampling,
    *,
    workers: int = 1,
    advance: Callable[[int], object] = lambda _: None,
    keep: Callable[[FilePair, str], object] = lambda *_: None,
) -> Ranking:
    """Score all sources of *study* against the one called *gold*, and compare every two.

    *advance* is called with the number of pairs of graphs that have been scored since, and *keep*
    with each certificate and the files that it is about, if *settings* ask for certificates. Raises
    `UsageError` if there is no system, `InputError` if one has no item of the gold standard or a
    graph cannot be read, and `VerificationError` if two computations disagree.
    """
    pairs = [(source.name, gold) for source in study.sources if source.name != gold]
    if not pairs:
        raise UsageError("there is no system to compare")
    collectors = {pair: ScoreCollector(study.names, metric) for pair in pairs}
    job = partial(_scored, metric=metric, settings=settings)
    sweep = Sweep(study, pairs, job, workers=workers, advance=advance)
    for item, found in sweep:
        for pair, one in zip(pairs, found, strict=True):
            if isinstance(one, Skipped):
                collectors[pair].skip(item)
            elif one is not None:
                row, certificate = one
                collectors[pair].add(item, row)
                if certificate is not None:
                    keep(pair, certificate)
    scores = {name: collector.finish() for (name, _), collector in collectors.items()}
    ranked = dict(sorted(scores.items(), key=lambda entry: -entry[1].f1))
    return Ranking(
        study=sweep.study,
        gold=gold,
        scores=ranked,
        intervals={
            name: confidence_interval(score.resampled(), resampling)
            for name, score in ranked.items()
        },
        contests=contests(ranked, resampling),
    )


def _scored(
    pair: GraphPair, metric: AlignmentMetric, settings: Settings
) -> tuple[PairRow, str | None]:
    score = score_pair(pair, metric, settings, Deadline())
    return PairRow.of(score), score.certificate


def contests(scores: Mapping[str, ScoredPairs], resampling: Resampling) -> list[Contest]:
    """Compare every two of the *scores*, in their order, on the items that both have."""
    pairs = list(combinations(scores, 2))
    found = [compare_f1(*_common(scores[one], scores[other]), resampling) for one, other in pairs]
    adjusted = holm([difference.p for difference in found])
    return [
        _better_first(Contest(one=one, other=other, difference=difference, p_adjusted=p))
        for (one, other), difference, p in zip(pairs, found, adjusted, strict=True)
    ]


def _better_first(contest: Contest) -> Contest:
    """Return *contest* the other way round if its second side is better on the common items."""
    low, high, p = contest.difference
    if high >= 0:
        return contest
    turned = F1Difference(-high, -low, p)
    return replace(contest, one=contest.other, other=contest.one, difference=turned)


def _common(one: ScoredPairs, other: ScoredPairs) -> tuple[Items, Items]:
    """Return the counts of both sides on the items that both were scored on."""
    common = np.intersect1d(one.items, other.items)
    left, right = (side.restricted(np.isin(side.items, common)) for side in (one, other))
    return left.resampled(), right.resampled()
