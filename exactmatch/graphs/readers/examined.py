"""A graph with the faults that its reader finds although the graph is usable."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from exactmatch.graphs.graph import Graph

#: The kinds of faults that readers find.
NO_CONCEPT = "no-concept"
SEVERAL_CONCEPTS = "several-concepts"
DECLARED_TWICE = "declared-twice"
NO_VALUE = "no-value"
REPAIRED = "repaired"
UNCLOSED = "unclosed"
DAMAGED = "damaged"
UNKNOWN_VARIABLE = "unknown-variable"
USED_TWICE = "used-twice"
UNREACHABLE = "unreachable"


class Defect(NamedTuple):
    """A fault of a graph: its *kind*, its *line* (from 1), and the *reason*.

    nodes, words: the variables where it is, and what is wrong there, such as a role. Only faults
    that a graph can have after its readers have put it in order need them.
    """

    kind: str
    line: int
    reason: str
    nodes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


class SentenceLines(NamedTuple):
    """The lines of the surface alignment and the document level of a UMR sentence, from 1.

    surface: the line of each variable with aligned tokens. document_level: the line of each triple.
    """

    surface: Mapping[str, int]
    document_level: Sequence[int]


class ExaminedGraph(NamedTuple):
    """A graph, the line of each of its triples, and the faults that its reader found.

    sentence_lines: the lines of each sentence of UMR.
    """

    graph: Graph
    lines: Sequence[int]
    defects: Sequence[Defect] = ()
    sentence_lines: Sequence[SentenceLines] = ()
