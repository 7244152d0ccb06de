"""SemBleu: BLEU over the paths of an AMR (Song and Gildea 2019).

Linfeng Song and Daniel Gildea. 2019. *SemBleu: A Robust Metric for AMR Parsing Evaluation.*
Proceedings of ACL 2019, section 3. An n-gram is a path of n nodes, with the roles on its n - 1
edges. It has the concepts of its nodes, and no variables. The score of a corpus is

    BP * exp(sum of w_n log p_n, n from 1 on),   BP = exp(min(1 - |gold| / |system|, 0))

where p_n is the share of the system's n-grams that are on the gold side as well (each as often as
it occurs on both), and the size of a graph is the number of its nodes and edges. Defaults are those
of the paper: n-grams of up to 3 nodes, equal weights, and, where no n-gram of a length matches, the
geometric smoothing of NIST: the k-th such p_n is 1 / 2^k divided by the number of n-grams.

The authors' program uses the weights 0.34, 0.33 and 0.34, which sum up to 1.01: profile
``program``. It also skips a first edge whose number equals that of its node, and nodes that cannot
be reached from one without parents; this is not reproduced.

The paper is about AMR. The evaluation page of MRP 2019 names the same n-grams as a perspective on
graphs of all frameworks, and they count here for any graph in MRP. Labels are concepts there, and
properties attributes. A node without label, as in UCCA, has the words of its anchors instead. Other
anchors, and attributes of edges, do not count.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from exactmatch.graphs.graph import CAMR, CONCEPT, MRP, PENMAN, UMR, Constant, Graph, Variable
from exactmatch.graphs.unicode_form import in_form
from exactmatch.metrics.amr.as_amr import as_amr
from exactmatch.metrics.base import Measurement, Statistics
from exactmatch.metrics.counts import Counts, Figures
from exactmatch.metrics.labelled_graph import LabelledGraph, Path, Step, TooManyPaths
from exactmatch.metrics.ngrams import NGramMetric
from exactmatch.metrics.powers import product_of_powers
from exactmatch.stopping.deadline import current, looking

#: The largest number of paths that are begun in a graph: more would take seconds, and hundreds of
#: megabytes.
MOST_BEGUN = 4_000_000

#: Paths that are begun between two looks at the clock.
_MANY = 1000

#: Numbers of nodes and edges on both sides.
_SYSTEM_SIZE, _GOLD_SIZE = "system size", "gold size"


@dataclass(frozen=True, slots=True)
class SemBleu(NGramMetric):
    """The metric with its *weights* of paths of one node, of two nodes, and so on."""

    name: ClassVar[str] = "sembleu"
    title: ClassVar[str] = "SemBleu"
    papers: ClassVar[Sequence[str]] = ("song-2019-sembleu",)
    format: ClassVar[str] = PENMAN
    also: ClassVar[Sequence[str]] = (MRP, UMR, CAMR)

    weights: Sequence[float] = (1 / 3, 1 / 3, 1 / 3)

    @classmethod
    def uniform(cls, order: int) -> Sequence[float]:
        return (1 / order,) * order

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        left, right = self._paths(system), self._paths(gold)
        try:
            orders = [_in_common(left, right, length) for length in range(1, self.order + 1)]
        except TooManyPaths:
            raise self.too_many(system, gold, MOST_BEGUN) from None
        sizes = {_SYSTEM_SIZE: Fraction(left.size), _GOLD_SIZE: Fraction(right.size)}
        return self.measurement(orders, sizes)

    def labelled(self, graph: Graph) -> LabelledGraph:
        return self._paths(graph).graph()

    def _paths(self, graph: Graph) -> "_Paths":
        return _Paths(in_form(_labelled(graph), self.unicode))

    def figures(self, statistics: Statistics) -> Figures:
        system, gold = (statistics.sums.get(name, 0) for name in (_SYSTEM_SIZE, _GOLD_SIZE))
        if not system:
            return Figures(0.0, "BLEU", others={"brevity penalty": 0.0})
        exponent = min(1 - Fraction(gold) / system, Fraction(0))
        value = self._value(list(statistics.breakdown.values()), exponent)
        return Figures(value, "BLEU", others={"brevity penalty": product_of_powers([], exponent)})

    def signature(self, search: str = "") -> str:
        said = f"sembleu|n:{self.order}|weights:{self.weights_text()}|smoothing:nist-geometric"
        return self._with_form(said)

    def _value(self, orders: Sequence[Counts], exponent: Fraction) -> float:
        """Return the weighted geometric mean of the precisions by length, times e ** *exponent*.

        Lengths without a path of the system are left out, with equal weights for the rest.
        """
        if not orders or not orders[0].matched:
            return 0.0
        there = [order for order in orders if order.system_total]
        weights = self.weights
        if len(there) < len(orders):
            weights = self.uniform(len(there))
        powers, misses = [], 0
        for weight, order in zip(weights, there, strict=True):
            matched = Fraction(order.matched)
            if not matched:
                misses += 1
                matched = Fraction(1, 2**misses)
            powers.append((matched / order.system_total, weight))
        return product_of_powers(powers, exponent)


_PAPER = SemBleu()
#: ``program`` is what the authors' program computes, without its faults.
SemBleu.profiles = {
    "default": SemBleu(profile="sembleu.1", unicode="nfc"),
    "paper": _PAPER,
    "program": SemBleu(profile="program", weights=(0.34, 0.33, 0.34)),
}


def _labelled(graph: Graph) -> Graph:
    """Return *graph* in PENMAN's terms, with a label on every node."""
    if graph.format == MRP and graph.framework.lower() != "amr":
        from exactmatch.metrics.amr.from_mrp import labelled

        return labelled(graph)
    return as_amr(graph)


