"""The seven principles of a metric, measured (Opitz, Parcalabescu and Frank 2020, section 3).

For pairs of graphs (A, B), a metric m with scores from 0 to 1, and seeds for those that search:

I    range: the least and the largest score.
II   identity of indiscernibles: m(A, A) is 1; and m(A, B) is 1 only if the graphs are the same,
     that is, if an exact metric that maps variables says so.
III  symmetry: the share of pairs with |m(A, B) - m(B, A)| > `TOLERANCE` (their Eq. 4), and the mean
     of that difference (Eq. 5).
IV   determinacy: the largest minus the least score over the seeds, of the corpus and of a pair.
V    no bias: what a wrong concept costs should not depend on the degree of its node. For nodes of
     all graphs, a concept is replaced by one that occurs nowhere, and the cost, 1 - m(A', A), in
     triples of A (times its size), is compared by degree.
VI   overlap: the more triples two graphs share, as their Jaccard index says, the larger the score;
     Kendall's tau between both, over the pairs. The Jaccard index is that of the best mapping.
VII  gradedness: a similar concept costs less than one that has nothing to do with it. For frames,
     another sense is a similar concept.
"""

import random
from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import NamedTuple

from exactmatch.errors import InputError
from exactmatch.graph import CONCEPT, SENSE, Constant, Graph, Triple, Variable
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.registry import alignment_based
from exactmatch.pairing import GraphPair
from exactmatch.studies.judges import Judge
from exactmatch.studies.sources import Study
from exactmatch.studies.sweep import Sweep

#: Differences up to this are none (Opitz et al. 2020, below Eq. 4).
TOLERANCE = 1e-4

#: A concept that no corpus has.
_WRONG = "unheard-of-00"

#: What counter-examples are shown for.
_EXAMPLES = (
    "II: a graph against itself",
    "II: different graphs, and their Jaccard index",
    "III: the pair, and swapped",
)


class Cost(NamedTuple):
    """What a wrong concept costs at a node of this *degree*, in triples of its graph."""

    degree: int
    cost: float


class Findings(NamedTuple):
    """What a metric says of a pair.

    forth: statistics of (A, B), one for each seed; back: of (B, A), with the first seed.
    selves: scores of A and of B against themselves. costs: of wrong concepts in B.
    similar: by how much a similar concept costs less than a wrong one; None if B has no frame.
    """

    forth: Sequence[Statistics]
    back: Statistics
    selves: tuple[float, float]
    costs: Sequence[Cost]
    similar: float | None


class Measured(NamedTuple):
    """A pair: its Jaccard index, whether that is *proven*, and by a checked proof (*certified*).

    findings: of each metric, by name.
    """

    identifier: str
    jaccard: float
    proven: bool
    certified: bool
    findings: Mapping[str, Findings]


@dataclass(frozen=True, kw_only=True)
class CounterExample:
    """A pair on which a metric violates a principle; *score* and *other* are what it says."""

    principle: str
    metric: str
    item: str
    score: float
    other: float


@dataclass(frozen=True, kw_only=True)
class Principles:
    """The principles of a metric, measured; see the head of this module.

    selves_below: graphs whose score against themselves is not 1; twins: pairs of different graphs
    whose score is 1; outside: scores below 0 or above 1. bias: the cost of a wrong concept at nodes
    of the highest degrees by that at nodes of degree 0 or 1. What is not available is None.
    """

    metric: str
    signature: str
    low: float
    high: float
    outside: int
    selves_below: int
    twins: int
    asymmetric: float
    asymmetry: float
    corpus_spread: float
    pair_spread: float
    costs: Mapping[str, float]
    bias: float | None
    tau: float | None
    graded: float | None
    examples: Sequence[CounterExample]


@dataclass(frozen=True, kw_only=True)
class Measurements:
    """What several metrics do to the principles, on so many *pairs*, of which some are *proven*
    and some of these *certified*.

    seeds: so often each pair was scored. degrees: the names of the groups that costs are given for.
    tolerance: differences up to this are none.
    """

    study: Study
    pairs: int
    proven: int
    certified: int
    seeds: int
    degrees: Sequence[str]
    tolerance: float
    principles: Sequence[Principles]


