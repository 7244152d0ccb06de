"""Score any graph of one corpus against any of another with proof, at little cost a pair.

Before any pair is examined, upper bounds on the F1 of a graph with each of the others are computed.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.certificate.cover_check import CoverCheck, Uncovered
from exactmatch.errors import UsageError, VerificationError
from exactmatch.many.label_index import LabelIndex
from exactmatch.many.table import graphs_by_label, labels_by_graph
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.triples import Label, NormalisedGraph
from exactmatch.problem.tables import TripleTable, tabulate
from exactmatch.scoring.comparison import compare_triples
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.settings import Settings
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.covers import Covers
from exactmatch.solving.strategy import bounded
from exactmatch.stopping.deadline import Deadline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The stages that decide a pair, from cheap to expensive: bounds by the numbers of triples, by
#: those of each label, by the first dual bound; a cover, any other checked proof, or the word of a
#: solver alone.
TOTALS, LABELS, DUAL, COVER, PROOF, WORD = "totals", "labels", "dual", "cover", "proof", "word"

_STAGES = (TOTALS, LABELS, DUAL, COVER, PROOF)

_NEVER = Deadline()

_SMALL = Budgets().small_terms

#: Below this, an F1 of floating-point numbers is the rounded quotient, and arrays hold all numbers.
_LIMIT = 2**53


class PairBounds(NamedTuple):
    """The matches *matched* of a mapping, their bound *upper*, and the *stage* that showed them."""

    matched: int
    upper: int
    stage: str


class Corpus(NamedTuple):
    """Graphs as a metric counts them, with their names."""

    names: Sequence[str]
    graphs: Sequence[NormalisedGraph]

    def totals(self, metric: AlignmentMetric) -> list[int]:
        """Return the number of triples of each graph."""
        return [metric.scale * graph.total(metric.duplicates) for graph in self.graphs]


class Pairwise:
    """Scores pairs of a graph of *system* and one of *gold*, which may be the same corpus.

    It can be sent to another process, where it rebuilds what it needs. Raises `UsageError` for a
    metric whose numbers are too large for arrays.
    """

    def __init__(
        self, system: Corpus, gold: Corpus, metric: AlignmentMetric, settings: Settings
    ) -> None:
        self.system = system
        self.gold = gold
        self.metric = metric
        self.settings = settings
        self._check_size()
        #: Whether labels decide which triples match: not if different labels may be similar.
        self.counts_labels = metric.counts_labels

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.system, self.gold, self.metric, self.settings)

    def _check_size(self) -> None:
        """Raise `UsageError` if the triples of a pair, both counted, are too many."""
        sides = self.system, self.gold
        written = sum(max((len(g.triples) for g in side.graphs), default=0) for side in sides)
        repeated = self.metric.duplicates == "product"  # which may match more often than written
        # Counting takes longer than a look at the lengths.
        if self.metric.scale * (written**2 if repeated else written) < _LIMIT:
            return
        totals = [max(side.totals(self.metric), default=0) for side in sides]
        most = sum(totals)
        if repeated:
            most = max(most, 2 * totals[0] * totals[1] // self.metric.scale)
        if most >= _LIMIT:
            metric = self.metric
            raise UsageError(
                f"metric {metric.name}: a full match counts {metric.scale:,} (its scale), and two "
                f"graphs together {most:,}; many graphs are only compared if that is below 2^53. "
                "Choose a smaller scale"
            )

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether a pair has the same score in both orders."""
        return self.system is self.gold and not any(
            graph.targets is not None for graph in self.gold.graphs
        )

    def columns(self, i: int) -> range:
        """Return the columns of row *i* of the matrix: from its diagonal on if it is symmetric."""
        return range(i if self.is_symmetric else 0, len(self.gold.names))

    @cached_property
    def labels(self) -> LabelIndex:
        """The labels of the graphs of gold."""
        system, gold = self._tables
        n_labels = max([*system.label, *gold.label], default=-1) + 1
        counts = labels_by_graph(system), graphs_by_label(gold, n_labels)
        return LabelIndex(*counts, gold.n_graphs, self.metric.scale, self.metric.duplicates)

    def score(self, i: int, j: int, least: int = 0) -> PairBounds:
        """Return the bounds of graph *i* of system and graph *j* of gold.

        A pair that cannot match *least* may be left unsolved. Raises `VerificationError` if two
        computations disagree.
        """
        matched = self.proven(i, j)
        if matched is not None:
            return PairBounds(matched, matched, COVER)
        return self.solved(i, j, least)

    def proven(self, i: int, j: int) -> int | None:
        """Return the matches of two graphs as proven by a cover; None if there is no cover."""
        ours, theirs = self._in_tables
        if not (ours[i] and theirs[j] and self._matches_by_labels(i, j)):
            return None
        return self._checked(i, j) if self._covers.solve(i, j) else None

    def _matches_by_labels(self, i: int, j: int) -> bool:
        """Tell whether only equal labels match in two graphs: no different ones have credits."""
        if self.counts_labels:
            return True
        return not self.metric.similar(self.system.graphs[i], self.gold.graphs[j])

    def solved(self, i: int, j: int, least: int = 0) -> PairBounds:
        """Return the result of `score` for a pair without a cover."""
        if least > 0 and (upper := self._first_bound(i, j)) is not None and upper < least:
            return PairBounds(0, upper, DUAL)
        left, right = self.system.graphs[i], self.gold.graphs[j]
        found = self._mapper(i, j).map_triples(self.metric, left, right)
        matched, upper = found.statistics.matched, found.statistics.matched_upper
        return PairBounds(matched, upper, PROOF if found.checked else WORD)

    def mapping(self, i: int, j: int) -> Mapping[str, str]:
        """Return the mapping of variables, by name, that `score` refers to."""
        system, gold = self.system.graphs[i], self.gold.graphs[j]
        # The mapping of a cover by cases may differ from that of a proof.
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
        """The limits of the F1 of all pairs."""
        return Limits(self)

    @cached_property
    def _covers(self) -> Covers:
        return Covers(*self._tables, self.metric.scale, self.metric.duplicates)

    @cached_property
    def _check(self) -> CoverCheck:
        return CoverCheck(*self._tables, self._covers, self.metric.scale, self.metric.duplicates)

    @cached_property
    def _in_tables(self) -> tuple[list[bool], list[bool]]:
        """The graphs of either side that covers may prove: tables describe them completely.

        There are none if a solver is asked for by name, which solves every pair itself.
        """
        if not self.metric.is_similar_by_credits or self.settings.is_by_name:
            return [False] * len(self.system.graphs), [False] * len(self.gold.graphs)
        system, gold = self._tables
        graphs = zip(self.system.graphs, system.is_plain, strict=True)
        ours = [plain != 0 and graph.keys is None for graph, plain in graphs]
        return ours, [plain != 0 for plain in gold.is_plain]

    def _checked(self, i: int, j: int) -> int:
        """Return the matches of the mapping found, if the cover proves that none matches more.

        Both are computed again from the triples.
        """
        try:
            matched, upper = self._check.matched(i, j), self._check.bound(i, j)
        except (Uncovered, OverflowError) as error:
            raise VerificationError(f"{self._called(i, j)}: a cover is wrong: {error}") from error
        if matched != upper:
            raise VerificationError(
                f"{self._called(i, j)}: a cover proves at most {upper}, but a mapping matches "
                f"{matched}"
            )
        return int(matched)

    def _first_bound(self, i: int, j: int) -> int | None:
        """Return the first dual bound; None if the problem is too large to be built."""
        system, gold = self.system.graphs[i], self.gold.graphs[j]
        if len(system.triples) * len(gold.as_gold()) > _SMALL:
            return None
        comparison = compare_triples(system, gold, self.metric).in_largest_unit()
        return comparison.unit * bounded(comparison.problem).upper

    def _mapper(self, i: int, j: int) -> Mapper:
        deadline = Deadline.after(self.settings.timeout)
        return Mapper(self._called(i, j), self.settings, deadline, _NEVER)

    def _called(self, i: int, j: int) -> str:
        return f"{self.system.names[i]} and {self.gold.names[j]}"


