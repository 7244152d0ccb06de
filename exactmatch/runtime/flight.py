"""Send tasks to a cluster in blocks, and take their results in the order of the tasks.

Only checked workers get blocks. A block whose workers are gone or ail is sent again to others.
"""

import operator
import pickle
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from exactmatch.errors import WorkerError
from exactmatch.runtime.block_work import VERSIONS, BlockOutcome, BlockWork
from exactmatch.runtime.cluster_session import Session
from exactmatch.runtime.roster import Identity
from exactmatch.runtime.workers import out_of_memory
from exactmatch.stopping.interrupts import LOOK

if TYPE_CHECKING:
    import distributed

#: The seconds that a block should take: the scheduler needs some milliseconds for each.
_SECONDS = 1.0
#: A block is at most so many times as large as a finished one,
_GROWTH = 4
#: and has at most so many tasks and bytes; Dask advises against messages of more than 10 MB.
_MOST = 10_000
_BYTES = 4_000_000
#: Blocks for each thread of the workers, and those that are read ahead of the one that is waited
#: for, done or not.
_ON_THEIR_WAY = 2
_AHEAD = 16
#: A block that has lost its workers so often is held responsible for that.
_LOSSES = 3
#: A block that was taken from ailing workers so often waits for the last one, until the scheduler
#: gives that one up: a hard pair can keep a worker from speaking, and would be begun everywhere.
_MOVES = 3


class _LostError(Exception):
    """All workers that had a task are gone, several times."""


class _Sent(NamedTuple):
    """Something that *workers* have been sent, under a key."""

    future: "distributed.Future"
    workers: frozenset[Identity]


class _Block(NamedTuple):
    """Tasks that have been sent, with their numbers, and their answer to come.

    needs: the work that workers have to have. weight: the size in bytes. losses, moves: how often
    the block was sent again since its workers were gone, or ailed.
    """

    sent: _Sent
    needs: _Sent
    answer: "Future[bytes]"
    tasks: Sequence[tuple[int, Any]]
    weight: int
    losses: int = 0
    moves: int = 0

    def has_killed(self) -> bool:
        """Whether the block is given up, since all workers that had it have died.

        They may have died of another block that they had as well.
        """
        from distributed import KilledWorker

        if not self.answer.done() or self.answer.cancelled():
            return False
        return isinstance(self.answer.exception(), KilledWorker | _LostError)

    def drop(self) -> None:
        """Have the cluster forget the block; a task that runs goes on."""
        self.answer.cancel()
        self.sent.future.release()


