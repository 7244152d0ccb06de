"""The command line: a module for each command, which parses options and calls one function."""

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from exactmatch._version import __version__
from exactmatch.cli.memory_errors import said_if_memory_runs_out
from exactmatch.cli.screen import say
from exactmatch.cli.signals import say_interrupted, show_notes
from exactmatch.errors import ExactmatchError, VerificationError, is_want_of_memory, near_names
from exactmatch.runtime.harmless import bare, harmless_streams
from exactmatch.stopping.interrupts import current, listening

#: The commands under the headings of help: the module of each and its description. A module is
#: imported when its command runs.
GROUPS = {
    "Everyday": {
        "score": ("score", "Score the graphs of SYSTEM against those of GOLD."),
        "iaa": ("iaa", "Measure the agreement of ANNOTATORS, a file of graphs each."),
        "compare": ("compare", "Rank SYSTEMS by their score against the gold standard."),
        "show": ("show", "Show pairs of SYSTEM and GOLD side by side, in a browser."),
        "web": ("web", "Make a page that scores graphs in a browser."),
        "diff": ("diff", "Show in the terminal what differs between SYSTEM and GOLD."),
        "check": ("check", "List the faults of the graphs of FILES."),
    },
    "Many graphs": {
        "adjudicate": ("adjudicate", "Decide the differences of annotators, on a page."),
        "choose": ("choose", "Choose for each item the graph nearest to the others."),
        "matrix": ("matrix", "Compare all graphs of FILE, or all with those of OTHER."),
        "nearest": ("matrix", "Find the graphs of CORPUS nearest to each of QUERIES."),
    },
    "Studies": {
        "search-error": ("search_error", "Measure how far hill climbing stays below the optimum."),
        "explain": ("explain", "Explain why two scores of SYSTEM against GOLD differ."),
        "principles": ("principles", "Test metrics against seven principles."),
        "correlate": ("correlate", "Compare metrics with each other and with human ratings."),
    },
    "Proofs": {
        "verify": ("verify", "Check the CERTIFICATES of a score of SYSTEM against GOLD."),
        "mappings": ("mappings", "List the best mappings of one pair of graphs."),
        "export": ("exchange", "Write the model of one pair for any solver."),
    },
    "Other": {
        "ngrams": ("ngrams", "List the n-grams of one pair of graphs."),
        "smatch": ("smatch", "Score AMRs as smatch 1.0.4 does, but exactly."),
        "import-solution": ("exchange", "Score the mapping that another solver has found."),
        "completion": ("completion", "Print shell code that completes commands and options."),
    },
}

#: All commands by name.
COMMANDS = {name: place for group in GROUPS.values() for name, place in group.items()}


