"""Notes that reports of studies share: on proofs, on graphs that were read, on metrics."""

from collections.abc import Iterable, Sequence

from exactmatch.graphs.graph import UMR
from exactmatch.graphs.items import FilePair, Study
from exactmatch.graphs.paths import shown_path
from exactmatch.metrics.base import Metric
from exactmatch.report.document import Column, Rows, Table
from exactmatch.report.wording import listed
from exactmatch.studies.common.pairs import ProofCounts
from exactmatch.studies.common.statistics import Interval, Resampling


def counted(number: int, what: str) -> str:
    """Return a number and its noun: ``1 seed``, ``2 seeds``; *what* is the singular."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def proven(proofs: ProofCounts, what: str = "pairs of graphs") -> str:
    """Return how many pairs are proven, and by what, unless every proof was checked."""
    text = f"Proven: {proofs.optimal} of {proofs.pairs} {what}"
    if not proofs.by_word:
        return text
    words = [f"{times} by the word of {solver}" for solver, times in proofs.by_word.items()]
    return ", ".join([text, f"{proofs.certified} by a checked proof", *words])


def certified_text(certified: int, pairs: int) -> str:
    """Return the number of pairs of graphs with a certified score."""
    return f"{certified} of {counted(pairs, 'pair')} of graphs certified"


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


def reading_notes(study: Study) -> list[str]:
    """Return notes on unreadable graphs, and the number of graphs with notes."""
    notes = [f"Unreadable: {_without_folders(reason, study)}" for reason in study.unread]
    counts = [
        f"{name} {study.ill_formed[name]}" for name in study.places if name in study.ill_formed
    ]
    if counts:
        what = "their pairs count 0 in macro F1 only, unless choices say otherwise"
        notes.append(f"Ill-formed graphs: {', '.join(counts)}; {what}.")
    if study.remarks:
        notes.append(f"Notes on graphs, printed on standard error: {len(study.remarks)}.")
    return notes


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
