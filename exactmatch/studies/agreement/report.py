"""The report of an agreement study."""

from collections.abc import Callable, Sequence

from exactmatch.report.document import (
    Chart,
    Column,
    HeatMap,
    Linked,
    Plot,
    Provenance,
    Report,
    Rows,
    Series,
    Table,
    at_most,
)
from exactmatch.report.wording import between, listed
from exactmatch.studies.agreement.measure import Agreement, Frequent
from exactmatch.studies.agreement.report_layers import layer_tables
from exactmatch.studies.common.contest_table import contest_table, contests_plot
from exactmatch.studies.common.differences import Difference
from exactmatch.studies.common.notes import (
    caveats,
    counted,
    interval_text,
    proven,
    reading_notes,
    whole_items,
)
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
        return _result_of_one_pair(agreement)
    people, agreed = agreement.among_people, agreement.with_consensus
    said = [f"Every two annotators agree at micro F1 {between(people.low, people.high)}"]
    ends = {"most": people.highest, "least": people.lowest}
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


def _result_of_one_pair(agreement: Agreement) -> str:
    ((one, other), compared), *_ = agreement.compared.items()
    f1 = between(compared.score.f1, compared.score.f1_upper)
    interval = interval_text(compared.interval, agreement.resampling)
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
    return Rows(agreement.compared.items()).table(
        "pairs",
        "Agreement of every two annotators",
        [
            Column("first", "first", lambda files, _: Linked(files[0], files)),
            Column("second", "second", lambda files, _: files[1]),
            Column("f1", "F1", lambda _, both: both.score.f1),
            at_most("f1", lambda _, both: both.score.f1_upper),
            Column("f1_low", "from", lambda _, both: both.interval and both.interval[0]),
            Column("f1_high", "to", lambda _, both: both.interval and both.interval[1]),
            Column("macro_f1", "macro F1", lambda _, both: both.score.macro_f1),
            at_most("macro_f1", lambda _, both: both.score.macro_f1_upper),
            Column("matched", "matched", lambda _, both: both.score.matched),
            at_most("matched", lambda _, both: both.score.matched_upper),
            Column("first_total", "triples of first", lambda _, both: both.score.system_total),
            Column("second_total", "of second", lambda _, both: both.score.gold_total),
            Column("pairs", "pairs", lambda _, both: both.score.pairs),
            Column("proven", "proven", lambda _, both: both.score.optimal),
        ],
        f"F1 is micro-averaged over items; from/to is its {resampling.confidence:.0%} confidence "
        f"interval (BCa bootstrap over items, {resampling.resamples} resamples, "
        f"seed {resampling.seed}).",
    )


def _matrix(
    agreement: Agreement, key: str, title: str, f1: Callable[[ScoredPairs], float]
) -> Table:
    def with_other(other: str) -> Column[str]:
        return Column(
            other, other, lambda one: None if one == other else f1(agreement.score(one, other))
        )

    names = _everyone(agreement)
    columns = [Column("annotator", "", lambda one: one), *map(with_other, names)]
    rows = [(name,) for name in names]
    note = "Not all pairs are proven, so that the true F1 may be higher: see the table of pairs."
    return Rows(rows).table(key, title, columns, note if agreement.proofs.gap else "")


