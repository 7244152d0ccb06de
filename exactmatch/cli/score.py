"""``exactmatch score``: one file of graphs against another."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from exactmatch.cli.counting import Counting, counting_options
from exactmatch.cli.interrupt import INTERRUPTED, listening
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
from exactmatch.errors import InputError, NotProvenError, UsageError
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
        found = _scored(pairing, options, workers, outputs)
        results.append(found)
        if found.partial:
            break
    _print(results, output_format)
    _finish(results, require_optimal)


def _scored(
    pairing: "Pairing", options: "Options", workers: int, outputs: "_Outputs"
) -> "CorpusScore":
    from exactmatch.corpus import sum_up

    start = time.monotonic()
    scores, partial = _run(pairing, options, workers, outputs)
    seconds = time.monotonic() - start
    return sum_up(scores, options, seconds=seconds, notes=pairing.notes, partial=partial)


class _Outputs(NamedTuple):
    """The files that get something for each pair, None for what is not asked for."""

    per_pair: Path | None
    mappings: Path | None
    certificates: Path | None


def _run(
    pairing: "Pairing", options: "Options", workers: int, outputs: _Outputs
) -> tuple[list["PairScore"], bool]:
    """Score all pairs and write what is asked for; return the scores and if it was cut short."""
    from exactmatch.corpus import score_pairs
    from exactmatch.report.json import pair_json
    from exactmatch.report.text import mapping_text

    scores: list[PairScore] = []
    with ExitStack() as stack:
        lines = stack.enter_context(_opened(outputs.per_pair))
        blocks = stack.enter_context(_opened(outputs.mappings))
        proofs = stack.enter_context(_opened(outputs.certificates))
        advance = stack.enter_context(progress("scoring", len(pairing.pairs)))
        interrupt = stack.enter_context(listening())
        try:
            results = score_pairs(pairing, options, workers)
            for pair, found in zip(pairing.pairs, results, strict=True):
                if interrupt.heard:
                    return scores, True
                scores.append(found)
                if lines is not None:
                    _write(lines, pair_json(found))
                if blocks is not None:
                    _write(blocks, mapping_text(pair, found))
                if proofs is not None and found.certificate is not None:
                    _write(proofs, found.certificate)
                advance()
        except KeyboardInterrupt:
            return scores, True
        except ImportError:
            # What becomes of an interrupt while a solver is loaded.
            if not interrupt.heard:
                raise
            return scores, True
    return scores, interrupt.heard


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    try:
        with path.open("w", buffering=1, encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as error:  # on opening, or on closing after a line could not be written
        raise InputError(f"{path}: {error.strerror}") from error


def _write(file: TextIO, text: str) -> None:
    try:
        file.write(text + "\n")
    except OSError as error:
        raise InputError(f"{file.name}: {error.strerror}") from error


def _print(results: "list[CorpusScore | UnalignedScore]", output_format: str) -> None:
    from exactmatch.corpus import CorpusScore
    from exactmatch.report.json import results_json
    from exactmatch.report.text import corpus_text, unaligned_text

    if output_format == "json":
        click.echo(results_json(results))
        return
    texts = [corpus_text(r) if isinstance(r, CorpusScore) else unaligned_text(r) for r in results]
    click.echo("\n\n".join(texts))


def _finish(results: "list[CorpusScore | UnalignedScore]", require_optimal: bool) -> None:
    """End with the exit status that the results ask for."""
    from exactmatch.corpus import CorpusScore

    for result in results:
        if isinstance(result, CorpusScore):
            _finish_aligned(result, require_optimal)
    if any(result.skipped or result.emptied for result in results):
        raise SystemExit(1)


def _finish_aligned(result: "CorpusScore", require_optimal: bool) -> None:
    if result.partial:
        raise SystemExit(INTERRUPTED)
    if require_optimal and result.optimal < result.pairs:
        raise NotProvenError(f"{result.pairs - result.optimal} of {result.pairs} pairs not proven")
    if result.confirmed is not None and result.confirmed < result.pairs:
        raise NotProvenError(
            f"{result.pairs - result.confirmed} of {result.pairs} pairs not confirmed in time"
        )
