"""Two graphs side by side under the mapping that was found: everything a pair has to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from exactmatch.graphs.graph import CLAUSES
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.sentence_text import sentences
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.anchors import Anchor, anchors_of
from exactmatch.metrics.triples import Similar
from exactmatch.report.views.excerpt import Excerpt, excerpt, size_of
from exactmatch.report.views.marks import Marks, marks_under
from exactmatch.report.views.shown_graph import ShownGraph, shown_graph
from exactmatch.report.views.written_graphs import Line, clause_text, penman_text
from exactmatch.scoring.comparison import Comparison, compare
from exactmatch.scoring.options import VIEW_LIMIT
from exactmatch.scoring.results import PairScore

#: The number of best mappings of a pair that are looked for, to say how many there are.
MOST_MAPPINGS = 10


@dataclass(frozen=True, eq=False)
class PairView:
    """A pair of graphs as *metric* compares them, with its *score*, which has a mapping.

    A pair of more than *limit* nodes and triples is shown as an excerpt.
    """

    pair: GraphPair
    metric: AlignmentMetric
    score: PairScore
    comparison: Comparison
    limit: int = VIEW_LIMIT

    @cached_property
    def system(self) -> ShownGraph:
        """The graph of the system."""
        return shown_graph(self.comparison.system, self.pair.system, self.metric.duplicates)

    @cached_property
    def gold(self) -> ShownGraph:
        """The gold graph."""
        return shown_graph(self.comparison.gold, self.pair.gold, self.metric.duplicates)

    @property
    def similar(self) -> Similar:
        """The values of similar labels that differ."""
        return self.comparison.similar

    @property
    def is_drs(self) -> bool:
        """Whether the graphs are DRSs, which are written as clauses and drawn as boxes."""
        return self.pair.gold.format == CLAUSES

    @cached_property
    def sentences(self) -> Sequence[tuple[str, str]]:
        """See `exactmatch.graphs.sentence_text.sentences`."""
        return sentences(self.pair.system, self.pair.gold)

    @cached_property
    def marks(self) -> Marks:
        """The mark of each triple under the mapping."""
        once = self.metric.duplicates == "multiset"
        return marks_under(self.score.mapping, self.system, self.gold, self.similar, once=once)

    @cached_property
    def shown(self) -> Excerpt:
        """The part of both graphs that is shown: all, or an excerpt."""
        system, gold, marks = self.system, self.gold, self.marks
        if self.size <= self.limit:
            return Excerpt(system, gold, marks)
        return excerpt(system, gold, marks, self.score.mapping, self.limit)

    @property
    def size(self) -> int:
        """The number of nodes and triples of both graphs."""
        return size_of(self.system, self.gold)

    @property
    def texts(self) -> tuple[list[Line], list[Line]]:
        """The texts of the shown part of both graphs, each in its own order."""
        write = clause_text if self.is_drs else penman_text
        return write(self.shown.system), write(self.shown.gold)

    @property
    def anchors(self) -> tuple[dict[str, list[Anchor]], dict[str, list[Anchor]]]:
        """The spans of the sentence that the variables of both graphs stand for."""
        return anchors_of(self.pair.system), anchors_of(self.pair.gold)


def pair_view(
    pair: GraphPair, metric: AlignmentMetric, score: PairScore, limit: int = VIEW_LIMIT
) -> PairView:
    """Return the view of *pair*, whose *score* by *metric* has a mapping.

    A pair of more than *limit* nodes and triples is shown as an excerpt.
    """
    return PairView(pair, metric, score, compare(pair, metric), limit)
