"""Write files whole or not at all: beside their final name, and renamed when complete."""

import errno
import io
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, product
from pathlib import Path
from typing import TextIO

from exactmatch.errors import InputError, UsageError
from exactmatch.runtime.harmless import harmless
from exactmatch.runtime.protection import check_unprotected, is_same_file, overwritten, reads
from exactmatch.runtime.standard_streams import fill_descriptors, is_closed

#: Paths of this process's open files, which a rename would not reach.
_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")

#: The page of a folder, and what each of ours has in so many of its first bytes.
PAGE = "index.html"
OURS = '<meta name="generator" content="exactmatch">'
_HEAD = 2000


def partial_path(path: Path) -> Path | None:
    """Return the path at which the file for *path* is written until it is complete.

    It is None for files that are written directly: pipes, devices, open streams.
    """
    if str(path.absolute()).startswith(_STREAMS):
        return None
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
    except OSError:
        pass  # it does not exist yet; any other problem shows when the file is opened
    final = _final(path)
    return final.with_name(final.name + ".partial")


@contextmanager
def writing(path: Path) -> Iterator[TextIO]:
    """Yield a file of text in UTF-8 that becomes the one at *path* when the block ends.

    Until then it is called ``NAME.partial``, and the file at *path* stays unchanged. If the block
    ends by an exception, the partial file is kept, and a note added to the exception says so. Lines
    are on disk as soon as they are written. Raises `InputError` if it cannot be written, and
    `UsageError` for an input of the running command.
    """
    check_unprotected(path)
    partial = partial_path(path)
    fill_descriptors()
    try:
        if is_closed(path):
            raise OSError(errno.EBADF, "closed")
        if partial is not None:
            _check_writable(path)
        file = _Text(path, partial or path)
    except OSError as error:
        raise _failure(path, error) from error
    try:
        with file:
            yield file
        if partial is not None:
            _complete(path, partial)
    except BaseException as error:
        if partial is not None:
            _leave(path, partial, error)
        raise


def write_text(path: Path, text: str) -> None:
    """Write the file at *path*, whole or not at all. Raises `InputError` if that fails."""
    with writing(path) as file:
        file.write(text)


def write_bytes(path: Path, data: bytes) -> None:
    """Write the file at *path*, whole or not at all. Raises `InputError` if that fails."""
    with writing(path) as file:
        file.buffer.write(data)


def append_text(file: TextIO, text: bytes) -> None:
    """Append UTF-8 *text* to a file of `writing` unchanged; to a terminal, harmless."""
    if file.isatty():
        file.write(text.decode("utf-8", "replace"))
    else:
        file.buffer.write(text)
        file.buffer.flush()


def make_folder(path: Path) -> None:
    """Make the folder at *path*, if it does not exist. Raises `InputError` if that fails."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _failure(path, error) from error


def check_ours(folder: Path, names: Iterable[str]) -> None:
    """Raise `InputError` if writing *names* to *folder* would replace what is not ours.

    A folder whose ``index.html`` has our mark is ours; elsewhere, none of the names may be taken.
    A link that leads out of the folder is never followed.
    """
    named = [folder / name for name in names]
    if not _is_marked(folder / PAGE, OURS):
        for path in named:
            check_replaceable(path, OURS)
    check_inside(folder, named)


def check_replaceable(path: Path, mark: str) -> None:
    """Raise `InputError` if there is something at *path* that is no file with *mark*."""
    if os.path.lexists(path) and not _is_marked(path, mark):
        raise InputError(f"{path}: of another program, and would be replaced; name a new folder")


def check_inside(folder: Path, paths: Iterable[Path]) -> None:
    """Raise `InputError` if one of *paths* leads out of *folder* by a link."""
    inside = Path(os.path.realpath(folder))
    for path in paths:
        if not Path(os.path.realpath(path)).is_relative_to(inside):
            raise InputError(f"{path}: a link leads out of {folder}, and is not written to")


def check_outputs(inputs: Sequence[str], *outputs: Path | None) -> None:
    """Raise `UsageError` if an output would overwrite an input or another output."""
    written = [path for path in outputs if path is not None]
    for path in written:
        if str(path) == "-":
            raise UsageError("standard output is for the result; name a file")
        for place in _places(path):
            if reads(inputs, place):
                raise overwritten(place)
    for path, other in combinations(written, 2):
        for place, taken in product(_places(path), _places(other)):
            if is_same_file(place, taken):
                raise UsageError(f"{place} is named for two outputs")


def check_apart(folder: Path, *outputs: Path | None) -> None:
    """Raise `UsageError` if an output would be in *folder*, which has another purpose."""
    for path in outputs:
        if path is not None and folder.resolve() in path.resolve().parents:
            raise UsageError(f"{path} is in {folder}, which holds the finished part of a run")


class _Text(io.TextIOWrapper):
    """A file of text whose errors name *path*, whatever its name while it is written."""

    def __init__(self, path: Path, place: Path) -> None:
        self._path = path
        # Surrogates, as in file names that are not UTF-8, are no reason to fail.
        super().__init__(
            place.open("wb"), "utf-8", "backslashreplace", newline="\n", line_buffering=True
        )
        self._is_terminal = self.isatty()

    def write(self, text: str, /) -> int:
        try:
            return super().write(harmless(text) if self._is_terminal else text)
        except OSError as error:
            raise _failure(self._path, error) from error

    def close(self) -> None:
        try:
            super().close()
        except OSError as error:
            raise _failure(self._path, error) from error


def _is_marked(path: Path, mark: str) -> bool:
    """Tell whether a file has *mark* at its beginning. A pipe is not opened, which would wait."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return mark.encode() in file.read(_HEAD)
    except OSError as error:
        raise _failure(path, error) from error


def _final(path: Path) -> Path:
    """Return the file to replace: if *path* is a link, the link stays."""
    return path.resolve() if path.is_symlink() else path


def _check_writable(path: Path) -> None:
    """Raise `PermissionError` for a file without permission to write, even if replaceable."""
    if path.exists() and not os.access(path, os.W_OK):
        path.open("ab").close()


def _complete(path: Path, partial: Path) -> None:
    """Give the complete file its name."""
    try:
        if path.exists():
            from shutil import copymode

            copymode(path, partial)
        partial.replace(_final(path))
    except OSError as error:
        raise _failure(path, error) from error


def _leave(path: Path, partial: Path, error: BaseException) -> None:
    """Keep the part written until *error*, and note its path."""
    try:
        if partial.stat().st_size == 0:
            partial.unlink()
            return
    except OSError:
        return  # there is nothing to report, and *error* must not be lost
    error.add_note(f"{partial} holds what was written so far; {path} is not written")


def _failure(path: Path, error: OSError) -> InputError:
    return InputError(f"{path}: {error.strerror or error}")


def _places(path: Path) -> list[Path]:
    """Return the paths for the output at *path*: of the file, and of its partial file."""
    partial = partial_path(path)
    return [path] if partial is None else [path, partial]
