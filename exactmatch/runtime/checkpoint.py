"""Keep the finished part of a run in a folder, so that the same run can be resumed after a failure.

The folder holds a file of lines for each output of the run, and ``checkpoint``, which gives the
valid length of each file, the sums over the pairs, and the identity of the run. ``checkpoint`` is
replaced as a whole, after the files are on disk, so it is always right. All files are text, and
nothing in them is executed.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

from exactmatch.errors import InputError, UsageError, failure
from exactmatch.runtime.output import make_folder
from exactmatch.runtime.own_files import LOCK, check_plain, locked, open_own
from exactmatch.runtime.partial_file import PartialFile, is_partial_of

_SCHEMA = 1
#: Seconds between two checkpoints; after a failure, the work since the last one is repeated.
_SECONDS = 1.0
_NAME, _LINES = "checkpoint", ".lines"
_CHUNK = 1 << 20


@contextmanager
def checkpoint_in(folder: Path) -> Iterator["Checkpoint"]:
    """Yield the checkpoint in *folder*, which is made if it does not exist.

    Raises `InputError` if it cannot be used, another run is using it, or it holds other files.
    """
    make_folder(folder)
    with locked(folder), ExitStack() as stack:
        yield Checkpoint(folder, stack)


class Checkpoint:
    """The saved part of a run in a folder; *stack* closes its files.

    run: the identity of the run in words; None before there is a run.
    state: the last argument of `save`; None if there is none.
    writes: the functions that take the lines of each output, after the run has begun.
    is_void: the run was forgotten.
    """

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.run: Mapping[str, str] | None = None
        self.state: Any = None
        self.writes: Sequence[Callable[[str], object]] = ()
        self.is_void: bool = False
        self.folder = folder
        self._stack = stack
        self._kept: Mapping[str, Any] = {}
        self._files: dict[str, _Lines] = {}
        self._saved = 0.0
        check_plain(folder / _NAME)
        if (folder / _NAME).exists():
            self._read()
        else:
            _check_ours(folder)

    def begin(self, run: Mapping[str, str], names: Sequence[str]) -> None:
        """Begin *run*, or resume it, with the named outputs.

        Raises `UsageError` if the folder holds another run, and `InputError` if its files have
        changed.
        """
        if self.run is not None and self.run != run:
            raise UsageError(f"{self.folder} holds another run; {_difference(self.run, run)}")
        for name in names:
            path = self.folder / f"{name}{_LINES}"
            try:
                kept = (0, sha256().hexdigest()) if self.run is None else self._kept[name]
                file = _Lines(path, is_new=self.run is None)
                self._stack.callback(file.close)
                file.cut(*kept)
            except OSError as error:
                raise failure(path, error) from error
            except (ValueError, TypeError, KeyError) as error:
                raise self.broken(error) from error
            self._files[name] = file
        self.run = run
        self.save(self.state)
        self.writes = [file.write for file in self._files.values()]

    def is_due(self) -> bool:
        """Tell if it is time to save."""
        return time.monotonic() - self._saved >= _SECONDS

    def save(self, state: Any) -> None:
        """Save *state*, which becomes JSON, and the lines that were written until now."""
        path = self.folder / _NAME
        try:
            kept = {name: file.kept() for name, file in self._files.items()}
            content = {"schema": _SCHEMA, "run": self.run, "files": kept, "state": state}
            text = json.dumps(content)
            with closing(PartialFile(path)) as file:
                file.text.write(f"{_text_digest(text)}\n{text}\n")
                _to_disk(file.text)
                file.complete()
            _names_to_disk(self.folder)
        except OSError as error:
            raise failure(path, error) from error
        self._saved = time.monotonic()

    def forget(self) -> None:
        """Remove the run, whose results turned out to be of no use. Its files of lines stay."""
        path = self.folder / _NAME
        try:
            path.unlink(missing_ok=True)
            _names_to_disk(self.folder)
        except OSError as error:
            raise failure(path, error) from error
        self.is_void = True

    def lines(self, name: str) -> Iterator[str]:
        """Yield the lines of an output, with their ends."""
        path = self.folder / f"{name}{_LINES}"
        try:
            with TextIOWrapper(open_own(path), "utf-8", newline="\n") as file:
                yield from file
        except OSError as error:
            raise failure(path, error) from error

    def broken(self, error: Exception) -> InputError:
        """Return the error about a folder whose files have changed."""
        reason = f"its files have changed ({error})"
        return InputError(f"{self.folder}: {reason}; remove the folder to start again")

    def _read(self) -> None:
        path = self.folder / _NAME
        try:
            with open_own(path) as file:
                whole = file.read().decode("ascii")
            head, _, text = whole.removesuffix("\n").partition("\n")
            if _text_digest(text) != head:
                raise ValueError(f"{_NAME} is damaged")
            content = json.loads(text)
            if content["schema"] != _SCHEMA:
                raise ValueError(f"{_NAME} is of another version")
            self.run, self.state = dict(content["run"]), content["state"]
            self._kept = dict(content["files"])
            if self.state is None and any(length for length, _ in self._kept.values()):
                raise ValueError(f"{_NAME} has lines of no pairs")
        except OSError as error:
            raise failure(path, error) from error
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise self.broken(error) from error


class _Lines:
    """A file of lines, and the digest of its content."""

    def __init__(self, path: Path, *, is_new: bool) -> None:
        self._file = open_own(path, make=is_new)
        self._path = path
        self._length = 0
        self._digest = sha256()

    def cut(self, length: int, digest: str) -> None:
        """Keep only the first *length* bytes. Raises `ValueError` unless *digest* is theirs."""
        self._file.seek(0)
        while chunk := self._file.read(min(_CHUNK, length - self._length)):
            self._add(chunk)
        if (self._length, self._digest.hexdigest()) != (length, digest):
            raise ValueError(f"{self._path.name} is damaged")
        self._file.truncate(length)
        self._file.seek(length)

    def write(self, text: str) -> None:
        data = text.encode()
        self._file.write(data)
        self._add(data)

    def kept(self) -> tuple[int, str]:
        """Return length and digest after the content is on disk."""
        _to_disk(self._file)
        return self._length, self._digest.hexdigest()

    def close(self) -> None:
        """Close the file. What was not kept is of no account, even if it cannot be written."""
        with suppress(InputError):
            self._file.close()

    def _add(self, data: bytes) -> None:
        self._length += len(data)
        self._digest.update(data)


def _text_digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _difference(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return the settings that differ."""
    names = [name for name in {**now, **before} if before.get(name) != now.get(name)]
    return "; ".join(f"{n}: {before.get(n, 'none')}, but now {now.get(n, 'none')}" for n in names)


def _check_ours(folder: Path) -> None:
    """Raise `InputError` if there are files in *folder* that belong to no run."""
    others = [path.name for path in folder.iterdir() if not _is_ours(path)]
    if others:
        raise InputError(
            f"{folder}: holds no run, but {min(others)}; name a folder that is used "
            "for nothing else"
        )


def _is_ours(path: Path) -> bool:
    return path.name == LOCK or path.suffix == _LINES or is_partial_of(path.name, _NAME)


def _to_disk(file: IO[Any]) -> None:
    file.flush()
    os.fsync(file.fileno())


if sys.platform == "win32":

    def _names_to_disk(folder: Path) -> None:
        """Do nothing: folders cannot be opened."""

else:

    def _names_to_disk(folder: Path) -> None:
        """Write the names of the files in *folder* to disk."""
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
