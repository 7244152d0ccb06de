"""Principle VII of Opitz et al. (2020): a similar concept costs less than one that is dissimilar.

In copies of the gold graph, one concept is replaced (section 2.1, VII): by another sense of the
same frame, or by a near-synonym, the word that is most similar to its own of all that vectors or
similarities know, if that is above the cut-off; a sense stays as it is. Either is compared with
what a concept costs that has nothing to do with it, at the same node. Costs are 1 - m(A', A), in
triples of A.
"""

import random
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import NamedTuple

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.similarity import Similarity
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.graph_changes import WRONG, concepts_of, with_concepts

#: A sense that no frame has.
_OTHER_SENSE = "-77"

SENSE, SYNONYM = "another sense", "near-synonym"


class Substitution(NamedTuple):
    """A *variable* whose concept is replaced by one that is *similar*: how is its *kind*."""

    kind: str
    variable: str
    similar: str


class GradedCost(NamedTuple):
    """What a *similar* concept costs and, at the same node, an *unrelated* one, in triples."""

    kind: str
    similar: float
    unrelated: float


@dataclass(frozen=True, kw_only=True)
class Gradedness:
    """What similar concepts cost on average, and unrelated ones at the same nodes, in triples.

    graphs: so many have such a node. spared: the share of the cost that being similar spares: 0 if
    the metric does not tell, None if nothing costs anything.
    """

    graphs: int
    similar: float
    unrelated: float
    spared: float | None


def similarity_of(judges: Sequence[Judge]) -> Similarity | None:
    """Return the similarity of concepts that one of the metrics has, None if there is none."""
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
    """Return what each replacement costs in a graph of *size* triples."""

    def cost(variable: str, concept: str) -> float:
        return size * (1 - judge.score(with_concepts(graph, {variable: concept}), graph, seed))

    return [
        GradedCost(kind, cost(variable, similar), cost(variable, WRONG))
        for kind, variable, similar in replacements
    ]


class GradednessCollector:
    """Takes the costs of replacements as they come."""

    def __init__(self) -> None:
        self._costs = {kind: (array("d"), array("d")) for kind in (SENSE, SYNONYM)}

    def add(self, costs: Sequence[GradedCost]) -> None:
        """Take the costs in one graph."""
        for kind, similar, unrelated in costs:
            for side, cost in zip(self._costs[kind], (similar, unrelated), strict=True):
                side.append(cost)

    def finish(self) -> Mapping[str, Gradedness]:
        """Return what replacements of each kind cost, of those that there are."""
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
    """Return what tells the near-synonym of a concept, and remembers it."""

    @cache
    def nearest(concept: str) -> str | None:
        sense = concept[-3:] if _is_frame(concept) else ""
        near = similarity.words.nearest(concept.removesuffix(sense).lower(), similarity.cut_off)
        return None if near is None else near + sense

    return nearest


def _is_frame(concept: str) -> bool:
    """Tell whether a concept ends in a sense, as ``-01`` or ``-02``."""
    return concept[-3:-2] == "-" and concept[-2:].isdigit()
