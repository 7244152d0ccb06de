"""DRS in clause form, as the Parallel Meaning Bank writes it: one clause a line.

A clause is a box, a relation, and one or two arguments::

    b1 REF x1            % operators are in capitals
    b1 person "n.01" x1  % a concept has a sense
    b1 Agent e1 x1       % any other relation that begins with a capital is a role

DRSs are separated by empty or blank lines. A percent sign begins a comment at the start of a line
or after a blank. The Bank's comments do not name the DRS; an identifier can be given as in AMR
files (``% ::id x.1``). An unusable DRS does not stop the reader: a `GraphError` with the reason
takes its place.

The relation decides which argument is a box and which a referent (van Noord et al. 2018, and the
signature of their scorer, Counter). The reader does not check how the boxes of a DRS are connected.
"""

import re
from collections.abc import Iterable, Iterator

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import (
    BOX,
    CLAUSES,
    REFERENT,
    SENSE,
    Argument,
    Constant,
    Graph,
    Location,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.blocks import Block, read_block
from exactmatch.graphs.readers.cutting import cut_blocks
from exactmatch.graphs.readers.examined import ExaminedGraph
from exactmatch.graphs.readers.graph_text import GraphText

_COMMENT = re.compile(r"(?<!\S)%.*")
_WORD = re.compile(r"\S+")
_STRING = re.compile(r'"[^"]*"')
_NAME = re.compile(r"[^\W\d]\w*")
_OPERATOR = re.compile(r"[A-Z][A-Z0-9]*")
#: A role, as Counter recognises it.
ROLE = re.compile(r"[A-Z](?=.*[a-z])[A-Za-z-]*")

#: The sorts that the arguments of a clause must have, including the box before the relation: `BOX`,
#: `REFERENT`, or a term, which is a referent or a constant.
_TERM = "t"
_TWO_TERMS = (BOX, _TERM, _TERM)
_OPERATORS = {
    "REF": (BOX, REFERENT),
    **dict.fromkeys(("NOT", "POS", "NEC", "DRS"), (BOX, BOX)),
    **dict.fromkeys(("IMP", "DIS", "DUP"), (BOX, BOX, BOX)),
    "PRP": (BOX, REFERENT, BOX),
}
_CALLED = {BOX: "a box", REFERENT: "a referent"}


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Cut a file into the texts of DRSs, as `exactmatch.graphs.readers.cutting.cut_blocks`."""
    return cut_blocks(chunks, comment="%")


def read_graph(text: GraphText) -> Graph:
    """Return the DRS in *text*. Raises `GraphError` if it is unusable."""
    return examine_graph(text).graph


def clause_words(text: GraphText) -> list[list[str]]:
    """Return the words of each clause in *text*. Raises `GraphError` if it is not UTF-8."""
    block = read_block(text, "%")
    if block.undecodable is not None:
        raise block.error(block.undecodable)
    rows = (_COMMENT.sub("", row).split() for row in block.body.split("\n"))
    return [row for row in rows if row]


def examine_graph(text: GraphText) -> ExaminedGraph:
    """Return the DRS in *text* with the lines of its clauses. Raises `GraphError` as above."""
    block = read_block(text, "%")
    if block.undecodable is not None:
        raise block.error(block.undecodable)
    if not block.body:
        raise block.error("an identifier without a clause after it")
    variables: dict[str, str] = {}
    lines = enumerate(block.body.split("\n"))
    clauses = [_Clause(block, row, line, variables) for row, line in lines]
    clauses = [clause for clause in clauses if clause.words]
    graph = Graph(
        identifier=block.identifier,
        variables=variables,
        triples=tuple(clause.triple() for clause in clauses),
        tops=(),
        location=Location(block.source, block.body_line),
        metadata=block.metadata,
        format=CLAUSES,
    )
    return ExaminedGraph(graph, [block.body_line + clause.row for clause in clauses])


class _Clause:
    """The words of a line of a DRS; *variables* are those of the DRS so far, with their sorts."""

    def __init__(self, block: Block, row: int, line: str, variables: dict[str, str]) -> None:
        self._block = block
        self.row = row
        self._variables = variables
        self._line = _COMMENT.sub("", line) if "%" in line else line
        self.words = self._line.split()

    def triple(self) -> Triple:
        """Return the clause, and add its variables to those of the DRS. Raises `GraphError`."""
        words = self.words
        if '"' in self._line:
            for place, word in enumerate(words):
                if '"' in word and not _STRING.fullmatch(word):
                    raise self._error("unmatched quotes; strings contain no blanks", place)
        if not 3 <= len(words) <= 4:
            raise self._error(f"a clause has 3 or 4 words, not {len(words)}", -1)
        box, relation, *others = words
        wanted = self._wanted(relation, others)
        if len(words) != len(wanted) + 1:
            reason = f"a clause of {relation} has {len(wanted) + 1} words, not {len(words)}"
            raise self._error(reason, 1)
        places = (0, *range(2, len(words)))
        return Triple(relation, tuple(map(self._argument, (box, *others), wanted, places)))

    def _wanted(self, relation: str, others: list[str]) -> tuple[str, ...]:
        """Return the sorts that the arguments must have."""
        if len(others) == 2 and SENSE.fullmatch(others[0]):
            return _TWO_TERMS
        if relation in _OPERATORS:
            return _OPERATORS[relation]
        # Operators of three letters compare times and places. Longer ones relate boxes in a
        # discourse: two boxes or, in older releases, two boxes in a third one.
        if _OPERATOR.fullmatch(relation) and len(relation) > 3:
            return (BOX,) * (1 + len(others))
        if _OPERATOR.fullmatch(relation) or ROLE.fullmatch(relation):
            return _TWO_TERMS
        reason = f"{relation} is no operator or role, and no sense of a concept follows"
        raise self._error(reason, 1)

    def _argument(self, text: str, wanted: str, place: int) -> Argument:
        sort = REFERENT if wanted == _TERM else wanted
        known = self._variables.get(text)
        if known == sort:
            return Variable(text)
        if wanted == _TERM and _STRING.fullmatch(text):
            return Constant(text)
        if not _NAME.fullmatch(text):
            or_string = " or a string" if wanted == _TERM else ""
            raise self._error(f"found {text}, expected {_CALLED[sort]}{or_string}", place)
        if known is not None:
            reason = f"{text} is {_CALLED[sort]} here, but {_CALLED[known]} before"
            raise self._error(reason, place)
        self._variables[text] = sort
        return Variable(text)

    def _error(self, reason: str, place: int) -> GraphError:
        """Return an error about a word, given by its position in the line."""
        found = [*_WORD.finditer(self._line)][place]
        return self._block.error_at(reason, self.row, found.start())
