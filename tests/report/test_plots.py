"""Plots."""

from pathlib import Path

import pytest
from study_files import IAA, blocks_of, run, write

SUFFIXES = ("pdf", "png", "svg")
#: A study, and the plots that it has.
STUDIES = {
    "iaa": (IAA, ["agreement", "differences", "months"]),
    "correlate": (
        ("correlate", "a.amr", "b.amr", "consensus.amr", "--metrics", "smatch:r,sembleu"),
        ["densities", "smatch_r-sembleu", "units"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_plots_are_the_same_bytes_every_time(files: Path, study: str) -> None:
    words, plots = STUDIES[study]
    for folder in ("one", "two"):
        assert run(*words, "--plots", folder).exit_code == 0
    names = sorted(path.name for path in Path("one").iterdir())
    assert names == [f"{name}.{suffix}" for name in plots for suffix in SUFFIXES]
    for name in names:
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
    starts = {suffix: Path("one", f"{plots[0]}.{suffix}").read_bytes()[:5] for suffix in SUFFIXES}
    assert starts == {"pdf": b"%PDF-", "png": b"\x89PNG\r", "svg": b"<?xml"}


@pytest.mark.slow
def test_names_are_shown_as_they_are(files: Path) -> None:
    """Dollars do not start formulas, and underscores hide no entry of a legend."""
    names = "a$_{$b", "_c"
    for name in names:
        write(f"{name}.amr", blocks_of("a.amr"))
    systems = [f"{name}.amr" for name in names]
    words = ("correlate", *systems, "b.amr", "--metrics", "smatch,sembleu", "--plots", "plots")
    assert run(*words).exit_code == 0
    drawn = Path("plots", "smatch-sembleu.svg").read_text("utf-8")
    assert all(f"{name}</text>" in drawn for name in names)
