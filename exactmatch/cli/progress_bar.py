"""Progress on standard error, for people who watch; and how far it was when it was interrupted."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from exactmatch.errors import ExactmatchError
from exactmatch.runtime.harmless import bare, on_one_line
from exactmatch.runtime.progress import BYTES
from exactmatch.stopping.interrupts import check, current


class Advance(Protocol):
    """What is called when *n* more steps are done."""

    def __call__(self, n: int = 1) -> None:
        """Go on by *n* steps. Raises `KeyboardInterrupt` if an interrupt was dropped."""


@contextmanager
def progress(doing: str, total: int | None, unit: str = "") -> Iterator[Advance]:
    """Show how many of *total* steps are done, on standard error if that is a terminal.

    *total* is None if it is not known; *unit* is what the steps are (``files``, `BYTES`). An
    interrupt that passes gets to know what it interrupted, and how much of that was done.
    """
    done = 0
    with ExitStack() as stack:
        show = stack.enter_context(_bar(doing, total, unit)) if sys.stderr.isatty() else None

        def advance(n: int = 1) -> None:
            nonlocal done
            done += n
            if show is not None:
                show(n)
            check()

        def so_far() -> str:
            if total is None and not done:
                return doing
            whole = "" if total is None else f" of {total:,}"
            return f"{doing}: {done:,}{whole}{unit and ' '}{unit} done"

        try:
            yield advance
        except KeyboardInterrupt as error:
            if not error.args:
                error.args = (so_far(),)
            raise
        except ExactmatchError:
            raise
        except Exception:
            # What may become of an interrupt, such as while an extension is loaded.
            if not current().heard:
                raise
            raise KeyboardInterrupt(so_far()) from None


@contextmanager
def _bar(doing: str, total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
    """Show a bar, or something that moves if there is no total; yield what moves it on."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    counted = (MofNCompleteColumn(), TextColumn("{task.fields[unit]}", markup=False))
    amounts = counted if unit != BYTES else (DownloadColumn(),)
    time = TimeElapsedColumn() if total is None else TimeRemainingColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), *amounts, time)
    with Progress(
        *columns,
        # What the bar moves with must reach the terminal; what is said beside it goes by itself.
        console=Console(file=bare(sys.stderr)),
        redirect_stdout=False,
        redirect_stderr=False,
        transient=True,
    ) as bar:
        task = bar.add_task(on_one_line(doing), total=total, unit=unit)
        yield lambda n: bar.advance(task, n)
