"""The report on why two scores differ."""

from dataclasses import replace

from exactmatch.report.document import Column, Provenance, Report, Rows, Table, at_most
from exactmatch.report.wording import between, counted
from exactmatch.studies.common.claims import Claim
from exactmatch.studies.common.notes import (
    caveats,
    idle_notes,
    proven,
    reading_notes,
    signatures_table,
)
from exactmatch.studies.explanation.leftover import Leftover
from exactmatch.studies.explanation.measure import ExplainedStep, Explanation
from exactmatch.studies.explanation.report_one_number import (
    number_notes,
    number_said,
    number_tables,
)


def explanation_report(explanation: Explanation, provenance: Provenance, top: int) -> Report:
    """Return the report; people see *top* rows of the tables of pairs, labels and triples."""
    tables = [_scores(explanation)]
    if explanation.steps:
        tables += [
            _steps(explanation),
            _labels(explanation, top),
            _matched(explanation, top),
            _pairs(explanation, top),
            _gains(explanation, top),
            _triples(explanation, top),
        ]
    if explanation.leftover is not None:
        tables += [
            _runs(explanation.leftover),
            _causes(explanation, explanation.leftover),
            _claims(explanation.leftover, top),
        ]
    if explanation.one is not None:
        tables += number_tables(explanation.one, _unit(explanation))
    tables.append(_signatures(explanation))
    main, *others = tables
    return Report(
        "explanation",
        f"Why {_ends(explanation)} differ",
        _result(explanation),
        [main, *(table for table in others if table.rows)],
        provenance,
        notes=_notes(explanation),
    )


def _result(explanation: Explanation) -> str:
    """Return both scores and the change with the largest effect, or the error of a tool."""
    said = []
    if len(explanation.names) > 1:
        (one, other), (first, last) = explanation.names, (explanation.first, explanation.last)
        said.append(
            f"F1 is {between(first.f1, first.f1_upper)} by {one} and "
            f"{between(last.f1, last.f1_upper)} by {other}"
        )
        step = explanation.greatest
        if step is not None:
            choice = _choice(step.changed.choice)
            said.append(f"the choice of {choice} changes most ({step.change.f1:+.4f})")
    if explanation.leftover is not None:
        tool = explanation.leftover.claims.source
        said += [
            f"{run.run} of {tool} is off by {run.difference.matched:+d} matched triples "
            f"(search error: {run.causes['search error'].matched:+d})"
            for run in explanation.leftover.runs
        ]
    if explanation.one is not None:
        said += number_said(explanation.one, explanation.names[-1])
    return f"{'; '.join(said)}."


def _tool(explanation: Explanation) -> str | None:
    """Return the name of the tool, or of the file of an unknown tool; None if there is none."""
    if explanation.one is not None:
        return explanation.one.source
    return None if explanation.leftover is None else explanation.leftover.claims.source


def _ends(explanation: Explanation) -> str:
    names = [*explanation.names]
    tool = _tool(explanation)
    if tool is not None:
        names.append(f"the scores of {tool}" if explanation.one is None else f"a score of {tool}")
    return " and ".join([", ".join(names[:-1]), names[-1]])


def _notes(explanation: Explanation) -> list[str]:
    pairs, ways = counted(explanation.first.pairs, "pair"), counted(len(explanation.metrics), "way")
    notes = idle_notes(explanation.solver)
    notes.append(f"{pairs}, each scored in {ways}. {proven(explanation.proofs)}.")
    if not explanation.steps and _tool(explanation) is None:
        notes.append("Both profiles make the same choices.")
    if explanation.leftover is not None:
        claims = explanation.leftover.claims
        if claims.skipped:
            notes.append(f"Pairs that the tool scores and this program skips: {claims.skipped}.")
        if claims.unclaimed:
            notes.append(f"Pairs without a score of the tool: {claims.unclaimed}.")
        if claims.rounded:
            notes.append(
                f"Claims whose digits fit several numbers of triples: {claims.rounded}; the "
                "number nearest to ours counts."
            )
        if not explanation.leftover.pairs:
            notes.append("The tool scores every pair as this program does.")
        if any(run.reading.pairs for run in explanation.leftover.runs):
            notes.append(
                "The tool does not count what this profile counts; see reading errors. So "
                "differences on other pairs that look like search errors may come from other "
                "ways of counting. Name the tool's own profile."
            )
    if explanation.one is not None:
        notes += number_notes(explanation.one)
    system, gold = (source.name for source in explanation.study.sources)
    texts = reading_notes(explanation.study, explanation.metrics, [(system, gold)])
    return notes + caveats(explanation.proofs) + texts


