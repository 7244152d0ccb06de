"""Who shares the work: how many processes, or others elsewhere."""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, Union

from exactmatch.errors import WorkerError, is_want_of_memory

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Result = TypeVar("Result")


class Elsewhere(ABC):
    """Workers that somebody else has started, on this machine or on others."""

    @abstractmethod
    def in_order(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        describe: Callable[[Task], str] | None = None,
    ) -> Generator[Result, None, None]:
        """Yield the result of *function* for each of *tasks*: see `exactmatch.parallel.in_order`.

        It hands out several tasks at once if they take no time.
        """

    @abstractmethod
    def memory(self) -> Sequence[int]:
        """Return the bytes that each worker may take, of those that have a limit."""


#: A number of processes, or ``auto``: as many as there are cores, once the work has shown that it
#: takes longer than starting them; or workers elsewhere.
Workers: TypeAlias = int | Literal["auto"] | Elsewhere
#: Where a cluster of Dask is: ``tcp://host:8786``, the file of a scheduler, or a client of it.
ClusterAddress: TypeAlias = Union[str, os.PathLike[str], "Client"]
AUTO: Literal["auto"] = "auto"

#: Seconds of work after which it is worth while to start processes for the rest.
_ALONE = 1.0


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def out_of_memory(name: str) -> WorkerError:
    """Return the error about a task called *name* that memory did not suffice for."""
    return WorkerError(f"memory ran out at work on: {name}")


def done(function: Callable[[Task], Result], task: Task, describe: Callable[[Task], str]) -> Result:
    """Return the result of *function* for *task*; *describe* says what messages call that.

    Raises `WorkerError` if memory runs out.
    """
    try:
        return function(task)
    except Exception as error:
        if not is_want_of_memory(error):
            raise
    # The traceback, which held what has filled the memory, is gone here.
    raise out_of_memory(describe(task))


def alone(
    function: Callable[[Task], Result], tasks: Iterable[Task], describe: Callable[[Task], str]
) -> Generator[Result, None, bool]:
    """Yield the results of *function* for *tasks* until they have taken a second.

    Returns whether these were all. What the tasks and those who get the results take does not
    count. Raises as `done` does.
    """
    left = _ALONE
    for task in tasks:
        start = time.monotonic()
        result = done(function, task, describe)
        left -= time.monotonic() - start
        yield result
        if left <= 0:
            return False
    return True
