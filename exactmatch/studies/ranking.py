"""Systems ranked by their score against one gold standard, with the significance of differences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from exactmatch.deadline import Deadline
from exactmatch.errors import UsageError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.pair_scoring import score_pair
from exactmatch.pairing import GraphPair
from exactmatch.settings import Settings
from exactmatch.studies.columns import PairOutcome, PairRow, ScoreCollector, ScoredPairs
from exactmatch.studies.contests import Contest, contests
from exactmatch.studies.proofs import ProofCounts
from exactmatch.studies.sources import Study
from exactmatch.studies.statistics import Interval, Resampling, confidence_interval
from exactmatch.studies.sweep import Keep, Sweep, collect


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Systems against a gold standard, the best first.

    scores: the systems' scores; *ranks* count from 1, and systems of one F1 share theirs;
        *intervals* are bootstrap confidence intervals, None where there are fewer than two items.
    contests: every two systems, the better first.
    """

    study: Study
    gold: str
    scores: Mapping[str, ScoredPairs]
    ranks: Mapping[str, int]
    intervals: Mapping[str, Interval | None]
    contests: Sequence[Contest]
    proofs: ProofCounts
    resampling: Resampling


def rank(
    study: Study,
    gold: str,
    metric: AlignmentMetric,
    settings: Settings,
    resampling: Resampling,
    *,
    workers: int = 1,
    advance: Callable[[int], object] = lambda _: None,
    keep: Keep = lambda *_: None,
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
    collect(sweep, collectors, keep)
    scores = {name: collector.finish() for (name, _), collector in collectors.items()}
    ranked = dict(sorted(scores.items(), key=lambda entry: -entry[1].f1))
    return Ranking(
        study=sweep.study,
        gold=gold,
        scores=ranked,
        ranks={
            name: 1 + sum(other.f1 > score.f1 for other in ranked.values())
            for name, score in ranked.items()
        },
        intervals={
            name: confidence_interval(score.resampled(), resampling)
            for name, score in ranked.items()
        },
        contests=contests(ranked, resampling),
        proofs=ProofCounts.of(list(ranked.values())),
        resampling=resampling,
    )


def _scored(pair: GraphPair, metric: AlignmentMetric, settings: Settings) -> PairOutcome:
    score = score_pair(pair, metric, settings, Deadline())
    return PairOutcome(row=PairRow.of(score), certificate=score.certificate)
