"""The faults of a file, counted as its graphs come by."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exactmatch.inputs import Given
from exactmatch.pairing import Unread
from exactmatch.validity.checks import Fault, faults, kinds_of
from exactmatch.validity.kinds import KINDS


@dataclass(frozen=True, kw_only=True)
class FileValidity:
    """What is wrong with the graphs of a file.

    name, format: of the file. graphs: those in it; faulty: those that have any fault.
    counts: of the faults of each kind that was looked for, and that graphs of the format can have.
    faults: the first of them, as many as were asked for.
    """

    name: str
    format: str
    graphs: int
    faulty: int
    counts: Mapping[str, int]
    faults: Sequence[Fault] = field(default=(), repr=False)

    @property
    def found(self) -> int:
        """The number of faults."""
        return sum(self.counts.values())


class FaultCounter:
    """Counts the faults of graphs that are read for something else, or for nothing else."""

    def __init__(self, kinds: Collection[str] = KINDS, most: int | None = 0) -> None:
        """Of these *kinds*; so many of them are kept, None is all."""
        self._kinds = kinds
        self._most = most
        self._name = self._format = ""
        self._graphs = self._faulty = 0
        self._counts: Counter[str] = Counter()
        self._kept: list[Fault] = []

    def watching(self, given: Given) -> Given:
        """Return what is *given*, with graphs that are looked at as they are read."""
        self._name, self._format = given.name, given.format
        return given._replace(graphs=self._passing(given.graphs))

    def finish(self) -> FileValidity:
        """Return what has been found."""
        kinds = [kind for kind in kinds_of(self._format) if kind in self._kinds]
        return FileValidity(
            name=self._name,
            format=self._format,
            graphs=self._graphs,
            faulty=self._faulty,
            counts={kind: self._counts[kind] for kind in kinds},
            faults=self._kept,
        )

    def _passing(self, graphs: Iterable[Unread]) -> Iterator[Unread]:
        for position, graph in enumerate(graphs, start=1):
            self._add(faults(graph, position, self._kinds))
            yield graph

    def _add(self, found: Sequence[Fault]) -> None:
        """Take the faults of the next graph."""
        self._graphs += 1
        self._faulty += bool(found)
        self._counts.update(fault.kind for fault in found)
        room = len(found) if self._most is None else max(self._most - len(self._kept), 0)
        self._kept += found[:room]


def validity_of(given: Given, kinds: Collection[str] = KINDS, most: int | None = 0) -> FileValidity:
    """Return what is wrong with what is *given*: of these *kinds*, and the first faults."""
    counter = FaultCounter(kinds, most)
    for _ in counter.watching(given).graphs:
        pass
    return counter.finish()
