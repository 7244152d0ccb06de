"""Note on text that looks the same, in all pairs of a run: invisible characters, and letters.

The pairs pass by unread. Only texts with such characters are read here, so that others take no
time.
"""

from collections.abc import Iterable, Iterator, Sequence

from exactmatch.graphs.graph import ANCHOR, CONCEPT, MRP, Constant, Graph
from exactmatch.graphs.pairing import Couple, Unread
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.unicode_form import nfc
from exactmatch.metrics.base import Metric


class TextNotes:
    """Counts what looks the same in pairs, as far as *metrics* tell it apart."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        forms = [getattr(metric, "unicode", "as-written") for metric in metrics]
        self._is_as_written = "as-written" in forms
        self._invisible = self._graphs = 0
        self._labels = self._pairs = 0

    def passing(self, couples: Iterable[Couple]) -> Iterator[Couple]:
        """Yield *couples*, which are counted as they pass."""
        for couple in couples:
            system, gold = couple[1], couple[2]
            if _are_ascii(system, gold):  # as nearly all are
                yield couple
                continue
            if self._may_count(system) or self._may_count(gold):
                self._count((system, gold))
            yield couple

    def notes(self) -> list[str]:
        """Return a note on each kind of text that was found."""
        found = []
        if self._invisible:
            found.append(
                f"{_number(self._invisible, 'invisible character')} beside roles and concepts, in "
                f"{_number(self._graphs, 'graph')}; they count as letters (exactmatch check)"
            )
        if self._labels:
            found.append(
                f"labels that differ by their Unicode form alone: {self._labels:,}, in "
                f"{_number(self._pairs, 'pair')}; --unicode nfc compares them as equal"
            )
        return found

    def _may_count(self, side: Unread | None) -> bool:
        """Tell whether a graph may have text that counts, without reading it."""
        if not isinstance(side, GraphText):
            return isinstance(side, Graph)
        if side.format == MRP and b"\\u" in side.data:  # as JSON writes letters in ASCII, too
            return True
        text = side.data.decode("utf-8", errors="replace")
        lines = text.replace("\t", " ").split("\n")
        return not all(map(str.isprintable, lines)) or (self._is_as_written and text != nfc(text))

    def _count(self, sides: Sequence[Unread | None]) -> None:
        graphs = [parse(side) if isinstance(side, GraphText) else side for side in sides]
        readable = [graph for graph in graphs if isinstance(graph, Graph)]
        for graph in readable:
            self._count_invisible(graph)
        if self._is_as_written and len(readable) == len(sides):
            labels = _differing(*map(_labels, readable))
            self._labels += labels
            self._pairs += labels > 0

    def _count_invisible(self, graph: Graph) -> None:
        from exactmatch.graphs.invisible import invisible_in, odd_words

        found = sum(len(invisible_in(word)) for _, _, word in odd_words(graph))
        self._invisible += found
        self._graphs += found > 0


def _are_ascii(system: object, gold: object) -> bool:
    """Tell whether two texts are in ASCII; MRP may mean other letters by it."""
    return (
        type(system) is type(gold) is GraphText
        and system[0].isascii()
        and gold[0].isascii()
        and system[4] != MRP
    )


def _labels(graph: Graph) -> set[tuple[str, str]]:
    """Return the roles, concepts and values of a graph that are not in ASCII, with their kinds."""
    found = set()
    for relation, arguments, _ in graph.triples:
        if relation != ANCHOR:
            kind = "concept" if relation == CONCEPT else "value"
            found.add(("role", relation))
            found.update((kind, end.text) for end in arguments if isinstance(end, Constant))
    return {(kind, text) for kind, text in found if not text.isascii()}


def _differing(system: set[tuple[str, str]], gold: set[tuple[str, str]]) -> int:
    """Return the number of labels of *system* that *gold* has in another form alone."""
    there = {(kind, nfc(text)) for kind, text in gold}
    return sum((kind, nfc(text)) in there for kind, text in system - gold)


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
