"""SDP, EDM and UCCA: anchors tell which nodes are the same, so that no mapping is needed."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from exactmatch.graphs.graph import MRP, Graph
from exactmatch.metrics.base import AlignmentFreeMetric, Measurement, Statistics
from exactmatch.metrics.counts import Counts, Figures


@dataclass(frozen=True, slots=True)
class AnchorMetric(AlignmentFreeMetric):
    """A metric that takes two graphs to sets, one for each part, in which anchors are the nodes.

    What is in both sets matches. Precision is what matches by the size of the system's set, recall
    by that of the gold standard's, after adding up a corpus. The counts of the part *headline*
    stand for all.
    """

    format: ClassVar[str] = MRP
    headline: ClassVar[str]

    profile: str = "default"

    @abstractmethod
    def counts(self, system: Graph, gold: Graph) -> Mapping[str, Counts]:
        """Return the counts of a pair by part."""

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        breakdown = self.counts(system, gold)
        matched, system_total, gold_total = (
            getattr(breakdown[self.headline], name)
            for name in ("matched", "system_total", "gold_total")
        )
        return Measurement(Statistics(matched, matched, system_total, gold_total, breakdown))

    def figures(self, statistics: Statistics) -> Figures:
        counts = Counts(statistics.matched, statistics.system_total, statistics.gold_total)
        score = counts.score()
        return Figures(score.f1, f"F1 ({self.headline})", score.precision, score.recall, score.f1)

    def signature(self, search: str = "") -> str:
        return self.name
