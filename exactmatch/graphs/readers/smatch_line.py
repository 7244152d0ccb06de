"""Read a line as smatch 1.0.4 does, whose reader is no PENMAN reader.

Spaces count only after a role, only the first word of a value counts, a closing quote leaves an
underscore, and text out of place becomes part of the next name. Other blanks (tabs, no-break
spaces) divide a role from its value, and are letters of names and concepts.
"""

import re
from typing import NamedTuple

#: The marks that divide a line.
_MARKS = re.compile(r'([ "():/])')
#: All blanks but the space, as `str.split` has them.
_ODD_BLANK = re.compile(
    "[\t\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
)
#: A surface alignment mark apart from its word, which smatch takes for another word.
_APART = " ~"
#: A role without name, which smatch drops or refuses.
_NAMELESS = re.compile(r":(?=[ (]|$)")
#: The same in UTF-8, in a line that is no comment.
_NAMELESS_BYTES = re.compile(rb"^[^#\n]*:[ (\r\n]", re.MULTILINE)
#: Those of ASCII.
_IN_ASCII = "\t\v\f\x1c\x1d\x1e\x1f"
#: The same in UTF-8.
_ODD_BYTES = re.compile(
    rb"[\t\v\f\x1c-\x1f]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f"
    rb"|\xe3\x80\x80"
)


class MalformedError(Exception):
    """The line holds no AMR."""


class LineEdge(NamedTuple):
    """A role with its ends as written.

    is_known: whether the target was the name of a node, with its concept, when it was read.
    """

    source: str
    role: str
    target: str
    is_known: bool


def odd_blanks_in(data: bytes) -> bool:
    """Tell whether a text has blanks other than spaces and line feeds, or one before a mark.

    A role without name counts, too: a blank or a parenthesis is where its name should be.
    """
    if _APART.encode() in data:
        return True
    if any(map(data.__contains__, (b": ", b":(", b":\n", b":\r"))) and _NAMELESS_BYTES.search(data):
        return True
    is_plain = data.isascii() and not any(blank.encode() in data for blank in _IN_ASCII)
    return not is_plain and _ODD_BYTES.search(data) is not None


def joined_line(body: str) -> str:
    """Return the text of a graph in one line, as smatch joins it."""
    return "".join(line.strip() for line in body.split("\n"))


def is_split_otherwise(body: str) -> bool:
    """Tell whether smatch may split the text of a graph at other places than penman.

    Blanks of ASCII at the ends of lines mean the same to both, and so do marks beside their words.
    """
    lines = (line.strip(" \t\r\v\f") for line in body.split("\n"))
    return any(
        _APART in line or _ODD_BLANK.search(line) or _NAMELESS.search(line) for line in lines
    )


class LineReader:
    """The state of reading a line: the nodes so far, and the text since the last mark.

    names, concepts: the names of nodes in order, and their concepts. edges: the roles.
    after: the last mark; "" at the beginning, and after the end of a node.
    role: the role of the node that was opened and has no name yet.
    opened: the names of the open nodes, outermost first.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.concepts: dict[str, str] = {}
        self.edges: list[LineEdge] = []
        self.opened: list[str] = []
        self.text: list[str] = []
        self.role = ""
        self.after = ""

    def read(self, line: str) -> None:
        """Read a line.

        Raises `MalformedError` where smatch refuses the line, and `IndexError` where it crashes.
        """
        act = {"(": self._open, ":": self._begin_role, "/": self._name, ")": self._close}
        is_quoted = False
        for piece in _MARKS.split(line):
            if piece == '"':
                if is_quoted:
                    self.text.append("_")
                is_quoted = not is_quoted
            elif piece == " ":
                if self.after == ":":
                    self.text.append(piece)
            elif is_quoted or piece not in act:
                self.text.append(piece)
            else:
                act[piece]()
                self.after = "" if piece == ")" else piece
        unnamed = next((name for name in self.names if name not in self.concepts), None)
        if unnamed is not None:
            raise MalformedError(f"no concept of {unnamed}")

    def _taken(self) -> str:
        """Return the text since the last mark, and clear it."""
        text = "".join(self.text)
        self.text = []
        return text

    def _open(self) -> None:
        if self.after == ":":
            if self.role:
                raise MalformedError("two roles of one node")
            self.role = self._taken().strip()

    def _begin_role(self) -> None:
        self._end_value()

    def _name(self) -> None:
        if self.after != "(":
            raise MalformedError("a slash without a name before it")
        name = self._taken()
        if name in self.concepts:
            raise MalformedError(f"two nodes called {name}")
        self.opened.append(name)
        self.names.append(name)
        if self.role:
            self.edges.append(LineEdge(self.opened[-2], self.role, name, is_known=True))
            self.role = ""

    def _close(self) -> None:
        if not self.opened:
            raise MalformedError("a closing parenthesis without an opening one")
        self._end_value()
        self.opened.pop()
        self.role = ""

    def _end_value(self) -> None:
        """Take the concept or the constant that ends here, if there is one."""
        if self.after == "/":
            self.concepts[self.opened[-1]] = self._taken()
        elif self.after == ":":
            role, *values = self._taken().split()[:2] or [""]
            if not values:
                raise MalformedError(f"a role without a value {role}")
            if not self.opened:
                raise MalformedError(f"a role {role} without a node")
            is_known = values[0] in self.concepts
            self.edges.append(LineEdge(self.opened[-1], role, values[0], is_known))
