"""``exactmatch score``: one file of graphs against another."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

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
from exactmatch.errors import NotProvenError, UsageError
from exactmatch.memory import default_limit
from exactmatch.metrics.registry import alignment_based
from exactmatch.search.methods import METHODS
from exactmatch.solving.strategy import AUTO, EXACT, SOLVERS

if TYPE_CHECKING:
    from exactmatch.results import CorpusScore
    from exactmatch.scoring import Answer


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
    from exactmatch.corpus import score_corpus
    from exactmatch.report.json import pair_line
    from exactmatch.report.text import certificate_line, mapping_text
    from exactmatch.settings import Settings

    if exact and method is not None:
        raise UsageError("--method goes with --heuristic")
    check_outputs((system, gold), per_pair, mappings, certificates)
    asked = {per_pair: pair_line, mappings: mapping_text, certificates: certificate_line}
    settings = Settings(
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
        metrics = counting.chosen(files.format)
        outputs = {path: line for path, line in asked.items() if path is not None}
        if outputs and len(metrics) > 1:
            raise UsageError("files for each pair go with one metric")
        if mappings is not None or certificates is not None:
            alignment_based(metrics[0])
        scores, cut_by = score_corpus(
            files.couples(),
            metrics,
            settings,
            on_error=on_error,
            workers=workers,
            files=outputs,
            watching=_watching(files),
        )
    _print(scores, output_format)
    if cut_by is not None:
        _finish_partial(cut_by)
    _finish(scores, require_optimal, require_certified)


@contextmanager
def _watching(files: PairFiles) -> "Iterator[Callable[[Answer], object]]":
    """Show progress, and yield what shows that of an answer, and its notes."""
    with files.progress("scoring") as done:

        def watch(answer: "Answer") -> None:
            show_notes_of(answer)
            done()

        yield watch


def _print(scores: "Sequence[CorpusScore]", output_format: str) -> None:
    from exactmatch.report.json import results_json
    from exactmatch.report.text import corpus_text

    if output_format == "json":
        click.echo(results_json(scores))
    else:
        click.echo("\n\n".join(map(corpus_text, scores)))


def _finish_partial(cut_by: BaseException) -> NoReturn:
    """End after a partial result: an interrupt has been answered by it, an error is to be told."""
    if not isinstance(cut_by, KeyboardInterrupt):
        raise cut_by
    show_notes(cut_by)
    raise SystemExit(current_interrupt().status)


def _finish(
    scores: "Sequence[CorpusScore]", require_optimal: bool, require_certified: bool
) -> None:
    """End with the exit status that the scores ask for."""
    for score in scores:
        _require(score, require_optimal, require_certified)
    if any(score.skipped or score.emptied for score in scores):
        raise SystemExit(1)


def _require(score: "CorpusScore", optimal: bool, certified: bool) -> None:
    """Raise `NotProvenError` if there are not the proofs that are asked for."""
    if optimal and score.optimal < score.pairs:
        raise NotProvenError(f"{score.pairs - score.optimal} of {score.pairs} pairs not proven")
    if certified and score.certified < score.pairs:
        missing = score.pairs - score.certified
        raise NotProvenError(f"{missing} of {score.pairs} pairs not proven by a checked proof")
    if score.confirmed is not None and score.confirmed < score.pairs:
        raise NotProvenError(
            f"{score.pairs - score.confirmed} of {score.pairs} pairs not confirmed in time"
        )
