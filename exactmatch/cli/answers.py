"""Print results and notes, and derive the exit status."""

import sys
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import click

from exactmatch.cli.screen import say, show
from exactmatch.errors import BelowError, NotProvenError
from exactmatch.report.wording import counted
from exactmatch.runtime.harmless import bare, errors_of, harmless
from exactmatch.runtime.output import write_text
from exactmatch.runtime.standard_streams import is_terminal

if TYPE_CHECKING:
    from fractions import Fraction

    from exactmatch.report.text_layout import TextLayout
    from exactmatch.scoring.results import CorpusScore

_Result = TypeVar("_Result")

#: More messages about pairs than these are not worth reading at once.
_MOST = 20
#: The digits of a score in a message.
_DIGITS = 4
#: Where a context keeps the number of messages.
_SAID = f"{__name__}.said"


class Proofs(Protocol):
    """The number of pairs, and how many of them are proven and checked."""

    @property
    def pairs(self) -> int: ...
    @property
    def optimal(self) -> int: ...
    @property
    def certified(self) -> int: ...


def say_note(message: str) -> None:
    """Print a problem found in a pair or a file on standard error."""
    say(f"note: {message}")


def say_pair_note(message: str) -> None:
    """Print a problem found in a pair or a graph on standard error, up to a limit a command.

    Only the first messages of a command are printed; a last line counts the others.
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
    """Return what shortens signatures for people; files and --signature get the whole."""
    if is_long or output is not None:
        return str
    from exactmatch.scoring.signatures import brief

    return brief


def say_written(output: Path) -> None:
    """Say on a terminal where the result is, which is not printed there."""
    if is_terminal(sys.stderr):
        say_note(f"the result is in {output}")


class Answering(NamedTuple):
    """How the result of a command is given: as text or as JSON, printed or in the file *output*."""

    output_format: str
    output: Path | None

    def print(
        self,
        result: _Result,
        *,
        text: "Callable[[_Result], TextLayout]",
        json: Callable[[_Result], str],
    ) -> None:
        """Give *result* as *text* or *json* lays it out. Raises as `print_answer` does."""
        print_answer(json(result) if self.output_format == "json" else text(result), self.output)


def print_answer(text: "str | TextLayout", output: Path | None) -> None:
    """Print *text*, or write it to *output*: a text for people, or JSON and the like.

    On a terminal, a text for people is folded. Control characters are written out, also in files.
    Raises `InputError` if writing fails.
    """
    if output is not None:
        write_text(output, f"{harmless(str(text))}\n")
        say_written(output)
    else:
        show(text)


def print_rows(text: str, output: Path | None) -> None:
    """Print *text* for programs that read CSV, or write it to *output*.

    CSV has no escapes, so values are changed only on a terminal. Raises `InputError` if writing
    fails.
    """
    if output is not None:
        write_text(output, f"{text}\n")
        say_written(output)
    elif is_terminal(sys.stdout):
        click.echo(text)
    else:
        echo_bare(f"{text}\n")


def echo_bare(text: str) -> None:
    """Print *text* as it is: there are no control characters in it, or no terminal."""
    stream = bare(sys.stdout)
    with errors_of(stream):
        click.echo(text, file=stream, nl=False)


def finish_one(*, is_whole: bool) -> None:
    """Exit with status 1 unless what was asked for *is whole*: no graph is missing."""
    if not is_whole:
        raise SystemExit(1)


def require_proven(unproven: int, *, require: bool) -> None:
    """Raise `NotProvenError` unless everything that must be proven is proven."""
    if require and unproven:
        raise NotProvenError(f"{unproven} not proven")


def require(results: Sequence[Proofs], *, optimal: bool, certified: bool) -> None:
    """Raise `NotProvenError` if a required proof is missing."""
    for result in results:
        if optimal and result.optimal < result.pairs:
            unproven = result.pairs - result.optimal
            raise NotProvenError(f"{unproven} of {counted(result.pairs, 'pair')} not proven")
        if certified and result.certified < result.pairs:
            unproven = result.pairs - result.certified
            raise NotProvenError(
                f"{unproven} of {counted(result.pairs, 'pair')} not proven by a checked proof"
            )


def require_reached(scores: "Sequence[CorpusScore]", least: "Fraction", *, as_written: str) -> None:
    """Raise `BelowError` if a score is below *least*, and `NotProvenError` if it may be.

    Ratios are compared before they are rounded, and the results of formulas as floats. Messages
    have *least* as it was written, and scores with the digits that tell them from it.
    """
    below, unknown = [], []
    for score in scores:
        floor = least if score.figures is None else float(least)
        named = f"{score.metric.name}: {score.value_name}"
        if score.exact_upper < floor:
            why = "" if score.pairs else ": nothing was scored"
            most = _distinct_from(score.exact_upper, least)
            below.append(f"{named} is at most {most}, below {as_written}{why}")
        elif score.exact < floor:
            low, high = (_distinct_from(end, least) for end in (score.exact, score.exact_upper))
            unknown.append(
                f"{named} lies between {low} and {high}; whether it reaches {as_written} is not "
                "proven"
            )
    if below:
        raise BelowError("; ".join([*below, *unknown]))
    if unknown:
        raise NotProvenError("; ".join(unknown))


def _distinct_from(number: "Fraction | float", least: "Fraction") -> str:
    """Return a number with four digits, or as many as tell it from *least*, if they differ."""
    from fractions import Fraction

    exact = Fraction(number)
    for digits in count(_DIGITS):
        scaled = round(exact * 10**digits)
        if scaled != round(least * 10**digits) or exact == least:
            break
    whole, rest = divmod(scaled, 10**digits)
    return f"{whole}.{rest:0{digits}}"
