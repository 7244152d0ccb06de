"""Scoring a corpus: its pairs as they come, added up, with files that get something for each.

Of the pairs, those alone are kept that are worth a look: the worst by score, gap or size.
"""

import heapq
import operator
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from exactmatch.errors import WorkerError
from exactmatch.graphs.pair_names import Names
from exactmatch.graphs.pairing import Couple, GraphPair, OnError, Skipped
from exactmatch.graphs.selection import Selection
from exactmatch.graphs.sentence_text import sentence
from exactmatch.metrics.base import Metric
from exactmatch.runtime.output import writing
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.options import Settings
from exactmatch.scoring.results import CorpusScore, PairScore
from exactmatch.scoring.stream import Answer, Render, score_stream
from exactmatch.scoring.tally import Tally

if TYPE_CHECKING:
    from exactmatch.runtime.checkpoint import Checkpoint

#: By what pairs are sorted, and how bad they are by that: the greater, the worse.
BADNESS: Mapping[str, Callable[[PairScore], float]] = {
    "difference": lambda score: score.system_total + score.gold_total - 2 * score.matched,
    "score": lambda score: -score.value,
    "gap": lambda score: score.gap,
    "size": lambda score: score.system_total + score.gold_total,
    "seconds": lambda score: score.seconds,
}

#: By what they are if nobody says: the lowest scores are those of the smallest graphs.
USUAL_BADNESS = "difference"

#: So many notes are part of a result; those who watch get all of them.
_KEPT_NOTES = 1000

#: So many identifiers are named in one.
_NAMED = 10

#: A pair as it is shown: values such as JSON has.
Shown: TypeAlias = Mapping[str, Any]

#: What a file gets for a pair and its score by the first metric; None is nothing.
Line = Callable[[GraphPair | Skipped, PairScore], str | None]

#: Takes what is for a file, line by line.
Write = Callable[[str], object]

#: What those who watch are told of a pair that an earlier run has finished.
_DONE_BEFORE = Answer((), None, (), ())

_UNWATCHED: AbstractContextManager[Callable[[Answer], object]] = nullcontext(lambda _: None)


@contextmanager
def _text_file(path: Path) -> Iterator[Write]:
    with writing(path) as file:
        yield file.write


class Output(NamedTuple):
    """A file that gets something for each pair.

    name: what it is of all files that a run may write, such as ``certificates``.
    line: makes what it gets, where the pair is scored; it has to be such that it can be pickled.
    opened: opens it, and yields what takes the lines.
    """

    name: str
    path: Path
    line: Line
    opened: Callable[[Path], AbstractContextManager[Write]] = _text_file


class Scored(NamedTuple):
    """The scores of a corpus by each metric.

    cut_by: what has cut the run short, an interrupt or a `WorkerError`, so that the scores are
        partial; None if nothing has.
    worst: the worst pairs by each metric, if they were asked for.
    note: what is the matter with the corpus as a whole, if anything is.
    """

    scores: Sequence[CorpusScore]
    cut_by: BaseException | None
    worst: Sequence[Sequence[Shown]] = ()
    note: str | None = None


class Worst:
    """The worst pairs of those added so far, *most* of them; of equals, those that came first.

    field: one of `BADNESS`. show: makes of a pair what is kept of it. Skipped pairs are left out.
    """

    def __init__(self, most: int, field: str, show: Callable[[PairScore], Shown]) -> None:
        self._most = most
        self._badness = BADNESS[field]
        self._show = show
        self._number = 0
        # A heap: the least bad is first, the last of equals before the others.
        self._kept: list[tuple[float, int, Shown]] = []

    def add(self, score: PairScore, sentence: str = "") -> None:
        """Add a pair; its *sentence*, if there is one, is shown with it."""
        if not score.is_compared:
            return
        self._number += 1
        rank = (self._badness(score), -self._number)
        if len(self._kept) < self._most:
            heapq.heappush(self._kept, (*rank, self._shown(score, sentence)))
        elif rank > self._kept[0][:2]:
            heapq.heapreplace(self._kept, (*rank, self._shown(score, sentence)))

    def _shown(self, score: PairScore, sentence: str) -> Shown:
        shown = self._show(score)
        return {**shown, "sentence": sentence} if sentence else shown

    def pairs(self) -> list[Shown]:
        """Return the pairs, the worst first."""
        return [
            shown for _, _, shown in sorted(self._kept, key=lambda kept: kept[:2], reverse=True)
        ]

    def state(self) -> Any:
        """Return all that is known of the pairs, as JSON has it."""
        return [self._number, self._kept]

    def restore(self, state: Any) -> None:
        """Go on where another was when it was asked for *state*."""
        self._number, kept = state
        self._kept = [(badness, number, shown) for badness, number, shown in kept]


