"""Search error: how far heuristics stay below the optimum (Cai and Knight 2013, section 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import NamedTuple

import numpy as np

from exactmatch.errors import UsageError
from exactmatch.graphs.items import FilePair, Study
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import mending_policy
from exactmatch.scoring.settings import Settings
from exactmatch.solving.search.methods import Starts
from exactmatch.studies.common.item_groups import Groups
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs
from exactmatch.studies.common.sweep import Sweep, SweepSettings, collect
from exactmatch.studies.search_error.attempts import Attempt, try_methods
from exactmatch.studies.search_error.by_group import GroupScore, group_scores
from exactmatch.studies.search_error.trials import (
    Integers,
    Losses,
    TrialCollector,
    Trials,
    by_size,
    joined_trials,
    losses,
)
from exactmatch.studies.search_error.worst import WorstLoss, worst_losses

#: Variables of the larger graph, for the losses by size.
_SIZES = (5, 10, 15, 20, 30, 50, 100, 200)


@dataclass(frozen=True, kw_only=True)
class ExactRow:
    """The exact search beside the methods: the proven shares of documents and of pairs.

    seconds: the time for all pairs once.
    """

    documents: float
    pairs: float
    seconds: float

    @property
    def losses(self) -> Losses:
        """The losses of the exact search: proven scores are right, and nothing is lost."""
        return Losses(
            right=self.pairs,
            documents_right=self.documents,
            triples=0.0,
            worst=0,
            f1=0.0,
            f1_worst=0.0,
            seconds=self.seconds,
        )


@dataclass(frozen=True, kw_only=True)
class MethodRow:
    """The losses of a method on all pairs.

    forth: with the system first; back: with the gold standard first. different: the share of pairs
        on which the two orders differ for any seed.
    f1: the mean over seeds of the micro F1 of each two files.
    rankings_right: the number of seeds for which the files are ranked as by their exact scores.
    """

    forth: Losses
    back: Losses
    different: float
    f1: Mapping[FilePair, float]
    rankings_right: int


@dataclass(frozen=True, kw_only=True)
class SizeGroup:
    """So many *pairs* of graphs of similar size, and the losses of each method on them.

    triples: the mean loss of each method over seeds and pairs.
    """

    pairs: int
    losses: Mapping[str, Losses]
    triples: Mapping[str, float]


@dataclass(frozen=True)
class SearchError:
    """The losses of heuristics on several pairs of files.

    methods: the methods by name; *seeds* is how often each was run on every pair, and *starts* what
        they map.
    document: the number of consecutive pairs in a document; None if documents are made otherwise.
    groups: the names of the groups of items, if these are the documents. Without either, the whole
        file is one document.
    by_group: the scores of each two files on each group.
    trials: for each two files, the trials of their pairs, without skipped ones.
    sizes: the losses by the number of variables of the larger graph, in words.
    worst: the greatest losses on a pair, the greatest first.
    """

    study: Study
    seeds: int
    starts: Starts
    document: int | None
    groups: Sequence[str]
    by_group: Sequence[GroupScore]
    trials: Mapping[FilePair, Trials]
    exact: ExactRow
    methods: Mapping[str, MethodRow]
    sizes: Mapping[str, SizeGroup]
    worst: Sequence[WorstLoss]
    proofs: ProofCounts

    @property
    def least(self) -> list[str]:
        """The methods with the least mean loss of F1; unproven pairs do not change that."""
        lost = {method: row.forth.f1 for method, row in self.methods.items()}
        return [method for method, f1 in lost.items() if f1 == min(lost.values())]

    @property
    def most(self) -> list[str]:
        """The methods with the largest mean loss of F1."""
        lost = {method: row.forth.f1 for method, row in self.methods.items()}
        return [method for method, f1 in lost.items() if f1 == max(lost.values())]

    @property
    def scores(self) -> dict[FilePair, ScoredPairs]:
        """The exact scores of each two files."""
        return {pair: trials.scores for pair, trials in self.trials.items()}


class SearchDesign(NamedTuple):
    """How pairs are searched, and how their losses are counted.

    methods: those to search each pair by, *seeds* times.
    document, groups: right and wrong scores are counted by documents: of so many consecutive pairs,
        of the items of each group, or (if both are None) of whole files.
    worst: the result names so many of the worst losses.
    """

    methods: Mapping[str, Attempt]
    seeds: int
    document: int | None = None
    groups: Groups | None = None
    worst: int = 15

    def documents(self, items: Integers) -> Integers:
        """Return the documents of *items*, by number."""
        if self.groups is not None:
            return np.array(self.groups.of_items, dtype=np.int64)[items]
        return np.arange(len(items)) // (self.document or max(1, len(items)))


def search_error(
    study: Study,
    pairs: Sequence[FilePair],
    design: SearchDesign,
    metric: AlignmentMetric,
    settings: Settings,
    sweeping: SweepSettings,
) -> SearchError:
    """Solve the pairs of graphs of each two files, and search them by the methods of *design*.

    Raises `InputError` if two files have no item in common or a graph cannot be read, `UsageError`
    if a program cannot compute with the weights, and `VerificationError` if two computations
    disagree.
    """
    if not pairs:
        raise UsageError("search error takes at least two files")
    methods, seeds, groups = design.methods, design.seeds, design.groups
    job = partial(try_methods, methods, seeds, metric, settings)
    collectors = {pair: TrialCollector(study.names, metric, methods, seeds) for pair in pairs}
    policy = mending_policy([metric])
    sweep = Sweep(study, pairs, job, sweeping, ill_formed=policy)
    collect(sweep, collectors)
    trials = {pair: collector.finish(design.documents) for pair, collector in collectors.items()}
    names = list(methods)
    every = joined_trials(list(trials.values()))
    return SearchError(
        sweep.study,
        seeds,
        settings.starts,
        design.document,
        groups=groups.names if groups else [],
        by_group=group_scores(trials, groups.names, names) if groups else [],
        trials=trials,
        exact=ExactRow(
            documents=every.proven_documents,
            pairs=every.scores.optimal / len(every),
            seconds=every.seconds,
        ),
        methods={method: method_row(trials, every, method) for method in names},
        sizes={size: _size_group(group, names) for size, group in by_size(every, _SIZES).items()},
        worst=worst_losses(trials, names, design.worst),
        proofs=ProofCounts.of([trial.scores for trial in trials.values()]),
    )


def method_row(trials: Mapping[FilePair, Trials], every: Trials, method: str) -> MethodRow:
    """Sum up the losses of a method on several pairs of files, and on all trials (*every*)."""
    exact = {pair: trial.scores.f1 for pair, trial in trials.items()}
    by_seed = {pair: trial.f1(method) for pair, trial in trials.items()}
    seeds = zip(*by_seed.values(), strict=True)
    return MethodRow(
        forth=losses(every, method),
        back=losses(every, method, back=True),
        different=every.different(method),
        f1={pair: fmean(values) for pair, values in by_seed.items()},
        rankings_right=sum(
            _order(exact) == _order(dict(zip(by_seed, values, strict=True))) for values in seeds
        ),
    )


def _order(values: Mapping[FilePair, float]) -> list[FilePair]:
    return sorted(values, key=lambda pair: (-values[pair], pair))


def _size_group(trials: Trials, methods: Sequence[str]) -> SizeGroup:
    lost = {method: losses(trials, method) for method in methods}
    mean = {method: row.triples / len(trials) for method, row in lost.items()}
    return SizeGroup(pairs=len(trials), losses=lost, triples=mean)
