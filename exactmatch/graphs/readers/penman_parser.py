"""Read PENMAN token by token, well-formed or not, and report each fault with its place.

Tokens and graphs are those of the `penman` library (Goodman 2020, *Penman: An Open-Source Library
and Tool for AMR Graphs*); the tests compare this reader with it. Here no function is recursive, so
graphs may be nested to any depth. What penman only warns of, a variable without concept or a role
without value, is an error with its place. To find all faults of a graph, read it leniently: faults
that can be skipped are recorded, and are no errors.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import CONCEPT, Argument, Constant, Triple, Variable
from exactmatch.graphs.invisible import escaped
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

#: The reason given for a graph that ends too early.
NOT_CLOSED = "this parenthesis is not closed"

_STRING, _SYMBOL, _ROLE, _MARK = "string", "symbol", "role", "mark"
#: The tokens of a line: strings, symbols, roles, surface alignment marks, and single characters.
_TOKEN = re.compile(
    r"""(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
    |(?P<symbol>(?:[^\ \t\r\n\v\f"()/:~\#]|(?<=/)\#|(?<=/[\ \t])\#)[^\ \t\r\n\v\f"()/:~]*)
    |(?P<role>:[^\ \t\r\n\v\f"()/:~]*)
    |(?P<mark>~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*)
    |[^\ \t\r\n\v\f]""",
    re.VERBOSE,
)
#: The same with symbols that begin with ``#``, for text without comments.
_TOKEN_OR_HASH = re.compile(_TOKEN.pattern.replace(r"~\#]", "~]"), re.VERBOSE)
#: A string, closed or not, or a concept (``/ #1``), which are kept, or a comment up to the end of
#: the line.
_COMMENT = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|/[ \t]?#\w)|(?<!\S)#.*')
#: How an unexpected token is shown.
_SHOWN = re.compile(r'[^\s()"]{1,40}|.')
#: How variables begin in graphs that parsers have linearised, which is not PENMAN.
_POINTER = "<pointer"


def parsed(block: Block) -> tuple[dict[str, str], tuple[Triple, ...]]:
    """Return the variables and triples of a graph, or raise a `GraphError` with the reason."""
    parser = _Parser(block)
    parser.parse()
    return parser.variables, parser.triples()


class Lenient(NamedTuple):
    """The variables and triples of a graph, the line of each triple, and the skipped faults."""

    variables: dict[str, str]
    triples: tuple[Triple, ...]
    lines: tuple[int, ...]
    defects: tuple[Defect, ...]


def parsed_leniently(block: Block) -> Lenient:
    """Return the content and the faults of a graph; raise `GraphError` if there is no graph."""
    parser = _Parser(block, strict=False)
    parser.parse()
    return parser.found()


class Repaired(NamedTuple):
    """A text as other readers read it.

    repairs: the repairs, each with the line of the file.
    lacks_end_alone: whether the only repair was to add parentheses at the end, after another one.
    """

    variables: dict[str, str]
    triples: tuple[Triple, ...]
    repairs: tuple[Defect, ...]
    lacks_end_alone: bool


def repaired(block: Block) -> Repaired | None:
    """Return the graph in *block* as other readers read it; None if they refuse it, too.

    Missing parentheses at the end are added. ``(b)`` stands for the variable that has its concept
    elsewhere, and so does a repeated description of it with the same concept.
    """
    parser = _Parser(block, strict=False, may_lack_end=True)
    try:
        parser.parse()
    except GraphError:
        return None
    return _repaired(parser.found(), parser.unclosed, parser.text.rstrip(), block)


def with_one_concept(found: Lenient) -> Lenient | None:
    """Return *found* with one concept for each variable; None if one has none or several.

    The faults of the result are repeated descriptions of variables.
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


def _repaired(found: Lenient, unclosed: int, text: str, block: Block) -> Repaired | None:
    one = with_one_concept(found)
    if one is None:
        return None
    repairs = [*one.defects]
    if unclosed:
        last = block.line_of(text.count("\n"))
        missing = f"{unclosed} parenthes{'i' if unclosed == 1 else 'e'}s missing at the end"
        repairs.append(Defect(UNCLOSED, last, missing))
    is_behind = bool(unclosed) and text.endswith(")")
    return Repaired(one.variables, one.triples, tuple(repairs), is_behind and not one.defects)


class Beginning(NamedTuple):
    """The graph at the beginning of a text, and where it ends.

    unclosed: the number of parentheses that are open at the end. rest: the row and column, from 0,
    of the text after the graph; None if there is none.
    """

    found: Lenient
    unclosed: int
    rest: tuple[int, int] | None


def parsed_beginning(block: Block, text: str, *, strict: bool = True) -> Beginning:
    """Return the graph at the beginning of *block*; raise `GraphError` if there is none.

    *text* is its body without comments. Unless *strict*, faults are skipped as in
    `parsed_leniently`.
    """
    parser = _Parser(block, text, strict=strict)
    parser.parse()
    return Beginning(parser.found(), parser.unclosed, parser.rest())


def repaired_beginning(block: Block, text: str, *, strict: bool = True) -> Beginning:
    """Return the result of `parsed_beginning` or, if it raises, the graph as others read it.

    The repairs are among its faults.
    """
    try:
        return parsed_beginning(block, text, strict=strict)
    except GraphError:
        beginning = parsed_beginning(block, text, strict=False)
        found = with_one_concept(beginning.found)
        if found is None:
            raise
    repairs = (
        Defect(REPAIRED, line, f"graph: {reason}: repaired")
        for _, line, reason, *_ in found.defects
    )
    return beginning._replace(found=found._replace(defects=tuple(repairs)))


class _Token(NamedTuple):
    """A token and its place; the kind of a single character is the character."""

    kind: str
    text: str
    row: int
    column: int


class _Edge(NamedTuple):
    """A variable, its role and value, the surface alignment marks of these, and the row."""

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
    """The parser of a block, from its first token to its last.

    *text* is the body of the block without comments, row by row; if it is given, the graph may end
    before it does.

    *variables* and *edges* are those read so far, in the order of the text, and *defects* the
    skipped faults, of which there are none if the parser is *strict*. If the text is given, or if
    it *may_lack_end*, it may end before the graph does, with *unclosed* open parentheses.
    """

    def __init__(
        self,
        block: Block,
        text: str | None = None,
        *,
        strict: bool = True,
        may_lack_end: bool = False,
    ) -> None:
        whole = text is None
        self.text = _uncommented(block.body) if text is None else text
        self.variables: dict[str, str] = {}
        self.edges: list[_Edge] = []
        self.defects: list[Defect] = []
        self.unclosed = 0
        self._strict = strict
        self._whole = whole
        self._may_lack_end = may_lack_end or not whole
        self._block = block
        self._tokens = _tokens(self.text, _TOKEN if whole else _TOKEN_OR_HASH)
        self._next = next(self._tokens, None)
        #: The variables whose descriptions are open, outermost first, with their parentheses.
        self._open: list[tuple[str, _Token]] = []

    def parse(self) -> None:
        """Read the graph. Raises `GraphError` if there is none, or if text follows it."""
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
        hidden = ""
        while self._next is not None and self._next.text.isspace():  # a no-break space
            hidden = hidden or self._looks_empty(self._next)
            self._next = next(self._tokens, None)
        if self._next is not None and self._whole:
            reason = f"text after the end of the graph; separate graphs by an empty line{hidden}"
            if self._next.kind == ")":
                reason = "this parenthesis closes nothing"
            self._fail(reason, self._next)

    def _looks_empty(self, blank: _Token) -> str:
        """Return a hint to the line of *blank*, if nothing but such blanks keeps it from empty."""
        if self.text.split("\n")[blank.row].strip():
            return ""
        line = self._block.line_of(blank.row)
        return f" (line {line} only looks empty: it holds '{escaped(blank.text)}')"

    def rest(self) -> tuple[int, int] | None:
        """Return the row and column of the text after the graph; None if there is none."""
        return None if self._next is None else (self._next.row, self._next.column)

    def found(self) -> Lenient:
        """Return the graph read so far."""
        lines = tuple(self._block.line_of(edge.row) for edge in self.edges)
        return Lenient(self.variables, self.triples(), lines, tuple(self.defects))

    def triples(self) -> tuple[Triple, ...]:
        """Return the triples of the edges."""
        return tuple(edge.triple(self.variables) for edge in self.edges)

    def _begin(self) -> str:
        """Read a parenthesis and the variable after it, and return the variable."""
        parenthesis = self._take("(")
        self._open.append(("", parenthesis))
        if self._follows(")"):
            is_all = "".join(self.text.split()) == "()"
            reason = "empty graph" if is_all else "a variable is missing after '('"
            self._fail(reason, parenthesis)
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
            if variable.startswith(_POINTER):
                reason += f"; {_POINTER}:N> is a variable in the linearised output of a parser"
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
        if mark and target == "-of" and self._follows(_SYMBOL, _STRING, "("):
            self._fail(f"a mark inside a role; write {role.text}-of{mark}", role)
        self.edges.append(_Edge(source, relation, target, (mark, self._mark()), role.row))

    def _continues(self, start: _Token, text: str) -> bool:
        """Tell whether the next token follows *text*, which began with *start*, without a gap."""
        if self._next is None or self._next.kind not in (_SYMBOL, _STRING, "/"):
            return False
        return (self._next.row, self._next.column) == (start.row, start.column + len(text))

    def _ends(self) -> bool:
        """Tell whether the text ends here, and is allowed to."""
        return self._next is None and self._may_lack_end

    def _follows(self, *kinds: str) -> bool:
        return self._next is not None and self._next.kind in kinds

    def _mark(self) -> str:
        """Return the surface alignment mark (``~e.4``) that follows, or ""."""
        return self._take(_MARK).text if self._follows(_MARK) else ""

    def _take(self, *kinds: str) -> _Token:
        """Return the next token. Raises `GraphError` if it is missing or of another kind."""
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
        found = _SHOWN.match(self.text.split("\n")[token.row], token.column)
        assert found is not None
        expected = " or ".join(repr(k) if len(k) == 1 else f"a {k}" for k in kinds)
        if kinds == ("(",):  # only the beginning of the whole graph may lack it
            expected += "; this line is neither a comment nor a graph"
        self._fail(f"found {found.group()!r}, expected {expected}", token)

    def _fail(self, reason: str, token: _Token) -> NoReturn:
        raise self._block.error_at(reason, token.row, token.column)

    def _pass_over(self, kind: str, reason: str, token: _Token) -> None:
        """Record a fault. Raises `GraphError` if the parser is strict."""
        if self._strict:
            self._fail(reason, token)
        self.defects.append(Defect(kind, self._block.line_of(token.row), reason))


def _uncommented(body: str) -> str:
    rows = body.split("\n")
    return "\n".join(_COMMENT.sub(lambda match: match[1] or "", row) for row in rows)


def _tokens(text: str, pattern: re.Pattern[str]) -> Iterator[_Token]:
    for row, line in enumerate(text.split("\n")):
        for match in pattern.finditer(line):
            yield _Token(match.lastgroup or match.group(), match.group(), row, match.start())


def _argument(text: str, variables: dict[str, str]) -> Argument:
    return Variable(text) if text in variables else Constant(text)
