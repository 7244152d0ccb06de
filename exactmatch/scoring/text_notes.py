"""Note on text that looks the same, in all graphs of a run: invisible characters, and letters.

The graphs are seen unread. Only texts with such characters are read here, so that others take no
time.
"""

from collections.abc import Iterable, Iterator

from exactmatch.graphs.graph import ANCHOR, CONCEPT, MRP, Constant, Graph
from exactmatch.graphs.pairing import Couple, Unread
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.unicode_form import nfc
from exactmatch.metrics.base import Metric

#: The bytes that are visible characters or white space of ASCII, and no part of other characters.
_VISIBLE = b"\t\n" + bytes(range(ord(" "), ord("~") + 1))


class TextNotes:
    """Counts what looks the same in graphs and pairs, as far as *metrics* tell it apart."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        forms = [getattr(metric, "unicode", "as-written") for metric in metrics]
        #: Whether labels count that differ by their Unicode form alone.
        self.tells_forms: bool = "as-written" in forms
        self._invisible = self._graphs = 0
        self._labels = self._pairs = 0

    def passing(self, couples: Iterable[Couple]) -> Iterator[Couple]:
        """Yield *couples*, which are counted as they pass."""
        for couple in couples:
            system, gold = couple[1], couple[2]
            # Nearly all are texts in ASCII; in MRP, these may mean other letters.
            if not (
                type(system) is type(gold) is GraphText
                and system.data.isascii()
                and gold.data.isascii()
                and system.format != MRP
            ):
                self.add_graph(system)
                self.add_graph(gold)
                self.add_pair(system, gold)
            yield couple

    def add_graph(self, graph: Unread | None) -> None:
        """Count the invisible characters of a graph."""
        if not isinstance(graph, GraphText) or _may_be_invisible(graph):
            self._count_invisible(_read(graph))

    def add_pair(self, system: Unread | None, gold: Unread | None) -> None:
        """Count the labels of a pair that differ by their form alone, if metrics tell that."""
        if not self.tells_forms or not (_may_differ(system) or _may_differ(gold)):
            return
        left, right = _read(system), _read(gold)
        if left is not None and right is not None:
            labels = _differing(_labels(left), _labels(right))
            self._labels += labels
            self._pairs += labels > 0

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

    def _count_invisible(self, graph: Graph | None) -> None:
        if graph is None:
            return
        from exactmatch.graphs.invisible import invisible_in, odd_words

        found = sum(len(invisible_in(word)) for _, _, word in odd_words(graph))
        self._invisible += found
        self._graphs += found > 0


def _may_be_invisible(text: GraphText) -> bool:
    """Tell whether a graph may have invisible characters, without reading it."""
    if _may_be_escaped(text):
        return True
    return not text.data.translate(None, _VISIBLE).decode("utf-8", errors="replace").isprintable()


def _may_differ(graph: Unread | None) -> bool:
    """Tell whether a graph may have text that is not in Unicode's form NFC, without reading it."""
    if not isinstance(graph, GraphText):
        return graph is not None
    text = graph.data.decode("utf-8", errors="replace")
    return _may_be_escaped(graph) or text != nfc(text)


def _may_be_escaped(text: GraphText) -> bool:
    """Tell whether a text may have letters that JSON writes in ASCII."""
    return text.format == MRP and b"\\u" in text.data


def _read(graph: Unread | None) -> Graph | None:
    """Return a graph, read if it is not; None if it is unreadable, or if there is none."""
    read = parse(graph) if isinstance(graph, GraphText) else graph
    return read if isinstance(read, Graph) else None


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
