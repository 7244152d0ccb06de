"""``exactmatch iaa``: inter-annotator agreement."""

from typing import Any

import click

from exactmatch.cli.click_options import GroupedCommand, option, options
from exactmatch.cli.metric_options import METRIC_BY_MAPPING, AskedMetrics, metric_options
from exactmatch.cli.named_files import TextOrFile
from exactmatch.cli.short_help import Example
from exactmatch.cli.studies import (
    ReportOutput,
    pages_option,
    proof_study_options,
    study_command,
)
from exactmatch.scoring.declaration import COUNTING, INPUT
from exactmatch.scoring.options import (
    Chance,
    Intervals,
    ItemsForThird,
    Planning,
    StudyOptions,
    TableLength,
)


@click.command(
    cls=GroupedCommand,
    usual=(
        *("consensus", "metric", "profile", "pair-by", "missing"),
        *("certificates", "pages", "workers", "format", "output"),
    ),
    examples=(
        Example(
            "iaa a.amr b.amr c.amr d.amr",
            "measure the agreement of four annotators",
        ),
        Example(
            "iaa a.amr b.amr --consensus gold.amr --format html -o agreement.html",
            "compare with the version that all agreed upon, as a page",
        ),
        Example(
            "iaa a.amr b.amr c.amr d.amr --certificates proofs",
            "certify the agreement: write the proofs to a folder",
        ),
    ),
)
@click.argument("annotators", nargs=-1, required=True, type=click.Path())
@option(
    "--consensus",
    type=click.Path(),
    metavar="FILE",
    group=INPUT,
    help="The version that all agreed upon.",
)
@option(
    "--group-by",
    type=TextOrFile(),
    metavar="::KEY|FILE",
    group=COUNTING,
    help="Report the agreement on each group of items as well: groups that comments name (# ::KEY "
    "group), or a FILE with an identifier, a tab and a group on each line.",
)
@options(Intervals, Chance, Planning)
@study_command(
    *("agreement", "pairs", "chance", "chance_without", "groups", "group_scores"),
    *("micro_f1", "macro_f1", "annotators", "differences", "months", "layer_f1"),
    *("layers", "layer_alpha", "values", "unsaid", "kinds", "items", "confusions"),
    *("omissions", "similar", "lacking", "plan"),
)
@options(TableLength, ItemsForThird)
@proof_study_options
@pages_option
@metric_options(METRIC_BY_MAPPING)
def iaa(
    annotators: tuple[str, ...],
    consensus: str | None,
    asked: AskedMetrics,
    shared: StudyOptions,
    answer: ReportOutput,
    **given: Any,
) -> None:
    """Measure the agreement of ANNOTATORS, a file of graphs each.

    Every two files are compared, and each with the consensus. The report has F1 with a confidence
    interval over items (and with its bounds where not all is proven), micro and macro; the
    differences under the best mappings; and the items on which annotators disagree most. For UMR,
    each layer is compared by itself. Items that a file lacks are listed and counted, and lead to
    exit status 1.
    """
    from exactmatch.studies.agreement.from_files import agreement

    counted = asked.arguments(asked.one())
    result = agreement(annotators, consensus, shared=shared, **counted, **given)
    disputed = result.found.disputed
    if disputed:
        study = result.found.study
        paths = {source.name: source.path for source in study.sources}
        first, second = (paths[name] for name in disputed[0].lowest)
        words = (first, second, "--id", disputed[0].name)
        answer = answer.diff_next("shows the item of the lowest agreement", study, *words)
    answer.print(result)
