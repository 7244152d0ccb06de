"""The sentences to which each node of a document AMR belongs.

A document in PENMAN notation has the roots of its sentences under ``:snt1``, ``:snt2`` ... of its
root. A node that sentences have in common, as what they say is about the same, belongs to several.

Two rules tell what belongs to a sentence. The plain one: what is reached from its root along edges
as they are written; ``coref``, ``part`` and ``subset``, which may lead from one sentence to
another, lead only to what nothing else leads to. And that of docSmatch (Naseem et al. 2022,
*DocAMR: Multi-Sentence AMR Representation and Evaluation*, NAACL; ``docSmatch/amr.py`` of
IBM/docAMR), which follows inverse roles, ``part`` and ``subset`` in both directions, and ``coref``
backwards; forwards only to what nothing else leads to.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from exactmatch.errors import InputError
from exactmatch.graph import CONCEPT, Graph, Variable

Rule = Literal["aligned", "aligned-docsmatch"]

#: Numbers of more digits are none.
_SENTENCE = re.compile(r"snt(\d{1,9})", re.IGNORECASE | re.ASCII)
#: What leads from one sentence to another.
_BETWEEN = frozenset({"coref", "part", "subset"})
#: Roles that end in -of and are no inverses.
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})
#: The key of the root of the document.
_ROOT = "root"


class _Arc(NamedTuple):
    role: str
    source: str
    target: str


def sentence_sets(graph: Graph, rule: Rule) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of each variable; the root of a document is in one of its own.

    A graph that is no document is one sentence, that of roots. Raises `InputError` if two sentences
    have one number.
    """
    edges = [
        _Arc(relation, arguments[0][0], arguments[1].name)
        for relation, arguments, _ in graph.triples
        if relation != CONCEPT and isinstance(arguments[1], Variable)
    ]
    roots = _roots(graph, edges)
    if not roots:
        return dict.fromkeys(graph.variables, (_ROOT,))
    top = graph.tops[0]
    within = [edge for edge in edges if edge.source != top]
    starts = [*roots.values()]
    steps = _as_written(within, starts) if rule == "aligned" else _as_docsmatch(edges, top)
    found: defaultdict[str, list[str]] = defaultdict(list)
    found[top].append(_ROOT)
    for number in sorted(roots):
        for variable in _reached(roots[number], steps):
            found[variable].append(str(number))
    return {variable: tuple(found.get(variable, ())) for variable in graph.variables}


def _roots(graph: Graph, edges: Iterable[_Arc]) -> dict[int, str]:
    """Return the roots of the sentences by their numbers."""
    found: dict[int, str] = {}
    for role, source, target in edges:
        named = _SENTENCE.fullmatch(role)
        if named is not None and source in graph.tops[:1]:
            number = int(named[1])
            if number in found:
                where = f"{graph.location.source}:{graph.location.line}"
                raise InputError(f"{where}: two sentences of a document are called :snt{number}")
            found[number] = target
    return found


_Steps = Mapping[str, list[str]]


def _as_written(edges: Iterable[_Arc], starts: Iterable[str]) -> _Steps:
    """Return where edges lead from *starts* as they are written."""
    found = defaultdict(list)
    between = []
    for edge in edges:
        if edge.role.lower().removesuffix("-of") in _BETWEEN:
            between.append(edge)
        else:
            found[edge.source].append(edge.target)
    seen = {node for start in starts for node in _reached(start, found)}
    waiting = between
    while waiting:
        leading = [edge for edge in waiting if edge.source in seen]
        if not leading:
            break
        waiting = [edge for edge in waiting if edge.source not in seen]
        for _, source, target in leading:
            if target not in seen:
                found[source].append(target)
                seen.update(_reached(target, found))
    return found


def _as_docsmatch(edges: Iterable[_Arc], top: str) -> _Steps:
    """Return where docSmatch goes from each node."""
    found = defaultdict(list)
    corefs = []
    for (role, source, target), is_inverse in map(_turned, edges):
        if role == "coref":
            corefs.append((source, target))
        elif role != "domain" or not is_inverse:
            found[source].append(target)
        if is_inverse or role in _BETWEEN:
            found[target].append(source)
    for source, target in corefs:
        below = set(_reached(top, found))
        if target not in below and source in below:
            found[source].append(target)
    return found


def _turned(edge: _Arc) -> tuple[_Arc, bool]:
    """Return an edge as smatch 1.0.4 has it, and whether it is written the other way round."""
    role, source, target = edge
    if role == "mod":
        return _Arc("domain", target, source), True
    if role.endswith("-of") and role not in _NO_INVERSES:
        return _Arc(role[:-3], target, source), True
    return edge, False


def _reached(start: str, steps: _Steps) -> Iterator[str]:
    """Yield what is reached from a node, itself first."""
    seen = {start}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        yield node
        for other in steps.get(node, ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