def _scores(explanation: Explanation) -> Table:
    ends = [explanation.first, explanation.last][-len(explanation.names) :]
    return Rows(zip(explanation.names, ends, strict=True)).table(
        "scores",
        "The scores",
        [
            Column("score", "score", lambda name, _: name),
            Column("pairs", "pairs", lambda _, score: score.pairs),
            Column("matched", "matched", lambda _, score: score.matched),
            at_most("matched", lambda _, score: score.matched_upper),
            Column("system_total", _unit(explanation), lambda _, score: score.system_total),
            Column("gold_total", "of gold", lambda _, score: score.gold_total),
            Column("f1", "F1", lambda _, score: score.f1),
            at_most("f1", lambda _, score: score.f1_upper),
            Column(
                "optimal",
                "proven",
                lambda _, score: score.optimal if score.metric.maps_variables else None,
            ),
        ],
    )


def _steps(explanation: Explanation) -> Table:
    columns: list[Column[ExplainedStep]] = [
        Column("choice", "choice", lambda step: _choice(step.changed.choice)),
        Column("before", "from", lambda step: step.changed.before),
        Column("after", "to", lambda step: step.changed.after),
        Column("matched", "matched", lambda step: step.change.matched),
        Column("system_total", _unit(explanation), lambda step: step.change.system_total),
        Column("gold_total", "of gold", lambda step: step.change.gold_total),
        Column("f1", "F1", lambda step: step.change.f1),
        Column("pairs", "pairs", lambda step: step.pairs),
        Column("more", "more", lambda step: step.more),
        Column("fewer", "fewer", lambda step: step.fewer),
        Column("unproven", "not proven", lambda step: step.unproven),
    ]
    note = (
        "The effect of each choice, after the choices above it have changed; the rows add up to "
        f"the last one. The order is always {_order(explanation)}. If two choices concern the "
        "same triples, the effect of each depends on the order. Pairs: with a changed number; "
        "more, fewer: with more or fewer matches; not proven: pairs whose effect is that of the "
        "mappings found, before or after."
    )
    table = Rows((step,) for step in explanation.steps).table(
        "steps", "Choice by choice", columns, note
    )
    whole = explanation.difference
    numbers = (whole.matched, whole.system_total, whole.gold_total, whole.f1)
    unsaid = (None, None, None, None)
    return replace(table, rows=[*table.rows, ["all", *explanation.names, *numbers, *unsaid]])


def _order(explanation: Explanation) -> str:
    """Return the order of the steps in words, and the meaning of a change of metric."""
    if len({metric.name for metric in explanation.metrics}) == 1:
        return "that of the signature"
    return (
        "this one, then that of the signature from inverse on. From umatch to smatch, nodes "
        "without tokens may be mapped to any such node, whatever their concepts"
    )


def _labels(explanation: Explanation, top: int) -> Table:
    return Rows((one,) for one in explanation.labels).table(
        "labels",
        "Changed triples, by label",
        [
            Column("choice", "choice", lambda one: _choice(one.choice)),
            Column("side", "side", lambda one: one.side),
            Column("before", "from", lambda one: one.before),
            Column("after", "to", lambda one: one.after),
            Column("triples", _unit(explanation), lambda one: one.triples),
            Column("pairs", "pairs", lambda one: one.pairs),
        ],
        "Nothing on the right: removed; nothing on the left: added.",
        top,
    )


def _matched(explanation: Explanation, top: int) -> Table:
    return Rows((one,) for one in explanation.matched).table(
        "matched",
        "Matched triples, by label",
        [
            Column("choice", "choice", lambda one: _choice(one.choice)),
            Column("label", "label", lambda one: one.label),
            Column("matched", "matched", lambda one: one.matched),
        ],
        "By label of the system's triples; the labels of a choice add up to its effect. Of "
        "several best mappings, the report uses one that is best before and after, if one was "
        "found.",
        top,
    )


def _pairs(explanation: Explanation, top: int) -> Table:
    return Rows((one,) for one in explanation.pairs).table(
        "pairs",
        "Pairs that change most",
        [
            Column("choice", "choice", lambda one: _choice(one.choice)),
            Column("item", "item", lambda one: one.item),
            Column("matched", "matched", lambda one: one.change.matched),
            Column("system_total", _unit(explanation), lambda one: one.change.system_total),
            Column("gold_total", "of gold", lambda one: one.change.gold_total),
            Column("f1", "F1", lambda one: one.change.f1),
            Column("proven", "proven", lambda one: "yes" if one.proven else "no"),
        ],
        top=top,
    )


