"""The sentences of a UMR file, and the blocks of each.

A sentence has four blocks: a header, its graph, its surface alignment and its document level. In
most files one empty line ends a block and two end a sentence, but some files have two after every
block. So a block is recognised by its comment line (``# alignment:``) or, if that is missing, by
its beginning. A sentence begins with a header, or with a graph if it has no header. Other text
belongs to the block before it.

The annotation tool exports a header before the first sentence, which belongs to the header of that
sentence. The raw text after the last sentence (``# Source File:``) is in no block that is read.

A file may hold several documents: where the numbers of sentences (``# :: snt3``) do not rise, a new
document begins. If sentences were left out, the numbers may rise all the same. So a field
``document``, in a comment before the name, begins a document, too: ``# meta-info :: document = 2``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from exactmatch.graphs.graph import sentence_identifier

HEADER, GRAPH, SURFACE, DOCUMENT_LEVEL = "header", "graph", "alignment", "document level"
_RAW_TEXT = "raw text"

#: The comment lines that begin blocks.
_MARKERS = (
    (GRAPH, re.compile(rb"#\s*sentence level graph", re.IGNORECASE)),
    (SURFACE, re.compile(rb"#\s*alignment", re.IGNORECASE)),
    (DOCUMENT_LEVEL, re.compile(rb"#\s*document level annotation", re.IGNORECASE)),
    (_RAW_TEXT, re.compile(rb"#\s*source file\s*:", re.IGNORECASE)),
    (HEADER, re.compile(rb"#{20,}\s*$|#\s*meta-info|#.*\bsent_id\b|#\s*::\s*snt\d")),
)
#: The beginnings of blocks that have lost their comment line.
_LOOKS = (
    (DOCUMENT_LEVEL, re.compile(rb"\(\s*\w+\s*/\s*sentence\s*(\)|:|$)")),
    (GRAPH, re.compile(rb"\(")),
    (SURFACE, re.compile(rb"[^\s:(]+\s*:\s*(\d+-|-1-)-?\d+")),
    (HEADER, re.compile(rb"(Index|Words)\s*:")),
)
_ORDER = (HEADER, GRAPH, SURFACE, DOCUMENT_LEVEL, _RAW_TEXT)
#: Longer numbers are no names of sentences.
_NUMBER = re.compile(rb"\s*#\s*::\s*snt(\d{1,9})(?!\d)")
_DOCUMENT = re.compile(rb"\s*#.*::\s*document\s*=\s*(\d{1,9})\s*($|::)")


@dataclass(slots=True)
class SentenceText:
    """The text of a sentence: its lines in the file, and its blocks.

    line: the number of its first line, from 1. lines: all lines, including empty ones.
    blocks: the positions in *lines* of the lines of each block, including empty ones.
    number: the number after ``snt``; None if it has no name. document: the number of its document.
    """

    line: int
    document: int
    lines: list[bytes] = field(default_factory=list)
    blocks: dict[str, list[int]] = field(default_factory=dict)
    number: int | None = None

    @property
    def name(self) -> str:
        """The name of the sentence in its document, empty if it has none."""
        return "" if self.number is None else f"snt{self.number}"

    @property
    def identifier(self) -> str | None:
        """The identifier of the sentence in its file."""
        return sentence_identifier(self.name, self.document)

    def has_content(self) -> bool:
        """Tell whether there is more than comments without a name."""
        if self.number is not None or any(kind != HEADER for kind in self.blocks):
            return True
        return any(line.strip() and not line.lstrip().startswith(b"#") for line in self.lines)


class _Header:
    """Reads the number of a sentence, and of its *document*."""

    def __init__(self, document: int) -> None:
        self.document = document
        self._said = 0
        self._latest: int | None = None  # the last sentence number in the document

    def read(self, line: bytes, sentence: SentenceText) -> None:
        """Give *sentence* the numbers that are in a *line* of its header."""
        if found := _DOCUMENT.match(line):
            self._said = int(found[1])
        if found := _NUMBER.match(line):
            sentence.number = int(found[1])
            if self._latest is not None and sentence.number <= self._latest:
                self.document += 1
            self.document = max(self.document, self._said)
            self._latest = sentence.number
            sentence.document = self.document


def cut_sentences(lines: Iterable[tuple[int, bytes]], document: int = 1) -> Iterator[SentenceText]:
    """Yield the sentences in numbered *lines*, the first of which belongs to *document*."""
    header = _Header(document)
    sentence = SentenceText(1, document)
    kind = HEADER
    is_blank = True  # the previous line
    for number, line in lines:
        text = line.strip()
        if not text:
            is_blank = True
            sentence.lines.append(b"")
            continue
        if is_blank or text.startswith(b"#"):  # other lines go on with their block
            kind, is_other = _block_of(text, sentence, kind, follows_blank=is_blank)
            if is_other:
                if sentence.has_content():
                    yield sentence
                sentence = SentenceText(number, header.document)
        is_blank = False
        if not sentence.blocks:
            sentence.line, sentence.lines = number, []
        sentence.blocks.setdefault(kind, []).append(len(sentence.lines))
        sentence.lines.append(line)
        if kind == HEADER and sentence.number is None:
            header.read(line, sentence)
    if sentence.has_content():
        yield sentence


def _block_of(
    text: bytes, sentence: SentenceText, current: str, *, follows_blank: bool
) -> tuple[str, bool]:
    """Return the block that a line belongs to, and whether it begins a new sentence.

    *text* is the line without spaces at its ends. *current* is the block of the previous line in
    *sentence*.
    """
    marked = _first(_MARKERS, text) if text.startswith(b"#") else None
    if marked == HEADER:
        is_complete = any(kind != HEADER for kind in sentence.blocks)
        is_named = sentence.number is not None
        number = _NUMBER.match(text)
        if number and not follows_blank and int(number[1]) == sentence.number:
            return HEADER, is_complete  # the same line twice
        return HEADER, is_complete or (is_named and (follows_blank or number is not None))
    if marked is not None:
        return marked, marked == GRAPH and _has_graph(sentence)
    looks = _first(_LOOKS, text) if follows_blank else None
    if looks is None or _ORDER.index(looks) <= _ORDER.index(current):
        return current, False
    return looks, False


def _has_graph(sentence: SentenceText) -> bool:
    """Tell whether more is there than a header and comments on a graph that is still to come."""
    others = {kind: rows for kind, rows in sentence.blocks.items() if kind != HEADER}
    rows = others.pop(GRAPH, [])
    return bool(others) or any(not sentence.lines[row].lstrip().startswith(b"#") for row in rows)


def _first(patterns: Iterable[tuple[str, re.Pattern[bytes]]], text: bytes) -> str | None:
    return next((kind for kind, pattern in patterns if pattern.match(text)), None)
