"""Fold lines of text to a number of columns of a terminal, where wide characters take two."""

import re

from exactmatch.runtime.harmless import harmless, on_one_line

#: The columns that one character takes at most.
_WIDEST = 2
#: Begins the further lines of a command.
_INDENT = "    "


def text_width(text: str) -> int:
    """Return the width of *text* in columns of a terminal."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def folded(line: str, width: int, indent: str = "") -> list[str]:
    """Return *line* in pieces of at most *width* columns, the further ones after *indent*.

    Lines are broken at blanks or after ``|``, and words only if they are wider than a line.
    """
    if text_width(line) <= width:
        return [line]
    if text_width(indent) + _WIDEST > width:
        indent = ""
    lines, now = [], ""
    for word in re.split(r"(?<=[\s|])(?=[^\s|])", line):
        if text_width(now + word.rstrip()) <= width:
            now += word
            continue
        if now.strip():
            lines.append(now.rstrip())
        now = indent
        *filled, rest = _chopped(word, width - text_width(now))
        for piece in filled:
            lines.append(now + piece)
            now = indent
        now += rest
    return [*lines, now.rstrip()]


def folded_text(text: str, width: int) -> str:
    """Return *text* with each of its lines folded; a line above a caret is cut instead."""
    lines = harmless(text).expandtabs().split("\n")
    shown: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if following.strip() == "^":
            shown.append(_around(line, following.index("^"), width))
        elif line.strip() == "^":
            shown.append(_around(line, line.index("^"), width))
        else:
            indent = line[: len(line) - len(line.lstrip())]
            shown += folded(line, width, indent)
    return "\n".join(shown)


def folded_command(command: str, width: int) -> str:
    """Return a command line for a shell, whose lines end with a backslash.

    A word is never broken, so that the command can be copied.
    """
    if "\n" not in command and text_width(command) <= width:
        return command
    import shlex  # plain score does without it

    lines = [""]
    for word in map(shlex.quote, shlex.split(on_one_line(command))):
        if lines[-1].strip() and text_width(f"{lines[-1]}{word} \\") > width:
            lines[-1] += "\\"
            lines.append(_INDENT)
        lines[-1] += f"{word} "
    return "\n".join(line.rstrip(" ") for line in lines)


def _chopped(word: str, width: int) -> list[str]:
    """Return *word*, without blanks at its end if it is broken, in pieces of *width* columns."""
    if text_width(word.rstrip()) <= width:
        return [word]
    from rich.cells import chop_cells

    return chop_cells(word.rstrip(), max(_WIDEST, width))


def _around(line: str, place: int, width: int) -> str:
    """Return the part of *line* that holds the character at *place*, if it is too wide."""
    start = max(0, place + 1 - width)
    while text_width(line[start : place + 1]) > width:
        start += 1
    end = len(line)
    while text_width(line[start:end]) > width:
        end -= 1
    return line[start:end]
