"""Recognise a file of graphs where another kind of file is expected."""

import re
from collections.abc import Iterable
from itertools import islice

#: Lines that begin graphs, but not files of words, proofs, scores or solutions.
_GRAPH = re.compile(
    rb"\s*(#\s*::\s*(id|snt)\b|\(\s*[^\s/]+\s*/\s|b\d+ REF \w|%+ [^-+.\d]"
    rb"|\{.*(\"(flavor|framework)\":|\"(amr|penman)\": ?\")|instance\(\w+, )"
)
#: The number of lines that are examined.
_LOOKED_AT = 100


def is_graph_line(line: bytes) -> bool:
    """Tell whether *line* begins a graph."""
    return _GRAPH.match(line) is not None


def holds_graphs(lines: Iterable[bytes]) -> bool:
    """Tell whether there is a graph among the first of *lines*."""
    return any(map(is_graph_line, islice(lines, _LOOKED_AT)))
