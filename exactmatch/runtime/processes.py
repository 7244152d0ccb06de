"""Spread work over processes; results keep the order of the tasks.

Every worker has a pipe of its own and one task at a time. So the task of a dead worker is known,
and there is no queue or lock that it could leave broken.
"""

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import connection, get_context, parent_process
from multiprocessing.util import Finalize
from typing import Any, TypeVar, cast

from exactmatch.errors import ExactmatchError, UsageError, WorkerError, is_want_of_memory
from exactmatch.runtime.harmless import guard_streams
from exactmatch.runtime.standard_streams import fill_descriptors
from exactmatch.runtime.unguarded import UNGUARDED, WORKER, end_unguarded, imports_main
from exactmatch.runtime.workers import (
    AUTO,
    RemoteWorkers,
    Workers,
    done,
    number_of,
    out_of_memory,
    run_inline,
)
from exactmatch.stopping.interrupts import LOOK, SIGNALS, check, put_off

Task = TypeVar("Task")
Result = TypeVar("Result")
_Pipe = connection.Connection

#: Tasks read ahead of the one whose result is waited for, for each worker.
_AHEAD = 32
#: The answer of a worker if memory has run out.
_NO_MEMORY = pickle.dumps((None, MemoryError()))
#: With this variable, a new Python process ignores the working directory, as with ``-P``.
_SAFE_PATH = "PYTHONSAFEPATH"
#: Held by the thread that has changed the environment.
_changing_environment = threading.Lock()
_NEEDS_A_GUARD = (
    "each worker process runs the program again, which would start workers without end; put what "
    'the program does under if __name__ == "__main__": (or use one worker)'
)
_MAY_NEED_A_GUARD = (
    'it runs what the program has outside of if __name__ == "__main__":, as each worker does'
)
# Forking is not safe once libraries have started threads, and is not possible everywhere.
_CONTEXT = get_context("spawn")


def in_order(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    workers: Workers,
    describe: Callable[[Task], str] | None = None,
) -> Generator[Result, None, None]:
    """Yield the result of *function* for each of *tasks*, in their order.

    With one worker, this process does all the work; with ``auto``, it does what takes less than a
    second. Otherwise *function*, tasks and results have to be picklable. *tasks* is read only so
    far ahead as keeps *workers* busy. Errors of *function* or *tasks* are raised at their place in
    the order, and end everything. No worker is left in any case; if this process is killed, its
    workers end by themselves.

    Raises `WorkerError`, after the results of earlier tasks, if a worker process has died, or if
    memory runs out; *describe* names a task in messages, which by default give its number.
    """
    if isinstance(workers, RemoteWorkers):
        yield from workers.in_order(function, tasks, describe)
        return
    number = number_of(workers)
    rest = enumerate(tasks, start=1)

    def called(numbered: tuple[int, Task]) -> str:
        return f"task {numbered[0]}" if describe is None else describe(numbered[1])

    def result_of(numbered: tuple[int, Task]) -> Result:
        return function(numbered[1])

    if number == 1:
        yield from (done(result_of, numbered, called) for numbered in rest)
        return
    if workers == AUTO and (yield from run_inline(result_of, rest, called)):
        return
    pool = _Pool(function, number)
    try:
        yield from _results(pool, _jobs(rest, called))
    finally:
        pool.end()


class _Job:
    """A task that was read, and its result."""

    def __init__(self, task: Any, name: Callable[[], str]) -> None:
        self.task = task
        self.name = name
        self.is_done = False
        self._result: Any = None
        self._error: BaseException | None = None

    def settle(self, result: Any, error: BaseException | None) -> None:
        self._result, self._error = result, error
        self.is_done = True

    def result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._result


def _jobs(
    tasks: Iterable[tuple[int, Task]], called: Callable[[tuple[int, Task]], str]
) -> Iterator[_Job]:
    """Yield a job for each task, with its number; an error that ends the tasks is the last job."""
    try:
        for numbered in tasks:
            yield _Job(numbered[1], partial(called, numbered))
    except Exception as error:
        failed = _Job(None, str)
        failed.settle(None, error)
        yield failed


def _results(pool: "_Pool", source: Iterator[_Job]) -> Iterator[Any]:
    ahead: deque[_Job] = deque()
    more = True
    while more or ahead:
        wanted = more and pool.has_room() and len(ahead) < pool.size * _AHEAD
        if ahead:
            pool.listen(wait=not wanted and not ahead[0].is_done)
        if pool.has_lost_one:
            more = False
        while more and pool.has_room() and len(ahead) < pool.size * _AHEAD:
            job = next(source, None)
            if job is None:
                more = False
                break
            ahead.append(job)
            if job.is_done:
                more = False
            else:
                pool.give(job)
        if ahead and ahead[0].is_done:
            yield ahead.popleft().result()


class Worker:
    """A process and its pipe. *job* is its current job, None if it is idle."""

    def __init__(self) -> None:
        self.pipe, other = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_serve, args=(other,), name=WORKER, daemon=True)
        self.process.start()
        other.close()
        self.is_ready = False
        self.job: _Job | None = None

    def send(self, data: bytes) -> None:
        with suppress(OSError):  # it has died, as listening to it will show
            self.pipe.send_bytes(data)

    def loss(self, at: str, which: str = "") -> ExactmatchError:
        """Return the error about the process of a broken pipe, which worked on *at*.

        *which* says more about the process. Until a worker is ready, no work can be the reason.
        """
        death = self._death()
        if not self.is_ready and self.process.exitcode == UNGUARDED:
            return UsageError(_NEEDS_A_GUARD)
        if self.is_ready:
            when = f"while it worked on: {at}"
        elif self.process.exitcode and self.process.exitcode > 0:
            when = f"before it was ready for work ({_MAY_NEED_A_GUARD})"
        else:
            when = "before it was ready for work"
        return WorkerError(f"a worker process {death}{which} {when}")

    def _death(self) -> str:
        """Describe how the process ended."""
        while (status := self.process.exitcode) is None:
            self.process.join(LOOK)
            check()
        if status == -9:
            return "was killed (signal 9, perhaps for lack of memory)"
        if status < 0:
            return f"was ended by signal {-status}"
        return f"ended with status {status}"


