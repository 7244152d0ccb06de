"""The report of an agreement study."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from exactmatch.report.document import (
    Chart,
    Column,
    Estimate,
    Forest,
    Linked,
    Plot,
    Provenance,
    Report,
    Rows,
    Series,
    Table,
    at_most,
)
from exactmatch.report.wording import between, counted, listed
from exactmatch.studies.agreement.means import MeanAgreement
from exactmatch.studies.agreement.measure import Agreement, Frequent
from exactmatch.studies.agreement.report_chance import chance_notes, chance_plots, chance_tables
from exactmatch.studies.agreement.report_groups import (
    group_tables,
    groups_plot,
    groups_sentence,
    scores_table,
)
from exactmatch.studies.agreement.report_layers import layer_tables
from exactmatch.studies.agreement.report_sentence import agreement_sentence
from exactmatch.studies.agreement.similar import SimilarConcepts
from exactmatch.studies.common.contest_table import contest_table, contests_plot
from exactmatch.studies.common.differences import Difference
from exactmatch.studies.common.notes import (
    apart,
    caveats,
    proven,
    reading_notes,
    whole_items,
    word_columns,
)
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import Resampling

#: The number of differences that are named for each item.
_NAMED = 3

_IN_SOME = (
    "The numbers hold under every best mapping; those marked 'in some' may hold under one of them."
)


def agreement_report(agreement: Agreement, provenance: Provenance, top: int) -> Report:
    """Return the report; tables of items and confusions show the *top* rows."""
    tables = [
        _means(agreement),
        _pairs(agreement),
        *chance_tables(agreement.chance, agreement.resampling),
        *group_tables(agreement.group_means, agreement.chance, agreement.resampling),
        _matrix(agreement, "micro_f1", "Micro F1", lambda score: score.f1),
        _matrix(agreement, "macro_f1", "Macro F1 (mean of the items)", lambda s: s.macro_f1),
        _annotators(agreement),
        *_consensus(agreement),
        *layer_tables(agreement, top),
        _kinds(agreement),
        _disputed(agreement),
        *_confusions(agreement, top),
        *_similar(agreement, top),
        *_lacking(agreement),
    ]
    sentence = _sentence(agreement)
    return Report(
        "agreement",
        "Inter-annotator agreement",
        sentence,
        tables,
        provenance,
        sentence=sentence,
        notes=_notes(agreement),
        plots=_plots(agreement),
    )


def _sentence(agreement: Agreement) -> str:
    first, *_ = agreement.compared.values()
    said = agreement_sentence(agreement.means, first.score.metric.title, agreement.chance)
    return f"{said} {groups_sentence(agreement.group_means, agreement.chance)}".rstrip()


def _extremes(agreement: Agreement) -> str:
    """Return the range of pairwise agreement, and who agrees most and least."""
    people, agreed = agreement.among_people, agreement.with_consensus
    said = [f"Pairwise agreement {_range(people.low, people.high)}"]
    ends = {"highest": people.highest, "lowest": people.lowest}
    extreme = [f"{how}: {listed(pair)}" for how, pair in ends.items() if pair is not None]
    if extreme:
        said = [f"{said[0]} ({', '.join(extreme)})"]
    if agreed is not None:
        said.append(
            f"agreement with {agreement.consensus} {_range(agreed.low, agreed.high)}"
            + (f" (highest: {agreed.highest})" if agreed.highest is not None else "")
        )
    return f"{'; '.join(said)}{_unproven(agreement)}."


def _range(low: float, high: float) -> str:
    """Return ``ranges from 0.6500 to 0.7800 micro F1``, or ``is 0.7000 micro F1``."""
    return f"{'is' if low == high else 'ranges from'} {between(low, high)} micro F1"


def _unproven(agreement: Agreement) -> str:
    return "" if agreement.proofs.all_proven else "; not all pairs are proven"


def _notes(agreement: Agreement) -> list[str]:
    proofs = agreement.proofs
    notes = [f"{counted(agreement.study.items, 'item')}. {proven(proofs)}."]
    if len(agreement.compared) > 1:
        notes.append(_extremes(agreement))
    notes += [*apart(agreement.apart), *caveats(proofs)]
    lacking = [
        f"{len(items)} of {name}" for name, items in agreement.study.lacking.items() if items
    ]
    if lacking:
        policy = agreement.study.missing_policy.words
        notes.append(
            f"Items that a file lacks ({', '.join(lacking)}) are {policy}; the last table lists "
            "them."
        )
    first, *_ = agreement.compared.values()
    notes += chance_notes(agreement.chance)
    notes += whole_items(agreement.study, first.score.metric)
    return notes + reading_notes(agreement.study, [first.score.metric], agreement.compared)


def _means(agreement: Agreement) -> Table:
    means, resampling = agreement.means, agreement.resampling
    rows = [("every two", means.among)] if means.among is not None else []
    if means.with_consensus is not None:
        rows.append((f"each with {means.consensus}", means.with_consensus))

    def ends(name: str, end: int) -> Callable[[str, MeanAgreement], float | None]:
        def of(_: str, mean: MeanAgreement) -> float | None:
            interval = getattr(mean, name).interval
            return None if interval is None else float(interval[end])

        return of

    return Rows(rows).table(
        "agreement",
        "Mean agreement",
        [
            Column("between", "", lambda between, _: between),
            Column("f1", "mean F1", lambda _, mean: mean.micro.value),
            at_most("f1", lambda _, mean: mean.micro.upper),
            Column("f1_low", "from", ends("micro", 0), if_known=True),
            Column("f1_high", "to", ends("micro", 1), if_known=True),
            Column("macro_f1", "macro F1", lambda _, mean: mean.macro.value),
            at_most("macro_f1", lambda _, mean: mean.macro.upper),
            Column("macro_f1_low", "from", ends("macro", 0), if_known=True),
            Column("macro_f1_high", "to", ends("macro", 1), if_known=True),
            Column("certified", "certified", lambda _, mean: mean.certified),
            *word_columns(_scores(agreement), lambda _, mean: mean.by_word),
            Column("pairs", "of pairs", lambda _, mean: mean.pairs),
            Column("items", "items", lambda _, mean: mean.items),
            Column("annotators", "annotators", lambda _, mean: mean.annotators),
            Column("files", "pairs of files", lambda _, mean: len(mean.files)),
            Column("proven", "proven", lambda _, mean: mean.optimal),
        ],
        "Means over pairs of files with equal weights: of their F1, micro-averaged over items, "
        f"and of their macro F1. From/to: {_interval_note(resampling)}. Certified pairs of graphs "
        "are proven, and their proof was checked.",
    )


def _scores(agreement: Agreement) -> list[ScoredPairs]:
    return [both.score for both in agreement.compared.values()]


def _interval_note(resampling: Resampling) -> str:
    return (
        f"{resampling.percent} confidence interval (BCa bootstrap over items, "
        f"{resampling.resamples} resamples, seed {resampling.seed})"
    )


def _pairs(agreement: Agreement) -> Table:
    return Rows(agreement.compared.items()).table(
        "pairs",
        "Pairwise agreement",
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
            Column("certified", "certified", lambda _, both: both.score.certified),
            *word_columns(_scores(agreement), lambda _, both: both.score.by_word),
        ],
        f"F1 is micro-averaged over items; from/to is its {_interval_note(agreement.resampling)}.",
    )


def _matrix(
    agreement: Agreement, key: str, title: str, f1: Callable[[ScoredPairs], float]
) -> Table:
    """Return the table of pairs as a square, for programs and for papers."""

    def with_other(other: str) -> Column[str]:
        def of(one: str) -> float | None:
            score = agreement.score(one, other)
            return None if score is None else f1(score)

        return Column(other, other, of)

    names = _everyone(agreement)
    columns = [Column("annotator", "", lambda one: one), *map(with_other, names)]
    rows = [(name,) for name in names]
    note = "Not all pairs are proven, so the true F1 may be higher: see the table of pairs."
    table = Rows(rows).table(key, title, columns, note if agreement.proofs.gap else "")
    return replace(table, aside=True)


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
            Column(
                "consensus_f1",
                "micro F1 with consensus",
                lambda one: one.consensus_f1,
                if_known=True,
            ),
        ],
        "Means over the other "
        f"annotators{', without the consensus' if agreement.consensus is not None else ''}.",
    )


def _consensus(agreement: Agreement) -> list[Table]:
    """Return the tables that need a consensus: tests of annotators, and agreement over time."""
    tables = []
    if agreement.contests:
        title = "Differences between annotators in agreement with the consensus"
        tables.append(contest_table(agreement.contests, title, agreement.resampling))
    if any(agreement.group_scores.values()):
        tables.append(scores_table(agreement.group_scores, agreement.resampling))
    if agreement.months:
        tables.append(_months(agreement))
    return tables


def _months(agreement: Agreement) -> Table:
    return Rows(
        (annotator.name, month, found.score, found.interval)
        for annotator in agreement.annotators
        for month, found in annotator.months.items()
    ).table(
        "months",
        "Agreement with the consensus over time",
        [
            Column("annotator", "annotator", lambda annotator, month, score, ends: annotator),
            Column("month", "month", lambda annotator, month, score, ends: month),
            Column("f1", "F1", lambda annotator, month, score, ends: score.f1),
            at_most("f1", lambda annotator, month, score, ends: score.f1_upper),
            Column("f1_low", "from", lambda annotator, month, score, ends: ends and ends[0]),
            Column("f1_high", "to", lambda annotator, month, score, ends: ends and ends[1]),
            Column("matched", "matched", lambda annotator, month, score, ends: score.matched),
            Column("pairs", "pairs", lambda annotator, month, score, ends: score.pairs),
        ],
        "By the date in the metadata of the annotator's graph; graphs without a date are left "
        f"out. From/to: {_interval_note(agreement.resampling)}.",
    )


def _kinds(agreement: Agreement) -> Table:
    return Rows(
        (files, kind, counts)
        for files, both in agreement.compared.items()
        for kind, counts in both.kinds.items()
    ).table(
        "kinds",
        "Differences under the best mappings",
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
    """Return a note on the pairs whose best mappings were not all examined."""
    if not agreement.unlisted:
        return ""
    unlisted = counted(agreement.unlisted, "pair")
    return (
        f" For {unlisted}, not all best mappings are known: only the numbers "
        "marked 'in some' count their differences."
    )


def _disputed(agreement: Agreement) -> Table:
    return Rows((item,) for item in agreement.disputed).table(
        "items",
        "Items with the lowest agreement",
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
            Column(
                "most_frequent",
                "most frequent",
                lambda item: differences_text(item.most_frequent[:_NAMED]),
            ),
        ],
        _IN_SOME,
    )


def differences_text(differences: Sequence[Frequent]) -> str:
    """Return differences, each with how often it occurs under the best mappings."""
    return "; ".join(
        f"{_worded(difference)} ({least if least == most else f'{least}..{most}'})"
        for difference, least, most in differences
    )


def _confusions(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables of relabelled triples, and of triples that only one annotator has."""
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
        Rows(confused).table(
            "confusions",
            "Confusions: labels in one graph and their counterparts in the other",
            columns,
            note,
        ),
        Rows(omitted).table(
            "omissions",
            "Omissions: triples that only one annotator has",
            [kind, said, *times],
            note,
        ),
    ]


