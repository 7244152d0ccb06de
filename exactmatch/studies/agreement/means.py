"""The mean agreement over several pairs of files, as in papers, with confidence intervals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from exactmatch.graphs.items import FilePair
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs
from exactmatch.studies.common.statistics import (
    Floats,
    Formula,
    Integers,
    Interval,
    Resampling,
    confidence_interval,
    intervals_of_columns,
)

#: The F1 of an item is no whole number; it is resampled in such parts of 1.
_PARTS = 2**32


class PartScore(NamedTuple):
    """The score of a part of the items, and its interval; None for fewer than two items."""

    score: ScoredPairs
    interval: Interval | None

    @classmethod
    def of(cls, score: ScoredPairs, resampling: Resampling) -> Self:
        """Return *score* with its bootstrap interval."""
        return cls(score, confidence_interval(score.resampled(), resampling))


@dataclass(frozen=True, slots=True)
class MeanF1:
    """A mean of F1 scores, the upper bound of its true value, and its confidence interval."""

    value: float
    upper: float
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanAgreement:
    """The mean F1 of several pairs of files.

    micro, macro: the means over *files* of their micro F1, and of their macro F1. Their intervals
        come from resampling items together with all their comparisons.
    names: the names of the compared files; *items* is the number of items on which any two of them
        are compared.
    annotators: the number of these without the consensus.
    pairs: the number of pairs of graphs; *optimal* of them are proven, *certified* of these by a
        checked proof, and the others, *by_word*, by the word of a solver, by its name.
    """

    files: Sequence[FilePair]
    micro: MeanF1
    macro: MeanF1
    names: Sequence[str]
    items: int
    annotators: int
    pairs: int
    optimal: int
    certified: int
    by_word: Mapping[str, int]

    @classmethod
    def of(
        cls,
        scores: Mapping[FilePair, ScoredPairs],
        consensus: str | None,
        resampling: Resampling,
    ) -> Self:
        """Return the mean of *scores*, at least one."""
        names = [*dict.fromkeys(name for files in scores for name in files)]
        listed = [*scores.values()]
        micro, macro = _intervals(listed, resampling)
        proofs = ProofCounts.of(listed)
        return cls(
            files=[*scores],
            micro=MeanF1(
                fmean(score.f1 for score in listed),
                fmean(score.f1_upper for score in listed),
                micro,
            ),
            macro=MeanF1(
                fmean(score.macro_f1 for score in listed),
                fmean(score.macro_f1_upper for score in listed),
                macro,
            ),
            names=names,
            items=len(_items(listed)),
            annotators=sum(name != consensus for name in names),
            pairs=proofs.pairs,
            optimal=proofs.optimal,
            certified=proofs.certified,
            by_word=proofs.by_word,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanAgreements:
    """The mean agreement of annotators.

    among: the mean of every two annotators, None for a single annotator.
    with_consensus: the mean of each annotator with the *consensus*; None if there is none.
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
        groups = [
            {files: score for files, score in scores.items() if (files[1] == consensus) == agreed}
            for agreed in (False, True)
        ]
        among, agreed = (
            MeanAgreement.of(group, consensus, resampling) if group else None for group in groups
        )
        return cls(among=among, with_consensus=agreed, consensus=consensus, resampling=resampling)


def _intervals(
    scores: Sequence[ScoredPairs], resampling: Resampling
) -> tuple[Interval | None, Interval | None]:
    """Return the intervals of the means of the micro F1 and of the macro F1 of pairs of files.

    They depend on these scores alone: items are drawn for each mean anew. The order of the files
    does not matter, and the mean micro F1 of a single pair of files has the interval of its F1.
    """
    low, high, formulas = mean_columns(scores)
    micro, macro = intervals_of_columns(low, high, formulas, resampling)
    if len(scores) == 1:
        micro = confidence_interval(scores[0].resampled(), resampling)
    return micro, macro


def mean_columns(
    scores: Sequence[ScoredPairs],
) -> tuple[Sequence[Integers], Sequence[Integers], Sequence[Formula]]:
    """Return the numbers of each item, with the mappings found and with the upper bounds.

    The formulas make the means of the micro F1 and of the macro F1 of their sums.
    """
    each = _in_order([*_columns(scores)])
    low, high = ([column for one in each for column in one[end]] for end in (0, 1))
    formulas = [
        Formula(partial(mean, files=len(each)), rounding)
        for mean, rounding in ((_mean_micro_f1, 1e-14), (_mean_macro_f1, 1 / _PARTS))
    ]
    return low, high, formulas


