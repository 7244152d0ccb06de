"""A point in time at which work has to stop.

Long computations check a deadline regularly, and so check for interrupts, too. A solver gets its
deadline as an argument. Metrics, which users may write, take only graphs: they look at the deadline
of the pair at hand (`until`, `current`).
"""

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from exactmatch.stopping.interrupts import check as check_interrupts


class OutOfTime(Exception):  # noqa: N818
    """A deadline came before there was a result to return."""


class Deadline(NamedTuple):
    """A point on the monotonic clock, in seconds; by default it never comes."""

    at: float = math.inf

    def __reduce__(self) -> tuple[Any, ...]:
        # Every machine has a monotonic clock of its own, but all agree on the time of day.
        return _at_time_of_day, (time.time() + self.at - time.monotonic(),)

    @classmethod
    def after(cls, seconds: float | None) -> "Deadline":
        """Return the deadline *seconds* from now, or one that never comes for None."""
        return cls() if seconds is None else cls(time.monotonic() + seconds)

    def earlier(self, other: "Deadline") -> "Deadline":
        """Return whichever of the two comes first."""
        return self if self.at <= other.at else other

    def share(self, part: float) -> "Deadline":
        """Return the deadline after *part* (0 to 1) of the remaining time."""
        return self if math.isinf(self.at) else Deadline.after(part * self.remaining())

    def remaining(self) -> float:
        """Return the seconds left: at least 0, and infinite if the deadline never comes."""
        return max(0.0, self.at - time.monotonic())

    def passed(self) -> bool:
        """Tell whether the deadline has come. Raises `KeyboardInterrupt` on an interrupt."""
        check_interrupts()
        return time.monotonic() >= self.at

    def check(self) -> None:
        """Raise `OutOfTime` if the deadline has come."""
        if self.passed():
            raise OutOfTime


#: The deadline that never comes.
NEVER = Deadline()
#: Fast steps between two looks at the clock.
_MANY = 1000

_Thing = TypeVar("_Thing")
#: The deadline of the pair at hand, in this thread.
_current: ContextVar[Deadline] = ContextVar("deadline", default=NEVER)


@contextmanager
def until(deadline: Deadline) -> Iterator[None]:
    """Make *deadline* the `current` one to the end of the block."""
    token = _current.set(deadline)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Deadline:
    """Return the deadline of the pair at hand; it never comes outside of `until`."""
    return _current.get()


def looking(things: Iterable[_Thing], deadline: Deadline | None = None) -> Iterator[_Thing]:
    """Yield *things*, and raise `OutOfTime` if there are many and *deadline* comes first.

    Without a *deadline*, that is the `current` one.
    """
    if deadline is None:
        deadline = current()
    for number, thing in enumerate(things, start=1):
        if number % _MANY == 0:
            deadline.check()
        yield thing


def _at_time_of_day(seconds: float) -> Deadline:
    """Make a deadline again from its pickled form, perhaps on another machine."""
    return Deadline(time.monotonic() + seconds - time.time())
