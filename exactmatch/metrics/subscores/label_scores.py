"""Scores of labels, wherever they are in the graph: equal labels match without a mapping.

The scores are those of Damonte et al. (2017) and of their successors, under names that describe
what is counted. Two of them map whole graphs again: without the roles, or without the senses of
frames.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from exactmatch.metrics.subscores.statements import INSTANCE, ROOT, End, Statement, Statements
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple

_FRAME = re.compile(r"(.+)-\d\d")

#: Longer numbers are no operands.
_OPERAND = re.compile(r"op\d{1,9}", re.IGNORECASE | re.ASCII)

#: The label of a statement; equal labels match.
_Label = tuple[str, ...]


class LabelScore(NamedTuple):
    """A score of labels. title: its name in tables. labels: returns the labels of a graph."""

    title: str
    labels: Callable[[Statements], Iterable[_Label]]


def _concepts(graph: Statements) -> Iterable[_Label]:
    return [(s.target.text,) for s in graph.statements if s.role == INSTANCE]


def _frames(graph: Statements) -> Iterable[_Label]:
    return [label for label in _concepts(graph) if _FRAME.fullmatch(label[0])]


def _frames_without_senses(graph: Statements) -> Iterable[_Label]:
    matches = [_FRAME.fullmatch(concept) for (concept,) in _concepts(graph)]
    return [(match[1],) for match in matches if match]


def _entities(graph: Statements) -> Iterable[_Label]:
    return _called("name", graph)


def _names(graph: Statements) -> Iterable[_Label]:
    return [(graph.called(s.source), *_words(s.target, graph)) for s in _of_role("name", graph)]


def _words(name: End, graph: Statements) -> Sequence[str]:
    """Return the words of a name: those of a node in the order of their numbers."""
    if not name.is_variable:
        return [name.text]
    statements = [graph.statements[position] for position in graph.outgoing.get(name, ())]
    ops = [
        (int(s.role[2:]), graph.called(s.target)) for s in statements if _OPERAND.fullmatch(s.role)
    ]
    return [word for _, word in sorted(ops)]


def _negations(graph: Statements) -> Iterable[_Label]:
    return _called("polarity", graph)


def _wiki(graph: Statements) -> Iterable[_Label]:
    return [(graph.called(s.target),) for s in _of_role("wiki", graph)]


def _called(role: str, graph: Statements) -> Iterable[_Label]:
    """Return the concepts of the nodes with a role: of each node once, unless the role repeats."""
    sources = [s.source for s in _of_role(role, graph)]
    return [(graph.called(s),) for s in (sources if graph.repeats else dict.fromkeys(sources))]


def _of_role(role: str, graph: Statements) -> Sequence[Statement]:
    return [s for s in graph.statements if s.role.lower() == role]


def _without_variables(graph: Statements) -> Iterable[_Label]:
    labels: list[_Label] = []
    for s in graph.statements:
        ends = [graph.called(End.variable(variable)) for variable in s.triple.variables]
        if s.role == ROOT:
            labels.append((ROOT, *ends, s.target.text))
        elif s.role != INSTANCE:
            _, role, *constant = s.triple.label
            labels.append((role, *ends, *constant))
    return labels


#: By name.
LABEL_SCORES: Mapping[str, LabelScore] = {
    "concepts": LabelScore("concepts", _concepts),
    "frames": LabelScore("frames", _frames),
    "frames-without-senses": LabelScore("frames without their senses", _frames_without_senses),
    "entities": LabelScore("entities (type only)", _entities),
    "names": LabelScore("entities with their full names", _names),
    "negations": LabelScore("negated concepts", _negations),
    "wiki": LabelScore("wiki links (link only)", _wiki),
    "without-variables": LabelScore("triples, concepts for variables", _without_variables),
}


_SENSE = re.compile(r"-\d+$")

#: Roles that end in -of and are not inverses.
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})


class GraphChange(NamedTuple):
    """A change of a whole graph. title: its name in tables. triple: returns a changed statement."""

    title: str
    triple: Callable[[Statement], NormalisedTriple]

    def graph(self, statements: Statements) -> NormalisedGraph:
        """Return the changed graph."""
        return statements.graph.with_triples(list(map(self.triple, statements.statements)))


def _without_role(statement: Statement) -> NormalisedTriple:
    """Leave out the role, except its direction if the order of the ends does not show it."""
    if statement.role in (INSTANCE, ROOT):
        return statement.triple
    role = statement.role.lower()
    return statement.labelled("-of" if role.endswith("-of") and role not in _NO_INVERSES else "")


def _without_sense(statement: Statement) -> NormalisedTriple:
    """Give frames the sense 01, as Damonte et al. do; they still differ from other concepts."""
    kind, *words = statement.triple.label
    if statement.role == INSTANCE or kind == "top":  # the root may be given by its concept
        words = [_SENSE.sub("-01", word) for word in words]
    return statement.triple._replace(label=(kind, *words))


#: By name.
CHANGES: Mapping[str, GraphChange] = {
    "unlabeled": GraphChange("triples, roles apart", _without_role),
    "without-senses": GraphChange("triples, senses of frames apart", _without_sense),
}
