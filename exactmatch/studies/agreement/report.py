"""The report of an agreement study."""

from collections.abc import Callable, Sequence

from exactmatch.report.document import (
    Cell,
    Chart,
    Column,
    HeatMap,
    Linked,
    Plot,
    Provenance,
    Report,
    Series,
    Table,
)
from exactmatch.report.wording import between, listed
from exactmatch.studies.agreement.measure import Agreement, Compared, Frequent
from exactmatch.studies.agreement.report_layers import layer_tables
from exactmatch.studies.agreement.varying import SORTS
from exactmatch.studies.common.contest_table import contest_table, contests_plot
from exactmatch.studies.common.differences import Difference
from exactmatch.studies.common.notes import caveats, counted, proven, reading_notes, whole_items
from exactmatch.studies.common.pairs import ScoredPairs

#: What becomes of items that a file lacks, in words.
_MISSING = {
    "pairwise": "left out where the file is compared",
    "common": "left out everywhere",
    "empty": "compared as empty graphs",
}
#: So many differences are named for each item.
_NAMED = 3

_IN_SOME = "Counted is what holds under every best mapping and, in some, what may hold under one."


def agreement_report(agreement: Agreement, provenance: Provenance, top: int) -> Report:
    """Return the report; tables of items and confusions show the *top* rows."""
    tables = [
        _pairs(agreement),
        _matrix(agreement, "micro_f1", "Micro F1", lambda score: score.f1),
        _matrix(agreement, "macro_f1", "Macro F1 (mean of the items)", lambda s: s.macro_f1),
        _annotators(agreement),
        *_consensus(agreement),
        *layer_tables(agreement, top),
        _kinds(agreement),
        _disputed(agreement),
        *_confusions(agreement, top),
        *_lacking(agreement),
    ]
    return Report(
        study="agreement",
        title="Inter-annotator agreement",
        result=_result(agreement),
        tables=tables,
        provenance=provenance,
        notes=_notes(agreement),
        plots=_plots(agreement),
    )


def _result(agreement: Agreement) -> str:
    if len(agreement.compared) == 1:
        return _of_one_pair(agreement)
    found, agreed = agreement.among_people, agreement.with_consensus
    said = [f"Every two annotators agree at micro F1 {between(found.low, found.high)}"]
    ends = {"most": found.highest, "least": found.lowest}
    extreme = [f"{listed(pair)} {how}" for how, pair in ends.items() if pair is not None]
    if len(agreement.annotators) == 1:
        said = []
    elif extreme:
        said = [f"{said[0]} ({', '.join(extreme)})"]
    if agreed is not None:
        said.append(
            f"with {agreement.consensus} at {between(agreed.low, agreed.high)}"
            + (f" ({agreed.highest} most)" if agreed.highest is not None else "")
        )
    return f"{', '.join(said)}{_unproven(agreement)}."


def _of_one_pair(agreement: Agreement) -> str:
    ((one, other), compared), *_ = agreement.compared.items()
    f1 = between(compared.score.f1, compared.score.f1_upper)
    interval = ""
    if compared.interval is not None:
        ends = " to ".join(f"{end:.4f}" for end in compared.interval)
        interval = f" ({agreement.resampling.confidence:.0%} confidence interval {ends})"
    return f"{one} and {other} agree at micro F1 {f1}{interval}{_unproven(agreement)}."


def _unproven(agreement: Agreement) -> str:
    return "" if agreement.proofs.all_proven else "; not all pairs are proven"


def _notes(agreement: Agreement) -> list[str]:
    proofs = agreement.proofs
    notes = [f"{counted(agreement.study.items, 'item')}. {proven(proofs)}.", *caveats(proofs)]
    lacking = [
        f"{len(items)} of {name}" for name, items in agreement.study.lacking.items() if items
    ]
    if lacking:
        policy = _MISSING[agreement.study.missing]
        notes.append(
            f"Items that a file lacks ({', '.join(lacking)}) are {policy}; they are listed below."
        )
    first, *_ = agreement.compared.values()
    notes += whole_items(agreement.study, first.score.metric)
    return notes + reading_notes(agreement.study)


def _pairs(agreement: Agreement) -> Table:
    resampling = agreement.resampling
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
        [Linked(one, (one, other)), other, *_score_cells(compared)]
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


def _score_cells(compared: Compared) -> list[Cell]:
    score = compared.score
    low, high = compared.interval or (None, None)
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
    note = "Not all pairs are proven, so that the true F1 may be higher: see the table of pairs."
    return Table(key, title, columns, rows, note if agreement.proofs.gap else "")


