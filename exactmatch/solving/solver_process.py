"""Solvers in a process of their own, which can be ended whatever they do.

A time limit is one to all solvers, but some look at the clock only now and then; SCIP hears no
interrupt, and few of them know what memory they take. So a process solves, and is ended if it is
late, if nobody wants its answer any more, or if it takes more memory than it may. One that has
answered is kept, since loading a solver takes up to a second. It is no process of
`multiprocessing`: workers, which may not have such, ask solvers, too.
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

#: Solved in this process: brute force looks at the clock, and takes no memory.
_INLINE = frozenset({"brute"})
#: A solver is told to end so much before its time, as a part of it and in seconds: it looks at the
#: clock only now and then, and what it has found is lost if it is ended.
_EARLY, _MOST_EARLY = 0.1, 1.0
#: So many seconds after its time, it is ended.
_LATE = 0.3
#: Seconds between two looks at interrupts, at the clock and at what memory is taken.
_INTERVAL = 0.05
#: What the process does; the path of modules comes first.
_CODE = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from exactmatch.solving.solver_service import serve; serve()"
)


def get_solver(name: str, memory: int | None = None) -> Encoding:
    """Return the encoding called *name*, whose solver works in a process of its own.

    It may take *memory* bytes more than it takes when it is loaded, where the system tells; None is
    no limit.
    """
    return get_encoding(name) if name in _INLINE else ProcessEncoding(name, memory)


def load_early(name: str) -> None:
    """Have the solver called *name* loaded in its process by the time that it is asked."""
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

        Raises `OutOfTime` also if the process has to be ended, `OutOfMemory`, and `WorkerError` if
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
    """A process that solves what it is asked, one problem at a time."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        options: dict[str, Any] = {"process_group": 0}  # what a terminal sends is not for it
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
        """Tell whether it can be asked, by this process and not by one that has forked it."""
        return self._owner == os.getpid() and self._process.poll() is None

    def tell(self, what: object) -> None:
        """Send what is not answered: the path, or the name of what is to be loaded."""
        self._send(pickle.dumps(what))

    def ask(self, request: Request, end: Deadline, memory: float) -> Outcome:
        """Return what comes of *request*, or raise that; see `ProcessEncoding.solve`.

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
        """Send a request, and put both answers where they are waited for: None if it has died."""
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
        """End the process, whatever it does, and its pipes; what was forked ends these alone."""
        with put_off():
            if self._owner == os.getpid():
                self._process.kill()
                self._process.wait()
                if self._exchange_thread is not None:
                    self._exchange_thread.join()  # it reads to the end, which has come
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):  # what is left to be written has nobody to read it
                    if pipe is not None:
                        pipe.close()


def _isolation() -> str:
    """Return the option by which Python takes no module from the working directory.

    It is not asked to look there; and where this process leaves the environment alone, so does it.
    """
    return "-I" if sys.flags.isolated else "-P"


#: Those that wait for a request. Threads take one each.
_idle: list[_Process] = []


def _taken() -> _Process:
    """Return a process that waits for a request, which nobody else asks."""
    with suppress(IndexError):
        while True:
            process = _idle.pop()
            if process.is_ready():
                return process
            process.end()
    return _Process()


@atexit.register
def _end_idle() -> None:
    """End them when this process ends; should it be killed, they end by themselves."""
    while _idle:
        _idle.pop().end()
