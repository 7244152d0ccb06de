"""A request: which pairs of graphs to score, by which metrics and settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.graphs.selection import Selection
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.asked_workers import resolve_workers
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.declaration import Options
from exactmatch.scoring.options import (
    NamedMetricOptions,
    Note,
    Pairing,
    PairProving,
    Telling,
    Work,
    ignore_note,
)
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import (
    Sides,
    both_sides,
    pair_of,
    read_couples,
    watching,
)
from exactmatch.scoring.stream import Answer

if TYPE_CHECKING:
    from exactmatch.scoring.joint_options import ShowingPairs
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

    @classmethod
    def of(
        cls,
        system: Graphs,
        gold: Graphs,
        named: NamedMetricOptions,
        choices: Mapping[str, Choice],
        others: Options,
    ) -> "PairRequest":
        """Return a request for one metric. *others* are options with `Pairing` and `Telling`."""
        pairing, telling = others.only(Pairing), others.only(Telling)
        metrics = (named.metric,)
        return cls(system, gold, metrics, named.profile, choices, pairing=pairing, telling=telling)

    def of_shown(self, options: "ShowingPairs") -> "PairRequest":
        """Return the same request, solved with *options* for pairs that are shown."""
        workers = resolve_workers(options.only(Work))
        return self._replace(
            settings=Settings.of(options.only(PairProving), workers=workers),
            selection=Selection.of(options.ids, options.where),
            workers=workers,
            sum_up=options.note,
        )

    @property
    def full_settings(self) -> Settings:
        """The settings with all that signatures tell: whether graphs are repaired as well."""
        return replace(self.settings, repair=self.pairing.repair)

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

    @contextmanager
    def reading(
        self, doing: str, only: str | None = None
    ) -> Iterator[tuple[Iterator[GraphPair | Skipped], AlignmentMetric]]:
        """Open both sides; yield their pairs, read one by one, and the only metric.

        *doing* says in the progress what is done. *only* is as for `Sides.couples`.
        """
        with self.opened() as sides:
            metric = self.aligning(sides.format)
            couples = sides.couples(metric, only=only)
            read = read_couples(couples, sides, metric, doing, self.pairing.on_error, self.telling)
            with closing(read) as pairs:
                yield pairs, metric

    def one_pair(self, identifier: str | None) -> tuple[GraphPair, AlignmentMetric]:
        """Read the only pair, or the one called *identifier*, and return it with the metric.

        Raises `InputError` and `UsageError` as `pair_of` does.
        """
        with self.reading("reading", identifier) as (pairs, metric):
            return pair_of(pairs, identifier), metric

    def again(self, metric: Metric, settings: Settings) -> "PairRequest":
        """Return the request that repeats this one by one of its metrics, in silence."""
        return self._replace(
            metrics=(metric,), settings=settings, telling=_SILENT, sum_up=ignore_note
        )

    def watching(self, sides: Sides) -> AbstractContextManager[Callable[[Answer], object]]:
        """Report progress on *sides*, see `watching`."""
        return watching(sides, self.telling)
