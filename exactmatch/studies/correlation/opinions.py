"""The scores of several metrics for the graphs of several systems, pair by pair."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import NamedTuple

from exactmatch.graphs.items import FilePair, Study
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.metrics.base import NOT_COUNTED, Statistics
from exactmatch.metrics.counts import Score
from exactmatch.metrics.registry import mending_policy
from exactmatch.scoring.solver_totals import SolverRun
from exactmatch.solving.names import EXACT
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.common.sweep import Sweep, SweepSettings
from exactmatch.studies.correlation.structure import Shape, shape

#: Digits of the scores of pairs: scores that differ by less are equal, so that ranks have ties.
_DIGITS = 12


@dataclass(frozen=True, kw_only=True)
class SystemScores:
    """The scores of the pairs of a system by several metrics.

    items: the position of each pair in the study.
    values: the score of each pair, by the name of the metric. corpus: the score of all pairs
        together, by metric.
    shapes: those of the graphs of the system; gold_shapes: those of the gold graphs.
    """

    items: Sequence[int]
    values: Mapping[str, Sequence[float]]
    corpus: Mapping[str, Score]
    shapes: Sequence[Shape]
    gold_shapes: Sequence[Shape]


class ProvenPairs(NamedTuple):
    """The number of *proven* scores of pairs by a metric, and of those that limits left open."""

    proven: int = 0
    timed_out: int = 0
    too_large: int = 0

    def plus(self, other: "ProvenPairs") -> "ProvenPairs":
        """Return the sum of both."""
        return ProvenPairs(*(one + more for one, more in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Opinions:
    """The scores of several metrics for several systems.

    study: the study after its graphs were read.
    scores: the scores by system. skipped: the number of pairs that were left out.
    proofs: the proven pairs, by the name of the metric.
    pairs: the number of pairs; optimal: those proven by every metric with an exact search, none if
        there is no such metric; certified: those of them whose proofs were all checked.
    gold_shapes: those of the gold graphs, each once; counted_shapes: those of them whose n-grams
        were counted in time. gold_units: the numbers of n-grams of these graphs, by the name of the
        metric and of its part, for metrics that count n-grams.
    solver: the work of a solver by name, by all metrics together.
    """

    study: Study
    scores: Mapping[str, SystemScores]
    skipped: int
    proofs: Mapping[str, ProvenPairs]
    pairs: int
    optimal: int
    certified: int
    gold_shapes: Sequence[Shape]
    counted_shapes: Sequence[Shape]
    gold_units: Mapping[tuple[str, str], Sequence[int]]
    solver: SolverRun

    @property
    def unchecked(self) -> int:
        """The number of optimal pairs that rest on the word of a solver."""
        return self.optimal - self.certified


class Opinion(NamedTuple):
    """The statistics of a pair by a metric, and whether they are proven."""

    statistics: Statistics
    certified: bool
    proofs: ProvenPairs


class PairOpinions(NamedTuple):
    """The statistics of a pair by several metrics, in their order, and the shapes of its graphs."""

    opinions: Sequence[Opinion]
    system: Shape
    gold: Shape


def opinions(
    study: Study,
    systems: Sequence[str],
    gold: str,
    judges: Sequence[Judge],
    sweeping: SweepSettings,
) -> Opinions:
    """Score the pairs of each system with *gold* by every metric.

    Raises the errors of `Sweep`.
    """
    files: list[FilePair] = [(system, gold) for system in systems]
    job = partial(_opinions, judges)
    policy = mending_policy([judge.metric for judge in judges])
    sweep = Sweep(study, files, job, sweeping, ill_formed=policy)
    collectors = {system: _SystemCollector(judges) for system in systems}
    golds = _GoldCollector(judges)
    skipped = 0
    for item, results in sweep:
        of_gold = None
        for collector, one in zip(collectors.values(), results, strict=True):
            if isinstance(one, Skipped):
                skipped += 1
            elif one is not None:
                collector.add(item, one)
                of_gold = one
        if of_gold is not None:
            golds.add(of_gold)
    every = [*collectors.values()]
    return Opinions(
        sweep.study,
        {system: collector.finish() for system, collector in collectors.items()},
        skipped,
        proofs={
            judge.name: reduce(ProvenPairs.plus, [one.proofs[judge.name] for one in every])
            for judge in judges
        },
        pairs=sum(collector.pairs for collector in every),
        optimal=sum(collector.optimal for collector in every),
        certified=sum(collector.certified for collector in every),
        gold_shapes=golds.shapes,
        counted_shapes=golds.counted,
        gold_units=golds.units,
        solver=sweep.solver,
    )


def _opinions(judges: Sequence[Judge], pair: GraphPair) -> PairOpinions:
    said = [_opinion(judge, pair) for judge in judges]
    return PairOpinions(said, shape(pair.system), shape(pair.gold))


def _opinion(judge: Judge, pair: GraphPair) -> Opinion:
    measurement = judge.measurement(pair.system, pair.gold, judge.settings.seed)
    is_proven = measurement.statistics.matched == measurement.statistics.matched_upper
    return Opinion(
        measurement.statistics,
        measurement.certified,
        ProvenPairs(is_proven, measurement.timed_out, measurement.too_large),
    )


class _SystemCollector:
    """Collects the scores of the pairs of a system, and keeps little of each."""

    def __init__(self, judges: Sequence[Judge]) -> None:
        self._judges = judges
        self._items = array("q")
        self._values = {judge.name: array("d") for judge in judges}
        self._sums = {judge.name: Statistics() for judge in judges}
        self._shapes: list[Shape] = []
        self._gold_shapes: list[Shape] = []
        self.proofs = {judge.name: ProvenPairs() for judge in judges}
        self.optimal = self.certified = 0

    @property
    def pairs(self) -> int:
        """The number of pairs so far."""
        return len(self._items)

    def add(self, item: int, pair: PairOpinions) -> None:
        """Add the scores of the pair at the position *item*."""
        self._items.append(item)
        self._shapes.append(pair.system)
        self._gold_shapes.append(pair.gold)
        exact = []
        for judge, opinion in zip(self._judges, pair.opinions, strict=True):
            name = judge.name
            self._values[name].append(round(judge.value(opinion.statistics), _DIGITS))
            self._sums[name] += opinion.statistics
            self.proofs[name] = self.proofs[name].plus(opinion.proofs)
            if judge.settings.method == EXACT:
                exact.append(opinion)
        if exact and all(opinion.proofs.proven for opinion in exact):
            self.optimal += 1
            self.certified += all(opinion.certified for opinion in exact)

    def finish(self) -> SystemScores:
        """Return the scores of the system."""
        return SystemScores(
            items=self._items,
            values=self._values,
            corpus={one.name: one.corpus_score(self._sums[one.name]) for one in self._judges},
            shapes=self._shapes,
            gold_shapes=self._gold_shapes,
        )


class _GoldCollector:
    """Collects the gold graphs, each once: their shapes, and their numbers of n-grams."""

    def __init__(self, judges: Sequence[Judge]) -> None:
        self._judges = judges
        self.shapes: list[Shape] = []
        self.counted: list[Shape] = []
        self.units: dict[tuple[str, str], array[int]] = {}

    def add(self, pair: PairOpinions) -> None:
        """Take the gold graph of a pair."""
        self.shapes.append(pair.gold)
        both = zip(self._judges, pair.opinions, strict=True)
        statistics_of = {one.name: said.statistics for one, said in both if _counts_ngrams(one)}
        if any(NOT_COUNTED in statistics.sums for statistics in statistics_of.values()):
            return
        self.counted.append(pair.gold)
        for name, statistics in statistics_of.items():
            for part, counts in statistics.breakdown.items():
                self.units.setdefault((name, part), array("q")).append(counts.gold_total)


def _counts_ngrams(judge: Judge) -> bool:
    """Tell whether the metric counts n-grams of the gold graph by itself."""
    metric = judge.metric
    is_free = not metric.maps_variables
    return is_free and metric.unit == "n-grams" and not judge.exchanged
