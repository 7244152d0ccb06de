"""``exactmatch adjudicate``: decide the differences of annotators on a page."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from exactmatch.cli.answers import print_answer, say_note
from exactmatch.cli.click_options import WRITTEN, GroupedCommand, format_option, option, options
from exactmatch.cli.named_files import ReadInPart, TextOrFile
from exactmatch.cli.progress_bar import watched
from exactmatch.cli.short_help import Example
from exactmatch.errors import UsageError
from exactmatch.runtime.output import check_folder_place
from exactmatch.scoring.declaration import INPUT, OUTPUT
from exactmatch.scoring.options import PairProving, Telling, Work

#: What also goes with --merge and --collect.
_OF_WORK_FILES = ("files", "--merge", "--collect", "--format", "--output")


@click.command(
    cls=GroupedCommand,
    examples=(
        Example(
            "adjudicate ann.amr bob.amr -o page",
            "make a page of the differences of two annotators",
        ),
        Example(
            "adjudicate --merge one.json two.json -o both.json",
            "join the work of two people, as the page saved it",
        ),
        Example(
            "adjudicate --collect page both.json -o gold.amr",
            "write the graphs of finished items",
        ),
    ),
)
@click.argument("files", nargs=-1, required=True, type=click.Path())
@option(
    "--merge",
    is_flag=True,
    group=INPUT,
    help="FILES are work files of one batch: write all their entries to one, and list conflicts.",
)
@option(
    "--collect",
    "folder",
    type=ReadInPart(),
    metavar="FOLDER",
    group=INPUT,
    help="FILES are work files of the batch in FOLDER: write the items that are finished, and say "
    "which differences went which way.",
)
@option(
    "--consensus",
    type=click.Path(),
    metavar="FILE",
    group=INPUT,
    help="A version to whose graphs the others are mapped, and one more to choose from.  [default: "
    "of each item, they are mapped to the graph that agrees most with the others]",
)
@option(
    "--guidelines",
    type=TextOrFile(),
    default="",
    metavar="TEXT|URL|FILE",
    group=OUTPUT,
    help="Guidelines that the page shows: a text, an address, or a file of text.",
)
@options(PairProving, Work)
@format_option
@option(
    "--output",
    "-o",
    type=WRITTEN["path"],
    required=True,
    metavar="FOLDER|FILE",
    group=OUTPUT,
    help="The folder that gets the page; with --merge, the work file; with --collect, the graphs.",
)
def adjudicate(
    files: tuple[str, ...],
    merge: bool,
    folder: str | None,
    output_format: str,
    output: Path,
    **given: Any,
) -> None:
    """Decide the differences of annotators, on a page.

    Each of FILES is by one annotator. It has AMRs in PENMAN notation, or is a file of UMR, of which
    sentence graphs alone are adjudicated.

    The command writes a page for the browser and prints its name. Triples that all annotators have
    are settled. The page asks every difference, by mouse or keyboard, keeps the work, and saves it
    to work files. --merge joins work files. --collect writes the graphs of finished items, for
    iaa --consensus.

    Exit status: 1 if people decided differently (--merge, --collect), if a finished item is
    refused (--collect), or if an input cannot be used; otherwise 0.
    """
    if merge and folder is not None:
        raise UsageError("--merge goes without --collect")
    if (merge or folder is not None) and (for_pages := _given_for_pages()):
        raise UsageError(f"for pages, not for work files: {', '.join(for_pages)}")
    if merge:
        from exactmatch.many.adjudication.merging import merge_work

        merged = merge_work(files, output)
        for note in merged.notes:
            say_note(note)
        print_answer(merged.layout() if output_format == "text" else merged.report("json"), None)
        if merged.conflicts:
            raise SystemExit(1)
    elif folder is not None:
        from exactmatch.many.adjudication.collecting import collect_work

        found = collect_work(folder, files, output)
        for note in found.notes:
            say_note(note)
        print_answer(found.layout() if output_format == "text" else found.report("json"), None)
        if found.refused:
            raise SystemExit(1)
    else:
        from exactmatch.many.adjudication.batch import adjudicate

        check_folder_place(output)
        done = adjudicate(files, output, telling=watched(Telling()), **given)
        print_answer(done.report(output_format), None)


def _given_for_pages() -> list[str]:
    """Return the options of the command line that have no effect on work files."""
    context = click.get_current_context()
    given = [
        max(one.opts, key=len)
        for one in context.command.params
        if context.get_parameter_source(one.name or "") == ParameterSource.COMMANDLINE
    ]
    return [one for one in given if one not in _OF_WORK_FILES]
