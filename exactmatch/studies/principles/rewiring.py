"""Rewire graphs step by step, so that their damage is known (RARE).

Zoher Kachwala, Jisun An, Haewoon Kwak and Filippo Menczer. 2024. *REMATCH: Robust and Efficient
Matching of Local Knowledge Graphs to Improve Structural and Semantic Similarity.* Findings of
NAACL 2024; RARE is their benchmark of Randomized AMRs with Rewired Edges. A step takes one of the
triples of an AMR that are still as they were, in random order, and exchanges role and value with
another attribute, or the target with another relation, the first one in random order that allows
it:

* neither of the new triples is in the graph, or was in the original one;
* the graph stays connected, and no two relations lead from one node to the same other;
* no cycle arises. Heights decide that: the height of a node is the length of the longest path down
  from it.

After each step the true similarity is known: the share of the original's attributes and relations
that are still there. A metric is judged by Spearman's rank correlation of its scores of copies
against their originals with that share, over the steps of all graphs, including each original
against itself.

Concepts stay unchanged. Inverse roles are turned around first, and repeated triples are one. Nodes
on a cycle share a height; they are few.
"""

import random
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from exactmatch.graphs.graph import CONCEPT, Argument, Constant, Graph, Triple, Variable
from exactmatch.metrics.amr.labels import labels
from exactmatch.metrics.smatch import Smatch
from exactmatch.studies.common.judges import Judge

#: Scores that are equal up to this digit are tied.
_DIGITS = 9

#: The triples of an AMR with inverse roles turned around, and otherwise unchanged.
_TURNED = Smatch(mod="separate", case="keep", quotes="keep")

_Item = TypeVar("_Item")


class Rewired(NamedTuple):
    """A graph after a step, and the share of the original's triples that it still has."""

    graph: Graph
    kept: float


class RewiredScore(NamedTuple):
    """The score of a rewired graph against its original by a metric, and the share that is kept.

    settled: whether the score is the same for any seed and any longer search.
    """

    score: float
    kept: float
    settled: bool


@dataclass(frozen=True, kw_only=True)
class Consistency:
    """How far a metric detects the damage of graphs.

    graphs: the number of graphs that could be rewired. comparisons: those of all their copies with
    them, and of them with themselves. settled: comparisons whose score does not depend on a search,
    or is proven. damage: the mean share of changed triples after the last step. rho: Spearman's, of
    scores and true similarity; None if either never varies.
    """

    graphs: int
    comparisons: int
    settled: int
    damage: float
    rho: float | None


def rewired(graph: Graph, seed: str) -> list[Rewired]:
    """Return an AMR after each step; nothing if no step is possible."""
    rng = random.Random(seed)
    original = _roles(graph)
    known = frozenset(original)
    concepts = [triple for triple in graph.triples if triple.relation == CONCEPT]
    copies, current = [], original
    for triple in _shuffled(original, rng):
        following = _step(triple, current, known, rng) if triple in current else None
        if following is not None:
            current = following
            copy = graph._replace(triples=(*concepts, *current), by_smatch=None)
            copies.append(Rewired(copy, len(known.intersection(current)) / len(original)))
    return copies


def rewired_scores(
    judge: Judge, graph: Graph, copies: Sequence[Rewired], seed: int
) -> list[RewiredScore]:
    """Score a graph against itself, if there are rewired *copies* of it, and then the copies."""
    scores = []
    for copy, kept in [Rewired(graph, 1.0), *copies] if copies else ():
        measured = judge.measure(copy, graph, seed)
        score = round(judge.value(measured), _DIGITS)
        scores.append(RewiredScore(score, kept, judge.is_settled(measured)))
    return scores


class ConsistencyCollector:
    """Collects the scores of a metric for rewired graphs."""

    def __init__(self) -> None:
        self._graphs = 0
        self._settled = 0
        self._damage = 0.0
        self._scores, self._kept = array("d"), array("d")

    def add(self, scores: Sequence[RewiredScore]) -> None:
        """Take the scores of the copies of one graph, in the order of the steps."""
        if not scores:
            return
        self._graphs += 1
        self._damage += 1 - scores[-1].kept
        self._settled += sum(each.settled for each in scores)
        self._scores.extend(each.score for each in scores)
        self._kept.extend(each.kept for each in scores)

    def finish(self) -> Consistency | None:
        """Return the consistency; None if no graph could be rewired."""
        if not self._graphs:
            return None
        return Consistency(
            graphs=self._graphs,
            comparisons=len(self._scores),
            settled=self._settled,
            damage=self._damage / self._graphs,
            rho=_rho(self._scores, self._kept),
        )


