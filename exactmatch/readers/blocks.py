"""Blocks: the stretches of a text file between empty lines, each with its comments and its graph.

A block of comments alone belongs to the graph after it, unless both name an identifier: then
the first one's graph is missing, and it is handed on as a block without body.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from exactmatch.errors import GraphError

#: Where a key of the metadata starts, as in ``# ::id x.1 ::date 2020``.
_KEY = re.compile(r"(?<!\S)::(?=\S)")


@dataclass(slots=True)
class Block:
    """The comments and the text of one graph.

    *line* is the first line of the block and *body_line* that of its text, counted from 1.
    A comment inside the text is an empty line of *body*, so that rows can be counted.
    *undecodable* says what is wrong with the encoding, if anything is.
    """

    source: str
    line: int
    number: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    body: list[str] = field(default_factory=list)
    body_line: int = 0
    undecodable: str | None = None

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


def read_blocks(lines: Iterable[bytes], source: str, comment: str = "#") -> Iterator[Block]:
    """Cut *lines* (without line ends) into numbered blocks, one for each graph.

    Lines that start with *comment* are comments.
    """
    number = 0
    header: Block | None = None
    for block in _paragraphs(lines, source, comment):
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


def _paragraphs(lines: Iterable[bytes], source: str, comment: str) -> Iterator[Block]:
    block: Block | None = None
    for line, raw in enumerate(lines, start=1):
        if raw.strip():
            block = block or Block(source, line)
            _add_line(block, raw, line, comment)
        elif block is not None:
            yield block
            block = None
    if block is not None:
        yield block


def _add_line(block: Block, raw: bytes, line: int, comment: str) -> None:
    try:
        text = raw.decode("utf-8")
        reason = "a NUL byte, so this is no text in UTF-8" if "\0" in text else None
    except UnicodeDecodeError as error:
        reason = f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file to UTF-8"
        text = raw.decode("utf-8", errors="replace")
    if reason is not None and block.undecodable is None:
        block.undecodable = reason
        block.line = line
    is_comment = text.lstrip().startswith(comment)
    if is_comment and not block.body:
        for entry in _KEY.split(text)[1:]:
            key, _, value = entry.strip().partition(" ")
            block.metadata[key] = value.strip()
        return
    if not block.body:
        block.body_line = line
    block.body.append("" if is_comment else text)
