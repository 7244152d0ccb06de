"""The share of one of several programs in the same run, where there are no processes to start.

Each program goes through all tasks and works off those of its share. One of them then has the
answers of all shares, and goes on with them as if the answers were its own.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

from exactmatch.errors import WorkerError
from exactmatch.runtime.workers import RemoteWorkers, Result, Task, done

#: Told how many tasks of a share are done, and how many there are.
Tell = Callable[[int, int], object]


class ShareIsDone(BaseException):
    """Ends a run whose share is done: what is left of it takes the answers of all shares."""


class Share(RemoteWorkers):
    """The tasks of one program: every *of*-th one, from *number* on.

    answers: those to its own tasks, once the run is over; nobody is given them before. If memory
        runs out, the last ones are missing.
    """

    def __init__(self, number: int, of: int, tell: Tell = lambda *_: None) -> None:
        self.answers: list[Any] = []
        self._own = slice(number, None, of)
        self._tell = tell

    def in_order(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        describe: Callable[[Task], str] | None = None,
    ) -> Generator[Result, None, None]:
        """Work off the tasks of the share, and end the run. Raises `ShareIsDone`."""
        own = list(tasks)[self._own]
        self._tell(0, len(own))
        for task in own:
            try:
                self.answers.append(done(function, task, describe or str))
            except WorkerError:  # told by the program that has all answers, when it comes to it
                break
            self._tell(len(self.answers), len(own))
        raise ShareIsDone
        yield  # what makes this a generator

    def memory(self) -> Sequence[int]:
        """Return no limit."""
        return ()


class AllShares(RemoteWorkers):
    """The answers of all shares in *shares*, by their numbers; missing ones are computed here."""

    def __init__(self, shares: Sequence[Sequence[Any]]) -> None:
        self._shares = shares
        self._is_used = False

    def in_order(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        describe: Callable[[Task], str] | None = None,
    ) -> Generator[Result, None, None]:
        """Yield the answers: those of the first function that requests them."""
        shares, self._is_used = ([] if self._is_used else self._shares), True
        for number, task in enumerate(tasks):
            place, share = divmod(number, max(len(shares), 1))
            if shares and place < len(shares[share]):
                yield shares[share][place]
            else:
                yield done(function, task, describe or str)

    def memory(self) -> Sequence[int]:
        """Return no limit."""
        return ()
