"""What the commands that print reports share: options, provenance and output."""

import platform
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from functools import wraps
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from exactmatch._version import __version__
from exactmatch.cli.counting import Counting, counting_options
from exactmatch.cli.options import (
    Command,
    check_outputs,
    memory_option,
    timeout_option,
    workers_option,
)
from exactmatch.cli.progress import BYTES, progress
from exactmatch.errors import InputError, NotProvenError, UsageError
from exactmatch.memory import default_limit
from exactmatch.output import make_folder, write_text, writing

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric
    from exactmatch.report.document import Provenance, Report
    from exactmatch.settings import Settings
    from exactmatch.studies.columns import ScoredPairs
    from exactmatch.studies.sources import FilePair, Study

_FORMATS = ("text", "json", "csv", "markdown", "latex", "html")
#: Parameters that leave the result as it is, and so are no part of the command that made it.
_WITHOUT_EFFECT = frozenset({"workers", "output", "plots"})


def _adding(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


#: The options that all studies have: what is compared, how long that may take, how it is printed.
_study_options = _adding(
    timeout_option,
    memory_option,
    click.option(
        "--require-optimal", is_flag=True, help="Exit with 3 unless all pairs are proven."
    ),
    click.option(
        "--require-certified",
        is_flag=True,
        help="Exit with 3 unless all pairs are proven by a proof that was checked.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, 2**31 - 1),
        default=0,
        show_default=True,
        help="Seed of every random choice.",
    ),
    workers_option,
    click.option(
        "--pair-by",
        type=click.Choice(["id", "position"]),
        help="Which graphs are of the same item.  [default: position if all files have the same "
        "identifiers in the same order, else id]",
    ),
    click.option(
        "--missing",
        type=click.Choice(["pairwise", "common", "empty"]),
        default="pairwise",
        show_default=True,
        help="An item that a file lacks is left out where that file is compared, or left out "
        "everywhere, or compared as an empty graph.",
    ),
    click.option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help="A graph that cannot be read: stop, or take it as missing.",
    ),
    click.option(
        "--format",
        "output_format",
        type=click.Choice(_FORMATS),
        default="text",
        show_default=True,
        help="How the report is printed; csv has one table, the first one without --table.",
    ),
    click.option("--table", metavar="NAME", help="Print this table alone."),
    click.option(
        "--rows",
        "shown",
        type=click.IntRange(min=0),
        default=15,
        show_default=True,
        help="Rows of the tables that show the worst or most frequent.",
    ),
    click.option(
        "--output",
        "-o",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Write the report to FILE instead of standard output.",
    ),
    click.option(
        "--plots",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Write the plots to DIR, as PNG and as SVG.",
    ),
    click.option(
        "--certificates",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Write the proofs to DIR for exactmatch verify, one file for each two files.",
    ),
    counting_options,
)

