"""The mean agreement over several two files, which papers report, with its confidence interval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from exactmatch.graphs.items import FilePair
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import (
    Floats,
    Formula,
    Integers,
    Interval,
    Resampling,
    interval_of_columns,
)

#: The F1 of an item, which is no whole number, is resampled in such parts of 1.
_PARTS = 2**32


@dataclass(frozen=True, slots=True)
class MeanF1:
    """A mean of F1 scores, what the true one does not exceed, and its confidence interval."""

    value: float
    upper: float
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanAgreement:
    """The mean F1 of several two files.

    micro, macro: the means over *files* of their micro F1, and of their macro F1. Their intervals
        are from resampling items, each with all that is known of it.
    names: all that are compared; *items* those on which any two of them are.
    pairs: of graphs, of which *optimal* are proven, *certified* of these by a checked proof.
    """

    files: Sequence[FilePair]
    micro: MeanF1
    macro: MeanF1
    names: Sequence[str]
    items: int
    pairs: int
    optimal: int
    certified: int

    @classmethod
    def of(cls, scores: Mapping[FilePair, ScoredPairs], resampling: Resampling) -> Self:
        """Return the mean of *scores*, of which there is one at least."""
        listed = [*scores.values()]
        items = np.unique(np.concatenate([score.items for score in listed]))
        micro, macro = _micro_columns(listed, items), _macro_columns(listed, items)
        return cls(
            files=[*scores],
            micro=MeanF1(
                fmean(score.f1 for score in listed),
                fmean(score.f1_upper for score in listed),
                interval_of_columns(*micro, _MEAN_MICRO_F1, resampling),
            ),
            macro=MeanF1(
                fmean(score.macro_f1 for score in listed),
                fmean(score.macro_f1_upper for score in listed),
                interval_of_columns(*macro, _MEAN_MACRO_F1, resampling),
            ),
            names=[*dict.fromkeys(name for files in scores for name in files)],
            items=len(items),
            pairs=sum(score.pairs for score in listed),
            optimal=sum(score.optimal for score in listed),
            certified=sum(score.certified for score in listed),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanAgreements:
    """The mean agreement of annotators.

    among: of every two of them, None if there is but one.
    with_consensus: of each of them with the *consensus*; None if there is none.
    """

    among: MeanAgreement | None
    with_consensus: MeanAgreement | None
    consensus: str | None
    resampling: Resampling

    @classmethod
    def of(
        cls,
        scores: Mapping[FilePair, ScoredPairs],
        consensus: str | None,
        resampling: Resampling,
    ) -> Self:
        """Return the means of the *scores* of every two files; the consensus is the second."""
        among = {files: score for files, score in scores.items() if files[1] != consensus}
        agreed = {files: score for files, score in scores.items() if files[1] == consensus}
        return cls(
            among=MeanAgreement.of(among, resampling) if among else None,
            with_consensus=MeanAgreement.of(agreed, resampling) if agreed else None,
            consensus=consensus,
            resampling=resampling,
        )


def _micro_columns(
    scores: Sequence[ScoredPairs], items: NDArray[np.int64]
) -> tuple[list[Integers], list[Integers]]:
    """Return three columns for each two files, for the mappings found and for the upper bounds.

    They are what matches, the totals of both sides, and 1 for each of *items* that was scored.
    """
    low: list[Integers] = []
    high: list[Integers] = []
    for score in scores:
        matched, upper = score.counts[:, 0], score.counts[:, 1]
        total, scored = (_at(score, items, each) for each in (score.totals, 1))
        low += [_at(score, items, matched), total, scored]
        high += [_at(score, items, upper), total, scored]
    return low, high


def _macro_columns(
    scores: Sequence[ScoredPairs], items: NDArray[np.int64]
) -> tuple[list[Integers], list[Integers]]:
    """Return two columns for each two files: the F1 of items in parts, and which were scored."""
    low: list[Integers] = []
    high: list[Integers] = []
    for score in scores:
        counted, scored = score.resampled(), _at(score, items, 1)
        for columns, ends in ((low, counted.low), (high, counted.high)):
            f1 = counted.formula.scores(np.stack(ends, axis=-1))
            columns += [_at(score, items, np.rint(f1 * _PARTS).astype(np.int64)), scored]
    return low, high


def _at(score: ScoredPairs, items: NDArray[np.int64], values: Any) -> Integers:
    """Return *values* of the pairs of *score*, one for each of *items*; 0 where it has no pair."""
    column = np.zeros(len(items), dtype=np.int64)
    column[np.searchsorted(items, score.items)] = values
    return column


def _mean_micro_f1(sums: Integers) -> Floats:
    """Return the mean over files of their micro F1, without files that no item is drawn of."""
    matched, total, scored = (np.asarray(sums[:, k::3], dtype=float) for k in range(3))
    f1 = np.divide(2 * matched, total, out=np.zeros_like(matched), where=total > 0)
    return _mean_of_rows(f1, scored > 0)


def _mean_macro_f1(sums: Integers) -> Floats:
    """Return the mean over files of the mean F1 of their items, likewise."""
    parts, scored = (np.asarray(sums[:, k::2], dtype=float) for k in range(2))
    f1 = np.divide(parts / _PARTS, scored, out=np.zeros_like(parts), where=scored > 0)
    return _mean_of_rows(f1, scored > 0)


def _mean_of_rows(values: Floats, known: NDArray[np.bool_]) -> Floats:
    """Return the mean of what is *known* in each row, 0 where that is nothing."""
    sums, counts = (values * known).sum(axis=1), known.sum(axis=1)
    means: Floats = np.divide(sums, counts, out=np.zeros(len(values)), where=counts > 0)
    return means


_MEAN_MICRO_F1 = Formula(_mean_micro_f1, 1e-14)
_MEAN_MACRO_F1 = Formula(_mean_macro_f1, 1 / _PARTS)