def _annotators(agreement: Agreement) -> Table:
    columns = [
        Column("annotator", "annotator"),
        Column("items", "items"),
        Column("lacking", "lacking"),
        Column("micro_f1", "mean micro F1"),
        Column("macro_f1", "mean macro F1"),
        Column("consensus_f1", "micro F1 with consensus"),
    ]
    rows: list[list[Cell]] = [
        [one.name, one.items, one.lacking, one.micro_f1, one.macro_f1, one.consensus_f1]
        for one in agreement.annotators
    ]
    return Table(
        "annotators",
        "Each annotator",
        columns,
        rows,
        "Means over the other annotators, the consensus left out.",
    )


def _consensus(agreement: Agreement) -> list[Table]:
    """Return the tables that need a consensus: who is nearer to it, and its course in time."""
    tables = []
    if agreement.contests:
        title = "Annotators against each other, by their agreement with the consensus"
        tables.append(contest_table(agreement.contests, title, agreement.resampling))
    if agreement.months:
        tables.append(_months(agreement))
    return tables


def _months(agreement: Agreement) -> Table:
    columns = [
        Column("annotator", "annotator"),
        Column("month", "month"),
        Column("f1", "F1"),
        Column("f1_upper", "at most", upper_of="f1"),
        Column("matched", "matched"),
        Column("pairs", "pairs"),
    ]
    rows: list[list[Cell]] = [
        [annotator.name, month, score.f1, score.f1_upper, score.matched, score.pairs]
        for annotator in agreement.annotators
        for month, score in annotator.months.items()
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
        *(Column(f"{name}_some", "in some") for name in SORTS),
    ]
    rows: list[list[Cell]] = []
    for (one, other), compared in agreement.compared.items():
        rows += [
            [one, other, kind, *least, *most] for kind, (*least, most) in compared.kinds.items()
        ]
    note = f"{_IN_SOME}{_unlisted(agreement)}"
    return Table("kinds", "What differs under the best mappings", columns, rows, note)


def _unlisted(agreement: Agreement) -> str:
    """Return how many pairs have best mappings that were not looked at, in words."""
    if not agreement.unlisted:
        return ""
    return (
        f" Not all best mappings of {agreement.unlisted} pairs are known: for these, nothing is "
        "said of every one."
    )


def _disputed(agreement: Agreement) -> Table:
    columns = [
        Column("item", "item"),
        Column("mean_f1", "mean F1"),
        Column("lowest_f1", "lowest"),
        Column("lowest_files", "between"),
        Column("differences", "differences"),
        Column("differences_some", "in some"),
        Column("most_frequent", "most frequent"),
    ]
    rows: list[list[Cell]] = [
        [
            Linked(item.name, item.lowest, item.name),
            item.mean_f1,
            item.lowest_f1,
            Linked(" / ".join(item.lowest), item.lowest, item.name),
            item.differences,
            item.differences_some,
            _named(item.most_frequent),
        ]
        for item in agreement.disputed
    ]
    title = "The items on which people disagree most"
    return Table("items", title, columns, rows, _IN_SOME)


def _named(found: Sequence[Frequent]) -> str:
    return "; ".join(
        f"{_worded(difference)} ({least if least == most else f'{least}..{most}'})"
        for difference, least, most in found[:_NAMED]
    )


def _confusions(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables of relabelled triples, and of those that only one of two has."""
    kind, one = Column("kind", "triples"), Column("one", "one says")
    times = [Column("times", "times"), Column("times_some", "in some")]
    columns = [kind, one, Column("other", "the other says"), *times]
    confused: list[list[Cell]] = [[*found, *n] for found, *n in agreement.relabelled[:top]]
    omitted: list[list[Cell]] = [[d.kind, d.system, *n] for d, *n in agreement.omitted[:top]]
    note = f"Over every two annotators. {_IN_SOME}{_unlisted(agreement)}"
    return [
        Table("confusions", "What is taken for what", columns, confused, note),
        Table("omissions", "What only one of two has", [kind, one, *times], omitted, note),
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
    if agreement.contests:
        ranked = [*agreement.by_consensus]
        title = "Who agrees better with the consensus"
        plots.append(contests_plot(ranked, agreement.contests, agreement.resampling, title))
    series = [
        Series(one.name, list(one.months), [score.f1 for score in one.months.values()])
        for one in agreement.annotators
        if one.months
    ]
    if series:
        title = "Agreement with the consensus"
        chart = Chart("months", title, "month", "micro F1", series, categories=agreement.months)
        plots.append(chart)
    return plots


def _everyone(agreement: Agreement) -> list[str]:
    names = [annotator.name for annotator in agreement.annotators]
    return names if agreement.consensus is None else [*names, agreement.consensus]


def _worded(difference: Difference) -> str:
    if difference.system is None or difference.gold is None:
        return f"only {difference.system or difference.gold}"
    return f"{difference.system} / {difference.gold}"
