"""Coreference in documents of AMR, as docSmatch scores it (``--coref-subscore``): nodes and edges.

The nodes are those of chains and implicit arguments. The edges lead to a node that stands for
coreference (see `exactmatch.metrics.amr.documents`), or from the node of a chain to a mention, or
are bridging edges, ``part`` and ``subset``, between nodes of different sentences. The metric
decides on the sentences of a node and on the direction of a role. See ``find_coref`` in
``docSmatch/amr.py``, and ``get_amr_match`` in ``docSmatch/smatch.py`` (IBM/docAMR; Naseem et al.
2022, section 5).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from exactmatch.metrics.amr.documents import CHAIN, IMPLICIT
from exactmatch.metrics.subscores.statements import INSTANCE, Statement, Statements
from exactmatch.metrics.triples import NormalisedGraph


@dataclass(frozen=True, slots=True)
class Coreference:
    """The triples of a document about coreference; none in a graph that is no document.

    It also has none if it is not known which nodes stand for coreference.

    title: its name in tables.
    nodes, edges: whether the concepts of its nodes, and its edges, are included.
    """

    title: str
    nodes: bool = True
    edges: bool = True

    def graph(self, statements: Statements) -> NormalisedGraph:
        """Return this part of a graph, with all variables."""
        return statements.part(self.positions(statements))

    def positions(self, statements: Statements) -> Iterator[int]:
        """Yield the positions of its statements."""
        if statements.graph.coreferent is None:
            return
        for position, statement in enumerate(statements.statements):
            if statement.role == INSTANCE:
                if self.nodes and statement.target.text.lower() in (CHAIN, IMPLICIT):
                    yield position
            elif self.edges and _is_edge(statement, statements.graph):
                yield position


@dataclass(frozen=True, slots=True)
class Apart:
    """All triples of a document without those about coreference; none if these are not known.

    A triple of coreference that matches another kind of triple is in neither part. If it counted
    among the matches apart from coreference, these could exceed the total.

    title: its name in tables.
    rest_of: the part that is left out.
    """

    title: str
    rest_of: Coreference

    def graph(self, statements: Statements) -> NormalisedGraph:
        """Return this part of a graph, with all variables."""
        if statements.graph.coreferent is None:
            return statements.part(())
        left_out = {*self.rest_of.positions(statements)}
        return statements.part(
            position for position in range(len(statements.statements)) if position not in left_out
        )


def _is_edge(statement: Statement, graph: NormalisedGraph) -> bool:
    """Tell whether a statement leads to coreference, in its counted direction."""
    if len(statement.triple.variables) != 2:
        return False
    coreferent, keys = graph.coreferent or (), graph.keys or {}
    source, target = statement.triple.variables
    role = statement.triple.name.lower()
    if target in coreferent or (role == "coref" and source in coreferent):
        return True
    return role in ("part", "subset") and {*keys[source]} != {*keys[target]}
