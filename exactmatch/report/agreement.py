"""The report of an agreement study."""

from collections import Counter
from collections.abc import Callable, Mapping
from statistics import fmean

from exactmatch.report.document import (
    Cell,
    Chart,
    Column,
    HeatMap,
    Plot,
    Provenance,
    Report,
    Series,
    Table,
)
from exactmatch.report.notes import caveats, proven, reading_notes
from exactmatch.report.ranking import contest_table
from exactmatch.studies.agreement import Agreement
from exactmatch.studies.columns import ScoredPairs
from exactmatch.studies.differences import Difference
from exactmatch.studies.ranking import contests
from exactmatch.studies.statistics import Resampling, confidence_interval

#: What becomes of items that a file lacks, in words.
_MISSING = {
    "pairwise": "left out where the file is compared",
    "common": "left out everywhere",
    "empty": "compared as empty graphs",
}
#: So many differences are named for each item.
_NAMED = 3


def agreement_report(
    agreement: Agreement, provenance: Provenance, resampling: Resampling, top: int
) -> Report:
    """Return the report; tables of items and confusions show the *top* rows."""
    tables = [
        _pairs(agreement, resampling),
        _matrix(agreement, "micro_f1", "Micro F1", lambda score: score.f1),
        _matrix(agreement, "macro_f1", "Macro F1 (mean of the items)", lambda s: s.macro_f1),
        _annotators(agreement),
        *_consensus(agreement, resampling),
        _kinds(agreement),
        _disputed(agreement),
        *_confusions(agreement, top),
        *_lacking(agreement),
    ]
    return Report(
        study="agreement",
        title="Inter-annotator agreement",
        tables=tables,
        provenance=provenance,
        notes=_notes(agreement),
        plots=_plots(agreement),
    )


def _notes(agreement: Agreement) -> list[str]:
    scores = [compared.score for compared in agreement.compared.values()]
    notes = [f"{agreement.study.items} items. {proven(scores)}.", *caveats(scores)]
    if any(agreement.study.lacking.values()):
        policy = _MISSING[agreement.study.missing]
        notes.append(f"Items that a file lacks are {policy}; they are listed below.")
    return notes + reading_notes(agreement.study)


def _pairs(agreement: Agreement, resampling: Resampling) -> Table:
    columns = [
        Column("first", "first"),
        Column("second", "second"),
        Column("f1", "F1"),
        Column("f1_upper", "at most", upper_of="f1"),
        Column("f1_low", "from"),
        Column("f1_high", "to"),
        Column("macro_f1", "macro F1"),
        Column("macro_f1_upper", "at most", upper_of="macro_f1"),
        Column("matched", "matched"),
        Column("matched_upper", "at most", upper_of="matched"),
        Column("first_total", "triples of first"),
        Column("second_total", "of second"),
        Column("pairs", "pairs"),
        Column("proven", "proven"),
    ]
    rows = [
        [one, other, *_score_cells(compared.score, resampling)]
        for (one, other), compared in agreement.compared.items()
    ]
    return Table(
        "pairs",
        "Agreement of every two annotators",
        columns,
        rows,
        f"F1 is micro-averaged over items; from/to is its {resampling.confidence:.0%} confidence "
        f"interval (BCa bootstrap over items, {resampling.resamples} resamples, "
        f"seed {resampling.seed}).",
    )


def _score_cells(score: ScoredPairs, resampling: Resampling) -> list[Cell]:
    interval = confidence_interval(score.resampled(), resampling)
    low, high = interval or (None, None)
    return [
        score.f1,
        score.f1_upper,
        low,
        high,
        score.macro_f1,
        score.macro_f1_upper,
        score.matched,
        score.matched_upper,
        score.system_total,
        score.gold_total,
        score.pairs,
        score.optimal,
    ]


def _matrix(
    agreement: Agreement, key: str, title: str, f1: Callable[[ScoredPairs], float]
) -> Table:
    names = _everyone(agreement)
    columns = [Column("annotator", ""), *(Column(name, name) for name in names)]
    rows: list[list[Cell]] = [
        [one, *(None if one == other else f1(agreement.score(one, other)) for other in names)]
        for one in names
    ]
    gap = any(compared.score.gap for compared in agreement.compared.values())
    note = "Not all pairs are proven, so that the true F1 may be higher: see the table of pairs."
    return Table(key, title, columns, rows, note if gap else "")


def _annotators(agreement: Agreement) -> Table:
    columns = [
        Column("annotator", "annotator"),
        Column("items", "items"),
        Column("lacking", "lacking"),
        Column("micro_f1", "mean micro F1"),
        Column("macro_f1", "mean macro F1"),
        Column("consensus_f1", "micro F1 with consensus"),
    ]
    rows: list[list[Cell]] = []
    lacking = agreement.study.lacking
    for name in agreement.annotators:
        several = len(agreement.annotators) > 1
        consensus = agreement.consensus
        rows.append(
            [
                name,
                agreement.study.held(name),
                len(lacking[name]),
                agreement.mean_f1(name, lambda score: score.f1) if several else None,
                agreement.mean_f1(name, lambda score: score.macro_f1) if several else None,
                agreement.score(name, consensus).f1 if consensus else None,
            ]
        )
    return Table(
        "annotators",
        "Each annotator",
        columns,
        rows,
        "Means over the other annotators, the consensus left out.",
    )


