"""The report on why two scores differ."""

from exactmatch.report.document import Cell, Column, Provenance, Report, Table
from exactmatch.report.wording import between
from exactmatch.studies.common.notes import caveats, counted, proven, reading_notes
from exactmatch.studies.explanation.leftover import Leftover
from exactmatch.studies.explanation.measure import Change, Explanation


def explanation_report(found: Explanation, provenance: Provenance, top: int) -> Report:
    """Return the report; people see *top* rows of the tables of pairs, labels and triples."""
    tables = [_scores(found)]
    if found.steps:
        tables += [
            _steps(found),
            _labels(found, top),
            _matched(found, top),
            _pairs(found, top),
            _gains(found, top),
            _triples(found, top),
        ]
    if found.leftover is not None:
        tables += [
            _runs(found.leftover),
            _causes(found, found.leftover),
            _claims(found.leftover, top),
        ]
    tables.append(_signatures(found))
    main, *others = tables
    return Report(
        study="explanation",
        title=f"Why {_ends(found)} differ",
        result=_result(found),
        tables=[main, *(table for table in others if table.rows)],
        provenance=provenance,
        notes=_notes(found),
    )


def _result(found: Explanation) -> str:
    """Return both scores and what changes most, or how far a tool is off."""
    said = []
    if len(found.names) > 1:
        (one, other), (first, last) = found.names, (found.first, found.last)
        said.append(
            f"F1 is {between(first.f1, first.f1_upper)} by {one} and "
            f"{between(last.f1, last.f1_upper)} by {other}"
        )
        step = found.greatest
        if step is not None:
            choice = _choice(step.changed.choice)
            said.append(f"the choice of {choice} changes most ({step.change.f1:+.4f})")
    if found.leftover is not None:
        tool = found.leftover.claims.tool
        said += [
            f"{run.run} of {tool} is off by {run.difference.matched:+d} matched triples "
            f"(search error: {run.causes['search error'].matched:+d})"
            for run in found.leftover.runs
        ]
    return f"{'; '.join(said)}."


def _numbers(found: Explanation) -> list[Column]:
    return [
        Column("matched", "matched"),
        Column("system_total", found.first.metric.unit),
        Column("gold_total", "of gold"),
        Column("f1", "F1"),
    ]


def _ends(found: Explanation) -> str:
    names = [*found.names]
    if found.leftover is not None:
        names.append(f"the scores of {found.leftover.claims.tool}")
    return " and ".join([", ".join(names[:-1]), names[-1]])


def _notes(found: Explanation) -> list[str]:
    what = counted(found.first.pairs, "pair")
    notes = [
        f"{what}, each scored in {counted(len(found.metrics), 'way')}. {proven(found.proofs)}."
    ]
    if not found.steps and found.leftover is None:
        notes.append("Both profiles make the same choices.")
    if found.leftover is not None:
        claims = found.leftover.claims
        if claims.skipped:
            notes.append(f"Pairs that the tool scores, but that are skipped: {claims.skipped}.")
        if claims.unclaimed:
            notes.append(f"Pairs that the tool says nothing about: {claims.unclaimed}.")
        if claims.rounded:
            notes.append(
                f"Claims whose digits fit several numbers of triples: {claims.rounded}; of these, "
                "the one nearest to ours is taken."
            )
        if not found.leftover.pairs:
            notes.append("The tool scores no pair otherwise.")
        if any(run.reading.pairs for run in found.leftover.runs):
            notes.append(
                "The tool does not count what this profile counts, see reading errors: on other "
                "pairs, too, what looks like search error may be a way of counting. Name the "
                "profile that is the tool's."
            )
    return notes + caveats(found.proofs) + reading_notes(found.study)


