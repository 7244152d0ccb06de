"""``exactmatch choose``: of several graphs for each item, the one that is nearest to the others."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from exactmatch.cli.answers import require_proven, say_pair_note
from exactmatch.cli.click_options import (
    FILE,
    GroupedCommand,
    file_option,
    format_option,
    option,
    options,
    require_option,
)
from exactmatch.cli.metric_options import AskedMetrics, metric_options
from exactmatch.cli.progress_bar import progress
from exactmatch.cli.short_help import Example
from exactmatch.runtime.output import check_outputs, writing
from exactmatch.scoring.declaration import COUNTING, OUTPUT, PROOF
from exactmatch.scoring.options import CandidatePairing, CandidateReading, PairLimits, Work


@click.command(
    cls=GroupedCommand,
    usual=(
        *("metric", "profile", "pair-by", "on-error", "weights"),
        *("consensus", "per-item", "workers", "format", "output"),
    ),
    examples=(
        Example(
            "choose a.amr b.amr c.amr -o best.amr",
            "for each item, the graph nearest to the others",
        ),
        Example(
            "choose a.amr b.amr c.amr --consensus consensus.amr --threshold 0.6",
            "what at least 60 % of the votes agree on",
        ),
        Example(
            "choose a.amr b.amr c.amr --weights 0.5,0.3,0.2 --per-item chosen.jsonl",
            "votes that count differently, and why each was chosen",
        ),
    ),
)
@click.argument("files", nargs=-1, required=True, type=FILE)
@options(CandidatePairing, CandidateReading)
@option(
    "--weights",
    metavar="W,W,...",
    group=COUNTING,
    help="How much the graphs of each file count in the means of the others.  [default: the same]",
)
@partial(metric_options, without={"threshold", "weights"})
@option(
    "--all",
    "solve_all",
    is_flag=True,
    group=PROOF,
    help="Solve all pairs, so that all means are exact. Without it, pairs that cannot change the "
    "choice are left with their bounds.",
)
@require_option("all choices are proven")
@options(PairLimits, Work)
@format_option
@file_option(
    "--output", "-o", help="Write the chosen graphs to FILE, as they stand in their files."
)
@file_option(
    "--per-item",
    help="Write a line of JSON for each item to FILE: what was chosen, and by which means.",
)
@file_option(
    "--consensus",
    help="Write to FILE what the graphs of each item agree on, by their mappings to the chosen "
    "one; the chosen one where that is no AMR.",
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
    output: Path | None,
    output_format: str,
    consensus: Path | None,
    per_item: Path | None,
    require_optimal: bool,
    pairing: CandidatePairing,
    unreadable: CandidateReading,
    limits: PairLimits,
    work: Work,
    **others: Any,
) -> None:
    """Choose for each item the graph nearest to the others, of FILES that have one for it each.

    That is the graph of the largest mean F1 to the others (minimum Bayes risk), of equals the one
    of the first file. The files are read together, as items are done: they may be pipes, and of
    any length.

    A summary is printed, as --format says. Where no file is asked for, by --output, --consensus or
    --per-item, the lines of JSON that --per-item writes are printed, and the summary goes to
    standard error.
    """
    from exactmatch.many.choose import ChoiceSummary, choice_line, choose_from
    from exactmatch.scoring.sides import resolve_workers

    names = [str(file) for file in files]
    summary = ChoiceSummary(names)
    check_outputs(names, output, consensus, per_item)
    prints_lines = output is consensus is per_item is None
    with _lines(per_item, prints_lines=prints_lines) as give:
        for chosen in choose_from(
            files,
            output=output,
            consensus=consensus,
            weights=None if weights is None else weights.split(","),
            metric=asked.one(),
            profile=asked.profile,
            progress=progress,
            note=say_pair_note,
            pairing=pairing,
            unreadable=unreadable,
            limits=limits,
            workers=resolve_workers(work),
            **others,
            **asked.choices,
        ):
            give(choice_line(chosen, names))
            summary.add(chosen)
    text = summary.json() if output_format == "json" else summary.text()
    click.echo(text, err=prints_lines)
    require_proven(summary.unproven, require=require_optimal)
    if summary.lost:
        raise SystemExit(1)


@contextmanager
def _lines(path: Path | None, *, prints_lines: bool) -> Iterator[Callable[[str], object]]:
    """Yield what takes the line of an item: prints it, writes it to *path*, or does nothing."""
    if path is None:
        yield click.echo if prints_lines else lambda _: None
        return
    with writing(path) as file:
        yield lambda line: file.write(f"{line}\n")
