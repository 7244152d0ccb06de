# cython: language_level=3
"""Read well-formed PENMAN in one pass.

A text that is not understood to the last character is left to `exactmatch.graphs.readers.penman`,
which reports the fault and its place.
"""

import re
from typing import Any

import cython

from exactmatch.graphs.graph import CONCEPT, Constant, Triple, Variable

#: The tokens of a graph, as in `exactmatch.graphs.readers.penman_parser`; the first character tells
#: the kind. The pattern is fast when interpreted; `_cut` is fast when compiled.
_TOKENS = (
    r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r'|"[\s\S]*'  # A string without end: the last token of a graph is another. It is sought once.
    r'|[^ \t\r\n\v\f"()/:~]+'
    r'|:[^ \t\r\n\v\f"()/:~]*'
    r"|~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*"
    r"|[^ \t\r\n\v\f]"
)

_SYMBOL = cython.declare(cython.int, 0)
_STRING = cython.declare(cython.int, 1)
_ROLE = cython.declare(cython.int, 2)
_MARK = cython.declare(cython.int, 3)
_OPEN = cython.declare(cython.int, 4)
_CLOSE = cython.declare(cython.int, 5)
_SLASH = cython.declare(cython.int, 6)
_NOTHING = cython.declare(cython.int, 7)

#: Relations, variables and constants seen so far, each made once; the cache has this limit.
_MOST_KNOWN = cython.declare(cython.Py_ssize_t, 10_000)
_relations = cython.declare(dict, {})
_variables = cython.declare(dict, {})
_constants = cython.declare(dict, {})
_NO_MARKS = cython.declare(tuple, ("", ""))
_TRIPLE = cython.declare(object, Triple)
#: Faster than the constructors of named tuples.
_make = cython.declare(object, tuple.__new__)


def read_well_formed(text: str) -> tuple[dict[str, str], tuple[Triple, ...]] | None:
    """Return the variables and the triples of the graph *text*; None if in doubt.

    A text with a ``#`` is in doubt, since it may have comments.
    """
    if "#" in text:
        return None
    for known in (_relations, _variables, _constants):
        if len(known) > _MOST_KNOWN:
            known.clear()
    graph = _Scan(_cut(text) if cython.compiled else re.findall(_TOKENS, text))
    return (graph.variables, tuple(graph.triples)) if graph.read() else None


@cython.cfunc
@cython.boundscheck(False)
@cython.wraparound(False)
def _cut(text: str) -> list[str]:
    """Return the tokens of *text*."""
    tokens: list[str] = []
    end: cython.Py_ssize_t = len(text)
    start: cython.Py_ssize_t = 0
    while start < end:
        first: cython.Py_UCS4 = text[start]
        stop: cython.Py_ssize_t = start + 1
        if first in " \t\r\n\v\f":
            start = stop
            continue
        if first == '"':
            stop = _string_end(text, start, end)
            if stop == start + 1:
                return ['"']  # a string without end, which is not well-formed, is sought once
        elif first == "~":
            stop = _mark_end(text, start, end)
        elif first not in "()/":
            while stop < end and text[stop] not in ' \t\r\n\v\f"()/:~':
                stop += 1
        tokens.append(text[start:stop])
        start = stop
    return tokens


