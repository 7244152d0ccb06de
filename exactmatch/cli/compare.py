"""``exactmatch compare``: rank systems against one gold standard."""

from collections.abc import Mapping
from typing import Any

import click

from exactmatch.cli.click_options import GroupedCommand, option, options
from exactmatch.cli.metric_options import (
    ANY_METRICS,
    AskedMetrics,
    choice_options,
    named_metrics_option,
)
from exactmatch.cli.named_files import ListedSystems
from exactmatch.cli.short_help import Example
from exactmatch.cli.studies import (
    ReportOutput,
    gold_option,
    pages_option,
    proof_study_options,
    study_command,
    systems_argument,
    systems_option,
    with_systems,
)
from exactmatch.scoring.declaration import COUNTING
from exactmatch.scoring.options import Intervals, Planning, StudyOptions


@click.command(
    cls=GroupedCommand,
    usual=(
        *("gold", "metric", "profile", "pair-by", "missing"),
        *("breakdown", "certificates", "workers", "format", "output"),
    ),
    examples=(
        Example(
            "compare one.amr two.amr gold.amr",
            "find the better of two parsers, and whether the difference is significant",
        ),
        Example(
            "compare one.amr two.amr gold.amr --profile smatch-1.0.4 --format latex",
            "print the table for a paper, with scores comparable to published Smatch",
        ),
        Example(
            "compare base=base.*.amr ours=ours.*.amr gold.amr",
            "compare two systems with several runs each",
        ),
    ),
)
@systems_argument("SYSTEMS... GOLD")
@gold_option
@systems_option
@named_metrics_option(
    ANY_METRICS,
    ", each optionally with a profile or choices (dscorer:order=2)",
    "by the format of the files",
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
    help="Count the faults of each file's graphs as well, as exactmatch check does.",
)
@options(Intervals, Planning)
@study_command(
    *("ranking", "runs", "metrics", "differences", "new-runs", "parts"),
    *("validity", "plan"),
)
@proof_study_options
@pages_option
@choice_options
def compare(
    files: tuple[str, ...],
    gold: str | None,
    list_file: ListedSystems | None,
    asked: AskedMetrics,
    shared: StudyOptions,
    answer: ReportOutput,
    **given: Any,
) -> None:
    """Rank SYSTEMS, a file of graphs each, by their score against the gold standard.

    The gold standard is the last file, unless --gold names it. The report has confidence intervals
    over items, and the significance of every difference by paired approximate randomisation. They
    solve no pair again. With several metrics, the systems are ranked side by side.

    NAME=FILE gives a system a name. A name given to several files, or to a pattern such as
    'base=base.*.amr', is a system with several runs: systems are ranked by the mean of their runs,
    and differences are tested for these runs and for new runs.
    """
    from exactmatch.studies.ranking.from_files import compare

    systems, gold = with_systems(files, gold, list_file)
    counted = asked.arguments(asked.one_or_several())
    result = compare(systems, gold, shared=shared, **counted, **given)
    if not isinstance(systems, Mapping):
        words = (systems[0], gold, "--worst", "5")
        answer = answer.diff_next("shows what differs most", result.found.study, *words)
    answer.print(result)
