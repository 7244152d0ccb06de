"""The part of the report of a comparison about the number of items."""

from collections.abc import Mapping

from exactmatch.report.document import Report
from exactmatch.report.wording import between, counted
from exactmatch.studies.common.plan_report import ItemPlan, needed, with_plan
from exactmatch.studies.ranking.measure import Ranking, Rankings
from exactmatch.studies.ranking.planning import RankingPlan
from exactmatch.studies.ranking.power import POWER
from exactmatch.studies.ranking.report_sentence import score_name
from exactmatch.studies.ranking.runs import RunsRanking, RunsRankings


def with_ranking_plan(
    report: Report,
    rankings: Rankings | RunsRankings,
    plans: Mapping[str, RankingPlan],
    width: float,
) -> Report:
    """Return *report* with the plan for more items."""
    figures = [
        (name, figure)
        for name, plan in plans.items()
        for figure in [*plan.systems, *plan.differences]
    ]
    shown = ItemPlan(width, figures, rankings.resampling)
    sentence = " ".join(
        _sentence(rankings.by_metric[name], plan, width) for name, plan in plans.items()
    )
    return with_plan(report, shown, sentence, _note(rankings))


def _note(rankings: Rankings | RunsRankings) -> str:
    of_runs = (
        " Means of several runs: for these runs, over items. New runs vary as well, which no "
        "number of items reduces."
    )
    return (
        f"Smallest difference: the one that {POWER:.0%} of data sets simulated from the "
        f"paired differences show at {rankings.resampling.level:.2g} (seed "
        f"{rankings.resampling.seed}; a single test, not adjusted for several)."
        f"{of_runs if isinstance(rankings, RunsRankings) else ''}"
    )


def _sentence(ranking: Ranking | RunsRanking, plan: RankingPlan, width: float) -> str:
    """Return the widest interval, and the smallest differences that the items can show."""
    widest = plan.widest
    if widest is None:
        return "A single item has no confidence interval, so nothing can be planned."
    resampling, score = ranking.resampling, f"{ranking.metric.title} {score_name(ranking)}"
    of_runs = " over items, for these runs," if isinstance(ranking, RunsRanking) else ""
    said = [
        f"On {counted(widest.present, 'item')}, the {resampling.percent} confidence interval"
        f"{of_runs} of the {score} of {widest.name} has a half-width of {widest.now:.4f}"
        + (", the largest of all systems" if len(plan.systems) > 1 else ""),
        needed(widest, width),
    ]
    if plan.least is not None:
        said.append(
            f"the smallest difference that a test at {resampling.level:.2g} shows with "
            f"{POWER:.0%} power is {between(*plan.least)}"
        )
    return f"{'; '.join(said)}."