def _roles(graph: Graph) -> list[Triple]:
    """Return attributes and relations, each once, with inverse roles turned around."""
    roles: dict[Triple, None] = {}
    for (kind, *names), variables in labels(_TURNED).normalised(graph):
        source = Variable(variables[0])
        if kind == "relation":
            roles[Triple(names[0], (source, Variable(variables[1])))] = None
        elif kind == "attribute":
            roles[Triple(names[0], (source, Constant(names[1])))] = None
    return list(roles)


def _step(
    triple: Triple, current: Sequence[Triple], original: frozenset[Triple], rng: random.Random
) -> list[Triple] | None:
    """Return the triples after exchanging *triple* with another; None if that is not allowed."""
    is_relation = _is_relation(triple)
    others = _shuffled([other for other in current if _is_relation(other) == is_relation], rng)
    heights = _heights(current) if is_relation else {}
    for other in others:
        new = _exchanged(triple, other)
        rest = [each for each in current if each not in (triple, other)]
        if original.intersection(new) or any(each in current for each in new):
            continue
        if not is_relation or (
            _goes_down(triple, other, heights)
            and not _doubles(new, rest)
            and _is_connected([*rest, *new])
        ):
            return [*rest, *new]
    return None


def _exchanged(one: Triple, other: Triple) -> tuple[Triple, Triple]:
    """Exchange the targets of two relations, or role and value of two attributes."""
    (source, target), (other_source, other_target) = one.arguments, other.arguments
    roles = (one.relation, other.relation)
    first, second = roles if _is_relation(one) else reversed(roles)
    return Triple(first, (source, other_target)), Triple(second, (other_source, target))


def _goes_down(one: Triple, other: Triple, heights: dict[Argument, int]) -> bool:
    """Tell by *heights* that no cycle arises if two relations exchange their targets.

    If both sources or both targets have the same height, relations lead down as before. Otherwise
    the lower source must not be below its new target; it may have the same height only on the only
    relation between such nodes. Two relations of one source exchange targets of the same height
    only.
    """
    (source, target), (other_source, other_target) = one.arguments, other.arguments
    top, bottom = heights[source], heights[target]
    other_top, other_bottom = heights[other_source], heights[other_target]
    return (
        (top == other_top and source != other_source)
        or bottom == other_bottom
        or (top > other_top >= bottom and other_source != target)
        or (other_top > top >= other_bottom and source != other_target)
    )


def _doubles(new: Sequence[Triple], rest: Sequence[Triple]) -> bool:
    """Tell whether a *new* relation has the ends of another one, or equal ends."""
    ends = {triple.arguments for triple in rest}
    return any(each.arguments in ends or len(set(each.arguments)) < 2 for each in new)


def _is_connected(triples: Sequence[Triple]) -> bool:
    """Tell whether relations connect all the nodes that they lead to."""
    neighbours: dict[Argument, list[Argument]] = {}
    for triple in filter(_is_relation, triples):
        one, other = triple.arguments
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    first = next(iter(neighbours))
    seen, pending = {first}, [first]
    while pending:
        for node in neighbours[pending.pop()]:
            if node not in seen:
                seen.add(node)
                pending.append(node)
    return len(seen) == len(neighbours)


def _heights(triples: Sequence[Triple]) -> dict[Argument, int]:
    """Return the length of the longest path down from each node, without those on its own cycle."""
    from networkx import DiGraph, condensation, topological_sort

    graph = DiGraph(triple.arguments for triple in triples if _is_relation(triple))
    pieces = condensation(graph)  # groups of nodes: a cycle, or a node that is on none
    heights: dict[Argument, int] = {}
    of_piece: dict[int, int] = {}
    for piece in reversed([*topological_sort(pieces)]):
        below = [of_piece[other] + 1 for other in pieces.successors(piece)]
        of_piece[piece] = max(below, default=0)
        heights |= dict.fromkeys(pieces.nodes[piece]["members"], of_piece[piece])
    return heights


def _is_relation(triple: Triple) -> bool:
    return isinstance(triple.arguments[1], Variable)


def _shuffled(items: Sequence[_Item], rng: random.Random) -> list[_Item]:
    return rng.sample(items, len(items))


def _rho(scores: Sequence[float], kept: Sequence[float]) -> float | None:
    from scipy.stats import spearmanr

    if any(len(set(side)) < 2 for side in (scores, kept)):
        return None
    return float(spearmanr(scores, kept).statistic)
