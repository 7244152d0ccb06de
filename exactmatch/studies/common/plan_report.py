"""Add to the report of a study how many items are enough: a table, a plot and a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from exactmatch.report.document import Chart, Column, Report, Rows, Series, Table
from exactmatch.studies.common.item_numbers import SUBSAMPLES, AtSize, Planned
from exactmatch.studies.common.statistics import Resampling


@dataclass(frozen=True, slots=True)
class ItemPlan:
    """How many items give intervals of a half-width of *width*, for each figure of a study.

    figures: the name of the metric, and the figure.
    """

    width: float
    figures: Sequence[tuple[str, Planned]]
    resampling: Resampling


def with_plan(report: Report, plan: ItemPlan, sentence: str, note: str, *notes: str) -> Report:
    """Return *report* with the plan; *sentence* is for papers, and *note* explains the table."""
    return replace(
        report,
        sentence=f"{report.sentence} {sentence}",
        notes=[*report.notes, sentence, *notes],
        tables=[*report.tables, _table(plan, note)],
        plots=[*report.plots, _plot(plan)],
    )


def needed(one: Planned, width: float) -> str:
    """Return how many items give the *width* asked for."""
    if one.about is None:
        return f"no number of items is known to give {width:g}"
    return f"about {one.about:,} items give {width:g}"


def _table(plan: ItemPlan, note: str) -> Table:
    def of(kind: str) -> Callable[[str, Planned, AtSize], float | None]:
        return lambda _, figure, size: size.precision if figure.kind == kind else None

    metrics = {metric for metric, _ in plan.figures}
    named: list[Column[str, Planned, AtSize]] = [
        Column("metric", "metric", lambda metric, figure, size: metric)
    ]
    return Rows(
        (metric, figure, size) for metric, figure in plan.figures for size in figure.sizes
    ).table(
        "plan",
        "How many items are enough",
        [
            *(named if len(metrics) > 1 else []),
            Column("of", "of", lambda metric, figure, size: figure.name),
            Column("items", "items", lambda metric, figure, size: size.items),
            Column("half_width", "half-width", of("half-width"), if_known=True),
            Column("difference", "smallest difference", of("difference"), if_known=True),
            Column("basis", "from", lambda metric, figure, size: size.basis),
            Column(
                "enough",
                f"enough for {plan.width:g}",
                lambda metric, figure, size: figure.enough if size.basis == "all items" else None,
            ),
        ],
        f"Half-width: half of the {plan.resampling.percent} confidence interval; with fewer items, "
        f"its mean over {SUBSAMPLES} subsamples. Extrapolated: the part that sampling causes "
        f"shrinks with the square root of the number of items. {note}",
    )


def _plot(plan: ItemPlan) -> Chart:
    """Return the plot of half-widths of figures that are known for several numbers of items.

    The extrapolated part is a dotted line that continues the other.
    """
    metrics = {metric for metric, _ in plan.figures}
    series = []
    for metric, figure in plan.figures:
        if figure.kind != "half-width" or len(figure.sizes) == 1:
            continue
        name = f"{figure.name}, {metric}" if len(metrics) > 1 else figure.name
        there = [size for size in figure.sizes if size.basis != "extrapolated"]
        beyond = [size for size in figure.sizes if size.basis != "subsamples"]
        extrapolated = _line(f"{name}, extrapolated", beyond)
        series += [_line(name, there), replace(extrapolated, continues=True)]
    level = plan.resampling.percent
    title = "Half-width by the number of items"
    return Chart("plan", title, "items", f"half-width of the {level} interval", series, log_x=True)


def _line(name: str, sizes: Sequence[AtSize]) -> Series:
    known = [(one.items, one.precision) for one in sizes if one.precision is not None]
    return Series(name, [items for items, _ in known], [precision for _, precision in known])
