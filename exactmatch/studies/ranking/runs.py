"""Systems with several runs, ranked by the mean of their scores against one gold standard."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import fsum
from statistics import stdev

import numpy as np
from numpy.typing import NDArray

from exactmatch.graphs.items import Study
from exactmatch.metrics.base import Metric
from exactmatch.studies.common.contests import Contest, better_first
from exactmatch.studies.common.formulas import Layout
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs
from exactmatch.studies.common.statistics import (
    Integers,
    Interval,
    Items,
    Resampling,
    ScoreDifference,
    holm,
)
from exactmatch.studies.ranking.measure import ranks_of
from exactmatch.studies.ranking.run_statistics import RunsDifference, compare_runs, mean_interval


@dataclass(frozen=True, kw_only=True)
class SystemRuns:
    """The runs of a system by the names of their files, and its *interval* over runs and items.

    interval: over items alone for a single run, None for fewer than two items.
    """

    runs: Mapping[str, ScoredPairs]
    interval: Interval | None

    @property
    def values(self) -> list[float]:
        """The score of each run."""
        return [score.value for score in self.runs.values()]

    @property
    def least(self) -> float:
        """The lowest score of a run."""
        return min(self.values)

    @property
    def most(self) -> float:
        """The highest score of a run."""
        return max(self.values)

    @property
    def pairs(self) -> int:
        """The number of pairs of all runs that were scored."""
        return sum(score.pairs for score in self.runs.values())

    @property
    def skipped(self) -> int:
        """The number of pairs of all runs that were left out."""
        return sum(score.skipped for score in self.runs.values())

    @property
    def optimal(self) -> int:
        """The number of pairs of all runs whose score is proven to be the best."""
        return sum(score.optimal for score in self.runs.values())

    @property
    def mean(self) -> float:
        """The mean score over the runs."""
        return fsum(self.values) / len(self.runs)

    @property
    def mean_upper(self) -> float:
        """The upper bound of the true mean."""
        return fsum(score.value_upper for score in self.runs.values()) / len(self.runs)

    @property
    def exact(self) -> Fraction | float:
        """The mean before it is rounded."""
        return _mean_of([score.exact for score in self.runs.values()])

    @property
    def exact_upper(self) -> Fraction | float:
        """The upper bound of the mean before it is rounded."""
        return _mean_of([score.exact_upper for score in self.runs.values()])

    @property
    def deviation(self) -> float | None:
        """The standard deviation over the runs (with the number of runs minus 1)."""
        return stdev(self.values) if len(self.runs) > 1 else None


@dataclass(frozen=True)
class RunsContest:
    """The difference of two systems in their mean, on the items that all their runs have.

    these, new: the tests for these runs and for new runs, with the same difference.
    interval: the confidence interval of the difference for new runs; None if a system has a single
        run, or for fewer than two items.
    """

    these: Contest
    new: Contest
    interval: Interval | None


@dataclass(frozen=True)
class RunsRanking:
    """Systems with several runs against a gold standard by one metric, the best mean first.

    systems: the systems by name; *ranks* count from 1, and equal means share a rank.
    contests: tests of every two systems, the better first.
    """

    study: Study
    gold: str
    metric: Metric
    systems: Mapping[str, SystemRuns]
    ranks: Mapping[str, int]
    contests: Sequence[RunsContest]
    proofs: ProofCounts
    resampling: Resampling

    @property
    def leaders(self) -> list[str]:
        """The systems with the best mean found."""
        return [name for name, rank in self.ranks.items() if rank == 1]

    @property
    def leader_is_known(self) -> bool:
        """Whether no other system can have a higher mean than the first one."""
        first, *others = self.systems.values()
        return all(other.exact_upper <= first.exact for other in others)

    @property
    def scores(self) -> dict[str, ScoredPairs]:
        """The score of each run, by the name of its file."""
        return {name: score for one in self.systems.values() for name, score in one.runs.items()}


@dataclass(frozen=True)
class RunsRankings:
    """The same systems with several runs by several metrics, by the name of the metric."""

    study: Study
    gold: str
    by_metric: Mapping[str, RunsRanking]
    resampling: Resampling


def runs_ranking_of(
    study: Study,
    gold: str,
    metric: Metric,
    scores: Mapping[str, ScoredPairs],
    runs: Mapping[str, Sequence[str]],
    resampling: Resampling,
) -> RunsRanking:
    """Rank systems by the mean score of their *runs*, those of equal mean by name.

    *scores* are those of the files that *runs* names for each system.
    """
    systems = {}
    for name, files in runs.items():
        of_runs = {file: scores[file] for file in files}
        found = laid_out_runs([*of_runs.values()], metric)
        systems[name] = SystemRuns(runs=of_runs, interval=mean_interval(found, resampling))
    ranked = dict(sorted(systems.items(), key=lambda entry: (-entry[1].exact, entry[0])))
    return RunsRanking(
        study,
        gold,
        metric,
        systems=ranked,
        ranks=ranks_of({name: one.exact for name, one in ranked.items()}),
        contests=_contests(ranked, metric, resampling),
        proofs=ProofCounts.of([score for one in ranked.values() for score in one.runs.values()]),
        resampling=resampling,
    )


def common_items_of(
    one: SystemRuns, other: SystemRuns, metric: Metric
) -> tuple[list[Items], list[Items]]:
    """Return the numbers of the runs of two systems, on the items that all of them have."""
    items = laid_out_runs(_common([*one.runs.values(), *other.runs.values()]), metric)
    return items[: len(one.runs)], items[len(one.runs) :]


def _contests(
    systems: Mapping[str, SystemRuns], metric: Metric, resampling: Resampling
) -> list[RunsContest]:
    """Compare every two systems, on the items that all their runs have."""
    pairs, found = [*combinations(systems, 2)], []
    for names in pairs:
        ours, theirs = common_items_of(systems[names[0]], systems[names[1]], metric)
        found.append((len(ours[0].total), compare_runs(ours, theirs, resampling)))
    return [
        RunsContest(these, new, interval=_turned(difference, these.one != one))
        for (one, _), (_, difference), these, new in zip(
            pairs,
            found,
            _tested(pairs, found, [difference.p_these for _, difference in found], resampling),
            _tested(pairs, found, [difference.p_new for _, difference in found], resampling),
            strict=True,
        )
    ]


def _tested(
    pairs: Sequence[tuple[str, str]],
    found: Sequence[tuple[int, RunsDifference]],
    values: Sequence[float | None],
    resampling: Resampling,
) -> list[Contest]:
    """Return the contests with these p-values, adjusted for the number of contests."""
    return [
        better_first(
            Contest(
                one,
                other,
                items,
                difference=ScoreDifference(difference.low, difference.high, p),
                p_adjusted=adjusted,
                significant=None if adjusted is None else adjusted <= resampling.level,
            )
        )
        for (one, other), (items, difference), p, adjusted in zip(
            pairs, found, values, holm(values), strict=True
        )
    ]


def _turned(difference: RunsDifference, is_turned: bool) -> Interval | None:
    """Return the interval of a difference, or of the same in the other direction."""
    interval = difference.interval
    return Interval(-interval.high, -interval.low) if interval and is_turned else interval


def _common(runs: Sequence[ScoredPairs]) -> list[ScoredPairs]:
    """Return the scores of *runs* on the items that all of them have."""
    common = runs[0].items
    for run in runs[1:]:
        common = np.intersect1d(common, run.items)
    return [run.restricted(np.isin(run.items, common)) for run in runs]


def laid_out_runs(runs: Sequence[ScoredPairs], metric: Metric) -> list[Items]:
    """Return the numbers of *runs* with the same columns, on all items that any of them has.

    An item that a run lacks counts 0 in all columns.
    """
    layout = Layout(metric, [run.addends for run in runs])
    every = np.unique(np.concatenate([run.items for run in runs]))
    return [_widened(run.laid_out(layout), run.items, every) for run in runs]


def _widened(items: Items, own: NDArray[np.int64], every: NDArray[np.int64]) -> Items:
    """Return the numbers of the items *own* as those of *every* item."""
    places = np.searchsorted(every, own)

    def widened(column: Integers) -> Integers:
        whole = np.zeros(len(every), dtype=column.dtype)
        whole[places] = column
        return whole

    upper = items.further_upper
    return replace(
        items,
        matched=widened(items.matched),
        upper=widened(items.upper),
        total=widened(items.total),
        further=[*map(widened, items.further)],
        further_upper=None if upper is None else [*map(widened, upper)],
    )


def _mean_of(values: Sequence[Fraction | float]) -> Fraction | float:
    total: Fraction | float = Fraction()
    for value in values:
        total += value
    return total / len(values)