def _scores(found: Explanation) -> Table:
    matched, *others = _numbers(found)
    columns = [
        Column("score", "score"),
        Column("pairs", "pairs"),
        matched,
        Column("matched_upper", "at most", upper_of="matched"),
        *others,
        Column("f1_upper", "at most", upper_of="f1"),
        Column("optimal", "proven"),
    ]
    ends = [found.first, found.last][-len(found.names) :]
    rows: list[list[Cell]] = [
        [
            name,
            score.pairs,
            score.matched,
            score.matched_upper,
            score.system_total,
            score.gold_total,
            score.f1,
            score.f1_upper,
            score.optimal if score.metric.maps_variables else None,
        ]
        for name, score in zip(found.names, ends, strict=True)
    ]
    return Table("scores", "The scores", columns, rows)


def _steps(found: Explanation) -> Table:
    columns = [
        Column("choice", "choice"),
        Column("before", "from"),
        Column("after", "to"),
        *_numbers(found),
        Column("pairs", "pairs"),
        Column("more", "more"),
        Column("fewer", "fewer"),
        Column("unproven", "not proven"),
    ]
    rows: list[list[Cell]] = [
        [
            _choice(step.changed.choice),
            step.changed.before,
            step.changed.after,
            *_change(step.change),
            step.pairs,
            step.more,
            step.fewer,
            step.unproven,
        ]
        for step in found.steps
    ]
    rows.append(["all", *found.names, *_change(found.difference), None, None, None, None])
    note = (
        "What each choice changes, the ones above it being changed already; the rows add up to the "
        f"last one. The order is always {_order(found)}; where two choices concern the same "
        "triples, the parts of each depend on it. Pairs: those of which a number changes; more, "
        "fewer: those that match more, or fewer triples; not proven: those whose part is what was "
        "found, before or after."
    )
    return Table("steps", "Choice by choice", columns, rows, note)


def _order(found: Explanation) -> str:
    """Return the order of the steps in words, and what a change of the metric means."""
    if len({metric.name for metric in found.metrics}) == 1:
        return "that of the signature"
    return (
        "this one, that of the signature from inverse on. From umatch to smatch, nodes without "
        "tokens may be mapped to any such, whatever their concepts"
    )


def _change(change: Change) -> list[Cell]:
    return [change.matched, change.system_total, change.gold_total, change.f1]


def _labels(found: Explanation, top: int) -> Table:
    columns = [
        Column("choice", "choice"),
        Column("side", "side"),
        Column("before", "from"),
        Column("after", "to"),
        Column("triples", found.first.metric.unit),
        Column("pairs", "pairs"),
    ]
    rows: list[list[Cell]] = [
        [_choice(one.choice), one.side, one.before, one.after, one.triples, one.pairs]
        for one in found.labels
    ]
    note = "Nothing on the right: taken away; nothing on the left: added."
    return Table("labels", "What becomes of triples, by label", columns, rows, note, top)


def _matched(found: Explanation, top: int) -> Table:
    columns = [Column("choice", "choice"), Column("label", "label"), Column("matched", "matched")]
    rows: list[list[Cell]] = [
        [_choice(one.choice), one.label, one.matched] for one in found.matched
    ]
    note = (
        "By label of the system's triples; those of a choice add up to what it changes. Of several "
        "best mappings, one is taken that is best before and after, if one was found."
    )
    return Table("matched", "Matched triples, by label", columns, rows, note, top)


def _pairs(found: Explanation, top: int) -> Table:
    columns = [
        Column("choice", "choice"),
        Column("item", "item"),
        *_numbers(found),
        Column("proven", "proven"),
    ]
    rows: list[list[Cell]] = [
        [_choice(one.choice), one.item, *_change(one.change), "yes" if one.proven else "no"]
        for one in found.pairs
    ]
    return Table("pairs", "Pairs that change most", columns, rows, "", top)


def _gains(found: Explanation, top: int) -> Table:
    columns = [
        Column("choice", "choice"),
        Column("item", "item"),
        Column("before", "from"),
        Column("after", "to"),
        Column("matched", "matched"),
    ]
    rows: list[list[Cell]] = [
        [_choice(one.choice), one.item, one.before, one.after, one.matched] for one in found.gains
    ]
    note = (
        "The system's triples that are matched from then on, or, below 0, no longer; those of a "
        "choice add up to what it changes. The same on both sides: only the mapping is another one."
    )
    return Table("gains", "Triples that are matched, or no longer", columns, rows, note, top)


