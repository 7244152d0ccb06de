"""Interrupts of this process are heard once, by waiting and by computing code, at any time."""

import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from partial_files import partial_of

from exactmatch import encodings
from exactmatch.cli.progress_bar import progress
from exactmatch.encodings.waiting import run_interruptibly
from exactmatch.runtime.output import writing
from exactmatch.runtime.pool import StandingPool
from exactmatch.runtime.processes import in_order
from exactmatch.stopping import interrupts
from exactmatch.stopping.deadline import Deadline
from exactmatch.stopping.interrupts import SIGNALS, Interrupt, listening, put_off, until_readable

pytestmark = pytest.mark.slow

linux = pytest.mark.skipif(sys.platform != "linux", reason="signals in /proc")
posix = pytest.mark.skipif(os.name != "posix", reason="pipes that can be waited for")


@pytest.fixture(autouse=True)
def usual_handlers() -> Iterator[None]:
    """Have Python handle the signals, however the tests were started, and restore the handlers."""
    before = [signal.getsignal(signum) for signum in SIGNALS]
    usual: list[Any] = [signal.default_int_handler] + [signal.SIG_DFL] * (len(SIGNALS) - 1)
    for signum, handler in zip(SIGNALS, usual, strict=True):
        signal.signal(signum, handler)
    yield
    after = [signal.getsignal(signum) for signum in SIGNALS]
    for signum, handler in zip(SIGNALS, before, strict=True):
        signal.signal(signum, handler)
    assert after == usual


def test_the_first_is_heard_and_the_third_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    interrupt = Interrupt()
    assert (interrupt.heard, interrupt.status, interrupt.name) == (False, 130, "interrupted")
    with pytest.raises(KeyboardInterrupt):
        interrupt(signal.SIGTERM, None)
    interrupt(signal.SIGINT, None)
    assert ended == []
    interrupt(signal.SIGTERM, None)
    assert ended == [143]
    assert (interrupt.heard, interrupt.status, interrupt.name) == (True, 143, "terminated")


NAMES = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}


@pytest.mark.parametrize("signum", SIGNALS)
def test_an_interrupt_of_any_kind_names_the_file_that_is_not_finished(
    signum: signal.Signals, tmp_path: Path
) -> None:
    with (
        pytest.raises(KeyboardInterrupt) as caught,
        listening() as interrupt,
        writing(tmp_path / "pairs.jsonl") as file,
    ):
        file.write("one pair\n")
        signal.raise_signal(signum)
    assert (interrupt.status, interrupt.name) == (128 + signum, NAMES[signum.name])
    partial = partial_of(tmp_path / "pairs.jsonl")
    (note,) = caught.value.__notes__
    assert note.startswith(f"{partial} holds what was written so far; ")
    assert partial.read_text("utf-8") == "one pair\n"


def heard_with_a_second_at(step: int) -> bool | None:
    """Tell if an interrupt is heard when another follows after so many interpreter steps.

    The answer is None if hearing the first takes fewer steps.
    """
    interrupt = Interrupt()
    steps = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        if frame.f_code is not Interrupt.__call__.__code__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            steps += 1
            if steps == step:
                sys.settrace(None)
                interrupt(signal.SIGTERM, None)
        return trace

    traced = sys.gettrace()
    try:
        sys.settrace(trace)
        interrupt(signal.SIGINT, None)
    except KeyboardInterrupt:
        return interrupt.heard if steps >= step else None
    finally:
        sys.settrace(traced)
    return False


def test_an_interrupt_is_heard_wherever_the_next_one_comes() -> None:
    found: list[bool] = []
    while (heard := heard_with_a_second_at(len(found) + 1)) is not None:
        found.append(heard)
    assert len(found) > 10
    assert all(found)


