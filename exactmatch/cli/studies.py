"""The options and the output that the commands of studies share."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from exactmatch.cli.answers import (
    print_answer,
    print_rows,
    require,
    say_note,
    say_pair_note,
    signer,
)
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
from exactmatch.cli.command_line import command_line, words_given
from exactmatch.cli.named_files import ListedSystems, SystemsFile, SystemWord
from exactmatch.cli.progress_bar import progress
from exactmatch.errors import UsageError
from exactmatch.graphs.readers.tool_scores import TOOLS
from exactmatch.metrics.registry import ALIGNMENT_BASED
from exactmatch.runtime.output import CERTIFICATES, check_apart, check_outputs
from exactmatch.scoring.declaration import COUNTING, INPUT, OUTPUT
from exactmatch.scoring.options import ROWS_ALONE, StudyFiles, StudyOptions

if TYPE_CHECKING:
    from exactmatch.graphs.items import Study
    from exactmatch.report.text_layout import TextLayout
    from exactmatch.studies.common.plan import StudyResult

#: Options that change the format of a report, and nothing of its content.
_LAYOUT = ("output_format", "table")
#: Options that the command's answer takes.
_OF_ANSWER = (
    *("output_format", "table", "output", "plots", "long_signature"),
    *("require_optimal", "require_certified"),
)

#: The options that all studies have, before and behind the one that names a table.
_before_table: Adding = adding(
    exact_option,
    options(StudyOptions),
    report_format_option(
        "The format of the report; csv has one table, the first one without --table."
    ),
)
_behind_table: Adding = adding(
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


def systems_argument(metavar: str = "FILES...") -> Adding:
    """Return a decorator for the files of systems, and of the gold standard if no option names it.

    All may be named by options, so what is missing is told by `with_systems` and `with_runs`.
    """
    return click.argument("files", metavar=metavar, nargs=-1, type=SystemWord())


systems_option: Adding = option(
    "--systems",
    "list_file",
    type=SystemsFile(),
    metavar="FILE",
    group=INPUT,
    help="Compare the systems that a file in TOML lists: under [systems], NAME = FILE or a list "
    "of files, with * and ? as well.",
)


def with_systems(
    words: tuple[str, ...], gold: str | None, listed: ListedSystems | None
) -> tuple[Sequence[str] | Mapping[str, Sequence[str]], str]:
    """Return the systems, by name if any has one, and the gold standard as `with_gold` does.

    *listed* are those of a file. Raises `UsageError` if there is no system or no gold standard, and
    as `systems_of_words` does.
    """
    _check_named(words, listed)
    if listed is None:
        words, gold = with_gold(words, gold)
    elif gold is None:
        if not words:
            raise UsageError("--systems names no gold standard: name it last, or with --gold")
        *named, gold = words
        words = tuple(named)
    return with_runs(words, listed), gold


def with_runs(
    words: tuple[str, ...], listed: ListedSystems | None
) -> Sequence[str] | Mapping[str, Sequence[str]]:
    """Return the systems of *words* and of a file, by name if any has one."""
    from exactmatch.graphs.run_files import systems_of_words

    _check_named(words, listed)
    given = systems_of_words(words, None if listed is None else listed.systems)
    return words if given is None else given


def _check_named(words: tuple[str, ...], listed: ListedSystems | None) -> None:
    """Raise click's error for missing arguments if no file is named."""
    if listed is None and not words:
        context = click.get_current_context()
        files = next(one for one in context.command.params if one.name == "files")
        raise click.MissingParameter(ctx=context, param=files)


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
    """How a command prints a study; *next_step* is a sentence, or empty.

    require_optimal, require_certified: what has to be proven for exit status 0.
    """

    output_format: Any
    table: str | None
    output: Path | None
    plots: Path | None
    command: str
    long_signature: bool
    require_optimal: bool = False
    require_certified: bool = False
    next_step: str = ""

    def diff_next(self, doing: str, study: "Study", *words: str) -> Self:
        """Return the same that names ``diff`` with *words*, *doing* something, as the next step.

        The graphs are paired and counted as in *study*, as far as ``diff`` can.
        """
        command = ["exactmatch", "diff", *words, *options_for_diff(study)]
        return replace(self, next_step=f"`{shlex.join(command)}` {doing}. ")

    def print(self, result: "StudyResult[object]") -> None:
        """Print or write the requested output, and exit with the status of the result."""
        folder = Path() if self.output is None else self.output.parent
        result = result.made_by(self.command)
        if self.output_format == "text":
            result = result.signed(signer(self.output, is_long=self.long_signature))
        text: str | TextLayout
        with self._drawing():
            if self.output_format == "text":
                text = result.followed_by(self._next_steps(result.tables)).layout(table=self.table)
            else:
                text = result.report(self.output_format, table=self.table, folder=folder)
        for note in result.notes:
            say_pair_note(note)
        if self.plots is not None:
            with self._drawing():
                result.write_plots(self.plots)
            for reason in result.document.not_drawn:
                say_note(reason)
        if self.output_format in ROWS_ALONE:
            print_rows(str(text), self.output)
        else:
            print_answer(text, self.output)
        require([result], optimal=self.require_optimal, certified=self.require_certified)
        if result.lacking or result.shortened:
            raise SystemExit(1)

    def _drawing(self) -> AbstractContextManager[object]:
        """Say that plots are drawn, which takes seconds, if any are."""
        is_drawn = self.plots is not None or self.output_format == "html"
        return progress("drawing plots", None) if is_drawn else nullcontext()

    def _next_steps(self, tables: Sequence[str]) -> str:
        """Return what to do after a look at the whole report; nothing after one at a table."""
        if self.table is not None:
            return ""
        return (
            f"Next: {self.next_step}`--format html -o report.html` writes a page with plots and "
            f"all columns. `--table NAME` prints one table: {', '.join(tables)}."
        )


