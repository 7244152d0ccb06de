"""Interrupts (Ctrl-C, or SIGTERM) that are neither lost nor heard twice.

Python raises `KeyboardInterrupt` wherever it happens to be, and where that is a destructor or the
import of an extension, the exception is dropped or turned into another. So it is remembered too.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """Which interrupts have come: SIGINT as from Ctrl-C, or SIGTERM, which is treated alike."""

    def __init__(self) -> None:
        self._heard: list[int] = []

    @property
    def heard(self) -> bool:
        """Whether an interrupt has come."""
        return bool(self._heard)

    @property
    def status(self) -> int:
        """The exit status that a shell expects of a program that the interrupt has ended."""
        return 128 + (self._heard[0] if self._heard else signal.SIGINT)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "terminated" if self.status == 128 + signal.SIGTERM else "interrupted"

    def check(self) -> None:
        """Raise `KeyboardInterrupt` if an interrupt has come, lest it was dropped."""
        if self._heard:
            raise KeyboardInterrupt

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Hear a signal: the first one interrupts, the second changes nothing, the third kills.

        What is left to do after the first takes no time, and should not be cut short by somebody
        impatient, or by one who tells a whole group of processes twice.
        """
        self._heard.append(signum)
        if len(self._heard) == 1:
            raise KeyboardInterrupt
        if len(self._heard) > 2:
            os._exit(self.status)


@contextmanager
def listening() -> Iterator[Interrupt]:
    """Raise `KeyboardInterrupt` for the first interrupt only, and remember it.

    After one, the process is on its way out, and goes on listening.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    before = {signum: signal.signal(signum, interrupt) for signum in _SIGNALS}
    try:
        yield interrupt
    finally:
        if not interrupt.heard:
            for signum, handler in before.items():
                signal.signal(signum, handler)


def current_interrupt() -> Interrupt:
    """Return what the running command knows of interrupts."""
    context = click.get_current_context(silent=True)
    return Interrupt() if context is None else context.ensure_object(Interrupt)


def show_notes(error: BaseException) -> None:
    """Print the notes that *error* has got on its way, such as where unfinished files are."""
    for note in getattr(error, "__notes__", ()):
        click.echo(f"note: {note}", err=True)
