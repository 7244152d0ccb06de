"""The matches of all graphs of annotators with each other, of one item and of different items.

Pairs of graphs of one item were scored by the study. Those of different items, of which there are
many more, are solved here, as `exactmatch.matrix` does: all of them, or a sample drawn at random.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exactmatch.errors import UsageError
from exactmatch.graphs.items import FilePair, Study
from exactmatch.many.pairwise import WORD, Corpus, Pairwise
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.runtime.processes import in_order
from exactmatch.runtime.progress import Progress, unwatched
from exactmatch.runtime.workers import Workers, free_memory
from exactmatch.scoring.settings import Settings
from exactmatch.solving.names import AUTO
from exactmatch.studies.agreement.item_graphs import ItemGraphs, Sample, blocks_of, read_graphs
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


class Solving(NamedTuple):
    """How pairs of different items are solved."""

    settings: Settings
    workers: Workers = 1
    progress: Progress = unwatched

    @property
    def of_many(self) -> Settings:
        """The settings for pairs that are not those of the study.

        No certificates of these pairs are written, but their proofs are checked all the same. A
        solver that was asked for by name proves the pairs of the study; others are too many.
        """
        quick = replace(self.settings, certificates=False, certify=True)
        return replace(quick, solver=AUTO, given=None) if quick.is_by_name else quick


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
    graphs = ItemGraphs.of(study, names, scores, inside)
    drawn = graphs.drawn(sample)
    _check_room(len(drawn))
    called, read = read_graphs(study, names, graphs, metric)
    corpus = Corpus(called, [metric.normalise(graph) for graph in read])
    pairwise = Pairwise(corpus, corpus, metric, solving.of_many)
    solve = partial(_solved, pairwise, graphs)
    found: list[_Solved] = []
    with (
        solving.progress("comparing", len(drawn), "pairs of different items") as advance,
        closing(in_order(solve, blocks_of(drawn, _BLOCK), solving.workers, _called)) as blocks,
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
        is_sample=len(drawn) < graphs.between,
        by_word=stages[WORD],
    )


def _check_room(pairs: int) -> None:
    free = free_memory()
    if free is not None and pairs * _BYTES > free:
        raise UsageError(
            f"the distances of {pairs:,} pairs of graphs would take {pairs * _BYTES >> 30} GiB, "
            "more than is free; take a sample (--chance N, in Python chance=N)"
        )


def _called(numbers: Sequence[int]) -> str:
    return f"pairs of different items {numbers[0]} to {numbers[-1]}"


class _Solved(NamedTuple):
    """Solved pairs: the positions of their graphs, their matches, and the stages that decided."""

    first: Any
    second: Any
    matched: Any
    upper: Any
    stages: Counter[str]


def _solved(pairwise: Pairwise, graphs: ItemGraphs, numbers: Sequence[int]) -> _Solved:
    """Solve the pairs of graphs of different items with these *numbers*."""
    first, second = graphs.positions(numbers)
    stages: Counter[str] = Counter()
    matched, upper = np.empty_like(first), np.empty_like(first)
    for k, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        matched[k], upper[k], stage = pairwise.score(i, j)
        stages[stage] += 1
    return _Solved(first.astype(np.int32), second.astype(np.int32), matched, upper, stages)


def _of_items(
    graphs: ItemGraphs, names: Sequence[str], scores: Mapping[FilePair, ScoredPairs]
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
    graphs: ItemGraphs,
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
