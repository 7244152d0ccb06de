"""Waiting for a solver so that an interrupt (Ctrl-C) is heard while its C++ code runs."""

import queue
import threading
from collections.abc import Callable
from typing import TypeVar, cast

Answer = TypeVar("Answer")
Result = TypeVar("Result")

#: Seconds between two looks at what the system has to say; not all systems wake a waiting thread.
_INTERVAL = 0.5


def run_interruptibly(work: Callable[[], Result], stop: Callable[[], object]) -> Result:
    """Return what *work* returns, or raise what it raises; it runs in a thread of its own.

    On an interrupt, *stop* is called, to tell *work* to end, and `KeyboardInterrupt` is raised
    without waiting until it does.
    """
    answers: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put((work(), None))
        except BaseException as error:
            answers.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        result, error = _wait_for(answers)
    except KeyboardInterrupt:
        stop()
        raise
    if error is not None:
        raise error
    return cast(Result, result)


def _wait_for(answers: "queue.SimpleQueue[Answer]") -> "Answer":
    while True:
        try:
            return answers.get(timeout=_INTERVAL)
        except queue.Empty:
            continue
