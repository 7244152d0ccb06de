"""The sentences to which each node of a document AMR belongs.

A document in PENMAN notation has the roots of its sentences under ``:snt1``, ``:snt2`` ... of its
root. A node that sentences have in common, as what they say is about the same, belongs to several.

Two rules tell what belongs to a sentence. The plain one: what is reached from its root along edges
as they are written; ``coref``, ``part`` and ``subset``, which may lead from one sentence to
another, lead only to nodes that are reached from no root without them. And that of docSmatch
(Naseem et al. 2022, *DocAMR: Multi-Sentence AMR Representation and Evaluation*, NAACL;
``docSmatch/amr.py`` of IBM/docAMR), which follows inverse roles, ``part`` and ``subset`` in both
directions, and ``coref`` backwards; forwards only to what nothing else leads to.

The numbers of two documents have to agree, unless their sentences are paired by their order.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from exactmatch.errors import InputError
from exactmatch.graphs.graph import CONCEPT, Graph, Variable

#: What tells which sentences a node belongs to, and which sentences go together.
Rule = Literal["aligned", "aligned-by-order", "aligned-docsmatch"]

#: Numbers of more digits are none.
_SENTENCE = re.compile(r"snt(\d{1,9})", re.IGNORECASE | re.ASCII)
#: What leads from one sentence to another.
BETWEEN = frozenset({"coref", "part", "subset"})
#: Roles that end in -of and are no inverses.
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})
#: The key of the root of the document.
ROOT = "root"


class Arc(NamedTuple):
    """A triple of two variables, its role as written."""

    role: str
    source: str
    target: str


def sentence_sets(graph: Graph, rule: Rule) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of each variable; the root of a document is in one of its own.

    A graph that is no document is one sentence, that of roots; by order, it is the first one.
    Raises `InputError` if two sentences have one number.
    """
    edges = edges_of(graph)
    roots = _roots(graph, edges)
    if not roots:
        return _of_one_sentence(graph, rule)
    top = graph.tops[0]
    if rule == "aligned-docsmatch":
        steps = _as_docsmatch(edges, top, graph.variables)
    else:
        steps = _as_written([edge for edge in edges if edge.source != top], roots.values())
    keys_of: defaultdict[str, list[str]] = defaultdict(list)
    keys_of[top].append(ROOT)
    for place, number in enumerate(sorted(roots), start=1):
        key = str(place if rule == "aligned-by-order" else number)
        for variable in _reached(roots[number], steps):
            keys_of[variable].append(key)
    return {variable: tuple(keys_of.get(variable, ())) for variable in graph.variables}


def sentence_numbers(graph: Graph) -> list[int]:
    """Return the numbers of the sentences of a document, ascending; none if it is none.

    Raises `InputError` if two sentences have one number.
    """
    return sorted(_roots(graph, edges_of(graph)))


def edges_of(graph: Graph) -> list[Arc]:
    """Return the triples of two variables, as written."""
    return [
        Arc(relation, arguments[0][0], arguments[1].name)
        for relation, arguments, _ in graph.triples
        if relation != CONCEPT and isinstance(arguments[1], Variable)
    ]


def is_between(role: str) -> bool:
    """Tell whether a role, or its inverse, may lead from one sentence to another."""
    return role.lower().removesuffix("-of") in BETWEEN


def _of_one_sentence(graph: Graph, rule: Rule) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of the variables of what is no document."""
    if rule != "aligned-by-order":
        return dict.fromkeys(graph.variables, (ROOT,))
    first = dict.fromkeys(graph.variables, ("1",))
    return {**first, **dict.fromkeys(graph.tops[:1], (ROOT, "1"))}


def _roots(graph: Graph, edges: Iterable[Arc]) -> dict[int, str]:
    """Return the roots of the sentences by their numbers."""
    roots: dict[int, str] = {}
    for role, source, target in edges:
        named = _SENTENCE.fullmatch(role)
        if named is not None and source in graph.tops[:1]:
            number = int(named[1])
            if number in roots:
                where = f"{graph.location.source}:{graph.location.line}"
                raise InputError(f"{where}: two sentences of a document are called :snt{number}")
            roots[number] = target
    return roots


_Steps = Mapping[str, list[str]]


def _as_written(edges: Iterable[Arc], starts: Iterable[str]) -> _Steps:
    """Return where edges lead from *starts* as they are written.

    What other edges lead to is known before any that lead from one sentence to another count, so
    that neither their order nor the length of a path makes a difference.
    """
    ways = defaultdict(list)
    between = []
    for edge in edges:
        if is_between(edge.role):
            between.append(edge)
        else:
            ways[edge.source].append(edge.target)
    led_to = {node for start in starts for node in _reached(start, ways)}
    for _, source, target in between:
        if target not in led_to:
            ways[source].append(target)
    return ways


def _as_docsmatch(edges: Iterable[Arc], top: str, variables: Iterable[str]) -> _Steps:
    """Return where docSmatch goes from each node.

    Of several ``coref`` that lead to a node, the first counts: in the order of the *variables* from
    which they lead, as the program goes through them, however they are written.
    """
    ways = defaultdict(list)
    corefs = []
    for (role, source, target), is_inverse in map(_turned_round, edges):
        if role == "coref":
            corefs.append((source, target))
        elif role != "domain" or not is_inverse:
            ways[source].append(target)
        if is_inverse or role in BETWEEN:
            ways[target].append(source)
    places = {variable: place for place, variable in enumerate(variables)}
    below = {*_reached(top, ways)}
    for source, target in sorted(corefs, key=lambda coref: places[coref[0]]):
        if target not in below and source in below:
            ways[source].append(target)
            below.update(_reached(target, ways))
    return ways


def _turned_round(edge: Arc) -> tuple[Arc, bool]:
    """Return an edge as smatch 1.0.4 has it, and whether it is written the other way round."""
    role, source, target = edge
    if role == "mod":
        return Arc("domain", target, source), True
    if role.endswith("-of") and role not in _NO_INVERSES:
        return Arc(role[:-3], target, source), True
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
