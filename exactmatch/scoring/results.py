"""The results of scoring: the score of a pair of graphs, and of a corpus.

Each count over the pairs of a corpus is declared once, as a field of `CorpusScore`: the addition of
a pair, its key in JSON, and its name in reports.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from math import fsum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from exactmatch.errors import UsageError, VerificationError
from exactmatch.graphs.graph import IllFormedSides
from exactmatch.metrics.base import Measurement, Metric, Statistics
from exactmatch.metrics.counts import Counts, Range, Score
from exactmatch.runtime.harmless import on_one_line
from exactmatch.scoring.settings import Settings

if TYPE_CHECKING:
    import pandas

    from exactmatch.metrics.best_mappings import BestMappings
    from exactmatch.metrics.sentence_triples import SentenceTriples
    from exactmatch.metrics.subscores.subscore import Subscore
    from exactmatch.problem.solver_work import SolverWork
    from exactmatch.scoring.framework_score import FrameworkScore
    from exactmatch.scoring.ill_formed_counts import IllFormedCounts
    from exactmatch.scoring.sentence_losses import SentenceSummary
    from exactmatch.scoring.solver_totals import SolverTotals

#: Writes a page to a path, and returns the file to open.
WritePage = Callable[[Path], Path]

Status = Literal["optimal", "feasible", "skipped", "ill-formed"]

#: The numbers of a pair that a metric may have, and the other columns of a data frame.
_RATIOS = ("precision", "recall", "f1", "precision_upper", "recall_upper", "f1_upper")

_PLAIN = (
    "matched",
    "matched_upper",
    "system_total",
    "gold_total",
    "gap",
    "status",
    "solver",
    "certified",
    "timed_out",
    "seconds",
)

#: Replaces the measurement of a pair whose graphs are not compared.
_NOTHING = Measurement(Statistics())


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)  # like the base
class PairScore(Score):
    """The score of one pair of graphs by one metric.

    identifier: the name of the pair.
    status: ``optimal`` if the score is proven to be the best, as are all scores without a mapping;
        ``feasible`` if it is a lower bound; ``skipped`` if a graph is unreadable or missing; or
        ``ill-formed`` if the pair counts 0 because one of its graphs is ill-formed.
    seconds: the seconds from the graphs to the result, without reading.
    emptied: whether an empty graph replaces a missing or unreadable one.
    noted: whether there is a note on one of the graphs.
    left_out: the sentences of a document that are not compared.
    mended: the number of repairs and replacements in the graphs.
    ill_formed: the sides with an ill-formed graph; None if the format makes no such distinction.
    framework: the MRP framework of the graphs (``eds``); empty in other formats.
    measurement: the result of the metric for the two graphs.
    pages: writes a page that shows the pair, if its graphs are known.
    """

    identifier: str
    status: Status
    seconds: float
    emptied: bool = False
    noted: bool = False
    left_out: int = 0
    mended: int = 0
    ill_formed: IllFormedSides = None
    framework: str = ""
    measurement: Measurement = field(repr=False)
    pages: "WritePage | None" = field(default=None, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        identifier: str,
        metric: Metric,
        measurement: Measurement,
        *,
        seconds: float,
        **others: Any,
    ) -> Self:
        """Return the score that *metric* makes of its *measurement*. *others* are further fields.

        Raises `VerificationError` if a match count exceeds a total.
        """
        statistics = measurement.statistics
        if not metric.can_exceed:
            _check_counts(identifier, statistics)
        return cls(
            identifier=identifier,
            **score_fields(metric, statistics),
            status="optimal" if measurement.is_proven else "feasible",
            seconds=seconds,
            measurement=measurement,
            **others,
        )

    @classmethod
    def skipped(
        cls, identifier: str, ill_formed: IllFormedSides = None, is_zero: bool = False
    ) -> Self:
        """Return the score of a pair that is left out or, if *is_zero*, counts 0."""
        return cls(
            identifier=identifier,
            matched=0,
            matched_upper=0,
            system_total=0,
            gold_total=0,
            status="ill-formed" if is_zero else "skipped",
            seconds=0.0,
            ill_formed=ill_formed,
            measurement=_NOTHING,
        )

    @property
    def is_compared(self) -> bool:
        """Whether two graphs were compared."""
        return self.status in ("optimal", "feasible")

    @property
    def mapping(self) -> Mapping[str, str]:
        """System variable to gold variable, by name; empty if the metric has no mapping."""
        return self.measurement.mapping

    @property
    def best(self) -> "BestMappings | None":
        """Facts about all best mappings; None if they are unknown or not asked for."""
        return self.measurement.best

    @property
    def solver(self) -> str:
        """The solver that proved the result or, without a proof, the last one that worked on it."""
        return self.measurement.solver

    @property
    def work(self) -> "SolverWork | None":
        """The input and the findings of a solver that ran by name; None for others."""
        return self.measurement.work

    @property
    def timed_out(self) -> bool:
        """Whether the time limit left a gap."""
        return self.measurement.timed_out

    @property
    def too_large(self) -> bool:
        """Whether the problem exceeds the memory limit, and was not solved."""
        return self.measurement.too_large

    @property
    def certified(self) -> bool:
        """Whether the score is proven, and its proof was checked or is not needed."""
        return self.is_compared and self.measurement.certified

    @property
    def checked(self) -> bool:
        """Whether the upper bound rests on a checked proof, also if the score is not proven."""
        return self.is_compared and self.measurement.checked

    @property
    def confirmed(self) -> bool | None:
        """Whether another solver proved the same optimum; None if it was not asked."""
        return self.measurement.confirmed

    @property
    def certificate(self) -> str | None:
        """The proof as a line of JSON (`exactmatch.certificate.checker`), if requested."""
        return self.measurement.certificate

    @property
    def end_certificates(self) -> Sequence[str]:
        """The proofs of the ends of `ranges`, if both were requested."""
        return self.measurement.end_certificates

    @property
    def all_certificates(self) -> str | None:
        """The certificate and those of the ends of ranges, one a line; None if there are none."""
        return (
            None
            if self.certificate is None
            else "\n".join([self.certificate, *self.end_certificates])
        )

    @property
    def breakdown(self) -> Mapping[str, Counts]:
        """The counts of each part of the metric, if asked for; without a mapping, in any case.

        With a mapping, these are the counts under it; see `ranges` for other best mappings.
        """
        return self.measurement.statistics.breakdown

    @property
    def ranges(self) -> Mapping[str, Range]:
        """The least and the most matches of each part under the best mappings, if requested."""
        return self.measurement.statistics.ranges

    @property
    def sentences(self) -> "Mapping[str, SentenceTriples]":
        """The losses of each sentence of a document under the mapping, by number, if asked for.

        Triples of several sentences and of none are under ``several`` and ``none``.
        """
        return self.measurement.sentences

    @property
    def subscores(self) -> "Mapping[str, Subscore]":
        """The counts of each requested phenomenon that occurs in either graph."""
        return self.measurement.statistics.subscores

    def show(self, output: "str | PathLike[str] | None" = None) -> Path:
        """Open a page in the browser that shows the pair; return its file.

        *output* is the file or folder, as for `exactmatch.show`; None is a new temporary folder.
        Raises as `exactmatch.show` does, and `UsageError` if the graphs are no longer known.
        """
        return _opened(self.pages, output)

    def __repr__(self) -> str:
        said = f"{self.identifier}: {_summary(self)}, {self.status} ({self.solver})"
        return f"<PairScore {on_one_line(said)}>"

    def _repr_html_(self) -> str:
        is_sure = self.status == "optimal"
        caption = f"{self.identifier}: {_pair_proof(self)}"
        from exactmatch.scoring.frames import html_table

        return html_table(["", "found", "at most"], _shown(self), caption, is_sure)


def score_fields(metric: Metric, statistics: Statistics) -> dict[str, Any]:
    """Return the fields of the `Score` that *metric* makes of the measurement."""
    return {
        "matched": statistics.matched,
        "matched_upper": statistics.matched_upper,
        "system_total": statistics.system_total,
        "gold_total": statistics.gold_total,
        "figures": metric.results(statistics),
    }


def _check_counts(identifier: str, statistics: Statistics) -> None:
    """Raise `VerificationError` if a match count exceeds a total."""
    most: list[tuple[str, int, Statistics | Counts | Range | Subscore]] = [
        ("all", statistics.matched_upper, statistics),
        *((part, counts.matched, counts) for part, counts in statistics.breakdown.items()),
        *((part, known.most, known) for part, known in statistics.ranges.items()),
        *((name, one.matched_upper, one) for name, one in statistics.subscores.items()),
    ]
    for name, matched, counts in most:
        if matched > min(counts.system_total, counts.gold_total):
            raise VerificationError(
                f"pair {identifier}: of {name}, {matched} match, but there are only "
                f"{counts.system_total} and {counts.gold_total}"
            )


#: The addition of a pair to a counter: a number, the solver whose pairs are counted, or None.
Counted = int | str | None


class CorpusCounter(NamedTuple):
    """A field of `CorpusScore` that counts pairs; its *name* is also its key in JSON.

    of: the addition of a pair; None if the field is counted where pairs are selected.
    words: the name of the count, if it keeps a result from being a plain one.
    """

    name: str
    of: Callable[[PairScore], Counted] | None
    words: str


def _counter(of: Callable[[PairScore], Counted] | None = None, words: str = "") -> Any:
    return field(default=0, metadata={"of": of, "words": words})


def _counter_by_solver(of: Callable[[PairScore], Counted], words: str = "") -> Any:
    return field(default_factory=dict, metadata={"of": of, "words": words})


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)  # like the base
class CorpusScore(Score):
    """The score of a corpus by one metric, from the sums over its pairs (micro average).

    metric: the metric that compared the graphs.
    settings: all other settings.
    signature: every choice that changes the score, in one line.
    seconds: the time of the whole run, including reading.
    per_pair: the scores of the pairs, including skipped ones, if they are kept.
    notes: problems found in pairs, one message each.
    partial: whether the run was interrupted, and lacks the later pairs.
    pairs, skipped: the numbers of pairs that were scored, and that were left out.
    optimal: pairs whose score is proven to be the best; certified: those of them with a checked
        proof; by_word: the others, by the name of the solver that claims the optimum.
    bounded_by_word: unproven pairs whose upper bound is only claimed by a solver, by its name.
    timed_out: pairs in which the time limit left a gap.
    too_large: pairs that exceed the memory limit, and were not solved.
    emptied: pairs in which an empty graph replaces a missing or unreadable one.
    noted: pairs with a note on one of their graphs.
    left_out: sentences of documents that are not compared.
    mended: repairs of graphs, and replacements of DRSs, that were asked for.
    ill_formed: the numbers of ill-formed graphs; None if the format makes no such distinction.
    unselected: pairs that were not selected.
    missing_ids: selected identifiers that no pair has.
    confirmed: pairs confirmed by another solver; None if it was not asked.
    breakdown, ranges: as in `PairScore`.
    subscores: the counts of each phenomenon that was asked for.
    sentences: the losses of the sentences of documents; None if not asked for.
    solver_totals: the work of a solver asked for by name; otherwise None.
    frameworks: the scores of the graphs of each framework, by name, for MRP.
    macro_f1, macro_f1_upper: the mean value of the scored pairs and of those that count 0 because a
        graph is ill-formed, and the upper bound of the true mean; 0 if there is no such pair.
    pages: writes a page that shows the pairs, if their graphs are known.
    """

    metric: Metric
    settings: Settings = field(repr=False)
    signature: str
    seconds: float
    per_pair: Sequence[PairScore] = field(default=(), repr=False)
    notes: Sequence[str] = ()
    partial: bool = False
    pairs: int = _counter(lambda pair: pair.is_compared)
    optimal: int = _counter(lambda pair: pair.status == "optimal")
    certified: int = _counter(lambda pair: pair.certified)
    by_word: Mapping[str, int] = _counter_by_solver(
        lambda pair: pair.solver if pair.status == "optimal" and not pair.certified else None
    )
    bounded_by_word: Mapping[str, int] = _counter_by_solver(
        lambda pair: pair.solver if pair.status == "feasible" and not pair.checked else None,
        "upper bounds by the word of",
    )
    timed_out: int = _counter(lambda pair: pair.timed_out, "pairs that reached the time limit")
    too_large: int = _counter(lambda pair: pair.too_large, "pairs too large for the memory limit")
    skipped: int = _counter(lambda pair: pair.status == "skipped", "pairs skipped")
    emptied: int = _counter(lambda pair: pair.emptied, "pairs scored against an empty graph")
    noted: int = _counter(lambda pair: pair.noted, "pairs with a note")
    left_out: int = _counter(lambda pair: pair.left_out, "sentences of documents left out")
    mended: int = _counter(lambda pair: pair.mended, "repairs of graphs, or replacements")
    unselected: int = _counter(words="pairs not selected")
    missing_ids: int = _counter(words="identifiers that no pair has")
    confirmed: int | None = field(
        default=None, metadata={"of": lambda pair: pair.confirmed, "words": ""}
    )
    ill_formed: "IllFormedCounts | None" = None
    breakdown: Mapping[str, Counts] = field(default_factory=dict)
    ranges: Mapping[str, Range] = field(default_factory=dict)
    subscores: "Mapping[str, Subscore]" = field(default_factory=dict)
    sentences: "SentenceSummary | None" = None
    solver_totals: "SolverTotals | None" = None
    frameworks: "Mapping[str, FrameworkScore]" = field(default_factory=dict)
    macro_f1: float = 0.0
    macro_f1_upper: float = 0.0
    pages: "WritePage | None" = field(default=None, repr=False, compare=False)

    @property
    def long_signature(self) -> str:
        """The signature with the limits, and the versions of the installed solvers."""
        return self.settings.long_signature(self.metric)

    @property
    def framework_average(self) -> float:
        """The mean value of the frameworks with equal weights; 0 if there is none.

        This is the official score of the shared tasks (Oepen et al. 2019).
        """
        return _mean([score.value for score in self.frameworks.values()])

    @property
    def framework_average_upper(self) -> float:
        """The upper bound of the true mean value of the frameworks."""
        return _mean([score.value_upper for score in self.frameworks.values()])

    def show(self, output: "str | PathLike[str] | None" = None) -> Path:
        """Open a page in the browser that shows all pairs; return its file.

        *output* is the file or folder, as for `exactmatch.show`; None is a new temporary folder.
        Raises as `exactmatch.show` does, and `UsageError` if the graphs are no longer known.
        """
        return _opened(self.pages, output)

    def __repr__(self) -> str:
        partial = ", partial" if self.partial else ""
        return f"<CorpusScore {_summary(self)}, {self.optimal} of {self.pairs} optimal{partial}>"

    def _repr_html_(self) -> str:
        is_sure = self.optimal == self.pairs and not self.partial
        caption = f"{self.metric.title}: {_corpus_proof(self)}"
        from exactmatch.scoring.frames import html_table

        return html_table(["", "found", "at most"], _shown(self), caption, is_sure)

    def to_frame(self) -> "pandas.DataFrame":
        """Return the scores of the pairs as a data frame of pandas, one pair a row.

        Numbers that the metric does not have, and those of skipped pairs, are NaN. Raises
        `UsageError` if pandas is not installed, or the pairs are not kept.
        """
        if len(self.per_pair) < self.pairs + self.skipped:
            raise UsageError("the scores of the pairs are not kept")
        columns = ["id", "score", "score_upper", *_RATIOS, *_PLAIN]
        from exactmatch.scoring.frames import data_frame

        return data_frame(columns, map(_row, self.per_pair))


#: The counters of a corpus, in the order of their keys in JSON.
COUNTERS: Sequence[CorpusCounter] = [
    CorpusCounter(one.name, one.metadata["of"], one.metadata["words"])
    for one in fields(CorpusScore)
    if "of" in one.metadata
]


def open_page(write: WritePage, output: Path | None) -> Path:
    """Write a page to *output* (None: a new temporary folder), and open it.

    Returns the file that was opened; without a browser, the file is written all the same.
    """
    from exactmatch.runtime.browser import open_in_browser, temporary_page

    with temporary_page() if output is None else nullcontext(output) as path:
        page = write(path)
    open_in_browser(page)
    return page


def _opened(pages: "WritePage | None", output: "str | PathLike[str] | None") -> Path:
    if pages is None:
        raise UsageError("this score does not know its graphs; use exactmatch.show with the graphs")

    return open_page(pages, None if output is None else Path(output))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else 0.0


def _summary(score: Score) -> str:
    interval = f"{score.value:.4f}"
    if score.gap:
        interval += f" to {score.value_upper:.4f}"
    named = f"{score.value_name} {interval}"
    if score.figure("precision") is None or score.figure("recall") is None:
        return named
    return f"P {score.precision:.4f}, R {score.recall:.4f}, {named}"


def _shown(score: Score) -> list[list[str]]:
    """Return the scores found, and their upper bounds, in rows of text."""
    names = [name for name in ("precision", "recall", "f1") if score.figure(name) is not None]
    pairs = [(name, getattr(score, name), getattr(score, f"{name}_upper")) for name in names]
    if score.figures is not None:
        pairs.append((score.value_name, score.value, score.value_upper))
    return [[name, f"{lower:.4f}", f"{upper:.4f}"] for name, lower, upper in pairs]


def _pair_proof(score: PairScore) -> str:
    """Describe in words how much of a pair is proven, and by which solver."""
    if not score.is_compared:
        return score.status
    if score.status == "feasible" and score.solver == "none":
        return f"not counted in time; {_between(score)}"
    if score.solver == "none" and (score.mapping or score.figures is None):
        return "mapped by rules; other mappings may match more"
    if score.figures is not None:
        return "no mapping of variables is needed"
    by = f"{score.solver}, proof checked" if score.checked else f"by the word of {score.solver}"
    if score.status == "optimal":
        return f"proven ({by}); no mapping scores higher"
    return f"not proven; {_between(score)} ({by})"


def _corpus_proof(score: CorpusScore) -> str:
    """Describe in words how much of a corpus is proven."""
    pairs = f"{score.pairs} {'pair' if score.pairs == 1 else 'pairs'}"
    if not score.metric.maps_variables:
        proof = f"{pairs}; {score.metric.unproven}"
        proof += f"; {_between(score)}" if score.optimal < score.pairs else ""
    else:
        proof = f"{score.optimal} of {pairs} proven"
        if score.certified < score.optimal:
            proof += f", {score.certified} by a checked proof"
        is_all = score.optimal == score.pairs
        proof += f"; {'no mapping scores higher' if is_all else _between(score)}"
    skipped = f"; {score.skipped} skipped" if score.skipped else ""
    if score.ill_formed is not None and score.ill_formed.zero:
        skipped += f"; {score.ill_formed.zero} ill-formed"
    return f"{proof}{skipped}" + ("; cut short" if score.partial else "")


def _between(score: Score) -> str:
    ends = f"{score.value:.4f} and {score.value_upper:.4f}"
    return f"the true {score.value_name} lies between {ends}"


def _row(score: PairScore) -> list[object]:
    """Return the row of a data frame; None becomes NaN among numbers."""
    skipped = score.status == "skipped"
    figures = [score.value, score.value_upper, *map(score.figure, _RATIOS)]
    return [
        score.identifier,
        *(float("nan") if skipped or figure is None else figure for figure in figures),
        *(getattr(score, name) for name in _PLAIN),
    ]
