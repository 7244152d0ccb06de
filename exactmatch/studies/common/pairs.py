"""The scores of the pairs of two files: a few whole numbers a pair, in columns.

The number of proven scores of a study, over all its pairs of graphs.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import fsum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from exactmatch.errors import InputError
from exactmatch.graphs.items import FilePair, Study
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.counts import Range, Score
from exactmatch.scoring.solver_totals import SolverTotals
from exactmatch.studies.common.formulas import Addends, AddendsCollector, Layout
from exactmatch.studies.common.outcomes import (
    CERTIFIED,
    CHECKED,
    EMPTIED,
    OPTIMAL,
    SHORTENED,
    TIMED_OUT,
    TOO_LARGE,
    PairOutcome,
)
from exactmatch.studies.common.statistics import Floats, Items

#: No count of a pair may reach this, so that the sum of two fits into 64 bits.
_LARGEST_COUNT = 2**62


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoredPairs(Score):
    """The score of two files, micro-averaged, and the numbers of every pair.

    metric: the metric.
    names: the names of the items of the study; *items* has the position there of each pair, and
        *skipped_items* that of each pair that was left out.
    counts: for each pair, its `Score`: matched, upper bound, and the totals of both sides.
    flags: the flags of each pair. solvers: the solver of each pair, as the position in
        *solver_names*.
    seconds: the seconds of each pair.
    addends: the inputs of the metric's formula for each pair; none if the metric divides counts.
    ranges: the matches of each part under the best mappings, if asked for; they are those of all
        pairs, and empty for a selection.
    solver_totals: the work of a solver that was asked for by name, on all pairs; None for others,
        and for a selection.

    Two are equal if their counts are: arrays have no truth value.
    """

    metric: Metric = field(compare=False)
    names: Sequence[str] = field(repr=False, compare=False)
    items: NDArray[np.int64] = field(repr=False, compare=False)
    skipped_items: NDArray[np.int64] = field(repr=False, compare=False)
    counts: NDArray[np.int64] = field(repr=False, compare=False)
    flags: NDArray[np.uint8] = field(repr=False, compare=False)
    solvers: NDArray[np.uint8] = field(repr=False, compare=False)
    solver_names: Sequence[str] = field(compare=False)
    seconds: NDArray[np.float64] = field(repr=False, compare=False)
    addends: Addends = field(repr=False, compare=False)
    ranges: Mapping[str, Range] = field(default_factory=dict, repr=False, compare=False)
    solver_totals: SolverTotals | None = field(default=None, repr=False, compare=False)

    @property
    def pairs(self) -> int:
        """The number of pairs that were scored."""
        return len(self.items)

    @property
    def skipped(self) -> int:
        """The number of pairs left out."""
        return len(self.skipped_items)

    @property
    def optimal(self) -> int:
        """The number of pairs whose score is proven to be the best."""
        return int(np.count_nonzero(self.is_optimal))

    @property
    def certified(self) -> int:
        """The number of these whose proof was checked."""
        return int(np.count_nonzero(self._has(CERTIFIED)))

    @property
    def by_word(self) -> Counter[str]:
        """The number of the others, by the solver that claims that they are optimal."""
        return self._by_solver(self.is_optimal & ~self._has(CERTIFIED))

    @property
    def bounded_by_word(self) -> Counter[str]:
        """The number of unproven pairs whose upper bound a solver claims, by its name."""
        return self._by_solver(~self.is_optimal & ~self._has(CHECKED))

    def _by_solver(self, chosen: NDArray[np.bool_]) -> Counter[str]:
        times = np.bincount(self.solvers[chosen], minlength=len(self.solver_names)).tolist()
        return +Counter(dict(zip(self.solver_names, times, strict=True)))

    @property
    def timed_out(self) -> int:
        """The number of pairs in which the time limit left a gap."""
        return int(np.count_nonzero(self._has(TIMED_OUT)))

    @property
    def too_large(self) -> int:
        """The number of pairs that were not solved, since they would take too much memory."""
        return int(np.count_nonzero(self._has(TOO_LARGE)))

    @property
    def emptied(self) -> int:
        """The number of pairs in which an empty graph replaces a missing one."""
        return int(np.count_nonzero(self._has(EMPTIED)))

    @property
    def shortened(self) -> int:
        """The number of pairs of UMR documents in which sentences were left out."""
        return int(np.count_nonzero(self._has(SHORTENED)))

    @property
    def is_optimal(self) -> NDArray[np.bool_]:
        """For each pair, whether its score is proven to be the best."""
        return self._has(OPTIMAL)

    @property
    def totals(self) -> NDArray[np.int64]:
        """For each pair, the triples of both its graphs."""
        totals: NDArray[np.int64] = self.counts[:, 2] + self.counts[:, 3]
        return totals

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the scored pairs, or the metric's own score; 0 if there are none."""
        items = self.resampled()
        return _mean(items.formula.scores(np.stack(items.low, axis=-1)))

    @property
    def macro_f1_upper(self) -> float:
        """The upper bound of the true mean."""
        items = self.resampled()
        return _mean(items.formula.scores(np.stack(items.high, axis=-1)))

    def of_pair(self, row: int) -> Score:
        """Return the score of one pair."""
        matched, upper, system, gold = self.counts[row].tolist()
        return Score(matched=matched, matched_upper=upper, system_total=system, gold_total=gold)

    def restricted(self, mask: NDArray[np.bool_]) -> "ScoredPairs":
        """Return the score of the pairs for which *mask* is true."""
        counts, addends = self.counts[mask], self.addends.restricted(mask)
        return replace(
            self,
            **_sums(self.metric, counts, addends),
            items=self.items[mask],
            counts=counts,
            flags=self.flags[mask],
            solvers=self.solvers[mask],
            seconds=self.seconds[mask],
            addends=addends,
            ranges={},
            solver_totals=None,
        )

    def resampled(self) -> Items:
        """Return the numbers of the pairs for confidence intervals and tests."""
        return self.laid_out(Layout(self.metric, [self.addends]))

    def laid_out(self, layout: Layout) -> Items:
        """Return the same with the inputs of a formula in the columns of *layout*."""
        matched, upper, system_total = (self.counts[:, k] for k in range(3))
        if self.figures is None:
            return Items(matched, upper, self.totals)
        at_most = self.addends.at_most
        return Items(
            matched,
            upper,
            self.totals,
            further=layout.further(system_total, self.addends),
            further_upper=None if at_most is None else layout.further(system_total, at_most),
            formula=layout.formula,
        )

    def _has(self, flag: int) -> NDArray[np.bool_]:
        has: NDArray[np.bool_] = self.flags & flag != 0
        return has


