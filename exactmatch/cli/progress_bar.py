"""Report progress on standard error; after an interrupt, say how far the work was."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from exactmatch.cli.answers import say_pair_note
from exactmatch.cli.screen import above_bar
from exactmatch.errors import ExactmatchError
from exactmatch.runtime.harmless import bare, harmless, on_one_line
from exactmatch.runtime.progress import BYTES
from exactmatch.runtime.standard_streams import is_terminal
from exactmatch.stopping.interrupts import check, current

if TYPE_CHECKING:
    from exactmatch.scoring.options import Telling

_Watched = TypeVar("_Watched", bound="Telling")


class Advance(Protocol):
    """A function that reports *n* more finished steps."""

    def __call__(self, n: int = 1) -> None:
        """Advance by *n* steps. Raises `KeyboardInterrupt` if an interrupt was dropped."""


@contextmanager
def progress(doing: str, total: int | None, unit: str = "") -> Iterator[Advance]:
    """Show on standard error, if it is a terminal, how many of *total* steps are done.

    *total* is None if it is unknown; *unit* names the steps (``files``, `BYTES`). An interrupt that
    passes through gets a note on the task and on how much of it was done.
    """
    done = 0
    with ExitStack() as stack:
        show = stack.enter_context(_bar(doing, total, unit)) if is_terminal(sys.stderr) else None

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
            # What an interrupt may turn into, for instance while an extension is loaded.
            if not current().heard:
                raise
            raise KeyboardInterrupt(so_far()) from None


def watched(options: _Watched) -> _Watched:
    """Return *options* that show the progress of the command and its notes on pairs."""
    return options.but(progress=progress, note=say_pair_note)


@contextmanager
def _bar(doing: str, total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
    """Show a bar, or activity if there is no total; yield a function that advances it."""
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
    from rich.text import Text

    counted = (MofNCompleteColumn(), TextColumn("{task.fields[unit]}", markup=False))
    amounts = counted if unit != BYTES else (DownloadColumn(),)
    time = TimeElapsedColumn() if total is None else TimeRemainingColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), *amounts, time)
    bar = Progress(
        *columns,
        # The control characters of the bar must reach the terminal; `say` writes messages above it.
        console=Console(file=bare(sys.stderr)),
        redirect_stdout=False,
        redirect_stderr=False,
        transient=True,
    )

    def write_above(message: str) -> None:
        bar.console.print(Text(harmless(message)), soft_wrap=True)

    bar.start()
    try:
        task = bar.add_task(on_one_line(doing), total=total, unit=unit)
        with above_bar(write_above):
            yield lambda n: bar.advance(task, n)
    finally:
        with suppress(OSError):  # the terminal may be gone, as after SIGHUP
            bar.stop()
