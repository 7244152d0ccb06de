"""Compare metrics with each other and with human ratings, on the same pairs of graphs.

Juri Opitz, Letitia Parcalabescu and Anette Frank. 2020. *AMR Similarity Metrics from Principles*,
section 4: human ratings (Table 7, Figure 9), rankings of graphs (Table 8) and of parsers (Table 9).
Jiangming Liu, Shay B. Cohen and Mirella Lapata. 2020. *DScorer*, section 3.2: correlation of two
metrics (Figure 3), n-grams by the size of graphs (Figure 2).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import fsum
from statistics import fmean

from exactmatch.errors import InputError
from exactmatch.graphs.items import Study
from exactmatch.metrics.counts import Score
from exactmatch.studies.common.extremes import Extremes, extremes
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.common.sweep import SweepSettings
from exactmatch.studies.correlation.association import GRID, Association, associate, density
from exactmatch.studies.correlation.human import HumanRatings
from exactmatch.studies.correlation.opinions import Opinions, SystemScores, opinions
from exactmatch.studies.correlation.preferences import Preference, preferences
from exactmatch.studies.correlation.rated_pairs import HUMAN, RatedPairs, rated_pairs, with_all
from exactmatch.studies.correlation.structure import Structure, structure
from exactmatch.studies.correlation.units import UnitGroup, unit_groups, unit_series


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlated:
    """The association of two raters, metrics or people, on the pairs of a *system*, or of all."""

    system: str
    raters: tuple[str, str]
    found: Association


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelatedMetric:
    """A metric, and its scores of so many *pairs*, of which some are *proven*.

    timed_out, too_large: pairs that a limit has left open.
    """

    metric: str
    signature: str
    pairs: int
    proven: int
    timed_out: int
    too_large: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedScore:
    """The score of a system, of all its pairs together, and its rank among the systems."""

    score: Score
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanOfRuns:
    """The mean score of the runs of a system, its upper bound, and its rank among the systems."""

    value: float
    upper: float
    rank: int


@dataclass(frozen=True, slots=True)
class Points:
    """Points to be drawn."""

    label: str
    xs: Sequence[float]
    ys: Sequence[float]


@dataclass(frozen=True, slots=True)
class ScatteredPairs:
    """The scores of two raters for the same pairs of graphs: points for each system."""

    raters: tuple[str, str]
    points: Sequence[Points]


@dataclass(frozen=True)
class Correlation:
    """Several metrics, and human ratings if there are any, on the pairs of systems with *gold*.

    metrics: the metrics in order. rated: the pairs of each system.
    correlations: those of every two metrics; with_people: those of people with each metric. Both
        are computed on all pairs and, with several systems, on those of each.
    preferences: those of every two metrics, for every two systems.
    rankings: scores and ranks by system and metric; if systems have several runs, each of these
        counts as a system. runs: these runs by system, otherwise empty. means: the means of runs,
        by system and metric.
    structures: those of the gold standard and of each system.
    units: the numbers of n-grams of the gold graphs; *unit_groups* by the size of these.
    densities: those of the scores of each metric and of the human ratings. scattered: those of
        every two raters.
    """

    opinions: Opinions
    gold: str
    human: HumanRatings | None
    metrics: Sequence[CorrelatedMetric]
    rated: Mapping[str, RatedPairs]
    correlations: Sequence[Correlated]
    with_people: Sequence[Correlated]
    preferences: Sequence[Preference]
    rankings: Mapping[str, Mapping[str, RankedScore]]
    runs: Mapping[str, Sequence[str]]
    means: Mapping[str, Mapping[str, MeanOfRuns]]
    structures: Sequence[Structure]
    units: Sequence[Points]
    unit_groups: Sequence[UnitGroup]
    densities: Sequence[Points]
    scattered: Sequence[ScatteredPairs]

    @property
    def metrics_together(self) -> Extremes[tuple[str, str]] | None:
        """The range of Pearson's correlation of every two metrics, on all pairs, where defined."""
        return _pearson(self.correlations)

    @property
    def people_together(self) -> Extremes[tuple[str, str]] | None:
        """The range of Pearson's correlation of people with each metric, as above."""
        return _pearson(self.with_people)


def _pearson(correlated: Sequence[Correlated]) -> Extremes[tuple[str, str]] | None:
    every: dict[tuple[str, str], float | None] = {}
    for one in correlated:  # the correlation on all pairs comes first
        every.setdefault(one.raters, one.found.pearson)
    known = {raters: (r, r) for raters, r in every.items() if r is not None}
    return extremes(known) if known else None


