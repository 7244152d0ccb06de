"""``exactmatch compare``: systems ranked against one gold standard."""

import click

from exactmatch.cli.click_options import GroupedCommand, option, options
from exactmatch.cli.metric_options import AskedMetrics, choice_options
from exactmatch.cli.studies import (
    ReportOutput,
    named_metrics_option,
    pages_option,
    proof_study_options,
    study_command,
)
from exactmatch.scoring.declaration import COUNTING, INPUT
from exactmatch.scoring.options import Intervals, StudyFiles, StudyOptions


@click.command(cls=GroupedCommand)
@click.argument("systems", nargs=-1, required=True, type=click.Path())
@option(
    "--gold",
    required=True,
    type=click.Path(),
    metavar="FILE",
    group=INPUT,
    help="Gold standard.",
)
@named_metrics_option(
    "A metric, perhaps with a profile or choices (dscorer:order=2); may be repeated.  "
    "[default: by the format of the files]",
)
@option(
    "--breakdown",
    is_flag=True,
    group=COUNTING,
    help="Count the matched triples of each kind, over all best mappings.",
)
@option(
    "--check",
    "check",
    is_flag=True,
    group=COUNTING,
    help="Count what is wrong with the graphs of each file as well, as exactmatch check does.",
)
@options(Intervals)
@study_command
@proof_study_options
@pages_option
@choice_options
def compare(
    systems: tuple[str, ...],
    gold: str,
    asked: AskedMetrics,
    breakdown: bool,
    check: bool,
    intervals: Intervals,
    files: StudyFiles,
    shared: StudyOptions,
    answer: ReportOutput,
    **required: bool,
) -> None:
    """Rank SYSTEMS, a file of graphs each, by their score against the gold standard.

    With confidence intervals over items, and with the significance of every difference by paired
    approximate randomisation; nothing is solved twice for it. By several metrics (--metric again),
    systems are ranked side by side.
    """
    from exactmatch.studies.ranking import compare

    result = compare(
        systems,
        gold,
        metric=asked.one_or_several(),
        profile=asked.profile,
        breakdown=breakdown,
        check=check,
        intervals=intervals,
        files=files,
        shared=shared,
        **asked.choices,
    )
    answer.give(result, **required)
