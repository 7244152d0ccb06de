"""``exactmatch score``: one file of graphs against another."""

import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from exactmatch.cli.counting import Counting, counting_options
from exactmatch.cli.interrupt import current_interrupt, show_notes
from exactmatch.cli.options import (
    check_outputs,
    format_option,
    pairing_options,
    read_pairs,
    seconds,
    timeout_option,
    workers_option,
)
from exactmatch.cli.progress import progress
from exactmatch.errors import NotProvenError, UsageError, WorkerError
from exactmatch.output import writing
from exactmatch.search.methods import METHODS
from exactmatch.solve import AUTO, EXACT, SOLVERS

if TYPE_CHECKING:
    from exactmatch.corpus import CorpusScore, Options, PairScore
    from exactmatch.pairing import Pairing
    from exactmatch.unaligned import UnalignedScore


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
    cross_check: bool,
    seed: int,
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
    on GOLD. With several metrics, the files are read once.
    """
    from exactmatch.corpus import Options
    from exactmatch.metrics.profiles import Profile
    from exactmatch.unaligned import score_unaligned

    if exact and method is not None:
        raise UsageError("--method goes with --heuristic")
    check_outputs((system, gold), per_pair, mappings, certificates)
    outputs = _Outputs(per_pair, mappings, certificates)
    pairing, form = read_pairs(system, gold, pair_by, on_error)
    metrics = counting.chosen(form)
    if any(outputs) and (len(metrics) > 1 or not isinstance(metrics[0], Profile)):
        raise UsageError("files for each pair go with one metric, and one that aligns")
    results: list[CorpusScore | UnalignedScore] = []
    for metric in metrics:
        if not isinstance(metric, Profile):
            results.append(score_unaligned(pairing, metric))
            continue
        options = Options(
            profile=metric,
            method=EXACT if exact else method or "s+4r",
            solver=solver,
            timeout=timeout,
            total_timeout=total_timeout,
            seed=seed,
            cross_check=cross_check,
            certificates=certificates is not None,
            breakdown=breakdown,
        )
        found, cut_by = _scored(pairing, options, workers, outputs)
        results.append(found)
        if cut_by is not None:
            _print(results, output_format)
            _finish_partial(cut_by)
    _print(results, output_format)
    _finish(results, require_optimal)


def _scored(
    pairing: "Pairing", options: "Options", workers: int, outputs: "_Outputs"
) -> "tuple[CorpusScore, BaseException | None]":
    """Return the score, and what has cut it short if it is only of the first pairs."""
    from exactmatch.corpus import sum_up

    start = time.monotonic()
    scores, cut_by = _run(pairing, options, workers, outputs)
    seconds = time.monotonic() - start
    partial = cut_by is not None
    score = sum_up(scores, options, seconds=seconds, notes=pairing.notes, partial=partial)
    return score, cut_by


class _Outputs(NamedTuple):
    """The files that get something for each pair, None for what is not asked for."""

    per_pair: Path | None
    mappings: Path | None
    certificates: Path | None


def _run(
    pairing: "Pairing", options: "Options", workers: int, outputs: _Outputs
) -> tuple[list["PairScore"], BaseException | None]:
    """Score all pairs and write what is asked for; return the scores and what cut it short."""
    from exactmatch.corpus import score_pairs
    from exactmatch.report.json import pair_json
    from exactmatch.report.text import mapping_text

    scores: list[PairScore] = []
    try:
        with ExitStack() as stack:
            lines, blocks, proofs = (
                None if path is None else stack.enter_context(writing(path)) for path in outputs
            )
            advance = stack.enter_context(progress("scoring", len(pairing.pairs), "pairs"))
            results = stack.enter_context(closing(score_pairs(pairing, options, workers)))
            for pair, found in zip(pairing.pairs, results, strict=True):
                scores.append(found)
                if lines is not None:
                    lines.write(pair_json(found) + "\n")
                if blocks is not None:
                    blocks.write(mapping_text(pair, found) + "\n")
                if proofs is not None and found.certificate is not None:
                    proofs.write(found.certificate + "\n")
                advance()
    except (KeyboardInterrupt, WorkerError) as error:
        return scores, error
    return scores, None


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


def _finish(results: "list[CorpusScore | UnalignedScore]", require_optimal: bool) -> None:
    """End with the exit status that the results ask for."""
    from exactmatch.corpus import CorpusScore

    for result in results:
        if isinstance(result, CorpusScore):
            _finish_aligned(result, require_optimal)
    if any(result.skipped or result.emptied for result in results):
        raise SystemExit(1)


def _finish_aligned(result: "CorpusScore", require_optimal: bool) -> None:
    if require_optimal and result.optimal < result.pairs:
        raise NotProvenError(f"{result.pairs - result.optimal} of {result.pairs} pairs not proven")
    if result.confirmed is not None and result.confirmed < result.pairs:
        raise NotProvenError(
            f"{result.pairs - result.confirmed} of {result.pairs} pairs not confirmed in time"
        )
