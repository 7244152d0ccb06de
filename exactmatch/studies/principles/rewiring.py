"""Graphs that are rewired step by step, so that it is known how far they are damaged (RARE).

Zoher Kachwala, Jisun An, Haewoon Kwak and Filippo Menczer. 2024. *REMATCH: Robust and Efficient
Matching of Local Knowledge Graphs to Improve Structural and Semantic Similarity.* Findings of
NAACL 2024; RARE is their benchmark of Randomized AMRs with Rewired Edges. A step takes one of the
triples of an AMR that are still as they were, in random order, and exchanges role and value with
another attribute, or the target with another relation, the first one in random order that allows
it:

* neither of the new triples is in the graph, or was in the original one;
* the graph stays connected, and no two relations lead from one node to the same other;
* no cycle arises, which heights tell: that of a node is the length of the longest way down from it.

After each step the true similarity is known: the share of the attributes and relations of the
original that are still there. What a metric knows of it is Spearman's rank correlation of its
scores of copies against their originals with that share, over the steps of all graphs, each
original against itself among them.

Concepts stay as they are. Inverse roles are turned round first, and triples that are written twice
are one. Nodes on a cycle have one height; they are few.
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

#: Scores that are the same up to this digit tie.
_DIGITS = 9

#: The triples of an AMR with inverse roles turned round, and nothing else changed.
_TURNED = Smatch(mod="separate", case="keep", quotes="keep")

_Item = TypeVar("_Item")


class Rewired(NamedTuple):
    """A graph after a step, and the share of the original's triples that it still has."""

    graph: Graph
    kept: float


class RewiredScore(NamedTuple):
    """What a metric says of a rewired graph against its original, and the share that is kept.

    settled: no other seed or longer search would say anything else.
    """

    score: float
    kept: float
    settled: bool


@dataclass(frozen=True, kw_only=True)
class Consistency:
    """What a metric knows of the damage of graphs.

    graphs: those that could be rewired. comparisons: of all their copies with them, and of them
    with themselves. settled: those whose score does not depend on search, by a proof or as nothing
    is searched. damage: the mean share of triples that the last step leaves changed.
    rho: Spearman's, of scores and true similarity; None if either never varies.
    """

    graphs: int
    comparisons: int
    settled: int
    damage: float
    rho: float | None


def rewired(graph: Graph, seed: str) -> list[Rewired]:
    """Return an AMR after each step; nothing if there is none that could be taken."""
    rng = random.Random(seed)
    original = _roles(graph)
    known = frozenset(original)
    concepts = [triple for triple in graph.triples if triple.relation == CONCEPT]
    copies, current = [], original
    for triple in _shuffled(original, rng):
        following = _step(triple, current, known, rng) if triple in current else None
        if following is not None:
            current = following
            copy = graph._replace(triples=(*concepts, *current))
            copies.append(Rewired(copy, len(known.intersection(current)) / len(original)))
    return copies


def rewired_scores(
    judge: Judge, graph: Graph, copies: Sequence[Rewired], seed: int
) -> list[RewiredScore]:
    """Ask a metric for a graph, if there are rewired *copies* of it, and then for these."""
    scores = []
    for copy, kept in [Rewired(graph, 1.0), *copies] if copies else ():
        measured = judge.measure(copy, graph, seed)
        score = round(judge.value(measured), _DIGITS)
        scores.append(RewiredScore(score, kept, judge.is_settled(measured)))
    return scores


class ConsistencyCollector:
    """Takes what a metric says of rewired graphs as they come."""

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
        """Sum up; None if no graph could be rewired."""
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
    """Return attributes and relations, each once, their inverse roles turned round."""
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
    """Return the triples after an exchange of *triple* with another one, None if none allows it."""
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
    """Tell by *heights* that no cycle arises where two relations exchange their targets.

    If both sources or both targets are of one height, relations lead down as before. Else the
    lower source must not be below its new target: of equal height, only that one relation may be.
    Two relations of one source exchange targets of one height alone.
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
    """Tell whether any of the *new* relations has the ends of another one, or but one end."""
    ends = {triple.arguments for triple in rest}
    return any(each.arguments in ends or len(set(each.arguments)) < 2 for each in new)


def _is_connected(triples: Sequence[Triple]) -> bool:
    """Tell whether relations leave the nodes that they lead to in one piece."""
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
    """Return the length of the longest way down from each node, without those on its own cycle."""
    from networkx import DiGraph, condensation, topological_sort

    graph = DiGraph(triple.arguments for triple in triples if _is_relation(triple))
    pieces = condensation(graph)  # each node of it a cycle, or a node that is on none
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
