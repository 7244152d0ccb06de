"""Plots."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day
from study_files import blocks_of, run, study_of, write

from exactmatch.cli import studies
from exactmatch.cli.progress_bar import progress
from exactmatch.report.document import Estimate, Forest
from exactmatch.report.plots import svg, write_plots

SUFFIXES = ("pdf", "png", "svg")
IAA = ("iaa", "a.amr", "b.amr", "c.amr", "--consensus", "consensus.amr", "--resamples", "99")
CORRELATE = ("correlate", "a.amr", "b.amr", "consensus.amr", "--metrics", "smatch:r,sembleu")


@pytest.mark.nightly
def test_plots_are_the_same_bytes_in_every_format(files: Path) -> None:
    plots = study_of(*IAA, "--plots", "one").document.plots
    names = sorted(path.name for path in Path("one").iterdir())
    keys = ["agreement", "chance", "differences", "months"]
    assert names == [f"{name}.{suffix}" for name in keys for suffix in SUFFIXES]
    (first,) = (plot for plot in plots if plot.key == keys[0])
    write_plots([first], Path("two"))
    for suffix, start in zip(SUFFIXES, (b"%PDF-", b"\x89PNG\r", b"<?xml"), strict=True):
        one, two = (Path(name, f"{keys[0]}.{suffix}").read_bytes() for name in ("one", "two"))
        assert one == two and one.startswith(start)


@pytest.mark.nightly
def test_plots_of_every_kind_are_the_same_bytes_every_time(files: Path) -> None:
    plots = [plot for words in (IAA, CORRELATE) for plot in study_of(*words).document.plots]
    keys = {plot.key for plot in plots}
    assert keys == {
        *("agreement", "chance", "differences", "months"),
        *("densities", "smatch_r-sembleu", "units"),
    }
    assert [*map(svg, plots)] == [*map(svg, plots)]


def test_settings_of_the_machine_change_nothing() -> None:
    """matplotlib reads such settings from a file in the current folder."""
    from matplotlib import rc_context

    plot = Forest("f", "Forest", "F1", [Estimate("a", 0.5, 0.5, (0.25, 0.75))])
    found = svg(plot)
    with rc_context({"font.size": 30, "axes.facecolor": "red", "savefig.facecolor": "blue"}):
        assert svg(plot) == found


@pytest.mark.nightly
def test_settings_that_cannot_be_read_are_one_message(tmp_path: Path) -> None:
    settings = tmp_path / "matplotlibrc"
    settings.write_bytes(b"font.family: caf\xe9\n")
    agreement = Path(__file__).parents[2] / "instances" / "agreement"
    files = [str(agreement / name) for name in ("a.amr", "b.amr", "d.amr")]
    words = ["iaa", *files, "--resamples", "10", "--plots", str(tmp_path / "plots")]
    done = subprocess.run(
        [sys.executable, "-m", "exactmatch", *words],
        env={**os.environ, "MATPLOTLIBRC": str(settings)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (1, "")
    *_, last = done.stderr.splitlines()
    assert last.startswith("error: plots: matplotlib cannot read its settings: 'utf-8' codec")
    assert "Traceback" not in done.stderr
    assert [*(tmp_path / "plots").iterdir()] == []


def test_names_are_shown_as_they_are(files: Path) -> None:
    """Dollars do not start formulas, and underscores hide no entry of a legend."""
    names = "a$_{$b", "_c"
    for name in names:
        write(f"{name}.amr", blocks_of("a.amr"))
    systems = [f"{name}.amr" for name in names]
    study = study_of("correlate", *systems, "b.amr", "--metrics", "smatch,sembleu")
    (plot,) = (plot for plot in study.document.plots if plot.key == "smatch-sembleu")
    assert all(f"{name}</text>" in svg(plot) for name in names)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "times"),
    by_day([(("--plots", "plots"), 2), (("--format", "html", "-o", "report.html"), 1), ((), 0)]),
)
def test_the_command_says_that_it_draws(
    words: Sequence[str], times: int, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plots take seconds, in which nothing else would be said; a table takes none."""
    told: list[str] = []

    def heard(doing: str, total: int | None, unit: str = "") -> Any:
        told.append(doing)
        return progress(doing, total, unit)

    monkeypatch.setattr(studies, "progress", heard)
    assert run("iaa", "a.amr", "b.amr", "--resamples", "99", *words).exit_code == 0
    assert told.count("drawing plots") == times
