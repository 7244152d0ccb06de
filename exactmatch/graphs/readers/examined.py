"""A graph with what its reader finds wrong with it, though it can be used all the same."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from exactmatch.graphs.graph import Graph

#: Kinds of defects that readers find.
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
    """What is wrong with a graph: of which *kind*, in which *line* (from 1), and the *reason*."""

    kind: str
    line: int
    reason: str


class SentenceLines(NamedTuple):
    """Where a sentence of UMR says what stands beside its graph, in lines from 1.

    surface: the line of each variable that is aligned with tokens. document_level: that of each
    triple.
    """

    surface: Mapping[str, int]
    document_level: Sequence[int]


class ExaminedGraph(NamedTuple):
    """A graph, the line of each of its triples, and what is wrong with it as its reader sees it.

    sentence_lines: those of each sentence of UMR.
    """

    graph: Graph
    lines: Sequence[int]
    defects: Sequence[Defect] = ()
    sentence_lines: Sequence[SentenceLines] = ()
