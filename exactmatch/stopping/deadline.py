"""A point in time at which work has to stop.

Long computations check a deadline regularly, and so check for interrupts, too. A solver gets its
deadline as an argument. Metrics, which users may write, take only graphs: they look at the deadline
of the pair at hand (`until`, `current`).
"""

import math
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from exactmatch.stopping.interrupts import check as check_interrupts


class OutOfTime(Exception):  # noqa: N818
    """A deadline came before there was a result to return."""


class Loading:
    """The cost of loading solvers during limited work; it is not part of the limited time.

    seconds: waited for solvers to load. restarts: solver processes that were ended and replaced.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.restarts = 0


class Deadline(NamedTuple):
    """A point on the monotonic clock, in seconds; by default it never comes.

    at: the point if nothing is loaded meanwhile; the seconds of *loading* put it off.
    last: the point beyond which it is not put off, never before *at*.
    loading: the cost so far; deadlines made from this one have the same object.
    """

    at: float = math.inf
    last: float = math.inf
    loading: Loading | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # Every machine has a monotonic clock of its own, but all agree on the time of day.
        return _at_time_of_day, (time.time() + self.due() - time.monotonic(),)

    @classmethod
    def after(cls, seconds: float | None) -> "Deadline":
        """Return the deadline *seconds* from now, or one that never comes for None.

        Loading puts it off.
        """
        at = math.inf if seconds is None else time.monotonic() + seconds
        return cls(at, loading=Loading())

    def due(self) -> float:
        """Return the point at which the deadline comes, as known now."""
        waited = 0.0 if self.loading is None else self.loading.seconds
        return min(self.at + waited, self.last)

    def earlier(self, other: "Deadline") -> "Deadline":
        """Return the deadline that comes first; loading puts off this one, but not *other*."""
        last = min(self.last, other.due())
        return Deadline(min(self.at, last), last, self.loading)

    def again(self, seconds: float | None) -> "Deadline":
        """Return the deadline *seconds* from now, not after the *last* point of this one."""
        at = math.inf if seconds is None else time.monotonic() + seconds
        waited = 0.0 if self.loading is None else self.loading.seconds
        return Deadline(min(at - waited, self.last), self.last, self.loading)

    def share(self, part: float) -> "Deadline":
        """Return the deadline after *part* (0 to 1) of the remaining time."""
        left = self.remaining()
        return self if math.isinf(left) else self.again(part * left)

    def remaining(self) -> float:
        """Return the seconds left: at least 0, and infinite if the deadline never comes."""
        return max(0.0, self.due() - time.monotonic())

    def passed(self) -> bool:
        """Tell whether the deadline has come. Raises `KeyboardInterrupt` on an interrupt."""
        check_interrupts()
        now = time.monotonic()
        return now >= self.at and now >= self.due()

    def check(self) -> None:
        """Raise `OutOfTime` if the deadline has come."""
        if self.passed():
            raise OutOfTime


#: The deadline that never comes.
NEVER = Deadline()
#: Fast steps between two looks at the clock.
_MANY = 1000

_Thing = TypeVar("_Thing")


class _OfThread(threading.local):
    """What belongs to this thread: the deadline of the pair at hand."""

    deadline = NEVER


_here = _OfThread()


@contextmanager
def until(deadline: Deadline) -> Iterator[None]:
    """Make *deadline* the `current` one to the end of the block."""
    before, _here.deadline = _here.deadline, deadline
    try:
        yield
    finally:
        _here.deadline = before


def current() -> Deadline:
    """Return the deadline of the pair at hand; it never comes outside of `until`."""
    return _here.deadline


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
