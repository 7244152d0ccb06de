"""Score the pairs of a corpus as a stream: workers read and score them, answers keep the order."""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, Protocol, TypeVar

from exactmatch.errors import GraphError, InputError, WorkerError
from exactmatch.graphs.graph import ALL_ERRORS, IllFormedPolicy
from exactmatch.graphs.pairing import (
    SHOWN,
    Couple,
    GraphPair,
    OnError,
    Skipped,
    read_pair,
    unreadable,
)
from exactmatch.graphs.selection import Selection
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import ill_formed_policy
from exactmatch.runtime.workers import AUTO, RemoteWorkers, Workers, done, number_of, run_inline
from exactmatch.scoring.by_cover import CoverCounter, ProvenCounts, counter_of
from exactmatch.scoring.from_texts import count_texts
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline

#: Pairs that take less time than this are handed out in batches of this size, since sending takes
#: time as well.
_SECONDS = 0.01
_MOST = 32


class Answer(NamedTuple):
    """The answer for a pair.

    scores: the score by each metric; empty if errors are to end the run.
    written: the result of *render* for the pair and its scores.
    errors: the errors of graphs that are unreadable or cannot be compared.
    notes: as in `exactmatch.graphs.pairing.ReadPair`.
    is_selected: whether the pair was to be scored; the answers for others are empty.
    counts: replaces the scores, by each metric, if counts are enough.
    """

    scores: Sequence[PairScore]
    written: Any
    errors: Sequence[InputError]
    notes: Sequence[str]
    is_selected: bool = True
    counts: Sequence[ProvenCounts] = ()


#: The answer for a pair that is not to be scored.
_UNSELECTED = Answer((), None, (), (), is_selected=False)

#: Makes a text of a pair, where it was scored, and of its scores.
Render = Callable[[GraphPair | Skipped, Sequence[PairScore]], Any]


class ScoringTask(NamedTuple):
    """The work on each pair of a run: its score by all *metrics* under *settings*.

    on_error: what an unreadable graph leads to. workers: the processes that share the work.
    selection: the pairs to score; None is all.
    """

    metrics: Sequence[Metric]
    settings: Settings = Settings()
    on_error: OnError = "stop"
    workers: Workers = 1
    selection: Selection | None = None


class _HasErrors(Protocol):
    @property
    def errors(self) -> Sequence[InputError]: ...


_Result = TypeVar("_Result")
_Answer = TypeVar("_Answer", bound=_HasErrors)


def score_stream(
    couples: Iterator[Couple],
    task: ScoringTask,
    *,
    render: Render | None = None,
    counts_alone: bool = False,
) -> Generator[Answer, None, None]:
    """Do *task* for *couples*, and yield the answers in order.

    Couples that are not selected have empty answers. With *counts_alone*, only counts are asked
    for.

    The workers read the graphs as well. Only so many couples are read ahead as keep them busy.
    Raises as `run_in_order` does, and `VerificationError` if two computations of one number
    disagree.
    """
    metrics, settings = task.metrics, task.settings
    end = Deadline.after(settings.total_timeout)
    if task.workers in (1, AUTO):
        _load_early(metrics, settings)  # beside the reading of the first graphs
    counters = [counter_of(metric, settings) if counts_alone else None for metric in metrics]
    # The workers, which may hold connections, are no part of the work that is sent to them.
    own = task._replace(workers=1)
    work = partial(_score, own, end, render, counters)
    return run_in_order(couples, work, task.on_error, task.workers, ill_formed_policy(metrics))


def run_in_order(
    couples: Iterator[Couple],
    work: Callable[[Couple], _Answer],
    on_error: OnError,
    workers: Workers = 1,
    ill_formed: IllFormedPolicy = ALL_ERRORS,
) -> Generator[_Answer, None, None]:
    """Yield the answers of *work* to *couples*, in order.

    Raises what *couples* raises. If *on_error* is ``stop``, an unreadable graph ends the run: the
    remaining graphs are only read, and one `InputError` lists the unreadable ones, except those
    that *ill_formed* provides for.
    """
    waiting: deque[Couple] = deque()
    with closing(_in_batches(work, _remembered(couples, waiting), workers)) as answers:
        for answer in answers:
            waiting.popleft()
            if answer.errors and on_error == "stop":
                break
            yield answer
        else:
            return
    errors, more, are_all = _errors(chain(waiting, couples), ill_formed, workers)
    raise unreadable([*answer.errors, *errors], more=more, are_all=are_all)


def _remembered(couples: Iterable[Couple], waiting: deque[Couple]) -> Iterator[Couple]:
    for couple in couples:
        waiting.append(couple)
        yield couple


def _errors(
    couples: Iterable[Couple], policy: IllFormedPolicy, workers: Workers
) -> tuple[list[GraphError], int, bool]:
    """Return the errors of graphs of *couples*, the number of further ones, and if all were read.

    Only as many errors are held as are shown.
    """
    found: list[GraphError] = []
    more = 0
    try:
        for errors in _in_batches(partial(_unreadable, policy), iter(couples), workers):
            room = SHOWN - len(found)
            found += errors[:room]
            more += len(errors[room:])
    except (InputError, WorkerError, KeyboardInterrupt):
        return found, more, False  # earlier errors have to be reported
    return found, more, True


