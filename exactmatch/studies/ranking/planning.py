"""How many items are enough to compare systems, and which differences the items there can show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from exactmatch.studies.common.contests import on_common_items
from exactmatch.studies.common.item_numbers import (
    ItemColumns,
    Planned,
    check_width,
    planned,
    planned_width,
)
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import (
    Interval,
    Resampling,
    intervals_of_columns,
    pseudo_values,
)
from exactmatch.studies.ranking.measure import Ranking, Rankings
from exactmatch.studies.ranking.power import least_shown, smallest_difference
from exactmatch.studies.ranking.run_statistics import mean_columns
from exactmatch.studies.ranking.runs import (
    RunsRanking,
    RunsRankings,
    SystemRuns,
    common_items_of,
    laid_out_runs,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPlan:
    """How many items are enough for scores and differences by one metric.

    systems: the half-width of the confidence interval of the score of each system. For several
        runs, it is the interval over items of the mean score of these runs.
    differences: the smallest difference of every two systems that a test is likely to show.
    """

    systems: Sequence[Planned]
    differences: Sequence[Planned]

    @property
    def widest(self) -> Planned | None:
        """The system with the widest interval; None if none is known."""
        known = [one for one in self.systems if one.now is not None]
        return max(known, key=lambda one: one.now or 0.0) if known else None

    @property
    def least(self) -> tuple[float, float] | None:
        """The range of the smallest differences; None if none is known."""
        known = [one.now for one in self.differences if one.now is not None]
        return (min(known), max(known)) if known else None


def plan_rankings(rankings: Rankings | RunsRankings, width: float) -> Mapping[str, RankingPlan]:
    """Return how many items are enough, by metric. Raises `UsageError` as `check_width` does.

    *width* is the half-width asked for, and the difference that is to be shown.
    """
    check_width(width)
    if isinstance(rankings, RunsRankings):
        return {name: _of_runs(ranking, width) for name, ranking in rankings.by_metric.items()}
    return {name: _plan(ranking, width) for name, ranking in rankings.by_metric.items()}


def _plan(ranking: Ranking, width: float) -> RankingPlan:
    scores, resampling = ranking.scores, ranking.resampling
    return RankingPlan(
        systems=[
            _of_system(name, score, ranking.intervals[name], width, resampling)
            for name, score in scores.items()
        ],
        differences=[
            _of_difference(f"{one} / {other}", scores[one], scores[other], width, resampling)
            for one, other in combinations(scores, 2)
        ],
    )


def _of_system(
    name: str, score: ScoredPairs, interval: Interval | None, width: float, resampling: Resampling
) -> Planned:
    found = score.resampled()
    items = ItemColumns(found.low, found.high, found.formula)
    gap = score.value_upper - score.value
    return planned_width(name, items, interval, gap, width, resampling)


def _of_difference(
    name: str, one: ScoredPairs, other: ScoredPairs, width: float, resampling: Resampling
) -> Planned:
    both = on_common_items(one, other)
    least = smallest_difference(*both, resampling)
    return planned(name, "difference", [], len(both[0].total), least, 0.0, width).alone


def _of_runs(ranking: RunsRanking, width: float) -> RankingPlan:
    """Return the plan for the means of these runs: more items say nothing of new runs."""
    systems = ranking.systems
    return RankingPlan(
        systems=[_of_mean(name, system, ranking, width) for name, system in systems.items()],
        differences=[
            _of_means(f"{one} / {other}", systems[one], systems[other], ranking, width)
            for one, other in combinations(systems, 2)
        ],
    )


def _of_mean(name: str, system: SystemRuns, ranking: RunsRanking, width: float) -> Planned:
    low, high, formula = mean_columns(laid_out_runs([*system.runs.values()], ranking.metric))
    (interval,) = intervals_of_columns(low, high, [formula], ranking.resampling)
    gap = system.mean_upper - system.mean
    items = ItemColumns(low, high, formula)
    return planned_width(name, items, interval, gap, width, ranking.resampling)


def _of_means(
    name: str, one: SystemRuns, other: SystemRuns, ranking: RunsRanking, width: float
) -> Planned:
    ours, theirs = map(mean_columns, common_items_of(one, other, ranking.metric))
    number, least = len(ours.low[0]), None
    if number > 1:
        values = [pseudo_values(side.low, side.formula) for side in (ours, theirs)]
        least = least_shown(values[0] - values[1], ranking.resampling)
    return planned(name, "difference", [], number, least, 0.0, width).alone
