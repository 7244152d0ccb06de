"""``exactmatch check``: what is wrong with graphs."""

from pathlib import Path

import click

from exactmatch.cli.answers import give
from exactmatch.cli.click_options import FILE, GroupedCommand, format_option, option, output_option
from exactmatch.cli.progress_bar import progress
from exactmatch.runtime.output import check_outputs
from exactmatch.scoring.declaration import COUNTING, OUTPUT
from exactmatch.scoring.sides import check_one_stdin
from exactmatch.scoring.validity.kinds import KINDS

_WIDTH = max(map(len, KINDS))
#: A paragraph that click leaves as it is.
_MEANINGS = "\b\nKinds:\n" + "\n".join(f"  {kind:{_WIDTH}}  {KINDS[kind]}" for kind in KINDS)


@click.command(cls=GroupedCommand, epilog=_MEANINGS)
@click.argument("files", nargs=-1, required=True, type=FILE)
@option(
    "--only",
    multiple=True,
    type=click.Choice([*KINDS]),
    metavar="KIND",
    group=COUNTING,
    help="Look for this kind of faults alone; several may be listed with commas.",
)
@option(
    "--except",
    "without",
    multiple=True,
    type=click.Choice([*KINDS]),
    metavar="KIND",
    group=COUNTING,
    help="Do not look for this kind of faults; several may be listed with commas.",
)
@option(
    "--max",
    "most",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    group=OUTPUT,
    help="List up to N faults of each file; all are counted.",
)
@format_option
@output_option
def check(
    files: tuple[Path, ...],
    only: tuple[str, ...],
    without: tuple[str, ...],
    most: int,
    output_format: str,
    output: Path | None,
) -> None:
    """Find out what is wrong with the graphs of FILES, whether or not they can be scored.

    Counted by kind, and listed with their places. - is standard input.

    Exit status: 1 if anything is wrong, or a file cannot be used; otherwise 0.
    """
    from exactmatch.api.check import check

    check_one_stdin(*files)
    check_outputs([str(path) for path in files], output)
    found = check(*files, only=only, without=without, most=most, progress=progress)
    give(found.report(output_format), output)
    if found.found:
        raise SystemExit(1)
