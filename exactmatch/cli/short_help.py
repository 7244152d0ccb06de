"""The help of commands with many options: the usual options, and the names of all others."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click


class Example(NamedTuple):
    """An example: the command line, and its purpose."""

    typed: str
    purpose: str


def write_examples(formatter: click.HelpFormatter, examples: Sequence[Example]) -> None:
    """Write *examples*, each below its purpose."""
    if examples:
        with formatter.section("Examples"):
            for one in examples:
                formatter.write(f"  # {one.purpose}\n  exactmatch {one.typed}\n")


def write_short(
    formatter: click.HelpFormatter,
    ctx: click.Context,
    headings: Mapping[str, Sequence[click.Option]],
    usual: Sequence[str],
) -> None:
    """Write the *usual* options (named without dashes), with one sentence for each.

    Write only the names of all other options under *headings*.
    """
    shown = [one for options in headings.values() for one in options]
    by_name = {_name(one): one for one in shown}
    with formatter.section("Options"):
        formatter.write_dl([_in_a_sentence(by_name[name], ctx) for name in usual])
    with formatter.section("More options, described by --help-all"):
        for heading, options in headings.items():
            others = [one for one in options if _name(one) not in usual]
            names = [
                name for one in others for name in (max(one.opts, key=len), *one.secondary_opts)
            ]
            if names:
                formatter.write(_listed(heading, names, formatter.width))


def _listed(heading: str, names: Sequence[str], width: int) -> str:
    """Return a paragraph of names, without line breaks at their hyphens."""
    from textwrap import fill

    filled = fill(
        " ".join(names),
        width,
        initial_indent=f"  {heading:18}",
        subsequent_indent=" " * 20,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return f"{filled}\n"


def _name(one: click.Option) -> str:
    return max(one.opts, key=len).lstrip("-")


def _in_a_sentence(one: click.Option, ctx: click.Context) -> tuple[str, str]:
    """Return the first sentence of an option's help."""
    record = one.get_help_record(ctx)
    assert record is not None
    words, said = record
    said, bracket, default = said.partition("  [")
    first, stop, _ = said.partition(". ")
    return words, f"{first}{stop.strip()}{bracket}{default}"
