"""The number of n-grams of graphs, by their size (Liu et al. 2020, Figure 2)."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from exactmatch.studies.correlation.structure import Shape

#: The upper ends of ranges of sizes; larger sizes are a range, too.
_BOUNDS = (10, 20, 40, 80, 160, 320, 640)


@dataclass(frozen=True, slots=True)
class UnitSeries:
    """The numbers of n-grams of one order in each gold graph, as a metric counts them.

    order: the name of the order, such as ``2-grams``.
    """

    metric: str
    order: str
    counts: Sequence[int]

    @property
    def label(self) -> str:
        """The name of the series in plots."""
        return f"{self.metric}: {self.order}"


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """The n-grams of so many *graphs* of similar *size* (in words): the mean, and the most."""

    metric: str
    order: str
    size: str
    graphs: int
    mean: float
    most: int


def unit_series(counted: Mapping[tuple[str, str], Sequence[int]]) -> list[UnitSeries]:
    """Return the n-grams by metric and order; equal series of several metrics come once."""
    series_of: dict[tuple[str, tuple[int, ...]], UnitSeries] = {}
    for (metric, order), counts in counted.items():
        series = UnitSeries(metric, order, counts)
        series_of.setdefault((order, tuple(counts)), series)
    return [*series_of.values()]


def unit_groups(series: Sequence[UnitSeries], shapes: Sequence[Shape]) -> list[UnitGroup]:
    """Return the n-grams of graphs of these *shapes*, by size."""
    return [
        UnitGroup(
            one.metric,
            one.order,
            size,
            graphs=len(places),
            mean=fmean(one.counts[place] for place in places),
            most=max(one.counts[place] for place in places),
        )
        for one in series
        for size, places in _by_size(shapes).items()
    ]


def _by_size(shapes: Sequence[Shape]) -> dict[str, list[int]]:
    """Return the positions of the graphs in each range of sizes that occurs."""
    starts = [0, *(bound + 1 for bound in _BOUNDS)]
    pairs = zip(starts, _BOUNDS, strict=False)  # the last start has no end
    ranges = {f"{low} to {high}": range(low, high + 1) for low, high in pairs}
    ranges[f"{starts[-1]} or more"] = range(starts[-1], sys.maxsize)
    groups = {
        name: [place for place, one in enumerate(shapes) if one.size in sizes]
        for name, sizes in ranges.items()
    }
    return {name: places for name, places in groups.items() if places}
