"""Spread work over the workers of a Dask cluster; results keep the order of the tasks.

Tasks are sent in blocks of bytes that take about a second each, and only so many at a time as keep
the workers busy. Dask gives a block to another worker if one has died. An error raised by a worker
comes back among the results, in its place.
"""

import logging
import operator
import os
import pickle
import platform
import re
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from uuid import uuid4

from exactmatch._version import __version__, solver_versions
from exactmatch.errors import InputError, UsageError, WorkerError, is_want_of_memory
from exactmatch.runtime.processes import portable
from exactmatch.runtime.workers import ClusterAddress, RemoteWorkers, out_of_memory
from exactmatch.stopping.deadline import Deadline
from exactmatch.stopping.interrupts import LOOK, check

if TYPE_CHECKING:
    from distributed import Client, Future

Task = TypeVar("Task")
Result = TypeVar("Result")

#: The versions that have to be equal everywhere, since results and signatures depend on them.
VERSIONS = (
    f"exactmatch {__version__}, Python {'.'.join(platform.python_version_tuple()[:2])}, "
    f"{solver_versions()}"
)

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
#: Seconds between two counts of the workers, and until no worker is expected to come any more.
_LOOK = 2.0
_PATIENCE = 30.0


class Cluster(RemoteWorkers):
    """The workers of an existing Dask cluster, which may come and go.

    There is a connection to the cluster only while there is work.
    """

    def __init__(
        self, address: ClusterAddress, note: Callable[[str], object] = lambda _: None
    ) -> None:
        """*note* is called if the cluster has no workers yet and has to be waited for.

        Raises `UsageError` if Dask is not installed, or *address* is invalid.
        """
        try:
            from distributed import Client
        except ImportError as error:
            raise UsageError("a cluster needs Dask: pip install 'exactmatch[dask]'") from error
        if not isinstance(address, str | os.PathLike | Client):
            raise UsageError(f"a cluster is an address or a Dask client, not {address!r}")
        if isinstance(address, Client) and address.asynchronous:
            raise UsageError("the client of the cluster is asynchronous")
        self._address = address
        self._note = note

    def memory(self) -> Sequence[int]:
        """Return the bytes for each thread of those workers that have a memory limit."""
        with self._connected() as session:
            return session.memory()

    def in_order(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        describe: Callable[[Task], str] | None = None,
    ) -> Generator[Result, None, None]:
        """Yield the result of *function* for each of *tasks*: see
        `exactmatch.runtime.processes.in_order`.

        Raises `WorkerError` if the scheduler is gone, if there are no workers, and if several have
        died of the same tasks, one after the other; `UsageError` if they have other versions.
        """
        with self._connected() as session:
            flight = _Flight(session, function, tasks, describe)
            try:
                yield from flight.results()
            finally:
                flight.end()

    @contextmanager
    def _connected(self) -> Iterator["_Session"]:
        """Yield a session with workers of the right versions."""
        given = self._address
        opened = _opened(given) if isinstance(given, str | os.PathLike) else nullcontext(given)
        with opened as client:
            session = _Session(client, self._note)
            session.begin()
            yield session