def measure_principles(
    study: Study,
    judges: Sequence[Judge],
    exact: Judge,
    *,
    seeds: int,
    first_seed: int,
    items: Sequence[int],
    workers: int = 1,
    advance: Callable[[int], object] = lambda _: None,
) -> Measurements:
    """Have every metric judge the pairs of a study of two files, on these of its *items*.

    *exact* is what the Jaccard index is computed with. *advance* is called with the number of pairs
    judged since. Raises `InputError` if there is no pair, or a graph cannot be read.
    """
    one, other = (source.name for source in study.sources)
    chosen = range(first_seed, first_seed + seeds)
    job = partial(measure, judges=judges, exact=exact, seeds=chosen)
    sweep = Sweep(study, [(one, other)], job, items=items, workers=workers, advance=advance)
    collectors = [PrinciplesCollector(judge) for judge in judges]
    pairs = proven = certified = 0
    for _, (found,) in sweep:
        if isinstance(found, Measured):
            pairs += 1
            proven += found.proven
            certified += found.certified
            for collector in collectors:
                collector.add(found)
    if not pairs:
        raise InputError(f"no item is readable in both {one} and {other}")
    principles = [collector.finish() for collector in collectors]
    return Measurements(
        study=sweep.study,
        pairs=pairs,
        proven=proven,
        certified=certified,
        seeds=seeds,
        degrees=list(dict.fromkeys(degree for found in principles for degree in found.costs)),
        tolerance=TOLERANCE,
        principles=principles,
    )


