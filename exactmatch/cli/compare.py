"""``exactmatch compare``: systems ranked against one gold standard."""

from typing import Any

import click

import exactmatch
from exactmatch.cli.counting import Counting
from exactmatch.cli.counting_options import counting_options
from exactmatch.cli.groups import INPUT, GroupedCommand, option
from exactmatch.cli.studies import (
    Answer,
    proof_study_options,
    resampling_options,
    study_command,
)


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
@resampling_options
@study_command
@proof_study_options
@counting_options
def compare(
    systems: tuple[str, ...],
    gold: str,
    counting: Counting,
    resamples: int,
    confidence: float,
    certificates: Any,
    plan: dict[str, Any],
    answer: Answer,
    **required: bool,
) -> None:
    """Rank SYSTEMS, a file of graphs each, by their score against the gold standard.

    With confidence intervals over items, and with the significance of every difference by paired
    approximate randomisation; nothing is solved twice for it.
    """
    result = exactmatch.compare(
        systems,
        gold,
        metric=counting.one(),
        profile=counting.profile,
        resamples=resamples,
        confidence=confidence,
        certificates=certificates,
        **plan,
        **counting.choices,
    )
    answer.give(result, **required)
