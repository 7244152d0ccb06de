"""PENMAN, token by token: reads what is well-formed or not, and says what is wrong, and where.

What is a token, and what a graph, is as in the `penman` library (Goodman 2020, *Penman: An
Open-Source Library and Tool for AMR Graphs*), which the tests hold this reader against. But here
nothing calls itself, so that graphs may be nested as deeply as they like; and what penman only
warns of, a variable without concept or a role without value, is an error with its place. Who wants
to know all that is wrong with a graph has it read leniently: what can be passed over is written
down, and is no error.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import CONCEPT, Argument, Constant, Triple, Variable
from exactmatch.graphs.readers.blocks import Block
from exactmatch.graphs.readers.examined import (
    DECLARED_TWICE,
    NO_CONCEPT,
    NO_VALUE,
    REPAIRED,
    SEVERAL_CONCEPTS,
    UNCLOSED,
    Defect,
)

#: What is said of a graph that ends too early.
NOT_CLOSED = "this parenthesis is not closed"

_STRING, _SYMBOL, _ROLE, _MARK = "string", "symbol", "role", "mark"
#: The tokens of a line: strings, symbols, roles, surface alignment marks, and single characters.
_TOKEN = re.compile(
    r"""(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
    |(?P<symbol>[^\ \t\r\n\v\f"()/:~\#][^\ \t\r\n\v\f"()/:~]*)
    |(?P<role>:[^\ \t\r\n\v\f"()/:~]*)
    |(?P<mark>~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*)
    |[^\ \t\r\n\v\f]""",
    re.VERBOSE,
)
#: The same, but that a symbol may begin with ``#``, where comments are gone already.
_TOKEN_OR_HASH = re.compile(_TOKEN.pattern.replace(r"~\#]", "~]"), re.VERBOSE)
#: A string, which is kept, or a comment up to the end of the line.
_COMMENT = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")|(?<!\S)#.*')
#: What is shown of a token that is out of place.
_SHOWN = re.compile(r'[^\s()"]{1,40}|.')


def parsed(block: Block) -> tuple[dict[str, str], tuple[Triple, ...]]:
    """Return the variables and triples of a graph, or raise the `GraphError` that says why not."""
    parser = _Parser(block)
    parser.parse()
    return parser.variables, parser.triples()


class Lenient(NamedTuple):
    """The variables and triples of a graph, the line of each triple, and what was passed over."""

    variables: dict[str, str]
    triples: tuple[Triple, ...]
    lines: tuple[int, ...]
    defects: tuple[Defect, ...]


def parsed_leniently(block: Block) -> Lenient:
    """Return what is in a graph and wrong with it; raise `GraphError` for what is no graph."""
    parser = _Parser(block, strict=False)
    parser.parse()
    return parser.found()


class Repaired(NamedTuple):
    """The graph that other readers take a text for.

    repairs: what was done, each with the line of the file.
    lacks_end_alone: parentheses were added at the end, behind another one, and that is all.
    """

    variables: dict[str, str]
    triples: tuple[Triple, ...]
    repairs: tuple[Defect, ...]
    lacks_end_alone: bool


def repaired(block: Block) -> Repaired | None:
    """Return the graph in *block* as other readers take it, None if it is none for them, either.

    Parentheses that lack at the end are added. What says ``(b)`` of a variable that has its concept
    elsewhere means that variable, and so does a description of it with the same concept again.
    """
    parser = _Parser(block, strict=False, may_lack_end=True)
    try:
        parser.parse()
    except GraphError:
        return None
    return _repaired(parser.found(), parser.unclosed, block)


def with_one_concept(found: Lenient) -> Lenient | None:
    """Return *found* with one concept of each variable, None if it has none or several.

    The defects of the result are what was passed over: descriptions of a variable that was there.
    """
    concepts: dict[str, str] = {}
    kept = []
    for number, triple in enumerate(found.triples):
        variable, target = triple.arguments[0], triple.arguments[-1]
        assert isinstance(variable, Variable)
        if triple.relation != CONCEPT:
            kept.append(number)
        elif variable.name not in concepts:
            concepts[variable.name] = str(target)
            kept.append(number)
        elif concepts[variable.name] != str(target):
            return None
    passed_over = {defect.kind for defect in found.defects}
    if not passed_over <= {DECLARED_TWICE, NO_CONCEPT} or found.variables.keys() - concepts.keys():
        return None
    return Lenient(
        found.variables,
        tuple(found.triples[number] for number in kept),
        tuple(found.lines[number] for number in kept),
        tuple(defect for defect in found.defects if defect.kind == DECLARED_TWICE),
    )


def _repaired(found: Lenient, unclosed: int, block: Block) -> Repaired | None:
    one = with_one_concept(found)
    if one is None:
        return None
    repairs = [*one.defects]
    if unclosed:
        last = block.body_line + block.body.rstrip().count("\n")
        missing = f"{unclosed} parenthes{'i' if unclosed == 1 else 'e'}s missing at the end"
        repairs.append(Defect(UNCLOSED, last, missing))
    is_behind = bool(unclosed) and block.body.rstrip().endswith(")")
    return Repaired(one.variables, one.triples, tuple(repairs), is_behind and not one.defects)


class Beginning(NamedTuple):
    """The graph that a text begins with: what is in it, and where it ends.

    unclosed: how many parentheses the text leaves open at its end. rest: the row and column, from
    0, of what follows the graph; None if nothing does.
    """

    found: Lenient
    unclosed: int
    rest: tuple[int, int] | None


def parsed_beginning(block: Block, *, strict: bool = True) -> Beginning:
    """Return the graph that *block* begins with; raise `GraphError` if it begins with none.

    There are no comments in it. Unless *strict*, what can be passed over is, as in
    `parsed_leniently`.
    """
    parser = _Parser(block, strict=strict, whole=False)
    parser.parse()
    return Beginning(parser.found(), parser.unclosed, parser.rest())


def repaired_beginning(block: Block, *, strict: bool = True) -> Beginning:
    """Return what `parsed_beginning` does or, where it raises, the graph as other readers take it.

    What was repaired stands in its defects.
    """
    try:
        return parsed_beginning(block, strict=strict)
    except GraphError:
        beginning = parsed_beginning(block, strict=False)
        found = with_one_concept(beginning.found)
        if found is None:
            raise
    repairs = (
        Defect(REPAIRED, line, f"graph: {reason}: repaired") for _, line, reason in found.defects
    )
    return beginning._replace(found=found._replace(defects=tuple(repairs)))


class _Token(NamedTuple):
    """A token and its place; a single character is of its own kind."""

    kind: str
    text: str
    row: int
    column: int


class _Edge(NamedTuple):
    """A variable, what is said of it, the surface alignment marks of the last two, and its row."""

    source: str
    relation: str
    target: str
    marks: tuple[str, str]
    row: int

    def triple(self, variables: dict[str, str]) -> Triple:
        if self.relation == CONCEPT:
            argument: Argument = Constant(self.target)
        else:
            argument = _argument(self.target, variables)
        return Triple(self.relation, (Variable(self.source), argument), self.marks)


class _Parser:
    """Reads the graph of a block from its first token to its last.

    *variables* and *edges* are those read so far, in the order of the text, and *defects* what
    has been passed over: nothing, if it is *strict*. Unless the text has to be the *whole* graph
    and nothing else, or *may_lack_end*, the graph may end with it, *unclosed* so many times; and
    in the former case, before it.
    """

    def __init__(
        self, block: Block, *, strict: bool = True, whole: bool = True, may_lack_end: bool = False
    ) -> None:
        if whole:
            rows = block.body.split("\n")
            block.body = "\n".join(_COMMENT.sub(lambda match: match[1] or "", row) for row in rows)
        self.variables: dict[str, str] = {}
        self.edges: list[_Edge] = []
        self.defects: list[Defect] = []
        self.unclosed = 0
        self._strict = strict
        self._whole = whole
        self._may_lack_end = may_lack_end or not whole
        self._block = block
        self._tokens = _tokens(block, _TOKEN if whole else _TOKEN_OR_HASH)
        self._next = next(self._tokens, None)
        #: The variables that are being described, outermost first, with their parentheses.
        self._open: list[tuple[str, _Token]] = []

    def parse(self) -> None:
        """Read the graph. Raises `GraphError` for what is none, and if anything follows."""
        self._read_concept(self._begin())
        while self._open:
            if not self._strict and self._follows("/"):
                self._read_other_concept()
                continue
            if self._ends():
                self.unclosed = len(self._open)
                break
            token = self._take(_ROLE, ")")
            if token.kind == _ROLE:
                self._read_edge(token)
            else:
                self._open.pop()
        while self._next is not None and self._next.text.isspace():  # a no-break space
            self._next = next(self._tokens, None)
        if self._next is not None and self._whole:
            reason = "text after the end of the graph; an empty line separates graphs"
            if self._next.kind == ")":
                reason = "this parenthesis closes nothing"
            self._fail(reason, self._next)

    def rest(self) -> tuple[int, int] | None:
        """Return the row and column of what follows the graph, None if nothing does."""
        return None if self._next is None else (self._next.row, self._next.column)

    def found(self) -> Lenient:
        """Return what has been read."""
        lines = tuple(self._block.body_line + edge.row for edge in self.edges)
        return Lenient(self.variables, self.triples(), lines, tuple(self.defects))

    def triples(self) -> tuple[Triple, ...]:
        """Return the triples of the edges."""
        return tuple(edge.triple(self.variables) for edge in self.edges)

    def _begin(self) -> str:
        """Read a parenthesis and the variable behind it, and return the variable."""
        parenthesis = self._take("(")
        self._open.append(("", parenthesis))
        if self._follows(")"):
            self._fail("a variable is missing after '('", parenthesis)
        variable = self._take(_SYMBOL).text
        if variable in self.variables:
            reason = f"variable {variable} is declared twice"
            self._pass_over(DECLARED_TWICE, reason, parenthesis)
        self.variables[variable] = ""
        self._open[-1] = (variable, parenthesis)
        return variable

    def _read_concept(self, variable: str) -> None:
        if not (self._follows(_ROLE, ")") or self._ends()):
            self._take("/")
        if self._follows(_ROLE, ")") or self._ends():
            reason = f"variable {variable} has no concept"
            self._pass_over(NO_CONCEPT, reason, self._open[-1][1])
            return
        # In UMR, punctuation may be a concept, or stand in one (and/or).
        concept = self._take(_SYMBOL, _STRING, *(() if self._whole else ("/",)))
        text = concept.text
        while not self._whole and self._continues(concept, text):
            text += self._take(_SYMBOL, _STRING, "/").text
        marks = ("", self._mark())
        self.edges.append(_Edge(variable, CONCEPT, text, marks, concept.row))

    def _read_other_concept(self) -> None:
        variable, _ = self._open[-1]
        slash = self._take("/")
        concept = self._take(_SYMBOL, _STRING).text + self._mark()
        reason = f"variable {variable} has another concept, {concept}"
        self._pass_over(SEVERAL_CONCEPTS, reason, slash)

    def _read_edge(self, role: _Token) -> None:
        source, _ = self._open[-1]
        relation, mark = role.text.removeprefix(":"), self._mark()
        if self._follows("("):
            target = self._begin()
            self.edges.append(_Edge(source, relation, target, (mark, ""), role.row))
            self._read_concept(target)
            return
        if self._follows(_ROLE, ")") or self._ends():
            self._pass_over(NO_VALUE, f"role {role.text}{mark} has no value", role)
            return
        target = self._take(_SYMBOL, _STRING, "(").text
        self.edges.append(_Edge(source, relation, target, (mark, self._mark()), role.row))

    def _continues(self, start: _Token, text: str) -> bool:
        """Tell whether what follows stands right behind *text*, which began with *start*."""
        if self._next is None or self._next.kind not in (_SYMBOL, _STRING, "/"):
            return False
        return (self._next.row, self._next.column) == (start.row, start.column + len(text))

    def _ends(self) -> bool:
        """Tell whether the text ends here, and may."""
        return self._next is None and self._may_lack_end

    def _follows(self, *kinds: str) -> bool:
        return self._next is not None and self._next.kind in kinds

    def _mark(self) -> str:
        """Return the surface alignment mark (``~e.4``) that follows, and "" if there is none."""
        return self._take(_MARK).text if self._follows(_MARK) else ""

    def _take(self, *kinds: str) -> _Token:
        """Return the next token. Raises `GraphError` if it is not of these kinds, or missing."""
        token = self._next
        if token is None:
            reason = NOT_CLOSED
            reason += "; an empty line ends a graph" if self._whole else ""
            self._fail(reason, self._open[-1][1])
        if token.kind not in kinds:
            self._fail_on(token, kinds)
        self._next = next(self._tokens, None)
        return token

    def _fail_on(self, token: _Token, kinds: tuple[str, ...]) -> NoReturn:
        if token.kind == '"':
            self._fail("this quote is not closed", token)
        found = _SHOWN.match(self._block.body.split("\n")[token.row], token.column)
        assert found is not None
        expected = " or ".join(repr(k) if len(k) == 1 else f"a {k}" for k in kinds)
        self._fail(f"found {found.group()!r}, expected {expected}", token)

    def _fail(self, reason: str, token: _Token) -> NoReturn:
        raise self._block.error_at(reason, token.row, token.column)

    def _pass_over(self, kind: str, reason: str, token: _Token) -> None:
        """Write a defect down. Raises `GraphError` if this is to be strict."""
        if self._strict:
            self._fail(reason, token)
        self.defects.append(Defect(kind, self._block.body_line + token.row, reason))


def _tokens(block: Block, pattern: re.Pattern[str]) -> Iterator[_Token]:
    for row, text in enumerate(block.body.split("\n")):
        for match in pattern.finditer(text):
            yield _Token(match.lastgroup or match.group(), match.group(), row, match.start())


def _argument(text: str, variables: dict[str, str]) -> Argument:
    return Variable(text) if text in variables else Constant(text)