@cython.cfunc
@cython.boundscheck(False)
@cython.wraparound(False)
def _string_end(text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the end of the string that starts at *start*; a string without end is its quote."""
    i: cython.Py_ssize_t = start + 1
    while i < end and text[i] != "\n":
        if text[i] == '"':
            return i + 1
        i += 1
        if text[i - 1] == "\\":
            if i == end or text[i] == "\n":
                break
            i += 1
    return start + 1


@cython.cfunc
@cython.boundscheck(False)
@cython.wraparound(False)
def _mark_end(text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the end of the mark that starts at *start*; if there is none, of the tilde."""
    i: cython.Py_ssize_t = start + 1
    if i < end and "a" <= text[i] <= "z":
        i += 1
        if i < end and text[i] == ".":
            i += 1
    found: cython.Py_ssize_t = start + 1
    while i < end and "0" <= text[i] <= "9":
        i += 1
        found = i
        if i + 1 < end and text[i] == "," and "0" <= text[i + 1] <= "9":
            i += 1
    return found


@cython.cfunc
def _kind(token: str) -> cython.int:
    """Return the kind of a token; a quote or a tilde alone has none."""
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
    """A pass over the tokens of a graph: its position, and its results."""

    tokens: list[str]
    next: cython.Py_ssize_t
    end: cython.Py_ssize_t
    opened: list[Any]  # the variables whose descriptions are open, outermost first
    variables: dict[str, str]
    triples: list[Any]
    unsure: list[cython.Py_ssize_t]  # triples whose constant may turn out to be a variable

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.end = len(tokens)
        tokens.append("/")  # an invalid token: so the end needs no check
        self.next = 0
        self.opened = []
        self.variables = {}
        self.triples = []
        self.unsure = []

    def read(self) -> bool:
        """Read the tokens; tell whether they are one graph and nothing else."""
        if self._follows() != _OPEN or not self._begin():
            return False
        while len(self.opened) > 0:
            if self._follows() == _CLOSE:
                self.next += 1
                self.opened.pop()
            elif not self._read_edge():
                return False
        self._make_sure()
        return self.next == self.end

    @cython.cfunc
    def _follows(self) -> cython.int:
        return _kind(self.tokens[self.next])

    @cython.cfunc
    def _mark(self) -> str:
        """Return the surface alignment mark that follows, or ""."""
        if self._follows() != _MARK:
            return ""
        self.next += 1
        token: str = self.tokens[self.next - 1]
        return token

    @cython.cfunc
    def _add(self, source: Any, relation: str, argument: Any, marks: tuple[str, str]) -> None:
        self.triples.append(_make(_TRIPLE, (relation, (source, argument), marks)))

    @cython.cfunc
    def _begin(self) -> cython.bint:
        """Read a parenthesis, a variable, a slash and a concept."""
        i: cython.Py_ssize_t = self.next
        if i + 4 > self.end or _kind(self.tokens[i + 1]) != _SYMBOL:
            return False
        name: str = self.tokens[i + 1]
        kind: cython.int = _kind(self.tokens[i + 3])
        is_new: cython.bint = name not in self.variables
        is_concept: cython.bint = kind in (_SYMBOL, _STRING)
        if not is_new or not is_concept or _kind(self.tokens[i + 2]) != _SLASH:
            return False
        self.variables[name] = ""
        variable: Any = _variable(name)
        self.opened.append(variable)
        self.next = i + 4
        mark: str = self._mark()
        marks = ("", mark) if mark else _NO_MARKS
        self._add(variable, CONCEPT, _constant(self.tokens[i + 3]), marks)
        return True

    @cython.cfunc
    def _read_edge(self) -> cython.bint:
        """Read a role and its value: a graph, up to its concept, or a constant."""
        if self._follows() != _ROLE:
            return False
        relation: str = _relation(self.tokens[self.next])
        source: Any = self.opened[len(self.opened) - 1]
        self.next += 1
        mark: str = self._mark()
        kind: cython.int = self._follows()
        if kind == _OPEN:
            if self.next + 1 >= self.end:
                return False
            marks = (mark, "") if mark else _NO_MARKS
            self._add(source, relation, _variable(self.tokens[self.next + 1]), marks)
            return self._begin()
        if kind not in (_SYMBOL, _STRING):
            return False
        target: str = self.tokens[self.next]
        self.next += 1
        after: str = self._mark()
        marks = (mark, after) if mark or after else _NO_MARKS
        if target in self.variables:
            self._add(source, relation, _variable(target), marks)
            return True
        if kind == _SYMBOL:
            self.unsure.append(len(self.triples))
        self._add(source, relation, _constant(target), marks)
        return True

    @cython.cfunc
    def _make_sure(self) -> None:
        """Turn constants into variables, now that the names of all variables are known."""
        i: cython.Py_ssize_t
        for i in self.unsure:
            relation, (source, constant), marks = self.triples[i]
            if constant[0] in self.variables:
                variable = _variable(constant[0])
                self.triples[i] = Triple(relation, (source, variable), marks)


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


@cython.cfunc
def _constant(text: str) -> Any:
    constant: Any = _constants.get(text)
    if constant is None:
        constant = _constants[text] = Constant(text)
    return constant
