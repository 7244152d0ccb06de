"""Workers that run the main program again: it lacks ``if __name__ == "__main__":``.

Such a worker starts no workers and writes no files. It ends without a word, and the process that
waits for it says why.
"""

import os
import sys

#: The name of workers, by which they know themselves.
WORKER = "exactmatch worker"
#: The exit status of a worker that has ended for this reason.
UNGUARDED = 79


def imports_main() -> bool:
    """Tell whether this process is a new one that imports the main program."""
    process = _current()
    return process is not None and getattr(process, "_inheriting", False)


def end_unguarded() -> None:
    """End this process if it is a worker that runs the main program again."""
    if imports_main() and getattr(_current(), "name", "") == WORKER:
        os._exit(UNGUARDED)


def _current() -> object | None:
    """Return what multiprocessing knows of this process; None if it is not loaded."""
    module = sys.modules.get("multiprocessing.process")
    return None if module is None else module.current_process()
