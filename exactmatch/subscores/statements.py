"""The normalised triples of an AMR as statements: what has which role, and what fills it.

Subscores are told in these words, whatever way of counting AMRs has made the triples.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from exactmatch.metrics.smatch import Smatch
from exactmatch.triples import NormalisedGraph, NormalisedTriple

#: The roles of concepts and of roots, which have none in a file.
INSTANCE, ROOT = "instance", "root"

#: What a statement speaks of: a variable (True) or a constant (False), and its name or text.
End = tuple[bool, str]


class Statement(NamedTuple):
    """A triple in the words of a file: *source* has *role*, and *target* fills it.

    is_edge: the target is a variable; else it is a concept, a constant or, of roots, maybe empty.
    """

    source: str
    role: str
    target: str
    is_edge: bool
    triple: NormalisedTriple

    @property
    def ends(self) -> tuple[End, End]:
        """Both ends; equal constants are one."""
        return (True, self.source), (self.is_edge, self.target)

    def labelled(self, role: str) -> NormalisedTriple:
        """Return the triple that says this under another role."""
        kind, _, *rest = self.triple.label
        variables = (self.source, self.target) if self.is_edge else (self.source,)
        return NormalisedTriple((kind, role, *rest), variables)


class Statements:
    """The statements of a graph, in its order."""

    def __init__(self, variables: tuple[str, ...], statements: Sequence[Statement]) -> None:
        self.variables = variables
        self.statements = statements

    @classmethod
    def of(cls, graph: NormalisedGraph, metric: Smatch) -> "Statements":
        """Return the statements of *graph*, equal ones as often as *metric* counts them.

        Where ``mod`` and ``domain`` are one relation, it is told as ``mod``: what is modified comes
        first, as it is written. So a modifier does not lead to its head.
        """
        triples: Iterable[NormalisedTriple] = graph.triples
        if metric.duplicates == "set":
            triples = dict.fromkeys(triples)
        found = map(_statement, triples)
        if metric.mod != "separate":
            found = map(_as_mod, found)
        return cls(graph.variables, list(found))

    @cached_property
    def concepts(self) -> Mapping[str, str]:
        """The concept of each variable that has one."""
        return {s.source: s.target for s in self.statements if s.role == INSTANCE}

    @cached_property
    def incoming(self) -> Mapping[str, Sequence[int]]:
        """The positions of the statements that lead to each variable."""
        return _by([s.target if s.is_edge else None for s in self.statements])

    @cached_property
    def outgoing(self) -> Mapping[str, Sequence[int]]:
        """The positions of the statements about each variable, but for its concept."""
        return _by([None if s.role == INSTANCE else s.source for s in self.statements])

    @cached_property
    def instances(self) -> Mapping[str, Sequence[int]]:
        """The positions of the statements that give each variable a concept."""
        return _by([s.source if s.role == INSTANCE else None for s in self.statements])

    def renamed(self, new_role: Callable[[str, str], str | None]) -> "Statements":
        """Return the statements with the roles that *new_role* says, by concept and role."""
        found = []
        for statement in self.statements:
            role = None
            if statement.role not in (INSTANCE, ROOT):
                role = new_role(self.concepts.get(statement.source, ""), statement.role)
            if role is not None:
                triple = statement.labelled(role)
                statement = statement._replace(role=role, triple=triple)
            found.append(statement)
        return Statements(self.variables, found)

    def part(self, positions: Iterable[int]) -> NormalisedGraph:
        """Return the graph of the statements at *positions*, in order, with all variables."""
        return NormalisedGraph(
            self.variables, [self.statements[position].triple for position in sorted(positions)]
        )

    def with_concepts(self, positions: set[int]) -> set[int]:
        """Return *positions*, and those of the concepts of all variables at either end."""
        ends = {end for position in positions for end in self.statements[position].ends}
        return positions.union(
            *(self.instances.get(name, ()) for is_variable, name in ends if is_variable)
        )


def _statement(triple: NormalisedTriple) -> Statement:
    label, variables = triple
    kind, *words = label
    source = variables[0]
    if kind == "relation":
        return Statement(source, words[0], variables[1], True, triple)
    if kind == "instance":
        return Statement(source, INSTANCE, words[0], False, triple)
    if kind == "top" or words[0].lower() == "top":  # some ways of counting have it as a role
        return Statement(source, ROOT, words[-1] if words else "", False, triple)
    return Statement(source, words[0], words[1], False, triple)


def _as_mod(statement: Statement) -> Statement:
    role = statement.role.lower()
    if role == "domain" and statement.is_edge:
        source, target = statement.target, statement.source
        return statement._replace(source=source, role="mod", target=target)
    return statement._replace(role="mod") if role == "domain-of" else statement


def _by(keys: Iterable[str | None]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for position, key in enumerate(keys):
        if key is not None:
            found.setdefault(key, []).append(position)
    return found