class PrinciplesCollector:
    """Takes what a metric says of pairs as they come, and keeps little of each."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._forth, self._back, self._jaccard = array("d"), array("d"), array("d")
        self._runs: list[Statistics] = []  # one for each seed
        self._costs: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))
        self._similar = array("d")
        self._selves_below = 0
        self._twins = 0
        self._pair_spread = 0.0
        self._examples: dict[str, tuple[float, CounterExample]] = {}

    def add(self, measured: Measured) -> None:
        """Take what is said of one pair."""
        found = measured.findings[self._judge.name]
        values = [self._judge.value(run) for run in found.forth]
        forth, back = values[0], self._judge.value(found.back)
        self._forth.append(forth)
        self._back.append(back)
        self._jaccard.append(measured.jaccard)
        runs = self._runs or [Statistics() for _ in found.forth]
        self._runs = [before + run for before, run in zip(runs, found.forth, strict=True)]
        self._pair_spread = max(self._pair_spread, max(values) - min(values))
        self._selves_below += sum(abs(1 - score) > TOLERANCE for score in found.selves)
        for degree, cost in found.costs:
            self._costs[_degree_group(degree)].append(cost)
        if found.similar is not None:
            self._similar.append(found.similar)
        self._look(measured, found, forth, back)

    def finish(self) -> Principles:
        """Sum up what the metric says of the pairs."""
        asymmetry = [abs(one - other) for one, other in zip(self._forth, self._back, strict=True)]
        corpus = [self._judge.value(run) for run in self._runs]
        costs = {name: fmean(self._costs[name]) for name in _DEGREE_GROUPS if name in self._costs}
        return Principles(
            metric=self._judge.name,
            signature=self._judge.signature,
            low=min(self._forth),
            high=max(self._forth),
            outside=sum(not -TOLERANCE <= score <= 1 + TOLERANCE for score in self._forth),
            selves_below=self._selves_below,
            twins=self._twins,
            asymmetric=fmean(difference > TOLERANCE for difference in asymmetry),
            asymmetry=fmean(asymmetry),
            corpus_spread=max(corpus) - min(corpus),
            pair_spread=self._pair_spread,
            costs=costs,
            bias=_bias(costs),
            tau=_tau(self._forth, self._jaccard),
            graded=fmean(self._similar) if self._similar else None,
            examples=[self._examples[name][1] for name in _EXAMPLES if name in self._examples],
        )

    def _look(self, measured: Measured, found: Findings, forth: float, back: float) -> None:
        """Keep the pair if it is the worst example so far, for identity or for symmetry."""
        itself, twin, swapped = _EXAMPLES
        least = min(found.selves)
        if least < 1 - TOLERANCE:
            self._keep(itself, measured.identifier, 1 - least, least, 1.0)
        if forth > 1 - TOLERANCE and measured.jaccard < 1 - TOLERANCE:
            self._twins += 1
            self._keep(twin, measured.identifier, 1 - measured.jaccard, forth, measured.jaccard)
        if abs(forth - back) > TOLERANCE:
            self._keep(swapped, measured.identifier, abs(forth - back), forth, back)

    def _keep(self, name: str, item: str, badness: float, score: float, other: float) -> None:
        if name not in self._examples or badness > self._examples[name][0]:
            example = CounterExample(
                principle=name, metric=self._judge.name, item=item, score=score, other=other
            )
            self._examples[name] = (badness, example)


def measure(pair: GraphPair, judges: Sequence[Judge], exact: Judge, seeds: range) -> Measured:
    """Have every metric judge a pair; *exact* is what the Jaccard index is computed with."""
    measured = exact.measurement(pair.system, pair.gold, seeds[0])
    best = measured.statistics
    proven = best.matched == best.matched_upper
    union = best.system_total + best.gold_total - best.matched
    jaccard = best.matched / union if union else 1.0
    size = len(alignment_based(exact.metric).normalise(pair.gold).triples)
    findings = {judge.name: _findings(judge, pair, size, seeds) for judge in judges}
    return Measured(pair.identifier, jaccard, proven, proven and measured.certified, findings)


def _findings(judge: Judge, pair: GraphPair, size: int, seeds: range) -> Findings:
    system, gold, first = pair.system, pair.gold, seeds[0]

    def score(one: Graph, other: Graph) -> float:
        return judge.value(judge.measure(one, other, first))

    degrees = _degrees(gold)
    costs = []
    for variable in gold.variables:
        wrong = _with_concept(gold, variable, _WRONG)
        if wrong is not None:
            costs.append(Cost(degrees[variable], size * (1 - score(wrong, gold))))
    return Findings(
        forth=[judge.measure(system, gold, seed) for seed in seeds],
        back=judge.measure(gold, system, first),
        selves=(score(system, system), score(gold, gold)),
        costs=costs,
        similar=_similar(gold, pair.identifier, score),
    )


def _similar(graph: Graph, identifier: str, score: Callable[[Graph, Graph], float]) -> float | None:
    """Return by how much another sense of a frame costs less than a wrong concept."""
    frames = [
        (triple.arguments[0], triple.arguments[1])
        for triple in graph.triples
        if triple.relation == CONCEPT and triple.arguments[1][0][-3:-2] == "-"
    ]
    if not frames:
        return None
    variable, concept = random.Random(identifier).choice(frames)
    near = _with_concept(graph, variable[0], f"{concept[0][:-3]}-77")
    far = _with_concept(graph, variable[0], _WRONG)
    if near is None or far is None:
        return None
    return score(near, graph) - score(far, graph)


def _degrees(graph: Graph) -> Mapping[str, int]:
    """Return how many relations each variable has to others."""
    from networkx import MultiGraph

    # Clauses relate up to three variables: so relations are nodes, joined to what they relate.
    incidence = MultiGraph()
    incidence.add_nodes_from(graph.variables)
    relations = (
        (triple.relation, tuple(a.name for a in triple.arguments if isinstance(a, Variable)))
        for triple in graph.triples
    )
    # An edge in MRP is several triples if it has attributes.
    for relation in dict.fromkeys(relations):
        _, variables = relation
        if len(variables) > 1:
            incidence.add_edges_from((relation, variable) for variable in variables)
    return dict(incidence.degree(graph.variables))


def _with_concept(graph: Graph, variable: str, concept: str) -> Graph | None:
    """Return *graph* with another concept of *variable*, None if it has none."""
    changed = [_changed(triple, variable, concept) for triple in graph.triples]
    if changed == list(graph.triples):
        return None
    return replace(graph, triples=tuple(changed))


def _changed(triple: Triple, variable: str, concept: str) -> Triple:
    if triple.relation == CONCEPT and triple.arguments[0] == Variable(variable):
        return triple._replace(arguments=(triple.arguments[0], Constant(concept)))
    *_, sense, referent = (None, *triple.arguments)
    is_sense = isinstance(sense, Constant) and SENSE.fullmatch(sense.text)
    return (
        triple._replace(relation=concept) if is_sense and referent == Variable(variable) else triple
    )


#: Degrees that are taken together: up to each of these, and above.
_DEGREES = (1, 2, 3, 5)


_DEGREE_GROUPS = (*(f"up to {bound}" for bound in _DEGREES), "more")


def _degree_group(degree: int) -> str:
    """Return the name of the degrees that this one is taken together with."""
    return next((f"up to {bound}" for bound in _DEGREES if degree <= bound), "more")


def _bias(costs: Mapping[str, float]) -> float | None:
    """Return the mean cost at the highest degrees by that at the lowest ones."""
    values = list(costs.values())
    lowest = costs.get(f"up to {_DEGREES[0]}")
    return values[-1] / lowest if len(values) > 1 and lowest else None


def _tau(scores: Sequence[float], others: Sequence[float]) -> float | None:
    """Return Kendall's tau (b, with regard to ties), None if one side never varies."""
    from scipy.stats import kendalltau

    rounded = [[round(value, 9) for value in side] for side in (scores, others)]
    if any(len(set(side)) < 2 for side in rounded):
        return None
    return float(kendalltau(*rounded).statistic)
