"""``exactmatch explain``: why two scores of the same graphs differ."""

from typing import Any

import click

from exactmatch.cli.click_options import GroupedCommand, option, options, proof_options
from exactmatch.cli.metric_options import AskedMetrics, metric_options
from exactmatch.cli.short_help import Example
from exactmatch.cli.studies import ReportOutput, study_command, tool_options
from exactmatch.scoring.declaration import COUNTING
from exactmatch.scoring.options import StudyOptions, TableLength


@click.command(
    cls=GroupedCommand,
    usual=(
        *("between", "scores", "from", "metric", "profile"),
        *("pair-by", "rows", "workers", "format", "output"),
    ),
    examples=(
        Example(
            "explain system.amr gold.amr --between smatch-1.0.4 default",
            "what each choice between two profiles changes",
        ),
        Example(
            "explain system.amr gold.amr --scores smatch.txt --from smatch --profile smatch-1.0.4",
            "why the scores that smatch.py --ms has printed are others",
        ),
        Example(
            "explain system.amr gold.amr --between default smatch-1.0.4 --format html -o why.html",
            "as a page",
        ),
    ),
)
@click.argument("system", type=click.Path())
@click.argument("gold", type=click.Path())
@option(
    "--between",
    nargs=2,
    metavar="PROFILE PROFILE",
    group=COUNTING,
    help="Go from the first profile to the second, one choice at a time; either may have choices "
    "of its own (default:top=none). Of UMR, from umatch:default to smatch, too.",
)
@tool_options("Say what is left between the exact score and what another tool has written to FILE.")
@study_command
@options(TableLength)
@proof_options
@metric_options
def explain(
    system: str,
    gold: str,
    between: tuple[str, str] | None,
    scores: Any,
    tool: Any,
    asked: AskedMetrics,
    tables: TableLength,
    shared: StudyOptions,
    answer: ReportOutput,
    **required: bool,
) -> None:
    """Say why two scores of SYSTEM against GOLD differ, to the last triple.

    With --between, one choice is changed at a time, from the first profile to the second, in the
    order of the signature: what each changes adds up to the whole difference. With --scores, what
    is left between the exact score (by the second profile, or by --profile) and that of a tool is
    search error, below the optimum, or reading error: other triples, or more than any mapping
    can match. For the formats of FILE, see exactmatch search-error --help.
    """
    from exactmatch.studies.explanation import explain

    result = explain(
        system,
        gold,
        between=between,
        scores=scores,
        tool=tool,
        metric=asked.one(),
        profile=asked.profile,
        tables=tables,
        shared=shared,
        **asked.choices,
    )
    answer.give(result, **required)
