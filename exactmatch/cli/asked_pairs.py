"""The options for the pairs of two files, which a command gets as one value."""

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from exactmatch.cli.answers import say_note, say_pair_note
from exactmatch.cli.click_options import (
    FILE,
    Adding,
    Command,
    adding,
    id_option,
    options,
    proof_options,
    show_id_option,
)
from exactmatch.cli.metric_options import (
    METRIC_BY_MAPPING,
    AskedMetrics,
    TakenMetrics,
    metric_options,
)
from exactmatch.cli.progress_bar import watched
from exactmatch.errors import UsageError
from exactmatch.runtime.progress import Progress
from exactmatch.scoring.corpus import USUAL_BADNESS
from exactmatch.scoring.joint_options import PairReading, ShowingPairs
from exactmatch.scoring.options import Pairing, PairLimits, Selecting, Solver, View, Work

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
    """Add the options for one pair of two files; *command* gets an `AskedPair`, *pair*.

    The metric maps variables.
    """
    return pair_options(METRIC_BY_MAPPING)(command)


def pair_options(taken: TakenMetrics) -> Adding:
    """Return a decorator that adds the options of `one_pair_options`, for other metrics."""

    def decorated(command: Command) -> Command:
        @wraps(command)
        def called(
            system: Path,
            gold: Path,
            identifier: str | None,
            asked: AskedMetrics,
            pairing: PairReading,
            **others: Any,
        ) -> Any:
            pair = AskedPair(system, gold, identifier, asked, watched(pairing))
            return command(pair=pair, **others)

        called.__annotations__ = {**command.__annotations__, "pairing": PairReading}
        return adding(
            click.argument("system", type=FILE),
            click.argument("gold", type=FILE),
            id_option,
            options(Pairing),
            metric_options(taken),
        )(called)

    return decorated


class AskedPairs(NamedTuple):
    """Pairs of two files to show, and the metrics and choices for their graphs.

    identifier: the identifier or the number of the only pair to show; None for all pairs.
    worst: the number of worst pairs to show; None for all pairs. sort: the measure of badness.
    """

    system: Path
    gold: Path
    identifier: str | None
    worst: int | None
    sort: str | None
    asked: AskedMetrics
    showing: ShowingPairs

    @property
    def ranking(self) -> tuple[int, str] | None:
        """The number of worst pairs, and the measure of badness; None for all pairs."""
        return None if self.worst is None else (self.worst, self.sort or USUAL_BADNESS)

    def check(self) -> None:
        """Raise `UsageError` for contradictory options."""
        if self.sort is not None and self.worst is None:
            raise UsageError("--sort needs --worst")
        if self.identifier is not None and self.showing.ids is not None:
            raise UsageError("--id and --ids cannot be combined")

    def request(self, progress: Progress) -> "PairRequest":
        """Return the request for these pairs. Raises `UsageError` for several metrics."""
        from exactmatch.scoring.pair_request import PairRequest

        showing = self.showing.but(progress=progress, note=say_pair_note)
        named = self.asked.one_with_profile()
        request = PairRequest.of(self.system, self.gold, named, self.asked.choices, showing)
        return request.of_shown(showing)._replace(sum_up=say_note)


def shown_pairs_options(command: Command) -> Command:
    """Add the options for pairs to show; *command* gets `AskedPairs`, *pairs*.

    The command has the arguments for both files, and the options of `worst_options`.
    """

    @wraps(command)
    def called(
        system: Path,
        gold: Path,
        identifier: str | None,
        worst: int | None,
        sort: str | None,
        asked: AskedMetrics,
        showing: ShowingPairs,
        **others: Any,
    ) -> Any:
        pairs = AskedPairs(system, gold, identifier, worst, sort, asked, showing)
        return command(pairs=pairs, **others)

    called.__annotations__ = {**command.__annotations__, "showing": ShowingPairs}
    return adding(
        show_id_option,
        options(Pairing, Selecting),
        metric_options(METRIC_BY_MAPPING),
        options(Solver),
        proof_options,
        options(PairLimits, Work, View),
    )(called)
