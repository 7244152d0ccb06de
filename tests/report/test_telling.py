"""Empty plots are left out, and the report says so."""

from dataclasses import replace

import pytest

from exactmatch.report.document import (
    Chart,
    Contested,
    Contests,
    Curves,
    Estimate,
    Forest,
    Plot,
    Provenance,
    Report,
    Scatter,
    Series,
)
from exactmatch.report.idle_plots import without_idle_plots

TWO, THREE = ["a", "b"], ["a", "b", "c"]
LINES = Chart("k", "t", "x", "y", [Series("a", ["p", "q"], [0, 0.5])], categories=["p", "q"])
POINTS = replace(LINES, lines=False, categories=(), series=[Series("a", [1.0], [0.5])])
OPEN = Contested("open", 0.5)
ONE = "there is only one value"
NONE = "there are no values"
EMPTY = "there is nothing to compare"


@pytest.mark.parametrize(
    "plot, reason",
    [
        (Forest("k", "t", "x", [Estimate("a", 0.5, 0.5, (0.4, 0.6))]), ONE),
        (Forest("k", "t", "x", [Estimate(name, 0.5, 0.5, None) for name in "ab"]), ONE),
        (Forest("k", "t", "x", [Estimate("a", f1, f1, None) for f1 in (0.5, 0.4)]), None),
        (Contests("k", "t", TWO, [[None, OPEN], [OPEN, None]], 0.05), ONE),
        (Contests("k", "t", THREE, [[None, OPEN, OPEN]] * 3, 0.05), None),
        (Contests("k", "t", TWO, [[None, Contested(None, None)]] * 2, 0.05), EMPTY),
        (LINES, None),
        (replace(LINES, series=[Series("a", ["p"], [0.5])]), "all values are equal (x: p)"),
        (replace(LINES, series=[Series("a", ["p", "q"], [0.0, 0.0])]), "all values are 0"),
        (replace(LINES, series=[]), NONE),
        (POINTS, ONE),
        (replace(POINTS, series=[Series("a", [1.0, 2.0], [0.5, 0.5])]), None),
        (Scatter("k", "t", "x", "y", [Series("a", [1, 1], [1, 1])]), ONE),
        (Curves("k", "t", "x", "y", []), NONE),
        (Curves("k", "t", "x", "y", [Series("a", [0, 1], [1, 1])]), None),
    ],
)  # fmt: skip
def test_plots_that_tell_nothing_are_left_out(plot: Plot, reason: str | None) -> None:
    report = without_idle_plots(
        Report("study", "title", "result", [], Provenance("", [], "", "", ""), plots=[plot])
    )
    if reason is None:
        assert list(report.plots) == [plot] and not report.not_drawn
    else:
        assert not report.plots and report.not_drawn == [f"No plot 't': {reason}."]
