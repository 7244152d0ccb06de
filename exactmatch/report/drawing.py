"""Draw plots for print: nothing covers the data or other words.

Colours are those of Okabe and Ito (2008), *Color Universal Design*, which the colour-blind can tell
apart; lines differ in dashes and marks as well. Legends are beside the axes, and figures grow with
their content.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from exactmatch.report.document import (
    Chart,
    Contested,
    Contests,
    Curves,
    Estimate,
    Forest,
    Histograms,
    Plot,
    Scatter,
    Series,
)
from exactmatch.runtime.harmless import harmless

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_Cell = TypeVar("_Cell")

#: The colour of axes and grid. In a page, the colour of the text replaces it.
INK = "#010101"
_SETTINGS: Any = {
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK
    ),
    "legend.frameon": False,
    "legend.fontsize": "small",
}

#: Inches: a plot over axes, a square, its largest and smallest cell, a row of estimates.
_SIZE = (6.4, 4.4)
_SQUARE, _CELL, _SMALL_CELL = 5.0, 1.1, 0.5
_ROW = 0.3
#: The height of a histogram and the room above it, in parts of the highest bar.
_FLOOR = 1.15
#: The size of the words in a cell of one inch, and the largest.
_WORDS, _LARGEST = 15.0, 11.0
#: Inches from one line of words to the next, and of a mark and its margins in a legend.
_LINE, _HANDLE = 0.2, 0.75
#: The number of lines in a column of a legend.
_IN_COLUMN = 30
_POINTS_PER_INCH = 72

# The lengths of these lists have no common factor, so that combinations repeat late.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_MARKS = "osD^vPX"
_DASHES: Any = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
#: The dots of a line that continues another.
_BEYOND: Any = (0, (1, 3))
#: The number of marks on a curve.
_MARKS_ON_CURVE = 8
#: More points than this become a picture inside the drawing, which would otherwise have a line for
#: each.
_MOST_DRAWN = 2000
#: The number of points in one place that makes the largest mark.
_MOST_COUNTED = 30

_BETTER, _WORSE, _OPEN = "#0072B2", "#E69F00", "#D9D9D9"
#: The colour of the dots beneath a mean, and their distance from it in rows.
_DOT, _BENEATH = "#D55E00", 0.28
#: Result of a test -> glyph, colour, and words.
_OUTCOMES: dict[str, tuple[str, str, str]] = {
    "better": ("\N{BLACK UP-POINTING TRIANGLE}", _BETTER, "row better than column"),
    "worse": ("\N{BLACK DOWN-POINTING TRIANGLE}", _WORSE, "row worse than column"),
    "open": ("\N{WHITE CIRCLE}", _OPEN, "difference not significant"),
}


def drawn(plot: Plot, *, titled: bool = True) -> "Figure":
    """Return the figure of a plot, with its title if no heading has it."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with rc_context(_SETTINGS):
        figure = Figure(figsize=_SIZE, layout=ConstrainedLayoutEngine(h_pad=0.07, w_pad=0.07))
        axes = figure.add_subplot()
        if isinstance(plot, Contests):
            _draw_contests(plot, figure, axes)
        elif isinstance(plot, Forest):
            _draw_forest(plot, figure, axes)
        elif isinstance(plot, Histograms):
            _draw_histograms(plot, figure, axes)
        else:
            _draw_over_axes(plot, figure, axes)
        if titled:
            figure.suptitle(_plain(plot.title), fontsize="large")
            least = 1.3 * _width(_plain(plot.title)) + 0.2
            figure.set_figwidth(max(figure.get_figwidth(), least))
        return figure


