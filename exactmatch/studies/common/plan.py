"""Read the files of a study, and return its result."""

import inspect
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, get_args

from exactmatch._version import __version__
from exactmatch.errors import UsageError, shown_value
from exactmatch.graphs.graph import IllFormedPolicy
from exactmatch.graphs.items import (
    FilePair,
    Study,
    pair_items,
    read_sources,
    renamed,
    total_size,
)
from exactmatch.graphs.pairing import Missing, PairBy
from exactmatch.graphs.paths import address_from, shown_path
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.report.document import Provenance, Report, Table
from exactmatch.report.formats import FORMATS, as_text
from exactmatch.report.html import table_html
from exactmatch.report.idle_plots import without_idle_plots
from exactmatch.report.plots import write_plots
from exactmatch.report.text_layout import TextLayout
from exactmatch.report.wording import counted
from exactmatch.runtime.output import CERTIFICATES, check_apart, check_outputs
from exactmatch.runtime.progress import BYTES
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.asked_workers import resolve_workers
from exactmatch.scoring.choices import StrPath, chosen_metric
from exactmatch.scoring.declaration import Options
from exactmatch.scoring.frames import data_frame
from exactmatch.scoring.options import Format, StudyFiles, StudyOnError, StudyOptions
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import check_known, path_text
from exactmatch.scoring.stream import ScoringTask
from exactmatch.studies.common.item_groups import AskedGroups
from exactmatch.studies.common.manifest import Certifying, GroupsFile, StudyChoices
from exactmatch.studies.common.notes import solver_notes
from exactmatch.studies.common.pages import write_study_pages
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs
from exactmatch.studies.common.sealing import (
    Certificates,
    Certified,
    Key,
    seal,
    with_proofs,
    writing_certificates,
)
from exactmatch.studies.common.statistics import Resampling
from exactmatch.studies.common.sweep import Keep, SweepSettings

if TYPE_CHECKING:
    import pandas


#: The arguments of public functions that a plan has under the same names.
_GIVEN = ("metric", "profile", "choices", "files", "shared")

