"""Wording of results: names and numbers in sentences, and reasons to leave out a plot."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from exactmatch.report.document import Chart, Contests, Curves, Forest, Histograms, Plot, Report

#: The largest number of names that are listed; more are counted.
_NAMED = 5


def listed(names: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def some_of(names: Sequence[str], others: int) -> str:
    """Return the names, or for many names their number among *others*."""
    return listed(names) if len(names) <= _NAMED else f"{len(names)} of the {others} others"


def between(low: float, high: float) -> str:
    """Return a number or, if it is not known, the ends of its interval."""
    ends = [f"{low:.4f}", f"{high:.4f}"]
    return ends[0] if low == high else " to ".join(ends)


def p_value(p: float) -> str:
    """Return ``p = 0.0123``, never rounded to 0."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


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
