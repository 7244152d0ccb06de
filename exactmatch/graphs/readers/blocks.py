"""Blocks: the parts of a text file between empty lines, each with its comments and its graph.

`exactmatch.graphs.readers.cutting` cuts out the text of each block without reading it.
`read_block`, which takes longer, can then run in another process.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from exactmatch.errors import GraphError
from exactmatch.graphs.readers.graph_text import GraphText

#: The start of a metadata key, as in ``# ::id x.1 ::date 2020``. The pattern first finds the colons
#: fast, then checks that no word ends there.
_KEY = re.compile(r"::(?=\S)(?<!\S::)")
#: The end of the Parallel Meaning Bank's comments on a token: its position.
_OF_TOKEN = r"^%.*\[\d+(?:\.\.\.|-)\d+\]$"


class Comments(Mapping[str, str]):
    """The comments of a block by key, looked up in their text on demand.

    remark: the last comment line without a key, without its comment sign; the Parallel Meaning Bank
    has the sentence there. Lines with three signs take precedence, and a comment on a single token
    (``% met [4...7]``) is no remark.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, key: str) -> str:
        return self._found()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())

    def __repr__(self) -> str:
        return repr(self._found())

    @property
    def remark(self) -> str:
        lines = map(str.strip, self._text.split("\n"))
        plain = [line for line in lines if line.strip("#% ") and not _KEY.search(line)]
        headed = [line for line in plain if line.startswith("%%%")]
        said = headed or [line for line in plain if not re.search(_OF_TOKEN, line)]
        return said[-1].lstrip("#%").strip() if said else ""

    def _found(self) -> dict[str, str]:
        lines = self._text.split("\n")
        return {key: value for line in lines for key, value in line_metadata(line).items()}


class Block:
    """The comments and the text of one graph.

    *metadata* are the comments by key. *line* is the first line of the block and *body_line* that
    of its text, counted from 1; *body_row* rows stand before the text. A comment inside the text is
    an empty line of *body*, so that rows can be counted. *undecodable* describes an error of the
    encoding, if there is one.
    """

    __slots__ = (
        "body",
        "body_line",
        "body_row",
        "identifier",
        "line",
        "metadata",
        "number",
        "row_height",
        "source",
        "undecodable",
    )

    def __init__(self, text: GraphText, comments: str, body: str, body_row: int) -> None:
        self.source = text.source
        self.line = text.line
        self.number = text.number
        self.identifier = text.identifier
        self.metadata = Comments(comments)
        self.body = body
        self.body_row = body_row
        #: The lines of the file from one row to the next.
        self.row_height = 0 if text.is_one_line else 1
        self.body_line = text.line + body_row * self.row_height
        self.undecodable: str | None = None

    def line_of(self, row: int) -> int:
        """Return the line of the file with this *row* of the body, counted from 0."""
        return self.body_line + row * self.row_height

    def error(self, reason: str) -> GraphError:
        """Return an error about the block as a whole."""
        return self.error_in(self.line, reason)

    def error_in(self, line: int, reason: str) -> GraphError:
        """Return an error about a line of the file."""
        return GraphError(
            reason,
            source=self.source,
            line=line,
            number=self.number,
            identifier=self.identifier,
        )

    def error_at(self, reason: str, row: int, column: int) -> GraphError:
        """Return an error about the *row* and *column* of the body, both from 0."""
        return GraphError(
            reason,
            source=self.source,
            line=self.line_of(row),
            number=self.number,
            identifier=self.identifier,
            text=self.body.split("\n")[row],
            column=column,
        )


def read_block(text: GraphText, comment: str = "#") -> Block:
    """Separate the comments of *text*, a block that has been cut out, from its graph."""
    return _read_plain(text, comment) or _read_line_by_line(text, comment)


def _read_plain(text: GraphText, comment: str) -> Block | None:
    """Read a block of comments and then a graph, with nothing between; return None for others."""
    if b"\n\n" in text.data or b"\0" in text.data:
        return None
    try:
        content = text.data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    at_the_beginning, in_a_line = _patterns(comment)
    comments = at_the_beginning.match(content)
    assert comments is not None
    end = comments.end()
    body = content[end:]
    if not body or (comment in body and in_a_line.search(body)):
        return None
    return Block(text, content[:end], body, content.count("\n", 0, end))


@cache
def _patterns(comment: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for comments at the start of a text, and for a comment in any line."""
    return re.compile(f"(?:{comment}.*\n)*"), re.compile(rf"(?:\A|\n)[^\S\n]*{comment}")


def _read_line_by_line(text: GraphText, comment: str) -> Block:
    raw = text.data.split(b"\n")
    lines = [line.decode("utf-8", errors="replace") for line in raw]
    are_blank = [not line.strip() for line in raw]
    are_comments = [line.lstrip().startswith(comment) for line in lines]
    parts = zip(are_blank, are_comments, strict=True)
    before = next((row for row, part in enumerate(parts) if not any(part)), len(raw))
    body = ["" if are_comments[row] else lines[row] for row in range(before, len(raw))]
    block = Block(text, "\n".join(lines[:before]), "\n".join(body), before)
    # Of several parts with comments before the body, the last one counts.
    after = max((row + 1 for row, is_blank in enumerate(are_blank) if is_blank), default=0)
    block.line += after * block.row_height
    for row, line in enumerate(raw):
        reason = undecodable(line)
        if reason is not None:
            block.undecodable, block.line = reason, text.line + row * block.row_height
            break
    return block


def undecodable(raw: bytes) -> str | None:
    """Return why a line is not UTF-8 text; None if it is."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file to UTF-8"
    return "a NUL byte; the file is no UTF-8 text" if "\0" in text else None


def line_metadata(comment: str) -> dict[str, str]:
    """Return the metadata of a comment line, by key."""
    values: dict[str, str] = {}
    for entry in _KEY.split(comment)[1:]:
        key, *value = entry.split(maxsplit=1)
        values[key] = value[0].rstrip() if value else ""
    return values
