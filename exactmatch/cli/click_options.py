"""Options that several commands share.

Options under headings, so that the help of a command can be looked through.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
from click.core import ParameterSource
from click.types import StringParamType

from exactmatch.cli.answers import say_note
from exactmatch.errors import UsageError
from exactmatch.runtime.workers import AUTO, Workers
from exactmatch.scoring.corpus import BADNESS, USUAL_BADNESS
from exactmatch.scoring.declaration import (
    COUNTING,
    INPUT,
    LIMITS,
    OUTPUT,
    PROOF,
    Option,
    Options,
    with_groups,
)

#: What a click command is before the decorators, and what adds options to it.
Command = Callable[..., Any]

Adding = Callable[[Command], Command]

_ORDER = (INPUT, COUNTING, PROOF, LIMITS, OUTPUT)


class GroupedOption(click.Option):
    """An option under the heading *group*, which *changes* the result or leaves it as it is."""

    def __init__(self, *words: Any, group: str, changes: bool = True, **settings: Any) -> None:
        super().__init__(*words, **settings)
        self.group = group
        self.changes = changes


class GroupedCommand(click.Command):
    """A command whose options stand under headings; its function gets the groups it takes."""

    def __init__(self, name: str | None, callback: Command, **settings: Any) -> None:
        super().__init__(name, callback=with_groups(callback), **settings)

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


#: An argument that is a file, or ``-`` for standard input.
FILE = click.Path(allow_dash=True, path_type=Path)

#: Where a context keeps the address of a cluster until it is known who shares the work.
_CLUSTER = f"{__name__}.cluster"


def _cluster(context: click.Context, _: click.Parameter, value: str | None) -> None:
    context.meta[_CLUSTER] = value


def _workers(context: click.Context, parameter: click.Parameter, value: Any) -> Workers:
    """Return who shares the work; a command need not know that it may be a cluster."""
    address = context.meta[_CLUSTER]
    if address is None:
        return AUTO if value == AUTO else click.IntRange(min=1).convert(value, parameter, context)
    if context.get_parameter_source("workers") != ParameterSource.DEFAULT:
        raise UsageError("--workers goes without --cluster, which has workers of its own")
    from exactmatch.runtime.cluster import Cluster, silence

    cluster = Cluster(address, say_note)
    silence()
    return cluster


#: What a command does with an option beside what is declared.
_ALSO: dict[str, dict[str, Any]] = {
    "workers": {"callback": _workers},
    "cluster": {"callback": _cluster, "is_eager": True, "expose_value": False},
}


def options(*groups: type[Options]) -> Adding:
    """Return what adds the options of groups; the command takes the groups."""
    return adding(*(part(kind, *kind.declared) for kind in groups))


def part(kind: type[Options], *names: str) -> Adding:
    """Return what adds some of the options of a group, in this order."""
    return adding(
        *(
            _declared(name, kind.declared[name], kind.type_of(name))
            for name in names
            if kind.declared[name].help is not None
        )
    )


def _declared(name: str, one: Option, kind: Any) -> Adding:
    """Return what adds an option that is declared, with values of such a *kind* in Python."""
    settings: dict[str, Any] = {}
    if kind is bool:
        settings["is_flag"] = True
    elif one.cli_default == ():
        settings["multiple"] = True
    elif one.cli_default is not None:
        settings |= {"default": one.cli_default, "show_default": True}
    if one.parse is not None:
        settings["callback"] = parsing(one.parse)
    return option(
        f"--{name.replace('_', '-')}",
        group=one.group,
        changes=one.effect != "nothing",
        type=_type(one, kind),
        metavar=one.metavar,
        help=one.help,
        **{**settings, **_ALSO.get(name, {})},
    )


def _type(one: Option, kind: Any) -> Any:
    """Return what click reads a value with; None if by what it knows anyway."""
    names = one.values or (get_args(kind) if get_origin(kind) is Literal else ())
    if names:
        return click.Choice(names)
    if one.least is not None:
        return click.IntRange(min=one.least, max=one.most)
    if one.file is not None:
        return FILE if one.file == "file" else click.Path(path_type=Path, file_okay=False)
    return float if float in (kind, *get_args(kind)) else None


def parsing(parse: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return what click calls to *parse* a value that is given."""

    def parsed(_: click.Context, __: click.Parameter, value: Any) -> Any:
        try:
            return None if value is None else parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error

    return parsed


#: Which pair.
id_option: Adding = option(
    "--id",
    "identifier",
    group=INPUT,
    help="The pair's identifier, or its number; needed if there are several.",
)

#: What has to be proven.
proof_options: Adding = adding(
    option(
        "--require-optimal",
        is_flag=True,
        group=PROOF,
        help="Exit with 3 unless all pairs are proven.",
    ),
    option(
        "--require-certified",
        is_flag=True,
        group=PROOF,
        help="Exit with 3 unless all pairs are proven, and each proof is checked.",
    ),
)

#: How the result of a single computation is printed; studies have formats of their own.
format_option: Adding = option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    group=OUTPUT,
    help="How the result is printed.",
)

output_option: Adding = option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    group=OUTPUT,
    changes=False,
    help="Write the result to FILE instead of standard output.",
)


def worst_options(help: str) -> Adding:
    """Return what adds the options for the worst pairs, and by what they are."""
    return adding(
        option("--worst", type=click.IntRange(min=1), metavar="N", group=OUTPUT, help=help),
        option(
            "--sort",
            type=click.Choice([*BADNESS]),
            group=OUTPUT,
            help="By what they are the worst: most triples without partner (difference), the "
            "lowest score, most triples between what is found and proven (gap) or in all (size), "
            f"or most seconds; of equals the first come first.  [default: {USUAL_BADNESS}]",
        ),
    )


#: One pair of many.
show_id_option: Adding = option(
    "--id", "identifier", group=INPUT, help="Show this pair alone: its identifier, or its number."
)
