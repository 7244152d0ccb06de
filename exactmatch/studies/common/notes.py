"""Notes that reports of studies share: on proofs, on graphs that were read, on metrics."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVarTuple

from exactmatch.graphs.graph import MRP, UMR
from exactmatch.graphs.items import NOWHERE, FilePair, Study
from exactmatch.graphs.paths import shown_path
from exactmatch.metrics.base import Metric
from exactmatch.report.document import Column, Rows, Table
from exactmatch.report.solver_text import idle_solver, solver_lines
from exactmatch.report.wording import counted, listed
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.solver_totals import SolverRun, SolverTotals
from exactmatch.scoring.text_notes import TextNotes
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs
from exactmatch.studies.common.statistics import Interval, Resampling

_Objects = TypeVarTuple("_Objects")


def proven(proofs: ProofCounts, of_what: str = " of graphs") -> str:
    """Return how many pairs are proven, and by what, unless every proof was checked."""
    text = f"Proven: {proofs.optimal} of {counted(proofs.pairs, 'pair')}{of_what}"
    if not proofs.by_word:
        return text
    return ", ".join([text, f"{proofs.certified} by a checked proof", *_words(proofs.by_word)])


def _words(by_word: Mapping[str, int]) -> list[str]:
    return [f"{times} by the word of {solver}" for solver, times in by_word.items()]


def certified_text(certified: int, pairs: int, by_word: Mapping[str, int]) -> str:
    """Return the number of pairs of graphs with a certified score, and whose word others rest on.

    *by_word*: the number of these, by the solver that claims that they are optimal.
    """
    text = f"{certified} of {counted(pairs, 'pair')} of graphs certified"
    return ", ".join([text, *_words(by_word)])


def word_columns(
    scores: Iterable[ScoredPairs], by_word: Callable[[*_Objects], Mapping[str, int]]
) -> list[Column[*_Objects]]:
    """Return a column of the pairs that rest on the word of solvers; none if no pair does.

    *by_word* returns the number of these in a row, by solver.
    """
    if not any(score.by_word for score in scores):
        return []

    def said(*row: *_Objects) -> str | None:
        return ", ".join(f"{solver} {times}" for solver, times in by_word(*row).items()) or None

    return [Column("by_word", "by the word of", said)]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The work of a solver on all pairs that were scored by one metric."""

    metric: Metric
    settings: Settings
    pairs: int
    solver_totals: SolverTotals | None


def solver_notes(
    settings: Settings, metric: Metric, proofs: ProofCounts
) -> tuple[list[str], list[str]]:
    """Return the notes on a solver that was asked for by name: that it never worked, and others."""
    asked = _Asked(metric, settings, proofs.pairs, proofs.solver_totals)
    idle, others = idle_solver(asked), solver_lines(asked, with_seconds=False)
    return _as_sentences(idle, settings.solver), _as_sentences(others, settings.solver)


def idle_notes(run: SolverRun) -> list[str]:
    """Return a note that a solver that was asked for by name never worked, if so."""
    return [] if run.settings is None else _as_sentences(idle_solver(run), run.settings.solver)


def _as_sentences(lines: Sequence[str], solver: str) -> list[str]:
    """Return lines as notes; the name of a *solver* stays as it is."""
    return [f"{line if line.startswith(solver) else line[0].upper() + line[1:]}." for line in lines]


def caveats(proofs: ProofCounts) -> list[str]:
    """Return notes on numbers that are not all proven, or that count parts of triples."""
    notes = []
    if not proofs.all_proven:
        notes.append("Where a pair is not proven, the true F1 lies between F1 and 'at most'.")
    if proofs.scale != 1:
        notes.append(f"Matched triples and totals are counted in 1/{proofs.scale} of a triple.")
    return notes + limits(proofs)


def limits(proofs: ProofCounts) -> list[str]:
    """Return notes on limits that were reached, and on upper bounds that only a solver claims."""
    counts = {
        "Pairs that reached the time limit": proofs.timed_out,
        "Pairs too large for the memory limit": proofs.too_large,
        **{
            f"Upper bounds by the word of {solver}": times
            for solver, times in proofs.bounded_by_word.items()
        },
    }
    return [f"{what}: {count}." for what, count in counts.items() if count]


