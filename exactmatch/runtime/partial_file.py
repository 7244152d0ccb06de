"""A file with a name of its own, beside its final one, until it is complete.

Each run makes a file of its own, which no other run opens. So of several runs with one output, the
last one to end replaces the file, as a whole.
"""

import os
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from exactmatch.errors import failure
from exactmatch.runtime.named_file import NamedWriter, TextFile
from exactmatch.runtime.protection import check_unprotected
from exactmatch.runtime.standard_streams import fill_descriptors
from exactmatch.runtime.unguarded import end_unguarded

#: The longest part of the final name, in bytes, that leaves room for the rest of a name.
_LONGEST = 230
#: Seconds between attempts to rename. On Windows, other programs (a virus scanner) may hold a file.
_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8)
#: What Windows says of such a file: access is denied, or there is a sharing violation.
_HELD = (5, 32)


class PartialFile:
    """The file that becomes the one at *path* when it is complete.

    Until then it is called ``NAME.<random>.partial``, and the file at *path* stays unchanged.

    path: the path that the user knows.
    final: the file to replace: if *path* is a link, the link stays, and this is its target.
    place: the path until it is complete.
    text: the file, open for text in UTF-8; each line is on disk at once.
    """

    def __init__(self, path: Path) -> None:
        """Make the file, with the permissions of the one that it replaces.

        Raises `OSError` if it cannot be made, or its replacement is not permitted, and `UsageError`
        for an input of the running command.
        """
        end_unguarded()
        check_unprotected(path)
        fill_descriptors()
        self.path = path
        self.final = Path(os.path.realpath(path)) if path.is_symlink() else path
        former = _checked_former(self.final)
        self.place, file = _made(path, self.final, former)
        self.text: TextIO = TextFile(file)
        self._is_complete = False

    def complete(self) -> None:
        """Give the file its final name, unless it has it. Raises `InputError` if that fails."""
        if self._is_complete:
            return
        self.text.close()
        try:
            replace(self.place, self.final)
        except OSError as error:
            raise failure(self.path, error) from error
        self._is_complete = True

    def leave(self, error: BaseException) -> None:
        """Keep what was written until *error*, and add a note of its path to *error*."""
        with suppress(Exception):  # *error* must not be lost
            self.text.close()
        try:
            if self.place.stat().st_size:
                kept = f"{self.place} holds what was written so far"
                error.add_note(f"{kept}; {self.path} is not written")
            else:
                self.place.unlink()
        except OSError:
            pass  # there is nothing to report

    def close(self) -> None:
        """Close the file, and remove it unless it is complete."""
        with suppress(Exception):
            self.text.close()
        if not self._is_complete:
            with suppress(OSError):
                self.place.unlink()


def is_partial_of(name: str, final: str) -> bool:
    """Tell whether a file called *name* is a partial one of the file called *final*."""
    return name.startswith(f"{_shortened(final)}.") and name.endswith(".partial")


def replace(place: Path, final: Path) -> None:
    """Rename *place* to *final*, again a few times while Windows says that another program has it.

    Raises `OSError` if that fails.
    """
    for pause in _PAUSES:
        try:
            place.replace(final)
        except OSError as error:
            if getattr(error, "winerror", None) not in _HELD:
                raise
            time.sleep(pause)
        else:
            return
    place.replace(final)


def _checked_former(final: Path) -> os.stat_result | None:
    """Return the status of the file to replace, None if there is none.

    Raises `PermissionError` for a file without permission to write, even if it is replaceable, and
    `OSError` for another problem, such as links in a circle.
    """
    try:
        former = final.stat()
    except FileNotFoundError:
        return None
    if not os.access(final, os.W_OK):
        final.open("ab").close()
    return former


def _made(path: Path, final: Path, former: os.stat_result | None) -> tuple[Path, NamedWriter]:
    """Make a file with a new name beside *final*; return its path and the file."""
    # Nobody else may read what nobody else may read later.
    mode = 0o666 if former is None else former.st_mode & 0o600

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    while True:
        name = f"{_shortened(final.name)}.{os.urandom(4).hex()}.partial"
        place = final.with_name(name)
        with suppress(FileExistsError):
            file = NamedWriter(path, place, "x", opener)
            break
    if former is not None:
        _make_like(file.fileno(), former)
    return place, file


def _make_like(descriptor: int, former: os.stat_result) -> None:
    """Give an open file the group and the permissions of *former*, and its owner if possible.

    If another group has to stay, it may do what all others may.
    """
    if sys.platform == "win32" or not hasattr(os, "fchown"):
        return  # Windows and browsers have neither
    mode = stat.S_IMODE(former.st_mode)
    for owner in (former.st_uid, -1):
        with suppress(OSError):
            os.fchown(descriptor, owner, former.st_gid)
            break
    else:
        mode = mode & 0o707 | (mode & 0o007) << 3
    with suppress(OSError):  # some file systems have no permissions
        os.fchmod(descriptor, mode)


def _shortened(name: str) -> str:
    """Return the beginning of *name* that leaves room for the rest of the name of a file."""
    encoded = os.fsencode(name)
    return name if len(encoded) <= _LONGEST else encoded[:_LONGEST].decode(errors="ignore")
