"""Plots are printable: no text covers data or other text, and all series are distinct."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from nightly import by_day

from exactmatch.report.document import (
    Chart,
    Contested,
    Contests,
    Curves,
    Estimate,
    Forest,
    Plot,
    Scatter,
    Series,
)
from exactmatch.report.drawing import drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

#: Names of so many series, short ones and long ones.
NAMES = {
    "25": [f"system {k}" for k in range(25)],
    "5": [f"parser {k} of the second campaign" for k in range(5)],
    "2": ["a", "_b"],
}


#: Squares are slow to draw; from here on, they are as large squares are.
MANY = 11


def square(names: list[str]) -> Contests:
    return Contests("contests", "Significance of differences", names, contested(len(names)), 0.05)


def plots(names: list[str]) -> Iterator[Plot]:
    """Yield a plot of every kind."""
    yield square(names[:MANY])
    rng = random.Random(len(names))
    some = {name: rng.uniform(0.6, 0.9) for name in names}
    estimates = [
        Estimate(name, f1, f1 + 0.02 * (k % 2), (f1 - 0.03, f1 + 0.04))
        for k, (name, f1) in enumerate(some.items())
    ]
    yield Forest("forest", "Systems against a gold standard", "F1", estimates)
    months = [f"{2012 + k // 12}-{k % 12 + 1:02}" for k in range(2 * len(names))]
    lines = [
        # Intervals are alike, and slow to draw: so only some months have them.
        Series(name, months, [f1] * len(months), [(f1 - 0.02, f1 + 0.01)] * 4)
        for name, f1 in some.items()
    ]
    yield Chart("months", "Agreement", "month", "micro F1", lines, categories=months)
    spots = [Series(name, [10 ** rng.uniform(-2, 2)], [rng.random()]) for name in names]
    yield Chart("quality", "Time and quality", "seconds", "share", spots, lines=False, log_x=True)
    clouds = [
        Series(name, xs, ys)
        for name in names
        for xs, ys in [[[round(rng.random(), 1) for _ in range(50)] for _ in range(2)]]
    ]
    yield Scatter("square", "b by a", "a", "b", clouds, unit_square=True)
    yield Scatter("units", "N-grams", "size", "n-grams", clouds)
    yield Curves("curves", "Distribution", "score", "density", clouds)


def contested(number: int) -> list[list[Contested | None]]:
    better, worse = Contested("better", 0.00001), Contested("worse", 0.01)
    cells = (Contested("open", 0.3), better, Contested(None, None), worse)
    return [[None if i == j else cells[(i - j) % 4] for j in range(number)] for i in range(number)]


@cache
def figures(size: str) -> "list[tuple[Plot, Figure]]":
    """Return a plot of every kind with its figure, in which everything has its place."""
    return [(plot, laid_out(plot)) for plot in plots(NAMES[size])]


def laid_out(plot: Plot) -> "Figure":
    """Return a figure in which everything has its place."""
    figure = drawn(plot)
    figure.draw_without_rendering()
    return figure


def box(text: "Text") -> "Bbox":
    return text.get_window_extent()


def tick_labels(axes: "Axes") -> "list[list[Text]]":
    """Return the labels of each axis that are seen."""
    found = []
    for side in (axes.xaxis, axes.yaxis):
        low, high = sorted(side.get_view_interval())
        ticks = [*side.get_major_ticks(), *side.get_minor_ticks()]
        seen = [tick for tick in ticks if low <= tick.get_loc() <= high]
        labels = [label for tick in seen for label in (tick.label1, tick.label2)]
        found.append([label for label in labels if label.get_text() and label.get_visible()])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("size", by_day(NAMES))
def test_nothing_lies_on_anything_else(size: str) -> None:
    for plot, figure in figures(size):
        words = [*figure.texts]
        for legend in figure.legends:
            words += [*legend.get_texts(), legend.get_title()]
            for axes in figure.axes:
                around = axes.get_tightbbox()
                assert around and not legend.get_window_extent().overlaps(around), plot.key
        boxes = [(text, box(text)) for text in words]
        for axes in figure.axes:
            for labels in tick_labels(axes):
                own = [(label, box(label)) for label in labels]
                boxes += own
                for (one, its), (other, others) in combinations(own, 2):
                    assert not its.overlaps(others), (plot.key, one, other)
        whole = figure.bbox.padded(1)
        for text, around in boxes:
            (left, low), (right, high) = around.get_points()
            assert whole.contains(left, low) and whole.contains(right, high), (plot.key, text)


@pytest.mark.parametrize("size", by_day(NAMES))
def test_numbers_fit_into_their_cells(size: str) -> None:
    from matplotlib.transforms import Bbox

    (figure,) = (figure for plot, figure in figures(size) if isinstance(plot, Contests))
    axes = figure.axes[0]
    assert axes.texts
    for text in axes.texts:
        x, y = (round(place) for place in text.get_position())
        corners = axes.transData.transform([(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)])
        cell = Bbox(corners).padded(0.5)
        found, (left, right) = box(text), sorted((cell.x0, cell.x1))
        assert left <= found.x0 and found.x1 <= right, text
        low, high = sorted((cell.y0, cell.y1))
        assert low <= found.y0 and found.y1 <= high, text


def test_numbers_have_more_contrast_than_in_the_other_colour() -> None:
    """Contrast is computed as WCAG 2 defines it."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    axes = drawn(square([f"s{k}" for k in range(5)])).axes[0]
    patches = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    colours = {patch.get_xy(): to_rgb(patch.get_facecolor()) for patch in patches}
    seen = Counter[str]()
    for text in axes.texts:
        x, y = (place - 0.5 for place in text.get_position())
        if (x, y) not in colours:
            continue
        light = luminance(colours[x, y])
        contrasts = {"white": 1.05 / (light + 0.05), "black": (light + 0.05) / 0.05}
        colour = str(text.get_color())
        assert contrasts[colour] == max(contrasts.values())
        seen[colour] += 1
    assert set(seen) == {"white", "black"}


