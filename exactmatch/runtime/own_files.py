"""Files whose names the program has made up: only plain files are used, and one run at a time.

Someone else may have put a link, a pipe or a folder there. A link is not followed, nothing waits
for a pipe, and nothing is overwritten.
"""

import io
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO

from exactmatch.errors import InputError, failure
from exactmatch.runtime.named_file import NamedRandom
from exactmatch.runtime.protection import check_unprotected
from exactmatch.stopping.interrupts import check

#: The file that a run locks while it has a folder for itself.
LOCK = "exactmatch.lock"
#: What opens nothing but plain files, and does not wait for others; Windows has neither.
_CAREFUL = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
#: Attempts a second to get a lock.
_ATTEMPTS = 20


def open_own(path: Path, *, make: bool = False) -> io.BufferedRandom:
    """Open the file at *path* to read and write; *make* it if there is none.

    Raises `InputError` if there is something else, or a file that has a second name, and
    `UsageError` for an input of the running command.
    """
    check_unprotected(path)
    opener = partial(_opened, path, make)
    try:
        return NamedRandom(path, opener)
    except OSError as error:
        raise failure(path, error) from error


def check_plain(path: Path) -> None:
    """Raise `InputError` if there is something at *path* that is no plain file."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise failure(path, error) from error
    if stat.S_ISLNK(mode):
        raise InputError(f"{path}: a link, not a file of this folder")
    if not stat.S_ISREG(mode):
        raise InputError(f"{path}: no plain file, and not replaced")


@contextmanager
def locked(folder: Path, patience: int = 0, *, strict: bool = True) -> Iterator[None]:
    """Keep other runs out of *folder* until the block ends.

    If another run has it, wait up to *patience* seconds. Raises `InputError` if that run is still
    using it and, if *strict*, where the file system has no locks.
    """
    path = folder / LOCK
    file = _lock_file(path, patience * _ATTEMPTS, strict)
    try:
        yield
    finally:
        _release(file, path)


def _lock_file(path: Path, waits: int, strict: bool) -> BinaryIO:
    """Return the open lock file, after at most so many *waits*."""
    while True:
        file = open_own(path, make=True)
        if os.fstat(file.fileno()).st_size:
            file.close()
            raise InputError(f"{path}: has content, and is not ours; name another folder")
        try:
            _lock(file)
        except (BlockingIOError, PermissionError) as error:
            file.close()
            if not waits:
                raise InputError(f"{path.parent}: another run is using it") from error
            waits -= 1
            time.sleep(1 / _ATTEMPTS)
            check()
            continue
        except OSError as error:
            if strict:
                file.close()
                raise failure(path, error) from error
        if _is_at(file, path):
            return file
        file.close()  # the run that had the lock has removed its file


def _is_at(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.lstat())
    except FileNotFoundError:
        return False


def _opened(path: Path, make: bool, name: str, flags: int) -> int:
    if path.is_symlink():
        raise InputError(f"{path}: a link, not a file of this folder")
    opened = os.open(name, flags | _CAREFUL | (os.O_CREAT if make else 0), 0o666)
    status = os.fstat(opened)
    if stat.S_ISREG(status.st_mode) and status.st_nlink <= 1:
        return opened
    os.close(opened)
    if stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: has a second name (a hard link), whose content would change")
    raise InputError(f"{path}: no plain file")


# The system releases a lock when its process ends in any way; a file with the owner's name would
# have to be removed.
if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _release(file: BinaryIO, path: Path) -> None:
        """Close the lock file, and remove it unless another run has opened it."""
        file.close()
        with suppress(OSError):
            path.unlink()

else:

    def _lock(file: BinaryIO) -> None:
        if sys.platform == "emscripten":
            return  # in a browser, there is one process, perhaps without the module
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _release(file: BinaryIO, path: Path) -> None:
        """Remove the lock file while it is locked, so that no other run loses its own."""
        with suppress(OSError):
            path.unlink()
        file.close()