#: The options of confidence intervals and tests.
resampling_options = _adding(
    click.option(
        "--resamples",
        type=click.IntRange(min=10),
        default=9999,
        show_default=True,
        help="Of confidence intervals and significance tests.",
    ),
    click.option(
        "--confidence",
        type=float,
        default=0.95,
        show_default=True,
        help="Level of confidence intervals and significance.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class StudyRequest:
    """What the options of a study ask for, and how it is carried out and answered."""

    counting: Counting
    timeout: float | None
    memory: int | None
    seed: int
    workers: int
    pair_by: Any
    missing: Any
    on_error: str
    require_optimal: bool
    require_certified: bool
    output_format: str
    table: str | None
    shown: int
    output: Path | None
    plots: Path | None
    certificates: Path | None

    def read(self, paths: Sequence[str]) -> "Study":
        """Read the files, and find the graphs of the same item."""
        from exactmatch.studies.sources import pair_items, read_sources, total_size

        check_outputs(paths, self.output)
        with progress("reading", total_size(paths), BYTES) as advance:
            sources = read_sources(paths, advance)
        return pair_items(
            sources,
            pair_by=self.pair_by,
            missing=self.missing,
            skip_unreadable=self.on_error == "skip",
        )

    @contextmanager
    def keeping(self, pairs: "Sequence[FilePair]") -> "Iterator[Callable[[FilePair, str], object]]":
        """Yield what takes the certificates of *pairs* of files, if they are asked for."""
        from exactmatch.pairing import distinct

        if self.certificates is None:
            yield lambda *_: None
            return
        make_folder(self.certificates)
        names = distinct("--".join(pair).replace("/", "_") for pair in pairs)
        with ExitStack() as stack:
            files = {
                pair: stack.enter_context(writing(self.certificates / f"{name}.jsonl"))
                for pair, name in zip(pairs, names, strict=True)
            }
            yield lambda pair, certificate: files[pair].write(f"{certificate}\n")

    def settings(self) -> "Settings":
        """Return how pairs are scored."""
        from exactmatch.settings import Settings

        return Settings(
            timeout=self.timeout,
            memory=self.pair_memory,
            seed=self.seed,
            certificates=self.certificates is not None,
        )

    @property
    def pair_memory(self) -> int:
        """The bytes that a pair may take."""
        return default_limit(self.workers) if self.memory is None else self.memory

    def provenance(
        self, study: "Study", metric: "Metric", *others: tuple[str, str]
    ) -> "Provenance":
        """Return where a report on *study*, and on *others* (path and digest), comes from."""
        from exactmatch.report.document import Provenance

        packages = [f"{name} {version(name)}" for name in ("numpy", "scipy")]
        versions = [f"exactmatch {__version__}", f"Python {platform.python_version()}", *packages]
        return Provenance(
            command=_command(click.get_current_context()),
            inputs=[*((source.path, source.digest) for source in study.sources), *others],
            signature=self.settings().signature(metric),
            long_signature=self.settings().long_signature(metric),
            versions=", ".join(versions),
        )

    def answer(self, report: "Report", study: "Study", scores: "Sequence[ScoredPairs]") -> None:
        """Print or write all that is asked for, and end with the exit status of the result.

        *study* is what is known of it now, and *scores* are those of each two files compared.
        """
        from exactmatch.report.formats import FORMATS
        from exactmatch.report.plots import write_plots

        if self.table is not None:
            report = _with_one_table(report, self.table)
        text = FORMATS[self.output_format](report)
        for note in (*study.unread, *study.remarks):
            click.echo(f"note: {note}", err=True)
        lacking = {name: items for name, items in study.lacking.items() if items}
        for name, items in lacking.items():
            click.echo(f"note: {name} lacks {len(items)} items, first {items[0]}", err=True)
        try:
            if self.plots is not None:
                write_plots(report.plots, self.plots)
            if self.output is not None:
                write_text(self.output, text + "\n")
        except OSError as error:
            raise InputError(f"{error.filename or self.output}: {error.strerror}") from error
        if self.output is None:
            click.echo(text)
        self._require(scores)
        if lacking:
            raise SystemExit(1)

    def _require(self, scores: "Sequence[ScoredPairs]") -> None:
        """Raise `NotProvenError` if there are not the proofs that are asked for."""
        pairs = sum(score.pairs for score in scores)
        optimal = sum(score.optimal for score in scores)
        certified = sum(score.certified for score in scores)
        if self.require_optimal and optimal < pairs:
            raise NotProvenError(f"{pairs - optimal} of {pairs} pairs not proven")
        if self.require_certified and certified < pairs:
            raise NotProvenError(
                f"{pairs - certified} of {pairs} pairs not proven by a proof that was checked"
            )


def study_command(command: Command) -> Command:
    """Add the options of studies to *command*, which gets them as one `StudyRequest`."""

    names = [f.name for f in fields(StudyRequest)]

    @wraps(command)
    def called(**given: Any) -> Any:
        request = StudyRequest(**{name: given.pop(name) for name in names})
        return command(request, **given)

    return _study_options(called)


def _with_one_table(report: "Report", key: str) -> "Report":
    known = {table.key: table for table in report.tables}
    if key not in known:
        raise UsageError(f"no table is called {key!r}; there are {', '.join(known)}")
    return replace(report, tables=[known[key]])


def _command(context: click.Context) -> str:
    """Return the command line that gives this result, without options that leave it as it is."""
    words = ["exactmatch", context.info_name or ""]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        given = context.get_parameter_source(parameter.name or "") == ParameterSource.COMMANDLINE
        if not given or parameter.name in _WITHOUT_EFFECT:
            continue
        values = value if isinstance(value, tuple) else (value,)
        for one in values:
            if isinstance(parameter, click.Option):
                words.append(max(parameter.opts, key=len))
            if one is not True:
                words.append(str(one))
    return shlex.join(words)
