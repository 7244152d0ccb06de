"""How many processes share the work."""

import os
import time
from collections.abc import Callable, Generator, Iterable
from typing import Literal, TypeAlias, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

#: A number of processes, or ``auto``: as many as there are cores, once the work has shown that it
#: takes longer than starting them.
Workers: TypeAlias = int | Literal["auto"]
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
