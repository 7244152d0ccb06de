"""Steps that standardise the notation of an AMR, each from triples to triples.

Inverse roles of the triples have been turned around, so that directions are known. A constant can
then be a source: ``(c :mod-of 5)`` is ``(5 :mod c)``. Triples without a rule stay unchanged.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from exactmatch.graphs.graph import CONCEPT, Argument, Constant, Triple, Variable
from exactmatch.metrics.amr.reifications import Reification

#: The number of a frame's sense (``-01``).
_SENSE = re.compile(r"-[0-9]+$")
_OPERAND = re.compile(r"op[0-9]+")


class Triples(NamedTuple):
    """The variables of a graph, in order, and its triples."""

    variables: Sequence[str]
    triples: Sequence[Triple]


def without_role(graph: Triples, role: str) -> Triples:
    """Leave out the triples with this role."""
    return graph._replace(triples=[t for t in graph.triples if t.relation != role])


def collapsed(graph: Triples, rules: Mapping[str, Reification], tops: Collection[str]) -> Triples:
    """Turn each node that a rule for its concept reads as a role into a triple.

    Such a node is no root, nothing leads to it, and it has one triple of each of the two roles of
    its rule, and no other. All of them are found before any is collapsed, so a node that could only
    be collapsed after another stays. So does one between two constants.
    """
    kept = frozenset(tops)
    around: defaultdict[str, list[Triple]] = defaultdict(list)
    for triple in graph.triples:
        for name in {end.name for end in triple.arguments if isinstance(end, Variable)}:
            around[name].append(triple)
    edges = {
        name: edge
        for name in graph.variables
        if name not in kept and (edge := _edge(name, around[name], rules)) is not None
    }
    variables = [name for name in graph.variables if name not in edges]
    return Triples(variables, list(_with_edges(graph.triples, edges)))


def expanded(graph: Triples, rules: Mapping[str, Reification]) -> Triples:
    """Turn each triple whose role has a rule into a node."""
    names = _NodeNames(graph.variables)
    triples: list[Triple] = []
    for triple in graph.triples:
        rule = rules.get(triple.relation)
        if rule is None:
            triples.append(triple)
            continue
        source, target = triple.arguments
        node = names.new(triple)
        triples += [
            Triple(CONCEPT, (node, Constant(rule.concept))),
            Triple(rule.source, (node, source)),
            Triple(rule.target, (node, target)),
        ]
    return Triples(names.all, triples)


def unordered(graph: Triples, concepts: Collection[str], role: str) -> Triples:
    """Give all operands (``op1``, ``op2``) of nodes with one of these *concepts* one *role*."""
    coordinating = {
        source
        for relation, (source, target), _ in graph.triples
        if relation == CONCEPT and isinstance(target, Constant) and target.text in concepts
    }
    triples = [
        Triple(role, t.arguments)
        if t.arguments[0] in coordinating and _OPERAND.fullmatch(t.relation)
        else t
        for t in graph.triples
    ]
    return graph._replace(triples=triples)


def without_senses(graph: Triples) -> Triples:
    """Remove the numbers of senses from the concepts."""
    return graph._replace(triples=[_without_sense(triple) for triple in graph.triples])


def with_nodes(graph: Triples, *, as_smatchpp: bool = False) -> Triples:
    """Turn each constant into a node with the constant as its concept.

    As in smatch++, a constant stays if it is spelled like a concept of the graph, or is the source.
    """
    names = _NodeNames(graph.variables)
    kept = {t.arguments[1] for t in graph.triples if t.relation == CONCEPT} if as_smatchpp else ()
    triples: list[Triple] = []
    for triple in graph.triples:
        source, target = triple.arguments
        constant = target if isinstance(target, Constant) or as_smatchpp else source
        if triple.relation == CONCEPT or not isinstance(constant, Constant) or constant in kept:
            triples.append(triple)
            continue
        node = names.new(triple)
        ends = (source, node) if constant is target else (node, target)
        triples += [Triple(triple.relation, ends), Triple(CONCEPT, (node, constant))]
    return Triples(names.all, triples)


def _edge(name: str, triples: Sequence[Triple], rules: Mapping[str, Reification]) -> Triple | None:
    """Return the triple that a node stands for, given the *triples* around it; None if none."""
    if len(triples) != 3 or any(triple.arguments[0] != Variable(name) for triple in triples):
        return None
    ends: dict[str, Argument] = {triple.relation: triple.arguments[1] for triple in triples}
    concept = ends.pop(CONCEPT, None)
    rule = rules.get(concept.text) if isinstance(concept, Constant) else None
    if rule is None or ends.keys() != {rule.source, rule.target}:
        return None
    source, target = ends[rule.source], ends[rule.target]
    if Variable(name) in (source, target):
        return None
    if isinstance(source, Constant) and isinstance(target, Constant):
        return None
    return Triple(rule.role, (source, target))


def _with_edges(triples: Sequence[Triple], edges: Mapping[str, Triple]) -> Iterator[Triple]:
    """Yield the triples, with *edges* in place of the concepts of their nodes."""
    for triple in triples:
        source = triple.arguments[0]
        edge = edges.get(source.name) if isinstance(source, Variable) else None
        if edge is None:
            yield triple
        elif triple.relation == CONCEPT:
            yield edge


def _without_sense(triple: Triple) -> Triple:
    source, target = triple.arguments
    if triple.relation != CONCEPT or not isinstance(target, Constant):
        return triple
    return Triple(CONCEPT, (source, Constant(_SENSE.sub("", target.text))))


class _NodeNames:
    """The variables of a graph, and names for new ones: ``c:quant`` for a former role of c.

    No variable of a file has a colon in its name.
    """

    def __init__(self, variables: Sequence[str]) -> None:
        self.all = [*variables]
        self._times = Counter(variables)

    def new(self, triple: Triple) -> Variable:
        """Return a new variable, named after a variable of *triple* and its role."""
        end = next(end for end in triple.arguments if isinstance(end, Variable))
        base = name = f"{end.name}:{triple.relation}"
        while name in self._times:
            self._times[base] += 1
            name = f"{base}:{self._times[base]}"
        self._times[name] += 1
        self.all.append(name)
        return Variable(name)
