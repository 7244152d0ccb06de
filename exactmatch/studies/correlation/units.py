"""How many n-grams graphs have, by their size (Liu et al. 2020, Figure 2)."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from exactmatch.studies.correlation.structure import Shape

#: Sizes that are taken together: up to each of these, and above.
_BOUNDS = (10, 20, 40, 80, 160, 320, 640)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSeries:
    """How many n-grams of some order each gold graph has, as a metric counts them.

    order: what the metric calls it, such as ``2-grams``.
    """

    metric: str
    order: str
    counts: Sequence[int]

    @property
    def label(self) -> str:
        """What plots call the series."""
        return f"{self.metric}: {self.order}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitGroup:
    """The n-grams of so many *graphs* of similar *size*, in words: the mean, and the most."""

    metric: str
    order: str
    size: str
    graphs: int
    mean: float
    most: int


def unit_series(counted: Mapping[tuple[str, str], Sequence[int]]) -> list[UnitSeries]:
    """Return the n-grams by metric and order, what several metrics count alike only once."""
    series_of: dict[tuple[str, tuple[int, ...]], UnitSeries] = {}
    for (metric, order), counts in counted.items():
        series = UnitSeries(metric=metric, order=order, counts=counts)
        series_of.setdefault((order, tuple(counts)), series)
    return [*series_of.values()]


def unit_groups(series: Sequence[UnitSeries], shapes: Sequence[Shape]) -> list[UnitGroup]:
    """Return the n-grams of graphs of these *shapes*, by their sizes."""
    return [
        UnitGroup(
            metric=one.metric,
            order=one.order,
            size=size,
            graphs=len(places),
            mean=fmean(one.counts[place] for place in places),
            most=max(one.counts[place] for place in places),
        )
        for one in series
        for size, places in _by_size(shapes).items()
    ]


def _by_size(shapes: Sequence[Shape]) -> dict[str, list[int]]:
    """Return the positions of the graphs of each range of sizes that there is."""
    starts = [0, *(bound + 1 for bound in _BOUNDS)]
    pairs = zip(starts, _BOUNDS, strict=False)  # the last start has no end
    ranges = {f"{low} to {high}": range(low, high + 1) for low, high in pairs}
    ranges[f"{starts[-1]} or more"] = range(starts[-1], sys.maxsize)
    groups = {
        name: [place for place, one in enumerate(shapes) if one.size in sizes]
        for name, sizes in ranges.items()
    }
    return {name: places for name, places in groups.items() if places}
