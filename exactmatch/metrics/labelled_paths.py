"""The paths of two labelled graphs, and how many of them have the same labels.

All paths of a graph are arrays that grow by a step at a time, with a number for the labels of each
path. So millions of them, which the graphs of longer texts have, take seconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from exactmatch.counts import Counts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: What a path comes to once at most: each edge, or each node and so each edge.
Once = Literal["edges", "nodes"]


class Step(NamedTuple):
    """A way along an edge from the node *start* to *end*; edges that go both ways have two."""

    start: int
    label: str
    end: int
    edge: int


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """The labels of nodes, which are numbered from 0 on, and the steps between them."""

    labels: Sequence[str]
    steps: Sequence[Step]


def common_paths(
    system: LabelledGraph, gold: LabelledGraph, longest: int, once: Once
) -> list[Counts]:
    """Count the paths of 1, 2 and so on up to *longest* steps.

    Paths match if the labels of their nodes and steps are the same in the same order, and each of
    one graph matches at most one of the other.
    """
    import numpy as np

    codes: dict[object, int] = {}
    one, other = (_Paths(graph, codes, once) for graph in (system, gold))
    found = []
    for _ in range(longest):
        one.grow(len(codes))
        other.grow(len(codes))
        left, left_times = np.unique(one.numbers, return_counts=True)
        right, right_times = np.unique(other.numbers, return_counts=True)
        _, i, j = np.intersect1d(left, right, assume_unique=True, return_indices=True)
        matched = int(np.minimum(left_times[i], right_times[j]).sum())
        found.append(Counts(matched, len(one.numbers), len(other.numbers)))
        every = np.union1d(left, right)
        for paths in (one, other):
            paths.numbers = np.searchsorted(every, paths.numbers)
    return found


class _Paths:
    """All paths of a graph of as many steps as it was told to grow.

    numbers: of each path, a number that stands for its labels.
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
        # What no path may come to again: the ends of steps, or their edges.
        self._marks = self._ends if once == "nodes" else array(step.edge for step in steps)
        nodes = array(range(len(graph.labels)))
        self._at = nodes
        self._fan = np.bincount(array(step.start for step in steps), minlength=len(nodes))
        self._first = np.cumsum(self._fan) - self._fan
        # Of paths of 0, 1 and so on steps: the path that each goes on from, and its last mark.
        self._levels = [(nodes, nodes if once == "nodes" else array([-1] * len(nodes)))]
        self.numbers = array(map(coded, graph.labels))

    def grow(self, codes: int) -> None:
        """Go on from the end of each path in all ways there are; *codes* is the number of codes."""
        import numpy as np

        fan = self._fan[self._at]
        path = np.repeat(np.arange(len(fan)), fan)
        step = np.arange(len(path)) + (self._first[self._at] - np.cumsum(fan) + fan)[path]
        mark = self._marks[step]
        new = np.ones(len(path), dtype=bool)
        before = path
        for parents, marks in reversed(self._levels):
            new &= marks[before] != mark
            before = parents[before]
        path, step = path[new], step[new]
        self._levels.append((path, mark[new]))
        self._at = self._ends[step]
        self.numbers = self.numbers[path] * codes + self._codes[step]
