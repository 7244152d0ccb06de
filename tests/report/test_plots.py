"""Plots."""

from pathlib import Path

from study_files import IAA, run


def test_plots_are_the_same_bytes_every_time(files: Path) -> None:
    for folder in ("one", "two"):
        assert run(*IAA, "--plots", folder).exit_code == 0
    names = sorted(path.name for path in Path("one").iterdir())
    assert names == ["agreement.png", "agreement.svg", "months.png", "months.svg"]
    for name in names:
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
    assert Path("one/agreement.png").read_bytes().startswith(b"\x89PNG")
