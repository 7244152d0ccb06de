"""Work shared by processes.

Tasks are from the standard library, since other processes cannot find functions of a test module.
So tasks are often code, for `exec` and `eval`.
"""

import itertools
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from started_processes import running

from exactmatch.errors import UsageError, WorkerError
from exactmatch.runtime import processes
from exactmatch.runtime import workers as memory
from exactmatch.runtime.processes import in_order
from exactmatch.stopping.interrupts import SIGNALS

posix = pytest.mark.skipif(os.name != "posix", reason="kills processes by signals")
#: Tests of how processes start and die.
of_processes = pytest.mark.usefixtures("own_workers")


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    before = set(multiprocessing.active_children())
    handlers = [signal.getsignal(number) for number in SIGNALS]
    yield
    assert set(multiprocessing.active_children()) == before
    assert [signal.getsignal(number) for number in SIGNALS] == handlers


def test_one_worker_is_this_process() -> None:
    assert set(in_order(lambda _: os.getpid(), range(3), workers=1)) == {os.getpid()}


def test_little_work_is_left_to_this_process() -> None:
    assert set(in_order(lambda _: os.getpid(), range(3), workers="auto")) == {os.getpid()}
    with pytest.raises(UsageError, match="'many' workers: give a whole number"):
        list(in_order(abs, [], workers="many"))  # type: ignore[arg-type]


