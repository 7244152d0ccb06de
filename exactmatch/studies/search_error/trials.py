"""The results of search methods on pairs of graphs, and their losses."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.studies.common.pairs import ScoreCollector, ScoredPairs, joined
from exactmatch.studies.search_error.attempts import Attempt, TriedPair

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The results of a method, one row a pair.

    forth: the matched triples, a column for each seed, with the system's variables mapped in order;
        back: with those of the gold side.
    seconds: the time from the triples to the mapping, for one search of *forth*.
    """

    forth: Integers
    back: Integers
    seconds: NDArray[np.float64]

    def restricted(self, mask: NDArray[np.bool_]) -> "Found":
        """Return the results for a selection of pairs."""
        return Found(self.forth[mask], self.back[mask], self.seconds[mask])


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """Pairs of graphs: their scores, and the results of each method.

    sizes: for each pair, the number of variables of the larger graph.
    documents: for each pair, the number of its document, from 0.
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
        for runs in self.found.values():
            best = np.maximum(best, np.maximum(runs.forth.max(axis=1), runs.back.max(axis=1)))
        return best

    @property
    def proven_documents(self) -> float:
        """The share of documents whose pairs are all proven."""
        return float(np.mean(_per_document(np.minimum, self.scores.is_optimal, self.documents)))

    @property
    def seconds(self) -> float:
        """The seconds of all scores."""
        return fsum(self.scores.seconds.tolist())

    def f1(self, method: str) -> list[float]:
        """Return the micro F1 that *method* gives the pairs, one for each seed."""
        total = self.scores.system_total + self.scores.gold_total
        matched = _sums(self.found[method].forth)
        return [2 * count / total if total else 0.0 for count in matched]

    def different(self, method: str) -> float:
        """Return the share of pairs on which *method* finds another number in the other order."""
        runs = self.found[method]
        return float(np.mean((runs.forth != runs.back).any(axis=1)))

    def restricted(self, mask: NDArray[np.bool_]) -> "Trials":
        """Return the pairs for which *mask* is true."""
        return Trials(
            self.scores.restricted(mask),
            self.sizes[mask],
            self.documents[mask],
            {method: runs.restricted(mask) for method, runs in self.found.items()},
        )


@dataclass(frozen=True, slots=True)
class Losses:
    """The losses of a method over pairs and seeds.

    right: the share of searches (pairs by seeds) that found the best mapping.
    documents_right: the share of documents, by seeds, on which nothing was lost.
    triples: the mean loss over seeds; worst: the loss of the worst seed.
    f1: the loss in micro F1, mean and worst.
    seconds: the time for all pairs once.
    """

    right: float
    documents_right: float
    triples: float
    worst: int
    f1: float
    f1_worst: float
    seconds: float


def losses(trials: Trials, method: str, *, back: bool = False) -> Losses:
    """Sum up the losses of *method* on *trials*; with *back*, in the other order of the graphs."""
    runs = trials.found[method]
    lost = trials.best[:, np.newaxis] - (runs.back if back else runs.forth)
    total = trials.scores.system_total + trials.scores.gold_total
    triples = _sums(lost)
    f1 = [2 * loss / total if total else 0.0 for loss in triples]
    worst = _per_document(np.maximum, lost, trials.documents)
    return Losses(
        right=_share(lost == 0),
        documents_right=_share(worst == 0),
        triples=sum(triples) / len(triples),
        worst=max(triples),
        f1=fsum(f1) / len(f1),
        f1_worst=max(f1),
        seconds=fsum(runs.seconds.tolist()),
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


def joined_trials(several: Sequence[Trials]) -> Trials:
    """Return several trials as one; the documents of each follow the previous ones."""
    first = several[0]
    documents, number = [], 0
    for trials in several:
        documents.append(trials.documents + number)
        number += int(trials.documents.max()) + 1 if len(trials) else 0
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


def _share(held: NDArray[np.bool_]) -> float:
    """Return the share of true values."""
    return int(np.count_nonzero(held)) / held.size


def _per_document(combine: np.ufunc, values: NDArray[Any], documents: Integers) -> NDArray[Any]:
    """Return the result of *combine* for the *values* of each document's pairs."""
    order = np.argsort(documents, kind="stable")
    starts = np.flatnonzero(np.diff(documents[order], prepend=-1))
    return combine.reduceat(values[order], starts) if len(starts) else values[:0]


def _sums(counts: Integers) -> list[int]:
    """Return the sums of the columns, in Python's integers: 64 bits may not be enough."""
    return [sum(column.tolist()) for column in counts.T]


class TrialCollector:
    """Collects the results of the pairs of two files."""

    def __init__(
        self,
        names: Sequence[str],
        metric: AlignmentMetric,
        methods: Mapping[str, Attempt],
        seeds: int,
    ) -> None:
        self._scores = ScoreCollector(names, metric)
        self._seeds = seeds
        self._sizes = array("q")
        self._found = {method: (array("q"), array("q"), array("d")) for method in methods}

    def add(self, item: int, tried: TriedPair) -> None:
        self._scores.add(item, tried)
        self._sizes.append(tried.size)
        for method, (forth, back, seconds) in self._found.items():
            there, again, took = tried.found[method]
            forth.extend(there)
            back.extend(again)
            seconds.append(took)

    def skip(self, item: int) -> None:
        self._scores.skip(item)

    def finish(self, documents: Callable[[Integers], Integers]) -> Trials:
        """Return the trials; *documents* gives the document of each item, by position."""
        count = len(self._sizes)
        runs = {
            method: Found(
                np.array(forth, dtype=np.int64).reshape(count, self._seeds),
                np.array(back, dtype=np.int64).reshape(count, self._seeds),
                np.array(seconds, dtype=np.float64),
            )
            for method, (forth, back, seconds) in self._found.items()
        }
        scores = self._scores.finish()
        sizes = np.array(self._sizes, dtype=np.int64)
        return Trials(scores, sizes, documents(scores.items), runs)
