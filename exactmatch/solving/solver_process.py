"""Run solvers in a process of their own, which can be ended at any time.

All solvers have a time limit, but some check the clock only now and then. SCIP ignores interrupts,
and few solvers know how much memory they take. So a separate process solves, and is ended if it is
late, if its answer is no longer wanted, or if it takes too much memory. A process that has answered
is kept, since loading a solver takes up to a second. It is no process of `multiprocessing`:
workers, which may not start such processes, use solvers, too.
"""

import atexit
import math
import os
import pickle
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing import spawn
from typing import Any

from exactmatch.encodings import get_encoding
from exactmatch.encodings.base import Encoding, Outcome, OutOfMemory
from exactmatch.errors import WorkerError
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.solving.solver_service import Request, resident
from exactmatch.stopping.deadline import Deadline
from exactmatch.stopping.interrupts import put_off

#: Solved in this process: brute force checks the clock, and takes no memory.
_INLINE = frozenset({"brute"})
#: A solver has to end so much before its time, as a part of it and in seconds: it checks the clock
#: only now and then, and its result is lost if it is ended.
_EARLY, _MOST_EARLY = 0.1, 1.0
#: It is ended so many seconds after its time.
_LATE = 0.3
#: Seconds between two checks of interrupts, the clock and memory.
_INTERVAL = 0.05
#: The program of the process; the path of modules comes first.
_CODE = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from exactmatch.solving.solver_service import serve; serve()"
)


def get_solver(name: str, memory: int | None = None) -> Encoding:
    """Return the encoding called *name*, whose solver runs in a process of its own.

    It may take *memory* bytes more than after loading, if the system reports memory; None is no
    limit.
    """
    return get_encoding(name) if name in _INLINE else ProcessEncoding(name, memory)


def load_early(name: str) -> None:
    """Begin to load the solver called *name* in its process before it is used."""
    if name not in _INLINE:
        process = _taken()
        process.tell(name)
        _idle.append(process)


class ProcessEncoding:
    """An encoding whose solver works in a process of its own."""

    def __init__(self, name: str, memory: int | None) -> None:
        self.name = name
        self._memory = math.inf if memory is None else memory

    def solve(
        self,
        problem: MatchingProblem,
        *,
        hint: Mapping,
        upper: int,
        deadline: Deadline,
        seed: int,
    ) -> Outcome:
        """Solve *problem*: see `exactmatch.encodings.base.Encoding`.

        Also raises `OutOfTime` if the process has to be ended, `OutOfMemory`, and `WorkerError` if
        the process dies.
        """
        deadline.check()
        early = Deadline(deadline.at - min(_EARLY * deadline.remaining(), _MOST_EARLY))
        request = Request(self.name, problem, dict(hint), upper, early, seed)
        process = _taken()
        try:
            outcome = process.ask(request, Deadline(deadline.at + _LATE), self._memory)
        except BaseException:
            process.end()
            raise
        _idle.append(process)
        return outcome


class _Process:
    """A process that solves one problem at a time."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        options: dict[str, Any] = {"process_group": 0}  # the terminal's signals are not for it
        if sys.platform == "win32":
            options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            with put_off():
                self._process = subprocess.Popen(
                    [os.fsdecode(spawn.get_executable() or ""), _isolation(), "-c", _CODE],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    **options,
                )
        except OSError as error:
            raise WorkerError(f"a process for a solver could not be started: {error}") from error
        self._exchange_thread: threading.Thread | None = None
        self.tell(sys.path)

    def is_ready(self) -> bool:
        """Tell whether this process, and not one forked from it, can use the solver process."""
        return self._owner == os.getpid() and self._process.poll() is None

    def tell(self, what: object) -> None:
        """Send a message without an answer: the path, or the name of a solver to load."""
        self._send(pickle.dumps(what))

    def ask(self, request: Request, end: Deadline, memory: float) -> Outcome:
        """Return the result of *request*, or raise its error; see `ProcessEncoding.solve`.

        After an error, the process has to be ended.
        """
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        data = pickle.dumps(request)
        thread = threading.Thread(target=self._exchange, args=(data, answers), daemon=True)
        self._exchange_thread = thread
        thread.start()
        taken = self._wait(answers, end, math.inf)
        answer = None if taken is None else self._wait(answers, end, taken + memory)
        if answer is None:
            raise WorkerError(f"the process of {request.name} has died")
        outcome, error = answer
        if error is not None:
            raise error
        assert isinstance(outcome, Outcome)
        return outcome

    def _exchange(self, data: bytes, answers: "queue.SimpleQueue[Any]") -> None:
        """Send a request, and pass both answers to their queues: None if the process has died."""
        self._send(data)
        assert self._process.stdout is not None
        try:
            for _ in range(2):
                answers.put(pickle.load(self._process.stdout))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            answers.put(None)

    def _wait(self, answers: "queue.SimpleQueue[Any]", end: Deadline, memory: float) -> Any:
        """Return the next answer. Raises `OutOfTime` and, above *memory* bytes, `OutOfMemory`."""
        while True:
            with suppress(queue.Empty):
                return answers.get(timeout=_INTERVAL)
            end.check()
            if (resident(self._process.pid) or 0) > memory:
                raise OutOfMemory

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # it has died, as listening to it will tell
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def end(self) -> None:
        """End the process in any state, and its pipes; a forked copy only closes the pipes."""
        with put_off():
            if self._owner == os.getpid():
                self._process.kill()
                self._process.wait()
                if self._exchange_thread is not None:
                    self._exchange_thread.join()  # it reads to the end of the pipe, which has come
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):  # nobody reads the rest of the output
                    if pipe is not None:
                        pipe.close()


def _isolation() -> str:
    """Return the option by which Python ignores modules in the working directory.

    The solver process does not need them. It ignores the environment if this process does.
    """
    return "-I" if sys.flags.isolated else "-P"


#: The idle processes. A thread takes one.
_idle: list[_Process] = []


def _taken() -> _Process:
    """Return an idle process, and reserve it."""
    with suppress(IndexError):
        while True:
            process = _idle.pop()
            if process.is_ready():
                return process
            process.end()
    return _Process()


@atexit.register
def _end_idle() -> None:
    """End idle processes when this process ends; if it is killed, they end by themselves."""
    while _idle:
        _idle.pop().end()
