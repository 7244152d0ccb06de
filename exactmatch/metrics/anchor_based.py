"""SDP, EDM, UCCA and predications: anchors identify nodes, so that no mapping is needed."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from exactmatch.graphs.graph import MRP, Graph
from exactmatch.graphs.unicode_form import UnicodeForm, in_form
from exactmatch.metrics.base import AlignmentFreeMetric, Measurement, Statistics
from exactmatch.metrics.counts import Counts, Figures


@dataclass(frozen=True, slots=True)
class AnchorMetric(AlignmentFreeMetric):
    """A metric that turns two graphs into sets, one for each part, with anchors as the nodes.

    Elements of both sets match. After adding up a corpus, precision is the number of matches
    divided by the size of the system's set, recall by that of the gold set. The counts of the part
    *headline* are the main result.

    unicode: canonically equivalent text is equal (Unicode's NFC), or text counts as written.
    """

    format: ClassVar[str] = MRP
    headline: ClassVar[str]

    profile: str = "default"
    unicode: UnicodeForm = "as-written"

    @abstractmethod
    def counts(self, system: Graph, gold: Graph) -> Mapping[str, Counts]:
        """Return the counts of a pair by part."""

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        breakdown = self.counts(in_form(system, self.unicode), in_form(gold, self.unicode))
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
        return self._with_form(self.name)
