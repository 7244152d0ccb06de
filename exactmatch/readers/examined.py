"""A graph with what its reader finds wrong with it, though it can be used all the same."""

from collections.abc import Sequence
from typing import NamedTuple

from exactmatch.graph import Graph

#: Kinds of defects that readers find.
NO_CONCEPT = "no-concept"
SEVERAL_CONCEPTS = "several-concepts"
DECLARED_TWICE = "declared-twice"
NO_VALUE = "no-value"
REPAIRED = "repaired"
UNCLOSED = "unclosed"
DAMAGED = "damaged"
UNKNOWN_VARIABLE = "unknown-variable"


class Defect(NamedTuple):
    """What is wrong with a graph: of which *kind*, in which *line* (from 1), and the *reason*."""

    kind: str
    line: int
    reason: str


class ExaminedGraph(NamedTuple):
    """A graph, the line of each of its triples, and what is wrong with it as its reader sees it."""

    graph: Graph
    lines: Sequence[int]
    defects: Sequence[Defect] = ()
