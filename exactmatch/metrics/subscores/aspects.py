"""Aspects: the part of a graph for a phenomenon, selected by roles and concepts.

The known aspects are those of Damonte et al. (2017), and those of smatch++ 1.8 (Opitz 2023), whose
steps select the core of an aspect and its surroundings.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from exactmatch.metrics.subscores.statements import ROOT, End, Statements
from exactmatch.metrics.triples import NormalisedGraph


@dataclass(frozen=True, slots=True)
class Aspect:
    """A part of a graph: statements with some roles, and statements about nodes of some concepts.

    The core are the statements with one of *roles*, and all statements from and to nodes that have
    one of *concepts* as concept or constant. The surroundings are added; the concepts of all
    variables at either end are always included.

    title: its name in tables.
    roles: without colon, in lower case; ``*`` stands for any text; ``root`` and ``instance`` are
        those of roots and concepts.
    concepts: in lower case.
    reentrant: the core are the statements with a variable as target that has several incoming ones.
    context: the number of steps along the roles from the targets of the core.
    parents: whether statements that lead to the sources of the core are included.
    predicates: whether statements from a node to the core are included, if the node has no other
        statements, and nothing leads to it.
    framed: whether roles are first renamed by the table of frames, if there is one.
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
        """Return this part of a graph, with all variables."""
        core = self._core(statements)
        members = _surrounded(core, statements, self.context)
        if self.parents:
            sources = {statements.statements[position].source for position in core}
            members.update(*(statements.incoming.get(source, ()) for source in sources))
        if self.predicates:
            members.update(_predicates(members, statements))
        return statements.part(statements.with_concepts(members))

    def _core(self, graph: Statements) -> set[int]:
        core = {
            position
            for role, positions in graph.by_role.items()
            if _is_one_of(role, self.roles)
            for position in positions
        }
        if self.concepts:
            for s in graph.statements:
                if not s.target.is_variable and s.target.text.lower() in self.concepts:
                    for of_node in (graph.instances, graph.outgoing, graph.incoming):
                        core.update(of_node.get(s.source, ()))
        if self.reentrant:
            for end, leading in graph.incoming.items():
                if end.is_variable and len(leading) > 1:
                    core.update(leading)
        return core


@lru_cache(maxsize=10_000)
def _is_one_of(role: str, patterns: frozenset[str]) -> bool:
    return role in patterns or any(fnmatchcase(role, pattern) for pattern in patterns)


def _surrounded(core: Iterable[int], graph: Statements, steps: int) -> set[int]:
    """Return *core* with the statements about its targets, repeated for so many steps."""
    inside = newest = set(core)
    for _ in range(steps):
        if not newest:
            break
        targets = {graph.statements[position].target for position in newest}
        newest = {p for target in targets for p in graph.outgoing.get(target, ())} - inside
        inside = inside | newest
    return set(inside)


def _predicates(positions: Iterable[int], graph: Statements) -> set[int]:
    """Return the statements to an end of *positions* that are the only ones about their source."""
    alone: dict[End, list[int]] = {}
    for source, (position, *others) in graph.outgoing.items():
        statement = graph.statements[position]
        if not others and source not in graph.incoming and statement.role != ROOT:
            alone.setdefault(statement.target, []).append(position)
    ends = {end for position in positions for end in graph.statements[position].ends}
    return {position for end in ends for position in alone.get(end, ())}


_ARGUMENTS = frozenset(f"arg{number}" for number in range(10))

_PLACES = frozenset(
    (
        *("city", "city-district", "county", "state", "province", "territory", "country"),
        *("local-region", "country-region", "world-region", "continent", "ocean", "sea", "lake"),
        *("river", "gulf", "bay", "strait", "canal", "peninsula", "mountain", "volcano"),
        *("valley", "canyon", "island", "desert", "planet", "star", "constellation"),
    )
)

_QUANTITIES = frozenset(
    f"{word}-quantity"
    for word in (
        *("monetary", "distance", "area", "volume", "temporal", "frequency", "speed"),
        *("acceleration", "mass", "force", "pressure", "energy", "power", "charge"),
        *("potential", "resistance", "inductance", "magnetic-field", "magnetic-flux"),
        *("radiation", "concentration", "temperature", "score", "fuel-consumption", "seismic"),
    )
)


def _around(title: str, *roles: str, concepts: frozenset[str] = frozenset()) -> Aspect:
    """Return an aspect of smatch++, with the usual surroundings."""
    return Aspect(
        f"{title} and surroundings",
        frozenset(roles),
        concepts,
        context=2,
        predicates=True,
        framed=True,
    )


#: The aspects of Damonte et al.: triples into reentrant nodes, and arguments, with concepts.
DAMONTE_ASPECTS: Mapping[str, Aspect] = {
    "reentrancies": Aspect("reentrant edges", reentrant=True),
    "srl": Aspect("arguments (ARG...)", frozenset({"arg*"})),
}

#: The aspects of smatch++, in its order.
SMATCHPP_ASPECTS: Mapping[str, Aspect] = {
    "aspect-agent": _around("arg0", "arg0"),
    "aspect-cause": _around("cause", "cause", concepts=frozenset({"cause-01"})),
    "aspect-concept": Aspect("concepts", frozenset({"instance"}), framed=True),
    "aspect-focus": _around("root", "root"),
    "aspect-instrument": _around("instrument", "instrument"),
    "aspect-location": _around(
        "places", "location", "path", "destination", "direction", concepts=_PLACES
    ),
    "aspect-maths": _around("sums and products", concepts=frozenset({"sum-of", "product-of"})),
    "aspect-ner": _around("names", "name"),
    "aspect-patient": _around("arg1 to arg9", *_ARGUMENTS - {"arg0"}),
    "aspect-polarity": _around("polarity", "polarity"),
    "aspect-possession": _around("poss", "poss"),
    "aspect-purpose": _around("purpose", "purpose"),
    "aspect-quantifier": _around("quantities", "quant", concepts=_QUANTITIES),
    "aspect-question": Aspect(
        "amr-unknown and parents",
        concepts=frozenset({"amr-unknown"}),
        parents=True,
        predicates=True,
        framed=True,
    ),
    "aspect-srl": _around("arguments", *_ARGUMENTS),
    "aspect-time": _around(
        "times",
        "time",
        "duration",
        "frequency",
        concepts=frozenset({"date-entity", "date-interval"}),
    ),
    "aspect-topic": _around("topic", "topic"),
    "aspect-wiki": Aspect("wiki links and concepts", frozenset({"wiki"}), framed=True),
    "aspect-reentrancies": Aspect("reentrant edges, roles renamed", reentrant=True, framed=True),
}
