"""Plots."""

from pathlib import Path

import pytest
from study_files import IAA, run

#: A study, and the plots that it has.
STUDIES = {
    "iaa": (IAA, ["agreement", "months"]),
    "correlate": (
        ("correlate", "a.amr", "b.amr", "consensus.amr", "--metrics", "smatch:r,sembleu"),
        ["densities", "smatch_r-sembleu", "units"],
    ),
}


@pytest.mark.parametrize("study", STUDIES)
def test_plots_are_the_same_bytes_every_time(files: Path, study: str) -> None:
    words, plots = STUDIES[study]
    for folder in ("one", "two"):
        assert run(*words, "--plots", folder).exit_code == 0
    names = sorted(path.name for path in Path("one").iterdir())
    assert names == [f"{name}.{suffix}" for name in plots for suffix in ("png", "svg")]
    for name in names:
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
    assert Path("one", names[0]).read_bytes().startswith(b"\x89PNG")
