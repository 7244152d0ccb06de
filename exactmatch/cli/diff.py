"""``exactmatch diff``: show the differences between graphs in the terminal."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

import click

from exactmatch.cli.answers import echo_bare
from exactmatch.cli.asked_pairs import AskedPairs, shown_pairs_options
from exactmatch.cli.click_options import (
    FILE,
    GroupedCommand,
    option,
    output_option,
    worst_options,
)
from exactmatch.cli.progress_bar import progress
from exactmatch.cli.score import finish_shown
from exactmatch.cli.short_help import Example
from exactmatch.runtime.output import writing
from exactmatch.runtime.progress import unwatched
from exactmatch.runtime.standard_streams import is_terminal
from exactmatch.scoring.declaration import OUTPUT
from exactmatch.scoring.options import (
    View,
)

#: When to print colours.
_Color = Literal["auto", "always", "never"]


@click.command(
    cls=GroupedCommand,
    usual=(
        *("id", "where", "metric", "profile", "pair-by"),
        *("on-error", "color", "width", "workers", "output"),
    ),
    examples=(
        Example(
            "diff system.amr gold.amr",
            "show the differences, pair by pair",
        ),
        Example(
            "diff system.amr gold.amr --id lpp_1943.5",
            "one pair",
        ),
        Example(
            "diff system.amr gold.amr --where 'gold_variables<=10' --color always",
            "show small pairs, in colours for a pager",
        ),
    ),
)
@click.argument("system", type=FILE)
@click.argument("gold", type=FILE)
@option(
    "--color",
    type=click.Choice(get_args(_Color)),
    default="auto",
    show_default=True,
    group=OUTPUT,
    help="Mark differences by colours or by brackets; auto: colours in a terminal, unless "
    "NO_COLOR is set.",
)
@option(
    "--width",
    type=click.IntRange(min=20),
    metavar="N",
    group=OUTPUT,
    help="The width in columns; from 100 on, the graphs stand side by side.  [default: the "
    "terminal's width; elsewhere lines are not folded, and one graph stands below the other]",
)
@output_option
@worst_options("Show the N worst pairs, the worst first.")
@shown_pairs_options
def diff(
    pairs: AskedPairs,
    color: _Color,
    width: int | None,
    output: Path | None,
    require_optimal: bool,
    require_certified: bool,
) -> None:
    """Show the differences between the graphs of SYSTEM and of GOLD in the terminal.

    Both graphs of a pair are printed as they were counted: AMRs and MRP in PENMAN notation, DRSs as
    clauses. Nodes that are mapped to each other stand on the same line where the order allows it.
    Pairs without differences are left out, unless --id selects one. Pairs come in the order of the
    files, or the worst first (--worst).

    \b
    + [only system]        - [only gold]
    ! {other label}        % {similar label, which counts in part}
    = matched on another line
    a=b  a is mapped to b  a~b  likewise, but not in all best mappings
    """
    from exactmatch.api.diff import run_diff
    from exactmatch.report.side_by_side import DiffLayout

    pairs.check()
    is_seen = output is None and is_terminal(sys.stdout)
    if width is None and is_seen:
        width = max(20, shutil.get_terminal_size().columns)
    is_coloured = color == "always" or (color == "auto" and is_seen and _takes_colours())
    with _writer(output) as write:
        scored = run_diff(
            # A progress bar would move between the lines.
            pairs.request(unwatched if is_seen else progress),
            write,
            look=DiffLayout(width, is_coloured),
            view=pairs.showing.only(View),
            worst=pairs.ranking,
            identifier=pairs.identifier,
        )
    finish_shown(scored, optimal=require_optimal, certified=require_certified)


@contextmanager
def _writer(output: Path | None) -> Iterator[Callable[[str], object]]:
    """Yield a function that prints the text piece by piece, or writes it to *output*."""
    if output is None:
        # The colours of the text are the only control characters in it.
        yield echo_bare
        return
    with writing(output) as file:
        yield file.write


def _takes_colours() -> bool:
    """Tell whether the terminal has colours and its user wants them."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
