"""Cut files of sequence box notation into texts, and texts into lines and tokens.

Parsers and the releases for training have one text a line, in columns between tabs. The last column
is the notation; the first may be the document (``p01/d0877``), and the one before the last is the
raw text. An empty line is an empty text, so that the lines of two files correspond.

The Parallel Meaning Bank itself writes blocks between empty lines: one concept a line with a
comment after it (``% flew [5-9]``), and lines of comments (``%%% ...``). Its releases also have
records: the same columns, each on a line of its own, between empty lines.

In all layouts, *lines* that begin with a concept or a discourse relation count: an index must not
lead beyond their number. In a text on one line, a new line begins at every such token.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from exactmatch.graphs.readers.blocks import Block
from exactmatch.graphs.readers.cutting import cut_blocks
from exactmatch.graphs.readers.sbn_tokens import CONCEPT_WORD, DISCOURSE_RELATIONS, INDEX
from exactmatch.graphs.readers.source import numbered_lines, remembered

#: The number of lines that decide on the layout, and on whether the file is in SBN.
LOOKED_AT = 100

_DOCUMENT = re.compile(r"p\d\d/d\d{4}")
_RELATION = "|".join(sorted(DISCOURSE_RELATIONS))
#: The beginning of the notation in a line of a file: a concept, or a new box.
_BEGINS = re.compile(rf"\s*(?:[^\s(\"%][^\s\"]*\.[nvarx]\.\d+|(?:{_RELATION})\s+[-+<>]\d+)(?!\S)")
#: A comment in a line: after a percent sign between blanks. Editors may remove the last blank.
_COMMENT = re.compile(r"\s%\s")
_COMMENT_OF_BLOCK = re.compile(r"\s%(?!\S)")
_ONE_LINE_TOKEN = re.compile(r"[^ ]+")
_TOKEN = re.compile(r"\S+")


class Token(NamedTuple):
    """A token, and its row and column in the text, from 0."""

    text: str
    row: int
    column: int


def is_notation(line: bytes) -> bool:
    """Tell whether this line of a file is in sequence notation, and not a comment."""
    text = line.decode("utf-8", errors="replace")
    is_comment = text.lstrip().startswith("%")
    return not is_comment and _BEGINS.match(text.rpartition("\t")[2]) is not None


def cut(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Cut the *chunks* of a file, whose lines end in ``\\n``, into texts.

    Yields the number of the first line of each text, the text, and its identifier. A block ends in
    ``\\n``, a text on one line does not.
    """
    rest = iter(chunks)
    looked_at: list[bytes] = []
    lines = (line for _, line in numbered_lines(remembered(rest, looked_at)))
    beginning = [*islice((line for line in lines if line.strip()), LOOKED_AT)]
    chunks = chain(looked_at, rest)
    if beginning and b"\t" not in beginning[0] and _document(beginning[0]):
        return _records(chunks)
    return _blocks(chunks) if _in_blocks(beginning) else _single_lines(chunks)


def lines_of(block: Block) -> list[list[Token]]:
    """Return the lines of a text as tokens, without comments and empty lines."""
    if block.body.endswith("\n"):
        rows = [(row, 0, line) for row, line in enumerate(block.body.split("\n"))]
        comment = _COMMENT_OF_BLOCK
    else:
        rows = [(0, start, line) for start, line in _cut_line(block.body)]
        comment = _COMMENT
    lines = [_tokens(*line, comment) for line in rows if not line[2].startswith("%%%")]
    return [line for line in lines if line]


def raw_text(line: str) -> str | None:
    """Return the raw text of a text on one line; None if it has none."""
    columns = line.split("\t")[:-1]
    if columns and _DOCUMENT.fullmatch(columns[0].strip()):
        del columns[0]
    return columns[0].strip() if columns else None


def _in_blocks(lines: Iterable[bytes]) -> bool:
    """Tell whether a file is in blocks, from some of its *lines* that are not blank.

    The majority of the lines decides.
    """
    return sum(map(_vote, lines)) > 0


def _vote(raw: bytes) -> int:
    """Return 1 if a line belongs to a block, -1 if it is a text, 0 if it may be either."""
    line = raw.decode("utf-8", errors="replace")
    if line.startswith("%%%"):
        return 1
    said, comment, behind = line.partition(" % ")
    if "\t" in behind and not _BEGINS.match(said):  # a sign of raw text
        said, comment = line, ""
    column = said.rpartition("\t")[2]
    lines = [*_cut_line(column)]
    begins = _BEGINS.match(column)
    if len(lines) > 1 or (column != said and (begins or not _BEGINS.match(said))):
        return -1
    # An index refers to another line.
    is_line = begins and any(INDEX.match(token) for token in column.split())
    return 1 if comment or is_line else 0


def _blocks(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    for line, data, identifier in cut_blocks(chunks, comment="%"):
        yield line, data + b"\n", identifier


def _records(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield records as single lines, each with the number of its last line."""
    held: list[bytes] = []
    for number, line in chain(numbered_lines(chunks), [(0, b"")]):
        if line.strip():
            held.append(line)
            last = number
        elif held:
            yield last, b"\t".join(held), _document(held[0])
            held = []


def _single_lines(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    for number, line in numbered_lines(chunks):
        yield number, line, _document(line)


def _document(line: bytes) -> str | None:
    """Return the document in the first column of a line; None if there is none."""
    name = line.partition(b"\t")[0].strip().decode("utf-8", errors="replace")
    return name if _DOCUMENT.fullmatch(name) else None


def _cut_line(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines in the last column of a text on one line, and their positions."""
    first = text.rfind("\t") + 1
    begin = first + len(text[first:]) - len(text[first:].lstrip())
    end = len(text.rstrip())
    for found in _ONE_LINE_TOKEN.finditer(text, begin, max(begin, end)):
        token, start = found.group(), found.start()
        if start > begin and (CONCEPT_WORD.match(token) or token in DISCOURSE_RELATIONS):
            yield begin, text[begin:start]
            begin = start
    if begin < end:
        yield begin, text[begin:end]


def _tokens(row: int, start: int, line: str, comment: re.Pattern[str]) -> list[Token]:
    """Return the tokens of a line that begins in column *start*, without its *comment*."""
    found = comment.search(line)
    end = len(line) if found is None else found.start()
    tokens = _TOKEN.finditer(line, 0, end)
    return [Token(token.group(), row, start + token.start()) for token in tokens]
