"""Who shares the work: how many processes, or others elsewhere."""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, Union

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


def alone(
    function: Callable[[Task], Result], tasks: Iterable[Task]
) -> Generator[Result, None, bool]:
    """Yield the results of *function* for *tasks* until they have taken a second.

    Returns whether these were all. What the tasks and those who get the results take does not
    count.
    """
    left = _ALONE
    for task in tasks:
        start = time.monotonic()
        result = function(task)
        left -= time.monotonic() - start
        yield result
        if left <= 0:
            return False
    return True
