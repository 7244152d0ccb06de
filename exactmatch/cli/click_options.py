"""Options that several commands share.

Options have headings, so that the help of a command is easy to look through.
"""

from collections.abc import Callable, Sequence
from copy import copy
from functools import wraps
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
from click.core import ParameterSource
from click.types import StringParamType

from exactmatch.cli.answers import Answering, say_note
from exactmatch.cli.named_files import NamedFiles, TextOrFile, WrittenFile, WrittenPath, named_files
from exactmatch.cli.screen import show
from exactmatch.cli.short_help import Example, fitted, write_examples, write_short
from exactmatch.errors import UsageError
from exactmatch.graphs.selection import listed_conditions
from exactmatch.runtime.output import check_outputs
from exactmatch.runtime.protection import check_standard_output, protecting
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

#: A click command before the decorators, and a decorator that adds options to it.
Command = Callable[..., Any]

Adding = Callable[[Command], Command]

#: The key of a context that says that help describes all options.
_ALL = f"{__name__}.all"

#: The key of a context that says that only the citations are wanted.
_CITING = f"{__name__}.citing"

#: The key of a context with the parser of its words.
_PARSER = f"{__name__}.parser"
#: The key of a context with the files that are read and those that are written.
_FILES = f"{__name__}.files"

_ORDER = (INPUT, COUNTING, PROOF, LIMITS, OUTPUT)


def at_commas(text: str) -> Sequence[str]:
    """Return the values of a list with commas; an empty text is one value."""
    return [word.strip() for word in text.split(",") if word.strip()] or [text]


class GroupedOption(click.Option):
    """An option under the heading *group*; *changes* says whether it changes the result.

    An option that may be repeated also takes a list: *split* makes single values of it.
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
        """Return the given values, converted to their type.

        An empty name of a file or folder, as of an unset variable, would be the current folder; one
        like ``--format`` is the next option, where a name was forgotten.
        """
        if isinstance(self.type, click.Path) and self.default != "":
            if value == "":
                raise click.BadParameter("an empty name", ctx, self)
            if isinstance(value, str) and value.startswith("--"):
                reason = f"a name is missing before {value}; a file of that name is ./{value}"
                raise click.BadParameter(reason, ctx, self)
        if self.multiple and isinstance(value, list | tuple):
            value = [one for text in value for one in self._split(str(text))]
        return super().type_cast_value(ctx, value)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return completions of a value; of a list, completions of its last value."""
        before, comma, last = incomplete.rpartition(",") if self.multiple else ("", "", incomplete)
        found = super().shell_complete(ctx, last)
        for one in found:
            one.value = f"{before}{comma}{one.value}"
        return found


