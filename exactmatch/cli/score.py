"""``exactmatch score``: one file of graphs against another."""

import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from exactmatch.cli.counting import Counting, counting_options
from exactmatch.cli.options import (
    check_outputs,
    format_option,
    memory_option,
    pairing_options,
    seconds,
    timeout_option,
    workers_option,
)
from exactmatch.cli.pairs import PairFiles, pair_files, show_notes_of
from exactmatch.cli.signals import current_interrupt, show_notes
from exactmatch.errors import NotProvenError, UsageError, WorkerError
from exactmatch.memory import default_limit
from exactmatch.output import writing
from exactmatch.search.methods import METHODS
from exactmatch.solving.strategy import AUTO, EXACT, SOLVERS

if TYPE_CHECKING:
    from exactmatch.corpus import CorpusScore, Options
    from exactmatch.metrics.direct import DirectMetric
    from exactmatch.pairing import GraphPair, Skipped
    from exactmatch.streaming import Answer
    from exactmatch.unaligned import UnalignedScore

#: So many notes are part of a result; all of them go to standard error.
_KEPT_NOTES = 1000


@click.command()
@click.argument("system", type=click.Path(allow_dash=True))
@click.argument("gold", type=click.Path(allow_dash=True))
@click.option(
    "--exact/--heuristic",
    default=True,
    help="Prove the score (the default), or only search for a good mapping.",
)
@click.option(
    "--method",
    type=click.Choice(list(METHODS)),
    help="The search of --heuristic, as named by Cai and Knight (2013).  [default: s+4r]",
)
@click.option(
    "--solver",
    type=click.Choice(SOLVERS),
    default=AUTO,
    show_default=True,
    help="What proves each pair: auto, the fastest; dual, none; any other, that one alone.",
)
@timeout_option
@click.option("--total-timeout", type=float, callback=seconds, help="Seconds for all pairs.")
@click.option("--require-optimal", is_flag=True, help="Exit with 3 unless all pairs are proven.")
@click.option(
    "--require-certified",
    is_flag=True,
    help="Exit with 3 unless all pairs are proven, and each proof is checked.",
)
@click.option(
    "--cross-check",
    is_flag=True,
    help="Prove every pair again with a second solver, in as much time again.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=0,
    show_default=True,
    help="Seed of every random choice.",
)
@memory_option
@workers_option
@pairing_options
@format_option
@click.option(
    "--per-pair",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write each pair's result to FILE, one JSON object a line.",
)
@click.option(
    "--mappings",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write each pair's mapping of variables to FILE, to be read.",
)
@click.option(
    "--certificates",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the proof of each pair to FILE, for exactmatch verify.",
)
@click.option(
    "--breakdown",
    is_flag=True,
    help="Count the matched triples of each kind as well, under the mapping found.",
)
@counting_options
def score(
    system: str,
    gold: str,
    exact: bool,
    method: str | None,
    solver: str,
    timeout: float | None,
    total_timeout: float | None,
    require_optimal: bool,
    require_certified: bool,
    cross_check: bool,
    seed: int,
    memory: int | None,
    workers: int,
    pair_by: Any,
    on_error: Any,
    output_format: str,
    per_pair: Path | None,
    mappings: Path | None,
    certificates: Path | None,
    breakdown: bool,
    counting: Counting,
) -> None:
    """Score the graphs of SYSTEM against those of GOLD.

    Both are files of graphs, possibly compressed with gzip: AMRs in PENMAN notation, MRP graphs as
    JSON lines, or DRSs in clause form. - is standard input. Precision is measured on SYSTEM, recall
    on GOLD. The files are read once, with several metrics too, and as pairs are scored: they may be
    pipes, and of any length.
    """
    from exactmatch.corpus import Options
    from exactmatch.metrics.profiles import Profile

    if exact and method is not None:
        raise UsageError("--method goes with --heuristic")
    check_outputs((system, gold), per_pair, mappings, certificates)
    outputs = _Outputs(per_pair, mappings, certificates)
    settings = Options(
        method=EXACT if exact else method or "s+4r",
        solver=solver,
        timeout=timeout,
        total_timeout=total_timeout,
        seed=seed,
        memory=default_limit(workers) if memory is None else memory,
        cross_check=cross_check,
        certificates=certificates is not None,
        breakdown=breakdown,
    )
    with pair_files(system, gold, pair_by) as files:
        chosen = counting.chosen(files.format)
        if any(outputs) and (len(chosen) > 1 or not isinstance(chosen[0], Profile)):
            raise UsageError("files for each pair go with one metric, and one that aligns")
        books = _Books(
            [replace(settings, profile=m) if isinstance(m, Profile) else m for m in chosen]
        )
        cut_by = _score_all(files, books, outputs, on_error, workers)
    results = books.results(partial=cut_by is not None)
    _print(results, output_format)
    if cut_by is not None:
        _finish_partial(cut_by)
    _finish(results, require_optimal, require_certified)


