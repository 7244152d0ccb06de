"""Print text for people: folded to the width of a terminal, and unfolded elsewhere.

Every command prints its text by `show` and its messages by `say`, so this module alone decides.
"""

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from exactmatch.runtime.standard_streams import is_terminal

if TYPE_CHECKING:
    from exactmatch.report.text_layout import TextLayout

#: The width of a terminal that does not tell its own.
_USUAL = 80


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
    """Print *text* on standard output, or on standard error; strings are never folded."""
    if not isinstance(text, str):
        text = text.at(columns_of(sys.stderr if err else sys.stdout))
    click.echo(text, err=err)


def say(message: str) -> None:
    """Print a message on standard error."""
    width = columns_of(sys.stderr)
    if width is not None:
        from exactmatch.report.folding import folded_text

        message = folded_text(message, width)
    click.echo(message, err=True)