def _draw_contests(plot: Contests, figure: "Figure", axes: "Axes") -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Patch, Rectangle

    size = min(_LARGEST, _WORDS * _cell(plot.labels))
    seen = set()
    for row, column, cell in _cells(plot.cells):
        if cell.outcome is None:
            axes.text(column, row, "-", ha="center", va="center", size=size)
            continue
        seen.add(cell.outcome)
        glyph, colour, _ = _OUTCOMES[cell.outcome]
        place = (column - 0.5, row - 0.5)
        axes.add_patch(Rectangle(place, 1, 1, facecolor=colour, edgecolor="white", linewidth=1))
        axes.text(
            column,
            row,
            f"{glyph}\n{_p(cell)}",
            ha="center",
            va="center",
            size=size,
            color=_legible_on(to_rgb(colour)),
        )
    sides = len(plot.labels)
    axes.set(xlim=(-0.5, sides - 0.5), ylim=(sides - 0.5, -0.5), aspect="equal")
    kinds = [kind for name, kind in _OUTCOMES.items() if name in seen]
    figure.legend(
        handles=[
            Patch(facecolor=colour, label=f"{glyph}  {said}") for glyph, colour, said in kinds
        ],
        loc="outside lower center",
        title=f"numbers: p after Holm, significant at {plot.level:.2g}",
        title_fontsize="small",
    )
    _square(plot.labels, figure, axes, below=_LINE * (len(kinds) + 2))


def _p(cell: Contested) -> str:
    if cell.p is None:
        return "-"
    return "<.001" if cell.p < 0.0005 else f"{cell.p:.3f}".removeprefix("0")


def _square(
    labels: Sequence[str],
    figure: "Figure",
    axes: "Axes",
    *,
    below: float,
) -> None:
    """Label the rows and columns of a square, and make room for it; *below* is in inches."""
    cell = _cell(labels)
    names = [*map(_plain, labels)]
    words = max(map(_width, names))
    upright = words > 0.9 * cell
    places = range(len(names))
    axes.set_xticks(places, names, rotation=90 if upright else 0)
    axes.set_yticks(places, names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    side = cell * len(names)
    high = words if upright else _LINE
    # Room for a legend, even if the square is narrower.
    figure.set_size_inches(max(side + words + 0.4, 3.4), side + high + below + 0.7)


def _cell(labels: Sequence[str]) -> float:
    """Return the side of a cell in inches: a square takes the room of other plots, if it can."""
    return min(_CELL, max(_SMALL_CELL, _SQUARE / len(labels)))


def _draw_forest(plot: Forest, figure: "Figure", axes: "Axes") -> None:
    number = len(plot.estimates)
    has_bound = any(one.upper > one.value for one in plot.estimates)
    for row, one in enumerate(plot.estimates):
        if one.interval is not None:
            axes.plot(one.interval, [row, row], color=INK, linewidth=1.2, zorder=1)
        if one.upper > one.value:
            axes.plot([one.value, one.upper], [row, row], color=_WORSE, linewidth=5, zorder=2)
            axes.plot([one.upper], [row], "|", color=_WORSE, markersize=11, zorder=2)
        axes.plot([one.value], [row], "s", color=_BETTER, markersize=6, zorder=3)
        if one.dots:  # beneath the line, so that the mean hides none of them
            axes.plot(one.dots, [row + _BENEATH] * len(one.dots), "o", color=_DOT, markersize=4)
    names = [_plain(one.label) for one in plot.estimates]
    axes.set_yticks(range(number), names)
    axes.set_ylim(number - 0.4, -0.6)
    axes.set_xlabel(_plain(plot.x_title))
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["left", "right", "top"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    numbers = [*map(_in_numbers, plot.estimates)]
    beside = axes.twinx()
    beside.set_yticks(range(number), numbers, fontsize="small")
    beside.set_ylim(axes.get_ylim())
    beside.tick_params(length=0)
    beside.spines[:].set_visible(False)
    _explain_forest(plot, figure, has_bound)
    words = max(map(_width, names)) + max(map(_width, numbers))
    figure.set_size_inches(words + 4.2, _ROW * number + 1.5)


def _explain_forest(plot: Forest, figure: "Figure", has_bound: bool) -> None:
    from matplotlib.lines import Line2D

    has_dots = any(one.dots for one in plot.estimates)
    found = "mean of runs" if has_dots else "found"
    handles = [Line2D([], [], marker="s", linestyle="", color=_BETTER, label=found)]
    if has_dots:
        handles.append(Line2D([], [], marker="o", linestyle="", color=_DOT, label="run"))
    if has_bound:
        handles.append(Line2D([], [], color=_WORSE, linewidth=5, label="up to at most, not proven"))
    if any(one.interval for one in plot.estimates):
        handles.append(Line2D([], [], color=INK, linewidth=1.2, label="confidence interval"))
    if len(handles) > 1:
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))


