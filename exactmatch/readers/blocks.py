"""Blocks: the stretches of a text file between empty lines, each with its comments and its graph.

A block of comments alone belongs to the graph after it, unless both name an identifier: then
the first one's graph is missing, and it is handed on as a block without body.

The lines of each block can be cut out without being read (`cut_blocks`), so that reading them
(`read_blocks`), which takes longer, can be left to another process.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from exactmatch.errors import GraphError

#: Where a key of the metadata starts, as in ``# ::id x.1 ::date 2020``.
_KEY = re.compile(r"(?<!\S)::(?=\S)")


class Block:
    """The comments and the text of one graph.

    *line* is the first line of the block and *body_line* that of its text, counted from 1.
    A comment inside the text is an empty line of *body*, so that rows can be counted.
    *undecodable* says what is wrong with the encoding, if anything is.
    """

    __slots__ = ("body", "body_line", "line", "metadata", "number", "source", "undecodable")

    def __init__(self, source: str, line: int) -> None:
        self.source = source
        self.line = line
        self.number = 0
        self.metadata: dict[str, str] = {}
        self.body: list[str] = []
        self.body_line = 0
        self.undecodable: str | None = None

    @property
    def identifier(self) -> str | None:
        """The identifier that the comments give, if they do."""
        return self.metadata.get("id") or None

    def error(self, reason: str) -> GraphError:
        """Return an error about the block as a whole."""
        return GraphError(
            reason,
            source=self.source,
            line=self.line,
            number=self.number,
            identifier=self.identifier,
        )

    def error_at(self, reason: str, row: int, column: int) -> GraphError:
        """Return an error about the place at *row* and *column* of the body, both from 0."""
        return GraphError(
            reason,
            source=self.source,
            line=self.body_line + row,
            number=self.number,
            identifier=self.identifier,
            text=self.body[row],
            column=column,
        )


def read_blocks(
    lines: Iterable[bytes], source: str, comment: str = "#", line: int = 1, number: int = 1
) -> Iterator[Block]:
    """Read *lines* (without line ends) as numbered blocks, one for each graph.

    Lines that start with *comment* are comments. *line* is the number of the first line, and
    *number* that of the first graph.
    """
    number -= 1
    header: Block | None = None
    for block in _paragraphs(enumerate(lines, start=line), source, comment):
        if header is not None and header.identifier is not None and block.identifier is not None:
            number += 1
            header.number = number
            yield header
        elif header is not None:
            block.metadata = header.metadata | block.metadata
            block.undecodable = header.undecodable or block.undecodable
        header = block if not block.body else None
        if header is None:
            number += 1
            block.number = number
            yield block
    if header is not None and header.identifier is not None:
        header.number = number + 1
        yield header


def cut_blocks(
    lines: Iterable[tuple[int, bytes]], comment: str = "#"
) -> Iterator[tuple[int, bytes, str | None]]:
    """Cut numbered *lines* (without line ends) into the texts of single blocks.

    Yields the number of the first line, the text, and the identifier that its comments give, for
    the same blocks that `read_blocks` would read, which reads them from these texts as well.
    """
    start = 0
    held: list[bytes] = []  # comments that belong to what follows
    held_id: str | None = None
    for line, stretch in _stretches(lines):
        identifier, has_body = _identified(stretch, comment)
        if held_id and identifier:
            yield start, b"\n".join(held), held_id
            held, held_id = [], None
        start = start if held else line
        held += [b""] * (line - start - len(held)) + stretch
        held_id = held_id if identifier is None else identifier
        if has_body:
            yield start, b"\n".join(held), held_id or None
            held, held_id = [], None
    if held_id:
        yield start, b"\n".join(held), held_id


def _stretches(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the stretches of *lines* that are not blank, each with the number of its first line."""
    start = 0
    stretch: list[bytes] = []
    for line, raw in lines:
        if raw.strip():
            start = start if stretch else line
            stretch.append(raw)
        elif stretch:
            yield start, stretch
            stretch = []
    if stretch:
        yield start, stretch


def _identified(stretch: Iterable[bytes], comment: str) -> tuple[str | None, bool]:
    """Return what the comments before a body name it, if they do, and whether there is a body."""
    identifier: str | None = None
    for raw in stretch:
        text = raw.decode("utf-8", errors="replace")
        if not text.lstrip().startswith(comment):
            return identifier, True
        if "::id" in text:
            identifier = _metadata(text).get("id", identifier)
    return identifier, False


def _paragraphs(lines: Iterable[tuple[int, bytes]], source: str, comment: str) -> Iterator[Block]:
    for start, stretch in _stretches(lines):
        block = Block(source, start)
        texts = _decoded(stretch, block)
        n_before = 0
        for text in texts:
            if not text.lstrip().startswith(comment):
                break
            block.metadata |= _metadata(text)
            n_before += 1
        block.body_line = start + n_before
        block.body = texts[n_before:]
        if any(comment in text for text in block.body):
            block.body = ["" if t.lstrip().startswith(comment) else t for t in block.body]
        yield block


def _decoded(stretch: Sequence[bytes], block: Block) -> list[str]:
    """Return the lines of *block*, and say there what is wrong with their encoding."""
    raw = b"\n".join(stretch)
    if b"\0" not in raw:
        try:
            return raw.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            pass
    for line, one in enumerate(stretch, block.line):
        reason = _undecodable(one)
        if reason is not None:
            block.undecodable, block.line = reason, line
            break
    return [one.decode("utf-8", errors="replace") for one in stretch]


def _undecodable(raw: bytes) -> str | None:
    """Return why a line is no text, if it is none."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file to UTF-8"
    return "a NUL byte, so this is no text in UTF-8" if "\0" in text else None


def _metadata(comment: str) -> dict[str, str]:
    """Return what a line of comment says, by key."""
    entries = (entry.strip().partition(" ") for entry in _KEY.split(comment)[1:])
    return {key: value.strip() for key, _, value in entries}