def score_corpus(
    couples: Iterator[Couple],
    metrics: Sequence[Metric],
    settings: Settings,
    *,
    on_error: OnError = "stop",
    workers: Workers = 1,
    selection: Selection | None = None,
    outputs: Sequence[Output] = (),
    keep_pairs: bool = False,
    worst: Callable[[], Worst] | None = None,
    checkpoint: "Checkpoint | None" = None,
    watching: AbstractContextManager[Callable[[Answer], object]] = _UNWATCHED,
) -> Scored:
    """Score *couples* by all *metrics*; what was finished before an interrupt is a partial score.

    With a *selection*, only pairs of it are. *outputs* are the files that get something for each.
    With *keep_pairs*, the scores hold those of their pairs. *worst* makes what keeps the worst by a
    metric. *checkpoint*, which has begun, holds what an earlier run has finished, and keeps what
    this one does; outputs are written when all is done, then. *watching* is entered for the run;
    what it yields is called with each answer. Raises as `exactmatch.scoring.stream.score_stream`
    does, and `InputError` for files that cannot be written.
    """
    run = _RunState(metrics, settings, keep_pairs=keep_pairs, worst=worst)
    if checkpoint is not None and checkpoint.state is not None:
        _restore(run, checkpoint)
    missing = _Missing(selection)
    cut_by: BaseException | None = None
    try:
        with ExitStack() as stack:
            watch = stack.enter_context(watching)
            couples = missing.discard_seen(couples)
            for _ in islice(couples, run.answers):
                watch(_DONE_BEFORE)
            keep = stack.enter_context(_keeping(run, outputs, checkpoint))
            answers = score_stream(
                couples,
                metrics,
                run.settings_left(),
                on_error=on_error,
                workers=workers,
                selection=selection,
                render=_render(outputs, with_sentence=worst is not None),
                counts_alone=not outputs and not keep_pairs and worst is None,
            )
            for answer in stack.enter_context(closing(answers)):
                keep(answer)
                watch(answer)
            if checkpoint is not None:
                checkpoint.save(run.state())
                _write(outputs, checkpoint)
    except (KeyboardInterrupt, WorkerError) as error:
        cut_by = error
    except MemoryError:
        cut_by = WorkerError("memory ran out")
    else:
        run.missing_ids, run.note = len(missing.ids), missing.note()
    return Scored(run.scores(partial=cut_by is not None), cut_by, run.worst(), run.note)


class _Written(NamedTuple):
    """What is made of a pair where it is scored: lines for files, and its sentence if asked for."""

    lines: Sequence[str | None] = ()
    sentence: str = ""


def _render(outputs: Sequence[Output], *, with_sentence: bool) -> Render | None:
    if not outputs and not with_sentence:
        return None
    return partial(_written, lines=[one.line for one in outputs], with_sentence=with_sentence)


def _written(
    pair: GraphPair | Skipped,
    scores: Sequence[PairScore],
    *,
    lines: Sequence[Line],
    with_sentence: bool,
) -> _Written:
    said = ""
    if with_sentence and isinstance(pair, GraphPair):
        said = sentence(pair.gold) or sentence(pair.system)
    return _Written([line(pair, scores[0]) for line in lines], said)


@contextmanager
def _keeping(
    run: "_RunState", outputs: Sequence[Output], checkpoint: "Checkpoint | None"
) -> Iterator[Callable[[Answer], None]]:
    """Yield what adds an answer to *run*, and gives each of *outputs* its line."""
    if checkpoint is not None:
        with _saving(run, checkpoint) as keep:
            yield keep
        return
    with ExitStack() as stack:
        writes = [stack.enter_context(output.opened(output.path)) for output in outputs]
        yield partial(_keep, run, writes)


@contextmanager
def _saving(run: "_RunState", checkpoint: "Checkpoint") -> Iterator[Callable[[Answer], None]]:
    """Yield what keeps an answer in *checkpoint*; however the block ends, what was kept is saved.

    An interrupt may come while an answer is half kept; then what was saved before holds.
    """
    is_whole = True

    def keep(answer: Answer) -> None:
        nonlocal is_whole
        is_whole = False
        _keep(run, checkpoint.writes, answer)
        is_whole = True
        if checkpoint.is_due():
            checkpoint.save(run.state())

    try:
        yield keep
    except BaseException as error:
        error.add_note(f"{checkpoint.folder} holds what is finished: the same command goes on")
        raise
    finally:
        if is_whole:
            run.stop()
            checkpoint.save(run.state())


def _keep(run: "_RunState", writes: Sequence[Write], answer: Answer) -> None:
    run.add(answer)
    if answer.is_selected:
        written = answer.written or _Written()
        for write, text in zip(writes, written.lines, strict=True):
            if text is not None:
                write(f"{text}\n")


