"""``exactmatch smatch``: the options and output of smatch 1.0.4, with exact numbers."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import click

from exactmatch.cli.answers import say_pair_note
from exactmatch.cli.click_options import GroupedCommand, option
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.readers.source import Unchanged
from exactmatch.scoring.declaration import COUNTING, INPUT, OUTPUT, PROOF

_FILE = click.File("r", encoding="utf-8")


@click.command(cls=GroupedCommand)
@option(
    "-f",
    "files",
    nargs=2,
    required=True,
    type=_FILE,
    metavar="TEST GOLD",
    group=INPUT,
    help="Two files of AMRs, separated by empty lines.",
)
@option(
    "--ms", is_flag=True, group=OUTPUT, help="Print a score for each pair instead of one for all."
)
@option("--pr", is_flag=True, group=OUTPUT, help="Print precision and recall, too.")
@option(
    "--significant",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    group=OUTPUT,
    help="Digits after the decimal point.",
)
@option("-v", is_flag=True, group=OUTPUT, help="Print the triples and the mapping of each pair.")
@option("--vv", is_flag=True, group=OUTPUT, help="Print the candidates of each node.")
@option("--justinstance", is_flag=True, group=COUNTING, help="Count only the triples of concepts.")
@option(
    "--justattribute", is_flag=True, group=COUNTING, help="Count only the triples of attributes."
)
@option("--justrelation", is_flag=True, group=COUNTING, help="Count only the triples of relations.")
@option(
    "-r",
    type=int,
    group=PROOF,
    help="Accepted, without effect: there is no search, and so there are no restarts.",
)
def smatch(
    files: tuple[TextIO, TextIO],
    ms: bool,
    pr: bool,
    significant: int,
    v: bool,
    vv: bool,
    justinstance: bool,
    justattribute: bool,
    justrelation: bool,
    r: int | None,
) -> None:
    """Score AMRs as smatch 1.0.4 does, with its options and output, but exactly.

    Files are read, and triples counted, as smatch does; -v and --vv write to standard error. For
    proofs, intervals and everything else, use exactmatch score.
    """
    from exactmatch.compat import smatch as scorer

    if files[0].name == files[1].name == "<stdin>":
        raise UsageError("only one of the files can be standard input")
    scorer.single_score, scorer.verbose, scorer.veryVerbose = not ms, v, vv
    scores = scorer.score_amr_pairs(
        _lines(files[0]),
        _lines(files[1]),
        justinstance=justinstance,
        justattribute=justattribute,
        justrelation=justrelation,
    )
    try:
        with _warnings_as_notes():
            _print(scores, pr, significant)
    except (scorer.UnreadableError, IndexError) as error:
        named = " and ".join(file.name for file in files)
        raise InputError(f"{named}: {error}") from error


def _lines(file: TextIO) -> Iterator[str]:
    """Yield the lines of a file. Raises `InputError` if it is not UTF-8, or changes meanwhile."""
    unchanged = Unchanged(file, file.name)
    try:
        for line in file:
            unchanged.check()
            yield line
        unchanged.check()  # what is missing now would have been a line
    except UnicodeDecodeError as error:
        raise InputError(f"{file.name}: not UTF-8") from error


def _print(scores: Iterable[tuple[float, float, float]], pr: bool, significant: int) -> None:
    for precision, recall, f_score in scores:
        if pr:
            click.echo(f"Precision: {precision:.{significant}f}")
            click.echo(f"Recall: {recall:.{significant}f}")
        click.echo(f"F-score: {f_score:.{significant}f}")


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """Print Python warnings as notes."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        say_pair_note(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