def _in_numbers(one: Estimate) -> str:
    value = f"{one.value:.4f}"
    if one.upper > one.value:
        value += f" to {one.upper:.4f}"
    return (
        value if one.interval is None else f"{value} ({one.interval[0]:.4f}, {one.interval[1]:.4f})"
    )


def _draw_histograms(plot: Histograms, figure: "Figure", axes: "Axes") -> None:
    """Draw the histograms on one scale, the first one at the top, each with its name beside it."""
    most = max(max(one.ys) for one in plot.series)
    names = [_plain(one.label) for one in plot.series]
    floors = [_FLOOR * most * (len(names) - 1 - number) for number in range(len(names))]
    for number, (one, floor) in enumerate(zip(plot.series, floors, strict=True)):
        ends = [float(x) for x in one.xs]
        widths = [end - start for start, end in pairwise(ends)]
        colour = _look(number).colour
        axes.bar(ends[:-1], one.ys, widths, floor, align="edge", color=colour, edgecolor="white")
        axes.axhline(floor, color=INK, linewidth=0.8)
    axes.set_yticks(floors, names)
    axes.set_ylim(0, _FLOOR * most * len(names))
    axes.set_xlim(float(plot.series[0].xs[0]), float(plot.series[0].xs[-1]))
    axes.set_xlabel(f"{_plain(plot.x_title)}\nhighest bar: {100 * most:.0f}% of its pairs")
    axes.spines[["left", "right", "top"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.set_size_inches(_SIZE[0] + max(map(_width, names)), _SIZE[1])


class _Look(NamedTuple):
    """The look of a series: its colour, dashes and mark."""

    colour: str
    mark: str
    dashes: Any


def _look(number: int) -> _Look:
    return _Look(
        _COLOURS[number % len(_COLOURS)],
        _MARKS[number % len(_MARKS)],
        _DASHES[number % len(_DASHES)],
    )


#: The look of what others are measured by: the colour of the text, and a mark of its own.
_REFERENCE = _Look(INK, "*", "-")


def _looks(series: Sequence[Series]) -> list[_Look]:
    """Return the look of each series."""
    looks: list[_Look] = []
    own = 0
    for one in series:
        if one.continues:
            looks.append(looks[-1]._replace(dashes=_BEYOND))
            continue
        looks.append(_REFERENCE if one.is_reference else _look(own))
        own += 1
    return looks


def _draw_over_axes(plot: Chart | Scatter | Curves, figure: "Figure", axes: "Axes") -> None:
    axes.set_xlabel(_plain(plot.x_title))
    axes.set_ylabel(_plain(plot.y_title))
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    _place_legend(plot, figure)
    if isinstance(plot, Chart):
        _draw_chart(plot, axes)
    elif isinstance(plot, Scatter):
        _draw_scatter(plot, axes)
    else:
        _draw_curves(plot, axes)
    _fill_legend(plot, figure, axes)


def _place_legend(plot: Chart | Scatter | Curves, figure: "Figure") -> None:
    """Widen the figure, and make it higher if needed, so that a legend fits beside the axes."""
    names = [_plain(one.label) for one in plot.series]
    columns = ceil(len(names) / _IN_COLUMN)
    wide = columns * (max(map(_width, names)) + _HANDLE)
    high = _LINE * ceil(len(names) / columns) + 0.5
    is_square = isinstance(plot, Scatter) and plot.unit_square
    figure.set_size_inches(_SIZE[is_square] + wide, max(_SIZE[1], high))


def _fill_legend(plot: Chart | Scatter | Curves, figure: "Figure", axes: "Axes") -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside right upper",
        ncols=ceil(len(plot.series) / _IN_COLUMN),
        handlelength=3.2,
    )


def _draw_curves(plot: Curves, axes: "Axes") -> None:
    for number, (series, look) in enumerate(zip(plot.series, _looks(plot.series), strict=True)):
        step = max(1, len(series.xs) // _MARKS_ON_CURVE)
        axes.plot(
            series.xs,
            series.ys,
            color=look.colour,
            linestyle=look.dashes,
            marker=look.mark,
            markersize=4.5,
            markevery=(number * step // len(plot.series), step),
            label=_plain(series.label),
        )


def _draw_scatter(plot: Scatter, axes: "Axes") -> None:
    from matplotlib.lines import Line2D

    most = 1
    for series, look in zip(plot.series, _looks(plot.series), strict=True):
        places = Counter(zip(series.xs, series.ys, strict=True))
        most = max(most, *places.values())
        # Hollow, so that marks of several series in one place stay visible.
        axes.scatter(
            [x for x, _ in places],
            [y for _, y in places],
            s=[10 * min(times, _MOST_COUNTED) for times in places.values()],
            marker=look.mark,
            facecolors="none",
            edgecolors=look.colour,
            linewidths=1.0,
            alpha=0.9,
            rasterized=len(places) > _MOST_DRAWN,
        )
        axes.add_line(
            Line2D(
                [],
                [],
                linestyle="",
                marker=look.mark,
                markerfacecolor="none",
                color=look.colour,
                label=_plain(series.label),
            )
        )
    if plot.unit_square:
        axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8, linestyle="--", zorder=0)
        axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal")
    else:
        axes.set_yscale("symlog", linthresh=1)
        axes.autoscale_view()
    if most > 1:
        axes.set_xlabel(f"{_plain(plot.x_title)}\na larger mark stands for more pairs in its place")


def _draw_chart(plot: Chart, axes: "Axes") -> None:
    place = {name: position for position, name in enumerate(plot.categories)}
    for number, (series, look) in enumerate(zip(plot.series, _looks(plot.series), strict=True)):
        # Side by side, so that marks of several series in one place stay visible.
        aside = _aside(number, len(plot.series)) if place else 0.0
        xs = [place[str(x)] + aside if place else x for x in series.xs]
        axes.plot(
            xs,
            series.ys,
            color=look.colour,
            linestyle=look.dashes if plot.lines else "",
            linewidth=1.3,
            marker=look.mark,
            markersize=5.5,
            markerfacecolor="none",
            label=_plain(series.label),
        )
        for x, ends in zip(xs, series.intervals, strict=False):
            if ends is not None:
                axes.plot([x, x], ends, color=look.colour, linewidth=0.9, alpha=0.6, zorder=1)
    if place:
        _label_categories(plot.categories, axes)
    elif plot.log_x:
        _label_decades([float(x) for one in plot.series for x in one.xs], axes)


def _aside(number: int, series: int) -> float:
    """Return the shift of a series from the middle of a category, as a part of the category."""
    step = min(0.06, 0.6 / series)
    return (number - (series - 1) / 2) * step


def _label_categories(categories: Sequence[str], axes: "Axes") -> None:
    """Label categories: upright if they are many or long, and only some of very many."""
    names = [*map(_plain, categories)]
    room = (_SIZE[0] - 1.2) / len(names)
    upright = max(map(_width, names)) + 0.1 > room
    every = max(1, ceil(_LINE / room)) if upright else 1
    axes.set_xticks(range(0, len(names), every), names[::every], rotation=90 if upright else 0)
    axes.set_xlim(-0.5, len(names) - 0.5)


def _label_decades(values: Sequence[float], axes: "Axes") -> None:
    """Give the axis a log scale with few plain numbers, if the values span more than a little."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = min(values), max(values)
    if low <= 0 or high < 4 * low:
        return
    axes.set_xscale("log")
    subs = (1.0, 2.0, 5.0) if high < 300 * low else (1.0,)
    axes.xaxis.set_major_locator(LogLocator(subs=subs, numticks=12))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _cells(square: Sequence[Sequence[_Cell | None]]) -> Iterator[tuple[int, int, _Cell]]:
    """Yield row, column and value of the cells that are not empty."""
    for row, cells in enumerate(square):
        for column, cell in enumerate(cells):
            if cell is not None:
                yield row, column, cell


def _legible_on(colour: Sequence[float]) -> str:
    """Return black or white, whichever has more contrast (as WCAG 2 defines it)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "black" if luminance + 0.05 > sqrt(1.05 * 0.05) else "white"


def _width(text: str) -> float:
    """Return the width of a label in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=10)
    width, *_ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / _POINTS_PER_INCH


def _plain(text: str) -> str:
    """Return text that matplotlib shows unchanged.

    matplotlib reads text between dollars as a formula, and leaves names that begin with an
    underscore out of a legend.
    """
    escaped = harmless(text).replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped
