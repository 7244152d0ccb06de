"""The workers that share the pairs, and the memory for a pair."""

import os
import re
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, Union

from exactmatch.errors import UsageError, WorkerError, is_want_of_memory

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")

Result = TypeVar("Result")


class RemoteWorkers(ABC):
    """Workers that were started elsewhere, on this machine or on others."""

    @abstractmethod
    def in_order(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        describe: Callable[[Task], str] | None = None,
    ) -> Generator[Result, None, None]:
        """Yield the result of *function* for each of *tasks*: see
        `exactmatch.runtime.processes.in_order`.

        It hands out several tasks at once if they are fast.
        """

    @abstractmethod
    def memory(self) -> Sequence[int]:
        """Return the bytes for each worker that has a memory limit."""


#: A number of processes, or ``auto``: as many as there are cores, after the work has taken longer
#: than starting them; or workers elsewhere.
Workers: TypeAlias = int | Literal["auto"] | RemoteWorkers

#: A Dask cluster: ``tcp://host:8786``, the file of a scheduler, or a client.
ClusterAddress: TypeAlias = Union[str, os.PathLike[str], "Client"]

AUTO: Literal["auto"] = "auto"

#: Seconds of work after which it is worthwhile to start processes for the rest.
_ALONE = 1.0


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def out_of_memory(name: str) -> WorkerError:
    """Return the error about a task called *name* that memory was not enough for."""
    return WorkerError(f"memory ran out at work on: {name}")


def done(function: Callable[[Task], Result], task: Task, describe: Callable[[Task], str]) -> Result:
    """Return the result of *function* for *task*, which *describe* names in messages.

    Raises `WorkerError` if memory runs out.
    """
    try:
        return function(task)
    except Exception as error:
        if not is_want_of_memory(error):
            raise
    # The traceback held what filled the memory; it is gone here.
    raise out_of_memory(describe(task))


def _no_seconds(_: object) -> float:
    return 0.0


def run_inline(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    describe: Callable[[Task], str],
    waited: Callable[[Result], float] = _no_seconds,
) -> Generator[Result, None, bool]:
    """Yield the results of *function* for *tasks* until they have taken a second.

    Returns whether these were all. The time of reading tasks and of using results does not count,
    nor do the seconds that a result has *waited* for what other processes would wait for, too.
    Raises as `done` does.
    """
    left = _ALONE
    for task in tasks:
        start = time.monotonic()
        result = done(function, task, describe)
        left -= time.monotonic() - start - waited(result)
        yield result
        if left <= 0:
            return False
    return True


#: Where Linux tells of free memory: of the machine, and of the control group of a container.
_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")

#: The default limit for a pair, so that results are the same on all machines with four times as
#: much memory for each worker.
MOST = 1 << 30

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def default_limit(workers: Workers) -> int:
    """Return the limit for a pair, in bytes: a quarter of the free memory for each of *workers*.

    The limit is at most `MOST`, which it also is if the free memory is unknown. Raises `UsageError`
    if *workers* is neither a number of processes nor workers elsewhere.
    """
    if isinstance(workers, RemoteWorkers):
        return min([MOST, *(amount // 4 for amount in workers.memory())])
    number = number_of(workers)
    return min([MOST, *(amount // (4 * number) for amount in _amounts())])


def number_of(workers: Workers) -> int:
    """Return the number of processes of *workers*: for ``auto``, at most one for each core.

    Their number is limited so that each has the usual memory. Raises `UsageError` if *workers* is
    neither ``auto`` nor a number of processes.
    """
    if workers == AUTO:
        return max(1, min([cores(), *(amount // (4 * MOST) for amount in _amounts())]))
    if type(workers) is not int or workers < 1:
        raise UsageError(f"{workers!r} workers: give a whole number of processes")
    return workers


def free_memory() -> int | None:
    """Return the number of free bytes; None if the system does not say."""
    return min(_amounts(), default=None)


def parse_size(text: str) -> int:
    """Return the number of bytes in ``800M`` or ``1.5G``; raise `UsageError` for other text."""
    pattern = r"(\d{1,18}(?:\.\d{1,18})?)\s*([KMGT]?)(?:i?B)?"
    match = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
    if match is None:
        raise UsageError(f"{text!r} is no amount of memory; write it as 800M or 1.5G")
    from fractions import Fraction

    return int(Fraction(match[1]) * _UNITS[match[2].upper()])


def _amounts() -> list[int]:
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
