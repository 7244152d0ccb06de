"""The common labelled relations of two sentence graphs under a mapping, as in AnCast."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction

from exactmatch.metrics.ancast.broadcast import OTHER_SENSE, containment
from exactmatch.metrics.ancast.labelled_graph import AncastGraph, End
from exactmatch.metrics.counts import Counts

#: The image of unmapped nodes.
_NOWHERE = -1
_NO_LABELS: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LabelledRelations:
    """The relations of two graphs; *mapping* maps nodes of *system* to nodes of *gold*."""

    system: AncastGraph
    gold: AncastGraph
    mapping: Mapping[int, int]

    def variables(self) -> dict[str, str]:
        """Return the mapping of variables."""
        return {
            self.system.variables[node]: self.gold.variables[other]
            for node, other in self.mapping.items()
        }

    def counts(self) -> Counts:
        """Return the numbers of labels, and of common labels."""
        system, gold = (
            sum(map(len, graph.relations.values())) for graph in (self.system, self.gold)
        )
        return Counts(sum(common for _, _, common in self._common()), system, gold)

    def weight(self) -> Fraction:
        """Return the value of common labels: the mean similarity of their ends."""
        weights = (
            common * (self._similarity(predicate) + self._similarity(argument)) / 2
            for predicate, argument, common in self._common()
        )
        return sum(weights, Fraction())

    def _common(self) -> Iterator[tuple[End, End, int]]:
        """Yield predicates and arguments of the system, and the number of common labels."""
        for (predicate, argument), labels in self.system.relations.items():
            there = self._image(predicate), self._image(argument)
            common = len(labels & self.gold.relations.get(there, _NO_LABELS))
            if common:
                yield predicate, argument, common

    def _image(self, end: End) -> End:
        return self.mapping.get(end, _NOWHERE) if isinstance(end, int) else end

    def _similarity(self, end: End) -> Fraction:
        """Return the similarity of the name of an end to that of its image."""
        if isinstance(end, str):
            return Fraction(1)
        node, other = self.system.nodes[end], self.gold.nodes[self.mapping[end]]
        similarity = Fraction(*containment(node.name, other.name))
        return similarity if node.sense == other.sense else similarity * OTHER_SENSE
