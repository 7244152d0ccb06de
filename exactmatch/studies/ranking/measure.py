"""Systems ranked by their score against one gold standard, with the significance of differences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from exactmatch.errors import UsageError
from exactmatch.graphs.items import FilePair, Study
from exactmatch.graphs.pairing import Skipped
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import ill_formed_policy
from exactmatch.scoring.settings import Settings
from exactmatch.studies.common.contests import Contest, contests
from exactmatch.studies.common.pairs import ProofCounts, ScoreCollector, ScoredPairs
from exactmatch.studies.common.statistics import Interval, Resampling, confidence_interval
from exactmatch.studies.common.sweep import Sweep, SweepSettings
from exactmatch.studies.ranking.scored_pair import scored_pair, scored_texts

#: A function that is called with each certificate, its two files, and the name of the metric.
KeepOfMetric = Callable[[FilePair, str, str], object]


class Lead(NamedTuple):
    """The leader, and the systems it beats.

    leaders: the systems with the best score found; *is_known* tells whether it is proven to be the
        best.
    better_than, worse_than: other systems from which the leader differs significantly, on common
        items. open: those from which it does not differ significantly. All three are empty if
        several lead.
    untested: systems without a test, since they have too few items in common with the leader.
    """

    leaders: Sequence[str]
    is_known: bool
    better_than: Sequence[str]
    worse_than: Sequence[str]
    open: Sequence[str]
    untested: Sequence[str]


@dataclass(frozen=True)
class Ranking:
    """Systems against a gold standard by one metric, the best first.

    scores: the systems' scores; *ranks* count from 1, and equal scores share a rank; *intervals*
        are bootstrap confidence intervals, None for fewer than two items.
    contests: tests of every two systems, the better first.
    """

    study: Study
    gold: str
    metric: Metric
    scores: Mapping[str, ScoredPairs]
    ranks: Mapping[str, int]
    intervals: Mapping[str, Interval | None]
    contests: Sequence[Contest]
    proofs: ProofCounts
    resampling: Resampling

    @property
    def lead(self) -> Lead:
        """The leader, and the systems it beats significantly."""
        leaders = [name for name, rank in self.ranks.items() if rank == 1]
        first, *tied = leaders
        others = {} if tied else self._contests_of(first)
        return Lead(
            leaders=leaders,
            is_known=self._is_best(first),
            better_than=[n for n, c in others.items() if c.significant and c.one == first],
            worse_than=[n for n, c in others.items() if c.significant and c.one != first],
            open=[n for n, c in others.items() if c.significant is False],
            untested=[n for n, c in others.items() if c.significant is None],
        )

    def _contests_of(self, name: str) -> dict[str, Contest]:
        """Return the contests of a system, by the other system."""
        return {
            contest.other if contest.one == name else contest.one: contest
            for contest in self.contests
            if name in (contest.one, contest.other)
        }

    def _is_best(self, name: str) -> bool:
        """Tell whether no other system can score higher than this one."""
        best = self.scores[name].exact
        return all(score.exact_upper <= best for n, score in self.scores.items() if n != name)


@dataclass(frozen=True)
class Rankings:
    """The same systems against the same gold standard by several metrics, side by side.

    by_metric: the ranking by each metric, by its name.
    """

    study: Study
    gold: str
    by_metric: Mapping[str, Ranking]
    resampling: Resampling


class ScoredSystems(NamedTuple):
    """The scores of all systems by each metric, and the study after its graphs were read."""

    study: Study
    by_metric: Mapping[str, Mapping[str, ScoredPairs]]


def score_systems(
    study: Study,
    gold: str,
    metrics: Mapping[str, Metric],
    settings: Settings,
    sweeping: SweepSettings,
    *,
    keep: KeepOfMetric = lambda *_: None,
) -> ScoredSystems:
    """Score all sources of *study* against the one called *gold* by each of the named *metrics*.

    *keep* is called with the two files, the metric and each certificate, if *settings* ask for
    certificates. Raises `UsageError` if there is no system, `InputError` if one has no item of the
    gold standard or a graph cannot be read, and `VerificationError` if two computations disagree.
    """
    pairs = [(source.name, gold) for source in study.sources if source.name != gold]
    if not pairs:
        raise UsageError("there is no system to compare")
    collectors = {
        name: {pair: ScoreCollector(study.names, metric) for pair in pairs}
        for name, metric in metrics.items()
    }
    listed = list(metrics.values())
    sweep = Sweep(
        study,
        pairs,
        partial(scored_pair, listed, settings),
        sweeping,
        ill_formed=ill_formed_policy(listed),
        quick_job=partial(scored_texts, listed, settings),
    )
    for item, found in sweep:
        for pair, outcomes in zip(pairs, found, strict=True):
            if outcomes is None:
                continue
            for number, (name, collector) in enumerate(collectors.items()):
                if isinstance(outcomes, Skipped):
                    collector[pair].skip(item)
                    continue
                outcome = outcomes[number]
                collector[pair].add(item, outcome)
                if outcome.certificate is not None:
                    keep(pair, name, outcome.certificate)
    return ScoredSystems(
        sweep.study,
        {
            name: {system: collector.finish() for (system, _), collector in by_pair.items()}
            for name, by_pair in collectors.items()
        },
    )


def rank(
    scored: ScoredSystems, gold: str, metrics: Mapping[str, Metric], resampling: Resampling
) -> Rankings:
    """Rank the scored systems by each metric, and compare every two."""
    return Rankings(
        scored.study,
        gold,
        {
            name: ranking_of(scored.study, gold, metric, scored.by_metric[name], resampling)
            for name, metric in metrics.items()
        },
        resampling,
    )


def ranks_of(scores: Mapping[str, Fraction | float]) -> dict[str, int]:
    """Return the rank of each system by its score; equal scores share the better rank."""
    return {
        name: 1 + sum(other > score for other in scores.values()) for name, score in scores.items()
    }


def ranking_of(
    study: Study,
    gold: str,
    metric: Metric,
    scores: Mapping[str, ScoredPairs],
    resampling: Resampling,
) -> Ranking:
    """Rank systems by their *scores*, those of equal score by name, and compare every two."""
    ranked = dict(sorted(scores.items(), key=lambda entry: (-entry[1].exact, entry[0])))
    return Ranking(
        study,
        gold,
        metric,
        scores=ranked,
        ranks=ranks_of({name: score.exact for name, score in ranked.items()}),
        intervals={
            name: confidence_interval(score.resampled(), resampling)
            for name, score in ranked.items()
        },
        contests=contests(ranked, resampling),
        proofs=ProofCounts.of(list(ranked.values())),
        resampling=resampling,
    )
