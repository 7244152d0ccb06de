"""Lay out lines for a terminal: folded, in colours or not, without control characters."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from exactmatch.runtime.harmless import harmless

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

#: Invisible characters that form words in some scripts.
_JOINERS = "\u200c\u200d"
#: Separates items of a list.
_BETWEEN = "   "


def visible(text: str) -> str:
    """Return *text* with invisible and control characters escaped as in Python."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character in _JOINERS
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def plain(text: str, style: str = "") -> "Text":
    """Return *text* for a terminal, in a style of rich."""
    from rich.text import Text

    return Text(visible(text), style, end="")


def folded(text: "Text", width: int | None, first: str, others: str) -> Iterator["Text"]:
    """Yield the lines of *text* in *width* columns (None: a single line), each after a margin.

    *first* is the margin of the first line, *others* that of all others, which is at least as wide.
    """
    from rich.text import Text

    if width is None or text.cell_len <= width - len(first):
        yield Text(first, end="") + text
        return
    margin = first
    for line in text.wrap(_console(), max(1, width - len(others)), overflow="fold"):
        yield Text(margin, end="") + line
        margin = others


def listed(items: Sequence["Text"], width: int | None, margin: str) -> Iterator["Text"]:
    """Yield *items* side by side, as many together as fit into *width* columns."""
    line = plain("")
    for item in items:
        if not line.plain:
            line = item
        elif width is None or len(margin + line.plain + _BETWEEN) + item.cell_len <= width:
            line = line + plain(_BETWEEN) + item
        else:
            yield from folded(line, width, margin, margin)
            line = item
    if line.plain:
        yield from folded(line, width, margin, margin)


def filled(text: "Text", width: int) -> "Text":
    """Return *text* with blanks after it, *width* columns wide."""
    text = text.copy()
    text.append(" " * (width - text.cell_len))
    return text


def printed(text: "Text", *, color: bool) -> str:
    """Return *text* as a terminal gets it, without blanks at its end.

    All pieces are harmless; colours are the only control characters.
    """
    if not color:
        return harmless(text.plain.rstrip())
    from rich.color import ColorSystem
    from rich.style import Style

    text = text.copy()
    text.rstrip()
    standard = ColorSystem.STANDARD
    return "".join(
        (style or Style.null()).render(harmless(said), color_system=standard)
        for said, style, _ in text.render(_console())
    )


@cache
def _console() -> "Console":
    """Return the object that rich needs for styles; nothing is written to it."""
    from io import StringIO

    from rich.console import Console

    return Console(file=StringIO(), force_terminal=True, color_system="standard", _environ={})
