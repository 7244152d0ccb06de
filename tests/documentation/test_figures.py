"""Figures of the documentation that reports have drawn."""

import re
from pathlib import Path

import pytest
from study_files import study_of

from exactmatch.report.plots import write_plots

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.checkout


def looks(drawing: str) -> set[str]:
    """Return the colours, dashes and fonts of a drawing."""
    return {*re.findall(r"#[0-9a-fA-F]{6}|stroke-dasharray: [^;\"]+|(?<=font: )[^;\"]+", drawing)}


@pytest.mark.nightly
def test_the_figure_of_the_first_page_looks_as_reports_draw_it(files: Path) -> None:
    figure = (ROOT / "docs" / "search-error.svg").read_text(encoding="utf-8")
    assert "(docs/search-error.svg)" in (ROOT / "README.md").read_text(encoding="utf-8")
    plots = study_of("search-error", "a.amr", "consensus.amr", "--seeds", "1").document.plots
    write_plots([plot for plot in plots if plot.key == "sizes"], Path())
    drawn = Path("sizes.svg").read_text(encoding="utf-8")
    assert looks(figure) == looks(drawn)
