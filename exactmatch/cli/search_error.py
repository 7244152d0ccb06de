"""``exactmatch search-error``: measure how far heuristics or other tools miss the optimum."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from exactmatch.cli.click_options import GroupedCommand, option, options, part
from exactmatch.cli.metric_options import METRIC_BY_MAPPING, AskedMetrics, metric_options
from exactmatch.cli.named_files import ListedSystems, TextOrFile
from exactmatch.cli.short_help import Example
from exactmatch.cli.studies import (
    ReportOutput,
    gold_option,
    pages_option,
    proof_study_options,
    study_command,
    systems_argument,
    systems_option,
    tool_options,
    with_runs,
    with_systems,
)
from exactmatch.errors import UsageError
from exactmatch.scoring.declaration import INPUT, PROOF
from exactmatch.scoring.options import Search, StudyOptions, TableLength
from exactmatch.solving.search.methods import METHODS, Starts


@click.command(
    "search-error",
    cls=GroupedCommand,
    usual=(
        *("gold", "scores", "from", "method", "seeds"),
        *("metric", "profile", "workers", "format", "output"),
    ),
    examples=(
        Example(
            "search-error system.amr gold.amr",
            "measure how far hill climbing stays below the optimum",
        ),
        Example(
            "search-error system.amr gold.amr --scores smatch.txt --from smatch",
            "check the scores that smatch.py --ms printed",
        ),
        Example(
            "search-error one.amr two.amr gold.amr --method s+4r --format html -o errors.html",
            "measure one method on two systems, as a page",
        ),
    ),
)
@systems_argument()
@gold_option
@systems_option
@option(
    "--every-two",
    is_flag=True,
    group=INPUT,
    help="Compare every two FILES, as in an agreement study, instead of each with the last.",
)
@tool_options("Check the scores that another tool has written to FILE, instead of our heuristics.")
@option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice([*METHODS, "ilp-paper"]),
    group=PROOF,
    help="A heuristic of Cai and Knight (2013), or their integer linear program; list several "
    "with commas.  [default: all heuristics; with --group-by, the program as well]",
)
@option(
    "--restarts",
    multiple=True,
    type=click.IntRange(min=0),
    metavar="N",
    group=PROOF,
    help="Add a method with one smart start and N random ones; list several with commas.",
)
@option(
    "--seeds",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    group=PROOF,
    help="How often to run each heuristic, with seeds from --seed on.",
)
@option(
    "--document",
    type=click.IntRange(min=1),
    metavar="K",
    group=PROOF,
    help="Score K consecutive pairs together, instead of the whole file.",
)
@option(
    "--group-by",
    type=TextOrFile(),
    metavar="::KEY|FILE",
    group=PROOF,
    help="Score the items of a group together, as the paper does: groups that comments name (# "
    "::KEY group), or a FILE with an identifier, a tab and a group on each line.",
)
@part(Search, "starts")
@study_command(
    *("methods", "scores", "groups", "sizes", "orders", "rankings", "worst", "runs"),
    *("too_low", "impossible", "other_totals"),
)
@options(TableLength)
@proof_study_options
@pages_option
@metric_options(METRIC_BY_MAPPING)
def search_error(
    files: tuple[str, ...],
    gold: str | None,
    list_file: ListedSystems | None,
    every_two: bool,
    starts: Starts | None,
    asked: AskedMetrics,
    shared: StudyOptions,
    answer: ReportOutput,
    **given: Any,
) -> None:
    """Measure how far hill climbing stays below the optimum.

    FILES are systems and, last, the gold standard, unless --gold names it. Every pair is solved,
    and searched by each heuristic from --seeds seeds. With --scores, the study checks instead what
    another tool claims for these pairs. A claim is too low, equal, or impossible, that is, above
    what any mapping can score. NAME=FILE gives a file a name; a name given to several files is a
    system with several runs, each of which is measured by itself.

    \b
    Understood are, for --scores,
      smatch      what smatch.py --ms prints
      mtool       what mtool --trace prints
      any tool    JSON: {"pairs": [{"id": ..., "matched": ...,
                  "system_triples": ..., "gold_triples": ...}, ...]},
                  or such objects one a line
    """
    from exactmatch.studies.search_error.from_files import search_error

    if every_two and gold is not None:
        raise UsageError(
            "--every-two and --gold cannot be combined: it compares FILES with each other"
        )
    systems: Sequence[str] | Mapping[str, Sequence[str]]
    if every_two:
        systems = with_runs(files, list_file)
    else:
        systems, gold = with_systems(files, gold, list_file)
    counted = asked.arguments(asked.one())
    result = search_error(systems, gold, starts=starts or "all", shared=shared, **counted, **given)
    answer.print(result)
