"""Score a corpus pair by pair, add up the scores, and write files with a line for each pair.

Only the pairs worth a look are kept: the worst by score, gap or size.
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

from exactmatch.errors import InputError, SolverError, WorkerError
from exactmatch.graphs.pair_names import Names
from exactmatch.graphs.pairing import Couple, GraphPair, Skipped
from exactmatch.graphs.selection import Selection
from exactmatch.metrics.base import Metric
from exactmatch.runtime.output import writing
from exactmatch.scoring.results import CorpusScore, PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.stream import Answer, Render, ScoringTask, score_stream
from exactmatch.scoring.tally import Tally

if TYPE_CHECKING:
    from exactmatch.runtime.checkpoint import Checkpoint
    from exactmatch.scoring.resumable import Resumable

#: The measures of badness by which pairs are sorted: the greater, the worse.
BADNESS: Mapping[str, Callable[[PairScore], float]] = {
    "difference": lambda score: score.system_total + score.gold_total - 2 * score.matched,
    "score": lambda score: -score.value,
    "gap": lambda score: score.gap,
    "size": lambda score: score.system_total + score.gold_total,
    "seconds": lambda score: score.seconds,
}

#: The default measure: the lowest scores would be those of the smallest graphs.
USUAL_BADNESS = "difference"

#: The number of notes in a result; progress reporting gets all of them.
_KEPT_NOTES = 1000

#: The number of identifiers that a note names.
_NAMED = 10

#: A pair as it is shown, in values for JSON.
Shown: TypeAlias = Mapping[str, Any]

#: The line of a file for a pair and its score by the first metric; None is no line.
Line = Callable[[GraphPair | Skipped, PairScore], str | None]

#: Takes the lines for a file.
Write = Callable[[str], object]

#: What progress reporting gets for a pair that an earlier run has finished.
_DONE_BEFORE = Answer((), None, (), ())

_UNWATCHED: AbstractContextManager[Callable[[Answer], object]] = nullcontext(lambda _: None)


@contextmanager
def _text_file(path: Path) -> Iterator[Write]:
    with writing(path) as file:
        yield file.write


class Output(NamedTuple):
    """A file with lines for each pair.

    name: its name among the files of a run, such as ``certificates``.
    line: makes the line of a pair, in the process that scores it; it has to be picklable.
    opened: opens the file, and yields a function that takes lines.
    """

    name: str
    path: Path
    line: Line
    opened: Callable[[Path], AbstractContextManager[Write]] = _text_file


class Scored(NamedTuple):
    """The scores of a corpus by each metric.

    cut_by: the interrupt or `WorkerError` that has cut the run short, so that the scores are
        partial; None if the run is complete.
    worst: the worst pairs by each metric, if they are asked for.
    note: a problem found in the corpus as a whole, if there is one.
    """

    scores: Sequence[CorpusScore]
    cut_by: BaseException | None
    worst: Sequence[Sequence[Shown]] = ()
    note: str | None = None


class Worst:
    """The *most* worst pairs added so far; of equal pairs, the first ones.

    field: one of `BADNESS`. show: makes the part of a pair that is kept. Skipped pairs are left
    out.
    """

    def __init__(self, most: int, field: str, show: Callable[[PairScore], Shown]) -> None:
        self._most = most
        self._badness = BADNESS[field]
        self._show = show
        self._number = 0
        # A heap: the least bad pair is first; of equals, the last one is first.
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
        """Return all that is known of the pairs, as values for JSON."""
        return [self._number, self._kept]

    def restore(self, state: Any) -> None:
        """Continue from the *state* of another run."""
        self._number, kept = state
        self._kept = [(badness, number, shown) for badness, number, shown in kept]


def score_corpus(
    couples: Iterator[Couple],
    task: ScoringTask,
    *,
    outputs: Sequence[Output] = (),
    keep_pairs: bool = False,
    worst: Callable[[], Worst] | None = None,
    resumable: "Resumable | None" = None,
    watching: AbstractContextManager[Callable[[Answer], object]] = _UNWATCHED,
) -> Scored:
    """Do *task* for *couples*; after an interrupt, return the partial score.

    *outputs* are the files with a line for each pair. With *keep_pairs*, the scores hold those of
    their pairs. *worst* makes the collector of the worst pairs by a metric. The outputs of a
    *resumable* run are written at its end. *watching* is entered for the run, and its value is
    called with each answer. Raises as `exactmatch.scoring.stream.score_stream` does, and
    `InputError` for files that cannot be written.
    """
    run = _RunState(task.metrics, task.settings, keep_pairs=keep_pairs, worst=worst)
    checkpoint = None if resumable is None else resumable.checkpoint
    if checkpoint is not None and checkpoint.state is not None:
        _restore(run, checkpoint)
    missing = _Missing(task.selection)
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
                task._replace(settings=run.settings_left()),
                render=_render(outputs, with_sentence=worst is not None),
                counts_alone=not outputs and not keep_pairs and worst is None,
            )
            for answer in stack.enter_context(closing(answers)):
                keep(answer)
                watch(answer)
            if resumable is not None:
                with _forgetting(resumable.checkpoint):  # before saving, which may fail
                    resumable.check_read()
                resumable.checkpoint.save(run.state())
                _write(outputs, resumable.checkpoint)
    except SolverError:  # later pairs would need the solver, too: no score is the requested one
        raise
    except (KeyboardInterrupt, WorkerError) as error:
        cut_by = error
    except MemoryError:
        cut_by = WorkerError("memory ran out")
    else:
        run.missing_ids, run.note = len(missing.ids), missing.note()
    return Scored(run.scores(partial=cut_by is not None), cut_by, run.worst(), run.note)


class _Written(NamedTuple):
    """Texts that a worker makes of a pair it scores: lines for files, perhaps its sentence."""

    lines: Sequence[str | None]
    sentence: str


def _render(outputs: Sequence[Output], *, with_sentence: bool) -> Render | None:
    if not outputs and not with_sentence:
        return None
    return partial(_written, [one.line for one in outputs], with_sentence)


def _written(
    lines: Sequence[Line],
    with_sentence: bool,
    pair: GraphPair | Skipped,
    scores: Sequence[PairScore],
) -> _Written:
    said = ""
    if with_sentence and isinstance(pair, GraphPair):
        from exactmatch.graphs.sentence_text import sentence

        said = sentence(pair.gold) or sentence(pair.system)
    return _Written([line(pair, scores[0]) for line in lines], said)


@contextmanager
def _keeping(
    run: "_RunState", outputs: Sequence[Output], checkpoint: "Checkpoint | None"
) -> Iterator[Callable[[Answer], None]]:
    """Yield a function that adds an answer to *run*, and passes its lines to *outputs*."""
    if checkpoint is not None:
        with _saving(run, checkpoint) as keep:
            yield keep
        return
    with ExitStack() as stack:
        writes = [stack.enter_context(output.opened(output.path)) for output in outputs]
        yield partial(_keep, run, writes)


@contextmanager
def _saving(run: "_RunState", checkpoint: "Checkpoint") -> Iterator[Callable[[Answer], None]]:
    """Yield a function that keeps an answer in *checkpoint*; the block always ends by saving.

    An interrupt may come while an answer is half kept; then the last saved state counts.
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
        if not checkpoint.is_void:
            error.add_note(
                f"{checkpoint.folder} holds the finished pairs; run the same command, on files of "
                "the same content, to continue"
            )
            if is_whole:
                _save_after(error, run, checkpoint)
        raise
    run.stop()
    checkpoint.save(run.state())


