"""A request: which pairs of graphs to score, by which metrics and settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.selection import Selection
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.options import Note, Pairing, Settings, Telling, ignore_note
from exactmatch.scoring.sides import Sides, both_sides, watching
from exactmatch.scoring.stream import Answer

if TYPE_CHECKING:
    from exactmatch.scoring.validity.file_faults import FaultCounter

_NO_CHOICES: Mapping[str, Choice] = MappingProxyType({})
_ALL = Selection()
_USUAL_PAIRING = Pairing()
_SILENT = Telling()


class PairRequest(NamedTuple):
    """What a public function or a command passes on to the code that both share.

    metrics: names or metrics; None is the usual one for the format of the graphs.
    profile, choices: those of all metrics that are named.
    telling: reports progress, and problems of pairs; sum_up receives notes on the result of all.
    """

    system: Graphs
    gold: Graphs
    metrics: Sequence[str | Metric | None] = (None,)
    profile: str = "default"
    choices: Mapping[str, Choice] = _NO_CHOICES
    settings: Settings = Settings()
    pairing: Pairing = _USUAL_PAIRING
    selection: Selection = _ALL
    workers: Workers = 1
    telling: Telling = _SILENT
    sum_up: Note = ignore_note

    @contextmanager
    def opened(
        self,
        counters: "Sequence[FaultCounter]" = (),
        *,
        watches: Sequence[Callable[[bytes], object] | None] = (None, None),
    ) -> Iterator[Sides]:
        """Open both sides. Arguments and errors are those of `both_sides`."""
        with both_sides(self.system, self.gold, self.pairing, counters, watches=watches) as sides:
            yield sides

    def chosen(self, form: str) -> list[Metric]:
        """Return the metrics for graphs of the format *form*. Raises as `chosen_metric` does."""
        return [chosen_metric(form, one, self.profile, self.choices) for one in self.metrics]

    def aligning(self, form: str) -> AlignmentMetric:
        """Return the only metric. Raises `UsageError` unless it is alignment-based."""
        (metric,) = self.chosen(form)
        return alignment_based(metric)

    def again(self, metric: Metric, settings: Settings) -> "PairRequest":
        """Return the request that repeats this one by one of its metrics, in silence."""
        return self._replace(
            metrics=(metric,), settings=settings, telling=_SILENT, sum_up=ignore_note
        )

    def watching(self, sides: Sides) -> AbstractContextManager[Callable[[Answer], object]]:
        """Report progress on *sides*, see `watching`."""
        return watching(sides, self.telling)
