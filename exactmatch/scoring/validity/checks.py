"""All checks: the formats of each, and the faults that they find in a graph.

For a new kind of fault, add a name in `exactmatch.scoring.validity.kinds`, and a function here.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import CAMR, CLAUSES, MRP, PENMAN, SBN, UMR, Graph
from exactmatch.graphs.pairing import Unread
from exactmatch.graphs.readers.detect import examine
from exactmatch.graphs.readers.examined import (
    DAMAGED,
    DECLARED_TWICE,
    NO_CONCEPT,
    NO_VALUE,
    REPAIRED,
    SEVERAL_CONCEPTS,
    UNCLOSED,
    UNKNOWN_VARIABLE,
    UNREACHABLE,
    USED_TWICE,
    Defect,
    ExaminedGraph,
    SentenceLines,
)
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.scoring.validity import amr, drs, look_alikes, mrp, sbn, umr
from exactmatch.scoring.validity.kinds import (
    CYCLE,
    DISCONNECTED,
    DUPLICATE,
    IDENTIFIER_TWICE,
    INVERSE_CONSTANT,
    INVISIBLE,
    KINDS,
    NO_TOP,
    NOT_NFC,
    PARALLEL_EDGES,
    TOKEN_OUT_OF_RANGE,
    UNDECLARED,
    UNKNOWN_ROLE,
    UNREADABLE,
    UNUSED,
)

#: AMRs in MRP, which have more checks than other graphs there.
_AMR_IN_MRP = "AMR in MRP"
_AMRS = (PENMAN, _AMR_IN_MRP)
#: Formats whose graphs are written in PENMAN notation.
_WRITTEN = (PENMAN, UMR)
_ALL = (*_AMRS, MRP, UMR, CLAUSES, SBN, CAMR)


#: Faults that no check of a single graph finds. In UMR, a sentence number repeats only where a new
#: document begins.
UNCHECKED = {
    UNREADABLE: (*_WRITTEN, MRP, CLAUSES, SBN, CAMR),
    IDENTIFIER_TWICE: (PENMAN, MRP, CLAUSES, SBN, CAMR),
}


class Fault(NamedTuple):
    """A fault of a graph, or of a file that is unreadable as a whole.

    kind: one of `KINDS`. source, line: its place, from 1. number, identifier: the number of the
    graph in its file or input, from 1, and its identifier; None if it has none, and in a fault of a
    file.
    """

    kind: str
    source: str
    line: int
    number: int | None
    identifier: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Check:
    """A function that yields the faults of a *kind* in graphs of *formats*."""

    kind: str
    formats: Sequence[str]
    find: Callable[[ExaminedGraph], Iterable[Defect]]


def _seen_in_reading(kind: str) -> Callable[[ExaminedGraph], Iterable[Defect]]:
    return lambda examined: [defect for defect in examined.defects if defect.kind == kind]


CHECKS = (
    Check(REPAIRED, (MRP, _AMR_IN_MRP, SBN, UMR), _seen_in_reading(REPAIRED)),
    Check(UNCLOSED, (UMR,), _seen_in_reading(UNCLOSED)),
    Check(DAMAGED, (UMR,), _seen_in_reading(DAMAGED)),
    Check(UNKNOWN_VARIABLE, (UMR,), _seen_in_reading(UNKNOWN_VARIABLE)),
    Check(TOKEN_OUT_OF_RANGE, (UMR,), umr.tokens_out_of_range),
    Check(NO_CONCEPT, (*_WRITTEN, CAMR), _seen_in_reading(NO_CONCEPT)),
    Check(NO_CONCEPT, (MRP, _AMR_IN_MRP), mrp.no_labels),
    Check(NO_CONCEPT, (CLAUSES,), drs.no_concepts),
    Check(SEVERAL_CONCEPTS, (*_WRITTEN, CAMR), _seen_in_reading(SEVERAL_CONCEPTS)),
    Check(SEVERAL_CONCEPTS, _WRITTEN, amr.other_concepts),
    Check(DECLARED_TWICE, _WRITTEN, _seen_in_reading(DECLARED_TWICE)),
    Check(USED_TWICE, (UMR,), umr.used_twice),
    Check(UNDECLARED, (PENMAN, CAMR), amr.undeclared),
    Check(UNDECLARED, (UMR,), umr.undeclared),
    Check(UNDECLARED, (CLAUSES,), drs.undeclared),
    Check(UNUSED, (CLAUSES,), drs.unused),
    Check(NO_VALUE, _WRITTEN, _seen_in_reading(NO_VALUE)),
    Check(NO_TOP, (MRP, _AMR_IN_MRP, CAMR), mrp.no_tops),
    Check(DISCONNECTED, (*_AMRS, CAMR), amr.disconnected),
    Check(DISCONNECTED, (MRP,), mrp.disconnected),
    Check(DISCONNECTED, (CLAUSES,), drs.disconnected),
    Check(UNREACHABLE, (SBN,), _seen_in_reading(UNREACHABLE)),
    Check(CYCLE, (*_AMRS, CAMR), amr.cyclic),
    Check(CYCLE, (UMR,), umr.cyclic),
    Check(CYCLE, (MRP,), mrp.cyclic),
    Check(CYCLE, (CLAUSES,), drs.cyclic),
    Check(DUPLICATE, (*_AMRS, UMR, CAMR), amr.duplicates),
    Check(DUPLICATE, (MRP,), mrp.duplicates),
    Check(DUPLICATE, (CLAUSES,), drs.duplicates),
    Check(DUPLICATE, (SBN,), sbn.duplicates),
    Check(PARALLEL_EDGES, (SBN,), sbn.parallel_edges),
    Check(INVERSE_CONSTANT, (*_AMRS, UMR, CAMR), amr.inverse_constants),
    Check(INVISIBLE, _ALL, look_alikes.invisible),
    Check(NOT_NFC, _ALL, look_alikes.not_nfc),
    Check(UNKNOWN_ROLE, _AMRS, amr.unknown_roles),
)


def kinds_of(form: str) -> list[str]:
    """Return the kinds of faults that graphs of a format can have."""
    formats = {form, _AMR_IN_MRP} if form == MRP else {form}
    possible = {check.kind for check in CHECKS if formats.intersection(check.formats)}
    return [kind for kind in KINDS if kind in possible or form in UNCHECKED.get(kind, ())]


def faults(given: Unread, position: int, kinds: Collection[str] = KINDS) -> list[Fault]:
    """Return all faults of these *kinds* in a graph, in the order of their lines and of `KINDS`.

    *position* is the number of a graph that does not come from a file.
    """
    number = position if isinstance(given, Graph) else given.number
    examined = _examined(given)
    if isinstance(examined, GraphError):
        source, identifier = examined.source, examined.identifier
    else:
        source, identifier = examined.graph.location.source, examined.graph.identifier
    return [
        Fault(defect.kind, source, defect.line, number, identifier, defect.reason)
        for defect in _defects(examined, kinds)
    ]


def defects(given: Unread) -> list[Defect]:
    """Return all faults of a graph, in the same order, with the nodes where they are."""
    return _defects(_examined(given), KINDS)


def _defects(examined: ExaminedGraph | GraphError, kinds: Collection[str]) -> list[Defect]:
    if isinstance(examined, GraphError):
        found = [Defect(UNREADABLE, examined.line, examined.reason)]
    else:
        graph = examined.graph
        form = graph.format
        if form == MRP and graph.framework.lower() == "amr":
            form = _AMR_IN_MRP
        found = [
            defect
            for check in CHECKS
            if check.kind in kinds and form in check.formats
            for defect in check.find(examined)
        ]
        found += [Defect(UNREADABLE, e.line, e.reason) for e in graph.unread.values()]
    order = [*KINDS]
    found.sort(key=lambda defect: (defect.line, order.index(defect.kind)))
    return [defect for defect in found if defect.kind in kinds]


def faults_by_sentence(
    document: GraphText, sentences: Sequence[GraphText], kinds: Collection[str] = KINDS
) -> list[list[Fault]]:
    """Return all faults of these *kinds* in each of the *sentences* of a *document* of UMR."""
    by_sentence: list[list[Fault]] = [[] for _ in sentences]
    for fault in faults(document, document.number, kinds):
        place = bisect_right(sentences, fault.line, key=lambda text: text.line) - 1
        text = sentences[place]
        by_sentence[place].append(fault._replace(number=text.number, identifier=text.identifier))
    return by_sentence


def _examined(given: Unread) -> ExaminedGraph | GraphError:
    if isinstance(given, GraphText):
        return examine(given)
    if isinstance(given, GraphError):
        return given
    lines = [
        SentenceLines(dict.fromkeys(s.tokens_of, s.line), [s.line] * len(s.document_level))
        for s in given.sentences
    ]
    return ExaminedGraph(given, [given.location.line] * len(given.triples), (), lines)
