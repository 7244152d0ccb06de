"""Standard streams that are closed, missing, or no usual files.

A command may start with some of its standard streams closed (``2>&-``), and Python then has None
instead of them; so do programs without a window on Windows. Notebooks and servers put objects there
that only have ``write``.
"""

import os
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from pathlib import Path  # slow, and not needed by every command

#: How the null device stands for a closed descriptor. What a closed standard input or output is
#: used for fails, as it would without a descriptor; messages go nowhere.
_STANDS_FOR = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))
#: The descriptors that the null device stands for in this process.
_filled: set[int] = set()


def standard_output() -> TextIO:
    """Return standard output or, if it is closed, a stream to which writing fails."""
    if sys.stdout is not None:
        return sys.stdout
    from exactmatch.runtime.closed_streams import ClosedOutput

    return cast("TextIO", ClosedOutput())


def standard_error() -> TextIO:
    """Return standard error or, if it is closed, a stream that drops what is written to it."""
    if sys.stderr is not None:
        return sys.stderr
    from exactmatch.runtime.closed_streams import Unheard

    return cast("TextIO", Unheard())


def fill_descriptors() -> None:
    """Open the null device as each of descriptors 0, 1 and 2 that is closed.

    Otherwise, the next file to be opened would get that number, and then the messages of libraries
    and of other processes.
    """
    for number, mode in _STANDS_FOR:
        try:
            os.fstat(number)
        except OSError:
            # The system takes the least number that is free, and those below are not.
            os.open(os.devnull, mode)
            os.set_inheritable(number, True)
            _filled.add(number)


def is_closed(path: "Path") -> bool:
    """Tell whether *path*, such as ``/dev/stdout``, names a standard stream that is closed."""
    names = r"/dev/std(in|out|err)|(?:/dev|/proc/self)/fd/([012])"
    found = re.fullmatch(names, str(path.absolute()))
    if found is None:
        return False
    number = ("in", "out", "err").index(found[1]) if found[1] else int(found[2])
    return number in _filled


def is_terminal(stream: Any) -> bool:
    """Tell whether *stream* is a terminal; a missing, closed or unusual stream is none."""
    with suppress(AttributeError, OSError, ValueError):
        return bool(stream.isatty())
    return False
