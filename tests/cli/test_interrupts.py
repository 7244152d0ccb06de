"""Interrupted runs: their messages, their exit status, and no process left behind.

The streams of a run end when the last process that holds them has ended. So a test that has read
them to their end knows that no process is left.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import generate
import pytest
from click.testing import CliRunner
from nightly import by_day
from partial_files import has_content, partial_of
from started_processes import running

from exactmatch.cli import main

if os.name != "posix":
    pytest.skip("sends signals to processes", allow_module_level=True)

pytestmark = pytest.mark.slow

#: Finds processes as Linux shows them.
linux = pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="looks for processes"
)

#: Commands that take long, and what they say they do.
STUDIES = {
    "iaa": "iaa a.amr b.amr",
    "compare": "compare a.amr --gold b.amr",
    "search-error": "search-error a.amr b.amr --method s",
    "principles": "principles a.amr b.amr --seeds 1",
    "correlate": "correlate a.amr b.amr --metrics smatch,sembleu",
}
DOING = {"iaa": "comparing", "compare": "scoring", "search-error": "searching"} | {
    "principles": "judging",
    "correlate": "scoring",
}
SCORE = "score a.amr b.amr --format json --per-pair pairs.jsonl"
PAIRS = Path("pairs.jsonl")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an easy pair of graphs, and two that keep two workers busy."""
    monkeypatch.chdir(tmp_path)
    pairs = [generate.family("unrelated", size, seed=1) for size in (6, 60, 60)]
    for name, texts in zip(("a.amr", "b.amr"), zip(*pairs, strict=True), strict=True):
        graphs = [f"# ::id p.{number}\n{text}" for number, text in enumerate(texts, start=1)]
        Path(name).write_text("\n\n".join(graphs), encoding="utf-8")
    return tmp_path


#: Starts a command, with so many workers.
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts commands, and ends all of their processes after the test."""
    with ExitStack() as stack:

        def started(words: str, workers: int = 2, **options: Any) -> "subprocess.Popen[str]":
            more = f"--timeout 300 --workers {workers}" if workers else ""
            command = (sys.executable, "-m", "exactmatch", *words.split(), *more.split())
            return stack.enter_context(running(*command, **options))

        yield started


def wait_until(process: subprocess.Popen[str], ready: Callable[[], object]) -> None:
    end = time.monotonic() + 120
    while not ready():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)  # meanwhile, the workers compute


def outcome(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Return status, output and errors once no process is left."""
    output, errors = process.communicate(timeout=120)
    return process.returncode, output, errors


def one_is_scored() -> bool:
    return has_content(PAIRS)


def kept() -> str:
    """Return the note about the pairs that are written."""
    return f"note: {partial_of(PAIRS)} holds what was written so far; {PAIRS} is not written\n"


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """Return the processes that *process* has started for work."""
    found = []
    with suppress(OSError):  # the process has ended
        for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
            with suppress(OSError):  # the child has ended
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
    return found


def is_python(worker: int) -> bool:
    """Tell whether Python has started in a process: until then, an interrupt ends it silently."""
    text = ""
    with suppress(OSError):  # it has ended
        text = Path(f"/proc/{worker}/status").read_text()
    handled = [int(mask, 16) for mask in re.findall(r"^Sig(?:Cgt|Ign):\s*(\w+)$", text, re.M)]
    return any(mask >> (signal.SIGINT - 1) & 1 for mask in handled)


def has_loaded(worker: int) -> bool:
    """Tell whether a process has loaded what it works with: the kernel, or for so many seconds."""
    with suppress(OSError):  # it has ended
        times = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[11:13]
        if sum(map(int, times)) > 3 * os.sysconf("SC_CLK_TCK"):
            return True
        return "/exactmatch/" in Path(f"/proc/{worker}/maps").read_text()
    return False


@pytest.mark.parametrize(
    ("workers", "signum", "ignoring"),  # any two of the three in every way, and a closed terminal
    [
        (1, signal.SIGINT, False),
        (2, signal.SIGTERM, False),
        *by_day(
            [(1, signal.SIGTERM, True), (2, signal.SIGINT, True), (1, signal.SIGHUP, False)], 0
        ),
    ],
)
def test_a_score_cut_short_is_reported_as_partial(
    files: Path, start: Start, signum: signal.Signals, workers: int, ignoring: bool
) -> None:
    Path("pairs.jsonl").write_text("of an earlier run", encoding="utf-8")
    process = start(SCORE, workers, ignoring=ignoring)
    wait_until(process, one_is_scored)
    process.send_signal(signum)
    process.send_signal(signum)  # impatience changes nothing
    status, output, errors = outcome(process)
    assert (status, errors) == (128 + signum, kept())
    content = json.loads(output)
    assert (content["partial"], content["pairs"]) == (True, 1)
    (line,) = partial_of(PAIRS).read_text("utf-8").splitlines()
    assert json.loads(line)["id"] == "p.1"
    assert Path("pairs.jsonl").read_text("utf-8") == "of an earlier run"


