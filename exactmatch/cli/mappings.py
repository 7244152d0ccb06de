"""``exactmatch mappings``: the best mappings of one pair, in their order."""

from pathlib import Path
from typing import Any

import click

from exactmatch.cli.answers import give, require_proven, say_pair_note
from exactmatch.cli.click_options import (
    FILE,
    LIMITS,
    OUTPUT,
    PROOF,
    GroupedCommand,
    adding,
    format_option,
    id_option,
    memory_option,
    option,
    output_option,
    pairing_options,
    seconds,
    seed_option,
    solver_option,
)
from exactmatch.cli.metric_options import AskedMetrics, metric_options
from exactmatch.cli.progress_bar import progress
from exactmatch.runtime.output import check_outputs


@click.command(cls=GroupedCommand)
@click.argument("system", type=FILE)
@click.argument("gold", type=FILE)
@id_option
@pairing_options
@metric_options
@option(
    "--all",
    "limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    group=OUTPUT,
    help="List up to N best mappings; whether there are more is said.",
)
@adding(solver_option, seed_option)
@option(
    "--timeout",
    type=float,
    default=60.0,
    show_default=True,
    callback=seconds,
    group=LIMITS,
    help="Seconds, or inf.",
)
@memory_option
@option(
    "--require-optimal",
    is_flag=True,
    group=PROOF,
    help="Exit with 3 unless these are known to be the best mappings.",
)
@format_option
@output_option
def mappings(
    system: Path,
    gold: Path,
    identifier: str | None,
    asked: AskedMetrics,
    output_format: str,
    output: Path | None,
    require_optimal: bool,
    **others: Any,
) -> None:
    """List the best mappings of one pair, and say if there are more.

    The pair is that of SYSTEM and GOLD called so by --id. Of a mapping, the pairs of variables
    count that take part in a match. A ~ marks what is not the same in all best mappings.

    Mappings are in the order of the image of the first variable of SYSTEM, then of the second one,
    and so on, each in the order of GOLD; no image comes last. The first one is what every command
    shows or writes as the mapping of a pair.
    """
    from exactmatch.api.mappings import best_mappings_of
    from exactmatch.report.json import best_mappings_json
    from exactmatch.report.text import mappings_text

    check_outputs([str(system), str(gold)], output)
    pair, score = best_mappings_of(
        system,
        gold,
        id=identifier,
        metric=asked.one(),
        profile=asked.profile,
        progress=progress,
        note=say_pair_note,
        **others,
        **asked.choices,
    )
    if output_format == "json":
        give(best_mappings_json(score), output)
    else:
        give(mappings_text(pair, score).removesuffix("\n"), output)
    require_proven(int(score.best is None), require=require_optimal)
