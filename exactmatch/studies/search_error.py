"""Search error: how far heuristics stay below the optimum (Cai and Knight 2013, section 4).

Every pair of graphs is solved, and then searched by each method from several seeds, in both
orders of its graphs: a hill climb goes through the variables of one side, so that it may find
less, or more, with the files exchanged.
"""

import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import NamedTuple

import numpy as np

from exactmatch.comparison import compare_triples
from exactmatch.deadline import Deadline
from exactmatch.errors import InputError, UsageError, VerificationError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.pair_scoring import score_pair
from exactmatch.pairing import GraphPair
from exactmatch.problem import MatchingProblem, Pair
from exactmatch.search.methods import METHODS, Method, search
from exactmatch.settings import Settings
from exactmatch.studies.columns import (
    TIMED_OUT,
    PairOutcome,
    PairRow,
    ScoreCollector,
    ScoredPairs,
)
from exactmatch.studies.proofs import ProofCounts
from exactmatch.studies.sources import FilePair, Study
from exactmatch.studies.sweep import Keep, Sweep, collect
from exactmatch.studies.trials import Found, Losses, Trials, by_size, joined_trials, losses
from exactmatch.triples import NormalisedGraph

#: Variables of the larger graph, for the losses by size.
_SIZES = (5, 10, 15, 20, 30, 50, 100, 200)


@dataclass(frozen=True, kw_only=True)
class ExactRow:
    """The exact search beside the methods: what share is proven of documents and of pairs.

    seconds: for all pairs once.
    """

    documents: float
    pairs: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class MethodRow:
    """What a method lost on all pairs.

    forth: with the system first; back: with the gold standard first. different: the share of pairs
        on which the two orders differ for any seed.
    f1: the mean over seeds of the micro F1 of each two files.
    rankings_right: for how many seeds the files come in the order of their exact scores.
    """

    forth: Losses
    back: Losses
    different: float
    f1: Mapping[FilePair, float]
    rankings_right: int


@dataclass(frozen=True, kw_only=True)
class SizeGroup:
    """So many *pairs* of graphs of similar size, and what each method lost on them.

    triples: lost by each method, in the mean over seeds and pairs.
    """

    pairs: int
    losses: Mapping[str, Losses]
    triples: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class WorstLoss:
    """What the worst seed of a method lost on a pair: triples matched at best, found, and lost."""

    files: FilePair
    item: str
    method: str
    best: int
    found: int
    lost: int
    f1: float


@dataclass(frozen=True, kw_only=True)
class SearchError:
    """What heuristics lose on several pairs of files.

    methods: by their names; *seeds* is how often each was run on every pair.
    document: so many consecutive pairs make a document; None if the whole file is one.
    trials: for each two files, the trials of their pairs, without those that are skipped.
    sizes: by the number of variables of the larger graph, in words.
    worst: the greatest losses on a pair, the greatest first.
    """

    study: Study
    seeds: int
    document: int | None
    trials: Mapping[FilePair, Trials]
    exact: ExactRow
    methods: Mapping[str, MethodRow]
    sizes: Mapping[str, SizeGroup]
    worst: Sequence[WorstLoss]
    proofs: ProofCounts

    @property
    def scores(self) -> dict[FilePair, ScoredPairs]:
        """The exact scores of each two files."""
        return {pair: trials.scores for pair, trials in self.trials.items()}


def search_error(
    study: Study,
    pairs: Sequence[FilePair],
    methods: Mapping[str, Method],
    metric: AlignmentMetric,
    settings: Settings,
    *,
    seeds: int,
    document: int | None = None,
    worst: int = 15,
    workers: int = 1,
    advance: Callable[[int], object] = lambda _: None,
    keep: Keep = lambda *_: None,
) -> SearchError:
    """Solve the pairs of graphs of each two files, and search them by each of *methods*.

    So many of the *worst* losses are named. *advance* is called with the number of pairs of graphs
    that have been searched since, and *keep* with each certificate and the files that it is about,
    if *settings* ask for certificates. Raises `InputError` if two files have no item in common or a
    graph cannot be read, and `VerificationError` if two computations disagree.
    """
    if not pairs:
        raise UsageError("search error takes at least two files")
    job = partial(_try_methods, methods=methods, seeds=seeds, metric=metric, settings=settings)
    collectors = {pair: _TrialCollector(study.names, metric, methods, seeds) for pair in pairs}
    sweep = Sweep(study, pairs, job, workers=workers, advance=advance)
    collect(sweep, collectors, keep)
    trials = {pair: collector.finish(document) for pair, collector in collectors.items()}
    names = list(methods)
    every = joined_trials(list(trials.values()))
    return SearchError(
        study=sweep.study,
        seeds=seeds,
        document=document,
        trials=trials,
        exact=ExactRow(
            documents=every.proven_documents,
            pairs=every.scores.optimal / len(every),
            seconds=every.seconds,
        ),
        methods={method: method_row(trials, every, method) for method in names},
        sizes={
            size: _size_group(group, list(methods))
            for size, group in by_size(every, _SIZES).items()
        },
        worst=worst_losses(trials, list(methods), worst),
        proofs=ProofCounts.of([found.scores for found in trials.values()]),
    )


def method_row(trials: Mapping[FilePair, Trials], every: Trials, method: str) -> MethodRow:
    """Sum up what a method lost on several two files, and on *every* trial of them joined."""
    exact = {pair: found.scores.f1 for pair, found in trials.items()}
    by_seed = {pair: found.f1(method) for pair, found in trials.items()}
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


