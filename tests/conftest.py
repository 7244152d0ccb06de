"""The shared parts of tests in several rooms: files of studies, and verified texts."""

import gc
import math
import multiprocessing
import os
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

# As for commands (`exactmatch.__main__`): threads of OpenBLAS wait busily. It looks at this when it
# is loaded with NumPy, by some of the parts below.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from chromium import program
from coq_program import is_there
from javascript_checker import node
from nightly import choose
from notebook_runs import has_notebooks
from pyodide_folder import VARIABLE, runtime
from site_pages import built_site, has_mkdocs
from study_files import write_files
from units import Units, place, turned

from exactmatch.runtime import processes

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


def pytest_configure(config: pytest.Config) -> None:
    choose(config.getoption("markexpr"))


#: The files that test what is compiled where there is a compiler.
_OF_THE_KERNEL = {
    "certificate/test_proof_check.py",
    "graphs/test_well_formed.py",
    "many/test_corpora.py",
    "metrics/test_numbered.py",
    *("problem/test_joining.py", "problem/test_tables.py"),
    *(f"solving/test_{name}.py" for name in ("counting", "covers", "dual", "steps")),
}


#: Marks of what needs more than the extra `test`, whether there is that, and what it is.
_NEEDED: dict[str, tuple[Callable[[], bool], str]] = {
    "browser": (lambda: program() is not None, "chromium-headless-shell or chromium"),
    "coq": (is_there, "coqc, and OCaml with Zarith"),
    "site": (has_mkdocs, "mkdocs (the extra site)"),
    "pyodide": (lambda: runtime() is not None, f"pyodide (its npm folder in {VARIABLE})"),
    "notebooks": (has_notebooks, "ipykernel, nbclient and nbformat (the extra notebooks)"),
    "node": (lambda: node() is not None, "Node.js"),
}
#: Those of what takes long to install or to begin, and changes seldom.
_AT_NIGHT = {"notebooks", "pyodide"}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return one worker more than there are cores: browsers, clusters and waits leave them idle.

    Without the slow tests, nothing waits, and one more would only collect all tests once more. The
    variable PYTEST_XDIST_AUTO_NUM_WORKERS of pytest-xdist wins.
    """
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    waits = "not slow" not in config.getoption("markexpr")
    return (os.cpu_count() or 1) + waits


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Units | None:
    """Distribute the files, and with them their shared fixtures, to the processes."""
    return Units(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no other file for a run of what tests the kernel (``-m "kernel ..."``)."""
    if not config.getoption("markexpr").startswith("kernel") or collection_path.is_dir():
        return None
    return None if _tests_the_kernel(collection_path) else True


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let the processes of pytest-xdist collect each folder in another order."""
    report = yield
    process = getattr(collector.config, "workerinput", None)
    if process and isinstance(collector, pytest.Dir) and report.result:
        report.result = turned(report.result, process)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests of the kernel and slow ones; leave out those that cannot run on this machine.

    Slow tests come first, and all processes have the same order.
    """
    items.sort(key=lambda item: (place(item.nodeid), item.path))
    absent = {*_absent()}
    left_out = []
    for item in items:
        if _tests_the_kernel(item.path):
            item.add_marker(pytest.mark.kernel)
        marks = {mark.name for mark in item.iter_markers()}
        needed = marks & _NEEDED.keys()
        if marks & _AT_NIGHT:
            item.add_marker(pytest.mark.nightly)
        if needed or "nightly" in marks:
            item.add_marker(pytest.mark.slow)
        if needed & absent:
            left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


@cache
def _tests_the_kernel(path: Path) -> bool:
    return path.relative_to(Path(__file__).parent).as_posix() in _OF_THE_KERNEL


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exempt the collected tests from garbage collection, since they stay until the end.

    Collect garbage less often than Python does, for as long as the tests run.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name in _absent():
        terminalreporter.write_line(f"{name} tests: LEFT OUT, no {_NEEDED[name][1]} found")


def _absent() -> list[str]:
    return [name for name, (is_here, _) in _NEEDED.items() if not is_here()]


@pytest.fixture(autouse=True, scope="session")
def no_processes_by_the_clock() -> Iterator[None]:
    """Keep the work in this process, which ``--workers auto`` would share out after a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("exactmatch.runtime.workers._ALONE", math.inf)
        yield


#: What every worker that scores pairs loads before its first task.
_LOADED = ["exactmatch.runtime.processes", "exactmatch.scoring.pair", "exactmatch.scoring.stream"]


@pytest.fixture(autouse=True, scope="session")
def forked_workers() -> Iterator[object]:
    """Fork workers from a process that has loaded the package; starting Python takes far longer.

    A worker gets nothing else from that process. Yield the context of the program, in which workers
    start as they do for users.
    """
    of_program = processes._CONTEXT
    if "forkserver" not in multiprocessing.get_all_start_methods():
        yield of_program
        return
    multiprocessing.set_forkserver_preload(_LOADED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "_CONTEXT", multiprocessing.get_context("forkserver"))
        yield of_program


@pytest.fixture
def own_workers(forked_workers: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the workers of a test as for users: it is about how processes start, live and end."""
    monkeypatch.setattr(processes, "_CONTEXT", forked_workers)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, in which mkdocs has found no link or anchor that is lost."""
    return built_site(tmp_path_factory.mktemp("site"))


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