def _in_batches(
    function: Callable[[Couple], _Result], couples: Iterator[Couple], workers: Workers
) -> Generator[_Result, None, None]:
    """Yield the results of `in_order`, but hand out several couples at once if they are fast."""
    if isinstance(workers, RemoteWorkers):
        yield from workers.in_order(function, couples, _name)
        return
    number = number_of(workers)
    if number == 1:
        yield from (done(function, couple, _name) for couple in couples)
        return
    if workers == AUTO and (yield from run_inline(function, couples, _name, _loading)):
        return
    from exactmatch.runtime.processes import in_order

    size = 1

    def batches() -> Iterator[list[Couple]]:
        while batch := list(islice(couples, size)):
            yield batch

    work = partial(_work_off, function)
    with closing(in_order(work, batches(), number, _called)) as found:
        for results, seconds in found:
            yield from results
            if seconds < _SECONDS:
                size = min(2 * size, _MOST)
            elif seconds > 4 * _SECONDS:
                size = max(size // 2, 1)


def _loading(result: object) -> float:
    """Return the seconds that pairs have waited for a solver to load."""
    waited = 0.0
    if isinstance(result, Answer):  # a loop: this is asked after each pair
        for score in result.scores:
            if (work := score.work) is not None:
                waited += work.loading
    return waited


def _work_off(
    function: Callable[[Couple], _Result], batch: list[Couple]
) -> tuple[list[_Result], float]:
    """Return the results of *function* for a batch, and the seconds of each."""
    start = time.monotonic()
    return [done(function, couple, _name) for couple in batch], time.monotonic() - start


def _name(couple: Couple) -> str:
    return _called([couple])


def _called(batch: list[Couple]) -> str:
    plural = "s" if len(batch) > 1 else ""
    return f"pair{plural} {', '.join(couple.identifier for couple in batch)}"


def _unreadable(policy: IllFormedPolicy, couple: Couple) -> Sequence[GraphError]:
    return read_pair(couple, "stop", policy).errors


def _score(
    task: ScoringTask,
    end: Deadline,
    render: Render | None,
    counters: Sequence[CoverCounter | None],
    couple: Couple,
) -> Answer:
    # Complex: every reason to end a pair early, in the order in which it shows.
    metrics, settings, on_error, _, selection = task
    if selection is not None and not selection.may_take(couple):
        return _UNSELECTED
    if not (selection and selection.conditions) and not end.passed():
        counts = _counts(couple, metrics, settings, counters)
        if counts:
            return Answer((), None, (), (), counts=counts)
    from exactmatch.scoring.pair import score_pair  # and with it the modules that prove pairs

    _load_early(metrics, settings)
    pair, errors, notes = read_pair(couple, on_error, ill_formed_policy(metrics))
    if errors and on_error == "stop":
        return Answer((), None, errors, notes)
    if selection is not None and not selection.takes(pair):
        return _UNSELECTED
    wrong = _incomparable(pair, metrics)
    notes = (*notes, *_unlike_programs(pair, metrics))
    scores: list[PairScore] = []
    try:
        if not wrong:
            scores = [
                score_pair(pair, metric, settings, end, counter=counter)
                for metric, counter in zip(metrics, counters, strict=True)
            ]
    except InputError as error:  # a pair that is too large for rules is only detected here
        wrong = [error]
    if wrong:
        pair, notes = Skipped(pair.identifier), (*notes, *map(str, wrong))
        if on_error == "stop":
            return Answer((), None, wrong, notes)
        scores = [score_pair(pair, metric, settings, end) for metric in metrics]
    written = None if render is None else render(pair, scores)
    return Answer(scores, written, [*errors, *wrong], notes)


def _unlike_programs(pair: GraphPair | Skipped, metrics: Sequence[Metric]) -> list[str]:
    """Return notes on what the programs of profiles read otherwise in the graphs of a pair."""
    if isinstance(pair, Skipped):
        return []
    graphs = (pair.system, pair.gold)
    found = [note for one in metrics for graph in graphs for note in one.unlike_program(graph)]
    return [*dict.fromkeys(found)] if found else found


def _load_early(metrics: Sequence[Metric], settings: Settings) -> None:
    """Begin to load a solver asked for by name, which pairs may need, unless it is loaded."""
    if not settings.is_by_name:
        return
    has_time = 0 not in (settings.timeout, settings.total_timeout)
    if has_time and any(metric.maps_variables for metric in metrics):
        from exactmatch.solving.solver_process import load_early

        load_early(settings.solver)


def _counts(
    couple: Couple,
    metrics: Sequence[Metric],
    settings: Settings,
    counters: Sequence[CoverCounter | None],
) -> Sequence[ProvenCounts]:
    """Return the matches of the texts of a pair by each metric; nothing if one is left open.

    Raises `VerificationError`.
    """
    if None in counters:
        return ()
    found = []
    for metric, counter in zip(metrics, counters, strict=True):
        assert counter is not None
        counts = count_texts(couple, metric, settings, counter)
        if counts is None:
            return ()
        found.append(counts)
    return found


def _incomparable(pair: GraphPair | Skipped, metrics: Sequence[Metric]) -> list[InputError]:
    """Return why *metrics* cannot compare the graphs of *pair*, each reason once."""
    found: dict[str, InputError] = {}
    for metric in metrics:
        if isinstance(pair, GraphPair) and isinstance(metric, AlignmentMetric):
            try:
                metric.check(pair.system, pair.gold)
            except InputError as error:
                found.setdefault(str(error), error)
    return [*found.values()]
