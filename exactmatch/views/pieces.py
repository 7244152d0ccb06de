"""Pieces of text that speak of a triple or of a variable, and lines of them."""

from collections.abc import Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """A piece of text, the number of the triple that it tells, and of the variable it names."""

    text: str
    triple: int | None = None
    variable: int | None = None


class Line(NamedTuple):
    """A line of a text, *indent* steps to the right."""

    indent: int
    pieces: Sequence[Piece]

    @property
    def text(self) -> str:
        """The line without its indentation."""
        return "".join(piece.text for piece in self.pieces)