class _Outputs(NamedTuple):
    """The files that get something for each pair, None for what is not asked for."""

    per_pair: Path | None
    mappings: Path | None
    certificates: Path | None


class _Books:
    """What the pairs come to by each of *metrics*, added up as they are scored."""

    def __init__(self, metrics: "Sequence[Options | DirectMetric]") -> None:
        from exactmatch.corpus import Options, Tally
        from exactmatch.unaligned import UnalignedTally

        self.metrics = metrics
        self._tallies: list[Any] = [
            Tally() if isinstance(metric, Options) else UnalignedTally(metric) for metric in metrics
        ]
        self._notes: list[str] = []
        self._start = time.monotonic()

    def add(self, answer: "Answer") -> None:
        """Add what came of a pair."""
        for tally, result in zip(self._tallies, answer.results, strict=True):
            tally.add(result)
        self._notes += answer.notes[: _KEPT_NOTES - len(self._notes)]

    def results(self, *, partial: bool) -> "list[CorpusScore | UnalignedScore]":
        """Return the results by all metrics."""
        from exactmatch.corpus import Options, corpus_score

        seconds = time.monotonic() - self._start
        return [
            corpus_score(tally, metric, seconds=seconds, notes=self._notes, partial=partial)
            if isinstance(metric, Options)
            else tally.summed_up(seconds=seconds, notes=self._notes, partial=partial)
            for metric, tally in zip(self.metrics, self._tallies, strict=True)
        ]


def _score_all(
    files: PairFiles, books: _Books, outputs: _Outputs, on_error: Any, workers: int
) -> BaseException | None:
    """Score all pairs and write what is asked for, as they come; return what has cut it short."""
    from exactmatch.streaming import score_stream

    render = partial(
        _written, per_pair=outputs.per_pair is not None, mappings=outputs.mappings is not None
    )
    try:
        with ExitStack() as stack:
            opened = [
                None if path is None else stack.enter_context(writing(path)) for path in outputs
            ]
            done = stack.enter_context(files.progress("scoring"))
            answers = score_stream(
                files.couples(), books.metrics, on_error=on_error, workers=workers, render=render
            )
            for answer in stack.enter_context(closing(answers)):
                books.add(answer)
                for file, text in zip(opened, answer.written, strict=True):
                    if file is not None and text is not None:
                        file.write(f"{text}\n")
                show_notes_of(answer)
                done()
    except (KeyboardInterrupt, WorkerError) as error:
        return error
    return None


def _written(
    pair: "GraphPair | Skipped", results: "Sequence[Any]", *, per_pair: bool, mappings: bool
) -> tuple[str | None, str | None, str | None]:
    """Return what the files of `_Outputs` get for a pair; it is made where the pair is scored."""
    from exactmatch.report.json import pair_json
    from exactmatch.report.text import mapping_text

    first = results[0]
    return (
        pair_json(first) if per_pair else None,
        mapping_text(pair, first) if mappings else None,
        getattr(first, "certificate", None),
    )


def _print(results: "list[CorpusScore | UnalignedScore]", output_format: str) -> None:
    from exactmatch.corpus import CorpusScore
    from exactmatch.report.json import results_json
    from exactmatch.report.text import corpus_text, unaligned_text

    if output_format == "json":
        click.echo(results_json(results))
        return
    texts = [corpus_text(r) if isinstance(r, CorpusScore) else unaligned_text(r) for r in results]
    click.echo("\n\n".join(texts))


def _finish_partial(cut_by: BaseException) -> NoReturn:
    """End after a partial result: an interrupt has been answered by it, an error is to be told."""
    if not isinstance(cut_by, KeyboardInterrupt):
        raise cut_by
    show_notes(cut_by)
    raise SystemExit(current_interrupt().status)


def _finish(
    results: "list[CorpusScore | UnalignedScore]", require_optimal: bool, require_certified: bool
) -> None:
    """End with the exit status that the results ask for."""
    from exactmatch.corpus import CorpusScore

    for result in results:
        if isinstance(result, CorpusScore):
            _finish_aligned(result, require_optimal, require_certified)
    if any(result.skipped or result.emptied for result in results):
        raise SystemExit(1)


def _finish_aligned(result: "CorpusScore", require_optimal: bool, require_certified: bool) -> None:
    if require_optimal and result.optimal < result.pairs:
        raise NotProvenError(f"{result.pairs - result.optimal} of {result.pairs} pairs not proven")
    if require_certified and result.certified < result.pairs:
        missing = result.pairs - result.certified
        raise NotProvenError(f"{missing} of {result.pairs} pairs not proven by a checked proof")
    if result.confirmed is not None and result.confirmed < result.pairs:
        raise NotProvenError(
            f"{result.pairs - result.confirmed} of {result.pairs} pairs not confirmed in time"
        )
