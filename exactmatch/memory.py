"""How much memory a pair of graphs may take."""

import re
from pathlib import Path

from exactmatch.errors import UsageError

#: No pair takes more than this by default, so that the result is the same on all machines that
#: have four times as much for each worker.
MOST = 1 << 30
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)

_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def default_limit(workers: int) -> int:
    """Return the limit for a pair, in bytes: a quarter of what is free for each of *workers*.

    But no more than `MOST`, which it also is where the system does not say what is free. Raises
    `UsageError` if *workers* is no number of processes.
    """
    if type(workers) is not int or workers < 1:
        raise UsageError(f"{workers!r} workers: not a whole number of processes")
    free = [found for found in (_available(), _left_in_group()) if found is not None]
    return min([MOST, *(amount // (4 * workers) for amount in free)])


def parse_size(text: str) -> int:
    """Return a number of bytes, given as in ``800M`` or ``1.5G``; raise `UsageError` for others."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{text!r} is no amount of memory; 800M or 1.5G would be")
    return int(float(found[1]) * _UNITS[found[2].upper()])


def _available() -> int | None:
    """Return what Linux says is available, in bytes; None elsewhere."""
    try:
        found = re.search(r"^MemAvailable:\s*(\d+) kB", _MEMINFO.read_text("ascii"), re.MULTILINE)
    except (OSError, ValueError):
        return None
    return None if found is None else int(found[1]) << 10


def _left_in_group() -> int | None:
    """Return what is left to the control group of a container, in bytes; None if not limited."""
    try:
        most, used = ((_GROUP / f"memory.{name}").read_text("ascii") for name in ("max", "current"))
        return max(0, int(most) - int(used))
    except (OSError, ValueError):  # there is no such group, or it may take "max"
        return None
