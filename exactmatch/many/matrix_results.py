"""The results of comparing many graphs at once: a matrix of scores, and neighbours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exactmatch.errors import UsageError
from exactmatch.many.nearest import Neighbourhood
from exactmatch.many.pairwise import f1_of
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.scoring.frames import data_frame
from exactmatch.scoring.solver_totals import SolverRun

if TYPE_CHECKING:
    import numpy as np
    import pandas
    from numpy.typing import NDArray

#: The figures of a cell.
_FIGURES = ("f1", "f1_upper", "matched", "upper")


@dataclass(frozen=True, kw_only=True, repr=False)
class Matrix:
    """Graphs against graphs, by one metric.

    Its cells are in columns: *row* and *column* are positions in *system_ids* and *gold_ids*,
    *matched* and *upper* the matches of a mapping and their upper bound. A symmetric matrix has the
    cells from the diagonal on.

    signature: every choice that changes a score.
    system_totals, gold_totals: the number of triples of each graph, times the `scale` of the
        metric, as are matches.
    at_least: only pairs whose F1 may reach this number are cells; None means all pairs.
    stages: how many pairs each stage decided, see `exactmatch.many.pairwise.by_stage`.
    solver: the work of a solver that was asked for by name.
    skipped: unreadable graphs that were left out.
    mended: the number of repaired graphs and replaced DRSs.
    seconds: the time of the whole run, including reading.
    """

    metric: AlignmentMetric = field(repr=False)
    signature: str
    system_ids: Sequence[str]
    gold_ids: Sequence[str]
    system_totals: "NDArray[np.int64]"
    gold_totals: "NDArray[np.int64]"
    row: "NDArray[np.int64]"
    column: "NDArray[np.int64]"
    matched: "NDArray[np.int64]"
    upper: "NDArray[np.int64]"
    is_symmetric: bool
    at_least: float | None
    stages: Mapping[str, int]
    solver: SolverRun = field(repr=False)
    skipped: int
    mended: int
    seconds: float

    @property
    def pairs(self) -> int:
        """The number of pairs that were compared or ruled out."""
        return sum(self.stages.values())

    @property
    def open(self) -> int:
        """The number of cells that are not proven."""
        return int((self.matched < self.upper).sum())

    @property
    def f1(self) -> "NDArray[np.float64]":
        """F1 by cell."""
        return self._f1(self.matched)

    @property
    def f1_upper(self) -> "NDArray[np.float64]":
        """The upper bound of the true F1, by cell."""
        return self._f1(self.upper)

    def dense(self, figure: str = "f1") -> "NDArray[Any]":
        """Return a *figure* of all pairs as an array of two dimensions: F1, or the matches.

        Raises `UsageError` for an unknown figure, and if not all pairs are cells.
        """
        import numpy as np

        if figure not in _FIGURES:
            raise UsageError(
                f"no figure is called {figure!r}; the figures are {', '.join(_FIGURES)}"
            )
        if self.at_least is not None:
            raise UsageError("this matrix has only the pairs that reach an F1")
        values = getattr(self, figure)
        found = np.zeros((len(self.system_ids), len(self.gold_ids)), dtype=values.dtype)
        found[self.row, self.column] = values
        if self.is_symmetric:
            found[self.column, self.row] = values
        return found

    def columns(self) -> dict[str, list[Any]]:
        """Return a table of the cells, without the diagonal of a symmetric matrix, by column."""
        kept = self.row != self.column if self.is_symmetric else slice(None)
        row, column = self.row[kept], self.column[kept]
        arrays = {
            "row": row,
            "column": column,
            "matched": self.matched[kept],
            "upper": self.upper[kept],
            "system_total": self.system_totals[row],
            "gold_total": self.gold_totals[column],
            "f1": self.f1[kept],
            "f1_upper": self.f1_upper[kept],
        }
        return {
            "system": [self.system_ids[i] for i in row],
            "gold": [self.gold_ids[j] for j in column],
            **{name: array.tolist() for name, array in arrays.items()},
        }

    def to_frame(self) -> "pandas.DataFrame":
        """Return `columns` as a data frame. Raises `UsageError` if pandas is not installed."""
        columns = self.columns()
        return data_frame([*columns], zip(*columns.values(), strict=True))

    def __repr__(self) -> str:
        size = f"{len(self.system_ids)} x {len(self.gold_ids)}"
        return f"<Matrix {size}, {len(self.row)} cells, {self.open} not proven>"

    def _f1(self, matched: "NDArray[np.int64]") -> "NDArray[np.float64]":
        return f1_of(matched, self.system_totals[self.row] + self.gold_totals[self.column])


@dataclass(frozen=True, kw_only=True, repr=False)
class NearestGraphs:
    """The graphs of a corpus that are nearest to each query, by the F1 of one metric.

    query_ids, corpus_ids: the names of the graphs.
    found: the neighbours of each query, nearest first; equally near ones in the order of the
        corpus.
    The other fields are as in `Matrix`.
    """

    metric: AlignmentMetric = field(repr=False)
    signature: str
    query_ids: Sequence[str]
    corpus_ids: Sequence[str]
    found: Sequence[Neighbourhood]
    stages: Mapping[str, int]
    solver: SolverRun = field(repr=False)
    skipped: int
    mended: int
    seconds: float

    @property
    def pairs(self) -> int:
        """The number of pairs that were compared or ruled out."""
        return sum(self.stages.values())

    @property
    def open(self) -> int:
        """The number of queries whose neighbours are not proven to be the nearest."""
        return sum(not one.is_proven for one in self.found)

    def columns(self) -> dict[str, list[Any]]:
        """Return a table with a row for each neighbour, by column."""
        rows = [
            (query, rank, self.corpus_ids[one.position], *one)
            for query, neighbourhood in zip(self.query_ids, self.found, strict=True)
            for rank, one in enumerate(neighbourhood.neighbours, start=1)
        ]
        names = ("query", "rank", "neighbour", "position", "matched", "upper", "f1", "f1_upper")
        return {name: [row[k] for row in rows] for k, name in enumerate(names)}

    def to_frame(self) -> "pandas.DataFrame":
        """Return `columns` as a data frame. Raises `UsageError` if pandas is not installed."""
        columns = self.columns()
        return data_frame([*columns], zip(*columns.values(), strict=True))

    def __repr__(self) -> str:
        return (
            f"<NearestGraphs of {len(self.query_ids)} among {len(self.corpus_ids)}, "
            f"{self.open} not proven>"
        )
