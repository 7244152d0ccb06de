"""Cut a block of PENMAN that has one graph a line, without empty lines between them.

A block is cut if more than half of its lines, comments aside, are whole graphs by themselves. A
graph on several lines is never cut so: each of its lines that is a whole graph is the value of a
role, and that stands in a line that is none. Comments belong to the graph after them. If some
graphs have an identifier and others have none, the block stays whole, since its graphs would be
paired with others.
"""

import re
from collections.abc import Iterator

from exactmatch.graphs.readers.cutting import identified

#: A string, or a parenthesis.
_STRING_OR_PARENTHESIS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[()]')


def cut_lines(
    line: int, block: bytes, identifier: str | None
) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield the graphs of *block*, as `exactmatch.graphs.readers.cutting.cut_blocks` yields them.

    *line* is the number of the first line. If there is not one graph a line, the block is yielded.
    """
    lines = block.split(b"\n")
    rows = [row for row, raw in enumerate(lines) if raw.strip() and not _is_comment(raw)]
    n_whole = sum(_is_whole(lines[row]) for row in rows)
    begins = [0, *(row + 1 for row in rows[:-1])]
    texts = [b"\n".join(lines[begin : row + 1]) for begin, row in zip(begins, rows, strict=True)]
    names = [identified(text, "#")[0] or None for text in texts]
    if 2 * n_whole <= len(rows) or len(rows) < 2 or (None in names and any(names)):
        yield line, block, identifier
        return
    for begin, text, name in zip(begins, texts, names, strict=True):
        yield line + begin, text, name


def _is_comment(raw: bytes) -> bool:
    return raw.lstrip().startswith(b"#")


def _is_whole(raw: bytes) -> bool:
    """Tell whether a line is a graph, perhaps with a comment after it, and nothing else."""
    text = raw.strip()
    if not text.startswith(b"("):
        return False
    depth = 0
    for found in _STRING_OR_PARENTHESIS.finditer(text):
        depth += {b"(": 1, b")": -1}.get(found.group(), 0)
        if depth == 0:
            return text[found.end() :].lstrip()[:1] in (b"", b"#")
    return False