def _save_after(error: BaseException, run: "_RunState", checkpoint: "Checkpoint") -> None:
    """Save what is kept; if that fails, too, tell it as a note on *error*."""
    run.stop()
    try:
        checkpoint.save(run.state())
    except InputError as unsaved:
        if str(unsaved) != str(error):
            error.add_note(f"the last pairs are not saved: {unsaved}")


@contextmanager
def _forgetting(checkpoint: "Checkpoint") -> Iterator[None]:
    """Remove what *checkpoint* holds if the block finds that its results cannot be relied on."""
    try:
        yield
    except InputError as error:
        checkpoint.forget()
        error.add_note(
            f"{checkpoint.folder} holds nothing any more: its pairs may be of either content"
        )
        raise


def _keep(run: "_RunState", writes: Sequence[Write], answer: Answer) -> None:
    run.add(answer)
    if writes and answer.is_selected:
        for write, text in zip(writes, answer.written.lines, strict=True):
            if text is not None:
                write(f"{text}\n")


def _write(outputs: Sequence[Output], checkpoint: "Checkpoint") -> None:
    """Write all *outputs* from the checkpoint."""
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
    """The identifiers of a selection that no pair has had so far; *names* are those of pairs."""

    def __init__(self, selection: Selection | None) -> None:
        self.ids = set(selection.ids or ()) if selection is not None else set()
        self.names = Names()

    def discard_seen(self, couples: Iterator[Couple]) -> Iterator[Couple]:
        """Return *couples*, whose names are removed from the missing ones as they pass."""
        return self._passing(couples) if self.ids else couples

    def _passing(self, couples: Iterator[Couple]) -> Iterator[Couple]:
        for couple in couples:
            self.ids.discard(couple.identifier)
            self.names.add(couple.identifier)
            yield couple

    def note(self) -> str | None:
        """Return a note on the identifiers that no pair has, if there are any."""
        if not self.ids:
            return None
        named = ", ".join(map(self.names.beside, sorted(self.ids)[:_NAMED]))
        more = len(self.ids) - _NAMED
        return f"no pair is called {named}" + (f" (and {more} more)" if more > 0 else "")


class _RunState:
    """The sums over the pairs by each of *metrics*, updated as pairs are scored.

    answers: the number of answers added, including those of unselected pairs.
    missing_ids, note: the number of identifiers that no pair has, and a note on them, after the
        last pair.
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
        """Stop the clock, so that the saved seconds are those of the result."""
        self._end = time.monotonic()

    def add(self, answer: Answer) -> None:
        """Add the answer of a pair."""
        self.answers += 1
        if not answer.is_selected:
            self._unselected += 1
            return
        if answer.counts:
            for tally, counts in zip(self._tallies, answer.counts, strict=True):
                tally.add_proven(counts)
            return
        for tally, score in zip(self._tallies, answer.scores, strict=True):
            tally.add(score)
        for worst, score in zip(self._worst, answer.scores, strict=False):
            worst.add(score, answer.written.sentence)
        if self._kept is not None:
            self._kept.append(answer.scores)
        self._notes += answer.notes[: _KEPT_NOTES - len(self._notes)]

    def state(self) -> dict[str, Any]:
        """Return the sums, without the scores of pairs, as values for JSON."""
        return {
            "answers": self.answers,
            "unselected": self._unselected,
            "seconds": self._seconds(),
            "notes": self._notes,
            "tallies": [tally.state() for tally in self._tallies],
            "worst": [worst.state() for worst in self._worst],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the *state* of another run."""
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
        """Return the settings, with the rest of the time for all pairs."""
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
            replace(
                tally.summed_up(metric, self._settings, seconds=self._seconds()),
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