class Dropped:
    """An object interrupted in its destructor, where Python drops exceptions."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


class DroppedError:
    """An object with a faulty destructor."""

    def __del__(self) -> None:
        raise ValueError("lost")


def drop_an_interrupt() -> None:
    hook, dropped = sys.unraisablehook, list[object]()
    sys.unraisablehook = lambda one: dropped.append(one.exc_type)
    try:
        Dropped()  # nothing refers to it, so it goes at once
    finally:
        sys.unraisablehook = hook
    assert dropped == [KeyboardInterrupt]


def test_who_looks_at_the_clock_hears_a_dropped_interrupt() -> None:
    with listening() as interrupt:
        assert not Deadline().passed()
        drop_an_interrupt()
        assert interrupt.heard
        for look in (Deadline().passed, Deadline().check, interrupts.check):
            with pytest.raises(KeyboardInterrupt):
                look()
    assert not Deadline().passed()


def test_a_dropped_interrupt_is_not_reported_but_other_exceptions_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    with pytest.raises(KeyboardInterrupt), listening():
        Dropped()
        interrupts.check()
    assert capsys.readouterr().err == ""
    with listening():
        DroppedError()
    assert "ValueError: lost" in capsys.readouterr().err
    assert sys.unraisablehook is sys.__unraisablehook__


@posix
def test_a_command_reports_no_dropped_interrupt() -> None:
    code = (
        "import os, signal\n"
        "from exactmatch.stopping.interrupts import check, listen_to_the_end\n"
        "class Dropped:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGTERM)\n"
        "listen_to_the_end()\n"
        "Dropped()\n"
        "try: check()\n"
        "except KeyboardInterrupt: os._exit(7)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (7, "")


def test_who_waits_for_workers_hears_a_dropped_interrupt() -> None:
    with listening():
        found = in_order(time.sleep, [0, 5], workers=2)
        assert next(found) is None
        drop_an_interrupt()
        with pytest.raises(KeyboardInterrupt):
            next(found)


def test_who_waits_for_standing_workers_hears_a_dropped_interrupt() -> None:
    def packed(seconds: float, _: object) -> float:
        drop_an_interrupt()
        return seconds

    pool = StandingPool(time.sleep, 2)
    with listening(), pytest.raises(KeyboardInterrupt):
        pool.results([5], packed, str)
    assert pool.results([0], lambda seconds, _: seconds, str) == [None]
    pool.close()


def test_who_waits_for_a_solver_hears_a_dropped_interrupt() -> None:
    stop = threading.Event()
    with listening():
        drop_an_interrupt()
        with pytest.raises(KeyboardInterrupt):
            run_interruptibly(lambda: stop.wait(5), stop.set, Deadline())
    assert stop.is_set()


def test_who_shows_progress_hears_a_dropped_interrupt() -> None:
    with listening(), progress("waiting", 3) as advance:
        advance()
        drop_an_interrupt()
        with pytest.raises(KeyboardInterrupt):
            advance()


def test_what_an_interrupt_was_turned_into_is_an_interrupt_again() -> None:
    with (
        listening(),
        pytest.raises(KeyboardInterrupt, match=r"^waiting: 0 of 3 done$"),
        progress("waiting", 3),
    ):
        drop_an_interrupt()
        raise SystemError("returned a result with an exception set")


@posix
def test_who_waits_for_a_pipe_hears_a_dropped_interrupt() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as file, os.fdopen(writing, "wb") as other, listening():
        other.write(b"x")
        other.flush()
        until_readable(file)
        assert file.read(1) == b"x"
        drop_an_interrupt()
        with pytest.raises(KeyboardInterrupt):
            until_readable(file)
    until_readable(io.BytesIO())  # where there is nothing to wait for


@pytest.mark.parametrize("signum", SIGNALS)
def test_handlers_are_given_back_after_an_interrupt(signum: int) -> None:
    with pytest.raises(KeyboardInterrupt), listening() as interrupt:
        assert [signal.getsignal(number) for number in SIGNALS] == [interrupt] * len(SIGNALS)
        assert interrupts.current() is interrupt
        signal.raise_signal(signum)
    assert interrupt.status == 128 + signum
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    interrupts.check()
    with pytest.raises(KeyboardInterrupt):  # of Python
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_at_the_very_end_is_left_to_whoever_hears_the_next() -> None:
    with pytest.raises(KeyboardInterrupt), listening() as interrupt:
        interrupt.is_over = True
        signal.raise_signal(signal.SIGINT)
        assert not interrupt.heard


def test_who_hears_interrupts_goes_on_to_do_so() -> None:
    with listening() as interrupt:
        with listening() as again:
            assert again is interrupt
        assert [signal.getsignal(number) for number in SIGNALS] == [interrupt] * len(SIGNALS)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no SIGHUP")
def test_a_closed_terminal_does_not_stop_what_ignores_it() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with listening(), put_off():
            during = signal.getsignal(signal.SIGHUP)
    finally:
        after = signal.signal(signal.SIGHUP, before)
    assert during == after == signal.SIG_IGN


@linux
def test_a_handler_of_a_closed_terminal_that_python_does_not_know_stays() -> None:
    # As of a server with Python in it, which reads its settings anew.
    script = """
import ctypes, signal
from pathlib import Path
from exactmatch.stopping.interrupts import put_off
def caught():
    _, _, rest = Path("/proc/self/status").read_text().partition("SigCgt:")
    return int(rest.split()[0], 16) >> (signal.SIGHUP - 1) & 1
handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(print)
ctypes.CDLL(None).signal(int(signal.SIGHUP), handler)
assert caught()
with put_off():
    pass
assert caught()
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_only_the_main_thread_hears_interrupts() -> None:
    found: list[bool] = []

    def listen() -> None:
        with listening() as interrupt, put_off():
            found.append(signal.getsignal(signal.SIGINT) is interrupt)

    thread = threading.Thread(target=listen)
    thread.start()
    thread.join()
    assert found == [False]


@pytest.mark.parametrize("signum", SIGNALS)
def test_an_interrupt_that_is_put_off_is_heard_at_the_end(signum: int) -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), listening() as interrupt:
        with put_off():
            signal.raise_signal(signum)
            done.append(interrupt.heard)
        done.append(True)
    assert done == [False]
    assert interrupt.status == 128 + signum


def test_a_solver_is_loaded_as_a_whole_in_spite_of_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted = "import signal\nsignal.raise_signal(signal.SIGINT)\nENCODING = 'whole'\n"
    (tmp_path / "interrupted.py").write_text(interrupted, encoding="utf-8")
    monkeypatch.setattr(encodings, "__path__", [str(tmp_path)])
    monkeypatch.setitem(encodings._PLACES, "interrupted", ("interrupted", "ENCODING"))
    with pytest.raises(KeyboardInterrupt), listening():
        encodings.get_encoding("interrupted")
    assert sys.modules.pop("exactmatch.encodings.interrupted").ENCODING == "whole"


def test_an_interrupt_that_is_put_off_is_heard_by_whoever_hears_others() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt):
        with put_off():
            signal.raise_signal(signal.SIGINT)
            done.append(1)
        done.append(2)
    assert done == [1]
