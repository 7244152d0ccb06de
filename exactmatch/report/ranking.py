"""The report of a comparison of systems."""

from collections.abc import Sequence

from exactmatch.report.document import Cell, Column, Provenance, Report, Table
from exactmatch.report.notes import caveats, proven, reading_notes
from exactmatch.studies.contests import Contest
from exactmatch.studies.ranking import Ranking
from exactmatch.studies.statistics import Resampling


def ranking_report(ranking: Ranking, provenance: Provenance) -> Report:
    """Return the report."""
    resampling = ranking.resampling
    columns = [
        Column("rank", "rank"),
        Column("system", "system"),
        Column("f1", "F1"),
        Column("f1_upper", "at most", upper_of="f1"),
        Column("f1_low", "from"),
        Column("f1_high", "to"),
        Column("precision", "precision"),
        Column("recall", "recall"),
        Column("macro_f1", "macro F1"),
        Column("matched", "matched"),
        Column("matched_upper", "at most", upper_of="matched"),
        Column("system_total", "triples"),
        Column("gold_total", "of gold"),
        Column("pairs", "pairs"),
        Column("skipped", "skipped"),
        Column("proven", "proven"),
    ]
    rows: list[list[Cell]] = []
    for name, score in ranking.scores.items():
        rows.append(
            [
                ranking.ranks[name],
                name,
                score.f1,
                score.f1_upper,
                *(ranking.intervals[name] or (None, None)),
                score.precision,
                score.recall,
                score.macro_f1,
                score.matched,
                score.matched_upper,
                score.system_total,
                score.gold_total,
                score.pairs,
                score.skipped,
                score.optimal,
            ]
        )
    table = Table(
        "ranking",
        f"Systems against {ranking.gold}",
        columns,
        rows,
        f"from/to: {resampling.confidence:.0%} confidence interval of F1 (BCa bootstrap over "
        f"items, {resampling.resamples} resamples, seed {resampling.seed}).",
    )
    tables = [table]
    if ranking.contests:
        tables.append(contest_table(ranking.contests, "Differences", resampling))
    return Report("ranking", "Comparison of systems", tables, provenance, _notes(ranking))


def contest_table(contests: Sequence[Contest], title: str, resampling: Resampling) -> Table:
    """Return the table of the differences of every two, with their p-values."""
    columns = [
        Column("better", "better"),
        Column("other", "other"),
        Column("difference", "difference"),
        Column("difference_upper", "at most", upper_of="difference"),
        Column("p", "p"),
        Column("p_holm", "p (Holm)"),
        Column("significant", "significant"),
    ]
    rows: list[list[Cell]] = [
        [
            contest.one,
            contest.other,
            contest.difference.low,
            contest.difference.high,
            contest.difference.p,
            contest.p_adjusted,
            None if contest.significant is None else _yes(contest.significant),
        ]
        for contest in contests
    ]
    return Table(
        "differences",
        title,
        columns,
        rows,
        "Difference of micro F1 on the items that both have; p by paired approximate randomisation "
        f"({resampling.resamples} resamples, seed {resampling.seed}), adjusted after Holm (1979); "
        f"significant at {resampling.level:.2g}.",
    )


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def _notes(ranking: Ranking) -> list[str]:
    proofs = ranking.proofs
    notes = [f"{proven(proofs)}.", *caveats(proofs)]
    if proofs.lacking:
        notes.append(f"Pairs of which a graph is missing or cannot be read: {proofs.lacking}.")
    return notes + reading_notes(ranking.study)