def _in_common(system: "_Paths", gold: "_Paths", length: int) -> Counts:
    return Counts.in_common(system.of_length(length), gold.of_length(length))


class _Paths:
    """The paths of a graph. Every constant is its own node; inverse roles are turned around."""

    def __init__(self, graph: Graph) -> None:
        self._begun, self._deadline = 0, current()
        self._labels: dict[str, str] = {}
        self._edges: list[tuple[str, str, str]] = []
        for number, triple in enumerate(graph.triples):
            source, target = triple.arguments
            assert isinstance(source, Variable)
            text = target.text if isinstance(target, Constant) else target.name
            if triple.relation == CONCEPT:
                self._labels[source.name] = text.lower()
                continue
            end = text
            if isinstance(target, Constant):
                end = f"{number} {text}"  # no variable has a blank in its name
                self._labels[end] = text.removeprefix('"').removesuffix('"').lower()
            self._add_edge(source.name, triple.relation, end)
        self._from: defaultdict[str, list[int]] = defaultdict(list)
        for number, (start, _, _) in enumerate(self._edges):
            self._from[start].append(number)
        self.size = len(self._labels) + len(self._edges)

    def of_length(self, length: int) -> Counter[Path]:
        """Return the paths of *length* nodes that use no edge twice.

        Raises `TooManyPaths`, and `OutOfTime` if the current deadline comes first.
        """
        self._deadline = current()
        starts = looking(self._labels, self._deadline)
        return Counter(path for node in starts for path in self._paths(node, length, ()))

    def graph(self) -> LabelledGraph:
        """Return the nodes and edges; edges go one way."""
        places = {node: place for place, node in enumerate(self._labels)}
        steps = [
            Step(places[start], f":{role}", places[end], number)
            for number, (start, role, end) in enumerate(self._edges)
        ]
        return LabelledGraph([*self._labels.values()], steps)

    def _add_edge(self, start: str, role: str, end: str) -> None:
        if role.endswith("-of"):
            self._edges.append((end, role.replace("-of", ""), start))
        else:
            self._edges.append((start, role, end))

    def _paths(self, node: str, length: int, used: tuple[int, ...]) -> Iterator[Path]:
        self._begun += 1
        if self._begun > MOST_BEGUN:
            raise TooManyPaths
        if self._begun % _MANY == 0:
            self._deadline.check()
        if length == 1:
            yield (self._labels[node],)
            return
        for number in self._from[node]:
            if number not in used:
                _, role, end = self._edges[number]
                for rest in self._paths(end, length - 1, (*used, number)):
                    yield (self._labels[node], f":{role}", *rest)