def _annotators(agreement: Agreement) -> Table:
    return Rows((one,) for one in agreement.annotators).table(
        "annotators",
        "Each annotator",
        [
            Column("annotator", "annotator", lambda one: one.name),
            Column("items", "items", lambda one: one.items),
            Column("lacking", "lacking", lambda one: one.lacking),
            Column("micro_f1", "mean micro F1", lambda one: one.micro_f1),
            Column("macro_f1", "mean macro F1", lambda one: one.macro_f1),
            Column("consensus_f1", "micro F1 with consensus", lambda one: one.consensus_f1),
        ],
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
    return Rows(
        (annotator, month, score)
        for annotator in agreement.annotators
        for month, score in annotator.months.items()
    ).table(
        "months",
        "Agreement with the consensus over time",
        [
            Column("annotator", "annotator", lambda annotator, month, score: annotator.name),
            Column("month", "month", lambda annotator, month, score: month),
            Column("f1", "F1", lambda annotator, month, score: score.f1),
            at_most("f1", lambda annotator, month, score: score.f1_upper),
            Column("matched", "matched", lambda annotator, month, score: score.matched),
            Column("pairs", "pairs", lambda annotator, month, score: score.pairs),
        ],
        "By the date in the metadata of the annotator's graph; graphs without date are left out.",
    )


def _kinds(agreement: Agreement) -> Table:
    return Rows(
        (files, kind, counts)
        for files, both in agreement.compared.items()
        for kind, counts in both.kinds.items()
    ).table(
        "kinds",
        "What differs under the best mappings",
        [
            Column("first", "first", lambda files, kind, counts: files[0]),
            Column("second", "second", lambda files, kind, counts: files[1]),
            Column("kind", "triples", lambda files, kind, counts: kind),
            Column("relabelled", "relabelled", lambda files, kind, counts: counts.relabelled),
            Column("surplus", "only first", lambda files, kind, counts: counts.surplus),
            Column("missing", "only second", lambda files, kind, counts: counts.missing),
            Column(
                "relabelled_some", "relabelled in some", lambda files, kind, counts: counts.most[0]
            ),
            Column(
                "surplus_some", "only first in some", lambda files, kind, counts: counts.most[1]
            ),
            Column(
                "missing_some", "only second in some", lambda files, kind, counts: counts.most[2]
            ),
        ],
        f"{_IN_SOME}{_unlisted(agreement)}",
    )


def _unlisted(agreement: Agreement) -> str:
    """Return how many pairs have best mappings that were not looked at, in words."""
    if not agreement.unlisted:
        return ""
    return (
        f" Not all best mappings of {agreement.unlisted} pairs are known: for these, nothing is "
        "said of every one."
    )


def _disputed(agreement: Agreement) -> Table:
    return Rows((item,) for item in agreement.disputed).table(
        "items",
        "The items on which people disagree most",
        [
            Column("item", "item", lambda item: Linked(item.name, item.lowest, item.name)),
            Column("mean_f1", "mean F1", lambda item: item.mean_f1),
            Column("lowest_f1", "lowest", lambda item: item.lowest_f1),
            Column(
                "lowest_files",
                "between",
                lambda item: Linked(" / ".join(item.lowest), item.lowest, item.name),
            ),
            Column("differences", "differences", lambda item: item.differences),
            Column("differences_some", "in some", lambda item: item.differences_some),
            Column("most_frequent", "most frequent", lambda item: _named(item.most_frequent)),
        ],
        _IN_SOME,
    )


def _named(differences: Sequence[Frequent]) -> str:
    return "; ".join(
        f"{_worded(difference)} ({least if least == most else f'{least}..{most}'})"
        for difference, least, most in differences[:_NAMED]
    )


def _confusions(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables of relabelled triples, and of those that only one of two has."""
    kind: Column[Frequent] = Column("kind", "triples", lambda one: one.difference.kind)
    said: Column[Frequent] = Column("one", "one says", lambda one: one.difference.system)
    other: Column[Frequent] = Column("other", "the other says", lambda one: one.difference.gold)
    times: list[Column[Frequent]] = [
        Column("times", "times", lambda one: one.times),
        Column("times_some", "in some", lambda one: one.times_some),
    ]
    confused = [(one,) for one in agreement.relabelled[:top]]
    omitted = [(one,) for one in agreement.omitted[:top]]
    note = f"Over every two annotators. {_IN_SOME}{_unlisted(agreement)}"
    columns = [kind, said, other, *times]
    return [
        Rows(confused).table("confusions", "What is taken for what", columns, note),
        Rows(omitted).table("omissions", "What only one of two has", [kind, said, *times], note),
    ]


def _lacking(agreement: Agreement) -> list[Table]:
    rows = [(name, item) for name, items in agreement.study.lacking.items() for item in items]
    columns: list[Column[str, str]] = [
        Column("file", "file", lambda file, _: file),
        Column("item", "item", lambda _, item: item),
    ]
    return [Rows(rows).table("lacking", "Items that a file lacks", columns)] if rows else []


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
