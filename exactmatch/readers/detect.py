"""Files of graphs in any of the formats, which are told apart by how they begin.

The text of each graph is cut out of the stream of bytes (`cut_texts`) and read on its own
(`parse`), perhaps by another process.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import chain, islice
from os import PathLike
from typing import Any, NamedTuple

from exactmatch.errors import GraphError, InputError, NoGraphError
from exactmatch.graph import CLAUSES, MRP, PENMAN, SBN, UMR, Graph
from exactmatch.readers.blocks import read_block
from exactmatch.readers.examined import ExaminedGraph
from exactmatch.readers.foreign import LOOKED_AT as LINES_OF_TEXT
from exactmatch.readers.foreign import refuse_foreign, refuse_text
from exactmatch.readers.graph_text import GraphText
from exactmatch.readers.sbn_layout import LOOKED_AT, is_notation
from exactmatch.readers.source import ByteStream, numbered_lines, text_chunks

#: The modules of the readers. Each cuts the bytes of a file into texts of graphs (`cut_graphs`) and
#: reads such a text (`read_graph`, `examine_graph`); only those that are needed are loaded.
_READERS = {PENMAN: "penman", MRP: "mrp", CLAUSES: "clauses", UMR: "umr", SBN: "sbn"}
#: What comments that hold metadata begin with, in formats that have such.
_COMMENTS = {PENMAN: "#", CLAUSES: "%"}
#: Comments that no other format has.
_UMR = re.compile(rb"(?i)\s*#\s*(sentence level graph\s*:|::\s+snt\d)")
#: Of clauses, a comment, or a box and something that begins neither a graph nor a string.
_BEGINNINGS = {MRP: rb"\s*\{", CLAUSES: rb"\s*(%|[^\W\d]\w*\s+[^\s(:/\"])"}


class GraphTexts(NamedTuple):
    """The name of the format of a file, and the texts of its graphs, to be gone through once."""

    format: str
    texts: Iterator[GraphText]


class GraphFile(NamedTuple):
    """The graphs of a file, in order, and the name of its format."""

    format: str
    graphs: list[Graph | GraphError]


def cut_texts(chunks: Iterable[bytes], source: str) -> GraphTexts:
    """Cut the *chunks* of a file, as `ByteStream` yields them, into the texts of its graphs.

    Raises `InputError` for what is surely something else, and `NoGraphError` if there is no graph.
    """
    rest = iter(chunks)
    looked_at: list[bytes] = []
    lines = _not_blank(numbered_lines(_remembered(rest, looked_at)))
    number, line = next(lines, (0, b""))
    begun = [(number, line)]
    found = recognise(chain([line], (line for _, line in _kept(lines, begun))))
    if found != SBN:  # of which the first text may be anything
        refuse_foreign(line, number, source)
        refuse_text(chain(begun, lines), found, source)
    texts = _texts(chain(looked_at, rest), source, found)
    beginning = next(texts, None)
    if beginning is None:
        raise NoGraphError(f"{source}: no graph in it")
    return GraphTexts(found, chain([beginning], texts))


def parse(text: GraphText) -> Graph | GraphError:
    """Return the graph, or what is wrong with it."""
    try:
        graph: Graph = _reader(text.format).read_graph(text)
    except GraphError as error:
        return error
    return graph


def examine(text: GraphText) -> ExaminedGraph | GraphError:
    """Return the graph with all that its reader finds wrong with it, or why it is none."""
    try:
        found: ExaminedGraph = _reader(text.format).examine_graph(text)
    except GraphError as error:
        return error
    return found


def metadata(text: GraphText) -> Mapping[str, str]:
    """Return what comments say about the graph, by key, without reading the graph.

    In UMR, it is what the header says.
    """
    if text.format == UMR:
        from exactmatch.readers.umr import read_metadata

        return read_metadata(text)
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
    """Return the format of a file by how it begins; PENMAN if in doubt.

    The first line that is not blank tells, unless it is a comment: those of UMR may stand anywhere
    before the first graph. In SBN, the first texts may be no such notation, and raw text and
    comments look like clauses.
    """
    rest = iter(lines)
    first = next((line for line in rest if line.strip()), b"")
    if is_notation(first):
        return SBN
    first = first.lstrip()
    if first.startswith(b"#"):
        return UMR if _is_umr(chain([first], rest)) else PENMAN
    if first.startswith(b"("):
        return PENMAN
    if not first.startswith(b"{") and any(map(is_notation, islice(rest, LOOKED_AT))):
        return SBN
    return next((form for form, begin in _BEGINNINGS.items() if re.match(begin, first)), PENMAN)


def same_format(formats: Mapping[str, str]) -> str:
    """Return the format of files, given by their names. Raises `InputError` if it is not one."""
    (name, first), *others = formats.items()
    for other, found in others:
        if found != first:
            raise InputError(f"{name} is in {first}, but {other} in {found}")
    return first


def _is_umr(lines: Iterable[bytes]) -> bool:
    """Tell whether a comment of UMR stands before the first graph."""
    for line in lines:
        if _UMR.match(line):
            return True
        if line.lstrip().startswith(b"("):
            return False
    return False


@cache
def _reader(form: str) -> Any:
    """Return the module that reads graphs of this format."""
    return import_module(f"exactmatch.readers.{_READERS[form]}")


def _read(chunks: Iterable[bytes], source: str) -> GraphFile:
    found = cut_texts(chunks, source)
    return GraphFile(found.format, [parse(text) for text in found.texts])


def _remembered(chunks: Iterator[bytes], looked_at: list[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        looked_at.append(chunk)
        yield chunk


def _not_blank(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in lines if line.strip())


def _kept(
    lines: Iterable[tuple[int, bytes]], kept: list[tuple[int, bytes]]
) -> Iterator[tuple[int, bytes]]:
    """Yield *lines*, and keep the first of them."""
    for numbered in lines:
        if len(kept) < LINES_OF_TEXT:
            kept.append(numbered)
        yield numbered


def _texts(chunks: Iterable[bytes], source: str, found: str) -> Iterator[GraphText]:
    cut = _reader(found).cut_graphs(chunks)
    for number, (line, data, identifier, *document) in enumerate(cut, start=1):
        yield GraphText(data, source, line, number, found, identifier, *document)
