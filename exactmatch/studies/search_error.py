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
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.comparison import compare_triples
from exactmatch.deadline import Deadline
from exactmatch.errors import InputError, UsageError, VerificationError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.pair_scoring import score_pair
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.problem import MatchingProblem, Pair
from exactmatch.search.methods import METHODS, Method, search
from exactmatch.settings import Settings
from exactmatch.studies.columns import TIMED_OUT, PairRow, ScoreCollector, ScoredPairs, joined
from exactmatch.studies.sources import FilePair, Study
from exactmatch.studies.sweep import Sweep
from exactmatch.triples import NormalisedGraph

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a method found, one row a pair.

    forth: triples matched, a column for each seed, the system side's variables mapped in order;
        back: the gold side's.
    seconds: from the triples to the mapping, one search of *forth*.
    """

    forth: Integers
    back: Integers
    seconds: NDArray[np.float64]

    def restricted(self, mask: NDArray[np.bool_]) -> "Found":
        """Return this for some of the pairs alone."""
        return Found(self.forth[mask], self.back[mask], self.seconds[mask])


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """Pairs of graphs: their scores, and what each method found.

    sizes: for each pair, the number of variables of the larger graph.
    documents: for each pair, the number of its document, from 0, rising.
    """

    scores: ScoredPairs
    sizes: Integers
    documents: Integers
    found: Mapping[str, Found]

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def best(self) -> Integers:
        """For each pair, the triples of the best mapping known: the optimum, if it is proven."""
        best = self.scores.counts[:, 0]
        for found in self.found.values():
            best = np.maximum(best, np.maximum(found.forth.max(axis=1), found.back.max(axis=1)))
        return best

    @property
    def proven_documents(self) -> float:
        """The share of documents of which all pairs are proven."""
        return float(np.mean(_per_document(np.minimum, self.scores.is_optimal, self.documents)))

    def restricted(self, mask: NDArray[np.bool_]) -> "Trials":
        """Return some of the pairs alone: those for which *mask* is true."""
        return Trials(
            self.scores.restricted(mask),
            self.sizes[mask],
            self.documents[mask],
            {method: found.restricted(mask) for method, found in self.found.items()},
        )


@dataclass(frozen=True, slots=True)
class Losses:
    """How a method did over pairs and seeds.

    runs: searches (pairs by seeds); right: those that found the best mapping.
    documents: documents by seeds; documents_right: those without any loss.
    triples: lost in the mean over seeds; worst: lost by the worst seed.
    f1: lost in the micro F1, mean and worst.
    seconds: for all pairs once.
    """

    runs: int
    right: int
    documents: int
    documents_right: int
    triples: float
    worst: int
    f1: float
    f1_worst: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class SearchError:
    """What heuristics lose on several pairs of files.

    trials: for each two files, the trials of their pairs, without those that are skipped.
    methods: the names of the methods; *seeds* is how often each was run on every pair.
    document: so many consecutive pairs make a document; None if the whole file is one.
    """

    study: Study
    methods: Sequence[str]
    seeds: int
    document: int | None
    trials: Mapping[FilePair, Trials]

    @property
    def scores(self) -> dict[FilePair, ScoredPairs]:
        """The exact scores of each two files."""
        return {pair: trials.scores for pair, trials in self.trials.items()}

    def every_trial(self) -> Trials:
        """Return the trials of all files."""
        return _joined(list(self.trials.values()))

    def f1(self, pair: FilePair, method: str) -> list[float]:
        """Return the micro F1 that *method* gives two files, one for each seed."""
        trials = self.trials[pair]
        total = trials.scores.system_total + trials.scores.gold_total
        matched = _sums(trials.found[method].forth)
        return [2 * count / total if total else 0.0 for count in matched]

    def rankings_right(self, method: str) -> int:
        """Return for how many seeds the files come in the order of their exact scores."""
        exact = {pair: score.f1 for pair, score in self.scores.items()}
        found = {pair: self.f1(pair, method) for pair in self.trials}
        return sum(
            _order(exact) == _order({pair: values[k] for pair, values in found.items()})
            for k in range(self.seeds)
        )


def search_error(
    study: Study,
    pairs: Sequence[FilePair],
    methods: Mapping[str, Method],
    metric: AlignmentMetric,
    settings: Settings,
    *,
    seeds: int,
    document: int | None = None,
    workers: int = 1,
    advance: Callable[[int], object] = lambda _: None,
    keep: Callable[[FilePair, str], object] = lambda *_: None,
) -> SearchError:
    """Solve the pairs of graphs of each two files, and search them by each of *methods*.

    *advance* is called with the number of pairs of graphs that have been searched since, and *keep*
    with each certificate and the files that it is about, if *settings* ask for certificates. Raises
    `InputError` if two files have no item in common or a graph cannot be read, and
    `VerificationError` if two computations disagree.
    """
    if not pairs:
        raise UsageError("search error takes at least two files")
    job = partial(_try_methods, methods=methods, seeds=seeds, metric=metric, settings=settings)
    collectors = {pair: _Collector(study.names, metric, methods, seeds) for pair in pairs}
    sweep = Sweep(study, pairs, job, workers=workers, advance=advance)
    for item, found in sweep:
        for pair, one in zip(pairs, found, strict=True):
            collectors[pair].add(item, one)
            if isinstance(one, _Outcome) and one.certificate is not None:
                keep(pair, one.certificate)
    return SearchError(
        study=sweep.study,
        methods=list(methods),
        seeds=seeds,
        document=document,
        trials={pair: collector.finish(document) for pair, collector in collectors.items()},
    )


def chosen_methods(names: Sequence[str], restarts: Sequence[int]) -> dict[str, Method]:
    """Return the named methods, and ``s+Nr`` for each number of *restarts*."""
    more = {f"s+{n}r": Method(smart=True, random_starts=n) for n in restarts}
    return {name: METHODS[name] for name in names} | more


def losses(trials: Trials, method: str, *, back: bool = False) -> Losses:
    """Sum up what *method* lost on *trials*; with *back*, in the other order of the graphs."""
    found = trials.found[method]
    lost = trials.best[:, np.newaxis] - (found.back if back else found.forth)
    total = trials.scores.system_total + trials.scores.gold_total
    triples = _sums(lost)
    share = [2 * loss / total if total else 0.0 for loss in triples]
    worst = _per_document(np.maximum, lost, trials.documents)
    return Losses(
        runs=lost.size,
        right=int(np.count_nonzero(lost == 0)),
        documents=worst.size,
        documents_right=int(np.count_nonzero(worst == 0)),
        triples=sum(triples) / len(triples),
        worst=max(triples),
        f1=fsum(share) / len(share),
        f1_worst=max(share),
        seconds=fsum(found.seconds.tolist()),
    )


def by_size(trials: Trials, bounds: Sequence[int]) -> dict[str, Trials]:
    """Return the trials by the size of their graphs: up to each of *bounds*, and above."""
    groups: dict[str, Trials] = {}
    start = 0
    for end in (*bounds, None):
        inside = trials.sizes >= start
        if end is not None:
            inside &= trials.sizes <= end
        name = f"{start} or more" if end is None else f"{start} to {end}"
        if inside.any():
            groups[name] = trials.restricted(inside)
        start = 0 if end is None else end + 1
    return groups


def _per_document(combine: np.ufunc, values: NDArray[Any], documents: Integers) -> NDArray[Any]:
    """Return what *combine* makes of the *values* of each document's pairs."""
    starts = np.flatnonzero(np.diff(documents, prepend=-1))
    return combine.reduceat(values, starts) if len(starts) else values[:0]


