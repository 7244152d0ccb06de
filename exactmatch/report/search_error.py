"""The report on search error: what heuristics lose, in tables like the paper's and by what."""

from collections.abc import Mapping
from math import fsum
from statistics import fmean

import numpy as np

from exactmatch.report.document import Cell, Chart, Column, Plot, Provenance, Report, Series, Table
from exactmatch.report.notes import limits, proven, reading_notes
from exactmatch.studies.search_error import Losses, SearchError, by_size, losses
from exactmatch.studies.sources import FilePair

EXACT = "exact"
#: Variables of the larger graph, for the table by size.
_SIZES = (5, 10, 15, 20, 30, 50, 100, 200)


def search_error_report(study: SearchError, provenance: Provenance, top: int) -> Report:
    """Return the report; the table of the worst pairs shows *top* rows."""
    trials = study.every_trial()
    lost = {method: losses(trials, method) for method in study.methods}
    tables = [_methods(study, lost), _scores(study), _sizes(study), _orders(study)]
    if len(study.trials) > 1:
        tables.append(_rankings(study))
    tables.append(_worst(study, top))
    return Report(
        study="search-error",
        title="Search error",
        tables=tables,
        provenance=provenance,
        notes=_notes(study),
        plots=_plots(study, lost),
    )


def _notes(study: SearchError) -> list[str]:
    scores = list(study.scores.values())
    notes = [f"{proven(scores)}; {study.seeds} seeds for each method."]
    if any(score.optimal < score.pairs for score in scores):
        gap = sum(score.gap for score in scores)
        notes.append(f"Losses are counted from the best mapping known; up to {gap} more triples.")
    scale = scores[0].metric.scale
    if scale != 1:
        notes.append(f"Triples are counted in 1/{scale} of a triple.")
    skipped = sum(score.skipped for score in scores)
    if skipped:
        notes.append(f"Pairs of which a graph is missing or cannot be read: {skipped}.")
    return [*notes, *limits(scores), *reading_notes(study.study)]


def _methods(study: SearchError, lost: Mapping[str, Losses]) -> Table:
    columns = [
        Column("method", "method"),
        Column("documents_right", "scores right", "percent"),
        Column("pairs_right", "pairs right", "percent"),
        Column("triples", "triples lost"),
        Column("triples_worst", "worst seed"),
        Column("f1", "F1 lost"),
        Column("f1_worst", "worst seed"),
        Column("seconds", "seconds", "seconds"),
    ]
    rows: list[list[Cell]] = [
        [
            method,
            row.documents_right / row.documents,
            row.right / row.runs,
            row.triples,
            row.worst,
            row.f1,
            row.f1_worst,
            row.seconds,
        ]
        for method, row in lost.items()
    ]
    trials = study.every_trial()
    share = trials.scores.optimal / len(trials)
    seconds = fsum(trials.scores.seconds.tolist())
    rows.append([EXACT, trials.proven_documents, share, 0.0, 0, 0.0, 0.0, seconds])
    length = f"{study.document} consecutive pairs" if study.document else "a pair of files"
    return Table(
        "methods",
        "What the methods find",
        columns,
        rows,
        f"A score is that of {length}; it is right if no triple is lost. Triples and F1 are "
        "those of all pairs in one run, the mean over seeds and the worst seed. Seconds are from "
        f"the triples to the score, for all pairs once. The row {EXACT} gives the shares proven.",
    )


def _scores(study: SearchError) -> Table:
    names = [_named(pair) for pair in study.trials]
    columns = [Column("method", "method"), *(Column(name, name) for name in names)]
    rows: list[list[Cell]] = [
        [method, *(fmean(study.f1(pair, method)) for pair in study.trials)]
        for method in study.methods
    ]
    rows.append([EXACT, *(score.f1 for score in study.scores.values())])
    rows.append([f"{EXACT}, at most", *(score.f1_upper for score in study.scores.values())])
    return Table("scores", "Micro F1 by method", columns, rows, "Mean over seeds.")


