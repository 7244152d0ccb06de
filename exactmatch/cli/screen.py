"""Print text for people: folded to the width of a terminal, and unfolded elsewhere.

Every command prints its text by `show` and its messages by `say`, so this module alone decides.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from exactmatch.runtime.standard_streams import is_terminal

if TYPE_CHECKING:
    from exactmatch.report.text_layout import TextLayout

#: The width of a terminal that does not tell its own.
_USUAL = 80
#: What print a message above the progress bars on the screen, the newest last.
_above_bars: list[Callable[[str], object]] = []


def columns_of(stream: Any) -> int | None:
    """Return the width of the terminal that *stream* is, in columns; None if it is none.

    As in click, the environment variable COLUMNS goes before what the terminal tells.
    """
    if not is_terminal(stream):
        return None
    asked = os.environ.get("COLUMNS", "")
    if asked.isascii() and asked.isdigit() and int(asked):
        return int(asked)
    with suppress(AttributeError, OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns or _USUAL
    return _USUAL


def show(text: "str | TextLayout", *, err: bool = False) -> None:
    """Print *text* on standard output, or on standard error; strings are never folded.

    On a terminal, it stands above the progress bar if there is one.
    """
    stream = sys.stderr if err else sys.stdout
    if not isinstance(text, str):
        text = text.at(columns_of(stream))
    if _above_bars and is_terminal(stream):
        _above_bars[-1](text)
    else:
        click.echo(text, err=err)


@contextmanager
def above_bar(write: Callable[[str], object]) -> Iterator[None]:
    """Have `say` and `show` print by *write* while a progress bar is on the screen.

    A bar ends without a line feed, so a message that is printed as usual would follow it.
    """
    _above_bars.append(write)
    try:
        yield
    finally:
        _above_bars.remove(write)


def say(message: str) -> None:
    """Print a message on standard error, above the progress bar if there is one."""
    width = columns_of(sys.stderr)
    if width is not None:
        from exactmatch.report.folding import folded_text

        message = folded_text(message, width)
    if _above_bars:
        _above_bars[-1](message)
    else:
        click.echo(message, err=True)
