"""Any graph of one corpus with any of another: their scores with proof, at little cost a pair.

Before any pair is looked at, a bound says what F1 a graph and each of the others cannot exceed.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.certificate.cover_check import CoverCheck, Uncovered
from exactmatch.errors import VerificationError
from exactmatch.many.label_index import LabelIndex
from exactmatch.many.table import graphs_by_label, labels_by_graph
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.triples import Label, NormalisedGraph
from exactmatch.problem.tables import TripleTable, tabulate
from exactmatch.scoring.comparison import compare_triples
from exactmatch.scoring.options import Settings
from exactmatch.scoring.pair import Mapper
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.covers import Covers
from exactmatch.solving.strategy import bounded
from exactmatch.stopping.deadline import Deadline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: What a pair was decided by, from cheap to dear: bounds by the numbers of triples, by those of
#: each label, by the first dual; a cover or any other proof.
TOTALS, LABELS, DUAL, COVER, PROOF = "totals", "labels", "dual", "cover", "proof"

STAGES = (TOTALS, LABELS, DUAL, COVER, PROOF)

_NEVER = Deadline()

_SMALL = Budgets().small_terms


class PairBounds(NamedTuple):
    """A mapping matches *matched*, none more than *upper*, as what *stage* says has shown."""

    matched: int
    upper: int
    stage: str


class Corpus(NamedTuple):
    """Graphs as a metric counts them, and what they are called."""

    names: Sequence[str]
    graphs: Sequence[NormalisedGraph]

    def totals(self, metric: AlignmentMetric) -> list[int]:
        """Return what precision and recall are divided by, of each graph."""
        return [metric.scale * graph.total(metric.duplicates) for graph in self.graphs]


class Pairwise:
    """Scores pairs of a graph of *system* and one of *gold*, which may be the same corpus.

    To be handed to another process, where it builds anew what it needs.
    """

    def __init__(
        self, system: Corpus, gold: Corpus, metric: AlignmentMetric, settings: Settings
    ) -> None:
        self.system = system
        self.gold = gold
        self.metric = metric
        self.settings = settings
        #: Whether labels tell what can match: not where labels that differ may be similar.
        self.counts_labels = type(metric).similar is AlignmentMetric.similar

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.system, self.gold, self.metric, self.settings)

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether a pair has the same score as the same pair turned round."""
        return self.system is self.gold and not any(
            graph.targets is not None for graph in self.gold.graphs
        )

    def columns(self, i: int) -> range:
        """Return the columns of row *i* of the matrix: from its diagonal on if it is symmetric."""
        return range(i if self.is_symmetric else 0, len(self.gold.names))

    @cached_property
    def labels(self) -> LabelIndex:
        """What the graphs of gold have of each label."""
        system, gold = self._tables
        n_labels = max([*system.label, *gold.label], default=-1) + 1
        counts = labels_by_graph(system), graphs_by_label(gold, n_labels)
        return LabelIndex(*counts, gold.n_graphs, self.metric.scale, self.metric.duplicates)

    def score(self, i: int, j: int, least: int = 0) -> PairBounds:
        """Return what is known of graph *i* of system and graph *j* of gold.

        A pair that cannot match *least* may be left unsolved. Raises `VerificationError` if two
        computations disagree.
        """
        matched = self.proven(i, j)
        if matched is not None:
            return PairBounds(matched, matched, COVER)
        return self.solved(i, j, least)

    def proven(self, i: int, j: int) -> int | None:
        """Return what two graphs match, as a cover proves; None if there is none."""
        ours, theirs = self._in_tables
        if ours[i] and theirs[j] and self._covers.solve(i, j):
            return self._checked(i, j)
        return None

    def solved(self, i: int, j: int, least: int = 0) -> PairBounds:
        """Return what `score` does of a pair that has no cover."""
        if least > 0 and (upper := self._first_bound(i, j)) is not None and upper < least:
            return PairBounds(0, upper, DUAL)
        left, right = self.system.graphs[i], self.gold.graphs[j]
        found = self._mapper(i, j).map_triples(self.metric, left, right)
        return PairBounds(found.statistics.matched, found.statistics.matched_upper, PROOF)

    def mapping(self, i: int, j: int) -> Mapping[str, str]:
        """Return the mapping of variables, by name, that `score` counts."""
        system, gold = self.system.graphs[i], self.gold.graphs[j]
        # The mapping of a cover by cases may be another one than that of a proof.
        if self.proven(i, j) is not None and self._covers.is_plain:
            image = self._covers.image[: len(system.variables)]
            pairs = zip(system.variables, image, strict=True)
            return {left: gold.variables[right] for left, right in pairs if right >= 0}
        return self._mapper(i, j).map_triples(self.metric, system, gold).mapping

    @cached_property
    def _tables(self) -> tuple[TripleTable, TripleTable]:
        numbers: dict[Label, int] = {}
        system = tabulate(
            [graph.occurrences for graph in self.system.graphs],
            [len(graph.variables) for graph in self.system.graphs],
            numbers,
        )
        if self.is_symmetric:
            return system, system
        gold = tabulate(
            [graph.gold_occurrences for graph in self.gold.graphs],
            [len(graph.variables) for graph in self.gold.graphs],
            numbers,
        )
        return system, gold

    @cached_property
    def limits(self) -> "Limits":
        """Limits on the F1 of all pairs."""
        return Limits(self)

    @cached_property
    def _covers(self) -> Covers:
        return Covers(*self._tables, self.metric.scale, self.metric.duplicates)

    @cached_property
    def _check(self) -> CoverCheck:
        return CoverCheck(*self._tables, self._covers, self.metric.scale, self.metric.duplicates)

    @cached_property
    def _in_tables(self) -> tuple[list[bool], list[bool]]:
        """Which graphs of either side tables tell all about."""
        if not self.counts_labels:
            return [False] * len(self.system.graphs), [False] * len(self.gold.graphs)
        system, gold = self._tables
        graphs = zip(self.system.graphs, system.is_plain, strict=True)
        ours = [plain != 0 and graph.keys is None for graph, plain in graphs]
        return ours, [plain != 0 for plain in gold.is_plain]

    def _checked(self, i: int, j: int) -> int:
        """Return what the mapping that was found matches, if the cover shows that none does more.

        Both are computed anew from the triples.
        """
        try:
            matched, upper = self._check.matched(i, j), self._check.bound(i, j)
        except (Uncovered, OverflowError) as error:
            raise VerificationError(f"{self._called(i, j)}: a cover is wrong: {error}") from error
        if matched != upper:
            raise VerificationError(
                f"{self._called(i, j)}: a cover shows {upper}, but a mapping matches {matched}"
            )
        return int(matched)

    def _first_bound(self, i: int, j: int) -> int | None:
        """Return the first bound of the dual; None if the problem is too large to be built."""
        system, gold = self.system.graphs[i], self.gold.graphs[j]
        if len(system.triples) * len(gold.as_gold()) > _SMALL:
            return None
        return bounded(compare_triples(system, gold, self.metric).problem).upper

    def _mapper(self, i: int, j: int) -> Mapper:
        deadline = Deadline.after(self.settings.timeout)
        return Mapper(self._called(i, j), self.settings, deadline, _NEVER)

    def _called(self, i: int, j: int) -> str:
        return f"{self.system.names[i]} and {self.gold.names[j]}"


