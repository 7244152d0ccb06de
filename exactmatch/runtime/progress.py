"""How far a computation is, told to whoever watches."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

#: The unit of files that are read.
BYTES = "bytes"


class Progress(Protocol):
    """Opens a display of what is being done.

    Called with what is being done, the number of steps (None if nobody knows it) and what the steps
    are. What it yields is called with the number of steps that have been done since.
    """

    def __call__(
        self, doing: str, total: int | None, unit: str, /
    ) -> AbstractContextManager[Callable[[int], object]]: ...


@contextmanager
def unwatched(doing: str, total: int | None, unit: str) -> Iterator[Callable[[int], object]]:
    """Show nothing."""
    yield lambda _: None
