"""The type of a semantic graph as its file has it, before a metric normalises it.

Some texts that parsers write break the rules of their notation: such a text is an `IllFormedError`,
and an `IllFormedPolicy` says how its pair is treated. Scores that leave these pairs out are not
comparable: a parser would gain by failing.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from exactmatch.errors import GraphError

#: The formats of files, with the names that people know.
PENMAN = "PENMAN"

MRP = "MRP"

CLAUSES = "clause form"

UMR = "UMR"

SBN = "SBN"

CAMR = "Chinese AMR"

TRIPLES = "triples"

PENMAN_IN_JSON = "PENMAN in JSON lines"

STREAMSIDE = "StreamSide"

#: The part of a UMR file that a metric compares at once.
Extent = Literal["sentence", "document", "file"]

#: The relation of a variable to its concept (PENMAN writes a slash).
CONCEPT = "/"

#: The relation of a variable to a span of the input text: its start and its end, in characters from
#: 0, and, if the input is known, its text.
ANCHOR = "<:>"

#: A sense in a DRS clause: its word class and number in WordNet. A clause with a sense as its
#: second argument gives the concept of its third argument, and the relation is the word.
SENSE = re.compile(r'"[nvars]\.\d+"')

#: The concept of the dummy that may replace ill-formed DRSs: two words, as in no file.
DUMMY = "ill-formed DRS"

#: The relation of a box to a concept in it, in SBN.
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
    """A relation, as written, and its arguments: a variable and its value or other variable.

    A DRS clause is a triple too: its first argument is its box, and it may have two others.

    *marks* are the surface alignment marks (``~e.4``) on the relation and on the last
    argument, empty where there are none. They are no part of the graph, but smatch reads
    them as text.
    """

    relation: str
    arguments: tuple[Argument, ...]
    marks: tuple[str, str] = ("", "")


class DocumentTriple(NamedTuple):
    """A triple of the document level of UMR: *kind* is its block (``temporal``), without colon.

    The *relation* is as written, without colon. Its ends are variables of the same document, or
    constants (``author``).
    """

    kind: str
    source: Argument
    relation: str
    target: Argument


class Sentence(NamedTuple):
    """A sentence of UMR, with the lines beside its graph.

    name: its name in its document (``snt3``), empty if it has no name. document: the number of its
    document in the file, from 1. line: its first line. tokens: as written, perhaps none. variables,
    triples: those of its graph, in order; the names of variables differ in all of a `Graph`. top:
    the first variable. written: the names that stand in the file, where they differ from those in
    *variables*. tokens_of: the numbers of the tokens that variables are aligned with, from 1,
    ascending; those that are aligned with none are left out. document_level: its triples. damaged:
    the parts with a fault at which programs stop reading: ``graph``, ``alignment``, ``document
    level``. number: its number in the file, from 1. text: all of it, as it stands in the file.
    tokens_before_fault, triples_before_fault: *tokens_of*, and the number of triples in
    *document_level*, as far as such programs read them; None without such a fault.
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
    tokens_before_fault: Mapping[str, tuple[int, ...]] | None = None
    triples_before_fault: int | None = None

    def before_faults(self) -> "Sentence":
        """Return the sentence as programs have it that stop reading a part at its first fault."""
        tokens_of = self.tokens_before_fault
        return self._replace(
            tokens_of=self.tokens_of if tokens_of is None else tokens_of,
            document_level=self.document_level[: self.triples_before_fault],
        )

    @property
    def identifier(self) -> str | None:
        """The name of the sentence in its file: ``snt3``, or ``d2.snt3`` in the second document."""
        return sentence_identifier(self.name, self.document)


def sentence_identifier(name: str, document: int) -> str | None:
    """Return the name in the file of a sentence of a *document*; None if it has no *name*."""
    if not name:
        return None
    return name if document == 1 else f"d{document}.{name}"


_NO_METADATA: Mapping[str, str] = {}

