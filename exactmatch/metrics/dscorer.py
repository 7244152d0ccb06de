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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from exactmatch.errors import UsageError
from exactmatch.graph import SENSE, Argument, Constant, Graph, Triple

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


@dataclass(frozen=True, slots=True)
class Parameters:
    """How the n-grams are weighed. Raises `UsageError` if no order of them is.

    weights: w(1), w(2) and so on, as many as orders are counted. The authors' program has no
        default, its weights are given on the command line; here, all orders up to 4 weigh the same.
    zero_weight: w(0), the weight of the 0-gram factor.
    as_published: compute what the authors' program prints. It exchanges precision and recall, takes
        an order for missing if test has no n-grams of it, and adds the mean weight of the missing
        orders to each other one. Otherwise, an order is missing if neither side has n-grams of it,
        and the others share its weight in equal parts.
    """

    weights: Sequence[float] = (0.2, 0.2, 0.2, 0.2)
    zero_weight: float = 0.2
    as_published: bool = False

    def __post_init__(self) -> None:
        if not self.weights:
            raise UsageError("DScorer counts n-grams of one order at least")


#: The parameters by name: as the formula above has it, and what the authors' program prints.
KNOWN = {"default": Parameters(), "published": Parameters(as_published=True)}


class Order(NamedTuple):
    """The n-grams of one order: how many match, and how many test and gold have."""

    matched: int
    test: int
    gold: int


@dataclass(frozen=True, slots=True)
class DScore:
    """The score of a corpus.

    zero_gram: the 0-gram factor z.
    orders: the counts of 1-grams, 2-grams and so on.
    """

    precision: float
    recall: float
    f1: float
    zero_gram: float
    orders: tuple[Order, ...]


def dscore(
    pairs: Iterable[tuple[Graph, Graph]], parameters: Parameters = KNOWN["default"]
) -> DScore:
    """Return the score of *pairs* of DRSs, test and gold; a clause that is repeated counts once.

    Raises `UsageError` if there are no pairs.
    """
    factors: list[float] = []
    matched, tests, golds = (Counter[int]() for _ in range(3))
    for test, gold in ((_edges(test), _edges(gold)) for test, gold in pairs):
        factors.append(_ratio(min(len(test), len(gold)), max(len(test), len(gold)), empty=1.0))
        ours, theirs = (_ngrams(edges, len(parameters.weights)) for edges in (test, gold))
        for sums, found in ((matched, ours & theirs), (tests, ours), (golds, theirs)):
            for ngram, times in found.items():
                sums[len(ngram) // 2] += times
    if not factors:
        raise UsageError("DScorer needs a pair of DRSs at least")
    orders = [Order(matched[n], tests[n], golds[n]) for n, _ in enumerate(parameters.weights, 1)]
    return _score(math.fsum(factors) / len(factors), orders, parameters)


def _score(zero_gram: float, orders: Sequence[Order], parameters: Parameters) -> DScore:
    weights = [parameters.zero_weight, *_weights(orders, parameters)]

    def mean(ratios: Iterable[float]) -> float:
        factors = (zero_gram, *ratios)
        return math.exp(
            math.fsum(w * math.log(x or _FLOOR) for w, x in zip(weights, factors, strict=True))
        )

    precision = mean(_ratio(order.matched, order.test) for order in orders)
    recall = mean(_ratio(order.matched, order.gold) for order in orders)
    if parameters.as_published:
        precision, recall = recall, precision
    f1 = mean(_ratio(2 * order.matched, order.test + order.gold) for order in orders)
    return DScore(precision, recall, f1, zero_gram, tuple(orders))


def _weights(orders: Sequence[Order], parameters: Parameters) -> list[float]:
    """Return the weights of the orders, 0 for those that are missing."""
    if parameters.as_published:
        missing = [order.test == 0 for order in orders]
    else:
        missing = [order.test == order.gold == 0 for order in orders]
    lost = [w for w, is_missing in zip(parameters.weights, missing, strict=True) if is_missing]
    sharing = sum(missing) if parameters.as_published else len(missing) - sum(missing)
    more = math.fsum(lost) / sharing if lost and sharing else 0.0
    return [
        0.0 if is_missing else w + more
        for w, is_missing in zip(parameters.weights, missing, strict=True)
    ]


def _ratio(part: int, whole: int, empty: float = 0.0) -> float:
    return part / whole if whole else empty


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
