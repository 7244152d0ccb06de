"""Principle VII of Opitz et al. (2020): a similar concept costs less than a dissimilar one.

In copies of the gold graph, one concept is replaced (section 2.1, VII): by another sense of the
same frame, or by a near-synonym. The near-synonym is the most similar word in the vectors or
similarities, if it is above the cut-off; a sense is kept. The cost of each is compared with that of
an unrelated concept at the same node. Costs are 1 - m(A', A), in triples of A.
"""

import random
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import NamedTuple

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.similarity import Similarity
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.graph_changes import WRONG, concepts_of, with_concepts

#: A sense that no frame has.
_OTHER_SENSE = "-77"

SENSE, SYNONYM = "another sense", "near-synonym"


class Substitution(NamedTuple):
    """A *variable* whose concept is replaced by a *similar* one, in a way called *kind*."""

    kind: str
    variable: str
    similar: str


class GradedCost(NamedTuple):
    """The cost of a *similar* concept and of an *unrelated* one at the same node, in triples."""

    kind: str
    similar: float
    unrelated: float


@dataclass(frozen=True, kw_only=True)
class Gradedness:
    """The mean cost of similar concepts, and of unrelated ones at the same nodes, in triples.

    graphs: the number of graphs with such a node. spared: the share of the cost that similarity
    spares: 0 if the metric makes no difference, None if nothing costs anything.
    """

    graphs: int
    similar: float
    unrelated: float
    spared: float | None


def is_graded(judge: Judge) -> bool:
    """Tell whether similar concepts match in part."""
    metric = judge.metric
    return isinstance(metric, S2match | CounterMetric) and metric.similarity is not None


def similarity_of(judges: Sequence[Judge]) -> Similarity | None:
    """Return the similarity of concepts of the first metric that has one; None if none has."""
    known = (judge.metric.similarity for judge in judges if isinstance(judge.metric, S2match))
    return next(known, None)


def substitutions(graph: Graph, seed: str, similarity: Similarity | None) -> list[Substitution]:
    """Return one random replacement of each kind that the graph allows."""
    rng = random.Random(seed)
    concepts = concepts_of(graph)
    frames = [
        Substitution(SENSE, variable, f"{concept[:-3]}{_OTHER_SENSE}")
        for variable, concept in concepts.items()
        if _is_frame(concept)
    ]
    nearest = _neighbours(similarity) if similarity is not None else None
    synonyms = [
        Substitution(SYNONYM, variable, synonym)
        for variable, concept in concepts.items()
        if nearest is not None and (synonym := nearest(concept)) is not None
    ]
    return [rng.choice(choices) for choices in (frames, synonyms) if choices]


def graded_costs(
    judge: Judge, graph: Graph, replacements: Sequence[Substitution], size: int, seed: int
) -> list[GradedCost]:
    """Return the cost of each replacement in a graph of *size* triples."""

    def cost(variable: str, concept: str) -> float:
        return size * (1 - judge.score(with_concepts(graph, {variable: concept}), graph, seed))

    return [
        GradedCost(kind, cost(variable, similar), cost(variable, WRONG))
        for kind, variable, similar in replacements
    ]


class GradednessCollector:
    """Collects the costs of replacements."""

    def __init__(self) -> None:
        self._costs = {kind: (array("d"), array("d")) for kind in (SENSE, SYNONYM)}

    def add(self, costs: Sequence[GradedCost]) -> None:
        """Take the costs in one graph."""
        for kind, similar, unrelated in costs:
            for side, cost in zip(self._costs[kind], (similar, unrelated), strict=True):
                side.append(cost)

    def finish(self) -> Mapping[str, Gradedness]:
        """Return the costs of replacements of each kind that occurs."""
        return {kind: _mean(*sides) for kind, sides in self._costs.items() if sides[0]}


def _mean(similar: Sequence[float], unrelated: Sequence[float]) -> Gradedness:
    one, other = fmean(similar), fmean(unrelated)
    return Gradedness(
        graphs=len(similar),
        similar=one,
        unrelated=other,
        spared=1 - one / other if other else None,
    )


@cache
def _neighbours(similarity: Similarity) -> Callable[[str], str | None]:
    """Return a function that finds the near-synonym of a concept, and caches it."""

    @cache
    def nearest(concept: str) -> str | None:
        sense = concept[-3:] if _is_frame(concept) else ""
        near = similarity.words.nearest(concept.removesuffix(sense).lower(), similarity.cut_off)
        return None if near is None else near + sense

    return nearest


def _is_frame(concept: str) -> bool:
    """Tell whether a concept ends in a sense, such as ``-01`` or ``-02``."""
    return concept[-3:-2] == "-" and concept[-2:].isdigit()