def f1_of(matched: Any, totals: Any) -> "NDArray[np.float64]":
    """Return F1 from arrays of one shape: what matches, and the triples of both sides together.

    It is 0 where there are none. Both are whole numbers below 2**53, so each quotient is rounded as
    that of a single score is (`exactmatch.metrics.counts.Score`). What is less here is less indeed.
    """
    import numpy as np

    found: NDArray[np.float64] = np.zeros(totals.shape)
    np.divide(2.0 * matched, totals, out=found, where=totals > 0)
    return found


class Limits:
    """Limits on the F1 of graphs of system and gold. Rows are arrays, by graph of gold.

    totals: what recall is divided by.
    """

    def __init__(self, pairwise: Pairwise) -> None:
        import numpy as np

        self._pairwise = pairwise
        metric = pairwise.metric
        self._system_totals = pairwise.system.totals(metric)
        self._totals = np.array(pairwise.gold.totals(metric), dtype=np.int64)

    def both_totals(self, i: int) -> "NDArray[np.int64]":
        """Return what F1 is divided by: the triples of graph *i* and of each graph of gold."""
        return self._totals + self._system_totals[i]

    def by_totals(self, i: int) -> "NDArray[np.float64]":
        """Return limits by the numbers of triples."""
        import numpy as np

        pairwise = self._pairwise
        if not pairwise.counts_labels or pairwise.metric.duplicates == "product":
            return np.full(len(self._totals), np.inf)
        return f1_of(np.minimum(self._totals, self._system_totals[i]), self.both_totals(i))

    def by_labels(self, i: int) -> "NDArray[np.float64]":
        """Return limits by the numbers of triples of each label."""
        import numpy as np

        if not self._pairwise.counts_labels:
            return np.full(len(self._totals), np.inf)
        return f1_of(
            np.asarray(self._pairwise.labels.bounds(i), dtype=np.int64), self.both_totals(i)
        )


def least_matched(f1: float, totals: int) -> int:
    """Return how many triples must match, at least, for an F1 of *f1*; *totals* is of both sides.

    If not even all would do, it is more than *totals*. F1 is the rounded quotient, as in tables:
    what is found there reaches itself. Rounding keeps the order, so that no pair is lost whose true
    F1 reaches the true *f1*. The first guess is not too large: the product errs by less than 1
    while *totals* are below 2**52.
    """
    if totals == 0:
        return 0 if f1 <= 0 else 1
    least = max(0, int(f1 * totals / 2) - 1)
    while 2 * least / totals < f1:
        least += 1
    return least
