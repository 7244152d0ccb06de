"""``exactmatch mappings``: the best mappings of one pair, in their order."""

import click

from exactmatch.cli.answers import Answering, finish_one, require_proven
from exactmatch.cli.asked_pairs import AskedPair, one_pair_options
from exactmatch.cli.click_options import (
    GroupedCommand,
    answer_options,
    option,
    options,
    part,
    require_option,
)
from exactmatch.scoring.declaration import OUTPUT
from exactmatch.scoring.options import PairLimits, PairProving, Solver


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
@answer_options
def mappings(
    pair: AskedPair,
    answer: Answering,
    require_optimal: bool,
    limit: int,
    proving: PairProving,
) -> None:
    """List the best mappings of one pair, and say whether there are more.

    --id selects the pair of SYSTEM and GOLD. A mapping is listed by its pairs of variables that
    take part in a match. A ~ marks a pair of variables that is not in all best mappings.

    Mappings are ordered by the image of the first variable of SYSTEM, then of the second one, and
    so on. Images are in the order of GOLD; no image comes last. The first mapping is the one that
    every command shows or writes as the mapping of a pair.
    """
    from exactmatch.api.mappings import run_best_mappings
    from exactmatch.report.json import best_mappings_json
    from exactmatch.report.text import mappings_layout

    graphs, score = run_best_mappings(pair.request(), proving, limit, pair.identifier)
    answer.print(
        score,
        text=lambda score: mappings_layout(graphs, score),
        json=best_mappings_json,
    )
    require_proven(int(score.best is None), require=require_optimal)
    finish_one(is_whole=not graphs.emptied)
