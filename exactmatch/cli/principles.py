"""``exactmatch principles``: test metrics against the seven principles of Opitz et al. (2020)."""

from typing import Any

import click

from exactmatch.cli.click_options import GroupedCommand, option
from exactmatch.cli.metric_options import (
    ANY_ON_SENTENCES,
    AskedMetrics,
    choice_options,
    judges_option,
)
from exactmatch.cli.short_help import Example
from exactmatch.cli.studies import ReportOutput, sample_option, study_command
from exactmatch.scoring.declaration import PROOF
from exactmatch.scoring.options import StudyOptions


@click.command(
    cls=GroupedCommand,
    usual=(
        *("metric", "seeds", "sample", "profile", "pair-by"),
        *("on-error", "table", "workers", "format", "output"),
    ),
    examples=(
        Example(
            "principles one.amr two.amr",
            "test all metrics against seven principles",
        ),
        Example(
            "principles one.amr two.amr --metric smatch,sembleu --sample 200",
            "test two metrics on 200 pairs drawn at random",
        ),
        Example(
            "principles one.amr two.amr --format html -o principles.html",
            "write the report as a page",
        ),
    ),
)
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@judges_option(ANY_ON_SENTENCES)
@option(
    "--seeds",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    group=PROOF,
    help="How often to score each pair, with seeds from --seed on.",
)
@sample_option("pairs")
@study_command(
    *("principles", "determinacy", "bias", "trees", "overlap", "disputed"),
    *("gradedness", "rewiring", "examples", "signatures"),
)
@choice_options
def principles(
    first: str,
    second: str,
    asked: AskedMetrics,
    shared: StudyOptions,
    answer: ReportOutput,
    **given: Any,
) -> None:
    """Test metrics against seven principles, on the pairs of graphs of FIRST and SECOND.

    The principles are range, identity of indiscernibles, symmetry, determinacy, bias, overlap and
    gradedness, after Opitz, Parcalabescu and Frank (2020). The report has the worst
    counter-examples found.
    """
    from exactmatch.studies.principles.from_files import principles

    result = principles(first, second, shared=shared, **asked.arguments(asked.named()), **given)
    answer.print(result)