def _items(scores: Sequence[ScoredPairs]) -> NDArray[np.int64]:
    """Return the items on which any two files are compared."""
    items: NDArray[np.int64] = np.unique(np.concatenate([score.items for score in scores]))
    return items


class _OfFiles(NamedTuple):
    """Four columns for a pair of files, with the mappings found (*low*) and the upper bounds.

    They are the matches, the totals of both sides, the F1 of the item in parts, and 1 for each
    scored item.
    """

    low: Sequence[Integers]
    high: Sequence[Integers]

    def rows(self) -> list[tuple[int, ...]]:
        """Return the numbers of each item."""
        return [*map(tuple, np.stack([*self.low, *self.high], axis=-1).tolist())]


def _in_order(each: Sequence[_OfFiles]) -> list[_OfFiles]:
    """Return pairs of files in an order that depends on their numbers, and not on that of items.

    If two have the same numbers, on other items, what the others have on these tells them apart:
    files and items are ranked in turn, until no rank becomes finer.
    """
    rows = [one.rows() for one in each]
    ranks = _ranked([tuple(sorted(of_files)) for of_files in rows])
    while len({*ranks}) < len(ranks):
        of_items = (zip(ranks, of_item, strict=True) for of_item in zip(*rows, strict=True))
        items = _ranked([tuple(sorted(of_item)) for of_item in of_items])
        beside = [tuple(sorted(zip(items, of_files, strict=True))) for of_files in rows]
        finer = _ranked([*zip(ranks, beside, strict=True)])
        if finer == ranks:
            break
        ranks = finer
    return [each[k] for k in sorted(range(len(each)), key=ranks.__getitem__)]


def _ranked(keys: Sequence[tuple[Any, ...]]) -> list[int]:
    """Return the place of each key among the different ones in order."""
    places = {key: place for place, key in enumerate(sorted({*keys}))}
    return [places[key] for key in keys]


def _columns(scores: Sequence[ScoredPairs]) -> Iterator[_OfFiles]:
    """Yield the columns of each pair of files, which have an entry for each item of any pair."""
    items = _items(scores)
    for score in scores:
        counted = score.resampled()
        total, scored = _at(score, items, score.totals), _at(score, items, 1)
        ends = []
        for columns, matched in (
            (counted.low, score.counts[:, 0]),
            (counted.high, score.counts[:, 1]),
        ):
            f1 = counted.formula.scores(np.stack(columns, axis=-1))
            parts = np.rint(f1 * _PARTS).astype(np.int64)
            ends.append([_at(score, items, matched), total, _at(score, items, parts), scored])
        yield _OfFiles(*ends)


def _at(score: ScoredPairs, items: NDArray[np.int64], values: Any) -> Integers:
    """Return *values* of the pairs of *score*, one for each of *items*; 0 if it has no pair."""
    column = np.zeros(len(items), dtype=np.int64)
    column[np.searchsorted(items, score.items)] = values
    return column


def _mean_micro_f1(sums: Integers, files: int) -> Floats:
    """Return the mean of the micro F1 of pairs of files, without those that have no drawn item."""
    matched, total, _, scored = _of_files(sums, files)
    f1 = np.divide(2 * matched, total, out=np.zeros_like(matched), where=total > 0)
    return _mean_of_rows(f1, scored > 0)


def _mean_macro_f1(sums: Integers, files: int) -> Floats:
    """Return the mean of the mean F1 of their items, in the same way."""
    _, _, parts, scored = _of_files(sums, files)
    f1 = np.divide(parts / _PARTS, scored, out=np.zeros_like(parts), where=scored > 0)
    return _mean_of_rows(f1, scored > 0)


def _of_files(sums: Integers, files: int) -> list[Floats]:
    """Return each of the four numbers of so many pairs of files, in columns."""
    return [np.asarray(sums[:, n : 4 * files : 4], dtype=float) for n in range(4)]


def _mean_of_rows(values: Floats, known: NDArray[np.bool_]) -> Floats:
    """Return the mean of the *known* values in each row; 0 if there are none."""
    sums, counts = (values * known).sum(axis=1), known.sum(axis=1)
    means: Floats = np.divide(sums, counts, out=np.zeros(len(values)), where=counts > 0)
    return means
