"""The report on what another tool claims about the same pairs."""

from collections.abc import Sequence
from typing import get_args

from exactmatch.report.document import Cell, Column, Provenance, Report, Table
from exactmatch.report.notes import limits, proven
from exactmatch.studies.claims import Judged, Judgement, Verdict


def judgement_report(judgement: Judgement, provenance: Provenance, top: int) -> Report:
    """Return the report; tables of single claims show *top* rows."""
    tables = [_runs(judgement)]
    for verdict, title in (
        ("impossible", "Claims above the proven bound"),
        ("other totals", "Claims on other numbers of triples"),
        ("too low", "Claims below the optimum"),
    ):
        table = _claims(judgement, verdict, title, top)
        if table.rows:
            tables.append(table)
    return Report(
        study="judgement",
        title=f"The scores of {judgement.tool} in {judgement.path}",
        tables=tables,
        provenance=provenance,
        notes=_notes(judgement),
    )


def _notes(judgement: Judgement) -> list[str]:
    score = judgement.score
    notes = [
        f"{proven([score], 'pairs')}. Matched triples: {score.matched}"
        + (f" to {score.matched_upper}" if score.gap else "")
        + f", F1 {score.f1:.4f}"
        + (f" to {score.f1_upper:.4f}." if score.gap else ".")
    ]
    if judgement.unjudged:
        notes.append(f"Pairs skipped, and so without verdict: {len(judgement.unjudged)}.")
    if judgement.unclaimed:
        notes.append(f"Pairs that the tool says nothing about: {judgement.unclaimed}.")
    rounded = sum(claim.low != claim.high for run in judgement.runs.values() for claim in run)
    if rounded:
        notes.append(
            f"Claims whose digits fit several numbers of triples: {rounded} (have more digits "
            "printed; smatch: --significant 6)."
        )
    return notes + limits([score])


def _runs(judgement: Judgement) -> Table:
    verdicts = get_args(Verdict)
    columns = [
        Column("run", "run"),
        Column("pairs", "pairs"),
        *(Column(verdict.replace(" ", "_"), verdict) for verdict in verdicts),
        Column("triples_lost", "triples lost"),
        Column("f1_lost", "F1 lost"),
        Column("worst_f1_lost", "worst on a pair"),
    ]
    rows: list[list[Cell]] = []
    for run, claims in judgement.runs.items():
        low = [claim for claim in claims if claim.verdict == "too low"]
        lost = sum(_lost(claim) for claim in low)
        total = sum(_total(claim) for claim in claims)
        rows.append(
            [
                run,
                len(claims),
                *(sum(claim.verdict == verdict for claim in claims) for verdict in verdicts),
                lost,
                2 * lost / total if total else 0.0,
                max((2 * _lost(claim) / _total(claim) for claim in low), default=0.0),
            ]
        )
    return Table(
        "runs",
        "Verdicts",
        columns,
        rows,
        "Too low: search error. Impossible: no mapping scores so much (duplicates counted twice, a "
        "stale cache). Undecided: not proven here, or too few digits. Other totals: the tool "
        "counts other triples, see the profile. F1 lost: of the micro F1, by claims too low.",
    )


def _claims(judgement: Judgement, verdict: str, title: str, top: int) -> Table:
    columns = [
        Column("run", "run"),
        Column("item", "item"),
        Column("claimed", "claimed"),
        Column("matched", "optimum"),
        Column("matched_upper", "at most", upper_of="matched"),
        Column("system_total", "triples"),
        Column("gold_total", "of gold"),
    ]
    found = [
        (run, claim)
        for run, claims in judgement.runs.items()
        for claim in claims
        if claim.verdict == verdict
    ]
    found.sort(key=lambda entry: (-abs(_lost(entry[1])), entry[1].item, entry[0]))
    rows: list[Sequence[Cell]] = [
        [
            run,
            claim.item,
            claim.high,
            claim.score.matched,
            claim.score.matched_upper,
            claim.score.system_total,
            claim.score.gold_total,
        ]
        for run, claim in found[:top]
    ]
    note = f"{len(found)} in all; the greatest differences are shown." if len(found) > top else ""
    return Table(verdict.replace(" ", "_"), title, columns, rows, note)


def _lost(claim: Judged) -> int:
    return claim.score.matched - claim.high


def _total(claim: Judged) -> int:
    return claim.score.system_total + claim.score.gold_total
