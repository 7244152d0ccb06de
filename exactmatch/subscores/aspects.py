"""Aspects: parts of a graph that speak of a phenomenon, found by roles and concepts.

After the aspects of smatch++ 1.8 (Opitz 2023), in whose steps a core is found and surrounded.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from exactmatch.subscores.statements import ROOT, End, Statements
from exactmatch.triples import NormalisedGraph


@dataclass(frozen=True, slots=True)
class Aspect:
    """A part of a graph: statements of some roles, and those about nodes of some concepts.

    The core is the statements that have one of *roles*, and all from and to the nodes that have one
    of *concepts* as concept or constant. What surrounds it follows; the concepts of all variables
    at either end are always in.

    title: what it is called in tables.
    roles: without colon, in lower case, ``*`` stands for any text; ``root`` and ``instance`` are
        those of roots and concepts.
    concepts: in lower case.
    reentrant: the core is the statements that lead to variables to which several do.
    context: how many steps along the roles are taken from the targets of the core.
    parents: the statements that lead to the sources of the core are in.
    predicates: so are those that lead to a node from one of which nothing else is said, and to
        which nothing leads.
    framed: roles are renamed first by the table of frames, where there is one.
    """

    title: str
    roles: frozenset[str] = frozenset()
    concepts: frozenset[str] = frozenset()
    reentrant: bool = False
    context: int = 0
    parents: bool = False
    predicates: bool = False
    framed: bool = False

    def graph(self, statements: Statements) -> NormalisedGraph:
        """Return the part of a graph that this is, with all variables."""
        core = self._core(statements)
        found = _surrounded(core, statements, self.context)
        if self.parents:
            sources = {statements.statements[position].source for position in core}
            found.update(*(statements.incoming.get(source, ()) for source in sources))
        if self.predicates:
            found.update(_predicates(found, statements))
        return statements.part(statements.with_concepts(found))

    def _core(self, graph: Statements) -> set[int]:
        found = {
            position
            for position, s in enumerate(graph.statements)
            if _is_one_of(s.role.lower(), self.roles)
        }
        if self.concepts:
            for s in graph.statements:
                if not s.target.is_variable and s.target.text.lower() in self.concepts:
                    for of_node in (graph.instances, graph.outgoing, graph.incoming):
                        found.update(of_node.get(s.source, ()))
        if self.reentrant:
            for end, leading in graph.incoming.items():
                if end.is_variable and len(leading) > 1:
                    found.update(leading)
        return found


@lru_cache(maxsize=10_000)
def _is_one_of(role: str, patterns: frozenset[str]) -> bool:
    return role in patterns or any(fnmatchcase(role, pattern) for pattern in patterns)


def _surrounded(core: Iterable[int], graph: Statements, steps: int) -> set[int]:
    """Return *core*, and what is said of its targets, and of their targets, so many steps."""
    found = newest = set(core)
    for _ in range(steps):
        if not newest:
            break
        targets = {graph.statements[position].target for position in newest}
        newest = {p for target in targets for p in graph.outgoing.get(target, ())} - found
        found = found | newest
    return set(found)


def _predicates(positions: Iterable[int], graph: Statements) -> set[int]:
    """Return the statements that lead to an end of *positions* and are all about their source."""
    alone: dict[End, list[int]] = {}
    for source, (position, *others) in graph.outgoing.items():
        statement = graph.statements[position]
        if not others and source not in graph.incoming and statement.role != ROOT:
            alone.setdefault(statement.target, []).append(position)
    ends = {end for position in positions for end in graph.statements[position].ends}
    return {position for end in ends for position in alone.get(end, ())}