def _sizes(study: SearchError) -> Table:
    columns = [
        Column("variables", "variables"),
        Column("pairs", "pairs"),
        Column("method", "method"),
        Column("pairs_right", "pairs right", "percent"),
        Column("triples", "triples lost a pair"),
        Column("f1", "F1 lost"),
    ]
    rows: list[list[Cell]] = []
    for size, trials in by_size(study.every_trial(), _SIZES).items():
        for method in study.methods:
            row = losses(trials, method)
            share = row.right / row.runs
            rows.append([size, len(trials), method, share, row.triples / len(trials), row.f1])
    return Table(
        "sizes",
        "Loss by the size of the graphs",
        columns,
        rows,
        "Variables of the larger graph of a pair.",
    )


def _orders(study: SearchError) -> Table:
    columns = [
        Column("method", "method"),
        Column("pairs_right", "pairs right", "percent"),
        Column("triples", "triples lost"),
        Column("pairs_right_swapped", "right, swapped", "percent"),
        Column("triples_swapped", "lost, swapped"),
        Column("different", "pairs that differ", "percent"),
    ]
    trials = study.every_trial()
    rows: list[list[Cell]] = []
    for method in study.methods:
        forth, back = losses(trials, method), losses(trials, method, back=True)
        found = trials.found[method]
        differ = np.count_nonzero((found.forth != found.back).any(axis=1))
        rows.append(
            [
                method,
                forth.right / forth.runs,
                forth.triples,
                back.right / back.runs,
                back.triples,
                float(differ / len(trials)),
            ]
        )
    return Table(
        "orders",
        "Loss by the order of the files",
        columns,
        rows,
        "Swapped: the second file judged by the first, with the same seeds.",
    )


def _rankings(study: SearchError) -> Table:
    columns = [
        Column("method", "method"),
        Column("right", "rankings right"),
        Column("seeds", "of"),
    ]
    rows: list[list[Cell]] = [
        [method, study.rankings_right(method), study.seeds] for method in study.methods
    ]
    return Table(
        "rankings",
        "Do the files come in the order of their exact scores?",
        columns,
        rows,
        "For each seed, the comparisons of files are sorted by their F1.",
    )


def _worst(study: SearchError, top: int) -> Table:
    columns = [
        Column("files", "files"),
        Column("item", "item"),
        Column("method", "method"),
        Column("best", "best"),
        Column("found", "found"),
        Column("lost", "lost"),
        Column("f1_lost", "F1 lost"),
    ]
    rows: list[list[Cell]] = []
    for pair, trials in study.trials.items():
        best, totals = trials.best, trials.scores.totals
        for method in study.methods:
            found = trials.found[method].forth.min(axis=1)
            shares = 2 * (best - found) / np.maximum(totals, 1)
            # Those that are equal to the last one shown are sorted with it.
            least = np.sort(shares)[-top:][0] if top else np.inf
            for k in np.flatnonzero((found < best) & (shares >= least)).tolist():
                item = trials.scores.names[int(trials.scores.items[k])]
                lost = int(best[k] - found[k])
                counts = (int(best[k]), int(found[k]), lost)
                rows.append([_named(pair), item, method, *counts, float(shares[k])])
    rows.sort(key=lambda row: (-float(row[6] or 0), str(row[0]), str(row[1]), str(row[2])))
    return Table(
        "worst", "The greatest losses on a pair", columns, rows[:top], "Of the worst seed."
    )


def _plots(study: SearchError, lost: Mapping[str, Losses]) -> list[Plot]:
    groups = by_size(study.every_trial(), _SIZES)
    series = []
    for method in study.methods:
        mean = [losses(trials, method).f1 for trials in groups.values()]
        series.append(Series(method, list(groups), mean))
    quality = [
        Series(method, [row.seconds], [row.right / row.runs]) for method, row in lost.items()
    ]
    seconds = fsum(study.every_trial().scores.seconds.tolist())
    quality.append(Series(EXACT, [seconds], [1.0]))
    size = "variables of the larger graph"
    return [
        Chart(
            "sizes",
            "Loss and size of the graphs",
            size,
            "F1 lost",
            series,
            categories=list(groups),
        ),
        Chart(
            "quality",
            "Time and quality",
            "seconds",
            "share of pairs right",
            quality,
            lines=False,
            log_x=True,
        ),
    ]


def _named(pair: FilePair) -> str:
    return " / ".join(pair)
