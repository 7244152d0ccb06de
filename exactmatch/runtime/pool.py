"""Processes that stay alive between calls, and remember what they have been sent.

`exactmatch.runtime.processes` starts processes for one run, and ends them with it. The processes of
a pool start when they are first needed, and end when the pool is closed, or with the process that
they belong to.

A process forked from one with such a pool has no workers at first, and leaves those of its parent
alone.
"""

import os
import pickle
import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from multiprocessing import connection, current_process
from multiprocessing.util import Finalize
from typing import Any, TypeVar

from exactmatch.errors import UsageError
from exactmatch.runtime.processes import Worker, end_workers, start_worker
from exactmatch.stopping.interrupts import LOOK, check

Task = TypeVar("Task")

#: What a process has been sent: keys and their versions.
Known = dict[Hashable, int]
#: How often a task is given to a process, in case the first one dies.
_MOST_ATTEMPTS = 2


class StandingPool:
    """At most *size* processes that run *function*; with size 1, this process runs it itself.

    A process that may not start others, because it is a daemon (such as those of torch's
    ``DataLoader``), also runs it itself. Several threads may use a pool: one waits for the other.
    """

    def __init__(self, function: Callable[[Any], Any], size: int) -> None:
        self._function = function
        self._size = size
        self._groups: dict[int, _WorkerGroup] = {}  # the workers by the process they belong to
        self.is_closed = False

    def __getstate__(self) -> dict[str, Any]:
        """Leave the processes out: a copy starts its own."""
        return {**vars(self), "_groups": {}}

    def results(
        self,
        tasks: Sequence[Task],
        packed: Callable[[Task, Known], object],
        describe: Callable[[Task], str],
    ) -> list[Any]:
        """Return the results of *function* for *tasks*, in their order.

        *function* receives a task as *packed* prepares it for a process, from a record of what that
        process has been sent, which *packed* updates. Raises the errors of *function*, and
        `WorkerError` if two processes die of a task, which *describe* names in messages.
        """
        # There is one entry for each process; the first thread makes it.
        group = self._groups.setdefault(os.getpid(), _WorkerGroup())
        with group.lock:
            if self._size == 1 or current_process().daemon:
                return [self._function(packed(task, group.known)) for task in tasks]
            try:
                return group.work_off(tasks, packed, describe, self._function, self._size)
            except BaseException:
                group.end()  # nobody will ask for their results
                raise

    def close(self) -> None:
        """End the processes that belong to this process."""
        self.is_closed = True
        group = self._groups.pop(os.getpid(), None)
        if group is not None:
            with group.lock:
                group.end()


class _WorkerGroup:
    """The workers of one process: the task, the knowledge, and the next message of each."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.known: Known = {}  # run by this process itself
        self._workers: list[Worker] = []
        self._tasks: dict[Worker, int] = {}
        self._knows: dict[Worker, Known] = {}
        self._held: dict[Worker, bytes] = {}
        self._finalizer: Any = None

    def work_off(
        self,
        tasks: Sequence[Task],
        packed: Callable[[Task, Known], object],
        describe: Callable[[Task], str],
        function: Callable[[Any], Any],
        size: int,
    ) -> list[Any]:
        waiting = deque(range(len(tasks)))
        results: dict[int, Any] = {}
        attempts: Counter[int] = Counter()
        while len(results) < len(tasks):
            while waiting and (worker := self._free(size)) is not None:
                number = self._tasks[worker] = waiting.popleft()
                attempts[number] += 1
                data = pickle.dumps(packed(tasks[number], self._knows[worker]))
                if worker.is_ready:
                    worker.send(data)
                else:
                    self._held[worker] = data
            for worker in self._heard():
                try:
                    self._hear(worker, function, results)
                except (EOFError, OSError):
                    number = self._tasks[worker]
                    loss = worker.loss(describe(tasks[number]), ", as did the one before it,")
                    self._dismiss(worker)
                    if isinstance(loss, UsageError) or attempts[number] == _MOST_ATTEMPTS:
                        raise loss from None
                    waiting.appendleft(number)
        return [results[number] for number in range(len(tasks))]

    def end(self) -> None:
        """End all workers."""
        if self._finalizer is not None:
            self._finalizer()
        for of_workers in (self._tasks, self._knows, self._held):
            of_workers.clear()

    def _free(self, size: int) -> Worker | None:
        """Return an idle worker, a new one if allowed; None if all are busy."""
        for worker in [worker for worker in self._workers if worker not in self._tasks]:
            if worker.process.is_alive():
                return worker
            self._dismiss(worker)
        if len(self._workers) == size:
            return None
        if self._finalizer is None or not self._finalizer.still_active():
            # At exit, multiprocessing waits for its processes, which wait for this one to end.
            self._finalizer = Finalize(self, _end, (self._workers,), exitpriority=100)
        start_worker(self._workers)
        worker = self._workers[-1]
        self._knows[worker] = {}
        return worker

    def _heard(self) -> list[Worker]:
        """Return the busy workers with an answer: wait a little for the first."""
        busy: dict[object, Worker] = {worker.pipe: worker for worker in self._tasks}
        pipes = connection.wait([worker.pipe for worker in self._tasks], LOOK)
        check()
        return [busy[pipe] for pipe in pipes]

    def _hear(
        self, worker: Worker, function: Callable[[Any], Any], results: dict[int, Any]
    ) -> None:
        """Take a result or, at first, the message that the worker is ready; raise its error."""
        data = worker.pipe.recv_bytes()
        if not worker.is_ready:
            worker.is_ready = True
            worker.send(pickle.dumps(function))
            worker.send(self._held.pop(worker))
            return
        result, error = pickle.loads(data)
        if error is not None:
            raise error
        results[self._tasks.pop(worker)] = result

    def _dismiss(self, worker: Worker) -> None:
        """Forget a worker that has died."""
        self._workers.remove(worker)
        for of_workers in (self._tasks, self._knows, self._held):
            of_workers.pop(worker, None)
        end_workers([worker])


def _end(workers: list[Worker]) -> None:
    end_workers(workers)
    workers.clear()
