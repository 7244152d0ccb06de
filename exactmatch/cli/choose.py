"""``exactmatch choose``: for each item, the graph that is nearest to the others."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactmatch.cli.answers import require_proven
from exactmatch.cli.click_options import (
    FILE,
    GroupedCommand,
    adding,
    exact_option,
    file_option,
    format_option,
    option,
    options,
    require_option,
)
from exactmatch.cli.metric_options import SENTENCE_METRIC, AskedMetrics, metric_options
from exactmatch.cli.progress_bar import watched
from exactmatch.cli.screen import show
from exactmatch.cli.short_help import Example
from exactmatch.runtime.output import writing
from exactmatch.runtime.standard_streams import is_terminal
from exactmatch.scoring.declaration import COUNTING, OUTPUT, PROOF
from exactmatch.scoring.joint_options import CandidateFiles, ChosenFiles
from exactmatch.scoring.options import CandidatePairing, CandidateReading, PairProving, Work

if TYPE_CHECKING:
    from exactmatch.many.choice import Chosen


@click.command(
    cls=GroupedCommand,
    usual=(
        *("metric", "profile", "pair-by", "on-error", "weights"),
        *("consensus", "per-item", "workers", "format", "output"),
    ),
    examples=(
        Example(
            "choose a.amr b.amr c.amr -o best.amr",
            "choose, for each item, the graph nearest to the others",
        ),
        Example(
            "choose a.amr b.amr c.amr --consensus consensus.amr --threshold 0.6",
            "keep what at least 60 % of the votes agree on",
        ),
        Example(
            "choose a.amr b.amr c.amr --weights 0.5,0.3,0.2 --per-item chosen.jsonl",
            "weight the votes, and write down why each graph was chosen",
        ),
    ),
)
@click.argument("files", nargs=-1, required=True, type=FILE)
@options(CandidatePairing, CandidateReading)
@option(
    "--weights",
    metavar="W,W,...",
    group=COUNTING,
    help="The weight of each file's graphs in the means of the others.  [default: equal weights]",
)
@metric_options(SENTENCE_METRIC, without={"threshold", "weights"})
@option(
    "--all",
    "solve_all",
    is_flag=True,
    group=PROOF,
    help="Solve all pairs, so that all means are exact. By default, pairs that cannot change the "
    "choice keep their bounds.",
)
@require_option("all choices are proven")
@adding(exact_option, options(PairProving, Work))
@format_option
@file_option(
    "--output",
    "-o",
    help="Write the chosen graphs to FILE, with the text of their own files. Graphs that --repair "
    "has repaired are written anew, so that they need no repair.",
)
@file_option(
    "--per-item",
    help="Write a JSON line for each item to FILE: the chosen graph, and the means that decided.",
)
@file_option(
    "--consensus",
    help="Write the consensus of each item to FILE: the triples that its graphs share, by their "
    "mappings to the chosen graph. Where that is no AMR, write the chosen graph.",
)
@option(
    "--threshold",
    metavar="SHARE",
    default="0.5",
    show_default=True,
    group=OUTPUT,
    help="The share of votes that a triple of a consensus needs.",
)
def choose(
    files: tuple[Path, ...],
    weights: str | None,
    asked: AskedMetrics,
    chosen_files: ChosenFiles,
    output_format: str,
    per_item: Path | None,
    require_optimal: bool,
    choosing: CandidateFiles,
    work: Work,
    **others: Any,
) -> None:
    """Choose for each item the graph nearest to the others; each of FILES has one for each item.

    The nearest graph has the largest mean F1 with the others (minimum Bayes risk); of equals, the
    one of the first file wins. The files are read together, item by item: they may be pipes, and of
    any length.

    A summary is printed in the format of --format. Without --output, --consensus and --per-item,
    the JSON lines of --per-item are printed, and the summary goes to standard error.
    """
    from exactmatch.many.choose import ChoiceSummary, choose_from
    from exactmatch.scoring.asked_workers import resolve_workers
    from exactmatch.scoring.joint_options import ChoosingOptions

    names = [str(file) for file in files]
    summary = ChoiceSummary(names)
    prints_lines = chosen_files.output is chosen_files.consensus is per_item is None
    watching = watched(ChoosingOptions(**vars(choosing), workers=resolve_workers(work)))
    with _lines(per_item, names, prints_lines) as print_chosen:
        for chosen in choose_from(
            files,
            chosen_files=chosen_files,
            weights=None if weights is None else weights.split(","),
            named=asked.one_with_profile(),
            choosing=watching,
            **others,
            **asked.choices,
        ):
            print_chosen(chosen)
            summary.add(chosen)
    text = summary.json() if output_format == "json" else summary.layout()
    show(text, err=prints_lines)
    require_proven(summary.unproven, require=require_optimal)
    if summary.lost:
        raise SystemExit(1)


@contextmanager
def _lines(
    path: Path | None, names: Sequence[str], prints_lines: bool
) -> "Iterator[Callable[[Chosen], object]]":
    """Yield a function that prints the choice for an item, writes it to *path*, or does nothing.

    A terminal gets a line of text instead of JSON.
    """
    from exactmatch.many.choose import choice_line, choice_text

    if path is not None:
        with writing(path) as file:
            yield lambda chosen: file.write(f"{choice_line(chosen, names)}\n")
    elif not prints_lines:
        yield lambda _: None
    elif is_terminal(sys.stdout):
        yield lambda chosen: show(choice_text(chosen, names))
    else:
        yield lambda chosen: click.echo(choice_line(chosen, names))
