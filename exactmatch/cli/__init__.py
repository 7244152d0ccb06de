"""The command line: each command parses options, calls one function, hands on to a report."""

import io
import sys
from typing import Any

import click

from exactmatch._version import __version__
from exactmatch.cli.compare import compare
from exactmatch.cli.exchange import export, import_solution
from exactmatch.cli.iaa import iaa
from exactmatch.cli.principles import principles
from exactmatch.cli.score import score
from exactmatch.cli.search_error import search_error
from exactmatch.cli.signals import Interrupt, listening, show_notes
from exactmatch.cli.verify import verify
from exactmatch.errors import ExactmatchError, VerificationError


class _Commands(click.Group):
    """A group whose commands end in one message and the exit status of the error."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        if sys.stdout is None:
            click.echo("error: standard output is closed", err=True)
            sys.exit(1)
        if isinstance(sys.stdout, io.TextIOWrapper):
            # What a terminal's encoding lacks is shown escaped, not answered with a traceback.
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            with listening() as interrupt:
                return super().main(*arguments, obj=interrupt, **options)
        except OSError as error:
            click.echo(f"error: {error.filename or 'standard output'}: {error.strerror}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        interrupt = ctx.ensure_object(Interrupt)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            _say_interrupted(interrupt, error)
        except ExactmatchError as error:
            click.echo(f"error: {error}", err=True)
            _show_reproduction(error)
            show_notes(error)
            ctx.exit(interrupt.status if interrupt.heard else error.exit_status)
        except ImportError as error:
            # What becomes of an interrupt while an extension is loaded.
            if not interrupt.heard:
                raise
            _say_interrupted(interrupt, error)
        ctx.exit(interrupt.status)


def _show_reproduction(error: ExactmatchError) -> None:
    """Show what somebody who mends a defect needs to see it again."""
    if isinstance(error, VerificationError) and error.reproduction is not None:
        click.echo("please report this with the next line, which reproduces it:", err=True)
        click.echo(error.reproduction, err=True)


def _say_interrupted(interrupt: Interrupt, error: BaseException) -> None:
    doing = f" while {error}" if isinstance(error, KeyboardInterrupt) and error.args else ""
    click.echo(f"{interrupt.name}{doing}; there is no result", err=True)
    show_notes(error)


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from exactmatch.dual.integers import COMPILED

        kernel = "compiled" if COMPILED else "interpreted"
        click.echo(f"exactmatch, version {__version__} ({kernel} kernel)")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and if the kernel is compiled, and exit.",
)
def main() -> None:
    """Score semantic graphs exactly, with proof that no mapping of variables does better.

    \b
    Exit status: 0 done; 1 bad input, or some pairs were skipped or emptied;
    2 wrong usage; 3 not everything is proven though it was required;
    4 two computations disagree, or a certificate is refuted;
    5 a worker process has died; 130 interrupted; 143 terminated.
    """


for command in (score, iaa, compare, search_error, principles, verify, export, import_solution):
    main.add_command(command)
