"""Order the slots in their rows, and set their horizontal positions.

Both are computed by sweeps over the rows, alternately down and up, as Sugiyama, Tagawa and Toda
(1981) do. Orders follow the barycentres of neighbours. Positions are set a row at a time, given
those of the rows around: each slot is drawn to the mean of its neighbours, and no two may come too
close. Least squares of the deviations are an isotonic regression, solved exactly by pooling
adjacent violators (Ayer, Brunk, Ewing, Reid and Silverman 1955, *An Empirical Distribution Function
for Sampling with Incomplete Information*).
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from exactmatch.report.views.node_layers import NODE_GAP, SlotRows

_ORDER_SWEEPS = 8
_POSITION_SWEEPS = 10

#: The number of sweeps that only use neighbours that are set already.
_ONE_SIDED_SWEEPS = 4

_LABEL_GAP, _PASSING_GAP = 8, 12

#: The weight of straightness where long ways pass a layer (Gansner, Koutsofios, North and Vo 1993,
#: section 4).
_STRAIGHT = 6.0

#: The weight of the middle of the whole for slots, while that is wider than so many px.
_MIDDLE, _WIDE = 0.05, 1000


class _Pull(NamedTuple):
    """A place that attracts all slots a little, for each of their neighbours."""

    place: float = 0.0
    weight: float = 0.0


def ordered(rows: SlotRows) -> list[list[int]]:
    """Return the slots of each row in the order with the fewest crossings of any sweep."""
    place = [0.0] * len(rows.row)
    orders = [list(row) for row in rows.rows]
    _note(orders, place)
    for row in orders[1::2]:
        _sort(row, rows.ups, place)
    if rows.is_large:
        return orders
    best, fewest = [list(row) for row in orders], _crossings(orders, rows.downs, place)
    for sweep in range(_ORDER_SWEEPS):
        if not fewest:
            break
        is_down = sweep % 2 == 0
        for row in orders if is_down else reversed(orders):
            _sort(row, rows.ups if is_down else rows.downs, place)
        crossings = _crossings(orders, rows.downs, place)
        if crossings < fewest:
            best, fewest = [list(row) for row in orders], crossings
    return best


def positions(rows: SlotRows, orders: Sequence[Sequence[int]]) -> list[float]:
    """Return the middle of each slot; the leftmost slot begins at 0."""
    middles = [0.0] * len(rows.row)
    distances = [[_distance(rows, a, b) for a, b in pairwise(row)] for row in orders]
    for row, gaps in zip(orders, distances, strict=True):
        _set(row, gaps, middles, [[]] * len(row), rows, _Pull())
    both = [up + down for up, down in zip(rows.ups, rows.downs, strict=True)]
    numbers = range(len(orders))
    for sweep in range(_POSITION_SWEEPS):
        is_down = sweep % 2 == 0
        near = both if sweep >= _ONE_SIDED_SWEEPS else rows.ups if is_down else rows.downs
        is_wide = max(middles) - min(middles) > _WIDE
        pull = _Pull(sum(middles) / len(middles), _MIDDLE if is_wide else 0.0)
        for number in numbers if is_down else reversed(numbers):
            row = orders[number]
            _set(row, distances[number], middles, [near[slot] for slot in row], rows, pull)
    _straighten(rows, orders, distances, middles)
    first = min(middles[row[0]] - rows.widths[row[0]] / 2 for row in orders if row)
    return [middle - first for middle in middles]


def _note(orders: Iterable[Sequence[int]], place: list[float]) -> None:
    for row in orders:
        for i, slot in enumerate(row):
            place[slot] = i


def _sort(row: list[int], near: Sequence[Sequence[int]], place: list[float]) -> None:
    """Sort a row by the mean places of the slots that its slots are joined to."""
    wanted = {}
    for slot in row:
        around = near[slot]
        wanted[slot] = (
            sum([place[other] for other in around]) / len(around) if around else place[slot]
        )
    row.sort(key=wanted.__getitem__)
    for i, slot in enumerate(row):
        place[slot] = i


def _crossings(
    orders: Sequence[Sequence[int]], downs: Sequence[Sequence[int]], place: Sequence[float]
) -> int:
    """Return the number of crossings between each two rows."""
    crossings = 0
    for row in orders:
        ends: list[float] = []
        for slot in row:
            below = sorted([place[other] for other in downs[slot]])
            for end in below:
                crossings += len(ends) - bisect_right(ends, end)
            for end in below:
                insort(ends, end)
    return crossings


def _distance(rows: SlotRows, left: int, right: int) -> float:
    """Return the least distance between the middles of two neighbours."""
    nodes = (left < len(rows.nodes)) + (right < len(rows.nodes))
    labels = rows.row[left] % 2 == 1
    gap = _LABEL_GAP if labels else NODE_GAP if nodes == 2 else _PASSING_GAP
    return (rows.widths[left] + rows.widths[right]) / 2 + gap


def _set(
    row: Sequence[int],
    distances: Sequence[float],
    middles: list[float],
    near: Sequence[Sequence[int]],
    rows: SlotRows,
    pull: _Pull,
) -> None:
    """Set the middles of a row as close as possible to the means of *near*.

    *pull* counts as well.
    """
    count = len(rows.nodes)
    wanted, weights = [], []
    for slot, around in zip(row, near, strict=True):
        is_node = slot < count
        weight = pull.weight * len(around)
        total = weight * pull.place
        for other in around:
            worth = 1.0 if is_node or other < count else _STRAIGHT
            total += worth * middles[other]
            weight += worth
        wanted.append(total / weight if weight else middles[slot])
        weights.append(weight or 0.01)
    for slot, middle in zip(row, _apart(wanted, weights, distances), strict=True):
        middles[slot] = middle


def _straighten(
    rows: SlotRows,
    orders: Sequence[Sequence[int]],
    distances: Sequence[Sequence[float]],
    middles: list[float],
) -> None:
    """Straighten long ways as far as there is room, without moving anything else."""
    before: dict[int, tuple[int, float]] = {}
    behind: dict[int, tuple[int, float]] = {}
    for row, gaps in zip(orders, distances, strict=True):
        for (left, right), gap in zip(pairwise(row), gaps, strict=True):
            before[right], behind[left] = (left, gap), (right, gap)
    for chain in rows.chains:
        run: list[int] = []
        least, most = -inf, inf
        for slot in chain.slots[1:-1]:
            left, gap = before.get(slot, (-1, 0))
            from_here = middles[left] + gap if left >= 0 else -inf
            right, gap = behind.get(slot, (-1, 0))
            to_here = middles[right] - gap if right >= 0 else inf
            if max(least, from_here) > min(most, to_here):
                _in_line(run, least, most, middles)
                run, least, most = [], -inf, inf
            run.append(slot)
            least, most = max(least, from_here), min(most, to_here)
        _in_line(run, least, most, middles)


def _in_line(run: Sequence[int], least: float, most: float, middles: list[float]) -> None:
    if len(run) > 1:
        mean = sum([middles[slot] for slot in run]) / len(run)
        for slot in run:
            middles[slot] = min(max(mean, least), most)


def _apart(
    wanted: Sequence[float], weights: Sequence[float], distances: Sequence[float]
) -> list[float]:
    """Return increasing positions, at least *distances* apart, that are closest to *wanted*."""
    if len(wanted) == 1:
        return [*wanted]
    pools: list[tuple[float, float, int]] = []
    offset = 0.0
    offsets = []
    for i, (want, weight) in enumerate(zip(wanted, weights, strict=True)):
        offset += distances[i - 1] if i else 0.0
        offsets.append(offset)
        mean, size = want - offset, 1
        while pools and pools[-1][0] > mean:
            before, heavy, number = pools.pop()
            mean = (before * heavy + mean * weight) / (heavy + weight)
            weight += heavy
            size += number
        pools.append((mean, weight, size))
    means = [mean for mean, _, size in pools for _ in range(size)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
