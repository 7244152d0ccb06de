"""What tests of several rooms share: the files of a study, and texts known to be right."""

import math
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from study_files import write_files

GOLDEN = Path(__file__).parent / "golden"

#: The benchmarks need the repository around the tests, and measure as POSIX can.
_HAS_BENCHMARKS = Path(__file__).parents[1].joinpath("benchmarks").exists()
collect_ignore = [] if _HAS_BENCHMARKS and os.name == "posix" else ["test_benchmarks.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the files in tests/golden anew; read what has changed before it is kept",
    )


@pytest.fixture(autouse=True)
def no_processes_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave to this process what ``--workers auto`` would leave to others after a second."""
    monkeypatch.setattr("exactmatch.workers._ALONE", math.inf)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with that of a file in the folder golden, by the name of the file."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8", newline="\n")
        assert text == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with the first six items of the agreement study."""
    monkeypatch.chdir(tmp_path)
    write_files()
    return tmp_path
