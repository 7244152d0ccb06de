"""``exactmatch choose``: of several graphs for each item, the one that is nearest to the others."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from exactmatch.cli.answers import require_proven, say_note
from exactmatch.cli.asked_metrics import AskedMetrics
from exactmatch.cli.groups import COUNTING, INPUT, OUTPUT, PROOF, GroupedCommand, adding, option
from exactmatch.cli.metric_options import metric_options
from exactmatch.cli.options import FILE, limit_options, seed_option
from exactmatch.cli.progress import progress


@click.command(cls=GroupedCommand)
@click.argument("files", nargs=-1, required=True, type=FILE)
@option(
    "--pair-by",
    type=click.Choice(["position", "id"]),
    default="position",
    show_default=True,
    group=INPUT,
    help="Which graphs belong together. By position, identifiers are checked; by id, the files are "
    "held in memory, and a graph that a file lacks is taken as one that cannot be read.",
)
@option(
    "--on-error",
    type=click.Choice(["empty", "stop"]),
    default="empty",
    show_default=True,
    group=INPUT,
    help="A graph that cannot be read: it has nothing in common with the others, and is not "
    "chosen; or stop.",
)
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
@option(
    "--require-optimal",
    is_flag=True,
    group=PROOF,
    help="Exit with 3 unless all choices are proven.",
)
@adding(seed_option, limit_options)
@option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    group=OUTPUT,
    help="Write the chosen graphs to FILE, as they stand in their files.",
)
@option(
    "--consensus",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    group=OUTPUT,
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
    require_optimal: bool,
    **others: Any,
) -> None:
    """Choose for each item the graph nearest to the others, of FILES that have one for it each.

    That is the graph of the largest mean F1 to the others (minimum Bayes risk), of equals the one
    of the first file. Every item gets a line of JSON; a summary goes to standard error. The files
    are read together, as items are done: they may be pipes, and of any length.
    """
    from exactmatch.api.choice import choose_from
    from exactmatch.report.choice import ChoiceSummary, choice_line

    names = [str(file) for file in files]
    summary = ChoiceSummary(names)
    for chosen in choose_from(
        files,
        output=output,
        weights=None if weights is None else weights.split(","),
        metric=asked.one(),
        profile=asked.profile,
        progress=progress,
        note=say_note,
        **others,
        **asked.choices,
    ):
        click.echo(choice_line(chosen, names))
        summary.add(chosen)
    click.echo(summary.text(), err=True)
    require_proven(summary.unproven, require=require_optimal)
    if summary.lost:
        raise SystemExit(1)