def worst_losses(
    trials: Mapping[FilePair, Trials], methods: Sequence[str], most: int
) -> list[WorstLoss]:
    """Return the greatest losses on a pair, so many at *most*."""
    if not most:
        return []
    worst: list[WorstLoss] = []
    for pair, tried in trials.items():
        for method in methods:
            worst += _worst_of(pair, tried, method, most)
    worst.sort(key=lambda loss: (-loss.f1, " / ".join(loss.files), loss.item, loss.method))
    return worst[:most]


def _worst_of(pair: FilePair, trials: Trials, method: str, most: int) -> list[WorstLoss]:
    """Return the greatest losses of a method, with those that are equal to the last of them."""
    best, found = trials.best, trials.found[method].forth.min(axis=1)
    shares = 2 * (best - found) / np.maximum(trials.scores.totals, 1)
    least = np.sort(shares)[-most:][0]
    return [
        WorstLoss(
            files=pair,
            item=trials.scores.names[int(trials.scores.items[k])],
            method=method,
            best=int(best[k]),
            found=int(found[k]),
            lost=int(best[k] - found[k]),
            f1=float(shares[k]),
        )
        for k in np.flatnonzero((found < best) & (shares >= least)).tolist()
    ]


def chosen_methods(names: Sequence[str], restarts: Sequence[int]) -> dict[str, Method]:
    """Return the named methods, and ``s+Nr`` for each number of *restarts*."""
    more = {f"s+{n}r": Method(smart=True, random_starts=n) for n in restarts}
    return {name: METHODS[name] for name in names} | more


@dataclass(frozen=True, slots=True, kw_only=True)
class _TriedPair(PairOutcome):
    """What comes of a pair: its size as well, and by method what each seed matched, and when."""

    size: int
    found: Mapping[str, tuple[Sequence[int], Sequence[int], float]]


class _TrialCollector:
    """Takes what comes of the pairs of two files."""

    def __init__(
        self,
        names: Sequence[str],
        metric: AlignmentMetric,
        methods: Mapping[str, Method],
        seeds: int,
    ) -> None:
        self._scores = ScoreCollector(names, metric)
        self._seeds = seeds
        self._sizes = array("q")
        self._found = {method: (array("q"), array("q"), array("d")) for method in methods}

    def add(self, item: int, tried: _TriedPair) -> None:
        self._scores.add(item, tried)
        self._sizes.append(tried.size)
        for method, (forth, back, seconds) in self._found.items():
            there, again, took = tried.found[method]
            forth.extend(there)
            back.extend(again)
            seconds.append(took)

    def skip(self, item: int) -> None:
        self._scores.skip(item)

    def finish(self, document: int | None) -> Trials:
        """Return the trials; so many consecutive ones make a *document*, or all of them."""
        count = len(self._sizes)
        found = {
            method: Found(
                np.array(forth, dtype=np.int64).reshape(count, self._seeds),
                np.array(back, dtype=np.int64).reshape(count, self._seeds),
                np.array(seconds, dtype=np.float64),
            )
            for method, (forth, back, seconds) in self._found.items()
        }
        documents = np.arange(count) // (document or max(1, count))
        return Trials(
            self._scores.finish(), np.array(self._sizes, dtype=np.int64), documents, found
        )


def _try_methods(
    pair: GraphPair,
    methods: Mapping[str, Method],
    seeds: int,
    metric: AlignmentMetric,
    settings: Settings,
) -> _TriedPair:
    score = score_pair(pair, metric, settings, Deadline())
    if score.too_large:
        raise InputError(
            f"pair {pair.identifier} is too large to be searched in {settings.memory} bytes; "
            "allow more with --memory, or leave it out"
        )
    system, gold = metric.normalise(pair.system), metric.normalise(pair.gold)
    start = time.perf_counter()
    forth = _Searched.of(system, gold, metric)
    building = time.perf_counter() - start
    back = _Searched.of(gold, system, metric)
    found = {}
    row = PairRow.of(score)
    for name, method in methods.items():
        deadline = Deadline.after(settings.timeout)  # of all runs of the method
        start = time.perf_counter()
        there = [forth.matched(method, settings.seed + k, deadline) for k in range(seeds)]
        seconds = (time.perf_counter() - start) / seeds + building
        again = [back.matched(method, settings.seed + k, deadline) for k in range(seeds)]
        found[name] = (there, again, seconds)
        if deadline.passed():
            row = row._replace(flags=row.flags | TIMED_OUT)
    best = max(max(*there, *again) for there, again, _ in found.values()) if found else 0
    if best > score.matched_upper:
        raise VerificationError(
            f"pair {pair.identifier}: a search found {best}, above the bound {score.matched_upper}"
        )
    size = max(len(system.variables), len(gold.variables))
    return _TriedPair(row=row, certificate=score.certificate, size=size, found=found)


class _Searched(NamedTuple):
    """A problem that methods search, and its pairs that look alike."""

    problem: MatchingProblem
    likely: Sequence[Pair]

    @classmethod
    def of(
        cls, system: NormalisedGraph, gold: NormalisedGraph, metric: AlignmentMetric
    ) -> "_Searched":
        """Compute all that every method needs, so that none is charged for it alone."""
        comparison = compare_triples(system, gold, metric)
        problem = comparison.problem
        _ = problem.candidates, problem.terms_of
        return cls(problem, comparison.likely())

    def matched(self, method: Method, seed: int, deadline: Deadline) -> int:
        """Return the score of the mapping that *method* finds."""
        mapping = search(self.problem, method, self.likely, seed=seed, deadline=deadline)
        return self.problem.value(mapping)
