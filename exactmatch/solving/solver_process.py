"""Run solvers in a process of their own, which can be ended at any time.

All solvers have a time limit, but some check the clock only now and then. SCIP ignores interrupts,
and few solvers know how much memory they take. So a separate process solves, and is ended if it is
late, if its answer is no longer wanted, or if it takes too much memory. It is no process of
`multiprocessing`: workers, which may not start such processes, use solvers, too.

Loading a solver takes a second, and many seconds on a busy machine or from a network disk. So a
process that has answered is kept, even if its answer is that time has run out. The process says
when a solver is loaded, and only then gets the problem. Waiting for that puts off the deadline, and
no process is ended for loading slowly; only after minutes does the run go on without that solver. A
process that had to be ended is replaced at once.
"""

import atexit
import math
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import spawn
from typing import Any

from exactmatch.encodings import get_encoding, needed, unloadable
from exactmatch.encodings.base import Encoding, NeverLoaded, NotLoaded, Outcome, OutOfMemory
from exactmatch.errors import SolverError, WorkerError
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.solving.solver_service import Loaded, Request, resident
from exactmatch.stopping.deadline import Deadline, OutOfTime
from exactmatch.stopping.interrupts import LOOK, put_off

#: Solved in this process: brute force checks the clock, and takes no memory.
_INLINE = frozenset({"brute"})
#: A solver has to end so much before its time, as a part of it and in seconds: it checks the clock
#: only now and then, and its result is lost if it is ended.
_EARLY, _MOST_EARLY = 0.1, 1.0
#: A solver is ended so many seconds after it had to end: loading it again takes longer.
_PATIENCE = 1.3
#: The time for all pairs is exceeded by so many seconds at most.
_LATE = 0.3
#: Seconds between two checks of interrupts, the clock and memory.
_INTERVAL = 0.05
#: The seconds of waiting after which nobody waits for a solver to load any more.
_LONGEST_LOADING = 600.0
#: The seconds of waiting after which a note says so; the next one comes after so many times that.
_FIRST_NOTE, _NOTE_FACTOR = 15.0, 3.0
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
    """Begin to load the solver called *name* in an idle process, unless it is loaded there."""
    if name not in _INLINE and name not in _never_loaded:
        process = _taken()
        process.load(name)
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

        The time until the solver is loaded puts off *deadline*. Also raises `NotLoaded`,
        `OutOfTime` if the process has to be ended, `OutOfMemory`, `SolverError` if the solver
        cannot be loaded, and `WorkerError` if the process dies later.
        """
        deadline.check()
        names = needed(self.name, problem.n_terms)
        if not _never_loaded.isdisjoint(names):
            raise NeverLoaded
        process = _taken()
        try:
            process.wait_until_loaded(names, deadline)
            early = Deadline(deadline.due() - min(_EARLY * deadline.remaining(), _MOST_EARLY))
            end = Deadline(min(early.at + _PATIENCE, deadline.last + _LATE))
            request = Request(self.name, problem, dict(hint), upper, early, seed)
            outcome = process.ask(request, end, self._memory)
        except NeverLoaded:
            process.end()
            raise
        except OutOfMemory:
            process.end()
            self._replace(deadline)
            raise
        except OutOfTime:
            if process.is_solving:
                process.end()
                self._replace(deadline)
            else:  # it is still loading, or has answered that time has run out
                _idle.append(process)
            raise
        except BaseException:
            process.end()
            raise
        _idle.append(process)
        return outcome

    def _replace(self, deadline: Deadline) -> None:
        """Start another process for the next problem, and count it."""
        if deadline.loading is not None:
            deadline.loading.restarts += 1
        with suppress(WorkerError):  # the next problem will tell
            load_early(self.name)


class _Process:
    """A process that solves one problem at a time; *is_solving* while it does."""

    def __init__(self) -> None:
        self.is_solving = False
        self._owner = os.getpid()
        self._named: set[str] = set()
        self._loaded: dict[str, Loaded] = {}
        self._listener: threading.Thread | None = None
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
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
        self._send(pickle.dumps(sys.path))

    def is_ready(self) -> bool:
        """Tell whether this process, and not one forked from it, can use the solver process."""
        return self._owner == os.getpid() and self._process.poll() is None

    def load(self, name: str) -> None:
        """Begin to load the solver called *name*, unless it has begun before."""
        if name not in self._named:
            self._named.add(name)
            self._send(pickle.dumps(name))

    def wait_until_loaded(self, names: Sequence[str], deadline: Deadline) -> None:
        """Wait until the solvers called *names* are loaded; this puts off *deadline*.

        Notes on standard error say if that takes long. Raises `NotLoaded` if the last point of
        *deadline* comes first, `NeverLoaded` if it takes minutes, and `SolverError` if the process
        dies, or one of them cannot be loaded.
        """
        for name in names:
            self.load(name)
        if len(self._loaded) < len(self._named):
            start = time.monotonic()
            try:
                self._take_loaded(deadline.last)
            finally:
                if deadline.loading is not None:
                    deadline.loading.seconds += time.monotonic() - start
        for name in names:
            if error := self._loaded[name].error:
                raise SolverError(error)

    def _take_loaded(self, end: float) -> None:
        """Take the answers to all names, before the point *end* of the clock."""
        start, patience = time.monotonic(), _FIRST_NOTE
        while loading := sorted(self._named - self._loaded.keys()):
            late = start + _LONGEST_LOADING
            try:
                answer = self._answer(Deadline(min(start + patience, late, end)), math.inf)
            except OutOfTime as error:
                now = time.monotonic()
                if now >= end:
                    raise NotLoaded from error
                if now >= late:
                    _never_loaded.update(loading)
                    _note(f"{loading[0]} never loaded in {now - start:.0f} s, and is left out")
                    raise NeverLoaded from error
                patience *= _NOTE_FACTOR
                _note(f"{loading[0]} is still loading, after {now - start:.0f} s")
                continue
            if answer is None:
                raise unloadable(loading[0], f"its process has died{self._status()}")
            assert isinstance(answer, Loaded)
            self._loaded[answer.name] = answer

    def ask(self, request: Request, end: Deadline, memory: float) -> Outcome:
        """Return the result of *request*, or raise its error; see `ProcessEncoding.solve`.

        After any error but `OutOfTime` from the solver itself, the process has to be ended.
        """
        self.is_solving = True
        most = max(loaded.taken for loaded in self._loaded.values()) + memory
        answer = self._answer(end, most, pickle.dumps(request))
        if answer is None:
            raise WorkerError(f"the process of {request.name} has died{self._status()}")
        self.is_solving = False
        outcome, error = answer
        if error is not None:
            raise error
        assert isinstance(outcome, Outcome)
        return outcome

    def _answer(self, end: Deadline, memory: float, data: bytes = b"") -> Any:
        """Send *data*, and return the next answer; None if the process has died.

        Raises `OutOfTime` and, above *memory* bytes, `OutOfMemory`.
        """
        if self._listener is None:
            self._listener = threading.Thread(target=self._exchange, args=(data,), daemon=True)
            self._listener.start()
        while True:
            with suppress(queue.Empty):
                answer = self._answers.get(timeout=_INTERVAL)
                self._listener = None
                return answer
            end.check()
            if (resident(self._process.pid) or 0) > memory:
                raise OutOfMemory

    def _exchange(self, data: bytes) -> None:
        """Send *data*, and pass the next answer on: None if the process has died."""
        self._send(data)
        assert self._process.stdout is not None
        try:
            self._answers.put(pickle.load(self._process.stdout))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self._answers.put(None)

    def _status(self) -> str:
        """Describe how a process has ended whose answers have."""
        try:
            status = self._process.wait(LOOK)
        except subprocess.TimeoutExpired:
            return ""
        lack = ", perhaps for lack of memory" if status == -9 else ""
        return f" (status {status})" if status >= 0 else f" (signal {-status}{lack})"

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
                if self._listener is not None:
                    self._listener.join()  # it reads to the end of the pipe, which has come
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):  # nobody reads the rest of the output
                    if pipe is not None:
                        pipe.close()


def _isolation() -> str:
    """Return the option by which Python ignores modules in the working directory.

    The solver process does not need them. It ignores the environment if this process does.
    """
    return "-I" if sys.flags.isolated else "-P"


def _note(message: str) -> None:
    """Say *message* on standard error, at once: in a worker, nothing else is heard of this wait."""
    with suppress(AttributeError, OSError, ValueError):  # it may be closed
        print(f"note: {message}", file=sys.stderr, flush=True)


#: The solvers that nobody waits for any more, in this process.
_never_loaded: set[str] = set()
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