def _similar(agreement: Agreement, top: int) -> list[Table]:
    """Return the table of concepts that match in part, if there are any."""
    columns: list[Column[SimilarConcepts]] = [
        Column("one", "one says", lambda row: row.one),
        Column("other", "the other says", lambda row: row.other),
        Column("similarity", "similarity", lambda row: row.similarity),
        Column("times", "times", lambda row: row.times),
        Column("times_some", "in some", lambda row: row.times_some),
        Column("gain", "gain", lambda row: row.gain),
        Column("gain_some", "gain in some", lambda row: row.gain_some),
    ]
    note = (
        "The gain is what the partial matches of instance triples add to the micro F1 over every "
        "two annotators, as far as they are there under every best mapping. "
        f"{_IN_SOME}{_unlisted(agreement)}"
    )
    rows = [(row,) for row in agreement.similar[:top]]
    title = "Similar concepts: concepts that differ and match in part"
    return [Rows(rows).table("similar", title, columns, note)] if rows else []


def _lacking(agreement: Agreement) -> list[Table]:
    rows = [(name, item) for name, items in agreement.study.lacking.items() for item in items]
    columns: list[Column[str, str]] = [
        Column("file", "file", lambda file, _: file),
        Column("item", "item", lambda _, item: item),
    ]
    return [Rows(rows).table("lacking", "Items that a file lacks", columns)] if rows else []


