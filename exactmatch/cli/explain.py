"""``exactmatch explain``: explain why two scores of the same graphs differ."""

from typing import Any

import click

from exactmatch.cli.click_options import GroupedCommand, option, options, proof_options
from exactmatch.cli.metric_options import METRIC_BY_MAPPING, AskedMetrics, metric_options
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
            "see what each choice between two profiles changes",
        ),
        Example(
            "explain system.amr gold.amr --scores smatch.txt --from smatch --profile smatch-1.0.4",
            "explain why the scores that smatch.py --ms printed differ",
        ),
        Example(
            "explain system.amr gold.amr --between default smatch-1.0.4 --format html -o why.html",
            "write the result as a page",
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
    help="Go from the first profile to the second, one choice at a time. Either may have choices "
    "of its own (default:top=none). For UMR, also from umatch:default to smatch.",
)
@tool_options(
    "Explain the difference between the exact score and the scores that another tool "
    "has written to FILE."
)
@study_command(
    *("scores", "steps", "labels", "matched", "pairs", "gains", "triples", "runs"),
    *("causes", "claims", "number", "seeds", "profiles", "signatures"),
)
@options(TableLength)
@proof_options
@metric_options(METRIC_BY_MAPPING)
def explain(
    system: str,
    gold: str,
    asked: AskedMetrics,
    shared: StudyOptions,
    answer: ReportOutput,
    **given: Any,
) -> None:
    """Explain why two scores of SYSTEM against GOLD differ, to the last triple.

    With --between, one choice changes at a time, from the first profile to the second, in the order
    of the signature; the changes add up to the whole difference. With --scores, the exact score (by
    the second profile, or by --profile) is compared with that of a tool. What remains is search
    error (the tool is below the optimum) or reading error (the tool counted other triples, or more
    than any mapping can match). For the formats of FILE, see exactmatch search-error --help. A
    published number is a FILE with one line, such as F-score: 0.80.
    """
    from exactmatch.studies.explanation.from_files import explain

    result = explain(system, gold, shared=shared, **asked.arguments(asked.one()), **given)
    answer = answer.diff_next("shows what differs", result.found.study, system, gold)
    answer.print(result)
