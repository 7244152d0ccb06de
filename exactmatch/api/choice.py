"""For each item of several files, the graph that is nearest to those of the others."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import get_args

from exactmatch.api.candidates import (
    CandidateOnError,
    Weights,
    candidate_settings,
    checked_weights,
)
from exactmatch.api.consensus import checked_threshold
from exactmatch.api.metrics import StrPath, chosen_metric
from exactmatch.api.pairs import Note, check_known, check_one_stdin, unheard
from exactmatch.errors import InputError, UsageError
from exactmatch.graph import CLAUSES, MRP, PENMAN, SBN, UMR
from exactmatch.many.choice import Chosen, chosen_of
from exactmatch.many.side_by_side import Alternatives, by_position
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import alignment_based, check_sentences
from exactmatch.output import append_text, check_outputs, writing
from exactmatch.pairing import PairBy
from exactmatch.parallel import in_order
from exactmatch.progress import Progress, unwatched
from exactmatch.readers.detect import cut_texts, same_format
from exactmatch.readers.source import ByteStream
from exactmatch.studies.sources import NOWHERE, pair_items, read_sources
from exactmatch.workers import Workers

#: What stands between two graphs of a file, each of which ends with its line.
_BETWEEN = {PENMAN: b"\n", MRP: b"", CLAUSES: b"\n", UMR: b"\n\n", SBN: b""}
#: Items that are handed to a worker together.
_TOGETHER = 16


def choose_from(
    files: Sequence[StrPath],
    *,
    output: StrPath | None = None,
    consensus: StrPath | None = None,
    threshold: float | str | Fraction = 0.5,
    weights: Weights | None = None,
    solve_all: bool = False,
    metric: str | Metric | None = None,
    profile: str = "default",
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    pair_by: PairBy = "position",
    on_error: CandidateOnError = "empty",
    workers: Workers = 1,
    progress: Progress = unwatched,
    note: Note = unheard,
    **choices: Choice,
) -> Iterator[Chosen]:
    """Yield what is chosen for each item of *files*, as it comes.

    Args:
        files: paths of files that hold graphs for the same items.
        output: a file that gets the chosen graphs as they stand in their files.
        consensus: a file that gets what the graphs of each item agree on or, where that is no AMR,
            the chosen graph; see `exactmatch.consensus`, whose pivot it is.
        threshold: the share of votes that a triple of a consensus needs.
        weights: how much the graphs of each file count.
        solve_all: solve all pairs, so that all means are exact.
        pair_by: ``position`` or ``id``; by identifier, all files are held in memory.

    The other arguments, and what is raised, are those of `exactmatch.candidates` and, for *workers*
    and *progress*, of `exactmatch.score`.
    """
    check_known("pair_by", pair_by, get_args(PairBy))
    check_known("on_error", on_error, get_args(CandidateOnError))
    paths = [Path(path) for path in files]
    if len(paths) < 2:
        raise UsageError("name two files at least")
    check_one_stdin(*paths)
    outputs = [None if path is None else Path(path) for path in (output, consensus)]
    check_outputs([str(path) for path in paths], *outputs)
    whole, share = checked_weights(weights, len(paths)), checked_threshold(threshold)
    settings = candidate_settings(timeout, memory, seed, workers)
    with ExitStack() as stack:
        read = _by_identifier if pair_by == "id" else _side_by_side
        form, alternatives = read(paths, stack)
        counted = alignment_based(chosen_metric(form, metric, profile, choices))
        check_sentences(counted, form)
        if consensus is not None and form != PENMAN:
            raise UsageError(f"a consensus is written in {PENMAN} notation; these are in {form}")
        work = partial(
            chosen_of,
            metric=counted,
            settings=settings,
            weights=whole,
            solve_all=solve_all,
            threshold=None if consensus is None else share,
        )
        writers = [stack.enter_context(_graphs(path, form)) for path in outputs]
        advance = stack.enter_context(progress("choosing", None, "items"))
        found = stack.enter_context(closing(_in_batches(work, alternatives, workers)))
        for chosen in found:
            if chosen.errors and on_error == "stop":
                raise InputError("\n".join(chosen.errors.values()))
            for message in (*chosen.errors.values(), *chosen.notes):
                note(message)
            for write, text in zip(writers, (chosen.text, chosen.agreed), strict=True):
                write(text)
            yield chosen
            advance(1)


def _side_by_side(paths: Sequence[Path], stack: ExitStack) -> tuple[str, Iterator[Alternatives]]:
    """Open files; return their format, and their items by position, as they are read."""
    streams = [stack.enter_context(ByteStream(path)) for path in paths]
    files = [cut_texts(stream.chunks(), stream.name) for stream in streams]
    names = [stream.name for stream in streams]
    form = same_format({name: file.format for name, file in zip(names, files, strict=True)})
    return form, by_position(names, [file.texts for file in files])


def _by_identifier(paths: Sequence[Path], _: ExitStack) -> tuple[str, Iterator[Alternatives]]:
    """Read files; return their format, and their items by identifier."""
    study = pair_items(read_sources([str(path) for path in paths]), pair_by="id")
    names = [source.path for source in study.sources]
    columns = [(source.texts, study.places[source.name]) for source in study.sources]
    return study.format, (
        Alternatives(
            name,
            names,
            [None if at[item] == NOWHERE else texts[at[item]] for texts, at in columns],
        )
        for item, name in enumerate(study.names)
    )


@contextmanager
def _graphs(path: Path | None, form: str) -> Iterator[Callable[[bytes], object]]:
    """Yield what writes texts of graphs to a file, one after the other; nothing without *path*."""
    if path is None:
        yield lambda _: None
        return
    with writing(path) as file:
        between = b""

        def write(text: bytes) -> None:
            nonlocal between
            append_text(file, between + text + b"\n")
            between = _BETWEEN[form]

        yield write


def _in_batches(
    work: Callable[[Alternatives], Chosen], tasks: Iterator[Alternatives], workers: Workers
) -> Generator[Chosen, None, None]:
    batches = iter(lambda: list(islice(tasks, _TOGETHER)), [])
    with closing(in_order(partial(_worked_off, work=work), batches, workers, _called)) as found:
        for some in found:
            yield from some


def _worked_off(batch: list[Alternatives], work: Callable[[Alternatives], Chosen]) -> list[Chosen]:
    return [work(alternatives) for alternatives in batch]


def _called(batch: list[Alternatives]) -> str:
    return f"items {', '.join(alternatives.identifier for alternatives in batch)}"
