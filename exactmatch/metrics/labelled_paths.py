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

#: So many paths are continued at once.
_SLICE = 2**15
#: There are no more paths of one length: they would take more than a gigabyte.
MOST_PATHS = 2**23

#: What a path comes to once at most: each edge, or each node and so each edge.
Once = Literal["edges", "nodes"]


class Step(NamedTuple):
    """A way along an edge from the node *start* to *end*; edges that go both ways have two."""

    start: int
    label: str
    end: int
    edge: int


class TooManyPaths(Exception):  # noqa: N818
    """A graph has more paths of one length than can be counted."""


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
    one graph matches at most one of the other. Raises `TooManyPaths`.
    """
    import numpy as np

    codes: dict[object, int] = {}
    one, other = (_GrowingPaths(graph, codes, once) for graph in (system, gold))
    found = []
    for order in range(1, longest + 1):
        go_on = order < longest
        left, left_times = one.longer(len(codes), keep=go_on)
        right, right_times = other.longer(len(codes), keep=go_on)
        _, i, j = np.intersect1d(left, right, assume_unique=True, return_indices=True)
        matched = np.minimum(left_times[i], right_times[j])
        found.append(Counts(*(int(times.sum()) for times in (matched, left_times, right_times))))
        if go_on:
            every = np.union1d(left, right)
            one.grow(every)
            other.grow(every)
    return found


class _GrowingPaths:
    """All paths of a graph, of no steps at first; each has a number that stands for its labels."""

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
        self._fan = np.bincount(array(step.start for step in steps), minlength=len(nodes))
        self._first = np.cumsum(self._fan) - self._fan
        self._numbers = array(map(coded, graph.labels))
        self._at = nodes
        # Paths of one more step, in parts: what each goes on from, its last step, its number.
        self._next: list[tuple[Numbers, Numbers, Numbers]] = []
        # Of the paths of 0, 1 and so on steps: what each goes on from, and what it came to last.
        self._levels = [(nodes, nodes if once == "nodes" else array([-1] * len(nodes)))]

    def longer(self, codes: int, *, keep: bool) -> "tuple[Numbers, Numbers]":
        """Return the numbers of the paths of one more step, and how many paths have each.

        *codes* is the number of codes. Paths that are not to *keep* are never all in memory.
        """
        import numpy as np

        if int(self._fan[self._at].sum()) > MOST_PATHS:
            raise TooManyPaths
        counted = []
        self._next = []
        for first in range(0, max(len(self._at), 1), _SLICE):
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
        """Take the longer paths that were kept; their numbers are now places among *every*."""
        import numpy as np

        path, step, numbers = (np.concatenate(parts) for parts in zip(*self._next, strict=True))
        self._numbers = np.searchsorted(every, numbers)
        self._at = self._ends[step]
        self._levels.append((path, self._marks[step]))

    def _ways_on(self, paths: "Numbers") -> "tuple[Numbers, Numbers]":
        """Return, of all paths that go on from *paths* by a step, the path and the step."""
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
