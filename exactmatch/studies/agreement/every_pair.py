"""The matches of all graphs of annotators with each other, of one item and of different items.

Pairs of graphs of one item were scored by the study. Those of different items, of which there are
many more, are solved here, as `exactmatch.matrix` does: all of them, or a sample drawn at random.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.errors import UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.items import NOWHERE, FilePair, Study
from exactmatch.graphs.pairing import read_mended
from exactmatch.many.pairwise import WORD, Corpus, Pairwise
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.runtime.processes import in_order
from exactmatch.runtime.progress import Progress, unwatched
from exactmatch.runtime.workers import Workers, free_memory
from exactmatch.scoring.settings import Settings
from exactmatch.solving.names import AUTO
from exactmatch.studies.chance.distances import MatchedPairs
from exactmatch.studies.common.pairs import ScoredPairs

#: The pairs that a worker gets at once, and the bytes of a pair while figures are computed.
_BLOCK, _BYTES = 5_000, 160


@dataclass(frozen=True, eq=False)
class EveryPair:
    """The pairs of graphs of annotators, and how they were proven.

    annotators: the annotator of each graph, as the position in *names*.
    places: the item of each graph, as its position in the study.
    pairs: the matches of pairs of graphs; those of different items are all, or a sample.
    by_word: the number of pairs of different items that rest on the word of a solver.
    """

    names: Sequence[str]
    annotators: NDArray[np.int64]
    places: NDArray[np.int64]
    pairs: MatchedPairs
    is_sample: bool
    by_word: int


class Sample(NamedTuple):
    """At *most* so many pairs, drawn with a *seed*; None is all pairs."""

    most: int | None
    seed: int


class Solving(NamedTuple):
    """How pairs of different items are solved."""

    settings: Settings
    workers: Workers = 1
    progress: Progress = unwatched


class _Graphs(NamedTuple):
    """The graphs of items that several annotators have, in the order of items.

    sources, places: for each graph, the number of its annotator, and the position of its item in
    the study. items: its item, as a number from 0 on.
    """

    sources: NDArray[np.int64]
    places: NDArray[np.int64]
    items: NDArray[np.int64]

    @property
    def others(self) -> NDArray[np.int64]:
        """For each graph, the number of later graphs of other items."""
        ends = np.cumsum(np.bincount(self.items)) if len(self.items) else self.items
        later: NDArray[np.int64] = len(self.items) - ends[self.items]
        return later


def every_pair(
    study: Study,
    scores: Mapping[FilePair, ScoredPairs],
    metric: AlignmentMetric,
    sample: Sample,
    solving: Solving,
    inside: NDArray[np.bool_] | None = None,
) -> EveryPair:
    """Return the pairs of graphs of the annotators that *scores* compares.

    *inside* tells which items of the study are taken; None is all. Items with fewer than two graphs
    are left out, and so are those with pairs that *scores* lacks. Of the pairs of different items,
    those in *sample* are solved. Raises `UsageError` if memory cannot hold all pairs,
    `VerificationError` if two computations disagree, and `WorkerError` if a worker process has
    died.
    """
    names = [*dict.fromkeys(name for files in scores for name in files)]
    graphs = _graphs(study, names, scores, inside)
    others = graphs.others
    total = int(others.sum())
    drawn = _drawn(total, sample)
    _check_room(len(drawn))
    corpus = _corpus(study, names, graphs, metric)
    # No certificates of these pairs are written, but their proofs are checked all the same.
    # A solver that was asked for by name proves the pairs of the study; others are too many.
    quick = replace(solving.settings, certificates=False, certify=True)
    if quick.is_by_name:
        quick = replace(quick, solver=AUTO, given=None)
    pairwise = Pairwise(corpus, corpus, metric, quick)
    solve = partial(_solved, pairwise, others)
    found: list[_Solved] = []
    with (
        solving.progress("comparing", len(drawn), "pairs of different items") as advance,
        closing(in_order(solve, _blocks(drawn), solving.workers, _called)) as blocks,
    ):
        for block in blocks:
            found.append(block)
            advance(len(block.matched))
    stages: Counter[str] = Counter()
    for block in found:
        stages.update(block.stages)
    totals = np.array(corpus.totals(metric), dtype=np.int64)
    return EveryPair(
        names,
        graphs.sources,
        graphs.places,
        pairs=_joined(_of_items(graphs, names, scores), found, totals, graphs, metric),
        is_sample=len(drawn) < total,
        by_word=stages[WORD],
    )


def _graphs(
    study: Study,
    names: Sequence[str],
    scores: Mapping[FilePair, ScoredPairs],
    inside: NDArray[np.bool_] | None,
) -> _Graphs:
    places = np.array([study.places[name] for name in names], dtype=np.int64)
    there = places != NOWHERE
    scored = np.zeros(len(study.names), dtype=np.int64)
    for (one, other), score in scores.items():
        both = there[names.index(one)] & there[names.index(other)]  # none is compared as empty
        scored[score.items[both[score.items]]] += 1
    held = there.sum(axis=0)
    kept = (held > 1) & (scored == held * (held - 1) // 2)
    if inside is not None:
        kept &= inside
    items, sources = np.nonzero((there & kept).T)
    _, numbers = np.unique(items, return_inverse=True)
    return _Graphs(sources, items, numbers)


def _corpus(study: Study, names: Sequence[str], graphs: _Graphs, metric: AlignmentMetric) -> Corpus:
    """Return the graphs as *metric* counts them."""
    sources = {source.name: source for source in study.sources}
    mending = metric.ill_formed_policy.mending
    called, normalised = [], []
    for number, item in zip(graphs.sources.tolist(), graphs.places.tolist(), strict=True):
        name = names[number]
        graph = read_mended(sources[name].texts[study.places[name][item]], mending)
        assert isinstance(graph, Graph)  # it was read before
        called.append(f"{study.names[item]} of {name}")
        normalised.append(metric.normalise(graph))
    return Corpus(called, normalised)


def _drawn(total: int, sample: Sample) -> "Sequence[int]":
    """Return the numbers of the pairs to solve: all, or so many drawn at random, in order."""
    if sample.most is None or total <= sample.most:
        return range(total)
    return sorted(random.Random(sample.seed).sample(range(total), sample.most))


def _check_room(pairs: int) -> None:
    free = free_memory()
    if free is not None and pairs * _BYTES > free:
        raise UsageError(
            f"the distances of {pairs:,} pairs of graphs would take {pairs * _BYTES >> 30} GiB, "
            "more than is free; take a sample (--chance N, in Python chance=N)"
        )


def _blocks(drawn: Sequence[int]) -> Iterator[Sequence[int]]:
    return (drawn[start : start + _BLOCK] for start in range(0, len(drawn), _BLOCK))


def _called(numbers: Sequence[int]) -> str:
    return f"pairs of different items {numbers[0]} to {numbers[-1]}"


class _Solved(NamedTuple):
    """Solved pairs: the positions of their graphs, their matches, and the stages that decided."""

    first: Any
    second: Any
    matched: Any
    upper: Any
    stages: Counter[str]


def _solved(pairwise: Pairwise, others: NDArray[np.int64], numbers: Sequence[int]) -> _Solved:
    """Solve the pairs of graphs of different items with these *numbers*, counted row by row."""
    wanted = np.array(numbers, dtype=np.int64)
    ends = np.cumsum(others)
    first = np.searchsorted(ends, wanted, side="right")
    second = len(others) - ends[first] + wanted
    stages: Counter[str] = Counter()
    matched, upper = np.empty_like(wanted), np.empty_like(wanted)
    for k, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        matched[k], upper[k], stage = pairwise.score(i, j)
        stages[stage] += 1
    return _Solved(first.astype(np.int32), second.astype(np.int32), matched, upper, stages)


def _of_items(
    graphs: _Graphs, names: Sequence[str], scores: Mapping[FilePair, ScoredPairs]
) -> list[list[NDArray[Any]]]:
    """Return the columns of the pairs of graphs of one item, for each two files."""
    place = {
        (source, item): number
        for number, (source, item) in enumerate(
            zip(graphs.sources.tolist(), graphs.places.tolist(), strict=True)
        )
    }
    found = []
    for (one, other), score in scores.items():
        sides = names.index(one), names.index(other)
        rows = [
            (place[sides[0], item], place[sides[1], item], row)
            for row, item in enumerate(score.items.tolist())
            if (sides[0], item) in place and (sides[1], item) in place
        ]
        first, second, chosen = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        matched, upper, left, right = score.counts[chosen].T
        found.append([first, second, left, right, matched, upper])
    return found


def _joined(
    of_items: list[list[NDArray[Any]]],
    solved: Sequence[_Solved],
    totals: NDArray[np.int64],
    graphs: _Graphs,
    metric: AlignmentMetric,
) -> MatchedPairs:
    """Return all pairs in columns."""
    columns = [
        *of_items,
        *(
            [one.first, one.second, totals[one.first], totals[one.second], one.matched, one.upper]
            for one in solved
        ),
    ]
    nothing = np.zeros(0, dtype=np.int32)
    first, second, left, right, matched, upper = (
        np.concatenate([nothing, *(column[k] for column in columns)]) for k in range(6)
    )
    return MatchedPairs(graphs.items, first, second, left, right, matched, upper, metric.scale)