@linux
def test_an_interrupt_of_the_whole_group_is_answered_once(files: Path, start: Start) -> None:
    # As a terminal sends it; here while the workers start, when it would hit them unprepared. Their
    # master is stopped meanwhile, since it would end them before they could complain.
    process = start(SCORE)
    wait_until(process, lambda: any(map(is_python, workers_of(process))))
    process.send_signal(signal.SIGSTOP)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.1)
    process.send_signal(signal.SIGCONT)
    status, output, errors = outcome(process)
    assert (status, json.loads(output)["partial"]) == (130, True)
    assert not errors or errors == kept()


@linux
@pytest.mark.parametrize("name", by_day(STUDIES))
def test_a_study_cut_short_says_how_far_it_was(files: Path, start: Start, name: str) -> None:
    process = start(f"{STUDIES[name]} -o report.txt")
    wait_until(process, lambda: len(workers_of(process)) == 2)
    process.send_signal(signal.SIGTERM)
    status, output, errors = outcome(process)
    assert (status, output) == (143, "")
    message = rf"terminated while {DOING[name]}: \d+ of \d+( \w+)? done; there is no result\n"
    assert re.fullmatch(message, errors)
    assert not list(files.glob("report*"))


#: Commands with workers, and what these are at.
AT_WORK = {
    "iaa": (f"{STUDIES['iaa']} -o report.txt", "item p."),
    "search-error": (f"{STUDIES['search-error']} -o report.txt", "item p."),
    "matrix": ("matrix a.amr b.amr -o report.csv", "graphs p.1, p.2, p.3"),
    "nearest": ("nearest a.amr b.amr -o report.csv", "queries p.1, p.2, p.3"),
    "choose": ("choose a.amr b.amr -o report.amr", "items p.1, p.2, p.3"),
}
KILLED = (
    "error: a worker process was killed (signal 9, perhaps for lack of memory) while it worked on: "
)


@linux
@pytest.mark.parametrize("name", by_day(AT_WORK))
def test_a_killed_worker_is_reported_with_what_it_was_at(
    files: Path, start: Start, name: str
) -> None:
    words, work = AT_WORK[name]
    process = start(words)
    # Before, no work can be the reason.
    wait_until(process, lambda: any(map(has_loaded, workers_of(process))))
    for worker in filter(has_loaded, workers_of(process)):
        os.kill(worker, signal.SIGKILL)
    status, output, errors = outcome(process)
    assert (status, output, errors.count("\n")) == (5, "", 1)
    assert errors.startswith(f"{KILLED}{work}")
    assert not list(files.glob("report*"))


@linux
def test_a_score_whose_worker_is_killed_is_partial(files: Path, start: Start) -> None:
    process = start(SCORE)
    wait_until(process, one_is_scored)
    wait_until(process, lambda: len(workers_of(process)) == 2)
    for worker in workers_of(process):
        os.kill(worker, signal.SIGKILL)
    status, output, errors = outcome(process)
    message, *notes = errors.splitlines(keepends=True)
    assert (status, notes) == (5, [kept()])
    assert message.startswith(f"{KILLED}pair")
    assert "p.2" in message
    content = json.loads(output)
    assert (content["partial"], content["pairs"]) == (True, 1)
    assert not Path("pairs.jsonl").exists()


@linux
@pytest.mark.parametrize("name", by_day(["score", "iaa", "search-error"]))
def test_workers_do_not_outlive_a_killed_master(files: Path, start: Start, name: str) -> None:
    process = start(SCORE if name == "score" else f"{STUDIES[name]} -o report.txt")
    if name == "score":
        wait_until(process, one_is_scored)
    wait_until(process, lambda: len(workers_of(process)) == 2)
    time.sleep(0.2)  # they have been told what to do; most likely they are at it
    process.kill()
    assert outcome(process) == (-signal.SIGKILL, "", "")
    left = [partial_of(PAIRS).name] if name == "score" else []
    assert sorted(path.name for path in files.iterdir()) == ["a.amr", "b.amr", *left]