def _consensus(agreement: Agreement, resampling: Resampling) -> list[Table]:
    """Return the tables that need a consensus: who is nearer to it, and its course in time."""
    if agreement.consensus is None:
        return []
    scores = {one: agreement.score(one, other) for one, other in agreement.with_consensus()}
    tables = []
    if len(scores) > 1:
        best_first = dict(sorted(scores.items(), key=lambda entry: -entry[1].f1))
        tables.append(
            contest_table(
                contests(best_first, resampling),
                "Annotators against each other, by their agreement with the consensus",
                resampling,
            )
        )
    months = {name: agreement.by_month(name) for name in agreement.annotators}
    if any(months.values()):
        tables.append(_months(months))
    return tables


def _months(months: Mapping[str, Mapping[str, ScoredPairs]]) -> Table:
    columns = [
        Column("annotator", "annotator"),
        Column("month", "month"),
        Column("f1", "F1"),
        Column("f1_upper", "at most", upper_of="f1"),
        Column("matched", "matched"),
        Column("pairs", "pairs"),
    ]
    rows: list[list[Cell]] = [
        [name, month, score.f1, score.f1_upper, score.matched, score.pairs]
        for name, scores in months.items()
        for month, score in scores.items()
    ]
    return Table(
        "months",
        "Agreement with the consensus over time",
        columns,
        rows,
        "By the date in the metadata of the annotator's graph; graphs without date are left out.",
    )


def _kinds(agreement: Agreement) -> Table:
    columns = [
        Column("first", "first"),
        Column("second", "second"),
        Column("kind", "triples"),
        Column("relabelled", "relabelled"),
        Column("surplus", "only first"),
        Column("missing", "only second"),
    ]
    rows: list[list[Cell]] = []
    for (one, other), compared in agreement.compared.items():
        rows += [[one, other, kind, *counts] for kind, counts in compared.kinds.items()]
    return Table(
        "kinds",
        "What differs under the best mapping",
        columns,
        rows,
        "Of several best mappings, the one found counts.",
    )


def _disputed(agreement: Agreement) -> Table:
    columns = [
        Column("item", "item"),
        Column("mean_f1", "mean F1"),
        Column("lowest_f1", "lowest"),
        Column("differences", "differences"),
        Column("most_frequent", "most frequent"),
    ]
    rows: list[list[Cell]] = []
    for item in agreement.disputed:
        found = item.differences
        named = [f"{_worded(d)} ({times})" for d, times in _most(found, _NAMED)]
        rows.append([item.name, fmean(item.f1), min(item.f1), found.total(), "; ".join(named)])
    return Table("items", "The items on which people disagree most", columns, rows)


def _confusions(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables of relabelled triples, and of those that only one of two has."""
    found = agreement.confusions
    relabelled = Counter({d: n for d, n in found.items() if d.gold is not None})
    kind, times = Column("kind", "triples"), Column("times", "times")
    columns = [kind, Column("one", "one says"), Column("other", "the other says"), times]
    confused: list[list[Cell]] = [[d.kind, d.system, d.gold, n] for d, n in _most(relabelled, top)]
    omitted: list[list[Cell]] = [[d.kind, d.system, n] for d, n in _most(found - relabelled, top)]
    note = "Over every two annotators."
    return [
        Table("confusions", "What is taken for what", columns, confused, note),
        Table("omissions", "What only one of two has", [kind, columns[1], times], omitted, note),
    ]


def _lacking(agreement: Agreement) -> list[Table]:
    rows: list[list[Cell]] = [
        [name, item] for name, items in agreement.study.lacking.items() for item in items
    ]
    columns = [Column("file", "file"), Column("item", "item")]
    return [Table("lacking", "Items that a file lacks", columns, rows)] if rows else []


def _plots(agreement: Agreement) -> list[Plot]:
    names = _everyone(agreement)
    values = [
        [None if one == other else agreement.score(one, other).f1 for other in names]
        for one in names
    ]
    plots: list[Plot] = [HeatMap("agreement", "Agreement (micro F1)", names, values)]
    if agreement.consensus is not None:
        courses = [(name, agreement.by_month(name)) for name in agreement.annotators]
        series = [
            Series(name, list(months), [score.f1 for score in months.values()])
            for name, months in courses
            if months
        ]
        if series:
            title = "Agreement with the consensus"
            months = sorted({month for _, scores in courses for month in scores})
            plots.append(Chart("months", title, "month", "micro F1", series, categories=months))
    return plots


def _everyone(agreement: Agreement) -> list[str]:
    return [*agreement.annotators, *([agreement.consensus] if agreement.consensus else [])]


def _most(found: Counter[Difference], top: int) -> list[tuple[Difference, int]]:
    return sorted(
        found.items(), key=lambda e: (-e[1], e[0].kind, e[0].system or "", e[0].gold or "")
    )[:top]


def _worded(difference: Difference) -> str:
    if difference.system is None or difference.gold is None:
        return f"only {difference.system or difference.gold}"
    return f"{difference.system} / {difference.gold}"