class _Commands(click.Group):
    """A command group that reports an error as one message and exits with its status."""

    @harmless_streams()
    @said_if_memory_runs_out
    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run a command; write out control characters so that no input can steer the terminal."""
        stream = bare(sys.stdout)
        if isinstance(stream, io.TextIOWrapper):
            # Characters that the terminal's encoding lacks are shown escaped; they cause no
            # traceback.
            stream.reconfigure(errors="backslashreplace")
        try:
            with listening() as interrupt:
                try:
                    return super().main(*arguments, **options)
                except SystemExit as leaving:
                    if interrupt.heard and leaving.code:
                        leaving.code = interrupt.status
                    raise
        except OSError as error:
            if is_want_of_memory(error):
                raise
            about = "" if error.filename is None else f"{error.filename}: "
            say(f"error: {about}{error.strerror or error}")
            sys.exit(1)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the help."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command *name*, or None if there is no such command."""
        if name not in COMMANDS:
            return None
        module = import_module(f"exactmatch.cli.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name; suggest others for an unknown one."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            meant = _score_of(args) or near_names(_COMMANDS_ELSEWHERE.get(name, name), COMMANDS)
            ctx.fail(f"No such command {name!r}.{meant}")
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, which fits into the terminal."""
        from exactmatch.cli.short_help import fitted

        return fitted(super().get_help(ctx), ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands and their one-line descriptions, without importing the commands."""
        width = max(map(len, COMMANDS))  # the same width under all headings
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                records = [(f"{name:{width}}", does) for name, (_, does) in commands.items()]
                formatter.write_dl(records)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options before the command; read ``help COMMAND`` as ``COMMAND --help``."""
        words = [*args[1:], "--help"] if args[:1] == ["help"] else [*args]
        with _usage_errors(ctx):
            try:
                return super().parse_args(ctx, [*words])
            except click.NoSuchOption as error:
                meant = _with_command(words, error.option_name)
                if meant is None or ctx.resilient_parsing:
                    raise
                raise click.UsageError(
                    f"no such option {error.option_name!r} before a command. Write the command "
                    f"first: {meant}",
                    ctx,
                ) from error

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the options before the command; report an interrupt meanwhile as elsewhere."""
        try:
            return super().make_context(*arguments, **options)
        except KeyboardInterrupt as error:
            say_interrupted(error)
            sys.exit(current().status)

    def invoke(self, ctx: click.Context) -> Any:
        interrupt = current()
        try:
            with _usage_errors(ctx):
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            say_interrupted(error)
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except ExactmatchError as error:
            say(f"error: {error}")
            _show_reproduction(error)
            show_notes(error)
            ctx.exit(interrupt.status if interrupt.heard else error.exit_status)
        except Exception as error:
            # What an interrupt may turn into, for instance while an extension is loaded.
            if not interrupt.heard:
                raise
            say_interrupted(error)
        ctx.exit(interrupt.status)


def _score_of(args: list[str]) -> str:
    """Return a space and a sentence that suggests to score *args*, if the first is a file."""
    # Path.exists raises an error for a name that is too long.
    if not os.path.exists(args[0]):  # noqa: PTH110
        return ""
    import shlex

    words = args if len(args) > 1 else [*args, "GOLD"]
    return f" To score files, write: {shlex.join(['exactmatch', 'score', *words])}"


def _with_command(words: list[str], option: str) -> str | None:
    """Return the command line that *words* without a command may stand for, or None.

    It is of a command that *words* name elsewhere, or of ``score`` or ``smatch`` if these have
    *option*. Options alone, without any file, stand for nothing.
    """
    import shlex

    from exactmatch.metrics.registry import METRICS

    # The name of a metric may follow an option, but the name of a command follows none.
    named = [word for word in words if word in COMMANDS and word not in METRICS][:1]
    meant = next((name for name in named or ("score", "smatch") if _has(name, option)), None)
    if meant is None or all(word.startswith("-") for word in words):
        return None
    return shlex.join(["exactmatch", meant, *(word for word in words if word not in named)])


def _has(name: str, option: str) -> bool:
    """Tell whether the command of this name has the *option*."""
    command = main.get_command(click.Context(main), name)
    return command is not None and any(option in one.opts for one in command.params)


#: What Python, or a user, calls a command, and what it is called here.
_COMMANDS_ELSEWHERE = {
    **dict.fromkeys(("agree", "agreement", "alpha", "kappa"), "iaa"),
    **dict.fromkeys(("correlation", "correlations"), "correlate"),
    **dict.fromkeys(("evaluate", "eval"), "score"),
    **dict.fromkeys(("lint", "validate"), "check"),
    **dict.fromkeys(("rank", "ranking", "significance"), "compare"),
    **dict.fromkeys(("align", "alignment", "best-mapping"), "mappings"),
    **dict.fromkeys(("mbr", "vote"), "choose"),
}

#: What other programs call an option, and what it is called here.
_ELSEWHERE = {
    **dict.fromkeys(("cores", "cpus", "j", "jobs", "n-jobs", "njobs"), "--workers"),
    **dict.fromkeys(("num-workers", "parallel", "processes", "threads"), "--workers"),
    **dict.fromkeys(("random-seed", "random-state", "seeds"), "--seed"),
    "restarts": "--method",
    **dict.fromkeys(("max-time", "time", "time-limit"), "--timeout"),
    **dict.fromkeys(("bootstrap", "n-resamples", "samples"), "--resamples"),
    **dict.fromkeys(("csv", "html", "json", "latex", "markdown"), "--format"),
    **dict.fromkeys(("alpha", "kappa", "krippendorff"), "--chance"),
    **dict.fromkeys(("limit", "top", "worst"), "--rows"),
    **dict.fromkeys(("adjudicated", "gold"), "--consensus"),
    **dict.fromkeys(("min", "min-f1", "threshold"), "--fail-under"),
}


def _with_near_options(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the same error that names the option that is meant, or near options alone.

    For click, dashes are letters, too.
    """
    from difflib import get_close_matches

    name, context = error.option_name.lstrip("-"), error.ctx
    meant = _ELSEWHERE.get(name)
    if context is not None and any(meant in one.opts for one in context.command.params):
        message = f"{error.message.rstrip('.')}. Did you mean {meant!r}?"
        return click.NoSuchOption(error.option_name, message, ctx=context)
    names = {option.lstrip("-"): option for option in error.possibilities or ()}
    near = [names[one] for one in get_close_matches(name, [*names])]
    return click.NoSuchOption(error.option_name, possibilities=near, ctx=context)


def _near_values(error: click.UsageError) -> str:
    """Return the end of a message about a wrong value: the values of the option that are near."""
    if not isinstance(error, click.BadParameter) or error.param is None:
        return ""
    values, wrong = error.param.type, re.match("'(.*)' is not one of ", error.message, re.DOTALL)
    if not isinstance(values, click.Choice) or wrong is None:
        return ""
    near = near_names(wrong[1], map(str, values.choices))
    return f".{near}" if near else ""


@contextmanager
def _usage_errors(ctx: click.Context) -> Iterator[None]:
    """Report the usage errors that click finds in the form of all other errors."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        if isinstance(error, click.NoSuchOption):
            error = _with_near_options(error)
        message = " ".join(error.format_message().split()).rstrip(".")
        say(f"error: {message[:1].lower()}{message[1:]}{_near_values(error)}")
        is_group = (
            isinstance((error.ctx or ctx).command, click.Group) and not ctx.invoked_subcommand
        )
        say(
            f"note: {_path_of(error, ctx)} --help lists the {'commands' if is_group else 'options'}"
        )
        ctx.exit(error.exit_code)


def _path_of(error: click.UsageError, ctx: click.Context) -> str:
    """Return the words of the command that an error is about.

    An error about an option without a value names no context, but the command is known by then.
    """
    if error.ctx is not None:
        return error.ctx.command_path
    return " ".join([ctx.command_path, *filter(None, [ctx.invoked_subcommand])])


def _show_reproduction(error: ExactmatchError) -> None:
    """Print what a developer needs to reproduce a defect."""
    if isinstance(error, VerificationError) and error.reproduction is not None:
        from exactmatch.cli.cite import project_address

        where = project_address("Issues")
        place = f" at {where}" if where else ""
        click.echo(f"please report this{place}, with the next line, which reproduces it:", err=True)
        click.echo(error.reproduction, err=True)


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from exactmatch.problem.integers import COMPILED

        kernel = "compiled" if COMPILED else "interpreted"
        click.echo(f"exactmatch, version {__version__} ({kernel} kernel)")
        ctx.exit()


def _show_citation(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from exactmatch.cli.cite import program

        click.echo(program())
        ctx.exit()


@click.group(
    cls=_Commands,
    # Click would drop escape sequences if the output is no terminal. Here they are written out.
    context_settings={"help_option_names": ["-h", "--help"], "color": True},
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and whether the kernel is compiled, and exit.",
)
@click.option(
    "--cite",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_citation,
    help="Print the BibTeX entry of the program and exit; score --cite adds those of metrics.",
)
def main() -> None:
    """Score semantic graphs exactly, with proof that no mapping of variables does better.

    `exactmatch completion SHELL` prints the shell code that completes commands and options.

    Until a file NAME is complete, it is called NAME.*.partial. Files with such names that a killed
    run has left may be deleted.

    \b
    Exit status: 0 done; 1 bad input, or some pairs were skipped or emptied;
    2 wrong usage; 3 not everything is proven though it was required;
    4 two computations disagree, or a certificate is refuted;
    5 a worker process has died, or memory ran out; 6 below --fail-under;
    129 terminal closed; 130 interrupted; 143 terminated.
    """
