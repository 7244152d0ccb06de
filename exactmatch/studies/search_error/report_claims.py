"""The report on what another tool claims about the same pairs."""

from exactmatch.graphs.paths import shown_path
from exactmatch.report.document import Cell, Column, Linked, Provenance, Report, Table
from exactmatch.report.wording import listed
from exactmatch.studies.common.claims import Claims, Verdict
from exactmatch.studies.common.notes import counted, limits, proven

#: The verdicts whose claims are shown one by one, and the titles of their tables.
_SHOWN: dict[Verdict, str] = {
    "impossible": "Claims above the proven bound",
    "other totals": "Claims on other numbers of triples",
    "too low": "Claims below the optimum",
}

_IN_SENTENCE: dict[Verdict, str] = {
    "too low": "below the optimum",
    "equal": "equal to it",
    "impossible": "above the proven bound",
    "undecided": "undecided",
    "other totals": "on other numbers of triples",
}


def claims_report(
    claims: Claims, files: tuple[str, str], provenance: Provenance, top: int
) -> Report:
    """Return the report on pairs of two *files*; tables of single claims show *top* rows."""
    tables = [_runs(claims)]
    for verdict, title in _SHOWN.items():
        table = _single(claims, files, verdict, title, top)
        if table.rows:
            tables.append(table)
    return Report(
        study="claims",
        title=f"The scores of {claims.tool} in {shown_path(claims.path)}",
        result=_result(claims),
        tables=tables,
        provenance=provenance,
        notes=_notes(claims),
    )


def _result(claims: Claims) -> str:
    """Return how many claims get which verdict."""
    found = {verdict: len(given) for verdict, given in claims.by_verdict.items() if given}
    said = [f"{number} {_IN_SENTENCE[verdict]}" for verdict, number in found.items()]
    if not said:
        return f"{claims.tool} claims nothing of these pairs."
    every = [claim for given in claims.by_verdict.values() for claim in given]
    return f"Of {counted(len(every), 'claim')} by {claims.tool}: {listed(said)}."


def _notes(claims: Claims) -> list[str]:
    score = claims.score
    notes = [
        f"{proven(claims.proofs, 'pairs')}. Matched triples: {score.matched}"
        + (f" to {score.matched_upper}" if score.gap else "")
        + f", F1 {score.f1:.4f}"
        + (f" to {score.f1_upper:.4f}." if score.gap else ".")
    ]
    if claims.skipped:
        notes.append(f"Pairs skipped, and so without verdict: {claims.skipped}.")
    if claims.unclaimed:
        notes.append(f"Pairs that the tool says nothing about: {claims.unclaimed}.")
    if claims.rounded:
        notes.append(
            f"Claims whose digits fit several numbers of triples: {claims.rounded} (have more "
            "digits printed; smatch: --significant 6)."
        )
    return notes + limits(claims.proofs)


def _runs(claims: Claims) -> Table:
    columns = [
        Column("run", "run"),
        Column("pairs", "pairs"),
        *(Column(_key(verdict), verdict) for verdict in claims.by_verdict),
        Column("triples_lost", "triples lost"),
        Column("f1_lost", "F1 lost"),
        Column("worst_f1_lost", "worst on a pair"),
    ]
    rows: list[list[Cell]] = [
        [
            name,
            run.pairs,
            *run.verdicts.values(),
            run.triples_lost,
            run.f1_lost,
            run.worst_f1_lost,
        ]
        for name, run in claims.runs.items()
    ]
    return Table(
        "runs",
        "Verdicts",
        columns,
        rows,
        "Too low: search error. Impossible: no mapping scores so much (duplicates counted twice, a "
        "stale cache). Undecided: not proven here, or too few digits. Other totals: the tool "
        "counts other triples, see the profile. F1 lost: of the micro F1, by claims too low.",
    )


def _single(
    claims: Claims, files: tuple[str, str], verdict: Verdict, title: str, top: int
) -> Table:
    columns = [
        Column("run", "run"),
        Column("item", "item"),
        Column("claimed", "claimed"),
        Column("matched", "optimum"),
        Column("matched_upper", "at most", upper_of="matched"),
        Column("system_total", "triples"),
        Column("gold_total", "of gold"),
    ]
    found = claims.by_verdict[verdict]
    rows: list[list[Cell]] = [
        [
            claim.run,
            Linked(claim.item, files, claim.item),
            claim.high,
            claim.score.matched,
            claim.score.matched_upper,
            claim.score.system_total,
            claim.score.gold_total,
        ]
        for claim in found[:top]
    ]
    note = f"{len(found)} in all; the greatest differences are shown." if len(found) > top else ""
    return Table(_key(verdict), title, columns, rows, note)


def _key(verdict: Verdict) -> str:
    return verdict.replace(" ", "_")
