"""The seven principles of a metric, measured (Opitz, Parcalabescu and Frank 2020, section 3).

I    range, II identity of indiscernibles, III symmetry: `exactmatch.studies.principles.symmetry`.
IV   determinacy: `exactmatch.studies.principles.determinacy`.
V    no bias: `exactmatch.studies.principles.bias`.
VI   overlap: `exactmatch.studies.principles.overlap`.
VII  gradedness: `exactmatch.studies.principles.gradedness`.

In addition, the study measures how far metrics detect damage of AMRs:
`exactmatch.studies.principles.rewiring`.

Each pair is compared many times, but no comparison with a known result is repeated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

from exactmatch.errors import InputError
from exactmatch.graphs.graph import PENMAN
from exactmatch.graphs.items import Study
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.registry import alignment_based, mending_policy
from exactmatch.metrics.similarity import Similarity
from exactmatch.scoring.solver_totals import SolverRun
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.common.sweep import Sweep, SweepSettings
from exactmatch.studies.principles.bias import (
    TREE_DEGREES,
    Cost,
    CostCollector,
    TreeCosts,
    cost_ratio,
    costs_by_node,
    costs_in_tree,
)
from exactmatch.studies.principles.determinacy import (
    Climbs,
    ClimbsCollector,
    Determinacy,
    RunsCollector,
    climbers,
    climbs,
    repeated,
)
from exactmatch.studies.principles.gradedness import (
    GradedCost,
    Gradedness,
    GradednessCollector,
    graded_costs,
    is_graded,
    similarity_of,
    substitutions,
)
from exactmatch.studies.principles.overlap import (
    Jaccard,
    Overlap,
    OverlapCollector,
    jaccard,
    rivals,
)
from exactmatch.studies.principles.rewiring import (
    Consistency,
    ConsistencyCollector,
    RewiredScore,
    rewired,
    rewired_scores,
)
from exactmatch.studies.principles.symmetry import (
    TOLERANCE,
    BothWays,
    Symmetry,
    SymmetryCollector,
    both_ways,
)


class Findings(NamedTuple):
    """The results of a metric for a pair.

    ways: for principles I to III. runs: statistics of the pair, one for each seed.
    costs: those of wrong concepts in the gold graph. overlap: scores of the rivals of the gold
        graph; symbolic: those without graded matching, if the metric has it. indices: the Jaccard
        indices of the rivals, in triples of the metric.
    graded: costs of similar concepts. rewired: scores of rewired copies of the gold graph.
    """

    ways: BothWays
    runs: Sequence[Statistics]
    costs: Sequence[Cost]
    overlap: Sequence[float]
    symbolic: Sequence[float]
    indices: Sequence[Jaccard]
    graded: Sequence[GradedCost]
    rewired: Sequence[RewiredScore]


class Measured(NamedTuple):
    """A pair.

    usual: the Jaccard index of its graphs, in triples of the usual metric. findings: those of each
        metric, by name. climbs: those of each alignment-based metric, by name.
    """

    identifier: str
    usual: Jaccard
    findings: Mapping[str, Findings]
    climbs: Mapping[str, Climbs]


@dataclass(frozen=True, kw_only=True)
class Principles:
    """The measured principles of a metric.

    search: ``exact`` or the heuristic, None for alignment-free metrics. costs: the costs of a wrong
    concept, by groups of degrees. bias: the cost at nodes of the highest degrees divided by that at
    the lowest; None if undefined. trees: the costs of errors in trees, for each degree; none if the
    graphs are no AMRs. gradedness: by the kind of replacement. consistency: the correlation with
    the damage of rewired graphs; None if the graphs are no AMRs, or too small.
    """

    metric: str
    signature: str
    search: str | None
    symmetry: Symmetry
    determinacy: Determinacy
    costs: Mapping[str, float]
    bias: float | None
    trees: Sequence[TreeCosts]
    overlap: Overlap
    gradedness: Mapping[str, Gradedness]
    consistency: Consistency | None

    @property
    def broken(self) -> list[str]:
        """The principles among I to IV and VI that have counter-examples, or scores that vary."""
        symmetry = self.symmetry
        holds = {
            "I": not symmetry.outside,
            "II": not (symmetry.selves_below or symmetry.twins),
            "III": not symmetry.asymmetric,
            "IV": not self.determinacy.worst_pair,
            "VI": not self.overlap.violated,
        }
        return [principle for principle, kept in holds.items() if not kept]


@dataclass(frozen=True)
class Measurements:
    """The measured principles of several metrics on so many *pairs*.

    Some pairs are *proven*, and some of these *certified*.

    seeds: how often each pair was scored. degrees: the names of the groups of degrees.
    tolerance: differences up to this count as none.
    climbs: the determinacy of hill climbs, by alignment-based metric and by name.
    solver: the work of a solver by name, on all that was scored for each pair.
    """

    study: Study
    solver: SolverRun
    pairs: int
    proven: int
    certified: int
    seeds: int
    degrees: Sequence[str]
    tolerance: float
    principles: Sequence[Principles]
    climbs: Mapping[str, Mapping[str, Determinacy]]

    @property
    def unchecked(self) -> int:
        """The number of proven pairs that rest on the word of a solver."""
        return self.proven - self.certified


def measure_principles(
    study: Study,
    judges: Sequence[Judge],
    exact: Judge,
    seeds: range,
    sweeping: SweepSettings,
) -> Measurements:
    """Measure every metric on the pairs of a study of two files, by each of *seeds*.

    *exact* is the usual metric, with the settings for Jaccard indices. Raises `InputError` if there
    is no pair, or a graph cannot be read.
    """
    one, other = (source.name for source in study.sources)
    panel = Panel.of(judges, exact, seeds)
    job = partial(measure, panel=panel)
    policy = mending_policy([judge.metric for judge in judges])
    sweep = Sweep(study, [(one, other)], job, sweeping, ill_formed=policy)
    collectors = [PrinciplesCollector(judge) for judge in judges]
    climbing = {name: ClimbsCollector(judge) for name, judge in panel.climbers.items()}
    pairs = proven = certified = 0
    for _, (measured,) in sweep:
        if isinstance(measured, Measured):
            pairs += 1
            proven += measured.usual.proven
            certified += measured.usual.certified
            for collector in collectors:
                collector.add(measured)
            for name, climbs_of_pair in measured.climbs.items():
                climbing[name].add(climbs_of_pair)
    if not pairs:
        raise InputError(f"no item is readable in both {one} and {other}")
    tree_degrees = TREE_DEGREES if study.format == PENMAN else ()
    principles = [collector.finish(tree_degrees, seeds[0]) for collector in collectors]
    return Measurements(
        sweep.study,
        sweep.solver,
        pairs,
        proven,
        certified,
        seeds=len(seeds),
        degrees=list(dict.fromkeys(degree for one in principles for degree in one.costs)),
        tolerance=TOLERANCE,
        principles=principles,
        climbs={name: collector.finish() for name, collector in climbing.items()},
    )


@dataclass(frozen=True, slots=True)
class Panel:
    """The metrics to measure, with their settings.

    exact: the usual metric and the settings for Jaccard indices. climbers: the metrics whose hill
    climbs are repeated, by name. similarity: finds near-synonyms for metrics that have none of
    their own, None if there is none.
    """

    judges: Sequence[Judge]
    exact: Judge
    seeds: range
    climbers: Mapping[str, Judge]
    similarity: Similarity | None

    @classmethod
    def of(cls, judges: Sequence[Judge], exact: Judge, seeds: range) -> "Panel":
        """Return the panel of these metrics. Hill climbs are left out if there is a single seed."""
        climbing = climbers(judges) if len(seeds) > 1 else {}
        return cls(judges, exact, seeds, climbing, similarity_of(judges))

    def counted(self, judge: Judge) -> AlignmentMetric:
        """Return the metric whose triples a judge counts; the usual one if it counts none."""
        own = judge.metric
        return own if isinstance(own, AlignmentMetric) else alignment_based(self.exact.metric)

    def similarity_for(self, judge: Judge) -> Similarity | None:
        """Return the similarity that finds near-synonyms for a judge."""
        return similarity_of([judge]) or self.similarity


def measure(pair: GraphPair, panel: Panel) -> Measured:
    """Measure every metric on a pair."""
    gold, seed = pair.gold, panel.seeds[0]
    others = rivals(pair)
    is_amr = gold.format == PENMAN
    copies = rewired(gold, f"{pair.identifier} {seed}") if is_amr else []

    @cache
    def indices(metric: AlignmentMetric) -> Sequence[Jaccard]:
        exact = replace(panel.exact, metric=metric)
        return [jaccard(exact, other, gold, seed) for other in others]

    def findings(judge: Judge) -> Findings:
        runs = repeated(judge, pair, panel.seeds)
        forth = judge.value(runs[0])
        counted = panel.counted(judge)
        size = len(counted.normalise(gold).triples)
        replacements = substitutions(gold, pair.identifier, panel.similarity_for(judge))
        symbolic = replace(judge, metric=counted.symbolic()) if is_graded(judge) else None
        return Findings(
            ways=both_ways(judge, pair, forth, seed),
            runs=runs,
            costs=costs_by_node(judge, gold, size, seed),
            overlap=[forth, *(judge.score(other, gold, seed) for other in others[1:])],
            symbolic=[symbolic.score(other, gold, seed) for other in others] if symbolic else (),
            indices=indices(counted.symbolic()),
            graded=graded_costs(judge, gold, replacements, size, seed),
            rewired=rewired_scores(judge, gold, copies, seed),
        )

    return Measured(
        pair.identifier,
        jaccard(panel.exact, pair.system, gold, seed),
        {judge.name: findings(judge) for judge in panel.judges},
        {name: climbs(judge, pair, panel.seeds) for name, judge in panel.climbers.items()},
    )


class PrinciplesCollector:
    """Collects the results of a metric for pairs, and keeps little of each."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._symmetry = SymmetryCollector()
        self._runs = RunsCollector(judge.value)
        self._costs = CostCollector()
        self._overlap = OverlapCollector(is_graded=is_graded(judge))
        self._graded = GradednessCollector()
        self._consistency = ConsistencyCollector()

    def add(self, measured: Measured) -> None:
        """Add the results for one pair."""
        findings = measured.findings[self._judge.name]
        self._symmetry.add(measured.identifier, findings.ways, float(measured.usual.value))
        self._runs.add(findings.runs)
        self._costs.add(findings.costs)
        self._overlap.add(
            measured.identifier, findings.overlap, findings.indices, findings.symbolic
        )
        self._graded.add(findings.graded)
        self._consistency.add(findings.rewired)

    def finish(self, tree_degrees: Sequence[int], seed: int) -> Principles:
        """Return the summary, with the costs in trees of these degrees."""
        judge = self._judge
        costs = self._costs.finish()
        return Principles(
            metric=judge.name,
            signature=judge.signature,
            search=judge.settings.method if judge.maps_variables else None,
            symmetry=self._symmetry.finish(),
            determinacy=self._runs.finish(),
            costs=costs,
            bias=cost_ratio(costs),
            trees=[costs_in_tree(judge, degree, seed) for degree in tree_degrees],
            overlap=self._overlap.finish(),
            gradedness=self._graded.finish(),
            consistency=self._consistency.finish(),
        )
