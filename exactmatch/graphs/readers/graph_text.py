"""The text of a graph, cut out of its file and not read yet."""

from typing import NamedTuple

from exactmatch.graphs.graph import Extent


class GraphText(NamedTuple):
    """The text of one graph, not read yet.

    data: its lines, with its comments. source: the name of its file. line: the number of its first
    line, and number: the number of the graph in the file; both from 1. identifier: its identifier,
    which even an unreadable graph may have. document: in UMR, the number of the document in which
    it begins, from 1. extent: the part of a UMR file that it holds. repair: whether to read the
    graph as other readers do; see `exactmatch.graphs.readers.penman_parser.repaired`. is_one_line:
    whether all its lines stand in one line of the file, as in a string of JSON.
    """

    data: bytes
    source: str
    line: int
    number: int
    format: str
    identifier: str | None
    document: int = 1
    extent: Extent = "sentence"
    repair: bool = False
    is_one_line: bool = False