def options_for_diff(study: "Study") -> list[str]:
    """Return the options of this call that ``diff`` needs to pair and count graphs as *study* does.

    ``diff`` pairs by position unless it is told otherwise. It gets no options of counting from a
    study by several metrics, or by one that maps no variables.
    """
    from exactmatch.cli.diff import diff

    context = click.get_current_context()
    groups = {INPUT, COUNTING}
    metrics = context.params.get("metrics") or ()
    if len(metrics) > 1 or not {*metrics} <= {*ALIGNMENT_BASED}:
        groups = {INPUT}
    taken = {one.name for one in diff.params if getattr(one, "group", None) in groups}
    given = [one for one in context.command.params if one.name in taken]
    words = [word for one in given for word in words_given(context, one)]
    if study.paired_by == "id" and "--pair-by" not in words:
        words += ["--pair-by", "id"]
    return words


def _table_option(tables: Sequence[str]) -> Adding:
    """Return a decorator for the option that prints one of *tables* alone."""
    return option(
        "--table",
        type=click.Choice(tables),
        metavar="NAME",
        group=OUTPUT,
        help=f"Print only this table, if the report has it: {', '.join(tables)}.",
    )


def study_command(*tables: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the options of studies to a command.

    *tables* are the names of all tables that the report may have, so that a wrong name is told
    before anything is read. The command gets *answer*, a `ReportOutput`, and *shared*, the options
    that studies share. It hands the options that it does not name on to the function of the study,
    as they are.
    """
    added = adding(_before_table, _table_option(tables), _behind_table)
    return lambda command: added(_study(command))


def _study(command: Command) -> Command:
    """Return *command* as a function that gets the answer, and the options that studies share."""

    @wraps(command)
    def called(shared: StudyOptions, **given: Any) -> Any:
        context = click.get_current_context()
        certificates = context.params.get("certificates")
        of_answer = {name: given.pop(name) for name in _OF_ANSWER if name in given}
        answer = ReportOutput(command=command_line(context), **of_answer)
        if certificates is not None:
            for other in (answer.output, answer.plots):
                check_outputs([], certificates, other)
            check_apart(certificates, answer.output, answer.plots, holds=CERTIFICATES)
        with progress("starting", None):
            # Most of what studies need to start, which takes longer than a user waits in silence.
            import_module("exactmatch.studies.common.plan")
        given["shared"] = shared.but(progress=progress, command=command_line(context, but=_LAYOUT))
        return command(answer=answer, **given)

    return called