def unreadable(pairs: int) -> list[str]:
    """Return a note that so many *pairs* are left out, if any are."""
    return [f"Pairs with a missing or unreadable graph: {pairs}."] if pairs else []


def unchecked(pairs: int) -> list[str]:
    """Return a note that so many proven *pairs* rest on the word of a solver, if any do."""
    return [f"Pairs proven by the word of a solver alone: {pairs}."] if pairs else []


def interval_text(interval: Interval | None, resampling: Resampling) -> str:
    """Return a confidence interval as text after a number, or nothing if there is none."""
    if interval is None:
        return ""
    ends = " to ".join(f"{end:.4f}" for end in interval)
    return f" ({resampling.percent} confidence interval {ends})"


def apart(pairs: Sequence[FilePair]) -> list[str]:
    """Return a note on pairs of files that have no item in common."""
    if not pairs:
        return []
    return [f"No item in common, so not compared: {'; '.join(map(listed, pairs))}."]


def reading_notes(
    study: Study, metrics: Iterable[Metric] = (), pairs: Iterable[FilePair] = ()
) -> list[str]:
    """Return notes on differing identifiers, on unreadable graphs, on text, and on remarks.

    *metrics* compare the *pairs* of files; without them, no labels of a pair are compared.
    """
    notes = [f"{note[0].upper()}{note[1:]}." for note in study.pairing_notes]
    notes += [f"Unreadable: {_without_folders(reason, study)}" for reason in study.unread]
    counts = [
        f"{name} {study.ill_formed[name]}" for name in study.places if name in study.ill_formed
    ]
    if counts:
        what = "their pairs count 0 in macro F1 only, unless choices say otherwise"
        notes.append(f"Ill-formed graphs: {', '.join(counts)}; {what}.")
    if study.remarks:
        notes.append(f"Notes on graphs, printed on standard error: {len(study.remarks)}.")
    return [*notes, *_text_notes(study, metrics, pairs)]


def _text_notes(
    study: Study, metrics: Iterable[Metric], pairs: Iterable[FilePair]
) -> Iterator[str]:
    """Yield the notes of a score on text that looks the same, on the graphs of a study."""
    texts = TextNotes(metrics)
    held = {source.name: source.texts for source in study.sources}
    for graphs in held.values():
        for text in graphs:
            if not text.data.isascii() or text.format == MRP:
                texts.add_graph(text)
    for one, other in pairs if texts.tells_forms else ():
        for left, right in zip(study.places[one], study.places[other], strict=True):
            if NOWHERE not in (left, right):
                texts.add_pair(held[one][left], held[other][right])
    for note in texts.notes():
        yield f"{note[0].upper()}{note[1:]}."


def whole_items(study: Study, metric: Metric) -> list[str]:
    """Return a note if items are documents or files of UMR, and its consequences."""
    if study.format != UMR or metric.extent == "sentence":
        return []
    if study.items > 1:
        return [f"Each item is a {metric.extent}, compared as a whole."]
    note = (
        f"The {metric.extent} is a single item, compared as a whole: there is nothing to "
        "resample, so there is no confidence interval and no test."
    )
    advice = " With --document-level ignore, each sentence is an item."
    return [note + advice if metric.extent == "document" else note]


def signatures_table(
    rows: Iterable[tuple[str, str]], key: str = "metric", title: str = "The metrics"
) -> Table:
    """Return the table of names and signatures of all metrics or scores."""
    columns: list[Column[str, str]] = [
        Column(key, key, lambda name, _: name),
        Column("signature", "signature", lambda _, signature: signature),
    ]
    return Rows(rows).table("signatures", title, columns)


def _without_folders(reason: str, study: Study) -> str:
    """Return a message on a file without the folders of this machine."""
    for source in study.sources:
        if reason.startswith(f"{source.path}:"):
            return f"{shown_path(source.path)}{reason.removeprefix(source.path)}"
    return reason
