"""The options for the pairs of two files, which a command gets as one value."""

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from exactmatch.cli.answers import say_pair_note
from exactmatch.cli.click_options import FILE, Command, adding, id_option, options
from exactmatch.cli.metric_options import AskedMetrics, metric_options
from exactmatch.cli.progress_bar import progress
from exactmatch.scoring.joint_options import PairReading
from exactmatch.scoring.options import Pairing

if TYPE_CHECKING:
    from exactmatch.scoring.pair_request import PairRequest


class AskedPair(NamedTuple):
    """One pair of two files, and the metrics and choices for its graphs.

    identifier: the identifier or the number of the pair; None for the only pair.
    """

    system: Path
    gold: Path
    identifier: str | None
    asked: AskedMetrics
    pairing: PairReading

    def request(self) -> "PairRequest":
        """Return the request for this pair. Raises `UsageError` for several metrics."""
        from exactmatch.scoring.pair_request import PairRequest

        named = self.asked.one_with_profile()
        return PairRequest.of(self.system, self.gold, named, self.asked.choices, self.pairing)


def one_pair_options(command: Command) -> Command:
    """Add the options for one pair of two files; *command* gets an `AskedPair`, *pair*."""

    @wraps(command)
    def called(
        system: Path,
        gold: Path,
        identifier: str | None,
        asked: AskedMetrics,
        pairing: PairReading,
        **others: Any,
    ) -> Any:
        watched = pairing.but(progress=progress, note=say_pair_note)
        return command(pair=AskedPair(system, gold, identifier, asked, watched), **others)

    called.__annotations__ = {**command.__annotations__, "pairing": PairReading}
    return adding(
        click.argument("system", type=FILE),
        click.argument("gold", type=FILE),
        id_option,
        options(Pairing),
        metric_options,
    )(called)
