"""DScorer (Liu, Cohen and Lapata 2020): the n-grams that two DRSs have in common.

Jiangming Liu, Shay B. Cohen and Mirella Lapata. 2020. *DScorer: A Fast Evaluation Metric for
Discourse Representation Structure Parsing.* Proceedings of ACL 2020.

As in the authors' program, a DRS becomes a graph whose nodes are its variables and constants. A
clause ``b NOT c`` is an edge from b to c, a concept ``b person "n.01" x`` one from b to x that is
labelled ``person.n.01``, and a clause ``b Agent e x`` is two, from b to e and from e to x. Each
edge can be gone backwards too, except those of operators, which are in capitals; EQU is taken for
none of them. An n-gram is a path of n edges that comes to no node twice: the labels of its nodes
and edges in order, where a variable is labelled by its sort. So no variables have to be mapped.

Over all pairs of DRSs, let m(n) be the number of n-grams that match within their pair, each as
often as it occurs on both sides, t(n) and g(n) the numbers of n-grams of test and gold, and
p(n) = m(n) / t(n), r(n) = m(n) / g(n), f(n) = 2 m(n) / (t(n) + g(n)). The 0-gram factor z is the
mean over the pairs of the smaller number of nodes divided by the larger one. The score is the
weighted geometric mean

    F = exp(w(0) log z + w(1) log f(1) + ... + w(N) log f(N)),

and in the same way precision from p(n), recall from r(n). A factor of 0 is taken to be 0.001.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, NamedTuple

from exactmatch.graph import CLAUSES, SENSE, Argument, Constant, Graph, Triple
from exactmatch.metrics.counts import NOTHING, Counts
from exactmatch.metrics.direct import DirectScore
from exactmatch.sums import ExactSum

#: What stands for a factor of 0, which has no logarithm.
_FLOOR = 1e-3

#: The labels of the nodes and edges of a path, in order.
_NGram = tuple[str, ...]


class _Node(NamedTuple):
    """A variable or a constant as it is written, and its label."""

    text: str
    label: str


#: The edges that leave each node: label and end.
_Edges = dict[_Node, list[tuple[str, _Node]]]


class Overlap(NamedTuple):
    """The n-grams of a pair by their orders from 1, and the numbers of nodes of both DRSs."""

    orders: tuple[Counts, ...]
    test_nodes: int
    gold_nodes: int


@dataclass(frozen=True, slots=True)
class DScorer:
    """The metric with its parameters.

    weights: w(1), w(2) and so on, as many as orders are counted. The authors' program has no
        default, its weights are given on the command line; here, all orders up to 4 weigh the same.
    zero_weight: w(0), the weight of the 0-gram factor.
    as_published: compute what the authors' program prints. It exchanges precision and recall, takes
        an order for missing if test has no n-grams of it, and adds the mean weight of the missing
        orders to each other one. Otherwise, an order is missing if neither side has n-grams of it,
        and the others share its weight in equal parts.
    """

    name: ClassVar[str] = "dscorer"
    title: ClassVar[str] = "DScorer"
    format: ClassVar[str] = CLAUSES

    weights: Sequence[float] = (0.2, 0.2, 0.2, 0.2)
    zero_weight: float = 0.2
    as_published: bool = False

    def measure(self, test: Graph, gold: Graph) -> Overlap:
        """Return the n-grams of a pair, counted; a clause that is repeated counts once."""
        left, right = _edges(test), _edges(gold)
        ours, theirs = (_ngrams(edges, len(self.weights)) for edges in (left, right))
        sums = [_by_order(found) for found in (ours & theirs, ours, theirs)]
        orders = [Counts(*(found[n] for found in sums)) for n, _ in enumerate(self.weights, 1)]
        return Overlap(tuple(orders), len(left), len(right))

    def sums(self) -> "DScorerSums":
        """Return the sums over no pair."""
        return DScorerSums(self)

    def signature(self) -> str:
        """Return the name and all parameters in one line."""
        weights = ",".join(f"{weight:.4g}" for weight in (self.zero_weight, *self.weights))
        return f"dscorer|weights:{weights}|as-published:{'yes' if self.as_published else 'no'}"


class DScorerSums:
    """The n-grams of a corpus, of which *metric* makes a score; 0 if there is no pair."""

    def __init__(self, metric: DScorer) -> None:
        self._metric = metric
        self._orders = [NOTHING] * len(metric.weights)
        self._zero_grams = ExactSum()
        self._pairs = 0

    def add(self, measure: Overlap) -> None:
        """Add the n-grams of a pair."""
        self._orders = [a + b for a, b in zip(self._orders, measure.orders, strict=True)]
        fewer, more = sorted((measure.test_nodes, measure.gold_nodes))
        self._zero_grams.add(fewer / more if more else 1.0)
        self._pairs += 1

    def score(self) -> DirectScore:
        """Return the score of the pairs added so far."""
        if not self._pairs:
            return DirectScore(0.0, "F1")
        zero_gram = self._zero_grams.total() / self._pairs
        scores = [order.score() for order in self._orders]
        precision = self._mean(zero_gram, [score.precision for score in scores])
        recall = self._mean(zero_gram, [score.recall for score in scores])
        if self._metric.as_published:
            precision, recall = recall, precision
        return DirectScore(
            self._mean(zero_gram, [score.f1 for score in scores]),
            "F1",
            figures={"precision": precision, "recall": recall, "0-gram factor": zero_gram},
            parts={f"{order}-grams": found for order, found in enumerate(self._orders, start=1)},
        )

    def _mean(self, zero_gram: float, ratios: Sequence[float]) -> float:
        """Return the weighted geometric mean of the 0-gram factor and *ratios*, one an order."""
        weights = [self._metric.zero_weight, *self._order_weights()]
        logs = (math.log(x or _FLOOR) for x in (zero_gram, *ratios))
        return math.exp(math.fsum(w * x for w, x in zip(weights, logs, strict=True)))

    def _order_weights(self) -> list[float]:
        """Return the weights of the orders, 0 for those that are missing."""
        metric = self._metric
        missing = [
            order.test_total == 0 and (metric.as_published or order.gold_total == 0)
            for order in self._orders
        ]
        lost = [w for w, is_missing in zip(metric.weights, missing, strict=True) if is_missing]
        sharing = sum(missing) if metric.as_published else len(missing) - sum(missing)
        more = math.fsum(lost) / sharing if lost and sharing else 0.0
        return [
            0.0 if is_missing else w + more
            for w, is_missing in zip(metric.weights, missing, strict=True)
        ]


#: What the authors' program prints.
PUBLISHED = DScorer(as_published=True)


def _by_order(ngrams: Counter[_NGram]) -> Counter[int]:
    """Return the number of n-grams of each order."""
    found: Counter[int] = Counter()
    for ngram, times in ngrams.items():
        found[len(ngram) // 2] += times
    return found


def _edges(graph: Graph) -> _Edges:
    """Return the nodes of a DRS, each with the edges that leave it."""
    edges: _Edges = {}
    for clause in dict.fromkeys(graph.triples):
        relation, arguments = _relation_and_arguments(clause)
        nodes = [_node(argument, graph) for argument in arguments]
        for node in nodes:
            edges.setdefault(node, [])
        for number, (start, end) in enumerate(pairwise(nodes), start=1):
            label = f"{relation} {number} of {len(nodes) - 1}"
            edges[start].append((label, end))
            if relation == "EQU" or not relation.isupper():
                edges[end].append((f"{label}, backwards", start))
    return edges


def _relation_and_arguments(clause: Triple) -> tuple[str, Sequence[Argument]]:
    """Return a clause with the sense of a concept as part of the relation."""
    box, other, *last = clause.arguments
    if isinstance(other, Constant) and SENSE.fullmatch(other.text):
        return f"{clause.relation}.{other.text[1:-1]}", (box, *last)
    return clause.relation, clause.arguments


def _node(argument: Argument, graph: Graph) -> _Node:
    if isinstance(argument, Constant):
        return _Node(argument.text, argument.text)
    return _Node(argument.name, graph.variables[argument.name])


def _ngrams(edges: _Edges, longest: int) -> Counter[_NGram]:
    """Return the n-grams of all orders up to *longest*, as often as they occur."""
    found: Counter[_NGram] = Counter()

    def follow(path: tuple[_Node, ...], ngram: _NGram) -> None:
        for label, end in edges[path[-1]]:
            if end not in path:
                longer = (*ngram, label, end.label)
                found[longer] += 1
                if len(path) < longest:
                    follow((*path, end), longer)

    for node in edges:
        follow((node,), (node.label,))
    return found
