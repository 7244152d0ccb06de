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
often as it occurs on both sides, t(n) and g(n) the numbers of n-grams of system and gold, and
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
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from exactmatch.counts import NOTHING, Counts, Figures
from exactmatch.graph import CLAUSES, SENSE, Argument, Constant, Graph, Triple
from exactmatch.metrics.base import Measurement, Metric, Statistics

if TYPE_CHECKING:
    from exactmatch.metrics.alignment_based import FindMapping

#: What stands for a factor of 0, which has no logarithm.
_FLOOR = 1e-3
#: The sum of the 0-gram factors of the pairs, and their number.
_ZERO_GRAMS, _PAIRS = "0-gram factors", "pairs"

#: The labels of the nodes and edges of a path, in order.
_NGram = tuple[str, ...]


class _Node(NamedTuple):
    """A variable or a constant as it is written, and its label."""

    text: str
    label: str


#: The edges that leave each node: label and end.
_Edges = dict[_Node, list[tuple[str, _Node]]]


@dataclass(frozen=True, slots=True)
class DScorer(Metric):
    """The metric with its parameters.

    weights: w(1), w(2) and so on, as many as orders are counted. The authors' program has no
        default, its weights are given on the command line; here, all orders up to 4 weigh the same.
    zero_weight: w(0), the weight of the 0-gram factor.
    as_published: compute what the authors' program prints. It exchanges precision and recall, takes
        an order for missing if system has no n-grams of it, and adds the mean weight of the missing
        orders to each other one. Otherwise, an order is missing if neither side has n-grams of it,
        and the others share its weight in equal parts.
    """

    name: ClassVar[str] = "dscorer"
    title: ClassVar[str] = "DScorer"
    unit: ClassVar[str] = "n-grams"
    format: ClassVar[str] = CLAUSES

    profile: str = "default"
    weights: Sequence[float] = (0.2, 0.2, 0.2, 0.2)
    zero_weight: float = 0.2
    as_published: bool = False

    def measure(self, system: Graph, gold: Graph, find_mapping: "FindMapping") -> Measurement:
        left, right = _edges(system), _edges(gold)
        ours, theirs = (_ngrams(edges, len(self.weights)) for edges in (left, right))
        sums = [_by_order(found) for found in (ours & theirs, ours, theirs)]
        orders = {
            f"{n}-grams": Counts(*(found[n] for found in sums))
            for n, _ in enumerate(self.weights, start=1)
        }
        fewer, more = sorted((len(left), len(right)))
        zero_gram = {_ZERO_GRAMS: Fraction(fewer / more if more else 1.0), _PAIRS: Fraction(1)}
        every = sum(orders.values(), NOTHING)
        return Measurement(
            Statistics(
                every.matched,
                every.matched,
                every.system_total,
                every.gold_total,
                orders,
                zero_gram,
            )
        )

    def figures(self, statistics: Statistics) -> Figures:
        if _PAIRS not in statistics.sums:
            return Figures(0.0, "F1", 0.0, 0.0, 0.0)
        zero_gram = float(statistics.sums[_ZERO_GRAMS]) / int(statistics.sums[_PAIRS])
        orders = list(statistics.breakdown.values())
        weights = [self.zero_weight, *self._order_weights(orders)]
        scores = [order.score() for order in orders]
        precision = _mean(weights, [zero_gram, *(score.precision for score in scores)])
        recall = _mean(weights, [zero_gram, *(score.recall for score in scores)])
        if self.as_published:
            precision, recall = recall, precision
        f1 = _mean(weights, [zero_gram, *(score.f1 for score in scores)])
        return Figures(f1, "F1", precision, recall, f1, {"0-gram factor": zero_gram})

    def signature(self, search: str = "") -> str:
        weights = ",".join(f"{weight:.4g}" for weight in (self.zero_weight, *self.weights))
        return f"dscorer|weights:{weights}|as-published:{'yes' if self.as_published else 'no'}"

    def _order_weights(self, orders: Sequence[Counts]) -> list[float]:
        """Return the weights of the orders, 0 for those that are missing."""
        missing = [
            order.system_total == 0 and (self.as_published or order.gold_total == 0)
            for order in orders
        ]
        lost = [w for w, is_missing in zip(self.weights, missing, strict=True) if is_missing]
        sharing = sum(missing) if self.as_published else len(missing) - sum(missing)
        more = math.fsum(lost) / sharing if lost and sharing else 0.0
        return [
            0.0 if is_missing else w + more
            for w, is_missing in zip(self.weights, missing, strict=True)
        ]


#: ``published`` is what the authors' program prints.
DScorer.profiles = {
    "default": DScorer(),
    "published": DScorer(profile="published", as_published=True),
}


def _mean(weights: Sequence[float], ratios: Sequence[float]) -> float:
    """Return the weighted geometric mean of the 0-gram factor and the ratios of the orders."""
    logs = (math.log(ratio or _FLOOR) for ratio in ratios)
    return math.exp(math.fsum(w * x for w, x in zip(weights, logs, strict=True)))


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
