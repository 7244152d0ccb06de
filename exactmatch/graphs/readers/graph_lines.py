"""How a file of graphs is told where another one is expected."""

import re
from collections.abc import Iterable
from itertools import islice

#: Lines with which graphs begin, and files of words, proofs, scores or solutions do not.
_GRAPH = re.compile(
    rb"\s*(#\s*::\s*(id|snt)\b|\(\s*[^\s/]+\s*/\s|b\d+ REF \w|%+ [^-+.\d]"
    rb"|\{.*\"(flavor|framework)\":)"
)
#: So many lines are looked at.
_LOOKED_AT = 100


def is_graph_line(line: bytes) -> bool:
    """Tell whether a graph begins with such a line."""
    return _GRAPH.match(line) is not None


def holds_graphs(lines: Iterable[bytes]) -> bool:
    """Tell whether there is a graph among the first of *lines*."""
    return any(map(is_graph_line, islice(lines, _LOOKED_AT)))