_Found = TypeVar("_Found")
_Found_co = TypeVar("_Found_co", covariant=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyResult(Generic[_Found_co]):
    """The result of a study.

    found: the numbers.
    document: the report: tables, plots, and the provenance.
    notes: problems found in files, and then in graphs, one message each.
    lacking: for each file with missing or unreadable items, the names of these.
    shortened: the number of pairs of UMR documents in which sentences were left out.
    pairs, optimal, certified: as in `exactmatch.CorpusScore`, of all files and metrics together.
    """

    found: _Found_co
    document: Report
    notes: Sequence[str]
    lacking: Mapping[str, Sequence[str]]
    shortened: int
    pairs: int
    optimal: int
    certified: int

    @property
    def tables(self) -> Sequence[str]:
        """The names of the tables, the main one first."""
        return [table.key for table in self.document.tables]

    def report(
        self, format: Format = "text", *, table: str | None = None, folder: StrPath = "."
    ) -> str:
        """Return the report, or one *table* of it, as text, JSON, CSV, Markdown, LaTeX or HTML.

        CSV has one table, by default the main one. HTML links to pages, if there are any, as from a
        file in *folder*. Raises `UsageError` for an unknown table or format.
        """
        check_known("format", format, [*FORMATS])
        return FORMATS[format](self._only(table, folder))

    def layout(self, *, table: str | None = None) -> TextLayout:
        """Return the report, or one *table* of it, as text that can be folded for a terminal.

        Raises `UsageError` for an unknown table.
        """
        return as_text(self._only(table))

    def made_by(self, command: str) -> Self:
        """Return the same with a report that names *command* as its origin."""
        origin = replace(self.document.provenance, command=command)
        return replace(self, document=replace(self.document, provenance=origin))

    def signed(self, sign: Callable[[str], str]) -> Self:
        """Return the same result with another signature in its report.

        *sign* gets the full signature, with all choices, and returns the text to print instead.
        """
        origin = self.document.provenance
        provenance = replace(origin, signature=sign(origin.signature))
        return replace(self, document=replace(self.document, provenance=provenance))

    def followed_by(self, next_step: str) -> Self:
        """Return the same with a report that says on a terminal what to do next."""
        return replace(self, document=replace(self.document, next_step=next_step))

    def to_frame(self, table: str | None = None) -> "pandas.DataFrame":
        """Return a table, the main one if none is named, as a data frame of pandas.

        Raises `UsageError` for an unknown table, and if pandas is not installed.
        """
        chosen = self._table(table)
        return data_frame([column.key for column in chosen.columns], chosen.rows)

    def write_plots(self, folder: StrPath) -> None:
        """Write the plots to *folder*, as PNG, SVG and PDF. Raises `InputError` if that fails."""
        write_plots(self.document.plots, Path(folder))

    def _only(self, table: str | None, folder: StrPath = ".") -> Report:
        """Return the report, or one *table* of it, with its pages as seen from *folder*."""
        pages = {pair: address_from(folder, place) for pair, place in self.document.pages.items()}
        document = replace(self.document, pages=pages)
        return document if table is None else replace(document, tables=[self._table(table)])

    def _table(self, key: str | None) -> Table:
        known = {table.key: table for table in self.document.tables}
        if key is None:
            return self.document.tables[0]
        if key not in known:
            raise UsageError(f"no table is called {key!r}; the tables are {', '.join(known)}")
        return known[key]

    def __repr__(self) -> str:
        pairs = f"{self.optimal} of {counted(self.pairs, 'pair')}"
        return f"<StudyResult {self.document.title}: {pairs} optimal>"

    def _repr_html_(self) -> str:
        document = self._only(None)
        table = table_html(self._table(None).for_people(), document)
        return f"<p><b>{escape(document.result)}</b></p>\n{table}"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The arguments and the course of a study, as far as all studies share them.

    command: the origin that the report names. packages: packages that compute numbers of the
    report, whose versions it gives. metric: the only one; a study of several looks them up itself.
    For the others, see `exactmatch.agreement`.
    """

    command: str
    shared: StudyOptions
    workers: Workers
    metric: Any = None
    profile: str = "default"
    choices: Mapping[str, str] = field(default_factory=dict)
    files: StudyFiles = field(default_factory=StudyFiles)
    packages: Sequence[str] = ("numpy",)

    def __post_init__(self) -> None:
        check_known("pair_by", self.shared.pair_by or "id", get_args(PairBy))
        check_known("missing", self.shared.missing, get_args(Missing))
        check_known("on_error", self.shared.on_error, get_args(StudyOnError))
        named = (self.files.certificates, self.files.pages)
        certificates, pages = (None if one is None else Path(one) for one in named)
        check_outputs([], certificates, pages)
        if certificates is not None:
            check_apart(certificates, pages, holds=CERTIFICATES)
        _ = self.settings  # wrong ones are refused before anything is read or written

    @cached_property
    def settings(self) -> Settings:
        """How pairs are scored."""
        certificates = self.files.certificates is not None
        return Settings.of(self.shared, workers=self.workers, certificates=certificates)

    @classmethod
    def of_call(
        cls,
        study: Callable[..., object],
        given: Mapping[str, Any],
        packages: Sequence[str] = ("numpy",),
    ) -> Self:
        """Return the plan of a call of the public function *study* with the arguments *given*.

        Of these, only *shared* is needed. Raises `UsageError` for wrong ones.
        """
        shared = given["shared"]
        return cls(
            command=shared.command or as_written(study, given),
            workers=resolve_workers(shared),
            packages=packages,
            **{name: given[name] for name in _GIVEN if name in given},
        )

    @contextmanager
    def sweeping(
        self,
        doing: str,
        total: int,
        *,
        items: Sequence[int] | None = None,
        keep: Keep = lambda *_: None,
    ) -> Iterator[SweepSettings]:
        """Report progress while *total* pairs are gone through; yield the settings for that."""
        with self.shared.progress(doing, total, "pairs") as advance:
            yield SweepSettings(items, self.workers, advance, keep)

    def read(self, paths: Sequence[StrPath], called: Sequence[str | None] = ()) -> Study:
        """Read the files, and find the graphs of the same item.

        *called* are names for the first files, instead of their own; None leaves a file its own.
        Raises `UsageError` if one of these is the name of another file, too.
        """
        names = [path_text(path) for path in paths]
        with self.shared.progress("reading", total_size(names), BYTES) as advance:
            sources = read_sources(names, advance, self.shared.repair)
        if self.files.certificates is not None and any(one.folder for one in sources):
            raise UsageError(
                "certificates of a study are of files, which they name by their digests; join the "
                "files of a folder into one for --certificates"
            )
        sources = renamed(sources, called)
        return pair_items(
            sources,
            self.shared.pair_by,
            self.shared.missing,
            skip_unreadable=self.shared.on_error == "skip",
        )

    def alignment_metric(self, form: str) -> AlignmentMetric:
        """Return the requested metric; raise `UsageError` if it is not alignment-based."""
        return alignment_based(chosen_metric(form, self.metric, self.profile, self.choices))

    def certificates(
        self, study: Study, keys: Sequence[Key]
    ) -> AbstractContextManager[Certificates]:
        """Return the certificates of *study*, to be entered.

        A key consists of the names of two files and, with several metrics, of the metric. Raises
        as `writing_certificates` does.
        """
        if self.files.certificates is None:
            return nullcontext(Certificates(None, {}))
        inputs = [source.path for source in study.sources]
        return writing_certificates(Path(self.files.certificates), keys, inputs)

    def sealed(
        self,
        document: Report,
        certificates: Certificates,
        kind: Certifying,
        study: Study,
        certified: Sequence[Certified],
        choices: StudyChoices,
    ) -> Report:
        """Make the manifest of the certificates, if there are any, and mention it in *document*."""
        if certificates.folder is None:
            return document
        proofs = seal(
            certificates, certificates.folder, kind, self.command, study, certified, choices
        )
        return with_proofs(document, proofs, certified)

    def study_choices(
        self, study: Study, policy: IllFormedPolicy, against: str | None
    ) -> StudyChoices:
        """Return how the items of *study* were found.

        *against* names the source that all others are compared with.
        """
        return StudyChoices(
            against,
            self.shared.pair_by,
            study.missing,
            on_error="skip" if study.skip_unreadable else "stop",
            repair=self.shared.repair,
            ill_formed=policy,
            resampling=Resampling(seed=self.shared.seed),
        )

    def with_solver(self, document: Report, scores: Mapping[str, Sequence[ScoredPairs]]) -> Report:
        """Say in *document* what a solver that was asked for did, on all *scores* by a metric.

        The name of the metric is said if there are several. That the solver never worked comes
        first.
        """
        idle, by_solver = [], []
        for name, by_metric in scores.items():
            of = f"{name}: " if len(scores) > 1 else ""
            proofs = ProofCounts.of(by_metric)
            reasons, others = solver_notes(self.settings, by_metric[0].metric, proofs)
            idle += [f"{of}{reason}" for reason in reasons]
            by_solver += [f"{of}{note}" for note in others]
        first, *rest = document.notes
        return replace(document, notes=[*idle, first, *by_solver, *rest])

    def write_pages(
        self,
        study: Study,
        pairs: Sequence[FilePair],
        metric: AlignmentMetric,
        *,
        by_names: bool = False,
    ) -> Mapping[FilePair, str]:
        """Write the pages of each two files, on request; return their folders.

        *by_names*: as for `exactmatch.studies.common.pages.write_study_pages`.
        """
        if self.files.pages is None:
            return {}
        return write_study_pages(
            study,
            pairs,
            metric,
            ScoringTask([metric], self.settings, workers=self.workers),
            Path(self.files.pages),
            progress=self.shared.progress,
            by_names=by_names,
        )

    def provenance(self, study: Study, metric: Metric, *others: tuple[str, str]) -> Provenance:
        """Return the provenance of a report on *study*, and on *others* (path and digest)."""
        read = [(source.path, source.digest) for source in study.sources]
        packages = [f"{name} {_version(name)}" for name in self.packages]
        versions = [f"exactmatch {__version__}", f"Python {platform.python_version()}", *packages]
        return Provenance(
            self.command,
            inputs=[(shown_path(path), digest) for path, digest in (*read, *others)],
            signature=self.settings.signature(metric),
            long_signature=self.settings.long_signature(metric),
            versions=", ".join(versions),
        )


#: Looked up once: Python reads all that is known of a package.
_version = cache(version)


def study_result(
    found: _Found, document: Report, study: Study, scores: Sequence[ScoredPairs]
) -> StudyResult[_Found]:
    """Return the result of *study* after the run; *scores* are those of each two files."""
    lacking = {name: items for name, items in study.lacking.items() if items}
    shortened = sum(score.shortened for score in scores)
    return StudyResult(
        found=found,
        document=without_idle_plots(document),
        notes=(
            *(
                f"{name} lacks {counted(len(items), 'item')}; the first is {items[0]}"
                for name, items in lacking.items()
            ),
            *(
                [f"pairs of documents without some of their sentences: {shortened}"]
                if shortened
                else ()
            ),
            *([f"repairs of graphs, or replacements: {study.mended}"] if study.mended else ()),
            *study.pairing_notes,
            *study.unread,
            *study.remarks,
        ),
        lacking=lacking,
        shortened=shortened,
        pairs=sum(score.pairs for score in scores),
        optimal=sum(score.optimal for score in scores),
        certified=sum(score.certified for score in scores),
    )


def grouped_by(groups: AskedGroups | None) -> str | GroupsFile | None:
    """Return the key or the file of groups as the manifest names it; None if there are none."""
    if groups is None:
        return None
    file = groups.file
    return groups.key if file is None else GroupsFile(file.path, file.sha256)


def as_written(function: Callable[..., object], given: Mapping[str, Any]) -> str:
    """Return the call of a public *function* with the arguments *given*, without defaults."""
    groups = [group for group in given.values() if isinstance(group, Options)]
    values = {**given, **{name: one for group in groups for name, one in vars(group).items()}}
    idle = {name for group in groups for name in group.idle()}
    words = []
    for name, parameter in inspect.signature(function).parameters.items():
        value = values[name]
        if parameter.kind is parameter.VAR_KEYWORD:
            words += [f"{key}={one!r}" for key, one in value.items()]
        elif parameter.default is parameter.empty:
            words.append(_shown(value))
        elif name not in idle and value != parameter.default:
            words.append(f"{name}={_shown(value)}")
    return f"exactmatch.{function.__name__}({', '.join(words)})"


def _shown(value: object) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return repr(shown_path(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name!r}: {_shown(one)}' for name, one in value.items())}}}"
    return f"<{value.signature()}>" if isinstance(value, Metric) else shown_value(value)