@pytest.mark.parametrize(("seconds", "first"), [(0.0, 1), (math.inf, 50)])
def test_more_work_is_shared(seconds: float, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactmatch.runtime.workers._ALONE", seconds)
    monkeypatch.setattr(memory, "cores", lambda: 2)
    tasks = [f"(2**{k}, __import__('os').getpid())" for k in range(50)]
    found = list(in_order(eval, tasks, workers="auto"))
    assert [power for power, _ in found] == [2**k for k in range(50)]
    mine = [process == os.getpid() for _, process in found]
    assert mine == [True] * first + [False] * (50 - first)


def test_results_come_in_the_order_of_the_tasks() -> None:
    assert list(in_order(partial(pow, 2), range(1000), workers=2)) == [2**k for k in range(1000)]
    assert list(in_order(abs, [], workers=2)) == []


def test_order_holds_whoever_is_done_first() -> None:
    tasks = [f"(__import__('time').sleep({(k * 7) % 5 / 100}), {k})[1]" for k in range(40)]
    assert list(in_order(eval, tasks, workers=3)) == list(range(40))


#: Waits until two processes have come here.
WAITING = """
import os, time
from pathlib import Path
seen, end = Path(__file__).with_name("seen"), time.monotonic() + 60
seen.joinpath(str(os.getpid())).touch()
while len([*seen.iterdir()]) < 2 and time.monotonic() < end:
    time.sleep(0.01)
who = os.getpid()
"""


@of_processes
def test_every_worker_works(tmp_path: Path) -> None:
    (tmp_path / "seen").mkdir()
    (tmp_path / "waiting.py").write_text(WAITING, encoding="utf-8")
    task = f"__import__('runpy').run_path({str(tmp_path / 'waiting.py')!r})['who']"
    assert len(set(in_order(eval, [task] * 2, workers=2))) == 2


@of_processes
def test_large_tasks_and_results_do_not_block_each_other() -> None:
    tasks = [bytes([k]) * 2_000_000 for k in range(12)]
    assert list(in_order(bytes, tasks, workers=2)) == tasks


def test_tasks_without_end_are_read_as_they_are_needed() -> None:
    taken = itertools.count()
    found = in_order(abs, taken, workers=2)
    assert [next(found) for _ in range(5)] == [0, 1, 2, 3, 4]
    assert next(taken) < 100
    found.close()


def test_an_error_ends_it_all() -> None:
    found = in_order(partial(divmod, 1), [1, 0, 1], workers=2)
    assert next(found) == (1, 0)
    with pytest.raises(ZeroDivisionError) as caught:
        next(found)
    assert "Traceback" in caught.value.__notes__[0]  # where it was raised, which is elsewhere


def test_an_error_of_the_tasks_comes_after_the_results_before_it() -> None:
    def tasks() -> Iterator[int]:
        yield from (1, 2, 3)
        raise ValueError("no more")

    for workers in (1, 2):
        found = in_order(abs, tasks(), workers)
        assert [next(found), next(found), next(found)] == [1, 2, 3]
        with pytest.raises(ValueError, match="no more"):
            next(found)


def test_what_cannot_be_sent_is_an_error() -> None:
    odd = "class Odd(Exception): pass\nraise Odd('strange')"
    with pytest.raises(RuntimeError, match="Odd: strange"):
        list(in_order(exec, [odd], workers=2))
    with pytest.raises(TypeError, match="generator"):
        list(in_order(eval, ["(x for x in ())"], workers=2))


def test_who_stops_does_not_wait() -> None:
    # Nor do results wait for later tasks.
    found = in_order(time.sleep, itertools.chain([0, 0, 0], itertools.repeat(3600)), workers=2)
    assert [next(found), next(found), next(found)] == [None, None, None]
    found.close()


@of_processes
@posix
def test_workers_leave_interrupts_to_their_master() -> None:
    blocked = "(lambda s: s.pthread_sigmask(s.SIG_BLOCK, ()))(__import__('signal'))"
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())  # perf, for one, blocks SIGWINCH
    assert not before & {*SIGNALS}
    for found in in_order(eval, [blocked] * 40, workers=2):
        assert found == before | {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


DEATHS = [
    ("__import__('os')._exit(3)", "ended with status 3"),
    pytest.param(
        "__import__('os').kill(__import__('os').getpid(), 9)",
        "was killed (signal 9, perhaps for lack of memory)",
        marks=posix,
    ),
    pytest.param(
        "__import__('os').kill(__import__('os').getpid(), 11)",
        "was ended by signal 11",
        marks=posix,
    ),
]


#: Waits until the file *named* is there.
SLOW = """
import os, time
end = time.monotonic() + 60
while not os.path.exists(named) and time.monotonic() < end:
    time.sleep(0.01)
"""


@of_processes
@pytest.mark.parametrize(("death", "message"), DEATHS)
def test_a_worker_that_dies_is_an_error_at_its_task(
    death: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "named"
    slow = f"(exec({SLOW!r}, {{'named': {str(file)!r}}}), 'slow')[1]"
    tasks = ["1", slow, death, *["4"] * 1000]
    rest = iter(tasks)

    def named(task: str) -> str:
        file.touch()  # the death is noticed before the other worker is free
        return f"task <{task}>"

    found = in_order(eval, rest, 2, named)
    assert [next(found), next(found)] == [1, "slow"]
    with pytest.raises(WorkerError) as caught:
        next(found)
    assert str(caught.value) == f"a worker process {message} while it worked on: task <{death}>"
    assert caught.value.exit_status == 5
    assert len(list(rest)) == 1000  # no task is taken after that


@of_processes
def test_a_task_without_a_name_is_called_by_its_number() -> None:
    tasks = ["1", "2", "__import__('os')._exit(3)", *["4"] * 1000]
    with pytest.raises(WorkerError, match=r"worked on: task 3$"):
        list(in_order(eval, tasks, 2))


#: Takes the first of many results, keeps the others for later, and ends.
ABANDONED = """
from exactmatch.runtime.processes import in_order
if __name__ == "__main__":
    found = in_order(abs, iter(range(100)), workers=2)
    print(next(found))
"""


def test_who_does_not_want_all_results_can_end(tmp_path: Path) -> None:
    # At exit, Python waits for other processes, and these waited for tasks.
    script = tmp_path / "script.py"
    script.write_text(ABANDONED, encoding="utf-8")
    with running(sys.executable, script) as process:
        assert process.communicate(timeout=60) == ("0\n", "")
    assert process.returncode == 0


#: Has two workers compute for ever, in Python, and says when they do.
FOR_EVER = """
import sys
from exactmatch.runtime.processes import in_order
if __name__ == "__main__":
    busy = "import os\\nos.write(1, b'busy\\\\n')\\nwhile True: pass"  # a line at once
    list(in_order(exec, [busy, busy], workers=2))
"""


@pytest.mark.skipif(os.name != "posix", reason="kills processes by signals")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_workers_end_when_their_master_is_gone(tmp_path: Path, name: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(FOR_EVER, encoding="utf-8")
    with running(sys.executable, script) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["busy\n"] * 2
        process.send_signal(getattr(signal, name))
        # The streams end when the last process that holds them has ended.
        assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == -getattr(signal, name)


def test_the_environment_is_as_before_when_several_threads_have_started_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    entered, may_leave = threading.Event(), threading.Event()

    def start() -> None:
        with processes._safe_path():
            entered.set()
            may_leave.wait(60)

    thread = threading.Thread(target=start)
    with processes._safe_path():
        thread.start()
        assert not entered.wait(0.05)  # it may not: the other one would leave first
    assert entered.wait(60)
    assert os.environ["PYTHONSAFEPATH"] == "1"
    may_leave.set()
    thread.join()
    assert "PYTHONSAFEPATH" not in os.environ


#: Forks while workers are being started, as by another thread.
FORKED = """
import os
from exactmatch.runtime.processes import _safe_path
with _safe_path():
    child = os.fork()
    if not child:
        with _safe_path():
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_a_forked_process_can_start_workers_though_a_thread_was_starting_one() -> None:
    assert subprocess.run([sys.executable, "-c", FORKED], timeout=60).returncode == 0
