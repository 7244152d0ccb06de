"""Pages of what was scored, written if somebody asks for them: graphs are read and scored again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from exactmatch.errors import UsageError
from exactmatch.inputs import Graphs
from exactmatch.metrics.base import Choice, Metric
from exactmatch.pairing import GraphPair, OnError, PairBy
from exactmatch.selection import Selection
from exactmatch.settings import Settings
from exactmatch.workers import Workers


@dataclass(frozen=True, kw_only=True)
class PagesLater:
    """What was scored, and how; called with a path, it writes the page there."""

    system: Graphs
    gold: Graphs
    metric: str | Metric | None
    settings: Settings
    profile: str = "default"
    choices: Mapping[str, Choice] = field(default_factory=dict)
    pair_by: PairBy = "position"
    on_error: OnError = "stop"
    selection: Selection | None = None
    workers: Workers = 1

    def __call__(self, output: Path) -> Path:
        """Write the page. Raises as `exactmatch.show` does."""
        from exactmatch.api.shown import show_until_cut

        for given in (self.system, self.gold):
            if isinstance(given, Iterator) or str(given) == "-":
                raise UsageError("the graphs were read once, and cannot be read again to be shown")
        shown = show_until_cut(
            self.system,
            self.gold,
            output,
            settings=self.settings,
            metric=self.metric,
            profile=self.profile,
            choices=self.choices,
            pair_by=self.pair_by,
            on_error=self.on_error,
            selection=self.selection,
            workers=self.workers,
        )
        if shown.scored.cut_by is not None:
            raise shown.scored.cut_by
        return shown.page


def pages_of_pair(pair: GraphPair, metric: Metric, settings: Settings) -> PagesLater:
    """Return what writes the page of one pair, whose graphs are read."""
    return PagesLater(system=[pair.system], gold=[pair.gold], metric=metric, settings=settings)
