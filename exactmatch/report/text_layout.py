"""Text for people: paragraphs, tables and commands, laid out for a terminal or unfolded."""

from collections.abc import Iterable, Iterator

from exactmatch.report.folding import folded, folded_command, folded_text, text_width
from exactmatch.report.text_table import Grid
from exactmatch.runtime.harmless import harmless


class CommandLine(str):
    """A command for a shell."""


class ForTerminal(str):
    """A paragraph that only a terminal shows, such as what to do next."""


class Beside:
    """Texts side by side, in pairs, with a mark between them."""

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Take the rows: left text, mark, right text."""
        self._rows = [*rows]

    def at(self, width: int | None) -> str:
        """Return the rows; in *width* columns of a terminal, both sides are folded."""
        if width is None:  # readers rely on columns in characters
            left = max((len(text) for text, _, _ in self._rows), default=0)
            return "\n".join(f"{text:<{left}} {mark} {other}" for text, mark, other in self._rows)
        natural = max((text_width(text) for text, _, _ in self._rows), default=0)
        left = max(2, min(natural, (width - 3) // 2))
        return "\n".join(line for row in self._rows for line in _beside(*row, left, width))


def _beside(text: str, mark: str, other: str, left: int, width: int) -> Iterator[str]:
    lefts, rights = folded(text, left), folded(other, max(2, width - left - 3))
    for k in range(max(len(lefts), len(rights))):
        said = lefts[k] if k < len(lefts) else ""
        answer = rights[k] if k < len(rights) else ""
        blank = " " * (left - text_width(said))
        yield f"{said}{blank} {mark if k == 0 else ' '} {answer}".rstrip()


#: A paragraph, a table, or texts side by side.
Part = str | Grid | Beside


class TextLayout:
    """Parts of a text, one below the other.

    Its string is what pipes and files get: all columns, and lines of any length.
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        """Take the parts; each begins a line."""
        self.parts = [*parts]

    def at(self, width: int | None) -> str:
        """Return the text in *width* columns of a terminal; None does not fold it."""
        shown = (
            _laid_out(part, width)
            for part in self.parts
            if width is not None or not isinstance(part, ForTerminal)
        )
        return "\n".join(shown)

    def __str__(self) -> str:
        return self.at(None)


def _laid_out(part: Part, width: int | None) -> str:
    if isinstance(part, Grid | Beside):
        return part.at(width)
    if width is None:
        return harmless(part)
    if isinstance(part, CommandLine):
        return folded_command(part, width)
    return folded_text(part, width)
