"""Recognise the format of a file of graphs by its beginning.

`cut_texts` cuts the text of each graph out of the stream of bytes; `parse` reads each text on its
own, perhaps in another process.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import chain, islice
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.errors import GraphError, InputError, NoGraphError
from exactmatch.graphs.graph import (
    CAMR,
    CLAUSES,
    MRP,
    PENMAN,
    PENMAN_IN_JSON,
    READ_AS_PENMAN,
    SBN,
    STREAMSIDE,
    TRIPLES,
    UMR,
    Graph,
)
from exactmatch.graphs.readers.blocks import read_block
from exactmatch.graphs.readers.cutting import identified
from exactmatch.graphs.readers.foreign import LOOKED_AT as LINES_OF_TEXT
from exactmatch.graphs.readers.foreign import refuse_foreign, refuse_text
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import (
    CHUNK,
    ByteStream,
    numbered_lines,
    remembered,
    size_shown,
    text_chunks,
)

if TYPE_CHECKING:
    from exactmatch.graphs.readers.examined import ExaminedGraph

#: The modules of the readers. Each cuts the bytes of a file into texts of graphs (`cut_graphs`) and
#: reads such a text (`read_graph`, `examine_graph`). A module is loaded when it is needed.
_READERS = {
    PENMAN: "penman",
    MRP: "mrp",
    CLAUSES: "clauses",
    UMR: "umr",
    SBN: "sbn",
    TRIPLES: "triples",
    CAMR: "camr",
    PENMAN_IN_JSON: "penman_json",
    STREAMSIDE: "streamside",
}
#: The beginnings of comments with metadata, in formats that have such comments.
_COMMENTS = {PENMAN: "#", CLAUSES: "%", TRIPLES: "#", CAMR: "#"}
#: Comments that only UMR has.
_UMR = rb"(?i)\s*#\s*(sentence level graph\s*:|::\s+snt\d)"
#: The comment and the rows that only Chinese AMR has: its header, or ten columns.
_WORDS = rb"\s*#(?:.*\s)?::wid\s"
_ROW = (
    r"(?:句子编号|sid\tnid1)\t"
    r"|[^\t]+\t(?:x\d[^\t]*|-)(?:\t[^\t]*){2}\t(?::[^\t]*|-)(?:\t[^\t]*){2}\t"
    r"(?:x\d[^\t]*|-)(?:\t[^\t]*){2}$".encode()
)
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
#: The first character of a triple, and its end: the role.
_SOURCE = rb"[^\s(#%{\":]"
_ROLE = rb"[ \t]:[A-Za-z][\w-]*\s*$"
_TABS_OF_TRIPLE = 2
#: A comment with metadata, and the beginning of a graph, in PENMAN.
_METADATA = rb"\s*#\s*::"
_GRAPH = rb"\s*\(\s*[^\s()\":/]+(\s*/|\s+:\S)"
_STRING = rb'"[^"]*"?'
#: A concept of SBN with a role, an operator or another concept after it, and signs of PENMAN, which
#: no text in SBN has outside strings.
_SEVERAL_WORDS = rb"\s*\S+\s+([A-Z]\w*|[-+<>]\d+|\S+\.[nvarx]\.\d+)(?!\S)"
_OF_PENMAN = rb"[()/]|\s:"
#: Comments before a graph, and the rest of the line in which the graph begins.
_PLAIN = r"((?:#[^\n]*\n)*)\([^\n]*"
#: A blank line that is not the first one.
_BLANK = r"\n\s*(?:\n|\Z)"
#: The text of a graph, including all comments and empty lines before it, has at most so many bytes
#: and lines.
LARGEST_GRAPH = 64 << 20
MOST_LINES_OF_GRAPH = 2_000_000


class GraphTexts(NamedTuple):
    """The format of a file, and the texts of its graphs, which can be iterated once.

    Some notations hold PENMAN graphs, so their format is PENMAN; their texts have a format of their
    own (`READ_AS_PENMAN`).
    """

    format: str
    texts: Iterator[GraphText]


class GraphFile(NamedTuple):
    """The graphs of a file, in order, and the name of its format."""

    format: str
    graphs: list[Graph | GraphError]


def cut_texts(chunks: Iterable[bytes], source: str) -> GraphTexts:
    """Cut the *chunks* of a file, as `ByteStream` yields them, into the texts of its graphs.

    Raises `NoGraphError` if there is no graph, and `InputError` for files that are surely of
    another kind, or exceed all limits (`_Meter`).
    """
    meter = _Meter(chunks, source)
    rest = iter(meter)
    looked_at: list[bytes] = []
    lines = _not_blank(numbered_lines(remembered(rest, looked_at)))
    number, line = next(lines, (0, b""))
    begun = [(number, line)]
    form = recognise(chain([line], (line for _, line in _kept(lines, begun))))
    if form not in (SBN, CAMR):  # the first text may be anything; rows look like words
        refuse_foreign(line, number, source)
        refuse_text(chain(begun, lines), form, source)
    texts = _texts(chain(looked_at, rest), meter, form)
    beginning = next(texts, None)
    if beginning is None:
        raise NoGraphError(f"{source}: holds no graph")
    return GraphTexts(PENMAN if form in READ_AS_PENMAN else form, chain([beginning], texts))


def plain_text(given: object, source: str) -> GraphText | None:
    """Return the graph that `cut_texts` finds in a string, if it is plainly the only one in PENMAN.

    The answer is None in doubt.
    """
    if type(given) is not str or len(given) > CHUNK or "\r" in given or "\ufeff" in given:
        return None
    text = given.strip("\n")
    beginning = _compiled(_PLAIN).match(text)
    if beginning is None or _compiled(_BLANK).search(text) or not text.startswith(("(", "# ")):
        return None
    if "\n(" in text[beginning.end() :]:  # perhaps one graph a line
        return None
    comments = beginning[1].encode("utf-8", errors="surrogatepass")
    first = text[: text.find("\n")] if comments else beginning[0]
    if "\t" in first or any(map(_compiled(_UMR).match, comments.splitlines())):
        return None
    data = text.encode("utf-8", errors="surrogatepass")
    # In PENMAN, no parenthesis opens behind one that closes; a search of each text takes longer.
    if b"::wid" in comments or ") (" in text or ")(" in text or "()" in text:
        return None
    identifier = identified(comments, "#")[0] or None if b"::id" in comments else None
    line = 1 + given.index(text[0])
    return GraphText(data, source, line, 1, PENMAN, identifier)


def parse(text: GraphText) -> Graph | GraphError:
    """Return the graph or its error."""
    try:
        graph: Graph = _reader(text.format).read_graph(text)
    except GraphError as error:
        return error
    return graph


def examine(text: GraphText) -> "ExaminedGraph | GraphError":
    """Return the graph with all faults that its reader finds, or its error."""
    try:
        examined: ExaminedGraph = _reader(text.format).examine_graph(text)
    except GraphError as error:
        return error
    return examined


def metadata(text: GraphText) -> Mapping[str, str]:
    """Return the comments on the graph by key, without reading the graph.

    In UMR, these are the fields of the header.
    """
    if text.format in (UMR, PENMAN_IN_JSON, STREAMSIDE):
        read: Mapping[str, str] = _reader(text.format).read_metadata(text)
        return read
    if text.format not in _COMMENTS:
        return {}
    return read_block(text, _COMMENTS[text.format]).metadata


def read_file(path: str | PathLike[str]) -> GraphFile:
    """Read the graphs of a file, or of standard input for ``-``.

    Raises `InputError` if the file cannot be read or holds no graph.
    """
    with ByteStream(path) as stream:
        return _read(stream.chunks(), stream.name)


def read_text(text: str, source: str) -> GraphFile:
    """Read the graphs of a string. Raises `InputError` if it holds none."""
    return _read(text_chunks(text), source)


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
    if _compiled(_ROW).match(first):
        return CAMR
    if _is_triple(first):
        return _behind_triple(first, rest)
    from exactmatch.graphs.readers.sbn_layout import is_notation

    if is_notation(first) and not _begins_penman(first):
        return SBN
    if first.lstrip().startswith((b"(", b"#")):
        return _behind_comments(first.lstrip(), rest)
    if first.lstrip().startswith(b"{"):
        return _json_format(chain([first], islice(rest, LINES_OF_TEXT)))
    return _behind_text(first, [*islice(rest, LINES_OF_TEXT)])


def _behind_triple(triple: bytes, rest: Iterable[bytes]) -> str:
    """Return the format of a file that begins with a *triple*, which is stray before a graph."""
    beginning = [*islice(rest, LINES_OF_TEXT)]
    return _behind_text(triple, beginning) if any(map(_begins_graph, beginning)) else TRIPLES


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
        most = max((UMR, CAMR, SBN, CLAUSES, TRIPLES), key=sure.count)
        if most in (UMR, CAMR) or sure.count(most) >= n_roots:
            return most
    if n_roots:
        return PENMAN
    return CLAUSES if _compiled(_CLAUSES).match(first) else PENMAN


def _sure_format(line: bytes) -> str | None:
    """Return the format in which *line* stands if it can be in no other one."""
    if _compiled(_UMR).match(line):
        return UMR
    if _compiled(_WORDS).match(line) or _compiled(_ROW).match(line):
        return CAMR
    if line.startswith(b"#") and b"\t" not in line:  # a comment, which may be all that is read
        return None
    from exactmatch.graphs.readers.sbn_layout import is_notation

    if is_notation(line) and not _begins_penman(line):
        return SBN
    if line.lstrip().startswith(b"instance(") or line.count(b"\t") == _TABS_OF_TRIPLE:
        return TRIPLES if _is_triple(line) else None
    return CLAUSES if _compiled(_CLAUSE).match(line) else None


def _begins_graph(line: bytes) -> bool:
    """Tell whether a graph in PENMAN, or of its kin, begins in *line*."""
    return _compiled(_ROOT).match(line) is not None


def _json_format(lines: Iterable[bytes]) -> str:
    from exactmatch.graphs.readers.json_records import json_format  # few files need this

    return json_format(lines)


def same_format(formats: Mapping[str, str]) -> str:
    """Return the format of files, given by their names. Raises `InputError` if they differ."""
    (name, first), *others = formats.items()
    for other, other_format in others:
        if other_format != first:
            raise InputError(f"{name} is in {first}, but {other} in {other_format}")
    return first


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
            return _behind_triple(line, lines)
        sure = _sure_format(line)
        if sure in (SBN, CLAUSES, CAMR):
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
        if depth <= 0 or _compiled(_ROLE_NAME).search(part):
            return _is_chinese(part)
    return False


def _is_chinese(text: bytes) -> bool:
    """Tell whether the first role in *text* is one of Chinese AMR."""
    role = _compiled(_ROLE_NAME).search(text)
    return role is not None and _compiled(_CHINESE_ROLE).match(text, role.start()) is not None


def _begins_penman(line: bytes) -> bool:
    """Tell whether a line with tabs is metadata or an open graph, and not raw text of SBN.

    The raw text stands before the last tab. There, a graph of SBN has no open bracket after which
    a variable follows; ``(Tom / Mary) left.`` has a closed one. Several words of SBN in the
    last column decide, whatever the raw text is.
    """
    text, _, column = line.rpartition(b"\t")
    is_whole = column.count(b'"') % 2 == 0
    words = _compiled(_STRING).sub(b"", column)
    is_sbn = is_whole and _compiled(_SEVERAL_WORDS).match(words) is not None
    if is_sbn and not _compiled(_OF_PENMAN).search(words):
        return False
    if _compiled(_METADATA).match(line):
        return True
    said = _compiled(_STRING).sub(b"", text)
    return _compiled(_GRAPH).match(line) is not None and said.count(b"(") > said.count(b")")


def _is_triple(line: bytes) -> bool:
    """Tell whether a line begins a conjunction of triples, or is a source, a target and a role.

    Between source and target is a tab or, if there is none, any space. So the line is not matched
    as a whole, which would take long for a long one.
    """
    if b"(" in line and b"\t" not in line:
        from exactmatch.graphs.readers.triples import is_conjunction

        if is_conjunction(line):
            return True
    role = _compiled(_ROLE).search(line)
    ends = line[: role.start()].strip(b" \t") if role else b""
    if not _compiled(_SOURCE).match(ends) or ends[-1:].isspace():
        return False
    between = ends[1:-1]
    return between.count(b"\t") == 1 or (b"\t" not in between and b" " in between)


@cache
def _compiled(pattern: Any) -> "re.Pattern[Any]":
    """Return a pattern that is compiled on first use: most runs need few of them."""
    return re.compile(pattern)


@cache
def _reader(form: str) -> Any:
    """Return the module that reads graphs of this format."""
    return import_module(f"exactmatch.graphs.readers.{_READERS[form]}")


def _read(chunks: Iterable[bytes], source: str) -> GraphFile:
    cut = cut_texts(chunks, source)
    return GraphFile(cut.format, [parse(text) for text in cut.texts])


def _not_blank(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in lines if line.strip())


def _kept(
    lines: Iterable[tuple[int, bytes]], kept: list[tuple[int, bytes]]
) -> Iterator[tuple[int, bytes]]:
    """Yield *lines*, and keep the first ones."""
    for numbered in lines:
        if len(kept) < LINES_OF_TEXT:
            kept.append(numbered)
        yield numbered


class _Meter:
    """The chunks of a file, with a limit on text without a graph.

    The text before and in a graph is held in memory. A file without graphs, or with a graph that
    never ends, must not fill it.

    last: the last text that was cut out.
    """

    def __init__(self, chunks: Iterable[bytes], source: str) -> None:
        self.source = source
        self.last: GraphText | None = None
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        """Yield the chunks. Raises `InputError` if they go on too long without a graph."""
        last: GraphText | None = None
        since: list[bytes] = []  # chunks since this text
        size = lines = 0
        for chunk in self._chunks:
            if last is not self.last:
                last, size, lines = self.last, 0, 0
                since.clear()
            size += len(chunk)
            since.append(chunk)
            if size > MOST_LINES_OF_GRAPH:  # there are no more lines than bytes
                lines += sum(waiting.count(b"\n") for waiting in since)
                since.clear()
            # The chunks at both ends may partly belong to other graphs.
            self.check(size - 2 * CHUNK, lines - 2 * CHUNK)
            yield chunk

    def check(self, size: int, lines: int) -> None:
        """Raise `InputError` if the text after the last one has too many bytes or lines."""
        if size <= LARGEST_GRAPH and lines <= MOST_LINES_OF_GRAPH:
            return
        large = size_shown(LARGEST_GRAPH)
        limit = large if size > LARGEST_GRAPH else f"{MOST_LINES_OF_GRAPH:,} lines"
        end = 1 if self.last is None else self.last.line + self.last.data.count(b"\n") + 1
        raise InputError(
            f"{self.source}:{end}: no graph ends within {limit} from here; comments and "
            "empty lines count as well"
        )


def _texts(chunks: Iterable[bytes], meter: _Meter, form: str) -> Iterator[GraphText]:
    cut = _reader(form).cut_graphs(chunks)
    source = meter.source
    large = min(LARGEST_GRAPH, MOST_LINES_OF_GRAPH)  # a text has no more lines than bytes
    for number, (line, data, identifier, *document) in enumerate(cut, start=1):
        if len(data) > large:
            meter.check(len(data), data.count(b"\n"))
        text = meter.last = GraphText(data, source, line, number, form, identifier, *document)
        yield text
