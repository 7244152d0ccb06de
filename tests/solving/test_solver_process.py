"""Solvers in processes of their own: they always end, and a message gives the reason."""

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from odd_solvers import SLOW

from exactmatch.encodings.base import NeverLoaded, NotLoaded, Outcome, OutOfMemory
from exactmatch.errors import SolverError, VerificationError, WorkerError
from exactmatch.problem import MatchingProblem, Term
from exactmatch.solving import solver_process
from exactmatch.solving.solver_process import get_solver, load_early
from exactmatch.stopping.deadline import Deadline, Loading, OutOfTime

pytestmark = pytest.mark.slow

PROBLEM = MatchingProblem(2, 2, (Term(2, ((0, 0),)), Term(3, ((0, 0), (1, 1)))))
#: Finds processes, and what memory they take, as Linux shows them.
linux = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks into processes")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """List the started processes, which know odd solvers; fail if one is left at the end."""
    found: list[Any] = []
    usual = solver_process._Process

    def start() -> Any:
        found.append(usual())
        return found[-1]

    code = solver_process._CODE.replace("from exactmatch", "import odd_solvers; from exactmatch", 1)
    monkeypatch.setattr(solver_process, "_CODE", code)
    monkeypatch.setattr(solver_process, "_idle", [])
    monkeypatch.setattr(solver_process, "_never_loaded", set())
    monkeypatch.setattr(solver_process, "_Process", start)
    yield found
    for process in found:
        process.end()


def ask(name: str, seconds: float | None = None, memory: int | None = None) -> Outcome:
    return ask_before(Deadline.after(seconds), name, memory)


def ask_before(deadline: Deadline, name: str, memory: int | None = None) -> Outcome:
    return get_solver(name, memory).solve(PROBLEM, hint={0: 0}, upper=5, deadline=deadline, seed=0)


def loading(deadline: Deadline) -> Loading:
    assert deadline.loading is not None
    return deadline.loading


def is_alive(process: Any) -> bool:
    return process._process.poll() is None


def test_a_process_that_has_answered_is_asked_again(started: list[Any]) -> None:
    load_early("answers")
    assert ask("answers") == ask("answers") == Outcome(started[0]._process.pid, 2, {0: 0})
    assert len(started) == 1


def test_two_threads_ask_two_processes(started: list[Any]) -> None:
    both = threading.Barrier(2)
    answers = []

    def work() -> None:
        both.wait()
        answers.append([ask("answers").lower for _ in range(3)])

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 2 and len(started) <= 2
    assert {pid for one in answers for pid in one} <= {one._process.pid for one in started}


def test_loading_takes_no_time_of_a_pair(started: list[Any]) -> None:
    deadline = Deadline.after(SLOW / 4)
    assert ask_before(deadline, "loads slowly").upper == 2
    assert loading(deadline).seconds > SLOW / 4
    again = Deadline.after(60)
    assert ask_before(again, "loads slowly").lower == started[0]._process.pid
    assert (loading(again).seconds, loading(again).restarts) == (0, 0)
    assert len(started) == 1


def test_the_time_for_all_pairs_ends_while_a_solver_is_loading(started: list[Any]) -> None:
    with pytest.raises(NotLoaded):
        ask_before(Deadline.after(60).earlier(Deadline.after(SLOW / 4)), "loads slowly")
    assert is_alive(started[0])  # nothing is ended for loading slowly
    assert ask("loads slowly").lower == started[0]._process.pid
    assert len(started) == 1


def test_a_solver_that_loads_for_long_is_told_of(
    started: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solver_process, "_FIRST_NOTE", SLOW / 20)
    assert ask("loads slowly").upper == 2
    notes = capsys.readouterr().err.splitlines()
    assert 1 <= len(notes) < 4  # after 1, 3 and 9 parts of 20
    assert all(note.startswith("note: loads slowly is still loading, after ") for note in notes)


def test_a_solver_that_never_loads_is_given_up_once(
    started: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(solver_process, "_LONGEST_LOADING", 0.2)
    deadline = Deadline.after(60)
    with pytest.raises(NeverLoaded):
        ask_before(deadline, "never loads")
    assert not is_alive(started[0])
    assert loading(deadline).seconds > 0.1
    assert capsys.readouterr().err == "note: never loads never loaded in 0 s, and is left out\n"
    again = Deadline.after(60)
    with pytest.raises(NeverLoaded):
        ask_before(again, "never loads")
    load_early("never loads")
    assert loading(again).seconds == 0
    assert len(started) == 1  # nobody waits again
    monkeypatch.setattr(solver_process, "_LONGEST_LOADING", 600)
    assert ask("answers").upper == 2


def test_a_solver_that_is_late_is_replaced(started: list[Any]) -> None:
    deadline = Deadline.after(1)
    with pytest.raises(OutOfTime):
        ask_before(deadline, "sleeps")
    assert not is_alive(started[0])
    assert loading(deadline).restarts == 1
    assert len(started) == 2 and is_alive(started[1])
    assert ask("answers").lower == started[1]._process.pid


def test_a_solver_that_stops_by_itself_is_asked_again(started: list[Any]) -> None:
    deadline = Deadline.after(60)
    with pytest.raises(OutOfTime):
        ask_before(deadline, "gives up")
    assert loading(deadline).restarts == 0
    assert ask("answers").lower == started[0]._process.pid
    assert len(started) == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("is missing", "ModuleNotFoundError: No module named 'odd'"),
        ("has no room", "memory ran out"),
        ("dies early", r"its process has died \(status 3\)"),
    ],
)
def test_a_solver_that_cannot_be_loaded_is_an_error(
    started: list[Any], name: str, reason: str
) -> None:
    load_early(name)
    with pytest.raises(SolverError, match=f"^the solver {name} cannot be loaded: {reason}; use "):
        ask(name, seconds=60)
    assert len(started) == 1 and not is_alive(started[0])  # and nothing tries again for ever


def test_a_solver_that_cannot_be_loaded_does_not_disturb_another(started: list[Any]) -> None:
    assert ask("answers").upper == 2
    load_early("is missing")
    assert ask("answers").lower == ask("prints").lower == started[0]._process.pid


@linux
def test_a_solver_that_takes_too_much_memory_is_ended(started: list[Any]) -> None:
    with pytest.raises(OutOfMemory):
        ask("hoards", memory=50 << 20)
    assert not is_alive(started[0])


def test_a_solver_that_gets_no_memory_is_replaced(started: list[Any]) -> None:
    """The system limits memory, too; only this problem is too large."""
    with pytest.raises(OutOfMemory):
        ask("lacks memory")
    assert not is_alive(started[0])
    assert ask("answers").upper == 2


@linux
def test_what_it_takes_to_be_loaded_is_not_counted(started: list[Any]) -> None:
    assert ask("cpsat", memory=30 << 20).lower == 5


def test_a_process_that_dies_is_an_error(started: list[Any]) -> None:
    with pytest.raises(WorkerError, match=r"the process of dies has died \(status 3\)"):
        ask("dies")
    assert ask("answers").upper == 2


def test_what_a_solver_raises_is_raised(started: list[Any]) -> None:
    with pytest.raises(VerificationError, match="it fails"):
        ask("fails")


def test_what_a_solver_prints_is_not_seen(
    started: list[Any], capfd: pytest.CaptureFixture[str]
) -> None:
    assert ask("prints").upper == 2
    assert capfd.readouterr() == ("", "")


def test_no_time_is_no_process(started: list[Any]) -> None:
    with pytest.raises(OutOfTime):
        ask("answers", seconds=0)
    assert started == []


def test_an_interrupt_ends_the_process(started: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(solver_process, "resident", interrupt)
    with pytest.raises(KeyboardInterrupt):
        ask("sleeps")
    assert not is_alive(started[0])
    assert solver_process._idle == []


def test_a_process_that_ended_meanwhile_is_not_asked(started: list[Any]) -> None:
    first = ask("answers").lower
    started[0].end()
    assert ask("answers").lower != first


def test_what_was_forked_asks_processes_of_its_own(
    started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[bool] = []
    first = ask("answers").lower
    monkeypatch.setattr(started[0]._process, "kill", lambda: killed.append(True))
    owner, started[0]._owner = started[0]._owner, -1
    assert ask("answers").lower != first
    assert killed == []
    monkeypatch.undo()
    started[0]._owner = owner


@linux
def test_a_solver_ends_when_nobody_is_left_to_ask_it() -> None:
    code = (
        "import sys; sys.path[:0] = ['tests']; from exactmatch.solving import solver_process as s\n"
        "s._CODE = s._CODE.replace('from exactmatch', 'import odd_solvers; from exactmatch', 1)\n"
        "s.load_early('sleeps'); print(s._idle[0]._process.pid, flush=True)\n"
        "from test_solver_process import ask; ask('sleeps')"
    )
    folder = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment, text=True
    ) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    until(lambda: not Path(f"/proc/{pid}").exists() or is_zombie(pid))


def test_a_solver_ends_when_who_asks_it_is_killed_in_the_midst_of_that(started: list[Any]) -> None:
    load_early("answers")
    stream = started[0]._process.stdin
    stream.write(pickle.dumps("x" * 10_000)[:5_000])
    stream.close()
    assert started[0]._process.wait(timeout=60) == 0


def test_a_solver_takes_no_module_from_the_working_directory(
    started: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('not this one')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert ask("answers").upper == 2


def is_zombie(pid: int) -> bool:
    """Tell whether a process has ended, even if its parent has not collected its status."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return True


def until(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.05)