def by_stage(counts: Mapping[str, int], first: Sequence[str] = ()) -> dict[str, int]:
    """Return how many pairs each stage decided, the stages *first* before all others.

    That of the word of solvers is only there if it decided any.
    """
    stages = (*first, *_STAGES, *([WORD] if counts.get(WORD) else []))
    return {stage: counts.get(stage, 0) for stage in stages}


def f1_of(matched: Any, totals: Any) -> "NDArray[np.float64]":
    """Return F1 from arrays of one shape: the matches, and the sums of both totals.

    It is 0 if there are no triples. Both numbers are below `_LIMIT`, so each quotient is rounded as
    that of a single score (`exactmatch.metrics.counts.Score`). If a quotient is less here, it is
    less in truth.
    """
    import numpy as np

    found: NDArray[np.float64] = np.zeros(totals.shape)
    np.divide(2.0 * matched, totals, out=found, where=totals > 0)
    return found


class Limits:
    """Upper bounds on the F1 of graphs of system and gold. Rows are arrays, by graph of gold.

    totals: the denominators of recall.
    """

    def __init__(self, pairwise: Pairwise) -> None:
        import numpy as np

        self._pairwise = pairwise
        metric = pairwise.metric
        self._system_totals = pairwise.system.totals(metric)
        self._totals = np.array(pairwise.gold.totals(metric), dtype=np.int64)

    def both_totals(self, i: int) -> "NDArray[np.int64]":
        """Return the denominators of F1: the triples of graph *i* and of each graph of gold."""
        return self._totals + self._system_totals[i]

    def by_totals(self, i: int) -> "NDArray[np.float64]":
        """Return limits by the numbers of triples."""
        import numpy as np

        pairwise = self._pairwise
        if not pairwise.metric.matches_once:
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
    """Return the least number of matches for an F1 of *f1*, given the sum of *totals*.

    If all triples together are not enough, it is more than *totals*. F1 is the rounded quotient, as
    in tables, so every F1 in a table reaches itself. Rounding keeps the order, so no pair is lost
    whose true F1 reaches the true *f1*. The first guess is not too large: the product errs by less
    than 1 while *totals* are below 2**52.
    """
    if totals == 0:
        return 0 if f1 <= 0 else 1
    least = max(0, int(f1 * totals / 2) - 1)
    while 2 * least / totals < f1:
        least += 1
    return least
