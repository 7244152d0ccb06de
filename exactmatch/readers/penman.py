"""PENMAN notation (AMR and its kin), parsed by the `penman` library.

A file holds graphs separated by empty lines. Lines that start with ``#`` are comments wherever
they stand; those before a graph hold its metadata (``# ::id lpp_1943.1``). A graph that cannot
be used does not stop the reader: it is handed on as the `GraphError` that says why.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import penman

from exactmatch.errors import GraphError
from exactmatch.graph import CONCEPT, Argument, Constant, Graph, Location, Triple, Variable
from exactmatch.readers.blocks import Block, read_blocks

# Without this, Python prints penman's warnings on standard error where an application has set
# up no logging. What they are about is reported by errors of our own.
logging.getLogger("penman").addHandler(logging.NullHandler())

#: A variable of a penman tree and what is said of it: roles, each with its target.
_Node = tuple[str, list[tuple[str, "_Target"]]]
_Target = _Node | str | None

#: Strings, parentheses and roles, as penman's lexer finds them.
_LANDMARK = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[()]|:[^\s"()/:~]*')
#: A string, which is kept, or a comment up to the end of the line.
_COMMENT = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")|(?<!\S)#.*')
_TOKEN = re.compile(r'[^\s()"]+|\S')
#: What penman's messages call the tokens.
_EXPECTED = {
    "LPAREN": "'('",
    "RPAREN": "')'",
    "ROLE": "a role or ')'",
    "STRING": "a string",
    "SYMBOL": "a symbol",
}


def read_graphs(
    lines: Iterable[bytes], source: str, line: int = 1, number: int = 1
) -> Iterator[Graph | GraphError]:
    """Read the graphs in *lines*, which have no line ends; *source* is the name in messages.

    *line* and *number* are those of the first line and the first graph.
    """
    for block in read_blocks(lines, source, line=line, number=number):
        try:
            yield _read_block(block)
        except GraphError as error:
            yield error


def from_penman(graph: penman.Graph, source: str, number: int) -> Graph:
    """Return the graph for one that the penman library has read or made.

    Its roles are taken as they are: penman has restored the inverse ones already, by the rules
    of the model it was given. Without penman's AMR model (``penman.models.amr.model``) that turns
    ``consist-of`` and its like round too, which cannot be undone here. Raises `GraphError` for what
    the reader would refuse.
    """
    identifier = graph.metadata.get("id")

    def error(reason: str) -> GraphError:
        return GraphError(reason, source=source, line=1, number=number, identifier=identifier)

    concepts = Counter(variable for variable, _, target in graph.instances() if target is not None)
    variables = dict.fromkeys(concepts, "")
    for variable in sorted(graph.variables()):
        if concepts[variable] != 1:
            raise error(f"variable {variable} has {concepts[variable] or 'no'} concept")
    triples = []
    for variable, role, target in graph.triples:
        if target is None:
            raise error(f"role {role} of variable {variable} has no value")
        is_concept = role == ":instance"
        argument = Constant(str(target)) if is_concept else _argument(str(target), variables)
        relation = CONCEPT if is_concept else role.removeprefix(":")
        triples.append(Triple(relation, (Variable(variable), argument)))
    return Graph(
        identifier=identifier,
        variables=variables,
        triples=tuple(triples),
        tops=() if graph.top is None else (graph.top,),
        location=Location(source, 1),
        metadata=dict(graph.metadata),
    )


def _read_block(block: Block) -> Graph:
    if block.undecodable is not None:
        raise block.error(block.undecodable)
    if not block.body:
        raise block.error("an identifier, but no graph under it")
    block.body = [_COMMENT.sub(lambda match: match[1] or "", text) for text in block.body]
    root = _parse(block)
    landmarks = _Landmarks(block)
    landmarks.check_end()
    variables: dict[str, str] = {}
    edges: list[tuple[str, str, str]] = []
    _walk(root, landmarks, variables, edges)
    return Graph(
        identifier=block.identifier,
        variables=variables,
        triples=tuple(_triple(source, role, target, variables) for source, role, target in edges),
        tops=(root[0],),
        location=Location(block.source, block.body_line),
        metadata=block.metadata,
    )


def _parse(block: Block) -> _Node:
    try:
        tree = next(penman.iterparse(block.body))
    except penman.DecodeError as error:
        raise _syntax_error(block, error) from error
    except StopIteration:
        text = block.body[0]
        raise block.error_at("expected '('", 0, len(text) - len(text.lstrip())) from None
    except RecursionError:
        raise block.error("variables nested too deeply") from None
    node: _Node = tree.node
    return node


def _syntax_error(block: Block, error: penman.DecodeError) -> GraphError:
    if error.message == "Unexpected end of input":
        return _Landmarks(block).unclosed()
    row, column = error.lineno - 1, error.offset
    place = (block.body[row], column)
    token = _TOKEN.match(*place)
    if token is not None and token.group() == '"' and not _LANDMARK.match(*place):
        return block.error_at("this quote is not closed", row, column)
    names = error.message.removeprefix("Expected: ").split(", ")
    expected = " or ".join(_EXPECTED.get(name, name) for name in names)
    found = token.group() if token is not None else ""
    return block.error_at(f"found {found!r}, expected {expected}", row, column)


class _Landmarks:
    """Where the variables and roles of a block stand, which penman's trees do not say.

    The k-th variable of a tree, in the order of the text, stands at the k-th opening
    parenthesis, and its k-th role at the k-th colon.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self._found = [
            (match.group()[0], row, match.start())
            for row, text in enumerate(block.body)
            for match in _LANDMARK.finditer(text)
        ]
        self._parentheses = (place for place in self._found if place[0] == "(")
        self._colons = (place for place in self._found if place[0] == ":")

    def next_variable(self) -> tuple[int, int]:
        """Return row and column of the next variable."""
        return next(self._parentheses)[1:]

    def next_role(self) -> tuple[int, int]:
        """Return row and column of the next role."""
        return next(self._colons)[1:]

    def unclosed(self) -> GraphError:
        """Return the error about the innermost parenthesis that is not closed."""
        opened = []
        for text, row, column in self._found:
            if text == "(":
                opened.append((row, column))
            elif text == ")":
                opened.pop()
        return self.block.error_at(
            "this parenthesis is not closed; an empty line ends a graph", *opened[-1]
        )

    def check_end(self) -> None:
        """Raise `GraphError` if anything follows the graph."""
        end_row, end_column = self._end()
        for row in range(end_row, len(self.block.body)):
            start = end_column + 1 if row == end_row else 0
            rest = self.block.body[row][start:].lstrip()
            if rest:
                reason = "text after the end of the graph; an empty line separates graphs"
                if rest.startswith(")"):
                    reason = "this parenthesis closes nothing"
                column = len(self.block.body[row]) - len(rest)
                raise self.block.error_at(reason, row, column)

    def _end(self) -> tuple[int, int]:
        depth = 0
        for text, row, column in self._found:
            depth += (text == "(") - (text == ")")
            if text == ")" and depth == 0:
                return row, column
        raise self.unclosed()


