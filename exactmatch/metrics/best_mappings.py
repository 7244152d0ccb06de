"""The best mappings of a pair of graphs, by the names of variables."""

from dataclasses import dataclass, field

#: Pairs of variables, by name.
NamedPairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class BestMappings:
    """The best mappings of a pair of graphs. Each has the pairs that take part in a match.

    mappings: the first ones, system variable to gold variable by name. They are in the order of the
        image of the first system variable, then of the second one, and so on, each in the order of
        the gold graph; no image comes last. The first is the defined mapping.
    are_all: whether there are no more.
    every: the backbone, pairs that all best mappings have; some: pairs that any of them has. Both
        are empty if nothing but the defined mapping was asked for.
    """

    mappings: list[dict[str, str]]
    are_all: bool = False
    every: NamedPairs = field(default=frozenset())
    some: NamedPairs = field(default=frozenset())