def test_points_of_a_chart_have_their_intervals() -> None:
    """Each beside its point, where it is known."""
    series = Series("a", ["p", "q"], [0.5, 0.6], [(0.4, 0.7), None])
    chart = Chart("months", "Agreement", "month", "F1", [series], categories=["p", "q"])
    (xs, ys), *intervals = (np.asarray(line.get_data()) for line in drawn(chart).axes[0].lines)
    assert ys.tolist() == [0.5, 0.6]
    assert [interval.tolist() for interval in intervals] == [[[xs[0], xs[0]], [0.4, 0.7]]]


def luminance(colour: Sequence[float]) -> float:
    """Return the relative luminance of a colour in sRGB (WCAG 2.2)."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.slow
def test_series_differ_without_colours() -> None:
    for plot, figure in figures("25"):
        if not isinstance(plot, Curves | Chart):
            continue
        series = [line for line in figure.axes[0].lines if line.get_marker() != "None"]
        looks = [
            (line.get_marker(), repr(line.get_linestyle()), repr(line._dash_pattern))  # type: ignore[attr-defined]
            for line in series
        ]
        marks_alone = plot.key == "quality"
        assert len(looks) == 25
        assert len(set(looks)) == (7 if marks_alone else 25)
        colours = [line.get_color() for line in series]
        assert len({*zip(looks, colours, strict=True)}) == 25


def test_what_others_are_measured_by_looks_like_none_of_them() -> None:
    series = [Series(f"method {k}", [k + 1], [0.5]) for k in range(13)]
    series.append(Series("exact", [1.0], [1.0], is_reference=True))
    (axes,) = laid_out(Chart("key", "title", "x", "y", series, lines=False)).axes
    looks = [(line.get_marker(), line.get_color()) for line in axes.lines]
    (mark, colour), others = looks[-1], looks[:-1]
    assert len(others) == 13
    assert mark not in {mark for mark, _ in others} and colour not in {c for _, c in others}


def test_what_continues_a_line_has_its_colour_and_mark() -> None:
    series = [
        Series(f"system {k // 2}", [1.0, 2.0], [0.5, 0.4], continues=k % 2 == 1) for k in range(8)
    ]
    (axes,) = laid_out(Chart("key", "title", "x", "y", series)).axes
    looks = [(line.get_marker(), line.get_color()) for line in axes.lines]
    assert looks[::2] == looks[1::2] and len(set(looks)) == 4
    dashes = [(line.get_linestyle(), line._dash_pattern) for line in axes.lines]  # type: ignore[attr-defined]
    assert len(set(map(str, dashes[1::2]))) == 1 and dashes[1] not in dashes[::2]


@pytest.mark.parametrize("sides", [3, 5, 9])
def test_a_square_of_few_sides_has_large_cells(sides: int) -> None:
    """A side of 5 inches, unless a cell would have more than 1.1."""
    figure = laid_out(square([f"n{k}" for k in range(sides)]))
    width = figure.axes[0].get_window_extent().width / figure.dpi
    assert width == pytest.approx(min(5.0, 1.1 * sides), abs=0.3)


def test_points_in_one_place_are_seen() -> None:
    from matplotlib.collections import PathCollection

    both = [Series("a", [0.5, 0.5, 0.2], [0.5, 0.5, 0.2]), Series("b", [0.5], [0.5])]
    axes = laid_out(Scatter("key", "title", "x", "y", both, unit_square=True)).axes[0]
    first, second = axes.collections
    assert isinstance(first, PathCollection)
    assert [*first.get_sizes()] == [20, 10]  # area by the number of points
    assert not len(first.get_facecolor()) and not len(second.get_facecolor())
    assert "a larger mark" in axes.get_xlabel()
    lines = [Series(name, ["p", "q"], [0.5, 0.5]) for name in "ab"]
    axes = laid_out(Chart("key", "title", "x", "y", lines, categories=["p", "q"])).axes[0]
    one, other = (np.asarray(line.get_xdata()) for line in axes.lines)
    assert (one != other).all() and (abs(one - other) < 0.1).all()


def test_many_categories_are_labelled_in_part() -> None:
    months = [str(k) for k in range(200)]
    chart = Chart("key", "title", "x", "y", [Series("a", months, [0.5] * 200)], categories=months)
    labels = tick_labels(laid_out(chart).axes[0])[0]
    assert 10 < len(labels) < 60
    assert labels[0].get_text() == "0"