def _sums(counts: Integers) -> list[int]:
    """Return the sums of the columns."""
    return [sum(column.tolist()) for column in counts.T]


def _joined(several: Sequence[Trials]) -> Trials:
    """Return several trials as one; the documents of each follow those before."""
    first = several[0]
    documents, number = [], 0
    for trials in several:
        documents.append(trials.documents + number)
        number += int(trials.documents[-1]) + 1 if len(trials) else 0
    return Trials(
        joined([trials.scores for trials in several]),
        np.concatenate([trials.sizes for trials in several]),
        np.concatenate(documents),
        {
            method: Found(
                *(
                    np.concatenate([getattr(trials.found[method], part) for trials in several])
                    for part in ("forth", "back", "seconds")
                )
            )
            for method in first.found
        },
    )


def _order(values: Mapping[FilePair, float]) -> list[FilePair]:
    return sorted(values, key=lambda pair: (-values[pair], pair))


class _Outcome(NamedTuple):
    """What comes of a pair: its score, its size, and by method what each seed matched, and when."""

    row: PairRow
    certificate: str | None
    size: int
    found: Mapping[str, tuple[Sequence[int], Sequence[int], float]]


class _Collector:
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

    def add(self, item: int, outcome: _Outcome | Skipped | None) -> None:
        if isinstance(outcome, Skipped):
            self._scores.skip(item)
        elif outcome is not None:
            self._scores.add(item, outcome.row)
            self._sizes.append(outcome.size)
            for method, (forth, back, seconds) in self._found.items():
                there, again, took = outcome.found[method]
                forth.extend(there)
                back.extend(again)
                seconds.append(took)

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
) -> _Outcome:
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
    return _Outcome(row, score.certificate, size, found)


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
