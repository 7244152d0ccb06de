"""Options that several commands share.

Options under headings, so that the help of a command can be looked through.
"""

from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
from click.core import ParameterSource
from click.types import StringParamType

from exactmatch.cli.answers import say_note
from exactmatch.cli.short_help import Example, write_examples, write_short
from exactmatch.errors import UsageError
from exactmatch.graphs.selection import listed_conditions
from exactmatch.runtime.workers import AUTO, RemoteWorkers, Workers
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
from exactmatch.scoring.options import Format

#: What a click command is before the decorators, and what adds options to it.
Command = Callable[..., Any]

Adding = Callable[[Command], Command]

#: Where a context keeps that help is to describe all options.
_ALL = f"{__name__}.all"

#: Where it keeps that a command is only asked what to cite.
_CITING = f"{__name__}.citing"

_ORDER = (INPUT, COUNTING, PROOF, LIMITS, OUTPUT)


def at_commas(text: str) -> Sequence[str]:
    """Return what is listed with commas; an empty text as it is."""
    return [word.strip() for word in text.split(",") if word.strip()] or [text]


class GroupedOption(click.Option):
    """An option under the heading *group*, which *changes* the result or leaves it as it is.

    What may be given several times may be listed as well: *split* makes single values of a list.
    """

    def __init__(
        self,
        *words: Any,
        group: str,
        changes: bool = True,
        split: Callable[[str], Sequence[str]] = at_commas,
        **settings: Any,
    ) -> None:
        super().__init__(*words, **settings)
        self.group = group
        self.changes = changes
        self._split = split

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the values that are given, of their type."""
        if self.multiple and isinstance(value, list | tuple):
            value = [one for text in value for one in self._split(str(text))]
        return super().type_cast_value(ctx, value)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return what a value may become; of a list, its last one."""
        before, comma, last = incomplete.rpartition(",") if self.multiple else ("", "", incomplete)
        found = super().shell_complete(ctx, last)
        for one in found:
            one.value = f"{before}{comma}{one.value}"
        return found


