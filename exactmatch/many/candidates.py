"""Several graphs for one sentence, as parsers suggest them, and the scores of their pairs.

Weighted means of F1 are whole numbers over one denominator, so that equal means are equal.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm

from exactmatch.graphs.graph import Graph, Location
from exactmatch.many.pairwise import DUAL, LABELS, TOTALS, Corpus, PairBounds, Pairwise
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.triples import NormalisedGraph
from exactmatch.scoring.recount import count_matched
from exactmatch.scoring.settings import Settings


class Means:
    """The contribution of each pair of graphs to the mean F1 of a graph with all others.

    The mean of graph *i* is the sum, over all others, of their weight times their F1, divided by
    the sum of their weights; 0 if that is 0.

    totals: the number of triples of each graph.
    weights: the weight of each graph, as whole numbers.
    """

    def __init__(self, totals: Sequence[int], weights: Sequence[int]) -> None:
        self._totals = totals
        self._weights = weights
        self._unit = lcm(*{a + b for a in set(totals) for b in set(totals) if a + b})
        others = [sum(weights) - weight for weight in weights]
        whole = lcm(*{weight for weight in others if weight})
        self._factors = [whole // weight if weight else 0 for weight in others]
        #: The common denominator of all contributions.
        self.denominator = self._unit * whole

    def contribution(self, i: int, j: int) -> int:
        """Return the amount that a match between *i* and *j* adds to the mean of *i*."""
        total = self._totals[i] + self._totals[j]
        return self._factors[i] * self._weights[j] * 2 * (self._unit // total) if total else 0


def whole_weights(weights: Sequence[Fraction]) -> list[int]:
    """Return whole numbers in the proportion of *weights*."""
    unit = lcm(*(weight.denominator for weight in weights))
    return [int(weight * unit) for weight in weights]


#: Replaces an unreadable graph.
EMPTY = Graph(None, {}, (), (), Location("", 0))

#: The stage of a pair of equal graphs, or of graphs that equal those of another pair.
EQUAL = "equal"


class CandidatePairs:
    """The pairs of several graphs, each with bounds that become tighter when it is examined.

    Graphs that are equal up to the names of their variables are one *kind*, so that a pair of kinds
    is examined once. Pairs are ordered; if the metric is symmetric, both orders are one pair.

    ranks: graphs of a lower rank are not chosen, whatever their scores: unreadable graphs, each of
        which an empty graph replaces.
    lower, upper: bounds of the mean F1 of each graph with the others, in the units of `Means`.
    """

    def __init__(
        self,
        names: Sequence[str],
        graphs: Sequence[NormalisedGraph],
        ranks: Sequence[int],
        weights: Sequence[int],
        metric: AlignmentMetric,
        settings: Settings,
    ) -> None:
        self.graphs = graphs
        self.ranks = ranks
        self.weights = weights
        self.kinds, first = _kinds(graphs)
        distinct = Corpus([names[i] for i in first], [graphs[i] for i in first])
        self.pairwise = Pairwise(distinct, distinct, metric, settings)
        self.totals = Corpus(names, graphs).totals(metric)
        self.means = Means(self.totals, weights)
        self.lower = [0] * len(graphs)
        self.upper = [0] * len(graphs)
        self._bounds: dict[tuple[int, int], PairBounds] = {}
        for a, b in self._pairs_of_kinds():
            self._bound(a, b, self._by_totals(a, b))

    @cached_property
    def members(self) -> list[list[int]]:
        """The graphs of each kind."""
        found: list[list[int]] = [[] for _ in range(max(self.kinds) + 1)]
        for i, kind in enumerate(self.kinds):
            found[kind].append(i)
        return found

    def bounds(self, i: int, j: int) -> PairBounds:
        """Return the bounds of graphs *i* and *j*."""
        return self._bounds[self._key(self.kinds[i], self.kinds[j])]

    def is_open(self, i: int, j: int) -> bool:
        """Tell whether graphs *i* and *j* may get tighter bounds."""
        return self.bounds(i, j).stage in _OPEN

    def bound_by_labels(self) -> None:
        """Bound all open pairs by the numbers of their triples of each label."""
        pairwise = self.pairwise
        if not pairwise.counts_labels:
            return
        rows = [pairwise.labels.bounds(a) for a in range(len(self.members))]
        for (a, b), known in list(self._bounds.items()):
            if known.stage == TOTALS and rows[a][b] < known.upper:
                self._bound(a, b, PairBounds(known.matched, int(rows[a][b]), LABELS))

    def solve(self, i: int, j: int, least: int = 0) -> None:
        """Solve graphs *i* and *j*; stop earlier if a bound shows that fewer than *least* match."""
        a, b = self._key(self.kinds[i], self.kinds[j])
        found = self._equal(a) if a == b else None
        if found is None:
            found = self.pairwise.score(a, b, least)
            found = found._replace(upper=min(found.upper, self._bounds[a, b].upper))
        self._bound(a, b, found)

    def solve_all(self) -> None:
        """Solve all pairs, including those of a graph with itself."""
        for a, b in self._pairs_of_kinds():
            if self._bounds[a, b].stage in _OPEN:
                self.solve(self.members[a][0], self.members[b][0])

    def mapping(self, i: int, j: int) -> Mapping[str, str]:
        """Return the mapping, by name, that the bounds of *i* and *j* refer to."""
        a, b = self.kinds[i], self.kinds[j]
        key = self._key(a, b)
        if self.bounds(i, j).stage == EQUAL:
            return dict(zip(self.graphs[i].variables, self.graphs[j].variables, strict=True))
        found = self.pairwise.mapping(*key)
        if key != (a, b):
            found = {right: left for left, right in found.items()}
        ours, theirs = self._renamed(i), self._renamed(j)
        return {ours[left]: theirs[right] for left, right in found.items()}

    def mean_f1(self, means: Sequence[int]) -> list[float]:
        """Return `lower` or `upper` as numbers from 0 to 1."""
        return [mean / self.means.denominator for mean in means]

    def stages(self) -> Counter[str]:
        """Return how many pairs each stage decided, by their present bounds."""
        found: Counter[str] = Counter()
        for (a, b), known in self._bounds.items():
            n_pairs = len(self.members[a]) * len(self.members[b])
            if a == b:
                n_pairs -= len(self.members[a])
                if self.pairwise.is_symmetric:
                    n_pairs //= 2
            if known.stage in _OPEN:
                found[known.stage] += n_pairs
            elif n_pairs:
                found[known.stage] += 1
                found[EQUAL] += n_pairs - 1
        return found

    def _bound(self, a: int, b: int, found: PairBounds) -> None:
        """Set the bounds of a pair of kinds, and update the means."""
        before = self._bounds.get((a, b), _NOTHING)
        self._bounds[a, b] = found
        turned = [(a, b), (b, a)] if self.pairwise.is_symmetric and a != b else [(a, b)]
        for kind, other in turned:
            for i, j in product(self.members[kind], self.members[other]):
                if i != j:
                    value = self.means.contribution(i, j)
                    self.lower[i] += value * (found.matched - before.matched)
                    self.upper[i] += value * (found.upper - before.upper)

    def _by_totals(self, a: int, b: int) -> PairBounds:
        """Return the bound by the numbers of triples."""
        both = [self.totals[self.members[kind][0]] for kind in (a, b)]
        metric, graphs = self.pairwise.metric, self.pairwise.system.graphs
        if metric.matches_once:
            return PairBounds(0, min(both), TOTALS)
        triples = len(graphs[a].triples) * len(graphs[b].as_gold())
        return PairBounds(0, triples * metric.scale, TOTALS)

    def _equal(self, a: int) -> PairBounds | None:
        """Return the bounds of a graph with itself; None if they are not obvious."""
        pairwise = self.pairwise
        graph, metric = pairwise.system.graphs[a], pairwise.metric
        if not pairwise.counts_labels or (
            metric.duplicates == "product" and len(set(graph.triples)) < len(graph.triples)
        ):
            return None
        if graph.keys is not None and not all(graph.keys_in_order()):
            return None  # a variable without a key is mapped to none, not even to itself
        itself = {name: name for name in graph.variables}
        matched = count_matched(graph, graph, itself, metric.duplicates, {}, metric.scale)
        total = self.totals[self.members[a][0]]
        return PairBounds(matched, total, EQUAL) if matched == total else None

    def _pairs_of_kinds(self) -> Iterator[tuple[int, int]]:
        for a in range(len(self.members)):
            for b in range(a if self.pairwise.is_symmetric else 0, len(self.members)):
                yield a, b

    def _key(self, a: int, b: int) -> tuple[int, int]:
        return (b, a) if self.pairwise.is_symmetric and b < a else (a, b)

    def _renamed(self, i: int) -> dict[str, str]:
        """Return the variables of graph *i*, by those of the first graph of its kind."""
        first = self.pairwise.system.graphs[self.kinds[i]]
        return dict(zip(first.variables, self.graphs[i].variables, strict=True))


_NOTHING = PairBounds(0, 0, TOTALS)

#: The stages after which a pair may get tighter bounds.
_OPEN = (TOTALS, LABELS, DUAL)


def _kinds(graphs: Sequence[NormalisedGraph]) -> tuple[list[int], list[int]]:
    """Return the kind of each graph, and the first graph of each kind."""
    known: dict[Hashable, int] = {}
    kinds = [known.setdefault(_canonical(graph), len(known)) for graph in graphs]
    return kinds, [kinds.index(kind) for kind in range(len(known))]


def _canonical(graph: NormalisedGraph) -> Hashable:
    """Return a key that is equal for graphs that are equal up to the names of their variables.

    Equal variables have equal keys, too: these decide which variables may be mapped.
    """
    sides = [graph.occurrences]
    if graph.targets is not None:
        sides.append(graph.gold_occurrences)
    keys = None if graph.keys is None else tuple(map(frozenset, graph.keys_in_order()))
    return (
        len(graph.variables),
        keys,
        *(frozenset((label, *sorted(alike)) for label, alike in side.items()) for side in sides),
    )
