"""Interrupts (Ctrl-C) that are neither lost nor heard twice.

Python raises `KeyboardInterrupt` wherever it happens to be, and where that is a destructor or the
import of an extension, the exception is dropped or turned into another. So it is remembered too.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: The exit status that a shell expects of a program that an interrupt has ended.
INTERRUPTED = 130


class Interrupt:
    """Whether an interrupt has come."""

    def __init__(self) -> None:
        self.heard = False

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        # What is left to do after the first one takes no time, and must not be cut short.
        if not self.heard:
            self.heard = True
            raise KeyboardInterrupt


@contextmanager
def listening() -> Iterator[Interrupt]:
    """Raise `KeyboardInterrupt` for the first interrupt only, and remember it."""
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupt
    finally:
        if not interrupt.heard:
            signal.signal(signal.SIGINT, before)
