"""Systems ranked by their score against one gold standard, with the significance of differences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from exactmatch.corpus import CorpusScore, Options, PairScore, score_pairs, sum_up
from exactmatch.errors import UsageError
from exactmatch.studies.sources import Study
from exactmatch.studies.statistics import (
    Difference,
    Interval,
    Items,
    Resampling,
    compare_f1,
    confidence_interval,
    holm,
)


@dataclass(frozen=True, kw_only=True)
class Contest:
    """The difference of two systems in micro F1 on the items that both have.

    *p_adjusted* is the p-value with regard to the number of contests (Holm 1979).
    """

    one: str
    other: str
    difference: Difference
    p_adjusted: float | None


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Systems against a gold standard, the best first.

    scores: the systems' scores; *intervals* are their bootstrap confidence intervals, None where
        there are fewer than two items.
    contests: every two systems, the better first.
    """

    study: Study
    gold: str
    scores: Mapping[str, CorpusScore]
    intervals: Mapping[str, Interval | None]
    contests: Sequence[Contest]


def rank(
    study: Study,
    gold: str,
    options: Options,
    resampling: Resampling,
    *,
    workers: int = 1,
    advance: Callable[[], None] = lambda: None,
) -> Ranking:
    """Score all sources of *study* against the one called *gold*, and compare every two.

    *advance* is called after each system. Raises `UsageError` if there is no system,
    `InputError` if one has no item of the gold standard, and `VerificationError` if two
    computations disagree.
    """
    names = [source.name for source in study.sources if source.name != gold]
    if not names:
        raise UsageError("there is no system to compare")
    scores = {}
    for name in names:
        pairs = list(score_pairs(study.pairing(name, gold), options, workers))
        scores[name] = sum_up(pairs, options, seconds=sum(pair.seconds for pair in pairs))
        advance()
    ranked = dict(sorted(scores.items(), key=lambda entry: -entry[1].f1))
    return Ranking(
        study=study,
        gold=gold,
        scores=ranked,
        intervals={
            name: confidence_interval(Items.of(score.per_pair), resampling)
            for name, score in ranked.items()
        },
        contests=contests(ranked, resampling),
    )


def contests(scores: Mapping[str, CorpusScore], resampling: Resampling) -> list[Contest]:
    """Compare every two of the *scores*, in their order, on the items that both have."""
    pairs = list(combinations(scores, 2))
    found = [
        compare_f1(*_common(scores[one].per_pair, scores[other].per_pair), resampling)
        for one, other in pairs
    ]
    adjusted = holm([difference.p for difference in found])
    return [
        _better_first(Contest(one=one, other=other, difference=difference, p_adjusted=p))
        for (one, other), difference, p in zip(pairs, found, adjusted, strict=True)
    ]


def _better_first(contest: Contest) -> Contest:
    """Return *contest* the other way round if its second side is better on the common items."""
    low, high, p = contest.difference
    if high >= 0:
        return contest
    turned = Difference(-high, -low, p)
    return replace(contest, one=contest.other, other=contest.one, difference=turned)


def _common(one: Sequence[PairScore], other: Sequence[PairScore]) -> tuple[Items, Items]:
    """Return the counts of both sides on the items that both were scored on."""
    left = {score.identifier: score for score in one if score.status != "skipped"}
    right = {score.identifier: score for score in other if score.status != "skipped"}
    items = [item for item in left if item in right]
    return Items.of(left[item] for item in items), Items.of(right[item] for item in items)
