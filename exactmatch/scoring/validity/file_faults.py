"""Count the faults of the graphs of a file as they are read."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exactmatch.errors import FileError
from exactmatch.graphs.extents import by_extent
from exactmatch.graphs.graph import UMR, Graph
from exactmatch.graphs.inputs import Given
from exactmatch.graphs.pairing import Unread, place_of
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.scoring.validity.checks import Fault, faults, faults_by_sentence, kinds_of
from exactmatch.scoring.validity.kinds import IDENTIFIER_TWICE, KINDS, UNREADABLE


@dataclass(frozen=True, kw_only=True)
class FileValidity:
    """The faults of the graphs of a file.

    name, format: those of the file; the format of one without graphs is empty. graphs: the number
        of graphs; faulty: the number of graphs with a fault.
    counts: the number of faults of each kind that was looked for and that the format can have.
    faults: the first faults, as many as were asked for.
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
    """Counts the faults of graphs while they are read, for this or another purpose."""

    def __init__(self, kinds: Collection[str] = KINDS, most: int | None = 0) -> None:
        """Looks for *kinds* of faults, and keeps *most* of them; None keeps all."""
        self._kinds = kinds
        self._most = most
        self._name = self._format = ""
        self._graphs = self._faulty = 0
        self._counts: Counter[str] = Counter()
        self._kept: list[Fault] = []
        self._sentences: list[GraphText] = []  # of a document of UMR, so far
        self._named: dict[str, tuple[str, int, int]] = {}  # place of the first of each name

    def watching(self, given: Given) -> Given:
        """Return *given* with graphs that are checked as they are read."""
        self._name, self._format = given.name, given.format
        return given._replace(graphs=self._passing(given.graphs))

    def finish(self) -> FileValidity:
        """Return the result."""
        self._end_document()
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
            if isinstance(graph, GraphText) and graph.format == UMR:
                self._take_sentence(graph)
            else:
                before = self._named_before(graph, position)
                self._add([*before, *faults(graph, position, self._kinds)])
            yield graph

    def _take_sentence(self, text: GraphText) -> None:
        """Keep a sentence until its document is complete: some faults concern the document."""
        if self._sentences and (
            (text.source, text.document) != (self._sentences[0].source, self._sentences[0].document)
        ):
            self._end_document()
        self._sentences.append(text)

    def _end_document(self) -> None:
        if self._sentences:
            (document,) = by_extent([self._sentences], "document")[0]
            for faults in faults_by_sentence(document, self._sentences, self._kinds):
                self._add(faults)
            self._sentences = []

    def _add(self, faults: Sequence[Fault]) -> None:
        """Add the faults of the next graph."""
        self._graphs += 1
        self._faulty += bool(faults)
        self._counts.update(fault.kind for fault in faults)
        room = len(faults) if self._most is None else max(self._most - len(self._kept), 0)
        self._kept += faults[:room]

    def _named_before(self, graph: Unread, position: int) -> Iterator[Fault]:
        """Yield a fault if an earlier graph has the same identifier."""
        name = graph.identifier
        if name is None or IDENTIFIER_TWICE not in self._kinds:
            return
        source, line = place_of(graph)
        number = position if isinstance(graph, Graph) else graph.number
        first, first_number, first_line = self._named.setdefault(name, (source, number, line))
        if (first, first_number) != (source, number):
            of = "" if first == source else f" of {first}"
            reason = f"graph {first_number}{of}, in line {first_line}, has the same identifier"
            yield Fault(IDENTIFIER_TWICE, source, line, number, name, reason)


def validity_of_unreadable(error: FileError, most: int | None = 0) -> FileValidity:
    """Return the validity of a file without graphs that can be read; *error* says why."""
    fault = Fault(UNREADABLE, error.source, error.line or 1, None, None, error.reason)
    return FileValidity(
        name=error.source,
        format="",
        graphs=0,
        faulty=0,
        counts={UNREADABLE: 1},
        faults=[fault][:most],
    )


def validity_of(given: Given, kinds: Collection[str] = KINDS, most: int | None = 0) -> FileValidity:
    """Return the faults of *given*: counts of these *kinds*, and the first faults."""
    counter = FaultCounter(kinds, most)
    for _ in counter.watching(given).graphs:
        pass
    return counter.finish()
