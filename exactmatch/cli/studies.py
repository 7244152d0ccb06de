"""The options and the output that the commands of studies share."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from exactmatch.cli.answers import give, give_rows, require, say_note, say_pair_note, signer
from exactmatch.cli.click_options import (
    WRITTEN,
    Adding,
    Command,
    adding,
    exact_option,
    long_signature_option,
    option,
    options,
    output_option,
    part,
    proof_options,
    report_format_option,
)
from exactmatch.cli.command_line import command_line
from exactmatch.cli.progress_bar import progress
from exactmatch.errors import UsageError
from exactmatch.graphs.readers.tool_scores import TOOLS
from exactmatch.runtime.output import CERTIFICATES, check_apart, check_outputs
from exactmatch.scoring.declaration import COUNTING, INPUT, OUTPUT
from exactmatch.scoring.options import ROWS_ALONE, StudyFiles, StudyOptions

if TYPE_CHECKING:
    from exactmatch.report.text_layout import TextLayout
    from exactmatch.studies.common.plan import StudyResult

#: Options that change the format of a report, and nothing of its content.
_LAYOUT = ("output_format", "table")

#: The options that all studies have.
_options: Adding = adding(
    exact_option,
    options(StudyOptions),
    report_format_option(
        "The format of the report; csv has one table, the first one without --table."
    ),
    option("--table", metavar="NAME", group=OUTPUT, help="Print only this table."),
    output_option,
    long_signature_option,
    option(
        "--plots",
        type=WRITTEN["folder"],
        metavar="DIR",
        group=OUTPUT,
        changes=False,
        help="Write the plots to DIR, as PNG, SVG and PDF.",
    ),
)

#: The gold standard, for commands that need not name it.
gold_option: Adding = option(
    "--gold",
    type=click.Path(),
    metavar="FILE",
    group=INPUT,
    help="Gold standard.  [default: the last file]",
)


def with_gold(files: tuple[str, ...], gold: str | None) -> tuple[tuple[str, ...], str]:
    """Return the files of the systems, and the gold standard: the last file if none is named.

    Raises `UsageError` if there is no system.
    """
    *systems, last = (*files, *([] if gold is None else [gold]))
    if not systems:
        raise UsageError("name a system and a gold standard")
    return tuple(systems), last


def listed_names(text: str) -> Sequence[str]:
    """Return the metrics of a list with commas; a comma before a number belongs to a name."""
    words = re.split(r",(?!\s*[\d.])", text)
    return [word.strip() for word in words if word.strip()]


def named_metrics_option(help: str) -> Adding:
    """Return a decorator for the option that names metrics as studies do."""
    return option(
        "--metric",
        "metrics",
        multiple=True,
        split=listed_names,
        metavar="NAME[:PART]...",
        is_eager=True,  # --profile depends on it
        group=COUNTING,
        help=help,
    )


#: The option for several metrics to compare.
judges_option: Adding = named_metrics_option(
    "A metric, optionally with a heuristic, a profile or choices (smatch:s+4r, smatch:top=none); "
    "list several with commas.  [default: all that suit the files, and hill climbing]",
)


def sample_option(what: str) -> Adding:
    """Return a decorator for the option that takes a sample of *what*."""
    return option(
        "--sample",
        type=click.IntRange(min=1),
        metavar="N",
        group=INPUT,
        help=f"Take N {what} drawn at random instead of all.",
    )


def tool_options(help: str) -> Adding:
    """Return a decorator for the options on another tool's scores; *help* describes their use."""
    return adding(
        option(
            "--scores",
            type=click.Path(allow_dash=True),
            metavar="FILE",
            group=INPUT,
            help=help,
        ),
        option(
            "--from",
            "tool",
            type=click.Choice(TOOLS),
            group=INPUT,
            help="The tool that wrote --scores; other for any tool not named here.",
        ),
    )


#: The options of studies that solve every pair once.
proof_study_options: Adding = adding(
    proof_options,
    part(StudyFiles, "certificates"),
)

#: The option of studies whose reports refer to single pairs.
pages_option: Adding = part(StudyFiles, "pages")


@dataclass(frozen=True, kw_only=True)
class ReportOutput:
    """How a command prints a study; *next_step* is a sentence, or empty."""

    output_format: Any
    table: str | None
    output: Path | None
    plots: Path | None
    command: str
    long_signature: bool
    next_step: str = ""

    def beside(self, doing: str, *command: str) -> Self:
        """Return the same that names, as the next step, the *command* *doing* something."""
        return replace(self, next_step=f"`{shlex.join(['exactmatch', *command])}` {doing}. ")

    def give(
        self,
        result: "StudyResult[object]",
        *,
        require_optimal: bool = False,
        require_certified: bool = False,
    ) -> None:
        """Print or write the requested output, and exit with the status of the result."""
        folder = Path() if self.output is None else self.output.parent
        result = result.made_by(self.command)
        if self.output_format == "text":
            result = result.signed(signer(self.output, is_long=self.long_signature))
        text: str | TextLayout
        if self.output_format == "text":
            text = result.followed_by(self._next_steps(result.tables)).layout(table=self.table)
        else:
            text = result.report(self.output_format, table=self.table, folder=folder)
        for note in result.notes:
            say_pair_note(note)
        if self.plots is not None:
            result.write_plots(self.plots)
            for reason in result.document.not_drawn:
                say_note(reason)
        if self.output_format in ROWS_ALONE:
            give_rows(str(text), self.output)
        else:
            give(text, self.output)
        require([result], optimal=require_optimal, certified=require_certified)
        if result.lacking or result.shortened:
            raise SystemExit(1)

    def _next_steps(self, tables: Sequence[str]) -> str:
        """Return what to do after a look at the whole report; nothing after one at a table."""
        if self.table is not None:
            return ""
        return (
            f"Next: {self.next_step}`--format html -o report.html` writes a page with plots and "
            f"all columns. `--table NAME` prints one table: {', '.join(tables)}."
        )


def study_command(command: Command) -> Command:
    """Add the options of studies to *command*.

    *command* gets *answer*, a `ReportOutput`, and *shared*, the options that studies share.
    """

    @wraps(command)
    def called(
        output_format: str,
        table: str | None,
        output: Path | None,
        plots: Path | None,
        long_signature: bool,
        shared: StudyOptions,
        **given: Any,
    ) -> Any:
        context = click.get_current_context()
        certificates = context.params.get("certificates")
        if certificates is not None:
            for other in (output, plots):
                check_outputs([], certificates, other)
            check_apart(certificates, output, plots, holds=CERTIFICATES)
        shared = shared.but(progress=progress, command=command_line(context, but=_LAYOUT))
        answer = ReportOutput(
            output_format=output_format,
            table=table,
            output=output,
            plots=plots,
            command=command_line(context),
            long_signature=long_signature,
        )
        return command(shared=shared, answer=answer, **given)

    return _options(called)