class Flight:
    """The blocks of a run, in order: those that were sent, and the results of others."""

    def __init__(
        self,
        session: Session,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        describe: Callable[[Any], str] | None,
    ) -> None:
        # Takes along functions of no importable module.
        from distributed.protocol.pickle import dumps

        self._session = session
        self._roster = session.roster
        self._tasks = enumerate(tasks, start=1)
        self._describe = describe
        self._ahead: deque[_Block | BlockOutcome] = deque()
        self._size = 1
        self._is_more = True
        self._news = threading.Event()  # a block is done
        self._prefix = f"exactmatch-{uuid4().hex}"
        self._number = 0
        self._data = dumps(BlockWork(function, VERSIONS))
        self._work: _Sent | None = None
        self._quiet_since = session.now
        self._next_word = self._roster.patience

    def results(self) -> Iterator[Any]:
        """Yield the results of all tasks."""
        while True:
            self._fill()
            if not self._ahead:
                if not self._is_more:
                    return
                self._wait()  # for a worker
                continue
            first = self._ahead[0]
            if isinstance(first, _Block):
                if first.has_killed():
                    self._ahead[0] = self._one_by_one(first)
                else:
                    self._listen()
                continue
            self._ahead.popleft()
            yield from first.results
            if first.error is not None:
                raise first.error

    def end(self) -> None:
        """Have the cluster drop the blocks that were sent; running tasks continue."""
        for block in self._on_their_way():
            block.drop()
        if self._work is not None:
            self._work.future.release()

    def _on_their_way(self) -> list[_Block]:
        return [block for block in self._ahead if isinstance(block, _Block)]

    def _fill(self) -> None:
        """Send as many blocks as keep all threads busy."""
        threads = self._roster.threads()
        room = _ON_THEIR_WAY * threads - len(self._on_their_way())
        while self._is_more and room > 0 and len(self._ahead) < _AHEAD * threads:
            self._send()
            room -= 1

    def _send(self) -> None:
        """Send the next tasks; an error that ends them is the last result."""
        block: list[tuple[int, Any]] = []
        failure: Exception | None = None
        try:
            for numbered in islice(self._tasks, self._size):
                block.append(numbered)
        except Exception as error:
            failure = error
        self._is_more = failure is None and len(block) == self._size
        if block:
            self._ahead.append(self._sent_off(block))
        if failure is not None:
            self._ahead.append(BlockOutcome((), failure))

    def _sent_off(self, tasks: Sequence[tuple[int, Any]]) -> _Block:
        data = pickle.dumps([task for _, task in tasks])
        work = self._loaded()
        # Only bytes and types of the standard library: the scheduler needs nothing of ours.
        sent = self._submitted(operator.call, work.future, data)
        # In the event loop, Dask returns a coroutine.
        answer: Future[bytes] = self._session.ask(sent.future.result)
        answer.add_done_callback(lambda _: self._news.set())
        return _Block(sent, work, answer, tasks, len(data))

    def _loaded(self) -> _Sent:
        """Return the work on the cluster; send it again if other workers can work than before.

        One that has gone or ails might be the only one to pass it on.
        """
        if self._work is None or self._work.workers != self._roster.usable:
            self._work = self._submitted(pickle.loads, self._data)
        return self._work

    def _submitted(self, *call: Any) -> _Sent:
        """Send a call to those workers that may work. Others could not even load it, silently."""
        self._number += 1
        workers = self._roster.usable
        with self._session.listening(), warnings.catch_warnings():
            # A metric may hold large tables, and single tasks may be large.
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            future = self._session.client.submit(
                *call,
                key=f"{self._prefix}-{self._number}",
                pure=False,
                # In the order of the tasks; Dask promises none for results that come together.
                priority=-self._number,
                workers=sorted(identity.address for identity in workers),
            )
        return _Sent(future, workers)

    def _listen(self) -> None:
        """Wait a little for the next finished block, and take the results of all finished ones."""
        self._wait()
        for place, block in enumerate(self._ahead):
            if not isinstance(block, _Block) or block.has_killed():
                continue
            if not block.answer.done():
                self._ahead[place] = self._with_workers(block)
                continue
            self._ahead[place] = outcome = self._outcome(block)
            if outcome.error is None:
                self._size = _next_size(len(block.tasks), block.weight, outcome.seconds)

    def _wait(self) -> None:
        """Wait a little for the next finished block; say from time to time that none comes."""
        if self._news.wait(LOOK):
            self._quiet_since, self._next_word = self._session.now, self._roster.patience
        self._news.clear()
        self._session.look()
        quiet = self._session.now - self._quiet_since
        if quiet >= self._next_word:
            self._next_word *= 2
            at_work = f"{len(self._roster.usable)} workers have {len(self._on_their_way())} blocks"
            self._roster.note(f"{self._session.name}: no result for {quiet:.0f} seconds; {at_work}")

    def _with_workers(self, block: _Block) -> _Block:
        """Return *block*, sent again if its workers are gone or ail and there are others."""
        is_lost = not all(map(self._roster.is_present, (block.sent.workers, block.needs.workers)))
        if not is_lost and (block.moves == _MOVES or not self._is_held(block)):
            return block
        if is_lost and block.losses == _LOSSES:
            block.drop()
            given_up: Future[bytes] = Future()
            given_up.set_exception(_LostError(f"all workers were lost {_LOSSES + 1} times"))
            return block._replace(answer=given_up)
        if not self._roster.threads():
            return block
        again = self._sent_off(block.tasks)
        block.drop()
        losses, moves = block.losses + is_lost, block.moves + (not is_lost)
        return again._replace(losses=losses, moves=moves)

    def _is_held(self, block: _Block) -> bool:
        """Whether an ailing worker has *block*, or may have its finished results."""
        if block.sent.future.key in self._session.held:
            return True
        return block.sent.future.done() and not self._roster.ailing.isdisjoint(block.sent.workers)

    def _outcome(self, block: _Block) -> BlockOutcome:
        with self._session.listening():
            if block.sent.future.status == "error":
                error = block.answer.exception()
                said = f"workers cannot load their work: {type(error).__name__}: {error}"
                return BlockOutcome((), WorkerError(said))
            data = block.answer.result()
        block.sent.future.release()
        outcome: BlockOutcome = pickle.loads(data)
        if isinstance(outcome.error, MemoryError):
            name = self._name(*block.tasks[len(outcome.results)])
            return outcome._replace(error=out_of_memory(name))
        return outcome

    def _name(self, number: int, task: Any) -> str:
        """Return the name of a task in messages."""
        return f"task {number}" if self._describe is None else self._describe(task)

    def _one_by_one(self, block: _Block) -> BlockOutcome:
        """Run the tasks of *block* again, one at a time, to find the one that kills workers."""
        while not all(one.answer.done() for one in self._on_their_way()):
            self._listen()
        results: list[Any] = []
        for number, task in block.tasks:
            while not self._roster.threads():
                self._wait()
            alone = self._sent_off([(number, task)])
            while not alone.answer.done():
                self._wait()
                alone = self._with_workers(alone)
            if alone.has_killed():
                said = f"{_deaths(alone)}, one after the other, at work on: "
                return BlockOutcome(results, WorkerError(said + self._name(number, task)))
            outcome = self._outcome(alone)
            results += outcome.results
            if outcome.error is not None:
                return BlockOutcome(results, outcome.error)
        return BlockOutcome(results, None)


def _deaths(block: _Block) -> str:
    """Return how many workers have died of a block, as a clause."""
    error = block.answer.exception()
    allowed = getattr(error, "allowed_failures", None)
    return str(error) if allowed is None else f"{allowed + 1} workers have died"


def _next_size(size: int, weight: int, seconds: float) -> int:
    """Return the size of the next block, after *size* tasks of *weight* bytes took *seconds*."""
    growth = min(_GROWTH, _BYTES / weight, _SECONDS / max(seconds, 1e-9))
    return max(1, min(_MOST, int(size * growth)))
