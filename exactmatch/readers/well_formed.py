# cython: language_level=3
"""Well-formed PENMAN, read in one pass.

What this does not understand to the last character it leaves to `exactmatch.readers.penman`, which
says what is wrong, and where. So it takes comments among the lines of a graph for none of its own.
"""

import re
from typing import Any

import cython

from exactmatch.graph import CONCEPT, Constant, Triple, Variable

#: The tokens of a graph; each is told by its first character. See `exactmatch.readers.penman`.
_TOKENS = re.compile(
    r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r'|[^ \t\r\n\v\f"()/:~][^ \t\r\n\v\f"()/:~]*'
    r'|:[^ \t\r\n\v\f"()/:~]*'
    r"|~(?:[a-z]\.?)?[0-9]+(?:,[0-9]+)*"
    r"|[^ \t\r\n\v\f]"
).findall
#: Roles, variables and constants that have been seen, each made once; not more than these.
_MOST_KNOWN = cython.declare(cython.Py_ssize_t, 10_000)
_roles: dict[str, str] = {}
_variables: dict[str, Variable] = {}
_constants: dict[str, Constant] = {}
_NO_MARKS = ("", "")

_SYMBOL = cython.declare(cython.int, 0)
_STRING = cython.declare(cython.int, 1)
_ROLE = cython.declare(cython.int, 2)
_MARK = cython.declare(cython.int, 3)
_OPEN = cython.declare(cython.int, 4)
_CLOSE = cython.declare(cython.int, 5)
_SLASH = cython.declare(cython.int, 6)
_NONE = cython.declare(cython.int, 7)


@cython.cfunc
@cython.inline
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
        return _STRING if len(token) > 1 else _NONE
    if first == "~":
        return _MARK if len(token) > 1 else _NONE
    return _SYMBOL


def read_well_formed(text: str) -> tuple[dict[str, str], tuple[Triple, ...]] | None:
    """Return the variables and the triples of the graph that *text* is, None if in doubt."""
    if "#" in text:
        return None
    tokens: list = _TOKENS(text)
    tokens.append(")")  # nothing follows the last parenthesis, so that this is never taken
    if len(tokens) < 6 or tokens[0] != "(":
        return None
    return _read(tokens)


@cython.cfunc
def _read(tokens: list) -> Any:
    variables: dict = {}
    found: list = []  # source, relation, target, marks; the target of a concept is a `Constant`
    opened: list = []
    n: cython.Py_ssize_t = len(tokens) - 1
    i: cython.Py_ssize_t = 0
    kind: cython.int
    source: str = ""
    relation: str
    target: str
    mark: str
    while True:
        # A parenthesis is at i: a variable, a slash and a concept follow.
        if i + 3 >= n or _kind(tokens[i + 1]) != _SYMBOL or _kind(tokens[i + 2]) != _SLASH:
            return None
        kind = _kind(tokens[i + 3])
        source, target = tokens[i + 1], tokens[i + 3]
        if source in variables or not (kind == _SYMBOL or kind == _STRING):
            return None
        variables[source] = ""
        opened.append(source)
        i += 4
        mark = ""
        if _kind(tokens[i]) == _MARK:
            mark = tokens[i]
            i += 1
        found.append((source, CONCEPT, target, mark and ("", mark)))
        # Roles with constants or variables, and the ends of graphs within.
        while True:
            kind = _kind(tokens[i])
            if kind == _CLOSE:
                i += 1
                opened.pop()
                if not opened:
                    return (variables, _triples(found, variables)) if i == n else None
                if i >= n:
                    return None
                source = opened[len(opened) - 1]
                continue
            if kind != _ROLE:
                return None
            relation = _roles.get(tokens[i])
            if relation is None:
                relation = _known_role(tokens[i])
            i += 1
            mark = ""
            if _kind(tokens[i]) == _MARK:
                mark = tokens[i]
                i += 1
            kind = _kind(tokens[i])
            target = tokens[i + 1] if kind == _OPEN and i + 1 < n else tokens[i]
            if kind == _OPEN:
                found.append((source, relation, target, mark and (mark, "")))
                break
            if kind != _SYMBOL and kind != _STRING:
                return None
            i += 1
            if _kind(tokens[i]) == _MARK:
                found.append((source, relation, target, (mark, tokens[i])))
                i += 1
            else:
                found.append((source, relation, target, mark and (mark, "")))


@cython.cfunc
def _triples(found: list, variables: dict) -> tuple:
    new = tuple.__new__  # faster than the constructors of named tuples
    triples: list = []
    source: str
    relation: str
    target: str
    if len(_constants) > _MOST_KNOWN:
        _constants.clear()
    if len(_variables) > _MOST_KNOWN:
        _variables.clear()
    for source, relation, target, marks in found:
        subject = _variables.get(source)
        if subject is None:
            subject = _variables[source] = Variable(source)
        if relation is not CONCEPT and target in variables:
            argument = _variables.get(target)
            if argument is None:
                argument = _variables[target] = Variable(target)
        else:
            argument = _constants.get(target)
            if argument is None:
                argument = _constants[target] = Constant(target)
        triples.append(new(Triple, (relation, (subject, argument), marks or _NO_MARKS)))
    return tuple(triples)


@cython.cfunc
def _known_role(token: str) -> str:
    if len(_roles) > _MOST_KNOWN:
        _roles.clear()
    relation = _roles[token] = token[1:]
    return relation