def _plots(agreement: Agreement) -> list[Plot]:
    resampling = agreement.resampling
    level = f"{resampling.percent} confidence interval"
    plots: list[Plot] = [
        Forest("agreement", "Agreement", f"micro F1 with its {level}", _estimates(agreement))
    ]
    plots += chance_plots(agreement.chance)
    if agreement.contests:
        ranked = [*agreement.by_consensus]
        title = "Significance of differences in agreement with the consensus"
        plots.append(contests_plot(ranked, agreement.contests, resampling, title))
    series = [
        Series(
            one.name,
            list(one.months),
            [found.score.f1 for found in one.months.values()],
            [found.interval for found in one.months.values()],
        )
        for one in agreement.annotators
        if one.months
    ]
    if series:
        title, y = "Agreement with the consensus over time", f"micro F1 with its {level}"
        chart = Chart("months", title, "month", y, series, categories=agreement.months)
        plots.append(chart)
    if any(agreement.group_scores.values()):
        plots.append(groups_plot(agreement.group_scores, [*agreement.group_means], resampling))
    return plots


def _estimates(agreement: Agreement) -> list[Estimate]:
    """Return the F1 of every two files, after the means of several."""
    means, estimates = agreement.means, []
    for name, mean in (
        ("mean of every two", means.among),
        (f"mean with {means.consensus}", means.with_consensus),
    ):
        if mean is None:
            continue
        if len(mean.files) > 1:
            micro = mean.micro
            estimates.append(Estimate(name, micro.value, micro.upper, micro.interval))
        for files in mean.files:
            found = agreement.compared[files]
            label, score = " / ".join(files), found.score
            estimates.append(Estimate(label, score.f1, score.f1_upper, found.interval))
    return estimates


def _everyone(agreement: Agreement) -> list[str]:
    names = [annotator.name for annotator in agreement.annotators]
    return names if agreement.consensus is None else [*names, agreement.consensus]


def _worded(difference: Difference) -> str:
    if difference.system is None or difference.gold is None:
        return f"only {difference.system or difference.gold}"
    return f"{difference.system} / {difference.gold}"
