"""The files that a running command reads, which none of its outputs may replace."""

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from exactmatch.errors import UsageError

_STDIN = "-"


class _Protected:
    """The inputs of the command that runs; empty without a command."""

    inputs: Sequence[str] = ()


@contextmanager
def protecting(inputs: Sequence[str]) -> Iterator[None]:
    """Refuse to replace *inputs*, paths or ``-`` for standard input, until the block ends.

    A command names some of its files while it runs, and links may lead from these to an input.
    """
    before, _Protected.inputs = _Protected.inputs, (*_Protected.inputs, *inputs)
    try:
        yield
    finally:
        _Protected.inputs = before


def check_unprotected(path: Path) -> None:
    """Raise `UsageError` if the file at *path* is an input of the command that runs."""
    if reads(_Protected.inputs, path):
        raise overwritten(path)


def check_standard_output(inputs: Sequence[str]) -> None:
    """Raise `UsageError` if standard output is appended to one of *inputs*."""
    written = _status(sys.stdout)
    for name in inputs if written is not None else ():
        read = _status(sys.stdin) if name == _STDIN else _file_status(name)
        if read is not None and written is not None and os.path.samestat(read, written):
            raise UsageError(f"standard output goes to {name}, which is an input")


def reads(inputs: Sequence[str], path: Path) -> bool:
    """Tell whether the file at *path* is one of *inputs*, by whatever name."""
    return any(
        _is_standard_input(path) if name == _STDIN else is_same_file(path, Path(name))
        for name in inputs
    )


def overwritten(path: Path) -> UsageError:
    """Return the error about an output that is an input, too."""
    return UsageError(f"{path} is an input and would be overwritten")


def is_same_file(path: Path, other: Path) -> bool:
    """Tell whether two paths mean one file, which need not exist."""
    one, two = _file_status(path), _file_status(other)
    if one is None and two is None:
        return Path(os.path.realpath(path)) == Path(os.path.realpath(other))
    return one is not None and two is not None and os.path.samestat(one, two)


def _is_standard_input(path: Path) -> bool:
    read, found = _status(sys.stdin), _file_status(path)
    return read is not None and found is not None and os.path.samestat(read, found)


def _status(stream: IO[Any] | None) -> os.stat_result | None:
    """Return the status of the regular file that *stream* is; None for anything else."""
    if stream is None:
        return None
    try:
        status = os.fstat(stream.fileno())
    except (OSError, AttributeError, ValueError):  # a stream of a program, or a closed one
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _file_status(path: str | Path) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None
