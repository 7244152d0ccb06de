"""Files whose errors name the file that the user knows, whatever the file is called meanwhile.

The buffers name it, not the file below them: a buffer knows what the file has taken only if no
interrupt can come in between, and would write it twice otherwise.
"""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exactmatch.errors import failure
from exactmatch.runtime.harmless import harmless

#: Opens a file by name and flags, and returns its descriptor.
Opener = Callable[[str, int], int]


class _Named(io.BufferedIOBase):
    """A buffer whose `InputError` names *path* if writing fails, whatever writes to it."""

    path: Path

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise failure(self.path, error) from error

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise failure(self.path, error) from error

    def seek(self, offset: int, whence: int = 0, /) -> int:
        try:
            return super().seek(offset, whence)
        except OSError as error:
            raise failure(self.path, error) from error

    def truncate(self, size: int | None = None, /) -> int:
        try:
            return super().truncate(size)
        except OSError as error:
            raise failure(self.path, error) from error

    def close(self) -> None:
        try:
            super().close()
        except OSError as error:
            raise failure(self.path, error) from error


class NamedWriter(_Named, io.BufferedWriter):
    """The file at *place*, to be written."""

    def __init__(self, path: Path, place: Path, mode: str, opener: Opener | None = None) -> None:
        io.BufferedWriter.__init__(self, io.FileIO(str(place), mode, opener=opener))
        self.path = path


class NamedRandom(_Named, io.BufferedRandom):
    """The file at *path*, to be read and written."""

    def __init__(self, path: Path, opener: Opener) -> None:
        io.BufferedRandom.__init__(self, io.FileIO(str(path), "r+", opener=opener))
        self.path = path


class TextFile(io.TextIOWrapper):
    """A file of text in UTF-8, whose lines are on disk as soon as they are written."""

    def __init__(self, file: NamedWriter) -> None:
        # Surrogates, as in file names that are not UTF-8, are no reason to fail.
        super().__init__(file, "utf-8", "backslashreplace", newline="\n", line_buffering=True)
        self._is_terminal = self.isatty()

    def write(self, text: str, /) -> int:
        return super().write(harmless(text) if self._is_terminal else text)
