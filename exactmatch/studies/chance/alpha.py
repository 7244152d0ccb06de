"""Agreement corrected for chance from any square of distances, or from a matrix of graphs."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exactmatch.errors import UsageError, shown_value
from exactmatch.many.matrix_results import Matrix
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import Intervals
from exactmatch.scoring.sides import check_known
from exactmatch.studies.chance.coefficients import Coefficient, braylan, krippendorff
from exactmatch.studies.chance.distances import (
    DISTANCES,
    Distance,
    Fractions,
    Integers,
    MatchedPairs,
    PairDistances,
)
from exactmatch.studies.chance.resampled import Disagreement
from exactmatch.studies.common.statistics import Resampling

#: Distances other than 0 lie between these, so that their squares and sums are numbers of a float.
_SMALLEST, _LARGEST = 1e-100, 1e100


@dataclass(frozen=True, slots=True)
class ChanceCorrected:
    """Coefficients of agreement corrected for chance; `Coefficient` describes each.

    alpha: Krippendorff's alpha. mean, sigma, ks: the coefficients of Braylan et al. (2022), which
        take the distances themselves, not squared.
    items, graphs: the numbers of items with at least two graphs, and of their graphs.
    pairs, open: the number of pairs of these graphs, and of those that are not proven.
    """

    alpha: Coefficient
    mean: Coefficient
    sigma: Coefficient
    ks: Coefficient
    items: int
    graphs: int
    pairs: int
    open: int


@keywords
def alpha(
    matrix: Matrix | Sequence[Sequence[float | Fraction]] | NDArray[Any],
    items: Sequence[Hashable],
    *,
    distance: Distance | None = None,
    squared: bool = True,
    intervals: Intervals,
    seed: int = 0,
) -> ChanceCorrected:
    """Compute agreement corrected for chance: Krippendorff's alpha, and sigma and KS.

    All sums are exact: whole numbers and fractions stay what they are, and a floating-point number
    is the fraction that it stands for.

    Args:
        matrix: what `exactmatch.matrix` returns for all graphs; or a square of distances, as an
            array or a list of rows.
        items: the item of each graph, in the order of the rows; graphs of equal values belong to
            one item. Graphs that are alone are left out.
        distance: for a matrix of graphs. ``plain``, the default, is the number of triples without
            a partner; ``diff`` is the same without the difference in size; ``norm`` is 1 - F1.
        squared: square the distances for alpha, as Krippendorff does.
        {options}
        seed: the seed of the resamples.

    Returns:
        The coefficients ``alpha``, ``mean`` (Braylan's alpha), ``sigma`` and ``ks``. Each has an
        interval ``value``; its ends ``low`` and ``high`` are equal if all pairs are proven.

    Raises:
        UsageError: for a matrix that is no square of distances (symmetric, 0 from each graph to
            itself, and otherwise 0 or between 1e-100 and 1e100), items of another number, and
            unknown options.

    Example:
        >>> import exactmatch
        >>> values = [1, 2, 2, 4, 4, 4]  # two graphs of each of three items
        >>> square = [[abs(v - w) for w in values] for v in values]
        >>> found = exactmatch.alpha(square, [1, 1, 2, 2, 3, 3])
        >>> found.alpha.value.low, found.alpha.observed.low, found.alpha.expected.low
        (Fraction(28, 53), Fraction(5, 3), Fraction(53, 15))
    """
    resampling = Resampling(intervals.resamples, intervals.confidence, seed)
    units = [*items]
    if isinstance(matrix, Matrix):
        check_known("distance", distance or "plain", DISTANCES)
        pairs = _of_matrix(matrix, _numbered(units, len(matrix.system_ids)), distance or "plain")
    elif distance is not None:
        raise UsageError("distance is for a matrix of graphs; a square has its own distances")
    else:
        rows = _rows(matrix)
        pairs = _of_square(rows, _numbered(units, len(rows)))
    pairs = pairs.without(np.zeros(len(pairs.items), dtype=bool))
    (corrected,) = krippendorff([Disagreement(pairs, 2 if squared else 1)], resampling)
    mean, sigma, ks = braylan(pairs, resampling)
    return ChanceCorrected(
        corrected,
        mean,
        sigma,
        ks,
        items=len(pairs.sizes),
        graphs=len(pairs.items),
        pairs=len(pairs.first),
        open=pairs.open,
    )


def _numbered(items: Sequence[Hashable], number: int) -> NDArray[np.int64]:
    """Return the items as numbers. Raises `UsageError` unless there are so many."""
    if len(items) != number:
        raise UsageError(f"items: {len(items)} for {number} graphs")
    try:
        places = {item: place for place, item in enumerate(dict.fromkeys(items))}
    except TypeError as error:
        raise UsageError(f"items: {error}") from None
    return np.array([places[item] for item in items], dtype=np.int64)


def _of_matrix(matrix: Matrix, items: NDArray[np.int64], distance: Distance) -> PairDistances:
    """Return the distances of a matrix. Raises `UsageError` for one that has not all of them."""
    if matrix.at_least is not None:
        raise UsageError("this matrix has only the pairs that reach an F1; alpha needs all pairs")
    if [*matrix.system_ids] != [*matrix.gold_ids]:
        raise UsageError("alpha needs a matrix of graphs with each other, not with other graphs")
    if matrix.metric.can_exceed:
        raise UsageError(
            f"{matrix.metric.name} multiplies repeated triples: its matches make no distance"
        )
    kept = matrix.row < matrix.column
    row, column = matrix.row[kept], matrix.column[kept]
    return MatchedPairs(
        items=items,
        first=row,
        second=column,
        first_total=matrix.system_totals[row],
        second_total=matrix.gold_totals[column],
        matched=matrix.matched[kept],
        upper=matrix.upper[kept],
        scale=matrix.metric.scale,
    ).distances(distance)


def _rows(square: Any) -> list[list[Any]]:
    """Return the rows of a square of distances. Raises `UsageError` for anything else."""
    try:
        rows = [[*row] for row in (square.tolist() if isinstance(square, np.ndarray) else square)]
    except TypeError:
        raise UsageError(f"expected a matrix or a square of distances, not {square!r}") from None
    for i, row in enumerate(rows):
        if len(row) != len(rows):
            raise UsageError(f"row {i}: {len(row)} distances in a matrix of {len(rows)} rows")
        for j, value in enumerate(row):
            if not _is_distance(value):
                raise UsageError(
                    f"row {i}, column {j}: {shown_value(value)} is no distance (0, or a number "
                    f"from {_SMALLEST:g} to {_LARGEST:g})"
                )
            if j <= i and value != (rows[j][i] if j < i else 0):
                what = "not that of the other order" if j < i else "not 0"
                raise UsageError(f"row {i}, column {j}: the distance {value!r} is {what}")
    return rows


def _is_distance(value: Any) -> bool:
    is_number = isinstance(value, Rational) or (isinstance(value, float) and isfinite(value))
    return is_number and bool(value == 0 or _SMALLEST <= value <= _LARGEST)


def _of_square(rows: Sequence[Sequence[Any]], items: NDArray[np.int64]) -> PairDistances:
    first, second = np.triu_indices(len(rows), 1)
    exact = [
        Fraction(rows[i][j]).as_integer_ratio()
        for i, j in zip(first.tolist(), second.tolist(), strict=True)
    ]
    numerators, denominators = (_whole([int(pair[k]) for pair in exact]) for k in (0, 1))
    distances = Fractions(numerators, denominators)
    return PairDistances(items, first, second, least=distances, largest=distances)


def _whole(numbers: Sequence[int]) -> Integers:
    """Return an array of 64 bits or, for large numbers, of Python's integers."""
    return np.array(numbers, dtype=np.int64 if max(numbers, default=0) < 2**31 else object)
