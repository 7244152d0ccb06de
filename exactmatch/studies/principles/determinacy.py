"""Principle IV of Opitz et al. (2020): repeated calculation yields the same score.

Their epsilon (section 3, IV, Tables 3 and 5) is the standard deviation of the score over
independent runs, here one for each seed: of the score of the corpus, and the mean over all pairs of
that of a pair. The paper does not say which standard deviation it uses; here it is that of the runs
themselves, whose squared deviations are divided by their number.

A proven exact result, and the result of a metric without a mapping, is the same for every seed, so
these are computed once. A hill climb depends on its starts, and epsilon on their number (their
"restarts"): the tables have it for the numbers in `RESTARTS`, with random starts alone (``4r``),
and with a smart start in addition (``s+4r``), which is how the program smatch begins.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from statistics import fmean, pstdev
from typing import NamedTuple

from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.registry import alignment_based
from exactmatch.scoring.comparison import compare
from exactmatch.solving.search.methods import METHODS, search
from exactmatch.stopping.deadline import Deadline, OutOfTime
from exactmatch.studies.common.judges import Judge

#: Numbers of random starts.
RESTARTS = (1, 2, 4, 9)

#: The names of searches from so many random starts, without and with a smart start.
_RANDOM = {number: "r" if number == 1 else f"{number}r" for number in RESTARTS}
_SMART = {number: f"s+{number}r" for number in RESTARTS}


@dataclass(frozen=True, kw_only=True)
class Determinacy:
    """The variation of scores from run to run.

    corpus, pair: the standard deviation of the score of the corpus, and the mean of that of a pair.
    corpus_spread, worst_pair: the largest minus the least score, of the corpus and of the pair with
    the largest spread.
    """

    corpus: float
    pair: float
    corpus_spread: float
    worst_pair: float


class Climbs(NamedTuple):
    """The matches of hill climbs on a pair: by the name of the search, a number for each seed."""

    system_total: int
    gold_total: int
    matched: Mapping[str, Sequence[int]]

    def runs(self, name: str) -> list[Statistics]:
        """Return the statistics of the runs of one search."""
        totals = self.system_total, self.gold_total
        return [Statistics(matched, matched, *totals) for matched in self.matched[name]]


def repeated(judge: Judge, pair: GraphPair, seeds: range) -> list[Statistics]:
    """Return the statistics of a pair for each seed; compute a constant result once.

    Raises `VerificationError` as scoring does.
    """
    first = judge.measure(pair.system, pair.gold, seeds[0])
    if judge.is_settled(first):
        return [first] * len(seeds)
    return [first, *(judge.measure(pair.system, pair.gold, seed) for seed in seeds[1:])]


def climbs(judge: Judge, pair: GraphPair, seeds: range) -> Climbs:
    """Return the matches of hill climbs, for each number of starts and each seed.

    A search from several starts returns the best result of all of them.
    """
    smart = replace(judge, settings=judge.settings.searched_by("s"))
    measured = smart.measurement(pair.system, pair.gold, seeds[0])
    known = measured.statistics
    starts = [[known.matched] * (1 + max(RESTARTS))] * len(seeds)
    if not measured.too_large:
        with suppress(OutOfTime):  # then nothing better is known
            starts = _starts(judge, pair, seeds)
    matched = {
        **{name: [max(row[1 : 1 + n]) for row in starts] for n, name in _RANDOM.items()},
        **{name: [max(row[: 1 + n]) for row in starts] for n, name in _SMART.items()},
    }
    return Climbs(known.system_total, known.gold_total, matched)


class RunsCollector:
    """Collects the runs on pairs; *value* makes a score of statistics."""

    def __init__(self, value: Callable[[Statistics], float]) -> None:
        self._value = value
        self._corpora: list[Statistics] = []  # one result for each run
        self._deviations = array("d")
        self._worst = 0.0

    def add(self, runs: Sequence[Statistics]) -> None:
        """Add the runs on one pair."""
        corpora = self._corpora or [Statistics() for _ in runs]
        self._corpora = [before + run for before, run in zip(corpora, runs, strict=True)]
        scores = [self._value(run) for run in runs]
        self._deviations.append(_deviation(scores))
        self._worst = max(self._worst, max(scores) - min(scores))

    def finish(self) -> Determinacy:
        """Return the variation of the scores."""
        scores = [self._value(corpus) for corpus in self._corpora]
        return Determinacy(
            corpus=_deviation(scores),
            pair=fmean(self._deviations),
            corpus_spread=max(scores) - min(scores),
            worst_pair=self._worst,
        )


class ClimbsCollector:
    """Collects the hill climbs on pairs."""

    def __init__(self, judge: Judge) -> None:
        self._collectors = {
            name: RunsCollector(judge.value) for name in (*_RANDOM.values(), *_SMART.values())
        }

    def add(self, climbs: Climbs) -> None:
        """Add the matches of climbs on one pair."""
        for name, collector in self._collectors.items():
            collector.add(climbs.runs(name))

    def finish(self) -> dict[str, Determinacy]:
        """Return the determinacy of each search."""
        return {name: collector.finish() for name, collector in self._collectors.items()}


def climbers(judges: Sequence[Judge]) -> dict[str, Judge]:
    """Return the alignment-based metrics, each once, by their names without a search."""
    chosen: dict[str, Judge] = {}
    for judge in judges:
        if judge.maps_variables and all(judge.metric != known.metric for known in chosen.values()):
            parts = judge.name.split(":")
            name = ":".join(part for part in parts if part != judge.settings.method)
            chosen[name] = judge
    return chosen


def _starts(judge: Judge, pair: GraphPair, seeds: range) -> list[list[int]]:
    """Return, for each seed, the result of the smart start, and then of each random one.

    Raises `OutOfTime` if the problem cannot be built in time.
    """
    comparison = compare(pair, alignment_based(judge.metric))
    seconds, starts = judge.settings.timeout, judge.settings.starts
    problem, likely = comparison.built(Deadline.after(seconds)), comparison.likely()

    def climb(name: str, seed: int) -> int:
        method, deadline = METHODS[name], Deadline.after(seconds)
        mapping = search(problem, method, likely, starts=starts, seed=seed, deadline=deadline)
        return problem.value(mapping)

    further = [len(seeds) * number for number in range(max(RESTARTS))]  # so that no seed recurs
    return [[climb("s", seed), *(climb("r", seed + n) for n in further)] for seed in seeds]


def _deviation(scores: Sequence[float]) -> float:
    return 0.0 if len(set(scores)) == 1 else pstdev(scores)
