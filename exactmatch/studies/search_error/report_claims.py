"""The report on the claims of another tool about the same pairs."""

from exactmatch.graphs.paths import shown_path
from exactmatch.graphs.readers.tool_scores import OTHER
from exactmatch.report.document import Column, Linked, Provenance, Report, Rows, Table, at_most
from exactmatch.report.wording import counted, listed
from exactmatch.studies.common.claims import ClaimedRun, Claims, Verdict
from exactmatch.studies.common.notes import limits, proven

#: The verdicts whose claims are listed, and the titles of their tables.
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
        "claims",
        f"The scores {_of_tool(claims)}in {shown_path(claims.path)}",
        _result(claims),
        tables,
        provenance,
        notes=_notes(claims),
    )


def _result(claims: Claims) -> str:
    """Return the number of claims with each verdict."""
    said = [
        f"{len(given)} {_IN_SENTENCE[verdict]}"
        for verdict, given in claims.by_verdict.items()
        if given
    ]
    if not said:
        return f"{claims.source} makes no claim about these pairs."
    every = [claim for given in claims.by_verdict.values() for claim in given]
    return f"Of {counted(len(every), 'claim')} by {claims.source}: {listed(said)}."


def _of_tool(claims: Claims) -> str:
    return "" if claims.tool == OTHER else f"of {claims.tool} "


def _notes(claims: Claims) -> list[str]:
    score = claims.score
    notes = [
        f"{proven(claims.proofs, '')}. Matched triples: {score.matched}"
        + (f" to {score.matched_upper}" if score.gap else "")
        + f", F1 {score.f1:.4f}"
        + (f" to {score.f1_upper:.4f}." if score.gap else ".")
    ]
    if claims.skipped:
        notes.append(f"Pairs skipped here, and so without verdict: {claims.skipped}.")
    if claims.unclaimed:
        notes.append(f"Pairs without a claim of the tool: {claims.unclaimed}.")
    if claims.rounded:
        notes.append(
            f"Claims whose digits fit several numbers of triples: {claims.rounded} (print more "
            "digits; smatch: --significant 6)."
        )
    return notes + limits(claims.proofs)


def _runs(claims: Claims) -> Table:
    def of_verdict(verdict: Verdict) -> Column[str, ClaimedRun]:
        return Column(_key(verdict), verdict, lambda _, run: run.verdicts[verdict])

    return Rows(claims.runs.items()).table(
        "runs",
        "Verdicts",
        [
            Column("run", "run", lambda name, _: name),
            Column("pairs", "pairs", lambda _, run: run.pairs),
            *map(of_verdict, claims.by_verdict),
            Column("triples_lost", "triples lost", lambda _, run: run.triples_lost),
            Column("f1_lost", "F1 lost", lambda _, run: run.f1_lost),
            Column("worst_f1_lost", "worst on a pair", lambda _, run: run.worst_f1_lost),
        ],
        "Too low: search error. Impossible: no mapping scores so much (duplicates counted twice, "
        "a stale cache). Undecided: not proven here, or too few digits. Other totals: the tool "
        "counts other triples; see the profile. F1 lost: the loss in micro F1 by claims that are "
        "too low.",
    )


def _single(
    claims: Claims, files: tuple[str, str], verdict: Verdict, title: str, top: int
) -> Table:
    given = claims.by_verdict[verdict]
    return Rows((claim,) for claim in given[:top]).table(
        _key(verdict),
        title,
        [
            Column("run", "run", lambda claim: claim.run),
            Column("item", "item", lambda claim: Linked(claim.item, files, claim.item)),
            Column("claimed", "claimed", lambda claim: claim.high),
            Column("matched", "optimum", lambda claim: claim.score.matched),
            at_most("matched", lambda claim: claim.score.matched_upper),
            Column("system_total", "triples", lambda claim: claim.score.system_total),
            Column("gold_total", "of gold", lambda claim: claim.score.gold_total),
        ],
        f"{len(given)} in all; the greatest differences are shown." if len(given) > top else "",
    )


def _key(verdict: Verdict) -> str:
    return verdict.replace(" ", "_")