def _gains(explanation: Explanation, top: int) -> Table:
    return Rows((one,) for one in explanation.gains).table(
        "gains",
        "Triples whose match changes",
        [
            Column("choice", "choice", lambda one: _choice(one.choice)),
            Column("item", "item", lambda one: one.item),
            Column("before", "from", lambda one: one.before),
            Column("after", "to", lambda one: one.after),
            Column("matched", "matched", lambda one: one.matched),
        ],
        "The system's triples that match after the change or, below 0, no longer match; the "
        "triples of a choice add up to its effect. Equal on both sides: only the mapping changes.",
        top,
    )


def _triples(explanation: Explanation, top: int) -> Table:
    return Rows((one,) for one in explanation.triples).table(
        "triples",
        "Triples that change",
        [
            Column("choice", "choice", lambda one: _choice(one.choice)),
            Column("item", "item", lambda one: one.item),
            Column("side", "side", lambda one: one.side),
            Column("before", "from", lambda one: one.before),
            Column("after", "to", lambda one: one.after),
        ],
        top=top,
    )


def _runs(leftover: Leftover) -> Table:
    return Rows((run,) for run in leftover.runs).table(
        "runs",
        "Difference that remains",
        [
            Column("run", "run", lambda run: run.run),
            Column("pairs", "pairs", lambda run: run.pairs),
            Column("claimed", "claimed", lambda run: run.claimed),
            Column("matched", "optimum", lambda run: run.matched),
            Column("difference", "difference", lambda run: run.difference.matched),
            Column("search_error", "search error", lambda run: run.causes["search error"].matched),
            Column("reading_error", "reading error", lambda run: run.reading.matched),
            Column("unknown", "unknown", lambda run: run.unknown.matched),
            Column("f1", "F1", lambda run: run.f1),
            Column("exact_f1", "exact", lambda run: run.exact_f1),
        ],
        "In matched triples; the errors add up to the difference. Search error: the tool counts "
        "as many triples as this program, its number is below the optimum, and a mapping was "
        "found that reaches it. Reading error: the tool counts other numbers of triples, or more "
        "matched ones than any mapping matches. Unknown: the number is below the optimum, but no "
        "mapping was found that reaches it, or the pair is not proven.",
    )


def _causes(explanation: Explanation, leftover: Leftover) -> Table:
    unit = _unit(explanation)
    return Rows(
        (run.run, cause, part)
        for run in leftover.runs
        for cause, part in run.causes.items()
        if part.pairs
    ).table(
        "causes",
        "Difference that remains, by cause",
        [
            Column("run", "run", lambda run, cause, part: run),
            Column("cause", "cause", lambda run, cause, part: cause),
            Column("pairs", "pairs", lambda run, cause, part: part.pairs),
            Column("matched", "matched", lambda run, cause, part: part.matched),
            Column("system_total", unit, lambda run, cause, part: part.system_total),
            Column("gold_total", "of gold", lambda run, cause, part: part.gold_total),
            Column("f1", "F1", lambda run, cause, part: part.f1),
        ],
        "The tool's numbers minus ours. 'Above the bound' and 'other totals' are reading errors.",
    )


def _claims(leftover: Leftover, top: int) -> Table:
    return Rows((pair,) for pair in leftover.pairs).table(
        "claims",
        "Pairs that the tool scores differently",
        [
            Column("run", "run", lambda pair: pair.run),
            Column("item", "item", lambda pair: pair.claim.item),
            Column("cause", "cause", lambda pair: pair.cause),
            Column("claimed", "claimed", lambda pair: pair.claimed),
            Column("matched", "optimum", lambda pair: pair.claim.score.matched),
            at_most("matched", lambda pair: pair.claim.score.matched_upper),
            Column("difference", "difference", lambda pair: pair.difference),
            Column("tool_system_total", "its triples", lambda pair: _total(pair.claim, 0)),
            Column("tool_gold_total", "of gold", lambda pair: _total(pair.claim, 1)),
            Column("system_total", "our triples", lambda pair: pair.claim.score.system_total),
            Column("gold_total", "of gold", lambda pair: pair.claim.score.gold_total),
        ],
        top=top,
    )


def _signatures(explanation: Explanation) -> Table:
    ends = [explanation.metrics[0], explanation.metrics[-1]][-len(explanation.names) :]
    signatures = [metric.signature() for metric in ends]
    rows = zip(explanation.names, signatures, strict=True)
    return signatures_table(rows, "score", "Metrics and signatures")


def _total(claim: Claim, side: int) -> int | None:
    """Return the number of triples of a side by the tool, if it reports them."""
    return claim.totals and claim.totals[side]


def _unit(explanation: Explanation) -> str:
    """Return the unit of counting, in the plural."""
    return explanation.first.metric.unit


def _choice(name: str) -> str:
    """Return a choice in the spelling of options and signatures."""
    return name.replace("_", "-")
