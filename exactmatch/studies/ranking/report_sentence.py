"""The ranking of systems in a sentence for a paper."""

from exactmatch.report.wording import between, counted, listed, p_value, some_of
from exactmatch.studies.common.contests import Contest
from exactmatch.studies.common.notes import certified_text, interval_text
from exactmatch.studies.ranking.measure import Ranking
from exactmatch.studies.ranking.runs import RunsRanking


def ranking_sentence(ranking: Ranking) -> str:
    """Return the scores of all systems, the leader, and the number of certified pairs."""
    name, items = score_name(ranking), counted(_items(ranking), "item")
    scores = [
        f"{system} {between(score.value, score.value_upper)}"
        f"{interval_text(ranking.intervals[system], ranking.resampling)}"
        for system, score in ranking.scores.items()
    ]
    said = [f"{ranking.metric.title} {name} against {ranking.gold} on {items}: {listed(scores)}"]
    if len(ranking.contests) == 1:
        said.append(difference(ranking.contests[0], name))
    elif ranking.contests and len(ranking.lead.leaders) == 1:
        leader, *_ = ranking.lead.leaders
        said.append(f"{leader} {standing(ranking)}")
    if ranking.metric.maps_variables:
        proofs = ranking.proofs
        said.append(certified_text(proofs.certified, proofs.pairs, proofs.by_word))
    return f"{'; '.join(said)}."


def score_name(ranking: Ranking | RunsRanking) -> str:
    """Return the name of the score."""
    return next(iter(ranking.scores.values())).value_name


def _items(ranking: Ranking) -> int:
    return len({item for score in ranking.scores.values() for item in score.items.tolist()})


def difference(contest: Contest, score: str) -> str:
    """Return the difference between two systems."""
    one, other, (low, high, p) = contest.one, contest.other, contest.difference
    if not contest.items:
        return f"{one} and {other} have no item in common"
    if low < 0 < high:
        return (
            f"It is not proven which of {one} and {other} is better: {one} has "
            f"{between(low, high)} {score} more"
        )
    if low == high == 0:
        return f"{one} and {other} score the same on common items"
    by = f"{between(low, high)} {score}"
    if p is None:
        return f"{one} and {other} differ by {by}, on too few items for a test"
    if contest.significant:
        return f"{one} is better than {other}: {by}, {p_value(p)}"
    return f"{one} and {other} do not differ significantly: {by}, {p_value(p)}"


def standing(ranking: Ranking) -> str:
    """Return the systems that the only leader beats, according to the tests."""
    lead = ranking.lead
    first, *_ = lead.leaders
    others = len([name for name in ranking.scores if name != first])
    said = []
    if lead.better_than:
        said.append(f"is significantly better than {some_of(lead.better_than, others)}")
    if lead.open:
        also = "but not" if said else "is not significantly better"
        said.append(f"{also} than {some_of(lead.open, others)}")
    if lead.worse_than:
        where = "on common items"
        said.append(f"is significantly worse than {some_of(lead.worse_than, others)} {where}")
    if lead.untested:
        few = "has too few items for a test in common with"
        said.append(f"{few} {some_of(lead.untested, others)}")
    return ", ".join(said)
