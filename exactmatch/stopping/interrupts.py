"""Interrupts (SIGINT as from Ctrl-C, or SIGTERM) that are neither lost nor heard twice.

Python raises `KeyboardInterrupt` wherever the main thread happens to be, and where that is a
destructor, a callback or the import of an extension, the exception is dropped or turned into
another. So a command notes the interrupt, too, and whoever waits or computes for long calls `check`
all the while, at least once in `LOOK` seconds.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from types import FrameType
from typing import Any, BinaryIO

SIGNALS = (signal.SIGINT, signal.SIGTERM)
#: Nobody waits longer than so many seconds without a look at interrupts.
LOOK = 0.5


class Interrupt:
    """The interrupts that a command has got: SIGINT as from Ctrl-C, or SIGTERM, treated alike.

    is_over: there is nothing left to interrupt. What comes then is only kept, as *late*.
    """

    def __init__(self) -> None:
        self.is_over = False
        self.late: int | None = None
        self._numbers = count(1)
        self._first: int | None = None

    @property
    def heard(self) -> bool:
        """Whether an interrupt has come."""
        return self._first is not None

    @property
    def status(self) -> int:
        """The exit status that a shell expects of a program that the interrupt has ended."""
        return 128 + (self._first or signal.SIGINT)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "terminated" if self.status == 128 + signal.SIGTERM else "interrupted"

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Hear a signal: the first one interrupts, the second changes nothing, the third kills.

        What is left to do after the first takes no time, and should not be cut short by somebody
        impatient, or by one who tells a whole group of processes twice.
        """
        # One signal may come while another is being heard; no two of them get the same number.
        number = next(self._numbers)
        if number > 2:
            os._exit(self.status)
        elif self.is_over:
            self.late = signum
        elif number == 1:
            self._first = signum
            raise KeyboardInterrupt


#: What the command that runs knows of interrupts; without a command, Python hears them.
_current = Interrupt()


def current() -> Interrupt:
    """Return what the running command knows of interrupts."""
    return _current


def check() -> None:
    """Raise `KeyboardInterrupt` if the running command was interrupted, lest that was dropped."""
    if _current.heard:
        raise KeyboardInterrupt


def listen_to_the_end() -> Interrupt:
    """Hear the interrupts of this process until it ends; return what is known of them."""
    global _current
    _current = Interrupt()
    for signum in SIGNALS:
        signal.signal(signum, _current)
    return _current


@contextmanager
def listening() -> Iterator[Interrupt]:
    """Hear interrupts until the end of the block, unless that is done for the whole process.

    SIGINT is heard where it was ignored, too, as it is in the background of a script. Only the main
    thread can hear signals.
    """
    global _current
    outer = _current
    if threading.current_thread() is not threading.main_thread() or _is_heard_by(outer):
        yield outer
        return
    inner = Interrupt()
    before = _handlers()
    try:
        _current = inner
        for signum in SIGNALS:
            signal.signal(signum, inner)
        yield inner
    finally:
        inner.is_over = True
        for number, handler in before.items():
            signal.signal(number, handler)
        _current = outer
        if inner.late is not None:
            signal.raise_signal(inner.late)


@contextmanager
def put_off() -> Iterator[None]:
    """Put off interrupts to the end of the block, whoever hears them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = _handlers()
    try:
        for signum in SIGNALS:
            signal.signal(signum, lambda number, _: heard.append(number))
        yield
    finally:
        # Whatever one of them raises, the other gets its handler back.
        try:
            signal.signal(signal.SIGTERM, before[signal.SIGTERM])
        finally:
            signal.signal(signal.SIGINT, before[signal.SIGINT])
            for number in heard:
                signal.raise_signal(number)


def until_readable(file: BinaryIO) -> None:
    """Wait until there is something to read in a pipe, with looks at interrupts.

    One that comes just before the system waits does not end that wait.
    """
    from multiprocessing import connection

    try:
        place = file.fileno()
    except (OSError, AttributeError):  # standard input may be anything
        return
    while not connection.wait([place], LOOK):
        check()


def _handlers() -> dict[int, Any]:
    """Return who hears the signals; what Python does not know counts as the usual."""
    return {signum: signal.getsignal(signum) or signal.SIG_DFL for signum in SIGNALS}


def _is_heard_by(interrupt: Interrupt) -> bool:
    return signal.getsignal(signal.SIGINT) is interrupt
