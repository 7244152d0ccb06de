"""Wait for a solver so that an interrupt (Ctrl-C) is handled while its C++ code runs."""

import queue
import threading
from collections.abc import Callable
from typing import TypeVar, cast

from exactmatch.stopping.deadline import Deadline
from exactmatch.stopping.interrupts import LOOK

Answer = TypeVar("Answer")
Result = TypeVar("Result")

#: Seconds between two looks at the clock and at interrupts; *stop* is repeated, in case the first
#: call was missed.
_SHORT_INTERVAL = 0.05


def run_interruptibly(
    work: Callable[[], Result], stop: Callable[[], object], deadline: Deadline
) -> Result:
    """Return the result of *work*, or raise its error; it runs in a thread of its own.

    After *deadline*, *stop* is called to tell *work* to end, and its end is waited for. On an
    interrupt, *stop* is called and `KeyboardInterrupt` is raised without waiting.
    """
    answers: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put((work(), None))
        except BaseException as error:
            answers.put((None, error))

    try:
        threading.Thread(target=run, daemon=True).start()
        result, error = _wait_for(answers, stop, deadline)
    except KeyboardInterrupt:
        stop()
        raise
    if error is not None:
        raise error
    return cast(Result, result)


def _wait_for(
    answers: "queue.SimpleQueue[Answer]", stop: Callable[[], object], deadline: Deadline
) -> "Answer":
    while True:
        late = deadline.passed()  # which handles interrupts as well
        if late:
            stop()
        patience = _SHORT_INTERVAL if late else min(LOOK, deadline.remaining())
        try:
            return answers.get(timeout=patience)
        except queue.Empty:
            continue
