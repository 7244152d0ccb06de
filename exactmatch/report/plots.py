"""Plots of reports, drawn by matplotlib: the same bytes for the same numbers."""

from collections.abc import Sequence
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactmatch.output import make_folder, write_bytes, write_text
from exactmatch.report.document import Chart, Curves, HeatMap, Plot, Scatter

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Inches by inches.
_SIZE = (6.4, 4.4)
_DPI = 150
#: Makes the identifiers inside SVG files the same in every run; text stays text.
_SETTINGS: Any = {"svg.hashsalt": "exactmatch", "svg.fonttype": "none", "font.family": "sans-serif"}
_MARKERS = "osD^vPX*"


def svg(plot: Plot) -> str:
    """Return a plot as an ``<svg>`` element."""
    drawing = _drawing(plot)
    return drawing[drawing.index("<svg") :]


def write_plots(plots: Sequence[Plot], folder: Path) -> None:
    """Write every plot as a PNG and as an SVG file into *folder*, which is made if need be."""
    make_folder(folder)
    for plot in plots:
        picture = BytesIO()
        _save(plot, picture, format="png", dpi=_DPI, metadata={"Software": None})
        write_bytes(folder / f"{plot.key}.png", picture.getvalue())
        write_text(folder / f"{plot.key}.svg", _drawing(plot))


def _drawing(plot: Plot) -> str:
    text = StringIO()
    _save(plot, text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


def _save(plot: Plot, target: Any, **options: Any) -> None:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_SETTINGS):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(plot.title)
        if isinstance(plot, HeatMap):
            _draw_heat_map(plot, figure, axes)
        else:
            _draw_over_axes(plot, figure, axes)
        figure.savefig(target, **options)


def _draw_heat_map(plot: HeatMap, figure: "Figure", axes: "Axes") -> None:
    known = [value for row in plot.values for value in row if value is not None]
    values = [[float("nan") if value is None else value for value in row] for row in plot.values]
    image = axes.imshow(values, cmap="Blues", vmin=min(known, default=0), vmax=1)
    places = range(len(plot.labels))
    axes.set_xticks(places, plot.labels, rotation=30, ha="right")
    axes.set_yticks(places, plot.labels)
    middle = (min(known, default=0) + 1) / 2
    for i, row in enumerate(plot.values):
        for j, value in enumerate(row):
            if value is not None:
                colour = "white" if value > middle else "black"
                axes.text(j, i, f"{value:.3f}", ha="center", va="center", color=colour)
    figure.colorbar(image, ax=axes, shrink=0.8)


def _draw_over_axes(plot: Chart | Scatter | Curves, figure: "Figure", axes: "Axes") -> None:
    if isinstance(plot, Chart):
        _draw_chart(plot, axes)
    elif isinstance(plot, Scatter):
        _draw_scatter(plot, axes)
    else:
        for series in plot.series:
            axes.plot(series.xs, series.ys, label=series.label)
    axes.set_xlabel(plot.x_title)
    axes.set_ylabel(plot.y_title)
    axes.grid(alpha=0.3)
    if plot.series and isinstance(plot, Scatter):  # where points may be anywhere
        figure.legend(loc="outside lower center", ncols=2, fontsize="small", markerscale=2)
    elif plot.series:
        axes.legend()


def _draw_scatter(plot: Scatter, axes: "Axes") -> None:
    for series in plot.series:
        # As an image inside of SVG, which would otherwise grow by a line for each point.
        axes.plot(
            series.xs,
            series.ys,
            linestyle="",
            marker=".",
            markersize=4,
            alpha=0.5,
            label=series.label,
            rasterized=True,
        )
    if plot.unit_square:
        axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8, linestyle="--", zorder=0)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    else:
        axes.set_yscale("symlog", linthresh=1)


def _draw_chart(plot: Chart, axes: "Axes") -> None:
    place = {name: position for position, name in enumerate(plot.categories)}
    if place:
        axes.set_xticks(range(len(place)), plot.categories)
    for number, series in enumerate(plot.series):
        xs = [place[str(x)] for x in series.xs] if place else series.xs
        marker = _MARKERS[number % len(_MARKERS)]
        style = "-" if plot.lines else ""
        axes.plot(xs, series.ys, marker=marker, linestyle=style, label=series.label)
    if plot.log_x:
        axes.set_xscale("log")
