"""The ranking of systems with several runs in a sentence for a paper."""

from exactmatch.report.wording import between, counted, listed, p_value
from exactmatch.studies.common.contests import Contest
from exactmatch.studies.common.notes import certified_text
from exactmatch.studies.ranking.runs import RunsContest, RunsRanking, SystemRuns


def runs_sentence(ranking: RunsRanking) -> str:
    """Return the means of all systems, the differences from the leader, and certified pairs."""
    items = {item for score in ranking.scores.values() for item in score.items.tolist()}
    means = [f"{name} {mean_text(ranking, one)}" for name, one in ranking.systems.items()]
    said = [
        f"{ranking.metric.title} {runs_score_name(ranking)} against {ranking.gold} on "
        f"{counted(len(items), 'item')}, mean of runs: {listed(means)}"
    ]
    leader = next(iter(ranking.systems))
    said += [
        runs_difference(one, runs_score_name(ranking))
        for one in ranking.contests
        if leader in (one.these.one, one.these.other)
    ]
    if ranking.metric.maps_variables:
        proofs = ranking.proofs
        said.append(certified_text(proofs.certified, proofs.pairs, proofs.by_word))
    return f"{'; '.join(said)}."


def runs_score_name(ranking: RunsRanking) -> str:
    """Return the name of the score."""
    return next(iter(ranking.scores.values())).value_name


def mean_text(ranking: RunsRanking, system: SystemRuns) -> str:
    """Return the mean of a system, its runs, their standard deviation, and the interval."""
    said = [counted(len(system.runs), "run")]
    if system.deviation is not None:
        said.append(f"standard deviation {system.deviation:.4f}")
    if system.interval is not None:
        ends = " to ".join(f"{end:.4f}" for end in system.interval)
        over = "items" if system.deviation is None else "runs and items"
        said.append(f"{ranking.resampling.percent} confidence interval over {over} {ends}")
    return f"{between(system.mean, system.mean_upper)} ({', '.join(said)})"


def runs_difference(contest: RunsContest, score: str) -> str:
    """Return the difference of two systems, and its significance for these and for new runs."""
    these = contest.these
    one, other, (low, high, _) = these.one, these.other, these.difference
    if not these.items:
        return f"the runs of {one} and {other} have no item in common"
    if low < 0 < high:
        return f"it is not proven which of {one} and {other} is better: {between(low, high)}"
    if low == high == 0:
        return f"{one} and {other} score the same on common items"
    return (
        f"{one} has {between(low, high)} {score} more than {other}: {_verdict(these)} for these "
        f"runs, {_verdict(contest.new)} for new runs"
    )


def _verdict(contest: Contest) -> str:
    """Return whether a difference is significant, with its p-value before adjustment."""
    p = contest.difference.p
    if p is None:
        return "not testable"
    return f"{'significant' if contest.significant else 'not significant'} ({p_value(p)})"