def correlation(
    study: Study,
    systems: Sequence[str],
    gold: str,
    judges: Sequence[Judge],
    sweeping: SweepSettings,
    runs: Mapping[str, Sequence[str]] = {},
    human: HumanRatings | None = None,
) -> Correlation:
    """Score the pairs of each system with *gold* by every metric, and compare the scores.

    *runs* are the runs of each system, if any has several: they are among *systems*, and no two
    runs of one system are compared. Raises `InputError` if two files have no item in common, or a
    graph cannot be read.
    """
    all_opinions = opinions(study, systems, gold, judges, sweeping)
    for system, scored in all_opinions.scores.items():
        if not scored.items:
            raise InputError(f"no requested item is in both {system} and {gold}")
    metrics = [judge.name for judge in judges]
    raters = [*([] if human is None else [HUMAN]), *metrics]
    rated = rated_pairs(all_opinions.scores, human)
    groups = with_all(rated)
    _, every = groups[0]
    units = unit_series(all_opinions.gold_units)
    sizes = [one.size for one in all_opinions.counted_shapes]
    rankings = _rankings(all_opinions.scores, metrics)
    return Correlation(
        all_opinions,
        gold,
        human,
        [_metric(judge, all_opinions, every.of(judge.name)) for judge in judges],
        rated,
        correlations=[*_correlated(groups, combinations(metrics, 2))],
        with_people=[*_correlated(groups, ((HUMAN, metric) for metric in metrics))]
        if human is not None
        else [],
        preferences=preferences(all_opinions.scores, metrics, runs),
        rankings=rankings,
        runs=runs or {},
        means=_means(rankings, runs or {}, metrics),
        structures=[*_structures(all_opinions, gold)],
        units=[Points(one.label, xs=sizes, ys=[*one.counts]) for one in units],
        unit_groups=unit_groups(units, all_opinions.counted_shapes),
        densities=[*_densities(every, raters)],
        scattered=[_scattered(rated, pair) for pair in combinations(raters, 2)],
    )


def _metric(judge: Judge, all_opinions: Opinions, scores: Sequence[float]) -> CorrelatedMetric:
    proofs = all_opinions.proofs[judge.name]
    return CorrelatedMetric(
        metric=judge.name,
        signature=judge.signed(judge.settings.signature(judge.metric)),
        pairs=len(scores),
        proven=proofs.proven,
        timed_out=proofs.timed_out,
        too_large=proofs.too_large,
        mean=fsum(scores) / len(scores),
        low=min(scores),
        high=max(scores),
    )


def _correlated(
    groups: Sequence[tuple[str, RatedPairs]], raters: Iterable[tuple[str, str]]
) -> Iterator[Correlated]:
    for pair in raters:
        for system, rated in groups:
            one, other = rated.both(*pair)
            if one:
                yield Correlated(system=system, raters=pair, found=associate(one, other))


def _rankings(
    scores: Mapping[str, SystemScores], metrics: Sequence[str]
) -> dict[str, dict[str, RankedScore]]:
    ranked: dict[str, dict[str, RankedScore]] = {system: {} for system in scores}
    for metric in metrics:
        values = {system: scored.corpus[metric].exact for system, scored in scores.items()}
        for system, scored in scores.items():
            better = sum(value > values[system] for value in values.values())
            ranked[system][metric] = RankedScore(score=scored.corpus[metric], rank=1 + better)
    return ranked


def _means(
    rankings: Mapping[str, Mapping[str, RankedScore]],
    runs: Mapping[str, Sequence[str]],
    metrics: Sequence[str],
) -> dict[str, dict[str, MeanOfRuns]]:
    """Return the mean score of each system over its runs, by metric, with its rank."""
    means: dict[str, dict[str, MeanOfRuns]] = {system: {} for system in runs}
    for metric in metrics:
        scores = {s: [rankings[run][metric].score for run in own] for s, own in runs.items()}
        exact = {
            system: sum((Fraction(one.exact) for one in of_runs), Fraction()) / len(of_runs)
            for system, of_runs in scores.items()
        }
        for system, of_runs in scores.items():
            means[system][metric] = MeanOfRuns(
                value=fmean(one.value for one in of_runs),
                upper=fmean(one.value_upper for one in of_runs),
                rank=1 + sum(value > exact[system] for value in exact.values()),
            )
    return means


def _structures(all_opinions: Opinions, gold: str) -> Iterator[Structure]:
    yield structure(gold, all_opinions.gold_shapes)
    for system, scored in all_opinions.scores.items():
        yield structure(system, scored.shapes, scored.gold_shapes)


def _densities(rated: RatedPairs, raters: Sequence[str]) -> Iterator[Points]:
    """Yield the densities of the scores that vary."""
    for rater in raters:
        densities = density(rated.of(rater))
        if densities is not None:
            yield Points(label=rater, xs=GRID, ys=densities)


def _scattered(rated: Mapping[str, RatedPairs], raters: tuple[str, str]) -> ScatteredPairs:
    points = []
    for system, pairs in rated.items():
        xs, ys = pairs.both(*raters)
        points.append(Points(system, xs, ys))
    return ScatteredPairs(raters, points)
