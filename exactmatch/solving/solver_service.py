"""The program in the process of a solver: it solves requests until there are no more."""

import os
import pickle
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from exactmatch.encodings import get_encoding, unloadable
from exactmatch.encodings.base import Outcome, OutOfMemory
from exactmatch.errors import SolverError, is_want_of_memory
from exactmatch.problem import MatchingProblem
from exactmatch.stopping.deadline import Deadline

_STATUS = "/proc/{}/status"


class Request(NamedTuple):
    """A problem for the solver of the encoding called *name*; the rest is as for `Encoding`."""

    name: str
    problem: MatchingProblem
    hint: dict[int, int]
    upper: int
    deadline: Deadline
    seed: int


def resident(process: int) -> int | None:
    """Return the bytes of memory that a process takes; None if the system does not say."""
    try:
        status = Path(_STATUS.format(process)).read_text("ascii", "replace")
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        return None


class Loaded(NamedTuple):
    """The answer to the *name* of a solver.

    taken: the bytes of this process, without those of problems. error: why loading failed; empty if
    it did not.
    """

    name: str
    taken: int
    error: str = ""


def serve() -> None:
    """Load the named solvers on standard input, and solve the requests there.

    Each name has an answer, `Loaded`, and each request a pair of outcome and error. Output of
    solvers is discarded.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    asked: queue.SimpleQueue[str | Request] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    taken = resident(os.getpid()) or 0
    while True:
        request = asked.get()
        if isinstance(request, str):
            before = resident(os.getpid()) or 0
            error = _load(request)
            taken += (resident(os.getpid()) or 0) - before
            _send(answers, Loaded(request, taken, error))
        else:
            _send(answers, _answer(request))


def _load(name: str) -> str:
    """Load the encoding called *name*; return the error, or an empty text."""
    try:
        get_encoding(name)
    except SolverError as error:
        return str(error)
    except Exception as error:
        said = "memory ran out" if is_want_of_memory(error) else f"{type(error).__name__}: {error}"
        return str(unloadable(name, said))
    return ""


def _send(answers: BinaryIO, answer: object) -> None:
    answers.write(pickle.dumps(answer))
    answers.flush()


def _listen(asked: "queue.SimpleQueue[str | Request]") -> None:
    """Read requests from standard input, and end this process at its end.

    The other process may be killed while it writes, so an incomplete request is ignored.
    """
    try:
        while True:
            asked.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)


def _answer(request: Request) -> tuple[Outcome | None, Exception | None]:
    name, problem, hint, upper, deadline, seed = request
    options: dict[str, Any] = {"hint": hint, "upper": upper, "deadline": deadline, "seed": seed}
    try:
        return get_encoding(name).solve(problem, **options), None
    except Exception as error:
        return None, OutOfMemory() if is_want_of_memory(error) else _portable(error)


def _portable(error: Exception) -> Exception:
    """Return a picklable copy of *error*."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
