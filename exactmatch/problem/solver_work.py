"""The input that a solver received with a problem, and what it found by itself."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

#: Why a solver that was called did not answer: its time or its memory ended, the time for all pairs
#: ended while it was still being loaded, or nobody waits for it to load any more.
Failure = Literal["late", "large", "not loaded", "never loaded"]


class Own(NamedTuple):
    """The findings of a solver itself, whatever it received; None is nothing.

    lower: the score of its best mapping, which may be its start.
    upper: its least bound.
    lower_seconds, upper_seconds: the times of these, from the beginning of its work.
    """

    lower: int | None = None
    upper: int | None = None
    lower_seconds: float | None = None
    upper_seconds: float | None = None

    def plus(self, gained: int) -> "Own":
        """Return the findings for a problem whose score is so much larger."""
        return self._replace(
            lower=None if self.lower is None else self.lower + gained,
            upper=None if self.upper is None else self.upper + gained,
        )

    def times(self, unit: int) -> "Own":
        """Return the findings for a problem whose weights are so many times as large."""
        return self._replace(
            lower=None if self.lower is None else self.lower * unit,
            upper=None if self.upper is None else self.upper * unit,
        )


class SolverWork(NamedTuple):
    """The work on a result, for a solver that was asked for by name.

    terms: the number of terms after presolve. start: the score of the start mapping.
    bound: the upper bound that the solver received. Each is None if the solver did not receive it.
    asked: whether the solver was called: not if presolve leaves nothing, the start meets the bound,
        or there is no time or memory.
    failure: why it did not answer; None if it did, or was not called.
    own: what it found then.
    loading: the seconds for which the pair waited until solvers were loaded.
    restarts: the solver processes that were ended during the pair, and replaced.
    """

    terms: int | None = None
    start: int | None = None
    bound: int | None = None
    asked: bool = False
    own: Own = Own()
    failure: Failure | None = None
    loading: float = 0.0
    restarts: int = 0

    @property
    def worked(self) -> bool:
        """Whether the solver was called, and answered."""
        return self.asked and self.failure is None

    def times(self, unit: int) -> "SolverWork":
        """Return the work on a problem whose weights are so many times as large."""
        return self._replace(
            start=None if self.start is None else self.start * unit,
            bound=None if self.bound is None else self.bound * unit,
            own=self.own.times(unit),
        )


class _Taker(threading.local):
    """What belongs to this thread: who takes the work on each pair."""

    taker: Callable[[SolverWork, Any], object] | None = None


_here = _Taker()


@contextmanager
def taken_by(taker: Callable[[SolverWork, Any], object]) -> Iterator[None]:
    """Call *taker* with the work on each pair that is solved in the block, and with its settings.

    Studies solve pairs in many places, which return no more than numbers.
    """
    before, _here.taker = _here.taker, taker
    try:
        yield
    finally:
        _here.taker = before


def tell(work: SolverWork, settings: object) -> None:
    """Pass the *work* on a pair under *settings* to the `taken_by` around it, if there is one."""
    if _here.taker is not None:
        _here.taker(work, settings)
