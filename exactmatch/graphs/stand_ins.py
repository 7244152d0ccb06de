"""Replace ill-formed DRSs on request, as Counter does: ``-ill dummy|spar``.

The dummy is a DRS of one clause that matches nothing. The other replacement is the answer of SPAR,
the Parallel Meaning Bank's simplest parser, to every input: the DRS of "He bragged about it."
"""

from typing import Literal

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import (
    BOX,
    CLAUSES,
    DUMMY,
    REFERENT,
    Constant,
    Graph,
    Location,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.clauses import clause_words, read_graph
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.referee import fault, words

StandIn = Literal["dummy", "spar"]

_BOX, _REFERENT = Variable("b1"), Variable("x1")
_DUMMY_CLAUSES = (
    Triple("REF", (_BOX, _REFERENT)),
    Triple(DUMMY, (_BOX, Constant('"n.01"'), _REFERENT)),
)
_SPAR = b"""b1 REF x1
b1 PRESUPPOSITION b2
b1 male "n.02" x1
b2 REF e1
b2 REF t1
b2 Agent e1 x1
b2 TPR t1 "now"
b2 Time e1 t1
b2 brag "v.01" e1
b2 time "n.08" t1
b2 Theme e1 x2
b3 REF x2
b3 PRESUPPOSITION b2
b3 entity "n.01" x2
"""
_CALLED = {"dummy": "the dummy", "spar": "SPAR's DRS"}


def stood_in(graph: Graph, stand_in: StandIn) -> Graph:
    """Return *graph* or, for an ill-formed DRS, its replacement with a note."""
    if graph.mended:
        return graph
    reason = fault(map(words, graph.triples))
    if reason is None:
        return graph
    source, line = graph.location
    error = GraphError(reason, source=source, line=line, number=1, identifier=graph.identifier)
    return _stand_in(error, stand_in)


def stood_in_text(
    text: GraphText, read: Graph | GraphError, stand_in: StandIn
) -> Graph | GraphError:
    """Return the graph *read* from *text* or, for an ill-formed DRS, its replacement.

    A DRS that Referee accepts and our reader refuses stays an error.
    """
    try:
        clauses = clause_words(text)
    except GraphError as undecodable:
        return undecodable
    reason = fault(clauses)
    if reason is None:
        return read
    line = read.location.line if isinstance(read, Graph) else read.line
    error = GraphError(
        reason, source=text.source, line=line, number=text.number, identifier=text.identifier
    )
    return _stand_in(error, stand_in)


def _stand_in(error: GraphError, stand_in: StandIn) -> Graph:
    """Return the replacement of the DRS of *error*."""
    if stand_in == "spar":
        graph = read_graph(GraphText(_SPAR, error.source, 1, error.number, CLAUSES, None))
    else:
        variables = {_BOX.name: BOX, _REFERENT.name: REFERENT}
        graph = Graph(None, variables, _DUMMY_CLAUSES, (), Location("", 1), format=CLAUSES)
    return graph._replace(
        identifier=error.identifier,
        location=Location(error.source, error.line),
        notes=(f"{error} (ill-formed: replaced by {_CALLED[stand_in]})",),
        mended=1,
    )