def _opened(address: "str | os.PathLike[str]") -> "Client":
    """Connect to a scheduler. Raises `WorkerError` if none answers."""
    from distributed import Client
    from distributed.comm import resolve_address

    place = os.fspath(address)
    is_file = "://" not in place and not re.search(r":\d+$", place)
    if is_file and not Path(place).exists():
        raise InputError(
            f"{place}: neither the file of a scheduler nor an address such as tcp://host:8786"
        )
    try:
        if is_file:
            return Client(scheduler_file=place, set_as_default=False)
        resolve_address(place)  # a client does not recover from an invalid address
        return Client(place, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkerError(f"no scheduler answers at {place}: {error}") from error


class _Session:
    """A connection to a cluster through *client*. All methods raise `WorkerError` if it is lost."""

    def __init__(self, client: "Client", note: Callable[[str], object]) -> None:
        self.client = client
        self.threads = 0
        self._note = note
        self._next_look = 0.0
        place = "" if client.scheduler is None else f" {client.scheduler.address}"
        self._name = f"the cluster{place}"

    def begin(self) -> None:
        """Wait for the first worker, and check that all workers have our versions."""
        self.look()
        with self.listening():
            versions_of = self.client.run(resolve_name, f"{__name__}:VERSIONS", on_error="return")
        for address, versions in sorted(versions_of.items()):
            _check_versions(versions, VERSIONS, address)

    def memory(self) -> Sequence[int]:
        """Return the bytes for each thread of those workers that have a memory limit."""
        with self.listening():
            limits = self.client.run(_memory_of_threads, on_error="ignore")
        return [limit for limit in limits.values() if limit]

    def look(self) -> None:
        """Count the threads from time to time; wait a little if there are none."""
        if time.monotonic() < self._next_look:
            return
        self.threads = self._count()
        if not self.threads:
            self._note(f"{self._name} has no workers yet; waiting for some")
        end = Deadline.after(_PATIENCE)
        while not self.threads:
            if end.passed():
                raise WorkerError(f"{self._name} has had no workers for {_PATIENCE:.0f} seconds")
            time.sleep(_LOOK / 10)
            self.threads = self._count()
        self._next_look = time.monotonic() + _LOOK

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Translate the errors of a cluster that does not answer, or has dropped its tasks."""
        try:
            if self.client.status != "running":  # the client would try to connect again
                raise OSError(f"its client is {self.client.status}")
            yield
        except (OSError, CancelledError) as error:
            raise WorkerError(f"{self._name} is gone: {error}") from error

    def _count(self) -> int:
        with self.listening():
            return sum(self.client.nthreads().values())


def _memory_of_threads(dask_worker: Any) -> int | None:
    """Return the bytes for each thread of this worker; None if there is no limit."""
    limit: int | None = dask_worker.memory_manager.memory_limit
    threads: int = dask_worker.state.nthreads
    return limit and limit // threads


def _check_versions(versions: object, wanted: str, place: str) -> None:
    """Raise `UsageError` unless the *versions* at *place* are those that are *wanted*."""
    if versions == wanted:
        return
    if isinstance(versions, Exception):
        raise UsageError(f"worker {place} has no exactmatch of this version: {versions}")
    raise UsageError(f"worker {place} is {versions}, not {wanted}")


class _Outcome(NamedTuple):
    """The result of a block: results, the error that has ended it, and its seconds."""

    results: Sequence[Any]
    error: BaseException | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _BlockWork:
    """Runs *function* on a worker for a block of tasks: bytes in, bytes out."""

    function: Callable[[Any], Any]
    versions: str

    def __call__(self, block: bytes) -> bytes:
        start = time.monotonic()
        results: list[Any] = []
        failure: Exception | None = None
        try:
            # Nobody else sees the workers that have come since the run began.
            _check_versions(VERSIONS, self.versions, platform.node())
            for task in pickle.loads(block):
                results.append(self.function(task))
        except Exception as error:
            # A new error, without the traceback, which holds what filled the memory.
            failure = MemoryError() if is_want_of_memory(error) else portable(error)
        seconds = time.monotonic() - start
        try:
            return pickle.dumps(_Outcome(results, failure, seconds))
        except MemoryError:
            failure = out_of_memory("the results of a block")
            return pickle.dumps(_Outcome((), failure, seconds))
        except Exception as error:
            return pickle.dumps(_Outcome((), portable(error), seconds))


class _Block(NamedTuple):
    """Tasks that have been sent, with their numbers. *weight* is their size in bytes."""

    future: "Future"
    tasks: Sequence[tuple[int, Any]]
    weight: int

    def has_killed(self) -> bool:
        """Whether Dask has given the block up, since all workers that had it have died.

        They may have died of another block that they had as well.
        """
        from distributed import KilledWorker

        return self.future.status == "error" and isinstance(self.future.exception(), KilledWorker)


class _Flight:
    """The blocks of a run, in order: those that were sent, and the results of others."""

    def __init__(
        self,
        session: _Session,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        describe: Callable[[Any], str] | None,
    ) -> None:
        self._session = session
        self._tasks = enumerate(tasks, start=1)
        self._describe = describe
        self._ahead: deque[_Block | _Outcome] = deque()
        self._size = 1
        self._is_more = True
        self._news = threading.Event()  # a block is done
        self._prefix = f"exactmatch-{uuid4().hex}"
        self._sent = 0
        self._work = self._load(_BlockWork(function, VERSIONS))

    def results(self) -> Iterator[Any]:
        """Yield the results of all tasks."""
        while True:
            self._fill()
            if not self._ahead:
                return
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
        futures = [block.future for block in self._on_their_way()]
        with suppress(Exception, CancelledError):
            self._session.client.cancel([*futures, self._work])

    def _load(self, work: _BlockWork) -> "Future":
        """Send *work* once. The scheduler sends it again if the workers that had it are gone."""
        # Takes along functions of no importable module.
        from distributed.protocol.pickle import dumps

        return self._submitted(pickle.loads, dumps(work))

    def _submitted(self, *call: Any) -> "Future":
        self._sent += 1
        key = f"{self._prefix}-{self._sent}"
        with self._session.listening(), warnings.catch_warnings():
            # A metric may hold large tables, and single tasks may be large.
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            # In the order of the tasks, which Dask does not promise for results that come together.
            return self._session.client.submit(*call, key=key, pure=False, priority=-self._sent)

    def _on_their_way(self) -> list[_Block]:
        return [block for block in self._ahead if isinstance(block, _Block)]

    def _fill(self) -> None:
        """Send as many blocks as keep all threads busy."""
        threads = self._session.threads
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
            self._ahead.append(_Outcome((), failure))

    def _sent_off(self, tasks: Sequence[tuple[int, Any]]) -> _Block:
        data = pickle.dumps([task for _, task in tasks])
        # Only bytes and types of the standard library: the scheduler needs nothing of ours.
        future = self._submitted(operator.call, self._work, data)
        future.add_done_callback(lambda _: self._news.set())
        return _Block(future, tasks, len(data))

    def _listen(self) -> None:
        """Wait a little for the next finished block, and take the results of all finished ones."""
        self._wait()
        for place, block in enumerate(self._ahead):
            if isinstance(block, _Block) and block.future.done() and not block.has_killed():
                self._ahead[place] = outcome = self._outcome(block)
                if outcome.error is None:
                    self._size = _next_size(len(block.tasks), block.weight, outcome.seconds)

    def _wait(self) -> None:
        self._news.wait(LOOK)
        self._news.clear()
        check()
        self._session.look()

    def _outcome(self, block: _Block) -> _Outcome:
        with self._session.listening():
            if block.future.status == "error":
                error = block.future.exception()
                said = f"workers cannot load their work: {type(error).__name__}: {error}"
                return _Outcome((), WorkerError(said))
            data = block.future.result()
        outcome: _Outcome = pickle.loads(data)
        if isinstance(outcome.error, MemoryError):
            name = self._name(*block.tasks[len(outcome.results)])
            return outcome._replace(error=out_of_memory(name))
        return outcome

    def _name(self, number: int, task: Any) -> str:
        """Return the name of a task in messages."""
        return f"task {number}" if self._describe is None else self._describe(task)

    def _one_by_one(self, block: _Block) -> _Outcome:
        """Run the tasks of *block* again, one at a time, to find the one that kills workers."""
        while not all(one.future.done() for one in self._on_their_way()):
            self._listen()
        results: list[Any] = []
        for number, task in block.tasks:
            alone = self._sent_off([(number, task)])
            while not alone.future.done():
                self._wait()
            if alone.has_killed():
                deaths = alone.future.exception().allowed_failures + 1
                name = self._name(number, task)
                said = f"{deaths} workers have died, one after the other, at work on: {name}"
                return _Outcome(results, WorkerError(said))
            outcome = self._outcome(alone)
            results += outcome.results
            if outcome.error is not None:
                return _Outcome(results, outcome.error)
        return _Outcome(results, None)


def _next_size(size: int, weight: int, seconds: float) -> int:
    """Return the size of the next block, after *size* tasks of *weight* bytes took *seconds*."""
    growth = min(_GROWTH, _BYTES / weight, _SECONDS / max(seconds, 1e-9))
    return max(1, min(_MOST, int(size * growth)))


def silence() -> None:
    """Keep Dask's log off standard error, in a process of our own; important errors are raised."""
    for name in ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