def _write(outputs: Sequence[Output], checkpoint: "Checkpoint") -> None:
    """Write all *outputs* as they are kept."""
    for output in outputs:
        with output.opened(output.path) as write:
            for line in checkpoint.lines(output.name):
                write(line)


def _restore(run: "_RunState", checkpoint: "Checkpoint") -> None:
    try:
        run.restore(checkpoint.state)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise checkpoint.broken(error) from error


class _Missing:
    """The identifiers of a selection that no pair has had so far; *names* are those that are."""

    def __init__(self, selection: Selection | None) -> None:
        self.ids = set(selection.ids or ()) if selection is not None else set()
        self.names = Names()

    def discard_seen(self, couples: Iterator[Couple]) -> Iterator[Couple]:
        """Yield *couples*, and take what they are called off those that are missing."""
        for couple in couples:
            self.ids.discard(couple.identifier)
            self.names.add(couple.identifier)
            yield couple

    def note(self) -> str | None:
        """Say which identifiers no pair has, if there are such."""
        if not self.ids:
            return None
        named = ", ".join(map(self.names.beside, sorted(self.ids)[:_NAMED]))
        more = len(self.ids) - _NAMED
        return f"no pair is called {named}" + (f" (and {more} more)" if more > 0 else "")


class _RunState:
    """What the pairs come to by each of *metrics*, added up as they are scored.

    answers: how many have been added, also of pairs that were not to be scored.
    missing_ids, note: how many identifiers no pair has, and which, once all pairs have come.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        settings: Settings,
        *,
        keep_pairs: bool,
        worst: Callable[[], Worst] | None,
    ) -> None:
        self.answers = 0
        self.missing_ids = 0
        self.note: str | None = None
        self._metrics = metrics
        self._settings = settings
        self._tallies = [Tally() for _ in metrics]
        self._worst = [] if worst is None else [worst() for _ in metrics]
        self._kept: list[Sequence[PairScore]] | None = [] if keep_pairs else None
        self._notes: list[str] = []
        self._unselected = 0
        self._seconds_before = 0.0
        self._start = time.monotonic()
        self._end: float | None = None

    def stop(self) -> None:
        """Stop the clock, so that the seconds that are kept are those of the result."""
        self._end = time.monotonic()

    def add(self, answer: Answer) -> None:
        """Add what came of a pair."""
        self.answers += 1
        if not answer.is_selected:
            self._unselected += 1
            return
        for tally, counts in zip(self._tallies, answer.counts, strict=False):
            tally.add_proven(counts)
        if answer.counts:
            return
        for tally, score in zip(self._tallies, answer.scores, strict=True):
            tally.add(score)
        for worst, score in zip(self._worst, answer.scores, strict=False):
            worst.add(score, answer.written.sentence)
        if self._kept is not None:
            self._kept.append(answer.scores)
        self._notes += answer.notes[: _KEPT_NOTES - len(self._notes)]

    def state(self) -> dict[str, Any]:
        """Return all that was added, but for the scores of pairs, such as JSON can be made of."""
        return {
            "answers": self.answers,
            "unselected": self._unselected,
            "seconds": self._seconds(),
            "notes": self._notes,
            "tallies": [tally.state() for tally in self._tallies],
            "worst": [worst.state() for worst in self._worst],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another run was when it was asked for *state*."""
        self.answers = operator.index(state["answers"])
        self._unselected = operator.index(state["unselected"])
        if min(self.answers, self._unselected) < 0:
            raise ValueError("a number of pairs is negative")
        self._seconds_before, self._notes = float(state["seconds"]), list(state["notes"])
        for tally, found in zip(self._tallies, state["tallies"], strict=True):
            tally.restore(found)
        for worst, found in zip(self._worst, state["worst"], strict=True):
            worst.restore(found)

    def settings_left(self) -> Settings:
        """Return the settings, with what is left of the time for all pairs."""
        total = self._settings.total_timeout
        if total is None:
            return self._settings
        return replace(self._settings, total_timeout=max(0.0, total - self._seconds_before))

    def worst(self) -> list[Sequence[Shown]]:
        """Return the worst pairs by all metrics."""
        return [worst.pairs() for worst in self._worst]

    def scores(self, *, partial: bool) -> list[CorpusScore]:
        """Return the scores by all metrics."""
        notes = self._notes
        if self.note is not None:
            notes = [*notes[: _KEPT_NOTES - 1], self.note]
        return [
            tally.summed_up(
                metric,
                self._settings,
                seconds=self._seconds(),
                per_pair=tuple(scores[number] for scores in self._kept or ()),
                notes=tuple(notes),
                partial=partial,
                unselected=self._unselected,
                missing_ids=self.missing_ids,
            )
            for number, (metric, tally) in enumerate(zip(self._metrics, self._tallies, strict=True))
        ]

    def _seconds(self) -> float:
        end = time.monotonic() if self._end is None else self._end
        return self._seconds_before + end - self._start
