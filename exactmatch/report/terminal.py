"""Lines for a terminal: folded to its width, coloured or not; what they show is never executed."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from exactmatch.runtime.harmless import harmless

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

#: Characters that are not to be seen themselves, but make words of some scripts what they are.
_JOINERS = "\u200c\u200d"
#: What stands between items of a list.
_BETWEEN = "   "


def visible(text: str) -> str:
    """Return *text* with what cannot be seen, or steers a terminal, written as in Python."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character in _JOINERS
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def plain(text: str, style: str = "") -> "Text":
    """Return *text* as it is shown, in a style of rich."""
    from rich.text import Text

    return Text(visible(text), style, end="")


def folded(text: "Text", width: int | None, first: str, others: str) -> Iterator["Text"]:
    """Yield the lines of *text* in *width* columns (None: it is one line), each after a margin.

    *first* is the margin of the first line, *others* that of all others, and no narrower.
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
    """Yield *items* one beside the other, those together that *width* columns have room for."""
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
    """Return *text* with blanks after it, *width* columns in all."""
    text = text.copy()
    text.append(" " * (width - text.cell_len))
    return text


def printed(text: "Text", *, color: bool) -> str:
    """Return *text* as it is written to a terminal, without blanks at its end.

    All of its pieces are harmless; colours are all that steers the terminal.
    """
    from rich.color import ColorSystem
    from rich.style import Style

    text = text.copy()
    text.rstrip()
    if not color:
        return harmless(text.plain)
    standard = ColorSystem.STANDARD
    return "".join(
        (style or Style.null()).render(harmless(said), color_system=standard)
        for said, style, _ in text.render(_console())
    )


@cache
def _console() -> "Console":
    """Return what rich asks for styles; nothing is written to it."""
    from io import StringIO

    from rich.console import Console

    return Console(file=StringIO(), force_terminal=True, color_system="standard", _environ={})