class GroupedCommand(click.Command):
    """A command whose options have headings, and whose function gets groups of options.

    usual: the options that ``--help`` describes, without dashes; ``--help-all`` describes all
        options. If there are none, ``--help`` describes all.
    for_more: a sentence for those who name more files than the command takes.
    """

    def __init__(
        self,
        name: str | None,
        callback: Command,
        usual: Sequence[str] = (),
        examples: Sequence[Example] = (),
        for_more: str = "",
        **settings: Any,
    ) -> None:
        super().__init__(name, callback=with_groups(callback), **settings)
        self.usual = usual
        self.examples = examples
        self.for_more = for_more
        if usual:
            self.params.append(_help_all_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse a command line; with ``--cite``, files are not needed."""
        ctx.meta[_CITING] = "--cite" in args and any("--cite" in one.opts for one in self.params)
        words = [*args]
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            if "extra argument" not in error.message:
                raise
            _, extra, _ = ctx.meta[_PARSER].parse_args(args=words)
            hints = filter(None, [*map(self._option_of, extra), self.for_more])
            raise click.UsageError(". ".join([error.message, *hints]), ctx) from error
        # Options turn names of files into contents, so the words themselves are looked at again.
        given, _, _ = ctx.meta[_PARSER].parse_args(args=words)
        ctx.meta[_FILES] = named_files(self, given, ctx.params)
        return rest

    def _option_of(self, word: str) -> str:
        """Return a sentence on the option that takes *word*, which stands behind none; or nothing.

        For instance, a flag that has no values may be written before *word*.
        """
        for one in self.params:
            if isinstance(one.type, click.Choice) and word in one.type.choices:
                return f"{word} is a value of {max(one.opts, key=len)}"
        return ""

    def make_parser(self, ctx: click.Context) -> Any:
        """Return the parser of words, which is kept, since words are parsed twice."""
        parser = ctx.meta[_PARSER] = super().make_parser(ctx)
        return parser

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters; with ``--cite``, none of them is required."""
        params = super().get_params(ctx)
        if not ctx.meta.get(_CITING):
            return params
        params = [copy(one) for one in params]
        for one in params:
            one.required = False
        return params

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, or print what to cite for it.

        No output of the command may be a file that the command reads, and only one file may be
        standard input, which can be read once.
        """
        if not ctx.meta.get(_CITING):
            from exactmatch.scoring.sides import check_one_stdin

            files: NamedFiles = ctx.meta[_FILES]
            check_one_stdin(*map(Path, files.read))
            check_outputs(files.read, *files.written)
            for folder in files.folders:  # several outputs may share a folder
                check_outputs(files.read, folder)
            check_standard_output(files.read)
            files.check_places()
            with protecting(files.read):
                return super().invoke(ctx)
        from exactmatch.cli.cite import what_to_cite
        from exactmatch.report.text_layout import TextLayout

        show(TextLayout([what_to_cite(self, ctx.params)]))
        return None

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, which fits into the terminal."""
        return fitted(super().get_help(ctx), ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options; those without a heading come last."""
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
        """Return the options that help shows, by heading."""
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
        help="Show all options with their full descriptions, and exit.",
    )


class LateChoice(StringParamType):
    """A choice whose values are computed only when a value is given or all are shown."""

    name = "choice"

    def __init__(self, values: Callable[[], Sequence[str]]) -> None:
        self._values = values

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        """Return *value* if it is one of the values; otherwise fail as a click choice does."""
        return click.Choice(self._values()).convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the values as help shows them."""
        return f"[{'|'.join(self._values())}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """Return the values that begin with *incomplete*."""
        return click.Choice(self._values()).shell_complete(ctx, param, incomplete)


def option(*words: str, group: str, **settings: Any) -> Adding:
    """Return a decorator that adds an option under a heading; the rest is as for `click.option`."""
    return click.option(*words, cls=GroupedOption, group=group, **settings)


def adding(*options: Adding) -> Adding:
    """Return a decorator that adds several options, in this order."""

    def add(command: Command) -> Command:
        for one in reversed(options):
            command = one(command)
        return command

    return add


#: An argument that is a file, or ``-`` for standard input.
FILE = click.Path(allow_dash=True, path_type=Path)

#: What options for output name: a file, a folder, or either. Nobody reads what is there. An output
#: that is no file is refused by what opens it, in the words of the system.
WRITTEN = {
    "file": WrittenFile(path_type=Path, readable=False, dir_okay=False),
    "folder": WrittenPath(path_type=Path, readable=False, file_okay=False),
    "path": WrittenPath(path_type=Path, readable=False),
    "output": WrittenFile(path_type=Path, readable=False),
}

#: The key of a context with the address of a cluster, until the workers are known.
_CLUSTER = f"{__name__}.cluster"


def _cluster(context: click.Context, _: click.Parameter, value: str | None) -> None:
    context.meta[_CLUSTER] = value


def _workers(context: click.Context, parameter: click.Parameter, value: Any) -> Workers:
    """Return the workers; a command need not know whether they are processes or a cluster.

    A program that calls this program may give workers of its own, as the object of the context.
    """
    if isinstance(context.obj, RemoteWorkers):
        return context.obj
    address = context.meta[_CLUSTER]
    if address is None:
        return AUTO if value == AUTO else click.IntRange(min=1).convert(value, parameter, context)
    if context.get_parameter_source("workers") != ParameterSource.DEFAULT:
        raise UsageError(
            "--workers and --cluster cannot be combined: the cluster has workers of its own"
        )
    from exactmatch.runtime.cluster import Cluster, silence

    cluster = Cluster(address, say_note)
    silence()
    return cluster


def joined(_: click.Context, __: click.Parameter, values: Sequence[str]) -> str | None:
    """Return the values of a repeated option as one list, or None if there are none."""
    return ",".join(values) if values else None


#: What a command does with an option beyond its declaration.
_ALSO: dict[str, dict[str, Any]] = {
    "where": {"split": listed_conditions},
    "subscores": {"multiple": True, "callback": joined},
    "workers": {"callback": _workers},
    # An address, or the file of a scheduler.
    "cluster": {
        "type": TextOrFile(),
        "callback": _cluster,
        "is_eager": True,
        "expose_value": False,
    },
}


def options(*groups: type[Options]) -> Adding:
    """Return a decorator that adds the options of groups; the command receives the groups."""
    return adding(*(part(kind, *kind.declared) for kind in groups))


def part(kind: type[Options], *names: str, help: str | None = None) -> Adding:
    """Return a decorator for some options of a group, in this order, perhaps with other *help*."""
    return adding(
        *(
            _declared(name, kind.declared[name], kind.type_of(name), help)
            for name in names
            if kind.declared[name].help is not None
        )
    )


def _declared(name: str, one: Option, kind: Any, help: str | None) -> Adding:
    """Return a decorator for a declared option, whose type in Python is *kind*."""
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
        metavar=one.metavar,
        help=help or one.help,
        **{"type": _type(one, kind), **settings, **_ALSO.get(name, {})},
    )


def _type(one: Option, kind: Any) -> Any:
    """Return the click type that reads a value; None if click's own choice is right."""
    names = one.values or (get_args(kind) if get_origin(kind) is Literal else ())
    if names:
        return click.Choice(names)
    if one.least is not None:
        return click.IntRange(min=one.least, max=one.most)
    if one.file is not None:
        return FILE if one.file == "file" else WRITTEN[one.file]
    return float if float in (kind, *get_args(kind)) else None


def parsing(parse: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a callback for click that calls *parse* on a given value."""

    def parsed(_: click.Context, __: click.Parameter, value: Any) -> Any:
        try:
            return None if value is None else parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error

    return parsed


#: The option that selects a pair.
id_option: Adding = option(
    "--id",
    "identifier",
    group=INPUT,
    help="The pair's identifier or number; needed if there are several pairs.",
)


def require_option(what: str) -> Adding:
    """Return a decorator for an option that requires *what*, which needs a proof."""
    help = f"Exit with 3 unless {what}."
    return option("--require-optimal", is_flag=True, group=PROOF, help=help)


#: The option that asks what to cite; `GroupedCommand` answers.
cite_option: Adding = option(
    "--cite",
    is_flag=True,
    expose_value=False,
    changes=False,
    group=COUNTING,
    help="Print what to cite, as BibTeX: the program, and the papers of the metrics and profiles "
    "that are named. Without --metric, these are the metrics that suit the first file. "
    "Nothing is scored.",
)

#: ``--exact`` of commands without ``--heuristic``, so that they take the words of ``score``.
exact_option: Adding = option(
    "--exact",
    is_flag=True,
    expose_value=False,
    changes=False,
    group=PROOF,
    help="Prove every score. This is always so, except for metrics whose names ask for a search; "
    "exactmatch score has --heuristic.",
)

#: The options that require proofs.
proof_options: Adding = adding(
    require_option("all pairs are proven"),
    option(
        "--require-certified",
        is_flag=True,
        group=PROOF,
        help="Exit with 3 unless all pairs are proven and each proof is checked.",
    ),
)

#: The format of the result of a single computation; studies have formats of their own.
format_option: Adding = option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    group=OUTPUT,
    help="The format of the result.",
)


def report_format_option(help: str) -> Adding:
    """Return a decorator for the option that selects the format of a report."""
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
    """Return a decorator for an option that names a file to write; the rest is as for `option`."""
    return option(*words, type=WRITTEN["file"], metavar="FILE", group=OUTPUT, help=help, **settings)


output_option: Adding = file_option(
    "--output",
    "-o",
    changes=False,
    help="Write the result to FILE instead of standard output.",
)


def answer_options(command: Command) -> Command:
    """Add `format_option` and `output_option`; *command* gets an `Answering`, *answer*."""

    @wraps(command)
    def called(output_format: str, output: Path | None, **others: Any) -> Any:
        return command(answer=Answering(output_format, output), **others)

    return adding(format_option, output_option)(called)


#: Whether people see the whole signature.
long_signature_option: Adding = option(
    "--long-signature",
    is_flag=True,
    group=OUTPUT,
    changes=False,
    help="Print all choices in the signature, not only those that differ from the profile. JSON, "
    "files, CSV, Markdown, LaTeX and HTML always have all choices.",
)


def worst_options(help: str) -> Adding:
    """Return a decorator for the options that select the worst pairs and the measure of badness."""
    return adding(
        option("--worst", type=click.IntRange(min=1), metavar="N", group=OUTPUT, help=help),
        option(
            "--sort",
            type=click.Choice([*BADNESS]),
            group=OUTPUT,
            help="The measure of badness: most triples without partner (difference), the lowest "
            "score, most triples between what is found and proven (gap) or in all (size), "
            "or most seconds. Of equal pairs, the first comes first.  [default: "
            f"{USUAL_BADNESS}]",
        ),
    )


#: The option that selects one of many pairs.
show_id_option: Adding = option(
    "--id", "identifier", group=INPUT, help="Show only this pair: its identifier or its number."
)
