"""DScorer: the common n-grams of two DRSs (Liu, Cohen and Lapata 2020).

Jiangming Liu, Shay B. Cohen and Mirella Lapata. 2020. *DScorer: A Fast Evaluation Metric for
Discourse Representation Structure Parsing.* Proceedings of ACL 2020.

Graph (section 2.1). A DRS becomes a graph whose nodes are its variables and constants, each once. A
clause ``b NOT c`` is an edge from b to c, a concept ``b person "n.01" x`` one from b to x that is
labelled ``person.n.01``, and a clause ``b Agent e x`` is two, from b to e labelled ``Agent-A1`` and
from e to x labelled ``Agent-A2``. Every edge goes both ways, under the same label, unless both of
its ends are boxes. A node is labelled with its type, one of B, X, E, S, P and T, and a constant
with its text. So no variables have to be mapped.

N-grams (section 2.2). An n-gram is a path of n edges that uses no edge twice, not backwards either;
it may visit a node again. Its text consists of the labels of its nodes and edges in order.

Score (equations 1 to 3). Over all pairs of DRSs, let m(k) be the number of k-grams that match
within their pair, each as often as it occurs on both sides, t(k) and g(k) the numbers of k-grams of
system and gold, and p(k) = m(k) / t(k), r(k) = m(k) / g(k), f(k) = 2 m(k) / (t(k) + g(k)). Let
p(0) = r(0) = f(0) be the smaller number of nodes divided by the larger one. Then

    F1 = exp(w(0) log f(0) + w(1) log f(1) + ... + w(n) log f(n)),

and in the same way precision from p and recall from r. Weights are w(0) = 0.1 and w(k) = 0.9 / n
with n = 4 (section 3.1).

The paper leaves some points open. The sum of equation 3 is written from k = 1, but w(0) is given,
so the sum here begins at 0. p(0) of a corpus is the mean over its pairs, as in the authors'
program. If a ratio is 0, so is the score. If neither side has k-grams, the other orders from 1 on
share the weight of order k equally.

Profile ``program`` is the output of the authors' program. Its n-grams visit no node twice. Only
relations not in capitals (and EQU) go backwards, under other labels. Variables are boxes or not,
without further types. The program exchanges precision and recall, replaces a ratio of 0 by 0.001,
and calls an order missing if system has no n-grams of it; then it adds the mean weight of the
missing orders to each other one. Its weights are given on its command line; here they are those of
the paper.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Literal

from exactmatch.graphs.graph import BOX, CLAUSES, SENSE, Argument, Constant, Graph, Triple
from exactmatch.graphs.unicode_form import in_form
from exactmatch.metrics.base import Measurement, Statistics
from exactmatch.metrics.counts import Counts, Figures
from exactmatch.metrics.labelled_graph import LabelledGraph, Once, Step, TooManyPaths
from exactmatch.metrics.ngrams import NGramMetric
from exactmatch.metrics.powers import product_of_powers
from exactmatch.stopping.deadline import current

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: The number of paths that are continued at once.
_SLICE = 2**15

#: The largest number of paths of one length: more would take over a gigabyte.
MOST_PATHS = 2**23


def common_paths(
    system: LabelledGraph, gold: LabelledGraph, longest: int, once: Once
) -> list[Counts]:
    """Count the paths of 1, 2 and so on up to *longest* steps.

    Paths match if the labels of their nodes and steps are equal in order, and each path of one
    graph matches at most one of the other. Raises `TooManyPaths`, and `OutOfTime` if the current
    deadline comes first.
    """
    import numpy as np

    codes: dict[object, int] = {}
    one, other = (_GrowingPaths(graph, codes, once) for graph in (system, gold))
    counts = []
    deadline = current()
    for order in range(1, longest + 1):
        go_on = order < longest
        left, left_times = one.longer(len(codes), keep=go_on)
        right, right_times = other.longer(len(codes), keep=go_on)
        deadline.check()
        _, i, j = np.intersect1d(left, right, assume_unique=True, return_indices=True)
        matched = np.minimum(left_times[i], right_times[j])
        counts.append(Counts(*(int(times.sum()) for times in (matched, left_times, right_times))))
        if go_on:
            every = np.union1d(left, right)
            one.grow(every)
            other.grow(every)
    return counts


class _GrowingPaths:
    """All paths of a graph, at first without steps; each has a number for its labels.

    The paths are arrays that grow by a step at a time: graphs of longer texts have millions of
    paths, which take seconds.
    """

    def __init__(self, graph: LabelledGraph, codes: dict[object, int], once: Once) -> None:
        """*codes* are the numbers of labels so far; those of *graph* are added to them."""
        import numpy as np

        def array(values: Iterable[int]) -> "Numbers":
            return np.array(list(values), dtype=np.int64)

        def coded(label: object) -> int:
            return codes.setdefault(label, len(codes))

        steps = sorted(graph.steps)
        self._ends = array(step.end for step in steps)
        self._codes = array(coded((step.label, graph.labels[step.end])) for step in steps)
        # What no path may visit again: the ends of steps, or their edges.
        self._marks = self._ends if once == "nodes" else array(step.edge for step in steps)
        nodes = array(range(len(graph.labels)))
        self._fan = np.bincount(array(step.start for step in steps), minlength=len(nodes))
        self._first = np.cumsum(self._fan) - self._fan
        self._numbers = array(map(coded, graph.labels))
        self._at = nodes
        # Paths with one more step, in parts: the path that each continues, its last step, its
        # number.
        self._next: list[tuple[Numbers, Numbers, Numbers]] = []
        # For the paths of 0, 1 and so on steps: the path that each continues, and its last visit.
        self._levels = [(nodes, nodes if once == "nodes" else array([-1] * len(nodes)))]

    def longer(self, codes: int, *, keep: bool) -> "tuple[Numbers, Numbers]":
        """Return the numbers of the paths of one more step, and how many paths have each.

        *codes* is the number of codes. Paths that are not to *keep* are never all in memory.
        """
        import numpy as np

        if int(self._fan[self._at].sum()) > MOST_PATHS:
            raise TooManyPaths
        counted = []
        deadline, self._next = current(), []
        for first in range(0, max(len(self._at), 1), _SLICE):
            deadline.check()
            paths = np.arange(first, min(first + _SLICE, len(self._at)))
            path, step = self._ways_on(paths)
            numbers = self._numbers[path] * codes + self._codes[step]
            counted.append(np.unique(numbers, return_counts=True))
            if keep:
                self._next.append((path, step, numbers))
        if len(counted) == 1:
            return counted[0]
        known = np.unique(np.concatenate([numbers for numbers, _ in counted]))
        times = np.zeros(len(known), dtype=np.int64)
        for numbers, often in counted:
            times[np.searchsorted(known, numbers)] += often
        return known, times

    def grow(self, every: "Numbers") -> None:
        """Add the longer paths that were kept; their numbers are now positions in *every*."""
        import numpy as np

        path, step, numbers = (np.concatenate(parts) for parts in zip(*self._next, strict=True))
        self._numbers = np.searchsorted(every, numbers)
        self._at = self._ends[step]
        self._levels.append((path, self._marks[step]))

    def _ways_on(self, paths: "Numbers") -> "tuple[Numbers, Numbers]":
        """Return, for all continuations of *paths* by a step, the path and the step."""
        import numpy as np

        fan = self._fan[self._at[paths]]
        path = np.repeat(paths, fan)
        within = np.arange(len(path)) - np.repeat(np.cumsum(fan) - fan, fan)
        step = self._first[self._at[path]] + within
        mark, new = self._marks[step], np.ones(len(path), dtype=bool)
        before = path
        for parents, marks in reversed(self._levels):
            new &= marks[before] != mark
            before = parents[before]
        return path[new], step[new]


#: The replacement of a ratio of 0, which has no logarithm, in the authors' program.
_FLOOR = 1e-3

#: The sum of the 0-gram factors of the pairs, and their number.
_ZERO_GRAMS, _PAIRS = "0-gram factors", "pairs"

#: The types of variables that are no boxes: entities, events, states, propositions and times.
_TYPES = "XESPT"


@dataclass(frozen=True, slots=True)
class DScorer(NGramMetric):
    """How the graphs of two DRSs are compared. *weights* are w(0), w(1) and so on.

    types: a variable that is no box has the first letter of its name as its label, or all have the
        same. An unknown letter counts as X. The clauses tell which variables are boxes.
    backwards: edges go both ways unless both ends are boxes; or unless their relation is in
        capitals (EQU excepted).
    directions: an edge has the same label in both directions, or another one backwards.
    once: what an n-gram visits at most once: edges or nodes.
    arithmetic: that of equation 3, or that of the authors' program.
    """

    name: ClassVar[str] = "dscorer"
    title: ClassVar[str] = "DScorer"
    papers: ClassVar[Sequence[str]] = ("liu-2020-dscorer",)
    format: ClassVar[str] = CLAUSES
    lightest: ClassVar[int] = 0
    profiles: ClassVar[Mapping[str, "DScorer"]]

    weights: Sequence[float] = (0.1, 0.225, 0.225, 0.225, 0.225)
    types: Literal["by-letter", "boxes-only"] = "by-letter"
    backwards: Literal["unless-boxes", "unless-capitals"] = "unless-boxes"
    directions: Literal["alike", "told-apart"] = "alike"
    once: Literal["edges", "nodes"] = "edges"
    arithmetic: Literal["paper", "program"] = "paper"

    @property
    def visited_once(self) -> Once:
        return self.once

    @classmethod
    def uniform(cls, order: int) -> Sequence[float]:
        return (0.1, *(0.9 / order,) * order)

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        left, right = self.labelled(system), self.labelled(gold)
        fewer, more = sorted((len(left.labels), len(right.labels)))
        zero_gram = {_ZERO_GRAMS: Fraction(fewer, more) if more else Fraction(1)}
        try:
            orders = common_paths(left, right, self.order, self.once)
        except TooManyPaths:
            raise self.too_many(system, gold, MOST_PATHS) from None
        return self.measurement(orders, {**zero_gram, _PAIRS: Fraction(1)})

    def figures(self, statistics: Statistics) -> Figures:
        if _PAIRS not in statistics.sums:
            return Figures(0.0, "F1", 0.0, 0.0, 0.0, {"0-gram factor": 0.0})
        zero_gram = float(statistics.sums[_ZERO_GRAMS] / statistics.sums[_PAIRS])
        orders = list(statistics.breakdown.values())
        weights = [self.weights[0], *self._order_weights(orders)]
        scores = [order.score() for order in orders]
        precision, recall, f1 = (
            self._mean(weights, [zero_gram, *ratios])
            for ratios in (
                [score.precision for score in scores],
                [score.recall for score in scores],
                [score.f1 for score in scores],
            )
        )
        if self.arithmetic == "program":
            precision, recall = recall, precision
        return Figures(f1, "F1", precision, recall, f1, {"0-gram factor": zero_gram})

    def signature(self, search: str = "") -> str:
        named = [choice for choice in self.choices() if choice != "unicode"]
        choices = (f"{choice}:{getattr(self, choice)}" for choice in named)
        said = "|".join((self.name, f"weights:{self.weights_text()}", *choices))
        return self._with_form(said)

    def labelled(self, graph: Graph) -> LabelledGraph:
        """Return the graph of a DRS; a repeated clause counts once."""
        graph = in_form(graph, self.unicode)
        numbers: dict[Argument, int] = {}
        steps: list[Step] = []
        edges = (edge for clause in dict.fromkeys(graph.triples) for edge in _edges(clause))
        for number, (relation, label, *ends) in enumerate(edges):
            start, end = (numbers.setdefault(node, len(numbers)) for node in ends)
            steps.append(Step(start, label, end, number))
            if self._goes_back(relation, ends, graph.variables):
                back = f"{label}, backwards" if self.directions == "told-apart" else label
                steps.append(Step(end, back, start, number))
        return LabelledGraph([self._label(node, graph.variables) for node in numbers], steps)

    def _goes_back(self, relation: str, ends: Sequence[Argument], sorts: Mapping[str, str]) -> bool:
        if self.backwards == "unless-capitals":
            return relation == "EQU" or not relation.isupper()
        return any(isinstance(end, Constant) or sorts[end.name] != BOX for end in ends)

    def _label(self, node: Argument, sorts: Mapping[str, str]) -> str:
        if isinstance(node, Constant):
            return node.text
        if sorts[node.name] == BOX:
            return "B"
        letter = node.name[0].upper()
        return letter if self.types == "by-letter" and letter in _TYPES else "X"

    def _mean(self, weights: Sequence[float], ratios: Sequence[float]) -> float:
        """Return the weighted geometric mean of the ratios of the orders from 0 on."""
        weighed = [(w, ratio) for w, ratio in zip(weights, ratios, strict=True) if w]
        if self.arithmetic == "program":
            weighed = [(w, ratio or _FLOOR) for w, ratio in weighed]
        if any(ratio == 0 for _, ratio in weighed):
            return 0.0
        return product_of_powers((ratio, w) for w, ratio in weighed)

    def _order_weights(self, orders: Sequence[Counts]) -> list[float]:
        """Return the weights of the orders from 1 on; 0 for missing orders."""
        is_program = self.arithmetic == "program"
        missing = [
            order.system_total == 0 and (is_program or order.gold_total == 0) for order in orders
        ]
        weighed = list(zip(self.weights[1:], missing, strict=True))
        lost = [w for w, is_missing in weighed if is_missing]
        sharing = len(lost) if is_program else len(orders) - len(lost)
        more = math.fsum(lost) / sharing if lost and sharing else 0.0
        return [0.0 if is_missing else w + more for w, is_missing in weighed]


_PAPER = DScorer()

_PROGRAM = DScorer(
    profile="program",
    types="boxes-only",
    backwards="unless-capitals",
    directions="told-apart",
    once="nodes",
    arithmetic="program",
)

DScorer.profiles = {
    "default": DScorer(profile="dscorer.1", unicode="nfc"),
    "paper": _PAPER,
    "program": _PROGRAM,
}


def _edges(clause: Triple) -> Iterator[tuple[str, str, Argument, Argument]]:
    """Yield the edges of a clause: relation, label, start and end."""
    relation, nodes = clause.relation, clause.arguments
    sense = nodes[1]
    if isinstance(sense, Constant) and SENSE.fullmatch(sense.text):
        relation, nodes = f"{relation}.{sense.text[1:-1]}", (nodes[0], *nodes[2:])
    for number, (start, end) in enumerate(pairwise(nodes), start=1):
        yield relation, relation if len(nodes) == 2 else f"{relation}-A{number}", start, end
