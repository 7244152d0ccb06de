"""The part of the report of an agreement study about the number of items."""

from exactmatch.report.document import Report
from exactmatch.report.wording import counted, listed
from exactmatch.studies.agreement.measure import Agreement
from exactmatch.studies.agreement.planning import AgreementPlan
from exactmatch.studies.common.item_numbers import Planned
from exactmatch.studies.common.plan_report import ItemPlan, needed, with_plan

#: The largest number of thin pairs of files that are named; more are counted.
_NAMED = 5


def with_agreement_plan(report: Report, agreement: Agreement, plan: AgreementPlan) -> Report:
    """Return *report* with the plan for more items."""
    first, *_ = agreement.compared.values()
    metric = first.score.metric
    means = [one for one in (plan.among, plan.with_consensus) if one is not None]
    # The mean of a single pair of files is the F1 of that pair.
    pairs = [one.alone for one in plan.pairs.values()] if len(plan.pairs) > len(means) else []
    shown = ItemPlan(
        plan.width,
        [(metric.name, one) for one in [*means, *pairs]],
        agreement.resampling,
    )
    percent = agreement.resampling.percent
    said = [
        _sentence(one, f"the {percent} confidence interval of the {title} has", plan.width)
        for one, title in (
            (plan.among, f"mean pairwise {metric.title} F1"),
            (plan.with_consensus, f"mean {metric.title} F1 with {agreement.consensus}"),
        )
        if one is not None
    ]
    note = "Pairs of files: with the items that both have."
    return with_plan(report, shown, " ".join(said), note, *_thin(plan))


def _sentence(one: Planned, what: str, width: float) -> str:
    items = counted(one.present, "item")
    if one.now is None:
        return "A single item has no confidence interval, so its precision is unknown."
    return f"On {items}, {what} a half-width of {one.now:.4f}; {needed(one, width)}."


def _thin(plan: AgreementPlan) -> list[str]:
    """Return a note on pairs of files that share too few items."""
    if not plan.thin:
        return []
    if len(plan.thin) > _NAMED:
        text = f"{len(plan.thin)} of {len(plan.pairs)} pairs of files"
        return [f"Too few items for a half-width of {plan.width:g}: {text}; see table plan."]
    said = [f"{listed(files)} ({_items(plan.pairs[files])})" for files in plan.thin]
    return [f"Too few items for a half-width of {plan.width:g}: {'; '.join(said)}."]


def _items(one: Planned) -> str:
    wanted = "unknown" if one.about is None else f"about {one.about:,}"
    return f"{one.present:,} of {wanted}"
