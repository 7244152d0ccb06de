"""Recognise files that hold no graphs, by their beginning.

Only files that are surely of another kind are named. Any other file goes to the readers, which
report the graph and the place at which they stop.
"""

import re
from collections.abc import Callable, Iterable
from itertools import islice

from exactmatch.errors import FileError
from exactmatch.graphs.graph import CLAUSES, PENMAN
from exactmatch.graphs.readers.formats import ALL_DESCRIBED, FORMATS

#: The only kind of binary file that begins with a parenthesis, as PENMAN graphs do.
_ZSTD = b"\x28\xb5\x2f\xfd"
#: The beginning of the first line that is not blank, and the kind of file that has it.
_LOOKS_LIKE = (
    (rb"\x1f\x8b", "a gzip file inside a gzip file"),
    (rb"PK[\x03\x05\x07]", "a binary file (zip archive)"),
    (rb"BZh\d1AY", "a binary file (bzip2)"),
    (rb"\xfd7zXZ\x00", "a binary file (xz)"),
    (re.escape(_ZSTD), "a binary file (zstd)"),
    (rb"7z\xbc\xaf", "a binary file (7-Zip archive)"),
    (rb"\x89PNG", "a binary file (PNG image)"),
    (rb"\xff\xd8\xff", "a binary file (JPEG image)"),
    (rb"%PDF-", "a PDF document"),
    (rb"%!PS", "a PostScript document"),
    (rb"\xff\xfe|\xfe\xff", "text in UTF-16 or UTF-32 (convert it to UTF-8)"),
    # Bytes that begin no text, or a NUL in the first word, which begins no graph.
    (rb"[\x00-\x08\x0e-\x1f\x80-\xc1\xf5-\xff]|[^\s(#%{\x00]*\x00", "a binary file"),
    (rb"\s*\[", "a JSON array (write one object a line, for example by jq -c '.[]')"),
    (rb'\s*"', "a JSON string or a table"),
    (rb"(?i)\s*<(!doctype\s+)?html\b", "HTML"),
    (rb"\s*<", "XML"),
    (rb"#SDP \d{4}", "semantic dependencies in the format of SDP (convert them to MRP)"),
    (rb"\d+\t", "a table of words (CoNLL)"),
    (rb"[\w.-]+([,;][\w.-]*)+\s*$", "a table (CSV)"),
)
#: A line that no file of graphs has by a fault alone: of an archive, or an array that goes on.
_TELLS_OF_ALL = rb"(?s).*\x00\x00|\s*\[\s*(\{|$)"
#: The usual beginnings of files of graphs; no other known kind of file has them.
_GRAPHS = (b"# ", b'{"', b"% ", b"%%")

#: The number of non-blank lines that decide whether there are graphs among them.
LOOKED_AT = 100
_CLAUSE = rb"\s*[^\s\d(:/\"][^\s(:/\"]*\d\s+\S+\s+\S+(\s+\S+)?\s*(%|$)"
#: The beginnings of lines other than comments in the formats for which text and tables are
#: mistaken.
_BEGINS = {PENMAN: rb"\s*\(", CLAUSES: _CLAUSE}
#: Lines of graphs in any format: a root, a clause, an SBN concept.
_GRAPH_LINE = rb"\s*\(\s*[^\s()/]+\s*(/|$)|" + _CLAUSE + rb"|.*\.[nvarx]\.\d"
#: Marks of comments on graphs, even if the graphs are unreadable.
_METADATA = b"# ::"
#: A heading of lower level, code, or a link.
_MARKDOWN = rb"```|#{2,6} \S|[^#].*\]\("
#: At least so many words may be a sentence.
_SENTENCE = 3


def refuse_foreign(line: bytes, number: int, source: str, are_graphs: Callable[[], bool]) -> None:
    """Raise `FileError` if a file of graphs cannot begin with *line*, and say what it looks like.

    The line is the first one that is not blank; *number* is its number. It may be the only faulty
    line of a file whose other lines *are_graphs*, unless it shows what they are.
    """
    if line.startswith(_GRAPHS) or (line.startswith(b"(") and not line.startswith(_ZSTD)):
        return
    what = next((what for beginning, what in _LOOKS_LIKE if re.match(beginning, line)), None)
    if what is not None and (re.match(_TELLS_OF_ALL, line) or not are_graphs()):
        raise _foreign(what, number, source)


def refuse_text(lines: Iterable[tuple[int, bytes]], form: str, source: str) -> None:
    """Raise `FileError` if a file that looks like the format *form* is text or a table.

    *lines* are the lines that are not blank, with their numbers. Only as many are read as are
    needed to be sure.
    """
    if form not in _BEGINS:
        return
    rest = islice(lines, LOOKED_AT)
    comments = FORMATS[form].comments.encode()
    looked_at: list[bytes] = []
    first = 0
    for number, line in rest:
        first = first or number
        looked_at.append(line)
        if line.lstrip().startswith(comments):
            continue
        if re.match(_BEGINS[form], line):
            return
        looked_at += (following for _, following in rest)
        what = _text(looked_at, line)
        if what is not None:
            raise _foreign(what, first, source)
        return


def _text(lines: Iterable[bytes], content: bytes) -> str | None:
    """Return what *lines* look like if they are surely no graphs; *content* is the first line."""
    looked_at = [*lines]
    n_marks = sum(re.match(_MARKDOWN, line) is not None for line in looked_at)
    are_graphs = any(
        line.startswith(_METADATA) or re.match(_GRAPH_LINE, line) for line in looked_at
    )
    if n_marks > are_graphs:  # a single mark may be a fault
        return "Markdown"
    if are_graphs:
        return None
    if b"\t" in content:
        return "a table (TSV)"
    return "plain text" if len(content.split()) >= _SENTENCE else None


def _foreign(what: str, number: int, source: str) -> FileError:
    reason = f"looks like {what}; expected one of: {ALL_DESCRIBED}"
    return FileError(reason, source=source, line=number)
