"""How much memory a pair of graphs may take."""

import re
from pathlib import Path

from exactmatch.errors import UsageError
from exactmatch.workers import AUTO, Elsewhere, Workers, cores

#: No pair takes more than this by default, so that the result is the same on all machines that
#: have four times as much for each worker.
MOST = 1 << 30
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def default_limit(workers: Workers) -> int:
    """Return the limit for a pair, in bytes: a quarter of what is free for each of *workers*.

    But no more than `MOST`, which it also is where nobody says what is free. Raises `UsageError` if
    *workers* is no number of processes and nothing elsewhere.
    """
    if isinstance(workers, Elsewhere):
        return min([MOST, *(amount // 4 for amount in workers.memory())])
    return min([MOST, *(amount // (4 * number_of(workers)) for amount in _free())])


def number_of(workers: Workers) -> int:
    """Return how many processes *workers* are: for ``auto``, one for each core at most.

    There are no more of these than would have the usual memory each. Raises `UsageError` if
    *workers* is neither that nor a number of processes.
    """
    if workers == AUTO:
        return max(1, min([cores(), *(amount // (4 * MOST) for amount in _free())]))
    if type(workers) is not int or workers < 1:
        raise UsageError(f"{workers!r} workers: not a whole number of processes")
    return workers


def free_memory() -> int | None:
    """Return how many bytes are free; None where the system does not say."""
    return min(_free(), default=None)


def parse_size(text: str) -> int:
    """Return a number of bytes, given as in ``800M`` or ``1.5G``; raise `UsageError` for others."""
    pattern = r"(\d{1,18}(?:\.\d{1,18})?)\s*([KMGT]?)(?:i?B)?"
    found = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
    if found is None:
        raise UsageError(f"{text!r} is no amount of memory; 800M or 1.5G would be")
    from fractions import Fraction

    return int(Fraction(found[1]) * _UNITS[found[2].upper()])


def _free() -> list[int]:
    """Return what is free, in bytes, in the words of those who know."""
    return [found for found in (_available(), _left_in_group()) if found is not None]


def _available() -> int | None:
    """Return what Linux says is available, in bytes; None elsewhere."""
    try:
        lines = [line.split() for line in _MEMINFO.read_text("ascii").splitlines()]
        return next(int(words[1]) << 10 for words in lines if words[0] == "MemAvailable:")
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _left_in_group() -> int | None:
    """Return what is left to the control group of a container, in bytes; None if not limited."""
    try:
        most, used = ((_GROUP / f"memory.{name}").read_text("ascii") for name in ("max", "current"))
        return max(0, int(most) - int(used))
    except (OSError, ValueError):  # there is no such group, or it may take "max"
        return None