def resampled_together(one: ScoredPairs, other: ScoredPairs) -> tuple[Items, Items]:
    """Return the numbers of two sides by one metric, with the same columns for its formula."""
    layout = Layout(one.metric, [one.addends, other.addends])
    return one.laid_out(layout), other.laid_out(layout)


def joined(several: Sequence[ScoredPairs]) -> ScoredPairs:
    """Return the score of all pairs of several scores of one study, by a metric of counts."""
    names = list(dict.fromkeys(name for score in several for name in score.solver_names))
    places = [[names.index(name) for name in score.solver_names] for score in several]
    solvers = [
        np.array(place, dtype=np.uint8)[score.solvers]
        for place, score in zip(places, several, strict=True)
    ]
    counts = np.concatenate([score.counts for score in several])
    return replace(
        several[0],
        **_sums(several[0].metric, counts, several[0].addends),
        items=np.concatenate([score.items for score in several]),
        skipped_items=np.concatenate([score.skipped_items for score in several]),
        counts=counts,
        flags=np.concatenate([score.flags for score in several]),
        solvers=np.concatenate(solvers),
        solver_names=names,
        seconds=np.concatenate([score.seconds for score in several]),
        solver_totals=None,
    )


def with_items(study: Study, scores: Mapping[FilePair, ScoredPairs]) -> dict[FilePair, ScoredPairs]:
    """Return the *scores* of files that have items in common.

    Under ``--missing empty``, files whose common items are unreadable have scores, too.
    """
    return {files: score for files, score in scores.items() if score.pairs or study.share(*files)}


