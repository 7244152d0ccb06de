"""Principle V of Opitz et al. (2020): equal errors cost the same anywhere, unless intended.

By degree: each node of a graph A gets a concept that occurs nowhere. The cost, 1 - m(A', A), in
triples of A (times its size), is compared by the degree of the node.

In a tree (section 3, V, Table 4 and Figure 6): every inner node has d children. The cost is the
number of units of the gold tree (n-grams, triples) that no longer match if the root is wrong, d
leaves are wrong, or one branching node is wrong (a node with two levels above and below it). With k
= 3, SemBleu loses the k-grams that contain the node:

    root            1 + d + d^2       those that start there             d = 3:  13
    d leaves        3 d               those that end there                        9
    branching node  3 + 2 d + d^2     1 of one node; 1 + d of two;               18
                                      1 + d + d^2 of three, as last, middle and first

Smatch has variables: a wrong concept is one triple at any node (1, d, 1; one more for the root if
its concept counts). The paper counts Smatch in the tree without variables, where a node is part of
its edges: so d leaves cost about as much as a branching node, d and d + 1 triples.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from string import ascii_lowercase
from typing import NamedTuple

from exactmatch.graphs.graph import CONCEPT, Constant, Graph, Location, Triple, Variable
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.graph_changes import WRONG, concepts_of, degrees, with_concepts

#: Degrees of the nodes of trees.
TREE_DEGREES = (1, 2, 3, 4, 5)

#: The upper ends of groups of degrees; larger degrees are a group, too.
_DEGREES = (1, 2, 3, 5)
_GROUPS = (*(f"up to {bound}" for bound in _DEGREES), "more")

#: Nodes of trees, a letter for each level below the root: the root, the branching node with two
#: levels above and below it, and the parent of the leaves.
_ROOT, _BRANCHING, _LOWEST = "n", "naa", "naaa"


class Cost(NamedTuple):
    """The cost of a wrong concept at a node of this *degree*, in triples of its graph."""

    degree: int
    cost: float


class TreeCosts(NamedTuple):
    """The number of units that no longer match in a tree of this *degree*, by the error."""

    degree: int
    root: float
    leaves: float
    branching: float


def costs_by_node(judge: Judge, graph: Graph, size: int, seed: int) -> list[Cost]:
    """Return the cost of a wrong concept at each node of a graph of *size* triples."""
    degree = degrees(graph)
    return [
        Cost(
            degree[variable],
            size * (1 - judge.score(with_concepts(graph, {variable: WRONG}), graph, seed)),
        )
        for variable in concepts_of(graph)
    ]


class CostCollector:
    """Collects the costs of the nodes of graphs."""

    def __init__(self) -> None:
        self._costs: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))

    def add(self, costs: Sequence[Cost]) -> None:
        """Add the costs of one graph."""
        for degree, cost in costs:
            self._costs[_group(degree)].append(cost)

    def finish(self) -> dict[str, float]:
        """Return the mean cost of each group of degrees, by its name, lowest first."""
        return {name: fmean(self._costs[name]) for name in _GROUPS if name in self._costs}


def cost_ratio(costs: Mapping[str, float]) -> float | None:
    """Return the mean cost at the highest degrees by that at the lowest; None if undefined."""
    values = list(costs.values())
    lowest = costs.get(_GROUPS[0])
    return values[-1] / lowest if len(values) > 1 and lowest else None


def costs_in_tree(judge: Judge, degree: int, seed: int) -> TreeCosts:
    """Return the loss of a metric by errors in a tree (Table 4)."""
    tree = _as_graph(_tree(degree))

    def lost(*wrong: str) -> float:
        measurement = judge.measure(with_concepts(tree, dict.fromkeys(wrong, WRONG)), tree, seed)
        units, parts = divmod(measurement.gold_total - measurement.matched, judge.metric.scale)
        return units + parts / judge.metric.scale if parts else units

    leaves = _children(_LOWEST, degree)
    return TreeCosts(degree, lost(_ROOT), lost(*leaves), lost(_BRANCHING))


def _group(degree: int) -> str:
    """Return the name of the group that contains a degree."""
    return next((f"up to {bound}" for bound in _DEGREES if degree <= bound), _GROUPS[-1])


def _tree(degree: int) -> dict[str, list[str]]:
    """Return the smallest tree for Table 4: the children of each node."""
    children: dict[str, list[str]] = {}

    def grow(node: str, levels: int) -> None:
        children[node] = _children(node, degree) if levels else []
        for child in children[node]:
            grow(child, levels - 1)

    grow(_ROOT, 2)
    grow(_BRANCHING, 2)
    return children


def _children(node: str, degree: int) -> list[str]:
    return [f"{node}{letter}" for letter in ascii_lowercase[:degree]]


def _as_graph(children: Mapping[str, Sequence[str]]) -> Graph:
    """Return a tree as an AMR in which every node has its own concept."""
    triples = [Triple(CONCEPT, (Variable(n), Constant(f"xqzvk{n}"))) for n in children]
    triples += [
        Triple(f"ARG{number}", (Variable(node), Variable(child)))
        for node, below in children.items()
        for number, child in enumerate(below)
    ]
    return Graph(None, dict.fromkeys(children, ""), tuple(triples), (_ROOT,), Location("tree", 1))
