"""``exactmatch mappings``: the best mappings of one pair, in their order."""

from pathlib import Path

import click

from exactmatch.cli.answers import give, require_proven, say_pair_note
from exactmatch.cli.click_options import (
    GroupedCommand,
    format_option,
    option,
    options,
    output_option,
    part,
    require_option,
)
from exactmatch.cli.metric_options import AskedMetrics, one_pair_options
from exactmatch.cli.progress_bar import progress
from exactmatch.scoring.declaration import OUTPUT
from exactmatch.scoring.options import Pairing, PairLimits, Solver, Telling


@click.command(cls=GroupedCommand)
@one_pair_options
@option(
    "--all",
    "limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    group=OUTPUT,
    help="List up to N best mappings, and say whether there are more.",
)
@options(Solver)
@part(PairLimits, "seed")
@part(PairLimits, "timeout", help="Seconds, or inf.")
@part(PairLimits, "memory")
@require_option("no more best mappings are known")
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
    limit: int,
    solver: Solver,
    limits: PairLimits,
    pairing: Pairing,
) -> None:
    """List the best mappings of one pair, and say whether there are more.

    --id selects the pair of SYSTEM and GOLD. A mapping is listed by its pairs of variables that
    take part in a match. A ~ marks a pair of variables that is not in all best mappings.

    Mappings are ordered by the image of the first variable of SYSTEM, then of the second one, and
    so on. Images are in the order of GOLD; no image comes last. The first mapping is the one that
    every command shows or writes as the mapping of a pair.
    """
    from exactmatch.api.mappings import best_mappings_of
    from exactmatch.metrics.registry import alignment_based
    from exactmatch.report.json import best_mappings_json
    from exactmatch.report.text import mappings_text
    from exactmatch.scoring.choices import chosen_metric

    pair, score = best_mappings_of(
        system,
        gold,
        lambda form: alignment_based(
            chosen_metric(form, asked.one(), asked.profile, asked.choices)
        ),
        limit=limit,
        id=identifier,
        solver=solver,
        limits=limits,
        pairing=pairing,
        telling=Telling(progress=progress, note=say_pair_note),
    )
    if output_format == "json":
        give(best_mappings_json(score), output)
    else:
        give(mappings_text(pair, score).removesuffix("\n"), output)
    require_proven(int(score.best is None), require=require_optimal)