class GroupedCommand(click.Command):
    """A command whose options stand under headings; its function gets the groups it takes.

    usual: the options that ``--help`` describes, without dashes; ``--help-all`` describes them all.
        None are all.
    """

    def __init__(
        self,
        name: str | None,
        callback: Command,
        usual: Sequence[str] = (),
        examples: Sequence[Example] = (),
        **settings: Any,
    ) -> None:
        super().__init__(name, callback=with_groups(callback), **settings)
        self.usual = usual
        self.examples = examples
        if usual:
            self.params.append(_help_all_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse a command line; one that asks what to cite needs no files."""
        ctx.meta[_CITING] = "--cite" in args and any("--cite" in one.opts for one in self.params)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, none of which is required where files need not be named."""
        params = super().get_params(ctx)
        if not ctx.meta.get(_CITING):
            return params
        params = [copy(one) for one in params]
        for one in params:
            one.required = False
        return params

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, or say what to cite for it."""
        if not ctx.meta.get(_CITING):
            return super().invoke(ctx)
        from exactmatch.cli.cite import what_to_cite

        click.echo(what_to_cite(self, ctx.params))
        return None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those without a heading last."""
        write_examples(formatter, self.examples)
        headings = self._headings(ctx)
        if self.usual and not ctx.meta.get(_ALL):
            write_short(formatter, ctx, headings, self.usual)
            return
        for heading, options in headings.items():
            records = [one.get_help_record(ctx) for one in options]
            with formatter.section(heading):
                formatter.write_dl([record for record in records if record is not None])

    def _headings(self, ctx: click.Context) -> dict[str, list[click.Option]]:
        """Return the options that are shown, by heading."""
        found: dict[str, list[click.Option]] = {heading: [] for heading in (*_ORDER, "Other")}
        for one in self.get_params(ctx):
            if isinstance(one, click.Option) and not one.hidden:
                found[getattr(one, "group", "Other")].append(one)
        return {heading: options for heading, options in found.items() if options}


def _show_all(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


def _help_all_option() -> click.Option:
    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_all,
        help="Show all options, each with all there is to say, and exit.",
    )


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
    """Return who shares the work; a command need not know that it may be a cluster.

    Whoever calls the program from a program may name workers of its own, as the context's object.
    """
    if isinstance(context.obj, RemoteWorkers):
        return context.obj
    address = context.meta[_CLUSTER]
    if address is None:
        return AUTO if value == AUTO else click.IntRange(min=1).convert(value, parameter, context)
    if context.get_parameter_source("workers") != ParameterSource.DEFAULT:
        raise UsageError("--workers goes without --cluster, which has workers of its own")
    from exactmatch.runtime.cluster import Cluster, silence

    cluster = Cluster(address, say_note)
    silence()
    return cluster


def joined(_: click.Context, __: click.Parameter, values: Sequence[str]) -> str | None:
    """Return what was given in several times as one list, None if nothing was."""
    return ",".join(values) if values else None


#: What a command does with an option beside what is declared.
_ALSO: dict[str, dict[str, Any]] = {
    "where": {"split": listed_conditions},
    "subscores": {"multiple": True, "callback": joined},
    "workers": {"callback": _workers},
    "cluster": {"callback": _cluster, "is_eager": True, "expose_value": False},
}


def options(*groups: type[Options]) -> Adding:
    """Return what adds the options of groups; the command takes the groups."""
    return adding(*(part(kind, *kind.declared) for kind in groups))


def part(kind: type[Options], *names: str, help: str | None = None) -> Adding:
    """Return what adds some of the options of a group, in this order; perhaps with other *help*."""
    return adding(
        *(
            _declared(name, kind.declared[name], kind.type_of(name), help)
            for name in names
            if kind.declared[name].help is not None
        )
    )


def _declared(name: str, one: Option, kind: Any, help: str | None) -> Adding:
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
        help=help or one.help,
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
        return (
            FILE if one.file == "file" else click.Path(path_type=Path, file_okay=one.file == "path")
        )
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


def require_option(what: str) -> Adding:
    """Return what adds the option that *what* has to be so, for which a proof is needed."""
    help = f"Exit with 3 unless {what}."
    return option("--require-optimal", is_flag=True, group=PROOF, help=help)


#: What to cite; `GroupedCommand` answers.
cite_option: Adding = option(
    "--cite",
    is_flag=True,
    expose_value=False,
    changes=False,
    group=COUNTING,
    help="Print what to cite, as BibTeX: the program, and the papers of the metrics and profiles "
    "that are named or, without --metric, suit the first file. Nothing is scored.",
)

#: What has to be proven.
proof_options: Adding = adding(
    require_option("all pairs are proven"),
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


def report_format_option(help: str) -> Adding:
    """Return what adds the option for the formats that reports have."""
    return option(
        "--format",
        "output_format",
        type=click.Choice(get_args(Format)),
        default="text",
        show_default=True,
        group=OUTPUT,
        help=help,
    )


def file_option(*words: str, help: str, **settings: Any) -> Adding:
    """Return what adds an option that names a file to write; the rest is as for `option`."""
    path = click.Path(path_type=Path, dir_okay=False)
    return option(*words, type=path, metavar="FILE", group=OUTPUT, help=help, **settings)


output_option: Adding = file_option(
    "--output",
    "-o",
    changes=False,
    help="Write the result to FILE instead of standard output.",
)


#: Whether people see all of a signature.
long_signature_option: Adding = option(
    "--long-signature",
    is_flag=True,
    group=OUTPUT,
    changes=False,
    help="Print all choices in the signature, not only those that differ from the profile; JSON, "
    "files, CSV, Markdown, LaTeX and HTML have them all in any case.",
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