def _walk(
    node: _Node,
    landmarks: _Landmarks,
    variables: dict[str, str],
    edges: list[tuple[str, str, str]],
) -> None:
    """Collect the variables and edges of *node* in the order of the text."""
    variable, branches = node
    row, column = landmarks.next_variable()
    block = landmarks.block
    if variable is None:
        raise block.error_at("a variable is missing after '('", row, column)
    if variable in variables:
        raise block.error_at(f"variable {variable} is declared twice", row, column)
    if not branches or branches[0][0] != "/" or branches[0][1] is None:
        raise block.error_at(f"variable {variable} has no concept", row, column)
    variables[variable] = ""
    for role, target in branches:
        if role != "/":
            row, column = landmarks.next_role()
        if target is None:
            raise block.error_at(f"role {role} has no value", row, column)
        if isinstance(target, str):
            edges.append((variable, role, target))
        else:
            edges.append((variable, role, target[0]))
            _walk(target, landmarks, variables, edges)


def _triple(source: str, role: str, target: str, variables: dict[str, str]) -> Triple:
    if role == "/":
        text, mark = _split_mark(target)
        return Triple(CONCEPT, (Variable(source), Constant(text)), ("", mark))
    relation, relation_mark = _split_mark(role)
    text, mark = _split_mark(target)
    argument = _argument(text, variables)
    return Triple(relation.removeprefix(":"), (Variable(source), argument), (relation_mark, mark))


def _split_mark(text: str) -> tuple[str, str]:
    """Split off the alignment mark (``~e.4``); a tilde inside a string is none."""
    closing_quote = text.rfind('"')
    tilde = text.find("~", closing_quote + 1)
    return (text, "") if tilde < 0 else (text[:tilde], text[tilde:])


def _argument(text: str, variables: dict[str, str]) -> Argument:
    return Variable(text) if text in variables else Constant(text)
