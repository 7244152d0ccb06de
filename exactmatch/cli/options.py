"""Settings that several commands share."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import click

from exactmatch.errors import UsageError
from exactmatch.memory import parse_size
from exactmatch.output import partial_path

Command = Callable[..., Any]


def pairing_options(command: Command) -> Command:
    """Add the options that say which graphs are compared."""
    on_error = click.option(
        "--on-error",
        type=click.Choice(["stop", "skip", "empty"]),
        default="stop",
        show_default=True,
        help="A graph that cannot be read: stop, skip its pair, or take it as empty.",
    )
    pair_by = click.option(
        "--pair-by",
        type=click.Choice(["position", "id"]),
        default="position",
        show_default=True,
        help="By position, identifiers are checked; by id, the graphs of GOLD are held in memory, "
        "and graphs without partner are skipped, or taken as empty with --on-error empty.",
    )
    return pair_by(on_error(command))


def format_option(command: Command) -> Command:
    """Add the option for the format of the result."""
    option = click.option(
        "--format",
        "output_format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="How the result is printed.",
    )
    return option(command)


def seconds(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """Check a time limit in seconds; infinite means None, no limit."""
    if value is not None and (math.isnan(value) or value < 0):
        raise click.BadParameter("not a number of seconds")
    return None if value is None or math.isinf(value) else value


def timeout_option(command: Command) -> Command:
    """Add the option for the time limit of a pair."""
    option = click.option(
        "--timeout",
        type=float,
        default=60.0,
        show_default=True,
        callback=seconds,
        help="Seconds for each pair, or inf. What is not proven by then is given as an interval.",
    )
    return option(command)


def memory_option(command: Command) -> Command:
    """Add the option for the memory that a pair may take; None means the default."""
    option = click.option(
        "--memory",
        metavar="SIZE",
        callback=_memory,
        help="Memory for a pair (800M, 2G): what would take more is not solved, but given as an "
        "interval.  [default: a quarter of what is free for each worker, at most 1G]",
    )
    return option(command)


def _memory(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    return None if value is None else parse_size(value)


def workers_option(command: Command) -> Command:
    """Add the option for the number of processes."""
    option = click.option(
        "--workers",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Processes that share the pairs. The result is the same with any number, but for what "
        "limits of time and memory leave open.",
    )
    return option(command)


def id_option(command: Command) -> Command:
    """Add the option that names a pair."""
    option = click.option(
        "--id",
        "identifier",
        help="The pair's identifier, or its number if it has none; needed if there are several.",
    )
    return option(command)


def check_outputs(inputs: Sequence[str], *outputs: Path | None) -> None:
    """Raise `UsageError` if an output would go over an input or over another output."""
    written = [path for path in outputs if path is not None]
    for path in written:
        if str(path) == "-":
            raise UsageError("standard output is for the result; name a file")
        for place in _places(path):
            if any(name != "-" and _same_file(place, Path(name)) for name in inputs):
                raise UsageError(f"{place} is an input and would be overwritten")
    for path, other in combinations(written, 2):
        for place, taken in product(_places(path), _places(other)):
            if _same_file(place, taken):
                raise UsageError(f"{place} is named for two outputs")


def _places(path: Path) -> list[Path]:
    """Return what is written for the output at *path*: the file, and what it is called before."""
    partial = partial_path(path)
    return [path] if partial is None else [path, partial]


def _same_file(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:  # one of them does not exist
        return path.resolve() == other.resolve()
