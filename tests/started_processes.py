"""Start processes for tests, in a group of their own that ends with the test."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def running(
    *words: object, ignoring: bool = False, **more: Any
) -> Iterator["subprocess.Popen[str]"]:
    """Start a process; in the end, kill what is left of it and of its children.

    It starts as in a terminal or, *ignoring* SIGINT, as in the background of a script, however the
    tests were started. *more* is for `subprocess.Popen`; without it, streams are pipes of text.
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with hearing(signal.SIG_IGN if ignoring else signal.default_int_handler):
        process = subprocess.Popen(list(map(str, words)), start_new_session=True, **pipes | more)
    try:
        yield process
    finally:
        kill_group(process)


@contextmanager
def hearing(handler: Any) -> Iterator[None]:
    """Let *handler* hear SIGINT while processes start, so that they do not inherit "ignore".

    Nor do they inherit it for SIGHUP, as from nohup.
    """
    handlers = {signal.SIGINT: handler}
    if os.name == "posix":
        handlers[signal.SIGHUP] = signal.SIG_DFL
    before = {signum: signal.signal(signum, heard) for signum, heard in handlers.items()}
    try:
        yield
    finally:
        for signum, heard in before.items():
            signal.signal(signum, heard)


def kill_group(process: "subprocess.Popen[Any]") -> None:
    """Kill *process* with the whole group that it leads, and close its streams."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):  # nobody is left
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
