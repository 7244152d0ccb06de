"""Leave out the plots of a report that show nothing, and say why."""

from collections.abc import Iterable
from dataclasses import replace

from exactmatch.report.document import Chart, Contests, Curves, Forest, Histograms, Plot, Report


def without_idle_plots(report: Report) -> Report:
    """Return *report* without plots that show nothing, and with a note on each of them."""
    reasons = [(plot, _idle(plot)) for plot in report.plots]
    return replace(
        report,
        plots=[plot for plot, reason in reasons if reason is None],
        not_drawn=[
            f"No plot {plot.title!r}: {reason}." for plot, reason in reasons if reason is not None
        ],
    )


def _idle(plot: Plot) -> str | None:
    """Return why a plot shows nothing; None if it shows something."""
    if isinstance(plot, Forest):
        return _of_values(
            {(one.value, one.upper, one.interval, *one.dots) for one in plot.estimates}
        )
    if isinstance(plot, Contests):
        return _of_contests(plot)
    if isinstance(plot, Histograms):
        return _nothing(share for one in plot.series for share in one.ys)
    if isinstance(plot, Chart) and plot.lines:
        return _of_lines(plot)
    points = {point for one in plot.series for point in zip(one.xs, one.ys, strict=True)}
    return _of_values(points) if not isinstance(plot, Curves) else _nothing(points)


def _of_contests(plot: Contests) -> str | None:
    tested = [cell for row in plot.cells for cell in row if cell and cell.outcome]
    # Each of two sides has the result of the other.
    return "there is nothing to compare" if not tested else _of_values(range(len(tested) // 2))


def _of_lines(plot: Chart) -> str | None:
    xs = {x for one in plot.series for x in one.xs}
    ys = {y for one in plot.series for y in one.ys}
    if len(xs) == 1:
        return f"all values are equal ({plot.x_title}: {next(iter(xs))})"
    return "all values are 0" if ys == {0} else _nothing(xs)


def _of_values(values: Iterable[object]) -> str | None:
    return "there is only one value" if len({*values}) == 1 else _nothing(values)


def _nothing(values: Iterable[object]) -> str | None:
    return None if {*values} else "there are no values"
