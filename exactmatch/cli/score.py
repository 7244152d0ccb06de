"""``exactmatch score``: one file of graphs against another."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from exactmatch.cli.answers import give, require, say_note
from exactmatch.cli.asked_metrics import AskedMetrics
from exactmatch.cli.groups import (
    COUNTING,
    LIMITS,
    OUTPUT,
    PROOF,
    Adding,
    GroupedCommand,
    adding,
    option,
)
from exactmatch.cli.metric_options import metric_options
from exactmatch.cli.options import (
    FILE,
    format_option,
    limit_options,
    output_option,
    pairing_options,
    proof_options,
    seconds,
    seed_option,
    starts_option,
)
from exactmatch.cli.progress import progress
from exactmatch.cli.signals import current_interrupt, show_notes
from exactmatch.errors import NotProvenError, UsageError
from exactmatch.output import check_outputs
from exactmatch.search.methods import METHODS, Starts
from exactmatch.solving.strategy import AUTO, EXACT, SOLVERS
from exactmatch.workers import Workers

if TYPE_CHECKING:
    from exactmatch.results import CorpusScore

_search_options: Adding = adding(
    option(
        "--exact/--heuristic",
        default=True,
        group=PROOF,
        help="Prove the score (the default), or only search for a good mapping.",
    ),
    option(
        "--method",
        type=click.Choice(list(METHODS)),
        group=PROOF,
        help="The search of --heuristic, as named by Cai and Knight (2013).  [default: s+4r]",
    ),
    starts_option,
    option(
        "--solver",
        type=click.Choice(SOLVERS),
        default=AUTO,
        show_default=True,
        group=PROOF,
        help="What proves each pair: auto, the fastest; dual, none; any other, that one alone.",
    ),
    proof_options,
    option(
        "--cross-check",
        is_flag=True,
        group=PROOF,
        help="Prove every pair again with a second solver, in as much time again.",
    ),
    seed_option,
)

_file_options: Adding = adding(
    *(
        option(
            f"--{name}", type=click.Path(path_type=Path), metavar="FILE", group=OUTPUT, help=help
        )
        for name, help in (
            ("per-pair", "Write each pair's result to FILE, one JSON object a line."),
            ("mappings", "Write each pair's mapping of variables to FILE, to be read."),
            ("certificates", "Write the proof of each pair to FILE, for exactmatch verify."),
        )
    )
)


@click.command(cls=GroupedCommand)
@click.argument("system", type=FILE)
@click.argument("gold", type=FILE)
@pairing_options
@metric_options
@option(
    "--breakdown",
    is_flag=True,
    group=COUNTING,
    help="Count the matched triples of each kind as well, under the mapping found.",
)
@option(
    "--by-framework",
    is_flag=True,
    group=COUNTING,
    help="The table of the MRP tasks: F1 by framework and their average, labelled and unlabelled.",
)
@_search_options
@limit_options
@option(
    "--total-timeout",
    type=float,
    callback=seconds,
    group=LIMITS,
    help="Seconds for all pairs.",
)
@format_option
@output_option
@_file_options
def score(
    system: Path,
    gold: Path,
    pair_by: Any,
    on_error: Any,
    asked: AskedMetrics,
    breakdown: bool,
    by_framework: bool,
    exact: bool,
    method: str | None,
    starts: Starts | None,
    solver: str,
    require_optimal: bool,
    require_certified: bool,
    cross_check: bool,
    seed: int,
    timeout: float | None,
    memory: int | None,
    workers: Workers,
    total_timeout: float | None,
    output_format: str,
    output: Path | None,
    per_pair: Path | None,
    mappings: Path | None,
    certificates: Path | None,
) -> None:
    """Score the graphs of SYSTEM against those of GOLD.

    Both are files of graphs, possibly compressed with gzip: AMRs in PENMAN notation, MRP graphs as
    JSON lines, or DRSs in clause form. - is standard input. Precision is measured on SYSTEM, recall
    on GOLD. The files are read once, with several metrics too, and as pairs are scored: they may be
    pipes, and of any length.
    """
    from exactmatch.api.scores import score_until_cut
    from exactmatch.memory import default_limit
    from exactmatch.settings import Settings

    for name, value in (("method", method), ("starts", starts)):
        if exact and value is not None:
            raise UsageError(f"--{name} goes with --heuristic")
    check_outputs([str(system), str(gold)], output, per_pair, mappings, certificates)
    scores, cut_by = score_until_cut(
        system,
        gold,
        asked.with_and_without_labels() if by_framework else asked.chosen(),
        Settings(
            method=EXACT if exact else method or "s+4r",
            starts=starts or "all",
            solver=solver,
            timeout=timeout,
            total_timeout=total_timeout,
            seed=seed,
            memory=default_limit(workers) if memory is None else memory,
            cross_check=cross_check,
            certificates=certificates is not None,
            breakdown=breakdown,
        ),
        profile="default" if by_framework else asked.profile,
        choices={} if by_framework else asked.choices,
        pair_by=pair_by,
        on_error=on_error,
        per_pair=per_pair,
        mappings=mappings,
        certificates=certificates,
        workers=workers,
        progress=progress,
        note=say_note,
    )
    give(_shown(scores, output_format, by_framework=by_framework), output)
    if cut_by is not None:
        _finish_partial(cut_by)
    require(scores, optimal=require_optimal, certified=require_certified)
    _require_confirmed(scores)
    if any(score.skipped or score.emptied for score in scores):
        raise SystemExit(1)


def _shown(scores: "Sequence[CorpusScore]", output_format: str, *, by_framework: bool) -> str:
    from exactmatch.report.json import results_json
    from exactmatch.report.text import corpus_text, official_text

    if output_format == "json":
        return results_json(scores)
    if by_framework:
        return official_text(*scores)
    return "\n\n".join(map(corpus_text, scores))


def _finish_partial(cut_by: BaseException) -> NoReturn:
    """End after a partial result: an interrupt has been answered by it, an error is to be told."""
    if not isinstance(cut_by, KeyboardInterrupt):
        raise cut_by
    show_notes(cut_by)
    raise SystemExit(current_interrupt().status)


def _require_confirmed(scores: "Sequence[CorpusScore]") -> None:
    """Raise `NotProvenError` if a second solver was asked and has not proven all in time."""
    for score in scores:
        if score.confirmed is not None and score.confirmed < score.pairs:
            missing = score.pairs - score.confirmed
            raise NotProvenError(f"{missing} of {score.pairs} pairs not confirmed in time")
