"""Work of a cluster's worker: run a function for a block of tasks, bytes in and bytes out."""

import pickle
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from exactmatch._version import __version__, solver_versions
from exactmatch.errors import UsageError, is_want_of_memory
from exactmatch.runtime.processes import portable
from exactmatch.runtime.workers import out_of_memory

#: The versions that have to be equal everywhere, since results and signatures depend on them.
VERSIONS = (
    f"exactmatch {__version__}, Python {'.'.join(platform.python_version_tuple()[:2])}, "
    f"{solver_versions()}"
)


class BlockOutcome(NamedTuple):
    """The result of a block: results, the error that has ended it, and its seconds."""

    results: Sequence[Any]
    error: BaseException | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class BlockWork:
    """Runs *function* on a worker for a block of tasks, if the worker has *versions*."""

    function: Callable[[Any], Any]
    versions: str

    def __call__(self, block: bytes) -> bytes:
        """Return a pickled `BlockOutcome` of the pickled tasks in *block*."""
        start = time.monotonic()
        results: list[Any] = []
        failure: Exception | None = None
        try:
            # A worker may have been replaced by another since it was checked.
            if self.versions != VERSIONS:
                raise UsageError(fault_of(VERSIONS, self.versions, platform.node()))
            for task in pickle.loads(block):
                results.append(self.function(task))
        except Exception as error:
            # A new error, without the traceback, which holds what filled the memory.
            failure = MemoryError() if is_want_of_memory(error) else portable(error)
        seconds = time.monotonic() - start
        try:
            return pickle.dumps(BlockOutcome(results, failure, seconds))
        except MemoryError:
            failure = out_of_memory("the results of a block")
            return pickle.dumps(BlockOutcome((), failure, seconds))
        except Exception as error:
            return pickle.dumps(BlockOutcome((), portable(error), seconds))


def fault_of(versions: object, wanted: str, place: str) -> str | None:
    """Return why the worker at *place* cannot take part; None if it has the *wanted* versions.

    *versions* is what the worker has answered, or the exception of its answer.
    """
    if versions == wanted:
        return None
    if isinstance(versions, BaseException):
        return f"worker {place} has no exactmatch of this version: {versions}"
    return f"worker {place} is {versions}, not {wanted}"
