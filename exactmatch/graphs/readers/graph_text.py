"""The text of a graph, cut out of its file and not read yet."""

from typing import NamedTuple

from exactmatch.graphs.graph import Extent


class GraphText(NamedTuple):
    """The text of one graph, not read yet.

    data: its lines, with all comments that belong to it. source: the name of its file.
    line: the number of its first line, and number: which graph of the file it is; both from 1.
    identifier: what the text says it is called; a graph that cannot be read may have one.
    document: of UMR, in which document of the file it begins, from 1. extent: how much of a UMR
    file it holds. repair: what other readers take as a graph is one; see
    `exactmatch.graphs.readers.penman_parser.repaired`.
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
