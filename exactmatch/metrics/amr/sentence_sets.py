"""The sentences of each node of an AMR document.

A document in PENMAN notation has the roots of its sentences under ``:snt1``, ``:snt2`` ... of its
root. A node that several sentences mention belongs to all of them.

Two rules decide which nodes belong to a sentence. The plain rule: nodes that are reached from its
root along edges as written. ``coref``, ``part`` and ``subset``, which may lead from one sentence to
another, only lead to nodes that no root reaches without them. The rule of docSmatch (Naseem et al.
2022, *DocAMR: Multi-Sentence AMR Representation and Evaluation*, NAACL; ``docSmatch/amr.py`` of
IBM/docAMR): it follows inverse roles, ``part`` and ``subset`` in both directions, and ``coref``
backwards; forwards only to nodes without other relations to them.

The sentence numbers of two documents have to agree, unless their sentences are paired by order.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from exactmatch.errors import InputError
from exactmatch.graphs.graph import CONCEPT, Graph, Variable
from exactmatch.metrics.reaching import reaching

#: The rule for the sentences of a node, and for pairing sentences.
Rule = Literal["aligned", "aligned-by-order", "aligned-docsmatch"]

#: Longer numbers are no sentence numbers.
_SENTENCE = re.compile(r"snt(\d{1,9})", re.IGNORECASE | re.ASCII)
#: Roles that lead from one sentence to another.
BETWEEN = frozenset({"coref", "part", "subset"})
#: Roles that end in -of and are not inverses.
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

    A graph that is no document is a single sentence, that of roots; by order, it is the first one.
    Raises `InputError` if two sentences have the same number.
    """
    bits, numbers = sentence_bits(graph, rule)
    if not numbers:
        return _of_one_sentence(graph, rule)
    if rule == "aligned-by-order":
        numbers = range(1, len(numbers) + 1)
    names = (ROOT, *map(str, numbers))
    # Many nodes may be in the same sentences, and these many.
    keys = {of_some: _names_at(of_some, names) for of_some in dict.fromkeys(bits.values())}
    return {variable: keys[of_some] for variable, of_some in bits.items()}


def sentence_bits(graph: Graph, rule: Rule) -> tuple[Mapping[str, int], Sequence[int]]:
    """Return the sentences of each variable as the bits of a number, and all sentence numbers.

    Bit 0 is that of the root of the document, bit 1 that of the first number, and so on. No bits
    are set in a graph that is no document. Raises `InputError` as `sentence_sets` does.
    """
    edges = edges_of(graph)
    roots = _roots(graph, edges)
    if not roots:
        return dict.fromkeys(graph.variables, 0), ()
    top = graph.tops[0]
    if rule == "aligned-docsmatch":
        steps = _as_docsmatch(edges, top, graph.variables)
    else:
        steps = _as_written([edge for edge in edges if edge.source != top], roots.values())
    numbers = sorted(roots)
    found = reaching([roots[number] for number in numbers], steps)
    bits = {variable: found.get(variable, 0) << 1 for variable in graph.variables}
    return {**bits, top: bits[top] | 1}, numbers


def sentence_numbers(graph: Graph) -> list[int]:
    """Return the sentence numbers of a document, ascending; none if the graph is no document.

    Raises `InputError` if two sentences have the same number.
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
    """Return the sentences of the variables of a graph that is no document."""
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
    """Return the nodes that edges reach from *starts* as written.

    The nodes that other edges reach are found before edges between sentences count, so that neither
    their order nor the length of a path matters.
    """
    ways = defaultdict(list)
    between = []
    for edge in edges:
        if is_between(edge.role):
            between.append(edge)
        else:
            ways[edge.source].append(edge.target)
    led_to: set[str] = set()
    for start in starts:
        _reach(start, ways, led_to)
    for _, source, target in between:
        if target not in led_to:
            ways[source].append(target)
    return ways


def _as_docsmatch(edges: Iterable[Arc], top: str, variables: Iterable[str]) -> _Steps:
    """Return the nodes that docSmatch reaches from each node.

    Of several ``coref`` relations to a node, the first counts: in the order of the *variables* at
    their sources, as in the program, in either direction of writing.
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
    below: set[str] = set()
    _reach(top, ways, below)
    for source, target in sorted(corefs, key=lambda coref: places[coref[0]]):
        if target not in below and source in below:
            ways[source].append(target)
            _reach(target, ways, below)
    return ways


def _turned_round(edge: Arc) -> tuple[Arc, bool]:
    """Return an edge as smatch 1.0.4 reads it, and whether it is written the other way around."""
    role, source, target = edge
    if role == "mod":
        return Arc("domain", target, source), True
    if role.endswith("-of") and role not in _NO_INVERSES:
        return Arc(role[:-3], target, source), True
    return edge, False


def _reach(start: str, steps: _Steps, reached: set[str]) -> None:
    """Add a node and all that steps lead to from it; from *reached* ones, they are known."""
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += steps.get(node, ())


def _names_at(bits: int, names: Sequence[str]) -> tuple[str, ...]:
    """Return the *names* at the places where *bits* are set."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(names[lowest.bit_length() - 1])
        bits ^= lowest
    return tuple(found)
