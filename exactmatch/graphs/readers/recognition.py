"""Recognise the format of a file of graphs by its first lines."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice
from typing import Any

from exactmatch.graphs.graph import CAMR, CLAUSES, PENMAN, SBN, TRIPLES, UMR
from exactmatch.graphs.readers.foreign import LOOKED_AT as LINES_OF_TEXT

#: Comments that only UMR has.
UMR_COMMENT = rb"(?i)\s*#\s*(sentence level graph\s*:|::\s+snt\d)"
#: The comment and the rows that only Chinese AMR has: its header, or ten columns.
_WORDS = rb"\s*#(?:.*\s)?::wid\s"
_ROW = (
    r"(?:句子编号|sid\tnid1)\t"
    r"|[^\t]+\t(?:x\d[^\t]*|-)(?:\t[^\t]*){2}\t(?::[^\t]*|-)(?:\t[^\t]*){2}\t"
    r"(?:x\d[^\t]*|-)(?:\t[^\t]*){2}$".encode()
)
#: Lines that can be in one format only, by their pattern. The first such line decides, also behind
#: comments and text.
_BEGINNINGS = {
    _ROW: CAMR,
}
#: The first role of a graph, and one of Chinese AMR: with empty parentheses, or with a word before
#: its target.
_ROLE_NAME = rb"(?<!\S):[^\s()\":/]+"
_CHINESE_ROLE = rb":[^\s(]+\(\s*(?:\)|x\d[^()]*\)\s*[^\s:)])"
#: The beginning of a graph in PENMAN, which is nothing else.
_ROOT = rb"\s*\(\s*[^\s()/:]+\s*/\s*[^\s()/:]"
#: The beginning of clauses: a comment, or a box and a word that begins no graph and no string.
_CLAUSES = rb"\s*(%|[^\W\d]\w*\s+[^\s(:/\"])"
#: A clause that is surely one: a referent, or a concept with its sense.
_CLAUSE = rb"\s*[^\W\d]\w*\s+(REF\s+\S+|\S+\s+\"[nvars]\.\d+\"\s+\S+)\s*(%|$)"
#: The columns of a triple have so many tabs between them.
_TABS_OF_TRIPLE = 2
#: The first character of a triple, and its end: the role.
_SOURCE = rb"[^\s(#%{\":]"
_ROLE = rb"[ \t]:[A-Za-z][\w-]*\s*$"
#: A comment with metadata, and the beginning of a graph, in PENMAN.
_METADATA = rb"\s*#\s*::"
_GRAPH = rb"\s*\(\s*[^\s()\":/]+(\s*/|\s+:\S)"
_STRING = rb'"[^"]*"?'
#: A concept of SBN with a role, an operator or another concept after it, and signs of PENMAN, which
#: no text in SBN has outside strings.
_SEVERAL_WORDS = rb"\s*\S+\s+([A-Z]\w*|[-+<>]\d+|\S+\.[nvarx]\.\d+)(?!\S)"
_OF_PENMAN = rb"[()/]|\s:"


def recognise(lines: Iterable[bytes]) -> str:
    """Return the format of a file by its beginning; PENMAN if in doubt.

    The first line that is not blank decides, unless it is a comment or text: UMR comments may stand
    anywhere before the first graph, behind the header of an export as well. In SBN, the first texts
    may be malformed, and raw text and comments look like clauses. Comments may have the sign of
    another format.
    """
    rest = iter(lines)
    first = next((line for line in rest if line.strip()), b"")
    if first.startswith((b"(", b"# ")) and b"\t" not in first:  # nothing else begins so
        return _behind_comments(first, rest)
    for pattern, form in _BEGINNINGS.items():
        if compiled(pattern).match(first):
            return form
    if _is_triple(first):
        return _behind_triple(rest)
    from exactmatch.graphs.readers.sbn_layout import is_notation

    if is_notation(first) and not _begins_penman(first):
        return SBN
    if first.lstrip().startswith((b"(", b"#")):
        return _behind_comments(first.lstrip(), rest)
    if first.lstrip().startswith(b"{"):
        return _json_format(chain([first], islice(rest, LINES_OF_TEXT)))
    return _behind_text(first, [*islice(rest, LINES_OF_TEXT)])


def _behind_triple(rest: Iterable[bytes]) -> str:
    """Return the format of a file that begins with a triple, which is stray before a graph.

    The next line that is no comment decides: to read on may take long.
    """
    lines = iter(rest)
    for line in islice(lines, LINES_OF_TEXT):
        if compiled(UMR_COMMENT).match(line):
            return UMR
        if not line.lstrip().startswith(b"#"):
            return _behind_comments(line, lines) if _begins_graph(line) else TRIPLES
    return TRIPLES


def _behind_text(first: bytes, beginning: list[bytes]) -> str:
    """Return the format of a file whose first line may be text, from the lines after that.

    Most of the lines that can be in one format only decide, since any line may be broken.
    """
    objects = [line for line in beginning if line.lstrip().startswith(b"{")]
    if objects and 2 * len(objects) >= len(beginning):
        return _json_format(objects)
    n_roots = sum(map(_begins_graph, beginning))
    sure = [*filter(None, map(_sure_format, [first, *beginning]))]
    if sure:
        known = (UMR, *_BEGINNINGS.values(), SBN, CLAUSES, TRIPLES)
        most = max(known, key=sure.count)
        if most in (UMR, *_BEGINNINGS.values()) or sure.count(most) >= n_roots:
            return most
    if n_roots:
        return PENMAN
    return CLAUSES if compiled(_CLAUSES).match(first) else PENMAN


def _sure_format(line: bytes) -> str | None:
    """Return the format in which *line* stands if it can be in no other one."""
    if compiled(UMR_COMMENT).match(line):
        return UMR
    if compiled(_WORDS).match(line):
        return CAMR
    for pattern, form in _BEGINNINGS.items():
        if compiled(pattern).match(line):
            return form
    if line.startswith(b"#") and b"\t" not in line:  # a comment, which may be all that is read
        return None
    from exactmatch.graphs.readers.sbn_layout import is_notation

    if is_notation(line) and not _begins_penman(line):
        return SBN
    if line.lstrip().startswith(b"instance(") or line.count(b"\t") == _TABS_OF_TRIPLE:
        return TRIPLES if _is_triple(line) else None
    return CLAUSES if compiled(_CLAUSE).match(line) else None


def _begins_graph(line: bytes) -> bool:
    """Tell whether a graph in PENMAN, or of its kin, begins in *line*."""
    return compiled(_ROOT).match(line) is not None


def _json_format(lines: Iterable[bytes]) -> str:
    from exactmatch.graphs.readers.json_records import json_format  # few files need this

    return json_format(lines)


def _behind_comments(first: bytes, rest: Iterable[bytes]) -> str:
    """Return the format of a file that begins with comments of PENMAN, or with a graph.

    It is UMR if a UMR comment stands before the first graph.
    """
    form = PENMAN
    left = LINES_OF_TEXT  # lines other than comments
    lines = chain([first], rest)
    for line in lines:
        if line.lstrip().startswith(b"("):
            return CAMR if form == PENMAN and _begins_chinese(line, lines) else form
        if form == PENMAN and _is_triple(line):
            return _behind_triple(lines)
        sure = _sure_format(line)
        if sure not in (
            None,
            UMR,
            TRIPLES,
        ):  # comments of UMR may stand before a graph of another format
            return sure
        form = sure or form
        left -= form == UMR or not line.lstrip().startswith(b"#")
        if not left:
            break
    return form


def _begins_chinese(line: bytes, lines: Iterator[bytes]) -> bool:
    """Tell whether the first role of the graph that begins in *line* is one of Chinese AMR."""
    depth = 0
    for part in islice(chain([line], lines), LINES_OF_TEXT):
        depth += part.count(b"(") - part.count(b")")
        if depth <= 0 or compiled(_ROLE_NAME).search(part):
            return _is_chinese(part)
    return False


def _is_chinese(text: bytes) -> bool:
    """Tell whether the first role in *text* is one of Chinese AMR."""
    role = compiled(_ROLE_NAME).search(text)
    return role is not None and compiled(_CHINESE_ROLE).match(text, role.start()) is not None


def _begins_penman(line: bytes) -> bool:
    """Tell whether a line with tabs is metadata or an open graph, and not raw text of SBN.

    The raw text stands before the last tab. There, a graph of SBN has no open bracket after which
    a variable follows; ``(Tom / Mary) left.`` has a closed one. Several words of SBN in the
    last column decide, whatever the raw text is.
    """
    text, _, column = line.rpartition(b"\t")
    is_whole = column.count(b'"') % 2 == 0
    words = compiled(_STRING).sub(b"", column)
    is_sbn = is_whole and compiled(_SEVERAL_WORDS).match(words) is not None
    if is_sbn and not compiled(_OF_PENMAN).search(words):
        return False
    if compiled(_METADATA).match(line):
        return True
    said = compiled(_STRING).sub(b"", text)
    return compiled(_GRAPH).match(line) is not None and said.count(b"(") > said.count(b")")


def _is_triple(line: bytes) -> bool:
    """Tell whether a line begins a conjunction of triples, or is a source, a target and a role.

    Between source and target is a tab or, if there is none, any space. So the line is not matched
    as a whole, which would take long for a long one.
    """
    if b"(" in line and b"\t" not in line:
        from exactmatch.graphs.readers.triples import is_conjunction

        if is_conjunction(line):
            return True
    role = compiled(_ROLE).search(line)
    ends = line[: role.start()].strip(b" \t") if role else b""
    if not compiled(_SOURCE).match(ends) or ends[-1:].isspace():
        return False
    between = ends[1:-1]
    return between.count(b"\t") == 1 or (b"\t" not in between and b" " in between)


@cache
def compiled(pattern: Any) -> "re.Pattern[Any]":
    """Return a pattern that is compiled on first use: most runs need few of them."""
    return re.compile(pattern)
