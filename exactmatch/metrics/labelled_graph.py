"""Graphs of labels, whose paths are the n-grams of SemBleu and DScorer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

#: What a path visits at most once: each edge, or each node and so each edge.
Once = Literal["edges", "nodes"]

#: The labels of a path: those of its nodes, and between them those of its steps.
Path = tuple[str, ...]


class Step(NamedTuple):
    """A step along an edge from the node *start* to *end*; edges that go both ways have two."""

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

    def paths(self, longest: int, once: Once, most: int) -> Iterator[Path]:
        """Yield the labels of each path of up to *longest* steps, from single nodes on.

        Raises `TooManyPaths` after *most*.
        """
        found = 0
        ways: list[list[Step]] = [[] for _ in self.labels]
        for step in self.steps:
            ways[step.start].append(step)
        #: Where a path ends, its labels, and what it may not visit again.
        open_paths: list[tuple[int, Path, frozenset[int]]] = [
            (node, (label,), frozenset([node] if once == "nodes" else []))
            for node, label in reversed([*enumerate(self.labels)])
        ]
        while open_paths:
            at, labels, visited = open_paths.pop()
            found += 1
            if found > most:
                raise TooManyPaths
            yield labels
            if len(labels) > 2 * longest:
                continue
            for step in reversed(ways[at]):
                mark = step.end if once == "nodes" else step.edge
                if mark not in visited:
                    longer = (*labels, step.label, self.labels[step.end])
                    open_paths.append((step.end, longer, visited | {mark}))