def _triples(found: Explanation, top: int) -> Table:
    columns = [
        Column("choice", "choice"),
        Column("item", "item"),
        Column("side", "side"),
        Column("before", "from"),
        Column("after", "to"),
    ]
    rows: list[list[Cell]] = [
        [_choice(one.choice), one.item, one.side, one.before, one.after] for one in found.triples
    ]
    return Table("triples", "Triples that change", columns, rows, "", top)


def _runs(leftover: Leftover) -> Table:
    columns = [
        Column("run", "run"),
        Column("pairs", "pairs"),
        Column("claimed", "claimed"),
        Column("matched", "optimum"),
        Column("difference", "difference"),
        Column("search_error", "search error"),
        Column("reading_error", "reading error"),
        Column("unknown", "unknown"),
        Column("f1", "F1"),
        Column("exact_f1", "exact"),
    ]
    rows: list[list[Cell]] = [
        [
            run.run,
            run.pairs,
            run.claimed,
            run.matched,
            run.difference.matched,
            run.causes["search error"].matched,
            run.reading.matched,
            run.unknown.matched,
            run.f1,
            run.exact_f1,
        ]
        for run in leftover.runs
    ]
    return Table(
        "runs",
        "What is left",
        columns,
        rows,
        "In matched triples; the errors add up to the difference. Search error: the tool counts as "
        "many triples as we do, its number is below the optimum, and a mapping was found that "
        "reaches it. Reading error: it counts other numbers of triples, or more matched ones than "
        "any mapping matches. Unknown: below the optimum, but no mapping was found that reaches "
        "it, or the pair is not proven.",
    )


def _causes(found: Explanation, leftover: Leftover) -> Table:
    columns = [
        Column("run", "run"),
        Column("cause", "cause"),
        Column("pairs", "pairs"),
        *_numbers(found),
    ]
    rows: list[list[Cell]] = [
        [run.run, cause, part.pairs, part.matched, part.system_total, part.gold_total, part.f1]
        for run in leftover.runs
        for cause, part in run.causes.items()
        if part.pairs
    ]
    note = "What the tool has more. Above the bound, and other totals, are reading errors."
    return Table("causes", "What is left, by cause", columns, rows, note)


def _claims(leftover: Leftover, top: int) -> Table:
    columns = [
        Column("run", "run"),
        Column("item", "item"),
        Column("cause", "cause"),
        Column("claimed", "claimed"),
        Column("matched", "optimum"),
        Column("matched_upper", "at most", upper_of="matched"),
        Column("difference", "difference"),
        Column("tool_system_total", "its triples"),
        Column("tool_gold_total", "of gold"),
        Column("system_total", "our triples"),
        Column("gold_total", "of gold"),
    ]
    rows: list[list[Cell]] = [
        [
            pair.run,
            pair.claim.item,
            pair.cause,
            pair.claimed,
            pair.claim.score.matched,
            pair.claim.score.matched_upper,
            pair.difference,
            *(pair.claim.totals or (None, None)),
            pair.claim.score.system_total,
            pair.claim.score.gold_total,
        ]
        for pair in leftover.pairs
    ]
    return Table("claims", "Pairs that the tool scores otherwise", columns, rows, "", top)


def _signatures(found: Explanation) -> Table:
    columns = [Column("score", "score"), Column("signature", "signature")]
    ends = [found.metrics[0], found.metrics[-1]][-len(found.names) :]
    rows: list[list[Cell]] = [
        [name, metric.signature()] for name, metric in zip(found.names, ends, strict=True)
    ]
    return Table("signatures", "What was counted", columns, rows)


def _choice(name: str) -> str:
    """Return a choice as options and signatures spell it."""
    return name.replace("_", "-")