class ScoreCollector:
    """Collects the numbers of pairs, in the order of their items."""

    def __init__(self, names: Sequence[str], metric: Metric) -> None:
        self._names = names
        self._metric = metric
        self._addends = AddendsCollector()
        self._items, self._skipped, self._counts = array("q"), array("q"), array("q")
        self._flags, self._solvers, self._seconds = array("B"), array("B"), array("d")
        self._solver_names: dict[str, int] = {}
        self._ranges: dict[str, Range] = {}
        self._solver_totals: SolverTotals | None = None

    def add(self, item: int, outcome: PairOutcome) -> None:
        """Add the score of the pair at the position *item*.

        Raises `InputError` for counts that do not fit into 64 bits.
        """
        row = outcome.row
        if max(row[:4]) >= _LARGEST_COUNT:
            raise InputError(
                f"pair {self._names[item]}: {max(row[:4])} triples are too many for a study"
            )
        self._items.append(item)
        self._counts.extend(row[:4])
        self._flags.append(row.flags)
        self._solvers.append(self._solver_names.setdefault(row.solver, len(self._solver_names)))
        self._seconds.append(row.seconds)
        if outcome.statistics is not None:
            self._addends.add(outcome.statistics)
        if outcome.work is not None:
            self._solver_totals = (self._solver_totals or SolverTotals()).with_pair(outcome.work)
        for part, known in outcome.ranges.items():
            self._ranges[part] = self._ranges.get(part, Range()) + known

    def skip(self, item: int) -> None:
        """Note that the pair at the position *item* was left out."""
        self._skipped.append(item)

    def finish(self) -> ScoredPairs:
        """Return the score of all pairs."""
        counts = np.array(self._counts, dtype=np.int64).reshape(-1, 4)
        addends = self._addends.finish()
        return ScoredPairs(
            **_sums(self._metric, counts, addends),
            metric=self._metric,
            names=self._names,
            items=np.array(self._items, dtype=np.int64),
            skipped_items=np.array(self._skipped, dtype=np.int64),
            counts=counts,
            flags=np.array(self._flags, dtype=np.uint8),
            solvers=np.array(self._solvers, dtype=np.uint8),
            solver_names=list(self._solver_names),
            seconds=np.array(self._seconds, dtype=np.float64),
            addends=addends,
            ranges={
                part: self._ranges[part] for part in self._metric.parts if part in self._ranges
            },
            solver_totals=self._solver_totals,
        )


def _sums(metric: Metric, counts: NDArray[np.int64], addends: Addends) -> dict[str, Any]:
    """Return the sums of the columns, and the result of the metric's formula if it has one.

    The sums are Python's integers, since 64 bits may not be enough.
    """
    matched, upper, system, gold = (sum(column.tolist()) for column in counts.T)
    statistics = Statistics(matched, upper, system, gold, addends.breakdown, addends.total_sums)
    return {
        "matched": matched,
        "matched_upper": upper,
        "system_total": system,
        "gold_total": gold,
        "figures": metric.results(statistics),
    }


def _mean(values: Floats) -> float:
    return fsum(values.tolist()) / len(values) if len(values) else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofCounts:
    """The number of proven pairs of graphs, and the reasons why others are not proven.

    pairs: the number scored; *optimal* of them are proven, *certified* of these by a checked proof.
    gap: the triples between the best mappings found and the upper bounds.
    by_word: pairs whose optimum is only claimed by a solver, by its name; *bounded_by_word* those
        not proven whose upper bound is only claimed. Names are in alphabetical order.
    timed_out, too_large: pairs that a limit has left open. skipped: pairs left out; emptied: pairs
        in which an empty graph replaces a missing one.
    scale: the parts into which a triple is divided for counting.
    solver_totals: the work of a solver that was asked for by name; None for others.
    """

    pairs: int
    optimal: int
    certified: int
    gap: int
    by_word: Mapping[str, int]
    bounded_by_word: Mapping[str, int]
    timed_out: int
    too_large: int
    skipped: int
    emptied: int
    scale: int
    solver_totals: SolverTotals | None = None

    @classmethod
    def of(cls, scores: Sequence[ScoredPairs]) -> Self:
        """Count over the scores of several pairs of files, under one metric."""
        return cls(
            pairs=sum(score.pairs for score in scores),
            optimal=sum(score.optimal for score in scores),
            certified=sum(score.certified for score in scores),
            gap=sum(score.gap for score in scores),
            by_word=_added([score.by_word for score in scores]),
            bounded_by_word=_added([score.bounded_by_word for score in scores]),
            timed_out=sum(score.timed_out for score in scores),
            too_large=sum(score.too_large for score in scores),
            skipped=sum(score.skipped for score in scores),
            emptied=sum(score.emptied for score in scores),
            scale=scores[0].metric.scale,
            solver_totals=_all_work([score.solver_totals for score in scores]),
        )

    @property
    def all_proven(self) -> bool:
        """Whether every pair is proven."""
        return self.optimal == self.pairs

    @property
    def lacking(self) -> int:
        """The number of pairs with a missing or unreadable graph."""
        return self.skipped + self.emptied


def _all_work(totals: Sequence[SolverTotals | None]) -> SolverTotals | None:
    """Return the sum of *totals* that are known; None if there are none."""
    known = [one for one in totals if one is not None]
    return reduce(SolverTotals.plus, known) if known else None


def _added(counts: Sequence[Counter[str]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for counter in counts:
        total += counter
    return dict(sorted(total.items()))
