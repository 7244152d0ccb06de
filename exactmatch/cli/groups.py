"""Options under headings, so that the help of a command can be looked through."""

from collections.abc import Callable, Sequence
from typing import Any

import click
from click.types import StringParamType

#: What a click command is before the decorators, and what adds options to it.
Command = Callable[..., Any]
Adding = Callable[[Command], Command]

INPUT = "Input"
COUNTING = "Counting"
PROOF = "Search and proof"
LIMITS = "Limits"
OUTPUT = "Output"
_ORDER = (INPUT, COUNTING, PROOF, LIMITS, OUTPUT)


class GroupedOption(click.Option):
    """An option that stands under the heading *group*."""

    def __init__(self, *words: Any, group: str, **settings: Any) -> None:
        super().__init__(*words, **settings)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose options stand under headings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what stands after the command; errors know of which command they are."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those without a heading last."""
        found: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*_ORDER, "Other")}
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        for parameter in options:
            record = parameter.get_help_record(ctx)
            if record is not None:
                found[getattr(parameter, "group", "Other")].append(record)
        for heading, records in found.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


class LateChoice(StringParamType):
    """A choice whose values are listed only when one is given, or all are shown."""

    name = "choice"

    def __init__(self, values: Callable[[], Sequence[str]]) -> None:
        self._values = values

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        """Return *value* if it is one of those that there are; else fail as a choice does."""
        return click.Choice(self._values()).convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the values as help shows them."""
        return f"[{'|'.join(self._values())}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """Return the values that begin like this."""
        return click.Choice(self._values()).shell_complete(ctx, param, incomplete)


def option(*words: str, group: str, **settings: Any) -> Adding:
    """Return what adds an option under a heading; the rest is as for `click.option`."""
    return click.option(*words, cls=GroupedOption, group=group, **settings)


def adding(*options: Adding) -> Adding:
    """Return what adds several options, in this order."""

    def add(command: Command) -> Command:
        for one in reversed(options):
            command = one(command)
        return command

    return add
