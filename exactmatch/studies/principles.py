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
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

from exactmatch.graph import CONCEPT, SENSE, Constant, Graph, Triple, Variable
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.parallel import in_order
from exactmatch.studies.judged import Aligned, Judged

#: Differences up to this are none (Opitz et al. 2020, below Eq. 4).
TOLERANCE = 1e-4

#: A concept that no corpus has.
_WRONG = "unheard-of-00"


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

    forth: Sequence[Any]
    back: Any
    selves: tuple[float, float]
    costs: Sequence[Cost]
    similar: float | None


class Measured(NamedTuple):
    """A pair: its Jaccard index, if that is proven, and the findings of each metric, by name."""

    identifier: str
    jaccard: float
    proven: bool
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
    of the highest degrees by that at nodes of degree 0 or 1. What cannot be had is None.
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


def measure_pairs(
    pairs: Sequence[GraphPair | Skipped],
    metrics: Sequence[Judged],
    exact: Aligned,
    *,
    seeds: int,
    first_seed: int,
    workers: int = 1,
    advance: Callable[[], None] = lambda: None,
) -> list[Measured]:
    """Have every metric judge every pair; *exact* is what the Jaccard index is computed with."""
    job = partial(_measure, metrics=metrics, exact=exact, seeds=seeds, first=first_seed)
    found = []
    graphs = [pair for pair in pairs if isinstance(pair, GraphPair)]
    for measured in in_order(job, graphs, workers, lambda pair: f"pair {pair.identifier}"):
        found.append(measured)
        advance()
    return found


def principles_of(metric: Judged, measured: Sequence[Measured]) -> Principles:
    """Sum up what *metric* says of the pairs."""
    found = [m.findings[metric.name] for m in measured]
    forth = [metric.value([f.forth[0]]) for f in found]
    back = [metric.value([f.back]) for f in found]
    asymmetry = [abs(one - other) for one, other in zip(forth, back, strict=True)]
    runs = [[metric.value([m]) for m in f.forth] for f in found]
    spreads = [max(values) - min(values) for values in runs]
    corpus = [metric.value(list(column)) for column in zip(*(f.forth for f in found), strict=True)]
    costs = _by_degree([cost for f in found for cost in f.costs])
    graded = [f.similar for f in found if f.similar is not None]
    return Principles(
        metric=metric.name,
        signature=metric.signature,
        low=min(forth),
        high=max(forth),
        outside=sum(not -TOLERANCE <= score <= 1 + TOLERANCE for score in forth),
        selves_below=sum(abs(1 - score) > TOLERANCE for f in found for score in f.selves),
        twins=sum(_is_twin(s, m) for s, m in zip(forth, measured, strict=True)),
        asymmetric=fmean(difference > TOLERANCE for difference in asymmetry),
        asymmetry=fmean(asymmetry),
        corpus_spread=max(corpus) - min(corpus),
        pair_spread=max(spreads),
        costs=costs,
        bias=_bias(costs),
        tau=_tau(forth, [m.jaccard for m in measured]),
        graded=fmean(graded) if graded else None,
        examples=_examples(metric.name, measured, forth, back, found),
    )


def _is_twin(score: float, measured: Measured) -> bool:
    return score > 1 - TOLERANCE and measured.jaccard < 1 - TOLERANCE


def _examples(
    name: str,
    measured: Sequence[Measured],
    forth: Sequence[float],
    back: Sequence[float],
    found: Sequence[Findings],
) -> list[CounterExample]:
    """Return the worst pair for identity and for symmetry, if there is one."""
    examples = []
    rows = list(zip(measured, forth, back, found, strict=True))

    def add(principle: str, row: Any, score: float, other: float) -> None:
        item = row[0].identifier
        examples.append(
            CounterExample(principle=principle, metric=name, item=item, score=score, other=other)
        )

    below = [row for row in rows if min(row[3].selves) < 1 - TOLERANCE]
    if below:
        worst = min(below, key=lambda row: min(row[3].selves))
        add("II: a graph against itself", worst, min(worst[3].selves), 1.0)
    twins = [row for row in rows if _is_twin(row[1], row[0])]
    if twins:
        worst = min(twins, key=lambda row: row[0].jaccard)
        add("II: different graphs, and their Jaccard index", worst, worst[1], worst[0].jaccard)
    worst = max(rows, key=lambda row: abs(row[1] - row[2]))
    if abs(worst[1] - worst[2]) > TOLERANCE:
        add("III: the pair, and swapped", worst, worst[1], worst[2])
    return examples


def _measure(
    pair: GraphPair, metrics: Sequence[Judged], exact: Aligned, seeds: int, first: int
) -> Measured:
    matched, upper, left, right = exact.measure(pair.test, pair.gold, first)
    union = left + right - matched
    jaccard = matched / union if union else 1.0
    findings = {m.name: _findings(m, pair, exact, range(first, first + seeds)) for m in metrics}
    return Measured(pair.identifier, jaccard, matched == upper, findings)


def _findings(metric: Judged, pair: GraphPair, exact: Aligned, seeds: range) -> Findings:
    test, gold, first = pair.test, pair.gold, seeds[0]

    def score(one: Graph, other: Graph) -> float:
        return metric.value([metric.measure(one, other, first)])

    size = len(exact.profile.normalise(gold).items)
    degrees = _degrees(gold)
    costs = []
    for variable in gold.variables:
        wrong = _with_concept(gold, variable, _WRONG)
        if wrong is not None:
            costs.append(Cost(degrees[variable], size * (1 - score(wrong, gold))))
    return Findings(
        forth=[metric.measure(test, gold, seed) for seed in seeds],
        back=metric.measure(gold, test, first),
        selves=(score(test, test), score(gold, gold)),
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
    degrees: dict[str, int] = dict.fromkeys(graph.variables, 0)
    relations = (
        (triple.relation, tuple(a.name for a in triple.arguments if isinstance(a, Variable)))
        for triple in graph.triples
    )
    # An edge in MRP is several triples if it has attributes.
    for _, variables in dict.fromkeys(relations):
        if len(variables) > 1:
            for variable in variables:
                degrees[variable] += 1
    return degrees


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


def _by_degree(costs: Sequence[Cost]) -> dict[str, float]:
    """Return the mean cost by groups of degrees."""
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for degree, cost in costs:
        bound = next((b for b in _DEGREES if degree <= b), None)
        groups["more" if bound is None else f"up to {bound}"].append(cost)
    names = [*(f"up to {bound}" for bound in _DEGREES), "more"]
    return {name: fmean(groups[name]) for name in names if name in groups}


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
