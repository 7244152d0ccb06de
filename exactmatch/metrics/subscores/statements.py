"""The normalised triples of an AMR as statements: source, role and target.

Subscores are defined in these terms, for any metric that made the triples.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Self

from exactmatch.metrics.amr.labels import may_be_inverse
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple

#: The roles of concepts and of roots, which are not roles in a file.
INSTANCE, ROOT = "instance", "root"


class End(NamedTuple):
    """An end of a statement: a variable by its name, or a concept or constant by its text."""

    is_variable: bool
    text: str

    @classmethod
    def variable(cls, name: str) -> Self:
        """Return the end that is the variable called *name*."""
        return cls(is_variable=True, text=name)

    @classmethod
    def constant(cls, text: str) -> Self:
        """Return the end that is a concept or a constant."""
        return cls(is_variable=False, text=text)


class Statement(NamedTuple):
    """A triple in the terms of a file: *source* has *role* with the value *target*.

    The source is a constant if the constant stands under an inverse role. The target of a root is
    its concept, or empty if the metric does not name it.
    """

    source: End
    role: str
    target: End
    triple: NormalisedTriple

    @property
    def ends(self) -> tuple[End, End]:
        """Source and target."""
        return self.source, self.target

    def labelled(self, role: str) -> NormalisedTriple:
        """Return the triple of this statement under another role."""
        kind, _, *constant = self.triple.label
        inverse = "" if self.source.is_variable else "-of"
        variables = tuple(end.text for end in self.ends if end.is_variable)
        return NormalisedTriple((kind, role + inverse, *constant), variables)


class Statements:
    """The statements of a *graph*, in its order; roles may be renamed.

    *repeats* tells whether repeated statements count repeatedly.
    """

    def __init__(
        self, graph: NormalisedGraph, statements: Sequence[Statement], *, repeats: bool
    ) -> None:
        self.graph = graph
        self.statements = statements
        self.repeats = repeats

    @classmethod
    def of(cls, graph: NormalisedGraph, metric: Smatch) -> "Statements":
        """Return the statements of *graph*, repeated as often as *metric* counts them.

        If ``mod`` and ``domain`` are one relation, it is called ``mod``, with the modified node
        first, as it is written. So a modifier does not lead to its head.
        """
        triples: Iterable[NormalisedTriple] = graph.triples
        repeats = metric.duplicates != "set"
        if not repeats:
            triples = dict.fromkeys(triples)
        return cls(graph, [_statement(triple, metric) for triple in triples], repeats=repeats)

    @cached_property
    def concepts(self) -> Mapping[End, str]:
        """The concept of each variable that has one."""
        return {s.source: s.target.text for s in self.statements if s.role == INSTANCE}

    @cached_property
    def incoming(self) -> Mapping[End, Sequence[int]]:
        """The positions of the statements that lead to each end, except those of concepts."""
        return _by([None if s.role == INSTANCE else s.target for s in self.statements])

    @cached_property
    def outgoing(self) -> Mapping[End, Sequence[int]]:
        """The positions of the statements about each end, except those of concepts."""
        return _by([None if s.role == INSTANCE else s.source for s in self.statements])

    @cached_property
    def instances(self) -> Mapping[End, Sequence[int]]:
        """The positions of the statements that give each variable a concept."""
        return _by([s.source if s.role == INSTANCE else None for s in self.statements])

    @cached_property
    def by_role(self) -> Mapping[str, Sequence[int]]:
        """The positions of the statements with each role, in lower case."""
        positions: dict[str, list[int]] = {}
        for position, statement in enumerate(self.statements):
            positions.setdefault(statement.role.lower(), []).append(position)
        return positions

    def called(self, end: End) -> str:
        """Return the concept of a variable, empty if it has none, or the text of a constant."""
        return self.concepts.get(end, "") if end.is_variable else end.text

    def renamed(self, new_role: Callable[[str, str], str | None]) -> "Statements":
        """Return the statements with roles renamed by *new_role*, by concept and role."""
        renamed = []
        for statement in self.statements:
            role = None
            if statement.role not in (INSTANCE, ROOT) and statement.source.is_variable:
                role = new_role(self.called(statement.source), statement.role)
            if role is not None:
                triple = statement.labelled(role)
                statement = statement._replace(role=role, triple=triple)
            renamed.append(statement)
        return Statements(self.graph, renamed, repeats=self.repeats)

    def part(self, positions: Iterable[int]) -> NormalisedGraph:
        """Return the graph of the statements at *positions*, in order, with all variables."""
        return self.graph.with_triples(
            [self.statements[position].triple for position in sorted(positions)]
        )

    def with_concepts(self, positions: set[int]) -> set[int]:
        """Return *positions*, and those of the concepts of all variables at either end."""
        ends = {end for position in positions for end in self.statements[position].ends}
        return positions.union(*(self.instances.get(end, ()) for end in ends))


def _statement(triple: NormalisedTriple, metric: Smatch) -> Statement:
    (kind, *words), variables = triple
    source = End.variable(variables[0])
    if kind == "instance":
        return Statement(source, INSTANCE, End.constant(words[0]), triple)
    if kind == "top" or (kind == "attribute" and words[0].lower() == "top"):
        return Statement(source, ROOT, End.constant(words[-1] if words else ""), triple)
    role = words[0]
    target = End.variable(variables[1]) if kind == "relation" else End.constant(words[1])
    is_inverse = role.lower().endswith("-of") and may_be_inverse(role, metric.label_choices)
    if kind == "attribute" and is_inverse:
        role, source, target = role[:-3], target, source
    if role.lower() == "domain" and metric.mod != "separate":
        role, source, target = "mod", target, source
    return Statement(source, role, target, triple)


def _by(ends: Iterable[End | None]) -> dict[End, list[int]]:
    positions: dict[End, list[int]] = {}
    for position, end in enumerate(ends):
        if end is not None:
            positions.setdefault(end, []).append(position)
    return positions
