"""What the commands that print reports share: options, and how they answer."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from exactmatch.cli.answers import give, give_rows, require, say_note, say_pair_note
from exactmatch.cli.click_options import (
    Adding,
    Command,
    adding,
    option,
    options,
    output_option,
    part,
    proof_options,
)
from exactmatch.cli.progress_bar import progress
from exactmatch.graphs.paths import shown_path
from exactmatch.runtime.output import check_outputs
from exactmatch.scoring.declaration import OUTPUT
from exactmatch.scoring.options import Format, StudyFiles, StudyOptions

if TYPE_CHECKING:
    from exactmatch.studies.common.plan import StudyResult

#: Options that change how a report is printed, and nothing of what it says.
_LAYOUT = ("output_format", "table")

#: The options that all studies have.
_options: Adding = adding(
    options(StudyOptions),
    option(
        "--format",
        "output_format",
        type=click.Choice(get_args(Format)),
        default="text",
        show_default=True,
        group=OUTPUT,
        help="How the report is printed; csv has one table, the first one without --table.",
    ),
    option("--table", metavar="NAME", group=OUTPUT, help="Print this table alone."),
    output_option,
    option(
        "--plots",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        group=OUTPUT,
        changes=False,
        help="Write the plots to DIR, as PNG, SVG and PDF.",
    ),
)

#: The options of studies that solve every pair once.
proof_study_options: Adding = adding(
    proof_options,
    part(StudyFiles, "certificates"),
)

#: The option of studies whose reports have something to say of single pairs.
pages_option: Adding = part(StudyFiles, "pages")


@dataclass(frozen=True, kw_only=True)
class ReportOutput:
    """How a study is answered."""

    output_format: Any
    table: str | None
    output: Path | None
    plots: Path | None
    command: str

    def give(
        self,
        result: "StudyResult[object]",
        *,
        require_optimal: bool = False,
        require_certified: bool = False,
    ) -> None:
        """Print or write all that is asked for, and end with the exit status of the result."""
        folder = Path() if self.output is None else self.output.parent
        result = result.made_by(self.command)
        text = result.report(self.output_format, table=self.table, folder=folder)
        for note in result.notes:
            say_pair_note(note)
        if self.plots is not None:
            result.write_plots(self.plots)
            for reason in result.document.not_drawn:
                say_note(reason)
        write = give_rows if self.output_format == "csv" else give
        write(text, self.output)
        require([result], optimal=require_optimal, certified=require_certified)
        if result.lacking or result.shortened:
            raise SystemExit(1)


def study_command(command: Command) -> Command:
    """Add the options of studies to *command*.

    It gets *answer*, a `ReportOutput`, and *shared*, the options that studies share.
    """

    @wraps(command)
    def called(
        output_format: str,
        table: str | None,
        output: Path | None,
        plots: Path | None,
        shared: StudyOptions,
        **given: Any,
    ) -> Any:
        context = click.get_current_context()
        arguments = (one.name for one in context.command.params if isinstance(one, click.Argument))
        paths = [
            given[name or ""] for name in (*arguments, *{"gold", "consensus", "human"} & set(given))
        ]
        check_outputs([str(path) for path in _flat(paths)], output)
        shared = shared.but(progress=progress, command=_command(context, but=_LAYOUT))
        answer = ReportOutput(
            output_format=output_format,
            table=table,
            output=output,
            plots=plots,
            command=_command(context),
        )
        return command(shared=shared, answer=answer, **given)

    return _options(called)


def _flat(paths: list[Any]) -> list[Any]:
    """Return single paths, from such, tuples of them, and None."""
    found: list[Any] = []
    for path in paths:
        found += path if isinstance(path, tuple) else [path]
    return [path for path in found if path is not None]


def _command(context: click.Context, but: Sequence[str] = ()) -> str:
    """Return the command line that gives this result, without options that leave it as it is.

    Nor has it the options that are named in *but*.
    """
    words = ["exactmatch", context.info_name or ""]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        given = context.get_parameter_source(parameter.name or "") == ParameterSource.COMMANDLINE
        if not given or not getattr(parameter, "changes", True) or parameter.name in but:
            continue
        values = value if isinstance(value, tuple) and parameter.nargs < 2 else (value,)
        for one in values:
            if isinstance(parameter, click.Option):
                words.append(max(parameter.opts, key=len))
            if one is not True:
                values_of_one = one if isinstance(one, tuple) else (one,)
                words += (shown_path(str(word)) for word in values_of_one)
    return shlex.join(words)
