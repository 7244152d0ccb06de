"""The free memory of this machine, as far as its system tells."""

import os
import re
import sys
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def amounts() -> list[int]:
    """Return the free bytes by each source that the system has."""
    sources = (_of_linux(), _of_group(), _of_macos(), _of_windows())
    return [free for free in sources if free is not None]


def _of_linux() -> int | None:
    """Return the available bytes according to Linux; None elsewhere."""
    try:
        found = re.search(rb"^MemAvailable: +(\d+)", _MEMINFO.read_bytes(), re.MULTILINE)
    except OSError:
        return None
    return None if found is None else int(found[1]) << 10


def _of_group() -> int | None:
    """Return the bytes left to the control group of a container; None if not limited."""
    try:
        most, used = ((_GROUP / f"memory.{name}").read_bytes() for name in ("max", "current"))
        return max(0, int(most) - int(used))
    except (OSError, ValueError):  # there is no such group, or its limit is "max"
        return None


def _of_macos() -> int | None:
    """Return half of the bytes that the machine has; None elsewhere.

    macOS fills unused memory with copies of files, so the part that it calls free says little.
    """
    if sys.platform != "darwin":
        return None
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (OSError, ValueError):
        return None


def _of_windows() -> int | None:
    """Return the available bytes according to Windows; None elsewhere."""
    if sys.platform != "win32":
        return None
    import ctypes

    # The structure MEMORYSTATUSEX: its size, the load in per cent, and seven amounts in bytes, of
    # which the second is the available memory.
    class Status(ctypes.Structure):
        _fields_ = (
            ("size", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            ("amounts", ctypes.c_uint64 * 7),
        )

    status = Status(size=ctypes.sizeof(Status))
    try:
        is_known = ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status))
    except (AttributeError, OSError):
        return None
    return int(status.amounts[1]) if is_known else None
