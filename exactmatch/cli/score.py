"""``exactmatch score``: one file of graphs against another."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from exactmatch.errors import InputError, NotProvenError, UsageError
from exactmatch.metrics.profiles import CHOICES, PROFILES
from exactmatch.search.methods import METHODS
from exactmatch.solve import EXACT

if TYPE_CHECKING:
    from exactmatch.corpus import CorpusScore, Options, PairScore
    from exactmatch.pairing import Pairing

_HELP = {
    "top": "What counts for the root.",
    "duplicates": "A triple that is written more than once.",
    "strings": "Compare strings whole, or as far as their first space.",
    "inverse": "Turn inverse roles (ARG0-of) round.",
    "mod": "Take mod and domain, and their inverses, as one relation.",
    "inverse_constants": "A constant under an inverse role (:mod 5).",
    "case": "Letter case.",
    "quotes": "Quotes of strings.",
    "underscores": "Underscores at the end.",
    "alignments": "Alignment marks (~e.4).",
}


def _seconds(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    if value is not None and not (math.isfinite(value) and value >= 0):
        raise click.BadParameter("not a number of seconds")
    return value


def _choice_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each single choice of a profile."""
    for name, values in reversed(CHOICES.items()):
        default = getattr(PROFILES["default"], name)
        option = click.option(
            f"--{name.replace('_', '-')}",
            name,
            type=click.Choice(values),
            help=f"{_HELP[name]} In the default profile: {default}.",
        )
        command = option(command)
    return command


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
    default="s+4r",
    show_default=True,
    help="The search of --heuristic, as named by Cai and Knight (2013).",
)
@click.option(
    "--timeout",
    type=float,
    default=60.0,
    show_default=True,
    callback=_seconds,
    help="Seconds for each pair. What is not proven by then is reported as an interval.",
)
@click.option("--total-timeout", type=float, callback=_seconds, help="Seconds for all pairs.")
@click.option("--require-optimal", is_flag=True, help="Exit with 3 unless all pairs are proven.")
@click.option("--cross-check", is_flag=True, help="Prove every pair again with a second solver.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=0,
    show_default=True,
    help="Seed of every random choice.",
)
@click.option(
    "--pair-by",
    type=click.Choice(["position", "id"]),
    default="position",
    show_default=True,
    help="By position, identifiers are checked; by id, graphs without partner are skipped.",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip", "empty"]),
    default="stop",
    show_default=True,
    help="A graph that cannot be read: stop, skip its pair, or take it as empty.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the result is printed.",
)
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
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="default",
    show_default=True,
    help="How triples are counted; the options below change single choices of it.",
)
@_choice_options
def score(
    system: str,
    gold: str,
    exact: bool,
    method: str,
    timeout: float | None,
    total_timeout: float | None,
    require_optimal: bool,
    cross_check: bool,
    seed: int,
    pair_by: Any,
    on_error: Any,
    output_format: str,
    per_pair: Path | None,
    mappings: Path | None,
    profile: str,
    **choices: str | None,
) -> None:
    """Score the graphs of SYSTEM against those of GOLD.

    Both are files of AMRs in PENMAN notation, possibly compressed with gzip; - is standard
    input. Precision is measured on SYSTEM, recall on GOLD.
    """
    from exactmatch.corpus import Options, sum_up

    start = time.monotonic()
    given = {name: value for name, value in choices.items() if value is not None}
    options = Options(
        profile=PROFILES[profile].with_choices(**given),
        method=EXACT if exact else method,
        timeout=timeout,
        total_timeout=total_timeout,
        seed=seed,
        cross_check=cross_check,
    )
    _check_paths(system, gold, per_pair, mappings)
    pairing = _read(system, gold, pair_by, on_error)
    scores, partial = _run(pairing, options, per_pair, mappings)
    result = sum_up(
        scores,
        options,
        seconds=time.monotonic() - start,
        emptied=pairing.emptied,
        partial=partial,
    )
    _print(result, output_format)
    _finish(result, require_optimal)


def _check_paths(system: str, gold: str, *outputs: Path | None) -> None:
    if system == gold == "-":
        raise UsageError("only one of the two files can be standard input")
    written = [path.resolve() for path in outputs if path is not None]
    if len(set(written)) < len(written):
        raise UsageError(f"{written[0]} is named for two outputs")
    for name in (system, gold):
        if name != "-" and Path(name).resolve() in written:
            raise UsageError(f"{name} is an input and would be overwritten")


def _read(system: str, gold: str, pair_by: Any, on_error: Any) -> "Pairing":
    from exactmatch.pairing import pair_graphs
    from exactmatch.readers.penman import read_file
    from exactmatch.readers.source import source_name

    pairing = pair_graphs(
        read_file(system),
        read_file(gold),
        test_name=source_name(system),
        gold_name=source_name(gold),
        pair_by=pair_by,
        on_error=on_error,
    )
    for note in pairing.notes:
        click.echo(f"note: {note}", err=True)
    return pairing


def _run(
    pairing: "Pairing", options: "Options", per_pair: Path | None, mappings: Path | None
) -> tuple[list["PairScore"], bool]:
    """Score all pairs and write what is asked for; return the scores and if it was cut short."""
    from exactmatch.corpus import score_pairs
    from exactmatch.pairing import GraphPair
    from exactmatch.report.json import pair_json
    from exactmatch.report.text import mapping_text

    scores: list[PairScore] = []
    with ExitStack() as stack:
        lines = stack.enter_context(_opened(per_pair))
        blocks = stack.enter_context(_opened(mappings))
        advance = stack.enter_context(_progress(len(pairing.pairs)))
        try:
            for pair, found in zip(pairing.pairs, score_pairs(pairing, options), strict=True):
                scores.append(found)
                if lines is not None:
                    lines.write(pair_json(found) + "\n")
                if blocks is not None and isinstance(pair, GraphPair):
                    blocks.write(mapping_text(pair, found) + "\n")
                advance()
        except KeyboardInterrupt:
            return scores, True
    return scores, False


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    try:
        file = path.open("w", buffering=1, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    with file:
        yield file


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("scoring"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("scoring", total=total)
        yield lambda: progress.advance(task)


def _print(result: "CorpusScore", output_format: str) -> None:
    from exactmatch.report.json import corpus_json
    from exactmatch.report.text import corpus_text

    click.echo(corpus_json(result) if output_format == "json" else corpus_text(result))


def _finish(result: "CorpusScore", require_optimal: bool) -> None:
    """End with the exit status that the result asks for."""
    from exactmatch.cli import INTERRUPTED

    if result.partial:
        raise SystemExit(INTERRUPTED)
    if require_optimal and result.optimal < result.pairs:
        raise NotProvenError(f"{result.pairs - result.optimal} of {result.pairs} pairs not proven")
    if result.confirmed is not None and result.confirmed < result.pairs:
        raise NotProvenError(
            f"{result.pairs - result.confirmed} of {result.pairs} pairs not confirmed in time"
        )
    if result.skipped or result.emptied:
        raise SystemExit(1)
