"""Interrupts (SIGINT as from Ctrl-C, SIGTERM, SIGHUP) that are neither lost nor handled twice.

Python raises `KeyboardInterrupt` wherever the main thread happens to be. In a destructor, a
callback or the import of an extension, the exception is dropped or turned into another. So a
command records the interrupt as well, and code that waits or computes for long calls `check` at
least once in `LOOK` seconds. Python reports dropped exceptions with a traceback; the report of a
recorded interrupt is left out.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from types import FrameType
from typing import Any, BinaryIO

#: What a closed terminal sends; Windows has no such signal.
_HANGUP: signal.Signals | None = getattr(signal, "SIGHUP", None)
SIGNALS = (signal.SIGINT, signal.SIGTERM, *([] if _HANGUP is None else [_HANGUP]))
#: No wait is longer than this many seconds without a check for interrupts.
LOOK = 0.5


class Interrupt:
    """The interrupts that a command has received: SIGINT, SIGTERM or SIGHUP, treated alike.

    is_over: nothing is left to interrupt. Later interrupts are only stored, as *late*.
    """

    def __init__(self) -> None:
        self.is_over = False
        self.late: int | None = None
        self._numbers = count(1)
        self._first: int | None = None

    @property
    def heard(self) -> bool:
        """Whether an interrupt has arrived."""
        return self._first is not None

    @property
    def status(self) -> int:
        """The exit status that a shell expects of a program that the interrupt has ended."""
        return 128 + (self._first or signal.SIGINT)

    @property
    def name(self) -> str:
        """The name of the interrupt in messages."""
        if self._first == signal.SIGTERM:
            return "terminated"
        return "interrupted" if self._first in (signal.SIGINT, None) else "hung up"

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Handle a signal: the first one interrupts, the second changes nothing, the third kills.

        The work left after the first takes no time. An impatient user, or a signal sent twice to a
        whole group of processes, should not cut it short.
        """
        # One signal may arrive while another is being handled; no two of them get the same number.
        number = next(self._numbers)
        if number > 2:
            os._exit(self.status)
        elif self.is_over:
            self.late = signum
        elif number == 1:
            self._first = signum
            raise KeyboardInterrupt


#: The interrupt record of the running command; without a command, Python handles interrupts.
_current = Interrupt()


def current() -> Interrupt:
    """Return the interrupt record of the running command."""
    return _current


def check() -> None:
    """Raise `KeyboardInterrupt` if the running command was interrupted, even if it was dropped."""
    if _current.heard:
        raise KeyboardInterrupt


def listen_to_the_end() -> Interrupt:
    """Handle the interrupts of this process until it ends; return their record."""
    global _current
    _current = Interrupt()
    _handle(_current)
    sys.unraisablehook = partial(_report_dropped, sys.unraisablehook)
    return _current


@contextmanager
def listening() -> Iterator[Interrupt]:
    """Handle interrupts until the end of the block, unless the whole process does so already.

    SIGINT is handled even where it was ignored, as in the background of a script; SIGHUP is not,
    since ``nohup`` has it ignored. Only the main thread can handle signals.
    """
    global _current
    outer = _current
    if threading.current_thread() is not threading.main_thread() or _is_heard_by(outer):
        yield outer
        return
    inner = Interrupt()
    before, report = _handlers(), sys.unraisablehook
    try:
        _current = inner
        _handle(inner)
        sys.unraisablehook = partial(_report_dropped, report)
        yield inner
    finally:
        inner.is_over = True
        sys.unraisablehook = report
        for number, handler in before.items():
            signal.signal(number, handler)
        _current = outer
        if inner.late is not None:
            signal.raise_signal(inner.late)


@contextmanager
def put_off() -> Iterator[None]:
    """Delay interrupts to the end of the block, whatever handles them.

    SIGHUP is delayed only where Python handles it. A server with Python in it may have a handler
    that Python does not know, and could not give back.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = {n: old for n, old in _handlers().items() if n != _HANGUP or callable(old)}
    try:
        for number in before:
            signal.signal(number, lambda number, _: heard.append(number))
        yield
    finally:
        try:
            _give_back([*before.items()])
        finally:
            for number in heard:
                signal.raise_signal(number)


def until_readable(file: BinaryIO) -> None:
    """Wait until a pipe is readable, checking for interrupts.

    An interrupt just before the system call does not end the call.
    """
    from multiprocessing import connection

    try:
        place = file.fileno()
    except (OSError, AttributeError):  # standard input may be anything
        return
    while not connection.wait([place], LOOK):
        check()


def _report_dropped(
    report: Callable[["sys.UnraisableHookArgs"], Any], dropped: "sys.UnraisableHookArgs"
) -> None:
    """Report an exception that Python has dropped, but no interrupt, which is recorded."""
    if not (issubclass(dropped.exc_type, KeyboardInterrupt) and _current.heard):
        report(dropped)


def _handlers() -> dict[int, Any]:
    """Return the handlers of the signals; a handler unknown to Python counts as the default."""
    return {signum: signal.getsignal(signum) or signal.SIG_DFL for signum in SIGNALS}


def _handle(handler: Callable[[int, FrameType | None], Any]) -> None:
    """Have *handler* handle the signals."""
    for signum in SIGNALS:
        if signum != _HANGUP or signal.getsignal(signum) is not signal.SIG_IGN:
            signal.signal(signum, handler)


def _give_back(handlers: list[tuple[int, Any]]) -> None:
    """Restore *handlers*, the last one first; even if one raises, the others are restored."""
    if handlers:
        try:
            signal.signal(*handlers.pop())
        finally:
            _give_back(handlers)


def _is_heard_by(interrupt: Interrupt) -> bool:
    return signal.getsignal(signal.SIGINT) is interrupt
