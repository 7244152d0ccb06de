"""The help of commands with many options: the usual options, and the names of all others."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click

#: Click leaves so many columns of a terminal free.
_SPARE = 2


class Example(NamedTuple):
    """An example: the command line, and its purpose."""

    typed: str
    purpose: str


def write_examples(formatter: click.HelpFormatter, examples: Sequence[Example]) -> None:
    """Write *examples*, each below its purpose."""
    if examples:
        from exactmatch.report.folding import folded

        with formatter.section("Examples"):
            for one in examples:
                purpose = "\n".join(folded(f"  # {one.purpose}", formatter.width, "  # "))
                formatter.write(f"{purpose}\n{_typed(one, formatter.width)}\n")


def _typed(example: Example, width: int) -> str:
    """Return the command line of an example, in lines that a shell takes as one."""
    from exactmatch.report.folding import folded_command

    lines = folded_command(f"exactmatch {example.typed}", width).split("\n")
    return "\n".join(f"  {line}" for line in lines)


def fitted(text: str, ctx: click.Context) -> str:
    """Return the help *text* with lines that fit into the terminal.

    Click never folds paragraphs that are tables. Their lines go on below the last column.
    """
    width = ctx.make_formatter().width + _SPARE
    lines = text.split("\n")
    if all(len(line) <= width for line in lines):
        return text
    from exactmatch.report.folding import folded

    return "\n".join(piece for line in lines for piece in folded(line, width, _margin(line)))


def _margin(line: str) -> str:
    """Return the blanks before the last column of a line; one that has no columns is indented."""
    before = re.match(r".*\S {2,}(?=\S)| *", line)
    return " " * len(before[0]) if before else ""


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
