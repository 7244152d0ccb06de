# cython: language_level=3
"""Well-formed PENMAN, read in one pass.

What this does not understand to the last character it leaves to `exactmatch.readers.penman`, which
says what is wrong, and where.
"""

import re
from typing import Any

import cython

from exactmatch.graph import CONCEPT, Constant, Triple, Variable

#: The tokens of a graph, as in `exactmatch.readers.penman`; each is told by its first character.
_TOKENS = re.compile(
    r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r'|[^ \t\r\n\v\f"()/:~]+'
    r'|:[^ \t\r\n\v\f"()/:~]*'
    r"|~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*"
    r"|[^ \t\r\n\v\f]"
).findall

_SYMBOL = cython.declare(cython.int, 0)
_STRING = cython.declare(cython.int, 1)
_ROLE = cython.declare(cython.int, 2)
_MARK = cython.declare(cython.int, 3)
_OPEN = cython.declare(cython.int, 4)
_CLOSE = cython.declare(cython.int, 5)
_SLASH = cython.declare(cython.int, 6)
_NOTHING = cython.declare(cython.int, 7)

#: Relations, variables and constants that have been seen, each made once; no more than these.
_MOST_KNOWN = cython.declare(cython.Py_ssize_t, 10_000)
_relations: dict[str, str] = {}
_variables: dict[str, Variable] = {}
_constants: dict[str, Constant] = {}
_NO_MARKS = ("", "")


def read_well_formed(text: str) -> tuple[dict[str, str], tuple[Triple, ...]] | None:
    """Return the variables and the triples of the graph that *text* is, None if in doubt.

    A text with a ``#`` is in doubt: it may have comments.
    """
    if "#" in text:
        return None
    for known in (_relations, _variables, _constants):
        if len(known) > _MOST_KNOWN:
            known.clear()
    graph = _Scan(_TOKENS(text))
    return (graph.variables, tuple(graph.triples())) if graph.read() else None


@cython.cfunc
def _kind(token: str) -> cython.int:
    """Return what a token is; a quote or a tilde that stands alone is nothing."""
    first = token[0]
    if first == ":":
        return _ROLE
    if first == "(":
        return _OPEN
    if first == ")":
        return _CLOSE
    if first == "/":
        return _SLASH
    if first == '"':
        return _STRING if len(token) > 1 else _NOTHING
    if first == "~":
        return _MARK if len(token) > 1 else _NOTHING
    return _SYMBOL


@cython.cclass
class _Scan:
    """A pass over the tokens of a graph: how far it is, and what it has found."""

    tokens: list[str]
    next: cython.Py_ssize_t
    end: cython.Py_ssize_t
    opened: list[str]  # the variables that are being described, outermost first
    edges: list[Any]  # source, relation, target, and the marks of the last two, if any
    variables: dict[str, str]

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.end = len(tokens)
        tokens.append("/")  # nothing that could follow: so the end needs not be looked for
        self.next = 0
        self.opened = []
        self.edges = []
        self.variables = {}

    def read(self) -> bool:
        """Read the tokens; tell whether they are a graph, and nothing else."""
        if self._follows() != _OPEN or not self._begin():
            return False
        while len(self.opened) > 0:
            if self._follows() == _CLOSE:
                self.next += 1
                self.opened.pop()
            elif not self._read_edge():
                return False
        return self.next == self.end

    def triples(self) -> list[Triple]:
        """Return the triples, now that it is known which names are those of variables."""
        make: Any = tuple.__new__  # faster than the constructors of named tuples
        found: list[Any] = []
        source: str
        relation: str
        target: str
        for source, relation, target, marks in self.edges:
            argument: Any = None
            if relation is not CONCEPT and target in self.variables:
                argument = _variable(target)
            else:
                argument = _constants.get(target)
                if argument is None:
                    argument = _constants[target] = Constant(target)
            found.append(make(Triple, (relation, (_variable(source), argument), marks)))
        return found

    @cython.cfunc
    def _follows(self) -> cython.int:
        return _kind(self.tokens[self.next])

    @cython.cfunc
    def _mark(self) -> str:
        """Return the surface alignment mark that follows, and "" if there is none."""
        if self._follows() != _MARK:
            return ""
        self.next += 1
        token: str = self.tokens[self.next - 1]
        return token

    @cython.cfunc
    def _begin(self) -> cython.bint:
        """Read a parenthesis, a variable, a slash and a concept."""
        i: cython.Py_ssize_t = self.next
        if i + 4 > self.end or _kind(self.tokens[i + 1]) != _SYMBOL:
            return False
        variable: str = self.tokens[i + 1]
        kind: cython.int = _kind(self.tokens[i + 3])
        is_new: cython.bint = variable not in self.variables
        is_concept: cython.bint = kind in (_SYMBOL, _STRING)
        if not is_new or not is_concept or _kind(self.tokens[i + 2]) != _SLASH:
            return False
        self.variables[variable] = ""
        self.opened.append(variable)
        self.next = i + 4
        mark: str = self._mark()
        marks = ("", mark) if mark else _NO_MARKS
        self.edges.append((variable, CONCEPT, self.tokens[i + 3], marks))
        return True

    @cython.cfunc
    def _read_edge(self) -> cython.bint:
        """Read a role and what follows it: a graph, up to its concept, or a constant."""
        if self._follows() != _ROLE:
            return False
        relation: str = _relation(self.tokens[self.next])
        source: str = self.opened[len(self.opened) - 1]
        self.next += 1
        mark: str = self._mark()
        kind: cython.int = self._follows()
        if kind == _OPEN:
            if self.next + 1 >= self.end:
                return False
            marks = (mark, "") if mark else _NO_MARKS
            self.edges.append((source, relation, self.tokens[self.next + 1], marks))
            return self._begin()
        if kind not in (_SYMBOL, _STRING):
            return False
        target: str = self.tokens[self.next]
        self.next += 1
        after: str = self._mark()
        marks = (mark, after) if mark or after else _NO_MARKS
        self.edges.append((source, relation, target, marks))
        return True


@cython.cfunc
def _relation(role: str) -> str:
    relation: Any = _relations.get(role)
    if relation is None:
        relation = _relations[role] = role[1:]
    return relation


@cython.cfunc
def _variable(name: str) -> Any:
    variable: Any = _variables.get(name)
    if variable is None:
        variable = _variables[name] = Variable(name)
    return variable
