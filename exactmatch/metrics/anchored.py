"""SDP, EDM and UCCA as metrics of a corpus: the counts of its pairs are summed up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from exactmatch.graph import MRP, Graph
from exactmatch.metrics import edm, sdp, ucca
from exactmatch.metrics.counts import NOTHING, Counts
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

    def sums(self) -> "AnchoredSums":
        """Return the sums over no pair."""
        return AnchoredSums(self.headline)

    def signature(self) -> str:
        """Return the name: these metrics have no parameters."""
        return self.name


class AnchoredSums:
    """The counts of a corpus by part; the F1 of the part *headline* stands for all."""

    def __init__(self, headline: str) -> None:
        self._headline = headline
        self._parts: dict[str, Counts] = {}

    def add(self, measure: Mapping[str, Counts]) -> None:
        """Add the counts of a pair."""
        for part, counts in measure.items():
            self._parts[part] = self._parts.get(part, NOTHING) + counts

    def score(self) -> DirectScore:
        """Return the score of the pairs added so far."""
        f1 = self._parts.get(self._headline, NOTHING).score().f1
        return DirectScore(f1, f"F1 ({self._headline})", parts=dict(self._parts))


SDP = Anchored("sdp", "SDP", sdp.counts, "labelled")
EDM = Anchored("edm", "EDM", edm.counts, "all")
UCCA = Anchored("ucca", "UCCA", ucca.counts, "labelled primary")
