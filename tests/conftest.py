"""What tests of several rooms share: the files of a study, and texts known to be right."""

import gc
import math
import os
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from chromium import programs
from coq_program import is_there
from javascript_checker import node
from notebook_runs import has_notebooks
from pyodide_folder import VARIABLE, runtime
from site_pages import has_mkdocs
from study_files import write_files
from units import Units, place

GOLDEN = Path(__file__).parent / "golden"

_HAS_CHECKOUT = Path(__file__).parents[1].joinpath("benchmarks").exists()
#: These read pages as they are collected, and the benchmarks measure as POSIX can.
collect_ignore = (
    [] if _HAS_CHECKOUT else ["documentation", "reevaluation", "solving/test_relaxations.py"]
)
if not (_HAS_CHECKOUT and os.name == "posix"):
    collect_ignore.append("test_benchmarks.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the files in tests/golden anew; read what has changed before it is kept",
    )


#: The rooms and files that test what is compiled where there is a compiler.
_OF_THE_KERNEL = {
    *("certificate", "solving"),
    *("many/test_corpora.py", "many/test_choose.py"),
    *("graphs/test_penman.py", "graphs/test_well_formed.py", "problem/test_joining.py"),
    *("metrics/test_smatch.py", "metrics/test_s2match.py", "metrics/test_umatch.py"),
    *("test_instances.py", "test_properties.py"),
}


#: Files of these rooms to which it does not matter: they run nothing of it, or only to have a
#: problem for solvers.
_WITHOUT_KERNEL = {
    *(f"certificate/test_{name}.py" for name in ("checker", "checker_script", "theorem")),
    *("certificate/test_cutting_planes.py", "solving/test_encodings.py"),
}


#: Marks of what needs more than the extra `test`, whether there is that, and what it is.
_NEEDED: dict[str, tuple[Callable[[], bool], str]] = {
    "browser": (lambda: programs() is not None, "chromium and chromium-driver"),
    "coq": (is_there, "coqc, and OCaml with Zarith"),
    "site": (has_mkdocs, "mkdocs (the extra site)"),
    "pyodide": (
        lambda: runtime() is not None,
        f"pyodide (its npm folder in {VARIABLE}) and Node.js",
    ),
    "notebooks": (has_notebooks, "ipykernel, nbclient and nbformat (the extra notebooks)"),
    "node": (lambda: node() is not None, "Node.js"),
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores: browsers, clusters and waits leave them idle."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Units | None:
    """Share out files, and what several of them have in common, to the processes."""
    return Units(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what tests the kernel, and what is slow; leave out what this machine cannot run.

    What takes long comes first.
    """
    items.sort(key=lambda item: place(item.nodeid))
    absent = _absent()
    left_out = []
    for item in items:
        file = item.path.relative_to(Path(__file__).parent).as_posix()
        of_the_kernel = _OF_THE_KERNEL & {file, file.partition("/")[0]}
        if of_the_kernel and file not in _WITHOUT_KERNEL:
            item.add_marker(pytest.mark.kernel)
        if any(item.get_closest_marker(name) for name in _NEEDED):
            item.add_marker(pytest.mark.slow)
        if any(item.get_closest_marker(name) for name in absent):
            left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave what is collected out of the search for garbage: it stays until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name in _absent():
        terminalreporter.write_line(f"{name} tests: LEFT OUT, no {_NEEDED[name][1]} found")


def _absent() -> list[str]:
    return [name for name, (is_here, _) in _NEEDED.items() if not is_here()]


@pytest.fixture(autouse=True)
def no_processes_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave to this process what ``--workers auto`` would leave to others after a second."""
    monkeypatch.setattr("exactmatch.runtime.workers._ALONE", math.inf)


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
