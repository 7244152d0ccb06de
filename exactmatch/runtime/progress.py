"""Progress reporting."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

#: The unit of files that are read.
BYTES = "bytes"


class Progress(Protocol):
    """Opens a display of the progress of a task.

    It is called with the name of the task, the number of steps (None if unknown) and their unit. It
    yields a function to be called with the number of finished steps since its last call.
    """

    def __call__(
        self, doing: str, total: int | None, unit: str, /
    ) -> AbstractContextManager[Callable[[int], object]]: ...


@contextmanager
def unwatched(doing: str, total: int | None, unit: str) -> Iterator[Callable[[int], object]]:
    """Report no progress."""
    yield lambda _: None
