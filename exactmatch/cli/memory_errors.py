"""Handle exhausted memory in commands: print one message, and exit with one status.

If a single pair of `score` needs too much, that is a `WorkerError`, and the other pairs are
reported. Everything else ends here.
"""

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import click

from exactmatch.errors import WorkerError, is_want_of_memory

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def said_if_memory_runs_out(run: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Return a function that runs *run*, and ends the process with a message if memory runs out."""

    @wraps(run)
    def guarded(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        try:
            return run(*given, **named)
        except Exception as error:
            if not is_want_of_memory(error):
                raise
        # The traceback held what filled the memory; it is gone here.
        click.echo("error: memory ran out; there is no result", err=True)
        sys.exit(WorkerError.exit_status)

    return guarded
