"""Files of graphs in any of the formats, which are told apart by how they begin."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import NamedTuple

from exactmatch.errors import GraphError, InputError
from exactmatch.graph import CLAUSES, MRP, PENMAN, Graph
from exactmatch.readers import clauses, mrp, penman
from exactmatch.readers.foreign import refuse_foreign
from exactmatch.readers.source import read_lines, source_name, text_lines

_READERS: dict[str, Callable[[Iterable[bytes], str], Iterator[Graph | GraphError]]] = {
    PENMAN: penman.read_graphs,
    MRP: mrp.read_graphs,
    CLAUSES: clauses.read_graphs,
}
#: Of clauses, a comment, or a box and something that begins neither a graph nor a string.
_BEGINNINGS = {MRP: re.compile(rb"\s*\{"), CLAUSES: re.compile(rb"\s*(%|[^\W\d]\w*\s+[^\s(:/\"])")}


class GraphFile(NamedTuple):
    """The graphs of a file, in order, and the name of its format."""

    format: str
    graphs: list[Graph | GraphError]


def read_file(path: str | PathLike[str]) -> GraphFile:
    """Read the graphs of a file, or of standard input for ``-``.

    Raises `InputError` if the file cannot be read or holds no graph.
    """
    return _read(read_lines(path), source_name(path))


def read_text(text: str, source: str) -> GraphFile:
    """Read the graphs of a string. Raises `InputError` if it holds none."""
    return _read(text_lines(text), source)


def recognise(lines: Iterable[bytes]) -> str:
    """Return the format of a file by its first line that is not blank; PENMAN if in doubt."""
    first = next((line for line in lines if line.strip()), b"")
    return next((name for name, begin in _BEGINNINGS.items() if begin.match(first)), PENMAN)


def same_format(files: Mapping[str, GraphFile]) -> str:
    """Return the format of the *files*, by their names. Raises `InputError` if it is not one."""
    (name, first), *others = files.items()
    for other, file in others:
        if file.format != first.format:
            raise InputError(f"{name} is in {first.format}, but {other} in {file.format}")
    return first.format


def _read(lines: Sequence[bytes], source: str) -> GraphFile:
    refuse_foreign(lines, source)
    found = recognise(lines)
    graphs = list(_READERS[found](lines, source))
    if not graphs:
        raise InputError(f"{source}: no graph in it")
    return GraphFile(found, graphs)
