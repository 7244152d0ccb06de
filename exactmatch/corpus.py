"""Scoring a corpus: its pairs as they come, added up, with files that get something for each."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

from exactmatch.errors import WorkerError
from exactmatch.metrics.base import Metric
from exactmatch.output import writing
from exactmatch.pairing import Couple, GraphPair, OnError, Skipped
from exactmatch.results import CorpusScore, PairScore
from exactmatch.scoring import Answer, score_stream
from exactmatch.settings import Settings
from exactmatch.tally import Tally
from exactmatch.workers import Workers

#: So many notes are part of a result; those who watch get all of them.
_KEPT_NOTES = 1000

#: What a file gets for a pair and its score by the first metric; None is nothing.
Line = Callable[[GraphPair | Skipped, PairScore], str | None]

_UNWATCHED: AbstractContextManager[Callable[[Answer], object]] = nullcontext(lambda _: None)


class Scored(NamedTuple):
    """The scores of a corpus by each metric.

    cut_by: what has cut the run short, an interrupt or a `WorkerError`, so that the scores are
        partial; None if nothing has.
    """

    scores: Sequence[CorpusScore]
    cut_by: BaseException | None


def score_corpus(
    couples: Iterator[Couple],
    metrics: Sequence[Metric],
    settings: Settings,
    *,
    on_error: OnError = "stop",
    workers: Workers = 1,
    files: Mapping[Path, Line] | None = None,
    keep_pairs: bool = False,
    watching: AbstractContextManager[Callable[[Answer], object]] = _UNWATCHED,
) -> Scored:
    """Score *couples* by all *metrics*; what was finished before an interrupt is a partial score.

    *files* get a line for each pair, where it is scored. With *keep_pairs*, the scores hold those
    of their pairs. *watching* is entered for the run; what it yields is called with each answer.
    Raises as `exactmatch.scoring.score_stream`
    does, and `InputError` for files that cannot be written.
    """
    files = files or {}
    books = _Books(metrics, settings, keep_pairs=keep_pairs)
    cut_by: BaseException | None = None
    try:
        with ExitStack() as stack:
            watch = stack.enter_context(watching)
            opened = [stack.enter_context(writing(path)) for path in files]
            answers = score_stream(
                couples,
                metrics,
                settings,
                on_error=on_error,
                workers=workers,
                render=partial(_lines, lines=list(files.values())) if files else None,
            )
            for answer in stack.enter_context(closing(answers)):
                books.add(answer)
                for file, text in zip(opened, answer.written or (), strict=True):
                    if text is not None:
                        file.write(f"{text}\n")
                watch(answer)
    except (KeyboardInterrupt, WorkerError) as error:
        cut_by = error
    return Scored(books.scores(partial=cut_by is not None), cut_by)


def _lines(
    pair: GraphPair | Skipped, scores: Sequence[PairScore], *, lines: Sequence[Line]
) -> list[str | None]:
    return [line(pair, scores[0]) for line in lines]


class _Books:
    """What the pairs come to by each of *metrics*, added up as they are scored."""

    def __init__(self, metrics: Sequence[Metric], settings: Settings, *, keep_pairs: bool) -> None:
        self._metrics = metrics
        self._settings = settings
        self._tallies = [Tally() for _ in metrics]
        self._kept: list[Sequence[PairScore]] | None = [] if keep_pairs else None
        self._notes: list[str] = []
        self._start = time.monotonic()

    def add(self, answer: Answer) -> None:
        """Add what came of a pair."""
        for tally, score in zip(self._tallies, answer.scores, strict=True):
            tally.add(score)
        if self._kept is not None:
            self._kept.append(answer.scores)
        self._notes += answer.notes[: _KEPT_NOTES - len(self._notes)]

    def scores(self, *, partial: bool) -> list[CorpusScore]:
        """Return the scores by all metrics."""
        seconds = time.monotonic() - self._start
        return [
            tally.summed_up(
                metric,
                self._settings,
                seconds=seconds,
                per_pair=tuple(scores[number] for scores in self._kept or ()),
                notes=tuple(self._notes),
                partial=partial,
            )
            for number, (metric, tally) in enumerate(zip(self._metrics, self._tallies, strict=True))
        ]
