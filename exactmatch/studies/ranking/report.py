"""The report of a comparison of systems."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.items import Study
from exactmatch.metrics.base import Metric
from exactmatch.report.document import (
    Column,
    Estimate,
    Forest,
    Heading,
    Linked,
    Plot,
    Provenance,
    Report,
    Rows,
    Table,
    at_most,
    plot_key,
)
from exactmatch.report.validity import validity_table
from exactmatch.report.wording import between, counted, listed
from exactmatch.scoring.validity.file_faults import FileValidity
from exactmatch.studies.common.contest_table import contest_table, contests_plot
from exactmatch.studies.common.notes import (
    caveats,
    interval_text,
    proven,
    reading_notes,
    unreadable,
    whole_items,
    word_columns,
)
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs
from exactmatch.studies.ranking.measure import Ranking, Rankings
from exactmatch.studies.ranking.report_sentence import (
    difference,
    ranking_sentence,
    score_name,
    standing,
)

#: The name of scores with different names that are not all an F1.
_SCORE = "score"


def ranking_report(
    rankings: Rankings, provenance: Provenance, validity: Sequence[FileValidity] = ()
) -> Report:
    """Return the report. With several metrics, the ranks and scores by all of them come first.

    *validity* are the faults of the graphs of the files.
    """
    by_metric, resampling = rankings.by_metric, rankings.resampling
    key, score, what = score_column(_scores(by_metric))
    unit = _common([ranking.metric.unit for ranking in by_metric.values()], "of system")
    ranked = {
        name: _ranking_table(one, key, score, unit, _scores(by_metric))
        for name, one in by_metric.items()
    }
    tables = [together(ranked)]
    if len(by_metric) > 1:
        tables.insert(0, _side_by_side(rankings))
    if any(ranking.contests for ranking in by_metric.values()):
        differences = {
            name: contest_table(ranking.contests, "Differences", resampling, what)
            for name, ranking in by_metric.items()
        }
        tables.append(together(differences, " p-values are adjusted for each metric separately."))
    parts = {name: parts_table(ranking.scores) for name, ranking in by_metric.items()}
    if any(table.rows for table in parts.values()):
        tables.append(together(parts))
    if validity:
        tables.append(validity_table(validity))
    return Report(
        "ranking",
        "Comparison of systems",
        _result(rankings),
        tables,
        provenance,
        sentence=" ".join(map(ranking_sentence, by_metric.values())),
        notes=ranking_notes(
            rankings.study,
            rankings.gold,
            {name: (one.metric, one.proofs) for name, one in by_metric.items()},
        ),
        plots=_plots(rankings),
    )


def _result(rankings: Rankings) -> str:
    """Return the leader and the systems it beats significantly, or the difference of two."""
    ranking, *others = rankings.by_metric.values()
    if others:
        return _result_by_metrics(rankings)
    score = score_name(ranking)
    if len(ranking.scores) == 1:
        return f"{_result_of_one(ranking, score)}."
    if len(ranking.contests) == 1:
        return f"{difference(ranking.contests[0], score)}."
    return f"{_result_of_many(ranking, score)}."


def _result_of_one(ranking: Ranking, name: str) -> str:
    ((system, score),) = ranking.scores.items()
    interval = interval_text(ranking.intervals[system], ranking.resampling)
    value = between(score.value, score.value_upper)
    return f"{system} reaches {name} {value} against {ranking.gold}{interval}"


def _result_of_many(ranking: Ranking, score: str) -> str:
    lead = ranking.lead
    best = ranking.scores[lead.leaders[0]]
    value = f"{score} {between(best.value, best.value_upper)}"
    if len(lead.leaders) > 1:
        start = f"{listed(lead.leaders)} lead together with {value}"
        return (
            start
            if lead.is_known
            else (f"{start}; others may be better, since not all pairs are proven")
        )
    first, *_ = lead.leaders
    start = f"{first} leads with {value}"
    if not lead.is_known:
        start = f"{first} leads with {value}, as far as is proven"
    return f"{start}: it {standing(ranking)}"


def _result_by_metrics(rankings: Rankings) -> str:
    """Return the leaders by each metric; for a single system, its scores."""
    leads: dict[tuple[str, ...], list[str]] = {}
    for name, ranking in rankings.by_metric.items():
        known = "" if ranking.lead.is_known else " (as far as is proven)"
        leads.setdefault(tuple(ranking.lead.leaders), []).append(f"{name}{known}")
    scores = [
        f"{name} {between(score.value, score.value_upper)}"
        for name, ranking in rankings.by_metric.items()
        for score in ranking.scores.values()
    ]
    if len(scores) == len(rankings.by_metric):
        (system,), *_ = leads
        return f"{system} reaches {listed(scores)} against {rankings.gold}."
    said = [
        f"{listed(leaders)} {'lead' if len(leaders) > 1 else 'leads'} by {listed(names)}"
        for leaders, names in leads.items()
    ]
    return f"{'; '.join(said)}."


def _plots(rankings: Rankings) -> list[Plot]:
    names = [*rankings.by_metric]
    if len(names) == 1:
        return _plots_of(rankings.by_metric[names[0]], "", "")
    keys = zip(names, distinct(map(plot_key, names)), strict=True)
    return [
        plot
        for name, key in keys
        for plot in _plots_of(rankings.by_metric[name], f", by {name}", f"-{key}")
    ]


def _plots_of(ranking: Ranking, by: str, key: str) -> list[Plot]:
    """Return the plots of a metric: the scores, and the significant differences."""
    score = score_name(ranking)
    return [
        Forest(
            f"scores{key}",
            f"Systems against {ranking.gold}{by}",
            f"{score} with its {ranking.resampling.percent} confidence interval",
            [
                Estimate(system, one.value, one.value_upper, ranking.intervals[system])
                for system, one in ranking.scores.items()
            ],
        ),
        contests_plot(
            [*ranking.scores],
            ranking.contests,
            ranking.resampling,
            f"Significance of differences{by}",
            f"differences{key}",
        ),
    ]


def _scores(by_metric: Mapping[str, Ranking]) -> list[ScoredPairs]:
    return [score for ranking in by_metric.values() for score in ranking.scores.values()]


def score_column(scores: Sequence[ScoredPairs]) -> tuple[str, str, str]:
    """Return the key of the column of scores, its title, and its name in a sentence.

    The key is ``f1`` if the score by every metric is an F1.
    """
    is_f1 = all(score.figure("f1") is not None for score in scores)
    key, otherwise = ("f1", "F1") if is_f1 else ("score", _SCORE)
    name = _common([score.value_name for score in scores], otherwise)
    return key, name, "micro F1" if is_f1 else _said(name)


def _common(names: Sequence[str], otherwise: str) -> str:
    """Return the common name, if all names are equal."""
    return names[0] if len(set(names)) == 1 else otherwise


def _said(name: str) -> str:
    """Return the name of a score in a sentence."""
    return "the score" if name == _SCORE else name


def _side_by_side(rankings: Rankings) -> Table:
    """Return the table of the scores by all metrics."""
    gold = rankings.gold
    return standings_table(
        f"Systems against {gold}, by several metrics",
        Column("system", "system", lambda system: Linked(system, (system, gold))),
        {
            name: {
                system: Standing(ranking.ranks[system], score.value, score.value_upper)
                for system, score in ranking.scores.items()
            }
            for name, ranking in rankings.by_metric.items()
        },
    )


class Standing(NamedTuple):
    """The rank of a system by a metric, and the bounds of its score or mean score."""

    rank: int
    value: float
    upper: float


def standings_table(
    title: str, systems: Column[str], by_metric: Mapping[str, Mapping[str, Standing]]
) -> Table:
    """Return the table of the systems by all metrics, in the order of the first metric."""

    def by(name: str, standings: Mapping[str, Standing]) -> list[Column[str]]:
        return [
            Column(f"{name}_rank", "rank", lambda system: standings[system].rank),
            Column(name, name, lambda system: standings[system].value),
            at_most(name, lambda system: standings[system].upper),
        ]

    columns = [systems, *(column for entry in by_metric.items() for column in by(*entry))]
    first, *_ = by_metric.values()
    return Rows((system,) for system in first).table("metrics", title, columns)


def together(tables: Mapping[str, Table], note: str = "") -> Table:
    """Return tables of equal columns as one that names the metric, with one more *note*."""
    first, *others = tables.values()
    if not others:
        return first
    return replace(
        first,
        columns=[Heading("metric", "metric"), *first.columns],
        rows=[[name, *row] for name, table in tables.items() for row in table.rows],
        note=f"{first.note}{note}",
    )


def parts_table(scores: Mapping[str, ScoredPairs]) -> Table:
    """Return the table of the matches of each part under the best mappings."""
    return Rows(
        (system, part, known)
        for system, score in scores.items()
        for part, known in score.ranges.items()
    ).table(
        "parts",
        "Matches by kind of triple",
        [
            Column("system", "system", lambda system, part, known: system),
            Column("kind", "triples", lambda system, part, known: part),
            Column("precision", "precision", lambda system, part, known: known.ends[0].precision),
            Column("precision_most", "to", lambda system, part, known: known.ends[1].precision),
            Column("recall", "recall", lambda system, part, known: known.ends[0].recall),
            Column("recall_most", "to", lambda system, part, known: known.ends[1].recall),
            Column("f1", "F1", lambda system, part, known: known.ends[0].f1),
            Column("f1_most", "to", lambda system, part, known: known.ends[1].f1),
            Column("matched", "matched", lambda system, part, known: known.least),
            Column("matched_most", "to", lambda system, part, known: known.most),
            Column("system_total", "of system", lambda system, part, known: known.system_total),
            Column("gold_total", "of gold", lambda system, part, known: known.gold_total),
            Column("unknown", "unknown", lambda system, part, known: known.unknown),
        ],
        "The least and the most matches under any best mapping; pairs with unknown ranges are "
        "left out.",
    )


def _ranking_table(
    ranking: Ranking, key: str, name: str, unit: str, every: Sequence[ScoredPairs]
) -> Table:
    """Return the table of systems; their score is called *name*, and *key* in JSON.

    Tables of all metrics, whose scores are *every*, have the same columns.
    """

    def ends(system: str) -> tuple[float, float] | tuple[None, None]:
        return ranking.intervals[system] or (None, None)

    gold, resampling = ranking.gold, ranking.resampling
    return Rows(ranking.scores.items()).table(
        "ranking",
        f"Systems against {gold}",
        [
            Column("rank", "rank", lambda system, score: ranking.ranks[system]),
            Column("system", "system", lambda system, score: Linked(system, (system, gold))),
            Column(key, name, lambda system, score: score.value),
            at_most(key, lambda system, score: score.value_upper),
            Column(f"{key}_low", "from", lambda system, score: ends(system)[0]),
            Column(f"{key}_high", "to", lambda system, score: ends(system)[1]),
            Column("precision", "precision", lambda system, score: score.figure("precision")),
            Column("recall", "recall", lambda system, score: score.figure("recall")),
            Column(f"macro_{key}", f"macro {name}", lambda system, score: score.macro_f1),
            Column("matched", "matched", lambda system, score: score.matched),
            at_most("matched", lambda system, score: score.matched_upper),
            Column("system_total", unit, lambda system, score: score.system_total),
            Column("gold_total", "of gold", lambda system, score: score.gold_total),
            Column("pairs", "pairs", lambda system, score: score.pairs),
            Column("skipped", "skipped", lambda system, score: score.skipped),
            Column("proven", "proven", lambda system, score: score.optimal),
            *word_columns(every, lambda system, score: score.by_word),
        ],
        f"from/to: {resampling.percent} confidence interval of {_said(name)} (BCa bootstrap "
        f"over items, {resampling.resamples} resamples, seed {resampling.seed}).",
    )


def ranking_notes(
    study: Study, gold: str, by_metric: Mapping[str, tuple[Metric, ProofCounts]]
) -> list[str]:
    """Return the proofs by each metric, and the notes on the pairs of each system with *gold*."""
    several = len(by_metric) > 1
    notes = []
    for name, (metric, proofs) in by_metric.items():
        of = f"{name}: " if several else ""
        if metric.maps_variables:
            notes.append(f"{of}{proven(proofs)}.")
        else:
            pairs = counted(proofs.pairs, "pair")
            notes.append(f"{of}{pairs} of graphs; {metric.unproven}.")
        notes += [f"{of}{caveat}" for caveat in caveats(proofs)]
    (first, proofs), *_ = by_metric.values()
    metrics = [metric for metric, _ in by_metric.values()]
    return [
        *notes,
        *unreadable(proofs.lacking),
        *whole_items(study, first),
        *reading_notes(study, metrics, [(name, gold) for name in study.places if name != gold]),
    ]
