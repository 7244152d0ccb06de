"""How commands answer: notes on standard error, the result, and what the exit status says."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from exactmatch.errors import BelowError, NotProvenError
from exactmatch.runtime.harmless import bare, harmless
from exactmatch.runtime.output import write_text

if TYPE_CHECKING:
    from fractions import Fraction

    from exactmatch.scoring.results import CorpusScore

#: So many messages about pairs are worth reading at once.
_MOST = 20
#: Where a context keeps how many there were.
_SAID = f"{__name__}.said"


class Proofs(Protocol):
    """How many pairs there are, and how many of them are proven and checked."""

    @property
    def pairs(self) -> int: ...
    @property
    def optimal(self) -> int: ...
    @property
    def certified(self) -> int: ...


def say_note(message: str) -> None:
    """Say on standard error what is the matter with a pair or a file."""
    click.echo(f"note: {message}", err=True)


def say_pair_note(message: str) -> None:
    """Say on standard error what is the matter with a pair or a graph, which may be one of many.

    Of all that a command has to say so, the first messages come; how many more, is said at its end.
    """
    context = click.get_current_context()
    if _SAID not in context.meta:
        context.meta[_SAID] = 0
        context.call_on_close(lambda: _say_more(context.meta[_SAID] - _MOST))
    context.meta[_SAID] += 1
    if context.meta[_SAID] <= _MOST:
        say_note(message)


def _say_more(number: int) -> None:
    if number > 0:
        say_note(f"... and {number} more")


def signer(output: Path | None, *, is_long: bool) -> Callable[[str], str]:
    """Return what makes of a signature what is printed: all of it if asked for, and in files."""
    if is_long or output is not None:
        return str
    from exactmatch.scoring.signatures import brief

    return brief


def give(text: str, output: Path | None) -> None:
    """Print *text*, or write it to *output*, for people or as JSON.

    What steers a terminal is written out, wherever it goes. Raises `InputError` if that fails.
    """
    if output is None:
        click.echo(text)
    else:
        write_text(output, f"{harmless(text)}\n")


def give_rows(text: str, output: Path | None) -> None:
    """Print *text*, or write it to *output*, for programs that read CSV.

    The format has no escapes, so that values stay as they are but in a terminal. Raises
    `InputError` if that fails.
    """
    if output is not None:
        write_text(output, f"{text}\n")
    elif sys.stdout.isatty():
        click.echo(text)
    else:
        click.echo(text, file=bare(sys.stdout))


def require_proven(unproven: int, *, require: bool) -> None:
    """Raise `NotProvenError` if what must be proven is not."""
    if require and unproven:
        raise NotProvenError(f"{unproven} not proven")


def require(results: Sequence[Proofs], *, optimal: bool, certified: bool) -> None:
    """Raise `NotProvenError` if there are not the proofs that are asked for."""
    for result in results:
        if optimal and result.optimal < result.pairs:
            unproven = result.pairs - result.optimal
            raise NotProvenError(f"{unproven} of {result.pairs} pairs not proven")
        if certified and result.certified < result.pairs:
            unproven = result.pairs - result.certified
            raise NotProvenError(
                f"{unproven} of {result.pairs} pairs not proven by a checked proof"
            )


def require_reached(scores: "Sequence[CorpusScore]", least: "Fraction") -> None:
    """Raise `BelowError` if a score is below *least*, and `NotProvenError` if one may be.

    Ratios are compared as they are before they are rounded; figures of a formula, as floats.
    """
    below, unknown = [], []
    for score in scores:
        floor = least if score.figures is None else float(least)
        named = f"{score.metric.name}: {score.value_name}"
        if score.exact_upper < floor:
            why = "" if score.pairs else ": nothing was scored"
            below.append(f"{named} is {score.value_upper} at most, below {float(least)}{why}")
        elif score.exact < floor:
            interval = f"between {score.value} and {score.value_upper}"
            unknown.append(f"{named} lies {interval}, and so does {float(least)}: not proven")
    if below:
        raise BelowError("; ".join([*below, *unknown]))
    if unknown:
        raise NotProvenError("; ".join(unknown))
