"""``exactmatch show``: write pages that show pairs of graphs side by side."""

from contextlib import nullcontext
from pathlib import Path

import click

from exactmatch.cli.answers import say_note
from exactmatch.cli.asked_pairs import AskedPairs, shown_pairs_options
from exactmatch.cli.click_options import (
    FILE,
    WRITTEN,
    GroupedCommand,
    option,
    worst_options,
)
from exactmatch.cli.named_files import RunWord
from exactmatch.cli.progress_bar import progress
from exactmatch.cli.score import finish_shown
from exactmatch.cli.short_help import Example
from exactmatch.scoring.declaration import INPUT, OUTPUT


@click.command(
    cls=GroupedCommand,
    usual=(
        *("output", "worst", "sort", "id", "where"),
        *("metric", "profile", "pair-by", "on-error", "workers"),
    ),
    examples=(
        Example(
            "show system.amr gold.amr -o pairs.html",
            "write one page with all pairs",
        ),
        Example(
            "show system.amr gold.amr -o worst.html --worst 10",
            "show the ten worst pairs",
        ),
        Example(
            "show system.amr gold.amr -o pair.html --id lpp_1943.5",
            "one pair",
        ),
    ),
)
@click.argument("system", type=RunWord(allow_dash=True))
@click.argument("gold", type=FILE)
@option(
    "--output",
    "-o",
    type=WRITTEN["path"],
    metavar="DIR|FILE.html",
    group=OUTPUT,
    help="Write one page with all pairs to FILE.html; or write index.html and the pairs beside "
    "it to DIR, for many pairs. DIR is made if it does not exist.  [default: a temporary "
    "page, which is opened in the browser]",
)
@worst_options("Show only the N worst pairs.")
@option(
    "--certificates",
    type=FILE,
    metavar="FILE",
    group=INPUT,
    help="The file that exactmatch score --certificates wrote for these files. The page contains "
    "the proofs and checks them itself, in the browser.",
)
@shown_pairs_options
def show(
    pairs: AskedPairs,
    output: Path | None,
    certificates: Path | None,
    require_optimal: bool,
    require_certified: bool,
) -> None:
    """Show the pairs of SYSTEM and GOLD side by side, in a browser.

    A table of all pairs leads to the page of each. The page has the sentence, both graphs as
    drawings and as text, the mapping and which of its pairs are certain, the differences, and what
    is proven. Variables can be mapped by hand there; the page counts the score again. The page
    needs only a browser: no network and no other program. With -o, the name of the file to open is
    printed. SYSTEM may be NAME=FILE, as for exactmatch compare, for one run of a system.
    """
    from exactmatch.api.show import run_show
    from exactmatch.runtime.browser import temporary_page

    pairs.check()
    with temporary_page() if output is None else nullcontext(output) as path:
        shown = run_show(
            pairs.request(progress),
            path,
            certificates,
            pairs.showing.view_limit,
            worst=pairs.ranking,
            identifier=pairs.identifier,
        )
    if output is None:
        _open(shown.page)
    else:
        click.echo(shown.page)
    finish_shown(shown.scored, optimal=require_optimal, certified=require_certified)


def _open(page: Path) -> None:
    """Open a temporary page, and print its address."""
    from exactmatch.runtime.browser import open_in_browser

    if open_in_browser(page):
        say_note(f"opened {page}")
    else:
        say_note(
            f"{page}: no browser was found to open it; use -o to write the page to a file, or "
            "exactmatch diff to show pairs in the terminal"
        )
