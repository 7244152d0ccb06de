"""SDP, EDM and UCCA as metrics of a corpus: the counts of its pairs are summed up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from exactmatch.graph import MRP, Graph
from exactmatch.metrics import edm, sdp, ucca
from exactmatch.metrics.counts import Counts, add_counts
from exactmatch.metrics.direct import DirectScore


@dataclass(frozen=True, slots=True)
class Anchored:
    """A metric over MRP graphs in which anchors tell which nodes are the same.

    counts: what counts a pair, by part. headline: the part whose F1 stands for all.
    """

    name: str
    title: str
    counts: Callable[[Graph, Graph], Mapping[str, Counts]]
    headline: str
    format: ClassVar[str] = MRP

    def measure(self, test: Graph, gold: Graph) -> Mapping[str, Counts]:
        """Return the counts of a pair."""
        return self.counts(test, gold)

    def summarise(self, measures: Sequence[Mapping[str, Counts]]) -> DirectScore:
        """Return the score of the pairs that have these counts."""
        parts = add_counts(measures)
        headline = parts.get(self.headline, Counts(0, 0, 0))
        return DirectScore(headline.score().f1, f"F1 ({self.headline})", parts=parts)

    def signature(self) -> str:
        """Return the name: these metrics have no parameters."""
        return self.name


SDP = Anchored("sdp", "SDP", sdp.counts, "labelled")
EDM = Anchored("edm", "EDM", edm.counts, "all")
UCCA = Anchored("ucca", "UCCA", ucca.counts, "labelled primary")