class _Pool:
    """At most *size* workers, each started when there is a task for it."""

    def __init__(self, function: Callable[[Any], Any], size: int) -> None:
        self.size = size
        self.has_lost_one = False
        self._function = pickle.dumps(function)
        self._workers: list[Worker] = []
        # At exit, multiprocessing waits for its processes, which wait for this one to end. So they
        # are ended before, in case not all results were taken.
        self.end = Finalize(self, end_workers, (self._workers,), exitpriority=100)

    def has_room(self) -> bool:
        """Tell whether there is an idle worker, or one more may be started."""
        return len(self._workers) < self.size or any(w.job is None for w in self._workers)

    def give(self, job: _Job) -> None:
        """Have a worker do *job*; a worker has to be available."""
        worker = next((w for w in self._workers if w.job is None), None) or self._started()
        worker.job = job
        if worker.is_ready:
            worker.send(pickle.dumps(job.task))

    def listen(self, wait: bool) -> None:
        """Take the answers of workers; with *wait*, wait a little for the first."""
        busy = {worker.pipe: worker for worker in self._workers if worker.job is not None}
        for pipe in connection.wait(list(busy), LOOK if wait else 0):
            self._hear(busy[cast(_Pipe, pipe)])
        check()

    def _hear(self, worker: Worker) -> None:
        job = worker.job
        assert job is not None
        try:
            data = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            self.has_lost_one = True
            worker.job = None
            job.settle(None, worker.loss(job.name()))
            return
        if worker.is_ready:
            result, error = pickle.loads(data)
            if isinstance(error, MemoryError):
                error = out_of_memory(job.name())
            job.settle(result, error)
            worker.job = None
        else:
            worker.is_ready = True
            worker.send(self._function)
            worker.send(pickle.dumps(job.task))

    def _started(self) -> Worker:
        start_worker(self._workers)
        return self._workers[-1]


def start_worker(workers: list[Worker]) -> None:
    """Start one more of *workers*. Raises `WorkerError` if that fails.

    While the main program is imported by a new process, no process can be started. If the new
    process is a worker, it ends without a word, and the one that waits for it says why.
    """
    if imports_main():
        end_unguarded()
        raise UsageError(_NEEDS_A_GUARD)
    try:
        fill_descriptors()
        with put_off(), _safe_path(), _without_signals():
            workers.append(Worker())
    except OSError as error:
        raise WorkerError(f"a worker process could not be started: {error}") from error


def end_workers(workers: Sequence[Worker]) -> None:
    """End *workers*, whatever they do; they hold nothing that has to be saved."""
    with put_off():
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.process.join()
            worker.process.close()
            worker.pipe.close()


@contextmanager
def _without_signals() -> Iterator[None]:
    """Have processes that are started meanwhile ignore interrupts, which this process handles.

    A terminal sends interrupts to all processes, and a worker would get them before it is ready.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Starting the tracker lifts the block of signals, so it must not be left to the first worker.
    # It would clean up locks and shared memory, which are not used here.
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Have processes that are started meanwhile import nothing from the working directory.

    A new process would look there first for modules of Python itself, until it gets the path of
    this process. A file ``pickle.py`` that happens to lie there must not run.
    """
    with _changing_environment:
        before = os.environ.get(_SAFE_PATH)
        os.environ[_SAFE_PATH] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE_PATH]
            else:
                os.environ[_SAFE_PATH] = before


def _renew_lock() -> None:
    """Forget, in a process that was just forked, that a thread of the other one holds the lock."""
    global _changing_environment
    _changing_environment = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


def _serve(pipe: _Pipe) -> None:
    """Run a worker: receive the function, then tasks, and answer each with its result."""
    fill_descriptors()
    guard_streams()  # a warning or a traceback may quote a graph
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for systems that cannot block signals
    threading.Thread(target=_end_with_master, daemon=True).start()
    try:
        pipe.send_bytes(b"ready")
        function = _loaded(pipe.recv_bytes())
        while True:
            pipe.send_bytes(_outcome(function, pipe.recv_bytes()))
    except (EOFError, OSError):
        return  # no more results are wanted


def _end_with_master() -> None:
    """End this process when the one that has started it has ended in any way."""
    master = parent_process()
    assert master is not None
    master.join()
    os._exit(1)


def _loaded(data: bytes) -> Callable[[Any], Any]:
    """Return the function in *data* or, if loading fails, one that raises the error each time."""
    try:
        function: Callable[[Any], Any] = pickle.loads(data)
    except Exception as error:
        reason = error

        def function(_: Any) -> Any:
            raise reason

    return function


def _outcome(function: Callable[[Any], Any], task: bytes) -> bytes:
    """Return the result of *function* for *task*: a pickled pair of result and error."""
    try:
        return pickle.dumps((function(pickle.loads(task)), None))
    except Exception as error:
        if not is_want_of_memory(error):
            return pickle.dumps((None, portable(error)))
    return _NO_MEMORY


def portable(error: Exception) -> Exception:
    """Return a picklable copy of *error*, with its traceback if it is unexpected."""
    if not isinstance(error, ExactmatchError):
        from traceback import format_exc

        error.add_note(f"in a worker process:\n{format_exc()}")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