_ALL_READ: Mapping[int, GraphError] = {}


class Graph(NamedTuple):
    """A semantic graph.

    identifier: the name of the graph in its file; None if it has none.
    variables: each variable, in the order of the file, and its sort (`BOX` or `REFERENT` for DRS;
        empty for AMR, where all variables are of one sort).
    triples: relations as written, each with its arguments.
    tops: the variables that the graph marks as its roots.
    location: the file and the line of the graph.
    metadata: the comments on the graph, by key.
    notes: problems found in a graph that is usable all the same, as error messages, one for each
        kind of defect.
    format: the format of the file.
    framework: the kind of an MRP graph (``eds``); empty in other formats.
    sentences: the sentences of UMR: one, or all of a document or a file, whose graphs then form one
        graph.
    unread: the errors of unreadable sentences, by their places in *sentences*, where an empty
        sentence stands for each.
    mended: the number of repairs and replacements that were asked for.
    by_smatch: the graph of the same text as smatch splits it at blanks, if penman splits it
        otherwise.
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
    by_smatch: "Graph | None" = None


#: ``error``: the graph is unreadable, like any other. ``zero``: the pair counts 0 in the mean of
#: the pairs, and nowhere else. ``lenient``: as ``zero``, unless the fault can be overlooked.
#: ``skip``: the pair is left out.
Treatment = Literal["error", "zero", "lenient", "skip"]

#: The sides of a pair.
Side = Literal["system", "gold"]


class IllFormedError(GraphError):
    """A graph that breaks the rules of its notation, as parsers sometimes write.

    *lenient* is the graph if the fault is overlooked; None if that is impossible.
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
    """A graph that is not well-formed, but that other readers accept, and their reading of it.

    *repaired* is that reading; *lacks_end_alone* tells that only closing parentheses at the end,
    after another one, were added.
    """

    def __init__(
        self, reason: str, *, repaired: Graph, lacks_end_alone: bool, **place: Any
    ) -> None:
        self.repaired = repaired
        self.lacks_end_alone = lacks_end_alone
        super().__init__(reason, **place)

    def beyond_repair(self) -> GraphError:
        """Return the same error without its repair, for a graph that is not to be repaired."""
        place = {k: v for k, v in vars(self).items() if k not in ("repaired", "lacks_end_alone")}
        return GraphError(**place)

    def __reduce__(self) -> tuple[Any, ...]:
        return _repairable_error, (
            self.reason,
            {k: v for k, v in vars(self).items() if k != "reason"},
        )


def _repairable_error(reason: str, place: dict[str, Any]) -> RepairableError:
    """Make an error again from its pickled arguments."""
    return RepairableError(reason, **place)


def _ill_formed_error(reason: str, place: dict[str, Any]) -> IllFormedError:
    """Make an error again from its pickled arguments."""
    return IllFormedError(reason, **place)


#: How texts of graphs are mended before their pair is treated: not at all; AMRs get their missing
#: closing parentheses, and perhaps are split at blanks as smatch splits them; DRSs that our reader
#: refuses are read as Counter does; or the dummy, or SPAR's DRS, replaces ill-formed DRSs.
Mending = Literal["none", "close", "smatch", "as-counter", "dummy", "spar"]


class IllFormedPolicy(NamedTuple):
    """How pairs with an ill-formed graph on either side are treated, and what is mended before."""

    system: Treatment = "error"
    gold: Treatment = "error"
    mending: Mending = "none"

    @property
    def treatments(self) -> tuple[Treatment, Treatment]:
        """The treatments of pairs with an ill-formed system graph, and an ill-formed gold graph."""
        return self.system, self.gold


#: The policy of all formats in which ill-formed graphs are simply unreadable.
ALL_ERRORS = IllFormedPolicy()

#: The sides of a pair that are ill-formed; None if the format makes no such distinction.
IllFormedSides = Sequence[Side] | None
