"""``exactmatch check``: the faults of graphs."""

from pathlib import Path
from typing import Any

import click

from exactmatch.cli.answers import print_answer, say_note
from exactmatch.cli.click_options import FILE, GroupedCommand, option, output_option
from exactmatch.cli.progress_bar import progress
from exactmatch.report.wording import counted
from exactmatch.scoring.declaration import COUNTING, OUTPUT
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
    help="Look for faults of this kind only; list several with commas.",
)
@option(
    "--except",
    "without",
    multiple=True,
    type=click.Choice([*KINDS]),
    metavar="KIND",
    group=COUNTING,
    help="Do not look for faults of this kind; list several with commas.",
)
@option(
    "--max",
    "most",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    group=OUTPUT,
    help="List at most N faults of each file; all faults are counted.",
)
@option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    group=OUTPUT,
    help="The format of the result: github has a workflow command for each fault, which becomes "
    "an annotation of its line; sarif is SARIF 2.1.0.",
)
@output_option
def check(
    files: tuple[Path, ...],
    output_format: str,
    output: Path | None,
    **given: Any,
) -> None:
    """List the faults of the graphs of FILES, whether or not the graphs can be scored.

    Faults are counted by kind and listed with file, line and graph. - is standard input.

    Exit status: 1 if there is any fault or a file cannot be used; otherwise 0.
    """
    from exactmatch.api.check import check

    found = check(*files, progress=progress, **given)
    print_answer(found.layout() if output_format == "text" else found.report(output_format), output)
    if output_format == "github":  # without faults, nothing else tells that anything was read
        say_note(f"checked {counted(found.graphs, 'graph')}: {counted(found.found, 'fault')}")
    if found.found:
        raise SystemExit(1)
