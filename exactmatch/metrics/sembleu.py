"""SemBleu: BLEU over the paths of an AMR (Song and Gildea 2019).

Linfeng Song and Daniel Gildea. 2019. *SemBleu: A Robust Metric for AMR Parsing Evaluation.*
Proceedings of ACL 2019, section 3. An n-gram is a path of n nodes, with the roles on its n - 1
edges; variables are not seen, their concepts are. The score of a corpus is

    BP * exp(sum of w_n log p_n, n from 1 to 3),   BP = exp(min(1 - |gold| / |test|, 0))

where p_n is the share of the n-grams of the test side that are on the gold side as well (each as
often as it occurs on both), and the size of a graph is the number of its nodes and edges. Defaults
are those of the paper: n-grams of up to 3 nodes, equal weights, and where no n-gram of a length
matches, the geometric smoothing of NIST: the k-th such p_n is 1 / 2^k of one n-gram.

The authors' program weighs with 0.34, 0.33 and 0.34, which sum up to 1.01: profile ``program``. It
also passes over a first edge whose number happens to be that of its node, and over nodes that
cannot be reached from one without parents; this is not copied.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import ClassVar, NamedTuple

from exactmatch.graph import CONCEPT, PENMAN, Constant, Graph, Variable
from exactmatch.metrics.counts import NOTHING, Counts
from exactmatch.metrics.direct import DirectScore

_LONGEST = 3

Path = tuple[str, ...]


class Overlap(NamedTuple):
    """The n-grams of a pair, counted by their lengths from 1, and the sizes of both graphs."""

    counts: tuple[Counts, ...]
    test_size: int
    gold_size: int


@dataclass(frozen=True, slots=True)
class SemBleu:
    """The metric with its *weights* of paths of one, two and three nodes."""

    name: ClassVar[str] = "sembleu"
    title: ClassVar[str] = "SemBleu"
    format: ClassVar[str] = PENMAN

    weights: tuple[float, ...] = (1 / 3, 1 / 3, 1 / 3)

    def measure(self, test: Graph, gold: Graph) -> Overlap:
        """Return the n-grams of a pair, counted."""
        left, right = _Paths(test), _Paths(gold)
        counts = []
        for length in range(1, _LONGEST + 1):
            found, wanted = left.of_length(length), right.of_length(length)
            counts.append(Counts((found & wanted).total(), found.total(), wanted.total()))
        return Overlap(tuple(counts), left.size, right.size)

    def sums(self) -> "SemBleuSums":
        """Return the sums over no pair."""
        return SemBleuSums(self.weights)

    def signature(self) -> str:
        """Return the name and all parameters in one line."""
        weights = ",".join(f"{weight:.4g}" for weight in self.weights)
        return f"sembleu|n:{_LONGEST}|weights:{weights}|smoothing:nist-geometric"


class SemBleuSums:
    """The n-grams of a corpus; *weights* are those of their lengths."""

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = weights
        self._counts = [NOTHING] * _LONGEST
        self._test_size = 0
        self._gold_size = 0

    def add(self, measure: Overlap) -> None:
        """Add the n-grams of a pair."""
        self._counts = [a + b for a, b in zip(self._counts, measure.counts, strict=True)]
        self._test_size += measure.test_size
        self._gold_size += measure.gold_size

    def score(self) -> DirectScore:
        """Return the score of the pairs added so far."""
        test, gold = self._test_size, self._gold_size
        brevity = exp(min(1 - gold / test, 0)) if test else 0.0
        return DirectScore(
            brevity * self._precision(),
            "BLEU",
            figures={"brevity penalty": brevity},
            parts={f"{length}-grams": found for length, found in enumerate(self._counts, start=1)},
        )

    def _precision(self) -> float:
        """Return the weighted geometric mean of the precisions by length.

        Lengths of which the test side has no path are left out, with equal weights for the rest.
        """
        counts = self._counts
        if not counts[0].matched:
            return 0.0
        there = [count for count in counts if count.test_total]
        weights = self._weights
        if len(there) < len(counts):
            weights = (1 / len(there),) * len(there)
        logs, misses = 0.0, 0
        for weight, count in zip(weights, there, strict=True):
            matched: float = count.matched
            if not matched:
                misses += 1
                matched = 1 / 2**misses
            logs += weight * log(matched / count.test_total)
        return exp(logs)


#: What the authors' program computes, but for its faults.
PROGRAM = SemBleu(weights=(0.34, 0.33, 0.34))


class _Paths:
    """The paths of a graph. Constants are nodes, each its own; inverse roles are turned round."""

    def __init__(self, graph: Graph) -> None:
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
        """Return the paths of *length* nodes that use no edge twice."""
        return Counter(path for node in self._labels for path in self._paths(node, length, ()))

    def _add_edge(self, start: str, role: str, end: str) -> None:
        if role.endswith("-of"):
            self._edges.append((end, role.replace("-of", ""), start))
        else:
            self._edges.append((start, role, end))

    def _paths(self, node: str, length: int, used: tuple[int, ...]) -> Iterator[Path]:
        if length == 1:
            yield (self._labels[node],)
            return
        for number in self._from[node]:
            if number not in used:
                _, role, end = self._edges[number]
                for rest in self._paths(end, length - 1, (*used, number)):
                    yield (self._labels[node], f":{role}", *rest)
