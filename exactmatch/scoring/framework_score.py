"""The score of the graphs of one framework of MRP. It is loaded for a run with frameworks."""

from dataclasses import dataclass

from exactmatch.metrics.counts import Score


@dataclass(frozen=True, kw_only=True, eq=False)  # like the base
class FrameworkScore(Score):
    """The score of the graphs of one framework of MRP, from the sums over its pairs.

    pairs, optimal: as in `exactmatch.scoring.results.CorpusScore`.
    """

    pairs: int
    optimal: int
