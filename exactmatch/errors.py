"""The errors that exactmatch raises; each class carries the exit status of the command line."""

import errno
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_Error = TypeVar("_Error", bound=BaseException)

#: Messages of errors other than `MemoryError` that mean that memory has run out: an extension
#: cannot be loaded, or a thread cannot be started.
_WANT_OF_MEMORY = (
    "failed to map segment",
    "Cannot allocate memory",
    "can't load unicodedata",
    "can't start new thread",
)
#: The longest part of a name from a file that a message shows.
_LONGEST = 200


class ExactmatchError(Exception):
    """Base of every error that exactmatch raises on purpose.

    exit_status: the exit status of the command line for this error.
    """

    exit_status = 1


class InputError(ExactmatchError):
    """A file, or a pair of files, that cannot be used."""


def failure(path: "Path", error: OSError) -> InputError:
    """Return the error that names *path* and what the system says of it."""
    return InputError(f"{path}: {error.strerror or error}")


class FileError(InputError):
    """A file, or a text, that holds something else than graphs.

    *source* names the file, and *line* (from 1) is the line that tells, if one does.
    """

    def __init__(self, reason: str, *, source: str, line: int | None = None) -> None:
        self.reason = reason
        self.source = source
        self.line = line
        super().__init__(f"{source}:{'' if line is None else f'{line}:'} {reason}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _file_error, (type(self), self.reason, self.source, self.line)


def _file_error(kind: type[FileError], reason: str, source: str, line: int | None) -> FileError:
    """Make an error again from its pickled arguments."""
    return kind(reason, source=source, line=line)


class NoGraphError(FileError):
    """A file, or a text, that holds no graph."""


class GraphError(InputError):
    """A graph that cannot be read.

    *source* and *line* (from 1) say where the graph is; *number* (from 1) and *identifier* name the
    graph; *text* and *column* (from 0) show the offending line, if there is one.
    """

    def __init__(
        self,
        reason: str,
        *,
        source: str,
        line: int,
        number: int,
        identifier: str | None = None,
        text: str | None = None,
        column: int = 0,
    ) -> None:
        self.reason = reason
        self.source = source
        self.line = line
        self.number = number
        self.identifier = identifier
        self.text = text
        self.column = column
        super().__init__(self._message())

    def __reduce__(self) -> tuple[Any, ...]:
        return _graph_error, (self.reason, {k: v for k, v in vars(self).items() if k != "reason"})

    def _message(self) -> str:
        name = f" (id {shown(self.identifier)})" if self.identifier is not None else ""
        message = f"{self.source}:{self.line}: graph {self.number}{name}: {shown(self.reason)}"
        if self.text is None:
            return message
        return f"{message}\n{_excerpt(self.text, self.column)}"


def _graph_error(reason: str, place: dict[str, Any]) -> GraphError:
    """Make an error again from its pickled arguments."""
    return GraphError(reason, **place)


def shown(text: str) -> str:
    """Return *text* on one line, invisible characters escaped, shortened if it is very long."""
    beginning = _printable(text[:_LONGEST])
    return beginning if len(text) <= _LONGEST else f"{beginning}..."


def shown_value(value: object) -> str:
    """Return *value* as Python writes it, in the form that `shown` gives a text."""
    try:
        return shown(repr(value))
    except ValueError:  # Python writes no whole number of so many digits
        return "a number of very many digits"


def _printable(text: str) -> str:
    if text.isprintable():
        return text  # as almost always
    return "".join(c if c.isprintable() or c == "\t" else spelled_out(c) for c in text)


def spelled_out(character: str) -> str:
    """Return a character by its number, as in ``\\u00a0``."""
    code = ord(character)
    return f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"


def _excerpt(text: str, column: int) -> str:
    """Return the part of *text* around *column*, and a caret under it."""
    start = max(0, column - 60)
    excerpt = _printable(text[start : column + 40])
    # Tabs stay tabs in the line of the caret, so that the caret stands in the right column.
    before = _printable(text[start:column])
    indent = "".join("\t" if c == "\t" else " " for c in before)
    return f"    {excerpt}\n    {indent}^"


def briefly(function: "Callable[_Given, _Result]") -> "Callable[_Given, _Result]":
    """Return a public *function* whose errors about its arguments are `shortened`."""

    @wraps(function)
    def called(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        try:
            return function(*given, **named)
        except (InputError, UsageError) as error:
            raise shortened(error)  # noqa: B904  (the same error)

    return called


def shortened(error: "_Error") -> "_Error":
    """Return *error* without the frames in which it was found, nor those of its causes.

    It is about what a user has given, so that the place in exactmatch says nothing.
    """
    cause = error.__cause__ or error.__context__
    while cause is not None:
        cause.__traceback__ = None
        cause = cause.__cause__ or cause.__context__
    return error.with_traceback(None)


class GoldError(InputError, ValueError):
    """A gold graph that cannot be used, so that a reward against it would say nothing."""


class UsageError(ExactmatchError):
    """A request that is contradictory or unknown, whatever the files hold."""

    exit_status = 2


class NotProvenError(ExactmatchError):
    """A pair is left without proof although proofs for all were required."""

    exit_status = 3


class VerificationError(ExactmatchError):
    """Two computations of the same number disagree: a defect of exactmatch or of a solver.

    *reproduction* is a line of JSON that reproduces the error, if it is known.
    """

    exit_status = 4

    def __init__(self, message: str, reproduction: str | None = None) -> None:
        super().__init__(message)
        self.reproduction = reproduction


class BelowError(ExactmatchError):
    """A score is proven to be below the required one."""

    exit_status = 6


class WorkerError(ExactmatchError):
    """A worker process has died, most likely for lack of memory, or memory has run out."""

    exit_status = 5


class SolverError(WorkerError):
    """A solver that cannot be loaded, so that no run that needs it can have a result."""


def near_names(wanted: str, names: Iterable[str]) -> str:
    """Return a space and a sentence that suggests the *names* similar to *wanted*, or nothing."""
    from difflib import get_close_matches

    found = get_close_matches(wanted, list(names))
    return f" Did you mean {' or '.join(map(repr, found))}?" if found else ""


def is_want_of_memory(error: BaseException) -> bool:
    """Tell whether *error* means that memory has run out."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    is_of_loading = isinstance(error, ImportError | RuntimeError | SyntaxError)
    return is_of_loading and any(said in str(error) for said in _WANT_OF_MEMORY)
