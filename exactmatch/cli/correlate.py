"""``exactmatch correlate``: compare metrics with each other and with human ratings."""

from typing import Any

import click

from exactmatch.cli.click_options import GroupedCommand, option, options
from exactmatch.cli.metric_options import (
    ANY_METRICS,
    AskedMetrics,
    choice_options,
    judges_option,
    listed_names,
)
from exactmatch.cli.named_files import ListedSystems
from exactmatch.cli.short_help import Example
from exactmatch.cli.studies import (
    ReportOutput,
    gold_option,
    sample_option,
    study_command,
    systems_argument,
    systems_option,
    with_systems,
)
from exactmatch.scoring.declaration import COUNTING, INPUT
from exactmatch.scoring.options import StudyOptions, TableLength


@click.command(
    cls=GroupedCommand,
    usual=(
        *("gold", "human", "metric", "sample", "profile"),
        *("missing", "table", "workers", "format", "output"),
    ),
    examples=(
        Example(
            "correlate system.amr gold.amr",
            "see how far metrics correlate",
        ),
        Example(
            "correlate one.amr two.amr gold.amr --human ratings.txt",
            "see which metric correlates with human ratings",
        ),
        Example(
            "correlate system.amr gold.amr --metric smatch,sembleu --format csv",
            "compare two metrics, as a table",
        ),
    ),
)
@systems_argument()
@gold_option
@systems_option
@option(
    "--human",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    group=INPUT,
    help="Human ratings: one number a line in the order of the gold standard, or identifier, "
    "tab, number.",
)
@option(
    "--human-range",
    type=float,
    nargs=2,
    metavar="LOW HIGH",
    group=INPUT,
    help="The least and the greatest rating that are possible.  [default: those of the file]",
)
@sample_option("items")
@judges_option(ANY_METRICS)
@option(
    "--metrics",
    "listed",
    multiple=True,
    metavar="NAME,NAME,...",
    group=COUNTING,
    split=listed_names,
    help="The same as --metric.",
)
@study_command(
    *("correlations", "human", "preferences", "rankings", "means", "structure"),
    *("metrics", "units", "scores", "signatures"),
)
@options(TableLength)
@choice_options
def correlate(
    files: tuple[str, ...],
    gold: str | None,
    list_file: ListedSystems | None,
    asked: AskedMetrics,
    shared: StudyOptions,
    answer: ReportOutput,
    **given: Any,
) -> None:
    """Compare metrics with each other, and with human ratings.

    FILES are systems and, last, the gold standard, unless --gold names it. Each pair of graphs is
    scored by every metric. The report shows how far the scores correlate, whether metrics prefer
    the same graphs, and whether they rank systems alike. After Opitz, Parcalabescu and Frank (2020,
    section 4), and Liu, Cohen and Lapata (2020).

    NAME=FILE gives a system a name, and a name given to several files, or to a pattern such as
    'base=base.*.amr', is a system with several runs. Each run is scored by itself; systems are also
    ranked by the means of their runs.
    """
    from exactmatch.studies.correlation.from_files import correlate

    systems, gold = with_systems(files, gold, list_file)
    counted = asked.arguments(asked.named())
    result = correlate(systems, gold, shared=shared, **counted, **given)
    answer.print(result)
