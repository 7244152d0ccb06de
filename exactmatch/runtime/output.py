"""Write files whole or not at all: beside their final name, and renamed when complete."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from exactmatch.errors import InputError, UsageError, failure
from exactmatch.runtime.protection import check_unprotected, is_same_file, overwritten, reads
from exactmatch.runtime.standard_streams import fill_descriptors, is_closed

if TYPE_CHECKING:
    from exactmatch.runtime.partial_file import PartialFile

#: Paths of this process's open files, which a rename would not reach.
_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")

#: What a folder to resume a run holds, and a folder of certificates.
FINISHED_PART, CERTIFICATES = "the finished part of a run", "certificates, and nothing else"

#: The page of a folder, and what each of ours has in so many of its first bytes.
PAGE = "index.html"
OURS = '<meta name="generator" content="exactmatch">'
_HEAD = 2000


@contextmanager
def writing(path: Path) -> Iterator[TextIO]:
    """Yield a file of text in UTF-8 that becomes the one at *path* when the block ends.

    Until then, `PartialFile` says what it is called, and the file at *path* stays unchanged. If the
    block ends by an exception, the partial file is kept, and a note added to the exception says so.
    Lines are on disk as soon as they are written. Pipes, devices and open streams are written
    directly. Raises `InputError` if it cannot be written, and `UsageError` for an input of the
    running command.
    """
    if _is_special(path):
        with _opened(path) as file:
            yield file
    else:
        with partial_file(path) as partial:
            yield partial.text


@contextmanager
def partial_file(path: Path) -> "Iterator[PartialFile]":
    """Yield the file that becomes the one at *path* when the block ends, as for `writing`."""
    from exactmatch.runtime.partial_file import PartialFile  # most runs write no file

    try:
        file = PartialFile(path)
    except OSError as error:
        raise failure(path, error) from error
    try:
        yield file
        file.complete()
    except BaseException as error:
        file.leave(error)
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
        raise failure(path, error) from error


def check_ours(folder: Path, names: Iterable[str]) -> None:
    """Raise `InputError` if writing *names* to *folder* would replace what is not ours.

    A folder whose ``index.html`` has our mark is ours; elsewhere, none of the names may be taken.
    A link that leads out of the folder is never followed.
    """
    named = [folder / name for name in names]
    if not is_marked(folder / PAGE, OURS):
        for path in named:
            check_replaceable(path, OURS)
    check_inside(folder, named)


def check_replaceable(path: Path, mark: str) -> None:
    """Raise `InputError` if there is something at *path* that is no file with *mark*."""
    if os.path.lexists(path) and not is_marked(path, mark):
        raise InputError(f"{path}: of another program, and would be replaced; name a new folder")


def is_marked(path: Path, mark: str) -> bool:
    """Tell whether a file has *mark* at its beginning. A pipe is not opened, which would wait."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return mark.encode() in file.read(_HEAD)
    except OSError as error:
        raise failure(path, error) from error


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
        if "\0" in str(path):
            raise UsageError(f"{str(path)!r}: not a file name: embedded null byte")
        if reads(inputs, path):
            raise overwritten(path)
    for path, other in combinations(written, 2):
        if is_same_file(path, other):
            raise UsageError(f"{path} is named for two outputs")


def check_place(path: Path) -> None:
    """Raise `InputError` if no file can be written at *path*, since its folder does not allow it.

    So a long computation ends before it begins, not when its result is written.
    """
    if not _is_special(path):
        _check_folder(path, real_path(path).parent)


#: The endings of files, as which nobody calls a folder.
_OF_FILES = frozenset(
    f".{ending}"
    for ending in (
        "amr",
        "csv",
        "htm",
        "html",
        "json",
        "jsonl",
        "pdf",
        "png",
        "svg",
        "tex",
        "txt",
        "umr",
    )
)


def check_folder_place(path: Path) -> None:
    """Raise `InputError` if no folder can be made at *path*, which includes the folders above.

    Raises `UsageError` for a new folder whose name ends like that of a file, which was meant then.
    """
    if path.suffix.lower() in _OF_FILES and not path.is_dir():
        raise UsageError(f"{path} is to be a folder, but its name ends like that of a file")
    place = real_path(path)
    _check_folder(path, next(one for one in (place, *place.parents) if os.path.lexists(one)))


def real_path(path: Path) -> Path:
    """Return *path* without links. Raises `InputError` if the working directory is gone."""
    try:
        return Path(os.path.realpath(path))
    except OSError as error:
        raise failure(path, error) from error


def _check_folder(path: Path, folder: Path) -> None:
    """Raise `InputError`, about *path*, if nothing can be written in *folder*."""
    try:
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(folder, os.W_OK | os.X_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise failure(path, error) from error


def check_apart(folder: Path, *others: Path | None, holds: str) -> None:
    """Raise `UsageError` if a file or folder is, or would be, in *folder*, which *holds* this."""
    place = Path(os.path.realpath(folder))
    for path in others:
        if path is not None and place in Path(os.path.realpath(path)).parents:
            raise UsageError(f"{path} is in {folder}, which holds {holds}")


def _is_special(path: Path) -> bool:
    """Tell whether a file is written directly: a pipe, a device, an open stream."""
    if str(path.absolute()).startswith(_STREAMS):
        return True
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False  # it does not exist yet; any other problem shows when the file is made


def _opened(path: Path) -> TextIO:
    from exactmatch.runtime.named_file import NamedWriter, TextFile

    check_unprotected(path)
    fill_descriptors()
    try:
        if is_closed(path):
            raise OSError(errno.EBADF, "closed")
        return TextFile(NamedWriter(path, path, "w"))
    except OSError as error:
        raise failure(path, error) from error
