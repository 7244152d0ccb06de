"""Find the sentences of UMR that ``compare_umr.pl`` reads otherwise than our reader.

The program has a format of its own: a single empty line ends a block, two end a sentence, the
blocks have no other mark than their order, and ``#`` begins a comment even in a concept or a
string. Sentences of any other form lose nodes, triples or whole blocks there. Our reader reads
them. So our counts may differ from those of the program, and a note says so.
"""

import re
from collections.abc import Iterator

from exactmatch.graphs.graph import Graph, Sentence
from exactmatch.graphs.readers.umr_blocks import (
    DOCUMENT_LEVEL,
    GRAPH,
    HEADER,
    SURFACE,
    SentenceText,
    cut_sentences,
)
from exactmatch.graphs.readers.umr_levels import counted
from exactmatch.graphs.readers.umr_sentence import read_header, uncommented

#: The blocks of a sentence in the order of the program.
_ORDER = (HEADER, GRAPH, SURFACE, DOCUMENT_LEVEL)
#: A value 0 that ends a line. The program stops reading a line where only this is left.
_LAST_ZERO = re.compile(r'(?<![^\s()"])0$')
_WORDS = re.compile(r"Words:\s*(.+)")

#: What the program does, by the kind of text.
_SEPARATED = "by its empty lines, blocks or sentences end elsewhere"
_UNNAMED = "it reads tokens from a line 'Words:' alone"
_COMMENTED = "it takes '#' and the rest of the line for a comment"
_ZERO = "it loses the value 0 at the end of a line"
_KINDS = (_SEPARATED, _UNNAMED, _COMMENTED, _ZERO)


def unlike_program(graph: Graph) -> Iterator[str]:
    """Yield a note on each kind of text that the program reads otherwise in a whole file.

    The note names the first sentence of this kind, and counts the others.
    """
    sentences = [sentence for sentence in graph.sentences if sentence.text]
    found: dict[str, list[Sentence]] = {kind: [] for kind in _KINDS}
    for sentence in sentences:
        for kind in _kinds(_Text(sentence), is_last=sentence is sentences[-1]):
            found[kind].append(sentence)
    for kind, those in found.items():
        if those:
            first, *others = those
            more = f" ({counted(len(others), 'more sentence')})" if others else ""
            place = f"{graph.location.source}:{first.line}: sentence {first.number}"
            yield f"{place}: compare_umr.pl may count otherwise: {kind}{more}"


class _Text:
    """The lines of a sentence, and its text as our reader cuts it."""

    def __init__(self, sentence: Sentence) -> None:
        lines = sentence.text.encode().split(b"\n")
        self.cut: SentenceText = next(cut_sentences(enumerate(lines, start=sentence.line)))
        self.lines = [line.decode().strip() for line in self.cut.lines]

    def places(self, kind: str) -> list[int]:
        """Return the positions of the lines of a block that are not empty."""
        return [row for row in self.cut.blocks.get(kind, ()) if self.lines[row]]

    def both_readings(self, kind: str) -> list[tuple[str, str]]:
        """Return the lines of a block without comments, as we and as the program read them."""
        first, rows = uncommented(self.cut, kind)
        first -= self.cut.line
        return [
            (rows[row - first].strip(), self.lines[row].partition("#")[0].strip())
            for row in self.places(kind)
        ]


def _kinds(text: _Text, *, is_last: bool) -> Iterator[str]:
    """Yield the kinds of a sentence, of which the one that is last ends with the file."""
    if not _is_separated(text, is_last):
        yield _SEPARATED
    words = next(filter(None, (_WORDS.match(text.lines[row]) for row in text.places(HEADER))), None)
    if read_header(text.cut).tokens != tuple(words[1].split() if words else ()):
        yield _UNNAMED
    readings = [text.both_readings(kind) for kind in _ORDER[1:]]
    if any(ours != theirs for reading in readings for ours, theirs in reading):
        yield _COMMENTED
    if any(_LAST_ZERO.search(theirs) for _, theirs in readings[0]):
        yield _ZERO


def _is_separated(text: _Text, is_last: bool) -> bool:
    """Tell whether empty lines separate the blocks of a sentence, and end it, as we read it."""
    paragraphs: list[list[int]] = [[]]
    empty = 0
    for row, line in enumerate(text.lines):
        if not line:
            empty += 1
            continue
        if empty > 1:
            return False
        if empty:
            paragraphs.append([])
        empty = 0
        paragraphs[-1].append(row)
    paragraphs += [[]] * len(_ORDER)
    are_ours = paragraphs[: len(_ORDER)] == [text.places(kind) for kind in _ORDER]
    return are_ours and (is_last or empty > 1)
