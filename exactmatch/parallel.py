"""Work spread over processes, with the results in the order of the tasks."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Tasks handed out ahead of the one whose result is waited for, for each worker.
_AHEAD = 16


def in_order(
    function: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Iterator[Result]:
    """Yield the result of *function* for each of *tasks*, in their order.

    With one worker all is done in this process. Otherwise *function*, tasks and results have to
    be such that they can be pickled. An error ends it all, at the task that it belongs to.
    """
    if workers == 1:
        yield from map(function, tasks)
        return
    others = set(active_children())
    # Forking is not safe once libraries have started threads, and is not to be had everywhere.
    executor = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_prepare, initargs=(function,)
    )
    waiting: deque[Future[Result]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(_run, task))
            if len(waiting) > _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        executor.shutdown()
    except BaseException:  # nobody wants the rest any more, and it may take long
        for child in set(active_children()) - others:
            child.terminate()
        executor.shutdown(cancel_futures=True)
        raise


#: What a worker does with its tasks; sent to it once, as it may hold much.
_function: Callable[[Any], Any]


def _prepare(function: Callable[[Any], Any]) -> None:
    """Make a worker ready; an interrupt is left to the process that waits for the results."""
    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _function = function


def _run(task: Any) -> Any:
    return _function(task)
