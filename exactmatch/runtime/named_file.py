"""Files whose errors name the file that the user knows, whatever the file is called meanwhile."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exactmatch.errors import failure
from exactmatch.runtime.harmless import harmless


class NamedFile(io.FileIO):
    """The bytes of the file at *place*; if writing fails, the `InputError` names *path*.

    Whatever writes to it (text, a buffer, a library) gets the same error.
    """

    def __init__(
        self, path: Path, place: Path, mode: str, opener: Callable[[str, int], int] | None = None
    ) -> None:
        self._path = path
        super().__init__(str(place), mode, opener=opener)

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise failure(self._path, error) from error

    def truncate(self, size: int | None = None, /) -> int:
        try:
            return super().truncate(size)
        except OSError as error:
            raise failure(self._path, error) from error

    def close(self) -> None:
        try:
            super().close()
        except OSError as error:
            raise failure(self._path, error) from error


class TextFile(io.TextIOWrapper):
    """A file of text in UTF-8, whose lines are on disk as soon as they are written."""

    def __init__(self, raw: NamedFile) -> None:
        # Surrogates, as in file names that are not UTF-8, are no reason to fail.
        super().__init__(
            io.BufferedWriter(raw), "utf-8", "backslashreplace", newline="\n", line_buffering=True
        )
        self._is_terminal = self.isatty()

    def write(self, text: str, /) -> int:
        return super().write(harmless(text) if self._is_terminal else text)
