"""A semantic graph as it stands in its file, before any metric decides what counts as equal.

Parsers that write graphs as text write some that break the rules of their notation: such a one is
an `IllFormedError`, and an `IllFormedPolicy` says what becomes of its pair. Scores that leave these
pairs out cannot be compared: a parser would gain by failing.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from exactmatch.errors import GraphError

#: The formats of files, by the names that people know.
PENMAN = "PENMAN"

MRP = "MRP"

CLAUSES = "clause form"

UMR = "UMR"

SBN = "SBN"

#: Texts of this format say graphs as PENMAN does, and are such when they have been read.
TRIPLES = "triples"

#: How much of a UMR file is one graph: what metrics compare at once.
Extent = Literal["sentence", "document", "file"]

#: The relation of a variable to its concept (PENMAN writes a slash).
CONCEPT = "/"

#: The relation of a variable to a stretch of the input text: where it starts and where it ends, in
#: characters from 0, and, where the input is known, the text in between.
ANCHOR = "<:>"

#: A sense, as DRS clauses write it: its word class and number in WordNet. A clause whose second
#: argument is one tells the concept of its third argument, and the relation is the word.
SENSE = re.compile(r'"[nvars]\.\d+"')

#: The concept of the dummy that may stand for ill-formed DRSs: two words, which none of a file is.
DUMMY = "ill-formed DRS"

#: The relation of a box to a concept that stands in it, in SBN.
MEMBER = "member"

#: The sorts of the variables of a DRS.
BOX, REFERENT = "b", "x"


class Location(NamedTuple):
    """Where a graph stands: the name of its file and its first line, counted from 1."""

    source: str
    line: int


class Variable(NamedTuple):
    """An argument that is a variable of the graph."""

    name: str


class Constant(NamedTuple):
    """An argument that is a constant, as written: a string keeps its quotes."""

    text: str


Argument = Variable | Constant


class Triple(NamedTuple):
    """A relation, as written, and its arguments: a variable, then what it is related to.

    A DRS clause is one too: its first argument is its box, and there may be two others.

    *marks* are the surface alignment marks (``~e.4``) on the relation and on the last
    argument, empty where there are none. They are no part of the graph, but smatch reads
    them as text.
    """

    relation: str
    arguments: tuple[Argument, ...]
    marks: tuple[str, str] = ("", "")


class DocumentTriple(NamedTuple):
    """A triple of the document level of UMR: *kind* is its block (``temporal``), without colon.

    The *relation* is as written, without colon. Its ends are variables of the same document, if it
    has such, or else constants (``author``).
    """

    kind: str
    source: Argument
    relation: str
    target: Argument


class Sentence(NamedTuple):
    """A sentence of UMR, with what stands beside its graph.

    name: what it is called in its document (``snt3``), empty if it has no name.
    document: the number of its document in the file, from 1. line: its first line.
    tokens: as written, maybe none.
    variables, triples: those of its graph, in order; the names of variables differ in all of a
    `Graph`. top: the first variable. written: the names that stand in the file, where they differ
    from those in *variables*. tokens_of: the numbers of the tokens that variables are aligned with,
    from 1, ascending; those that are aligned with none are left out. document_level: its triples.
    damaged: where reading broke off: ``graph``, ``alignment``, ``document level``; what stands
    before the fault is there. number: which sentence of the file it is, from 1.
    text: all of it, as it stands in the file.
    """

    name: str
    document: int
    line: int
    tokens: tuple[str, ...]
    variables: tuple[str, ...]
    triples: tuple[Triple, ...]
    top: str
    written: Mapping[str, str]
    tokens_of: Mapping[str, tuple[int, ...]]
    document_level: tuple[DocumentTriple, ...]
    damaged: frozenset[str]
    number: int = 1
    text: str = ""

    @property
    def identifier(self) -> str | None:
        """What it is called in its file: ``snt3``, or ``d2.snt3`` in the second document."""
        return sentence_identifier(self.name, self.document)


def sentence_identifier(name: str, document: int) -> str | None:
    """Return what a sentence of a *document* is called in its file; None if it has no *name*."""
    if not name:
        return None
    return name if document == 1 else f"d{document}.{name}"


_NO_METADATA: Mapping[str, str] = {}

_ALL_READ: Mapping[int, GraphError] = {}


class Graph(NamedTuple):
    """A semantic graph.

    *variables* maps each variable, in the order of the file, to its sort (`BOX` or `REFERENT` for
    DRS; empty for AMR, where all variables are of one sort). *tops* are the variables that the
    graph marks as its roots. *metadata* is what is said about the graph in comments, by key.
    *notes* say, in the form of error messages, what is the matter with a graph that can be used all
    the same: one message for each kind of defect. *format* is that of the file. *framework* says
    what kind of graph one in MRP is (``eds``); the other formats leave it empty. *sentences* are
    those of UMR: one, or those of a document or a file, whose graphs are one graph then. *unread*
    are those of them that cannot be read, by their places in *sentences*, where they are empty.
    *mended* counts what stands otherwise in the file, and was repaired or replaced as asked.
    """

    identifier: str | None
    variables: Mapping[str, str]
    triples: tuple[Triple, ...]
    tops: tuple[str, ...]
    location: Location
    metadata: Mapping[str, str] = _NO_METADATA
    notes: tuple[str, ...] = ()
    format: str = PENMAN
    framework: str = ""
    sentences: tuple[Sentence, ...] = ()
    unread: Mapping[int, GraphError] = _ALL_READ
    mended: int = 0


#: ``error``: the graph cannot be read, like any other. ``zero``: the pair counts 0 in the mean of
#: the pairs, and nowhere else. ``lenient``: as ``zero``, unless what is wrong can be overlooked.
#: ``skip``: the pair is left out.
Treatment = Literal["error", "zero", "lenient", "skip"]

#: The sides of a pair.
Side = Literal["system", "gold"]


class IllFormedError(GraphError):
    """A graph that breaks the rules of its notation, as outputs of parsers do.

    *lenient* is what it says if that is overlooked; None if that cannot be told.
    """

    def __init__(self, reason: str, *, lenient: Graph | None = None, **place: Any) -> None:
        self.lenient = lenient
        super().__init__(reason, **place)

    def __reduce__(self) -> tuple[Any, ...]:
        return _ill_formed_error, (
            self.reason,
            {k: v for k, v in vars(self).items() if k != "reason"},
        )


class RepairableError(GraphError):
    """A graph that is not well-formed, but that other readers take, and how they do.

    *repaired* is that graph; *lacks_end_alone* tells that nothing but parentheses at its end were
    added, behind another one.
    """

    def __init__(
        self, reason: str, *, repaired: Graph, lacks_end_alone: bool, **place: Any
    ) -> None:
        self.repaired = repaired
        self.lacks_end_alone = lacks_end_alone
        super().__init__(reason, **place)

    def beyond_repair(self) -> GraphError:
        """Return the same error, of a graph that is not to be taken."""
        place = {k: v for k, v in vars(self).items() if k not in ("repaired", "lacks_end_alone")}
        return GraphError(**place)

    def __reduce__(self) -> tuple[Any, ...]:
        return _repairable_error, (
            self.reason,
            {k: v for k, v in vars(self).items() if k != "reason"},
        )


def _repairable_error(reason: str, place: dict[str, Any]) -> RepairableError:
    """Make an error again that was pickled."""
    return RepairableError(reason, **place)


def _ill_formed_error(reason: str, place: dict[str, Any]) -> IllFormedError:
    """Make an error again that was pickled."""
    return IllFormedError(reason, **place)


#: What is done with texts of graphs before anything becomes of their pair: nothing; the parentheses
#: that AMRs lack at their end are added; or the dummy, or SPAR's DRS, stands for ill-formed DRSs.
Mending = Literal["none", "close", "dummy", "spar"]


class IllFormedPolicy(NamedTuple):
    """What becomes of pairs with an ill-formed graph on either side, and what is mended before."""

    system: Treatment = "error"
    gold: Treatment = "error"
    mending: Mending = "none"

    @property
    def treatments(self) -> tuple[Treatment, Treatment]:
        """What becomes of pairs with an ill-formed graph of the system, and of the gold side."""
        return self.system, self.gold


#: That of all formats that do not tell ill-formed graphs from unreadable ones.
ALL_ERRORS = IllFormedPolicy()

#: The sides of a pair that have an ill-formed graph; None where the format does not tell.
IllFormedSides = Sequence[Side] | None
