"""Spread work over the workers of a Dask cluster; results keep the order of the tasks.

Tasks are sent in blocks of bytes that take about a second each, and only so many at a time as keep
the workers busy. Dask gives a block to another worker if one has died. An error raised by a worker
comes back among the results, in its place.
"""

import logging
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

from exactmatch.errors import UsageError
from exactmatch.runtime.cluster_session import Session
from exactmatch.runtime.flight import Flight
from exactmatch.runtime.roster import Roster
from exactmatch.runtime.scheduler import open_client
from exactmatch.runtime.workers import ClusterAddress, RemoteWorkers

Task = TypeVar("Task")
Result = TypeVar("Result")


class Cluster(RemoteWorkers):
    """The workers of an existing Dask cluster, which may come and go.

    There is a connection to the cluster only while there is work.
    """

    def __init__(
        self, address: ClusterAddress, note: Callable[[str], object] = lambda _: None
    ) -> None:
        """*note* is called if a worker is left out, or the cluster keeps its caller waiting.

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
        self._roster = Roster(note)

    def memory(self) -> Sequence[int]:
        """Return the bytes for each thread of those workers that have a memory limit."""
        with self._connected():
            return self._roster.memory()

    def in_order(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        describe: Callable[[Task], str] | None = None,
    ) -> Generator[Result, None, None]:
        """Yield the result of *function* for each of *tasks*: see
        `exactmatch.runtime.processes.in_order`.

        Raises `WorkerError` if the scheduler is gone, if no worker can work, and if several have
        died of the same tasks, one after the other; `UsageError` if they have other versions.
        """
        with self._connected() as session:
            flight = Flight(session, function, tasks, describe)
            try:
                yield from flight.results()
            finally:
                flight.end()

    @contextmanager
    def _connected(self) -> Iterator[Session]:
        """Yield a session with workers of the right versions."""
        given = self._address
        is_ours = isinstance(given, str | os.PathLike)
        client = open_client(given) if isinstance(given, str | os.PathLike) else given
        try:
            session = Session(client, self._roster)
            try:
                session.begin()
                yield session
            finally:
                session.end()
        finally:
            if is_ours:
                with suppress(TimeoutError):  # the scheduler does not listen
                    client.close()


def silence() -> None:
    """Keep Dask's log off standard error, in a process of our own; important errors are raised."""
    for name in ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
