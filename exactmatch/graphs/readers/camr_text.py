"""Read a Chinese AMR in its text form, which differs from PENMAN notation in four points.

* A role has parentheses, which hold the relation's word, if any: ``:arg1(x2/把) (x3 / 书)``.
* The parts of a name follow its concept: ``(x1_x2 / name :op1 x1/王 :op2 x2/明)``. The concept of
  the node is the whole name, as in the table: ``王明``.
* A node that stands for another one has its identifier as concept: ``(x7 / x1)``. The concept of
  the node is its word of the comment ``# ::wid``.
* Concepts may have blanks, which do not count, but no line ends.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from exactmatch.graphs.camr_places import IDENTIFIER, places, words_by_place
from exactmatch.graphs.readers.blocks import Block
from exactmatch.graphs.readers.camr_nodes import Nodes

_STRING, _ROLE, _SYMBOL = "string", "role", "symbol"
#: The tokens of a line. A word of a relation stands directly behind the role.
_TOKEN = re.compile(
    r"""(?P<string>"[^"]*")
    |:(?P<role>[^\s()":/]+)(?P<word>\([^()]*\))?
    |(?P<symbol>[^\s()":/]+)
    |\S""",
    re.VERBOSE,
)
#: The place and the text of a relation's word.
_WORD = re.compile(r"\(\s*([^\s/]+)\s*/\s*(\S(?:.*\S)?)\s*\)")


class _Piece(NamedTuple):
    """A token: its kind, which is its text for single characters, and its place in the body.

    word: the parentheses behind a role, if it has any.
    """

    kind: str
    text: str
    word: str
    row: int
    column: int


def read_notation(block: Block, nodes: Nodes) -> None:
    """Add the graph of *block* to *nodes*. Raises `GraphError` with the place of a fault."""
    _TextReader(block, nodes).read()


class _TextReader:
    """Reads token by token, without recursion, since graphs may be deep."""

    def __init__(self, block: Block, nodes: Nodes) -> None:
        self._block = block
        self._nodes = nodes
        self._tokens = [*_tokens(block.body)]
        self._next = 0
        self._words = words_by_place(block.metadata)

    def read(self) -> None:
        first = self._take("(")
        root = self._open()
        self._nodes.tops.append(root)
        opened = [(root, first)]
        while opened:
            token = self._token()
            if token is None:
                self._fail("this parenthesis is not closed", opened[-1][1])
            self._next += 1
            if token.kind == ")":
                opened.pop()
            elif token.kind == _ROLE:
                opening = self._token()
                target = self._target(token)
                self._relate(opened[-1][0], token, target)
                if opening is not None and opening.kind == "(":
                    opened.append((target, opening))
            else:
                self._fail(f"found {token.text!r}, expected a role or )", token)
        rest = self._token()
        if rest is not None:
            self._fail("text after the graph", rest)

    def _open(self) -> str:
        """Return the node whose identifier comes next, and read its concept."""
        identifier = self._take(_SYMBOL)
        self._take("/")
        concept = self._concept() or self._fail(f"{identifier.text} has no concept", identifier)
        line = self._block.body_line + identifier.row
        if IDENTIFIER.fullmatch(concept):
            name = self._nodes.node(identifier.text, self._said(identifier.text) or concept, line)
            self._nodes.corefer(name, concept, line)
            return name
        return self._nodes.node(identifier.text, "".join(self._parts()) or concept, line)

    def _concept(self) -> str:
        """Return all that comes next in a line and may belong to a concept; perhaps nothing."""
        said: list[str] = []
        row = None
        while (token := self._token()) is not None and token.kind in (_STRING, _SYMBOL):
            if said and token.row != row:
                break
            row = token.row
            said.append(token.text.strip('"'))
            self._next += 1
        return "".join(said)

    def _parts(self) -> Iterator[str]:
        """Yield the parts of a name, as far as they come next: ``:op1 x1/王``."""
        while [token.kind for token in self._tokens[self._next : self._next + 3]] == [
            _ROLE,
            _SYMBOL,
            "/",
        ]:
            self._next += 3
            yield self._concept()

    def _said(self, identifier: str) -> str:
        """Return the words of the sentence at the places of an identifier, as far as known."""
        said = []
        for place in places(identifier):
            number, _, character = place.partition(".")
            word = self._words.get(int(number), "")
            said.append(word[int(character) - 1 : int(character)] if character else word)
        return "".join(said)

    def _target(self, role: _Piece) -> str:
        token = self._token()
        if token is None or token.kind not in ("(", _SYMBOL, _STRING):
            self._fail(f":{role.text} has no value", role)
        self._next += 1
        return self._open() if token.kind == "(" else token.text.strip('"')

    def _relate(self, source: str, role: _Piece, target: str) -> None:
        word = ""
        if role.word.strip("( )"):
            said = _WORD.fullmatch(role.word)
            if said is None:
                self._fail(f"found {role.word!r}, expected a place and a word: (x4/把)", role)
            word = "/".join(text.strip('"') for text in said.groups())
        self._nodes.relate(source, role.text, target, self._block.body_line + role.row, word)

    def _token(self) -> _Piece | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _take(self, kind: str) -> _Piece:
        token = self._token()
        what = "the identifier of a node" if kind == _SYMBOL else kind
        if token is None:
            self._fail(f"the graph ends here, expected {what}", self._tokens[-1])
        if token.kind != kind:
            self._fail(f"found {token.text!r}, expected {what}", token)
        self._next += 1
        return token

    def _fail(self, reason: str, token: _Piece) -> NoReturn:
        raise self._block.error_at(reason, token.row, token.column)


def _tokens(body: str) -> Iterator[_Piece]:
    for row, line in enumerate(body.split("\n")):
        for found in _TOKEN.finditer(line):
            kind = found.lastgroup if found["role"] is None else _ROLE
            text = found[kind] if kind else found[0]
            yield _Piece(kind or text, text, found["word"] or "", row, found.start())