@contextmanager
def written(process: "subprocess.Popen[str]", pipe: Path) -> Iterator[None]:
    """Hold *pipe* open for writing, once *process* reads it."""
    opened: list[int] = []

    def is_read() -> bool:
        with suppress(OSError):  # nobody reads yet
            opened.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        return bool(opened)

    wait_until(process, is_read)
    try:
        yield
    finally:
        os.close(opened[0])


@pytest.mark.parametrize(
    "words", by_day(["score pipe b.amr", "verify pipe a.amr b.amr", "export pipe b.amr --to json"])
)
def test_an_interrupt_while_reading_says_so(files: Path, start: Start, words: str) -> None:
    os.mkfifo("pipe")
    process = start(words, workers=0)
    with written(process, Path("pipe")):  # by somebody who writes nothing
        process.send_signal(signal.SIGINT)
        status, output, errors = outcome(process)
    assert (status, output) == (130, "")
    assert re.fullmatch(r"interrupted( while reading.*)?; there is no result\n", errors)


@pytest.mark.parametrize("workers", by_day([2, 1]))
def test_a_terminal_shows_progress_and_can_interrupt_it(
    files: Path, start: Start, workers: int
) -> None:
    # A thread draws the bar, and the system may have it notice the signal.
    ours, theirs = os.openpty()
    process = start(
        SCORE, workers, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    )
    os.close(theirs)
    wait_until(process, one_is_scored)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    shown = b""
    with suppress(OSError):  # how a terminal without processes ends
        while more := os.read(ours, 10_000):
            shown += more
    os.close(ours)
    assert (process.returncode, json.loads(output)["partial"]) == (130, True)
    assert b"scoring" in shown
    assert " ".join(kept().split()) in " ".join(shown.decode().split())  # it is folded
    assert b"Traceback" not in shown


def test_a_score_whose_terminal_is_closed_is_reported_as_partial(files: Path, start: Start) -> None:
    # The bar can no longer be taken away.
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    process = start(f"{SCORE} -o report.json", 1, stderr=theirs, env=environment)
    os.close(theirs)
    wait_until(process, one_is_scored)
    os.close(ours)
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGHUP
    assert json.loads(Path("report.json").read_text("utf-8"))["partial"]


def test_pairs_in_the_terminal_that_are_not_all_are_told_to_be_so(
    files: Path, start: Start
) -> None:
    process = start("diff a.amr b.amr", workers=1)
    assert process.stdout is not None
    assert process.stdout.readline() == "# ::id p.1\n"
    process.send_signal(signal.SIGINT)
    status, _, errors = outcome(process)
    assert status == 130
    assert errors.startswith("note: 1 of 1 pair differs\n")
    assert errors.endswith("note: cut short: later pairs are not shown\n")


@pytest.mark.parametrize("raised", ["KeyboardInterrupt", "ImportError"])
def test_an_interrupt_while_the_command_line_loads_says_so(raised: str) -> None:
    script = f"""
import signal, sys
class Finder:
    def find_spec(name, path, target=None):
        if name == "exactmatch.cli":
            try:
                signal.raise_signal(signal.SIGTERM)
            except KeyboardInterrupt:
                raise {raised}
sys.meta_path.insert(0, Finder)
from exactmatch.__main__ import run
run()
"""
    with running(sys.executable, "-c", script, "--version") as process:
        assert outcome(process) == (143, "", "terminated; there is no result\n")


@linux
def test_an_interrupt_that_nobody_can_be_told_of_ends_the_run() -> None:
    # As where the terminal is gone, and printing fails.
    script = """
import signal, sys
from exactmatch.__main__ import run
class Finder:
    def find_spec(name, path, target=None):
        if name == "exactmatch.cli":
            signal.raise_signal(signal.SIGHUP)
sys.meta_path.insert(0, Finder)
run()
"""
    with (
        Path("/dev/full").open("w") as full,
        running(sys.executable, "-c", script, "--version", stderr=full) as process,
    ):
        status, output, _ = outcome(process)
    assert (status, output) == (128 + signal.SIGHUP, "")


def test_an_interrupt_while_options_are_read_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(type(main), "parse_args", interrupted)
    result = CliRunner().invoke(main, ["--version"])
    assert (result.exit_code, result.output) == (143, "terminated; there is no result\n")


def test_an_interrupt_when_all_is_done_changes_nothing() -> None:
    script = """
import atexit, os, signal
for signum in (signal.SIGINT, signal.SIGTERM):
    atexit.register(os.kill, os.getpid(), signum)
from exactmatch.__main__ import run
run()
"""
    with running(sys.executable, "-c", script, "--version") as process:
        status, output, errors = outcome(process)
    assert (status, errors) == (0, "")
    assert output.startswith("exactmatch, version")
