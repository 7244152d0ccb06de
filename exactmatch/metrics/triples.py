"""Normalised triples: the triples that a metric compares, and how often each counts.

A normalised triple is a label and its variables. Two of them match under a mapping if their labels
are equal and the mapping takes the variables of one to those of the other, in order.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from exactmatch.problem.joining import Occurrences

#: How triples that occur more than once are counted: once; as often as they occur on both sides
#: (the smaller number); or once for every pair of occurrences (the product, as smatch does).
Duplicates = Literal["set", "multiset", "product"]

#: Everything of a triple except its variables: its kind, and the fields of that kind.
Label = tuple[str, ...]

#: The value of a match of two different labels, if the mapping maps their variables to each other.
Similar = Mapping[tuple[Label, Label], int]
NOT_SIMILAR: Similar = MappingProxyType({})


class NormalisedTriple(NamedTuple):
    """A triple as a metric compares it: a label, and variables in order."""

    label: Label
    variables: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of triple, in the terms of its metric (``instance``, ``edge``)."""
        return self.label[0]

    @property
    def name(self) -> str:
        """The concept, the role or the relation; empty for kinds without a name."""
        return self.label[1] if len(self.label) > 1 else ""


class NormalisedGraph:
    """The normalised triples of a graph, with repetitions, and its variables in order.

    *targets* are the triples that another graph has to match, if this graph is the gold standard;
    None if these are its own triples. They differ if a triple can be written in two ways, or counts
    although nothing matches it. *keys* are those of each variable, which is mapped only to
    variables that share one. Without keys, any variable may be mapped to any. *coreferent* are the
    variables that stand for coreference; None if they are not known.
    """

    def __init__(
        self,
        variables: tuple[str, ...],
        triples: Sequence[NormalisedTriple],
        targets: Sequence[NormalisedTriple] | None = None,
        keys: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.variables = variables
        self.triples = triples
        self.targets = targets
        self.keys = keys
        self.coreferent: frozenset[str] | None = None
        self._occurrences: Occurrences | None = None
        self._gold_occurrences: Occurrences | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NormalisedGraph):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"NormalisedGraph{self._content()!r}"

    def _content(self) -> tuple[object, ...]:
        return (
            self.variables,
            list(self.triples),
            self.targets if self.targets is None else list(self.targets),
            None if self.keys is None else self.keys_in_order(),
        )

    def with_triples(
        self,
        triples: Sequence[NormalisedTriple],
        targets: Sequence[NormalisedTriple] | None = None,
    ) -> "NormalisedGraph":
        """Return a graph with the same variables and keys, and other triples."""
        graph = NormalisedGraph(self.variables, triples, targets, self.keys)
        graph.coreferent = self.coreferent
        return graph

    def keys_in_order(self) -> list[list[str]]:
        """Return the keys of each variable; none for those that have none."""
        keys = self.keys or {}
        return [list(keys.get(variable, ())) for variable in self.variables]

    def as_gold(self) -> Sequence[NormalisedTriple]:
        """Return the triples that a system's graph has to match."""
        return self.triples if self.targets is None else self.targets

    @property
    def occurrences(self) -> "Occurrences":
        """The triples by label, with positions of variables, from which a problem is built."""
        if self._occurrences is None:
            self._occurrences = _occurrences(self.variables, self.triples)
        return self._occurrences

    @property
    def gold_occurrences(self) -> "Occurrences":
        """The triples that a system's graph has to match, in the same form."""
        if self.targets is None:
            return self.occurrences
        if self._gold_occurrences is None:
            self._gold_occurrences = _occurrences(self.variables, self.targets)
        return self._gold_occurrences

    def total(self, duplicates: Duplicates) -> int:
        """Return the denominator of precision or recall."""
        if duplicates != "set":
            return len(self.triples)
        if self._occurrences is None:  # a part needs no positions of all variables for that
            return len(set(self.triples))
        return sum(map(len, self._occurrences.values()))


def _occurrences(variables: Sequence[str], triples: Sequence[NormalisedTriple]) -> "Occurrences":
    from exactmatch.problem.joining import occurrences

    found: Occurrences = occurrences(variables, triples)
    return found
