"""The common values of the nodes of two UMR sentences under the mapping of juːmæʧ."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from exactmatch.graphs.graph import CONCEPT
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.umr.mapping_rules import Symmetrisation
from exactmatch.metrics.umr.nodes import TOP_VALUE, Nodes, Value


class MappedSentence:
    """The nodes of a sentence on both sides, with their mapping.

    gold, system: its nodes. tokens: the number of its tokens. counts: decides which roles count.
    """

    def __init__(
        self, gold: Nodes, system: Nodes, tokens: int, counts: Callable[[str], bool]
    ) -> None:
        self._gold, self._system = gold, system
        self._links = Symmetrisation(gold, system, tokens, counts)
        self._mapping = self._links.resolve()

    def variables(self) -> Mapping[str, str]:
        """Return the mapping: variables of the gold standard to those of the system."""
        return {
            self._gold[name].variable: self._system[other].variable
            for name, other in self._mapping.items()
        }

    def parts(self) -> Mapping[str, Counts]:
        """Return the counts of concepts, relations, attributes and tops."""
        matched = self._by_part(self._matched(), self._system)
        gold, system = (
            self._by_part(_added(values.values()), nodes)
            for values, nodes in zip(self._links.values, (self._gold, self._system), strict=True)
        )
        return {
            part: Counts(matched[part], system[part], gold[part])
            for part in dict.fromkeys([*gold, *system])
        }

    def token_sets(self) -> Counts:
        """Return the counts of sets of tokens with which nodes are aligned."""
        return Counts.of(
            {node.tokens for node in self._system.values() if node.tokens},
            {node.tokens for node in self._gold.values() if node.tokens},
        )

    def mapped_nodes(self) -> Counts:
        """Return the number of mapped nodes, and of all nodes."""
        return Counts(len(self._mapping), len(self._system), len(self._gold))

    def mapped_values(self) -> Counts:
        """Return the counts of the values of mapped nodes alone."""
        gold, system = self._links.values
        return Counts(
            self._matched().total(),
            sum(system[other].total() for other in self._mapping.values()),
            sum(gold[name].total() for name in self._mapping),
        )

    def _matched(self) -> Counter[Value]:
        pairs = self._mapping.items()
        return _added(self._links.matched(name, other) for name, other in pairs)

    def _by_part(self, values: Counter[Value], nodes: Nodes) -> Counter[str]:
        by_part: Counter[str] = Counter()
        for value, times in values.items():
            by_part[_part(value, nodes)] += times
        return by_part


def _added(counters: Iterable[Counter[Value]]) -> Counter[Value]:
    total: Counter[Value] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def _part(value: Value, nodes: Nodes) -> str:
    if value.role == CONCEPT:
        return "concept"
    if value == TOP_VALUE:
        return "top"
    return "relation" if value.text in nodes else "attribute"
