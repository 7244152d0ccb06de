"""Read the graphs of a file in any format.

`cut_texts` cuts the text of each graph out of the stream of bytes; `parse` reads each text on its
own, perhaps in another process.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.errors import FileError, GraphError, InputError, NoGraphError
from exactmatch.graphs.graph import CAMR, PENMAN, SBN, Graph
from exactmatch.graphs.readers.blocks import read_block
from exactmatch.graphs.readers.cutting import identified
from exactmatch.graphs.readers.foreign import LOOKED_AT as LINES_OF_TEXT
from exactmatch.graphs.readers.foreign import refuse_foreign, refuse_text
from exactmatch.graphs.readers.formats import FORMATS
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.recognition import UMR_COMMENT, compiled, recognise, supports
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
    own (`exactmatch.graphs.readers.formats`).
    """

    format: str
    texts: Iterator[GraphText]


class GraphFile(NamedTuple):
    """The graphs of a file, in order, and the name of its format."""

    format: str
    graphs: list[Graph | GraphError]


def cut_texts(chunks: Iterable[bytes], source: str) -> GraphTexts:
    """Cut the *chunks* of a file, as `ByteStream` yields them, into the texts of its graphs.

    Raises `NoGraphError` if there is no graph, `FileError` for files that are surely of another
    kind, and for those that exceed all limits (`_Meter`).
    """
    meter = _Meter(chunks, source)
    rest = iter(meter)
    looked_at: list[bytes] = []
    lines = _not_blank(numbered_lines(remembered(rest, looked_at)))
    number, line = next(lines, (0, b""))
    begun = [(number, line)]
    form = recognise(chain([line], (line for _, line in _kept(lines, begun))))
    if form not in (SBN, CAMR):  # the first text may be anything; rows look like words
        following = (line for _, line in chain(begun[1:], _kept(lines, begun)))
        refuse_foreign(line, number, source, lambda: supports(following, form))
        refuse_text(chain(begun, lines), form, source)
    texts = _texts(chain(looked_at, rest), meter, form)
    beginning = next(texts, None)
    if beginning is None:
        raise NoGraphError("holds no graph", source=source)
    return GraphTexts(PENMAN if FORMATS[form].is_penman else form, chain([beginning], texts))


def plain_text(given: object, source: str) -> GraphText | None:
    """Return the graph that `cut_texts` finds in a string, if it is plainly the only one in PENMAN.

    The answer is None in doubt.
    """
    # Complex: a line for each sign of another notation; calls for each would take longer.
    if type(given) is not str or len(given) > CHUNK or "\r" in given or "\ufeff" in given:
        return None
    text = given.strip("\n")
    beginning = compiled(_PLAIN).match(text)
    if beginning is None or compiled(_BLANK).search(text) or not text.startswith(("(", "# ")):
        return None
    if "\n(" in text[beginning.end() :]:  # perhaps one graph a line
        return None
    comments = beginning[1].encode("utf-8", errors="surrogatepass")
    first = text[: text.find("\n")] if comments else beginning[0]
    if "\t" in first or any(map(compiled(UMR_COMMENT).match, comments.splitlines())):
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


def identifier_in(text: GraphText) -> str | None:
    """Return the identifier of the first graph that is cut out of *text*; None without one."""
    cut = _reader(text.format).cut_graphs([text.data])
    return next((identifier for _, _, identifier, *_ in cut), None)


def metadata(text: GraphText) -> Mapping[str, str]:
    """Return the comments on the graph by key, without reading the graph.

    In UMR, these are the fields of the header.
    """
    form = FORMATS[text.format]
    if form.reads_metadata:
        read: Mapping[str, str] = _reader(text.format).read_metadata(text)
        return read
    return read_block(text, form.comments).metadata if form.comments else {}


def read_file(path: str | PathLike[str]) -> GraphFile:
    """Read the graphs of a file, or of standard input for ``-``.

    Raises `InputError` if the file cannot be read or holds no graph.
    """
    with ByteStream(path) as stream:
        return _read(stream.chunks(), stream.name)


def read_text(text: str, source: str) -> GraphFile:
    """Read the graphs of a string. Raises `InputError` if it holds none."""
    return _read(text_chunks(text), source)


def same_format(formats: Mapping[str, str]) -> str:
    """Return the format of files, given by their names. Raises `InputError` if they differ."""
    (name, first), *others = formats.items()
    for other, other_format in others:
        if other_format != first:
            raise InputError(f"{name} is in {first}, but {other} in {other_format}")
    return first


@cache
def _reader(form: str) -> Any:
    """Return the module that reads graphs of this format."""
    return import_module(f"exactmatch.graphs.readers.{FORMATS[form].reader}")


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
        """Raise `FileError` if the text after the last one has too many bytes or lines."""
        if size <= LARGEST_GRAPH and lines <= MOST_LINES_OF_GRAPH:
            return
        large = size_shown(LARGEST_GRAPH)
        limit = large if size > LARGEST_GRAPH else f"{MOST_LINES_OF_GRAPH:,} lines"
        end = 1 if self.last is None else self.last.line + self.last.data.count(b"\n") + 1
        reason = f"no graph ends within {limit} from here; comments and empty lines count as well"
        raise FileError(reason, source=self.source, line=end)


def _texts(chunks: Iterable[bytes], meter: _Meter, form: str) -> Iterator[GraphText]:
    cut = _reader(form).cut_graphs(chunks)
    source = meter.source
    large = min(LARGEST_GRAPH, MOST_LINES_OF_GRAPH)  # a text has no more lines than bytes
    for number, (line, data, identifier, *document) in enumerate(cut, start=1):
        if len(data) > large:
            meter.check(len(data), data.count(b"\n"))
        text = meter.last = GraphText(data, source, line, number, form, identifier, *document)
        yield text
