"""One published number for all pairs together, beside what mappings reach on the same pairs.

The number lies below, at or above the optimum, and within or outside of what the search of smatch
finds with several seeds. Some mappings of the pairs may reach it, and some profile may give it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from exactmatch.errors import InputError
from exactmatch.graphs.items import Study
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.graphs.readers.tool_scores import ToolScores
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counts import Score, score_of
from exactmatch.metrics.registry import mending_policy
from exactmatch.problem import MatchingProblem
from exactmatch.scoring.by_cover import counter_of
from exactmatch.scoring.comparison import compare
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.solving.search.methods import METHODS, search
from exactmatch.stopping.deadline import Deadline
from exactmatch.studies.common.claims import Claim, claim_about
from exactmatch.studies.common.sweep import Sweep, SweepSettings
from exactmatch.studies.explanation.reaching import values_near

#: The tool whose search is repeated here, and how often.
_SEARCHED = "smatch"
SEEDS = 5

#: Sums of lost triples are tried one by one up to this number, and mappings of a pair that lose
#: more than the other number are left out.
_NEAR, _MOST_LOST = 2_000, 100_000

#: The name of all pairs together, as an item.
ALL_PAIRS = "all pairs"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileScore:
    """The exact score by a profile, and the matched triples that the number would be by it.

    gives_it: whether the score, rounded as the number is, is the number; None if the score is not
        proven, and may be.
    """

    profile: str
    score: Score
    gives_it: bool | None


@dataclass(frozen=True)
class OneNumber:
    """A number of a tool for all pairs, beside the exact score.

    source: the name of the tool, or of the file of an unknown tool.
    printed: the number as the tool printed it.
    claim: the verdict on the number, with the matched triples that fit its digits.
    pairs: the number of pairs. first_seed, searched: the first seed, and the matched triples that
        the search of smatch finds with it and the following ones; none for other tools.
    is_reached: whether mappings were found that match as many triples.
    profiles: the scores by all profiles of the metric that compare the same items. refusing: the
        reasons why other profiles do not score the graphs, by name.
    """

    tool: str
    source: str
    printed: str
    claim: Claim
    pairs: int
    first_seed: int
    searched: Sequence[int]
    is_reached: bool
    profiles: Sequence[ProfileScore]
    refusing: Mapping[str, str]

    @property
    def ends_of_search(self) -> tuple[int, int]:
        """The least and the most matched triples of `searched`."""
        return min(self.searched), max(self.searched)

    def f1_of(self, matched: int) -> float:
        """Return the F1 of so many matched triples."""
        total = self.claim.score.system_total + self.claim.score.gold_total
        return 2 * matched / total if total else 0.0

    def lost_by(self, matched: int) -> int:
        """Return how many triples fewer these are than the exact score has."""
        return self.claim.score.matched - matched


def one_number(
    study: Study,
    scores: ToolScores,
    metric: AlignmentMetric,
    profile: str,
    others: Mapping[str, AlignmentMetric],
    settings: Settings,
    sweeping: SweepSettings,
) -> OneNumber:
    """Compare the one number of *scores* with what *metric* gives on all pairs, and *others* do.

    *profile* is the name of the profile of *metric*; *others* have theirs. Graphs are read as
    *metric* reads them. Raises as `Sweep` does, and `InputError` for a pair that is too large to be
    searched.
    """
    # Complex: each comprehension adds up one figure of all pairs, or of all profiles.
    ((run, claimed),) = scores.pairs[0].claims.items()
    seeds = SEEDS if scores.tool == _SEARCHED else 0
    job = partial(_tried, [metric, *others.values()], seeds, settings)
    files = (study.sources[0].name, study.sources[1].name)
    policy = mending_policy([metric])
    sweep = Sweep(study, [files], job, sweeping, ill_formed=policy)
    tried = [pair for _, (pair,) in sweep if pair is not None and not isinstance(pair, Skipped)]
    exact = _added([pair.score for pair in tried])
    claim = claim_about(run, ALL_PAIRS, claimed, scores.pairs[0].totals, exact)
    by_profile = {profile: exact}
    refusing = {}
    for name, found in zip(others, zip(*(pair.others for pair in tried), strict=True), strict=True):
        reasons = [one for one in found if isinstance(one, str)]
        if reasons:
            refusing[name] = reasons[0]
        else:
            by_profile[name] = _added([one for one in found if isinstance(one, Score)])
    return OneNumber(
        scores.tool,
        scores.source,
        str(claimed),
        claim,
        pairs=len(tried),
        first_seed=settings.seed,
        searched=[sum(some) for some in zip(*(pair.searched for pair in tried), strict=True)],
        is_reached=_is_reached(tried, exact.matched, claim),
        profiles=[
            ProfileScore(
                profile=name,
                score=score,
                gives_it=_gives(claim_about(run, ALL_PAIRS, claimed, None, score)),
            )
            for name, score in by_profile.items()
        ],
        refusing=refusing,
    )


@dataclass(frozen=True, slots=True)
class _TriedPair:
    """The score of a pair, the matches that were searched, and its scores by other profiles.

    others: also the reasons why a profile does not score the pair.
    lost: numbers of triples by which mappings stay below the best one, as bits.
    """

    score: Score
    others: Sequence[Score | str]
    searched: Sequence[int]
    lost: int


def _tried(
    metrics: Sequence[AlignmentMetric], seeds: int, settings: Settings, pair: GraphPair
) -> _TriedPair:
    first, *others = metrics
    best = score_pair(pair, first, settings, Deadline())
    if best.too_large:
        raise InputError(
            f"pair {pair.identifier} is too large to be searched in {settings.memory} bytes; "
            "allow more with --memory, or leave the pair out"
        )
    comparison = compare(pair, first)
    lefts, rights = (
        {name: k for k, name in enumerate(graph.variables)}
        for graph in (comparison.system, comparison.gold)
    )
    problem, likely = comparison.problem, comparison.likely()
    mapping = {lefts[left]: rights[right] for left, right in best.mapping.items()}
    value = problem.value(mapping)
    # The matches that need no mapping are in the score, and not in the problem.
    found = [_climbed(problem, likely, settings, k) for k in range(seeds)]
    near = {value - other for other in (*found, *values_near(problem, mapping))}
    lost = [number for number in near if 0 <= number <= _MOST_LOST]
    return _TriedPair(
        score=score_of(best),
        others=[_counts_by(by, pair, settings) for by in others],
        searched=[best.matched - value + other for other in found],
        lost=reduce(lambda bits, number: bits | 1 << number, lost, 1),
    )


def _climbed(
    problem: MatchingProblem, likely: Sequence[tuple[int, int]], settings: Settings, k: int
) -> int:
    """Return what smatch finds with its seed number *k*: a smart start, and four random ones."""
    mapping = search(
        problem,
        METHODS["s+4r"],
        likely,
        starts="candidates",
        seed=settings.seed + k,
        deadline=Deadline.after(settings.timeout),
    )
    return problem.value(mapping)


def _counts_by(metric: AlignmentMetric, pair: GraphPair, settings: Settings) -> Score | str:
    """Return the score of a pair by *metric*, or why *metric* does not score it."""
    counter = counter_of(metric, settings)
    try:
        return score_of(score_pair(pair, metric, settings, Deadline(), counter=counter))
    except InputError as error:
        return str(error)


def _added(scores: Sequence[Score]) -> Score:
    return Score(
        matched=sum(score.matched for score in scores),
        matched_upper=sum(score.matched_upper for score in scores),
        system_total=sum(score.system_total for score in scores),
        gold_total=sum(score.gold_total for score in scores),
    )


def _is_reached(tried: Sequence[_TriedPair], matched: int, claim: Claim) -> bool:
    """Tell whether mappings of the pairs, each among those found, reach the number of a claim.

    A distant number is approached by the worst mappings of the first pairs. Then the sums of all
    choices of one mapping for each other pair are the bits of a number.
    """
    least, most = max(0, matched - claim.high), matched - claim.low
    if claim.low > claim.high or most < 0:
        return False
    pairs = iter(tried)
    while least > _NEAR and (pair := next(pairs, None)) is not None:
        lost = (pair.lost & _up_to(least)).bit_length() - 1
        least, most = least - lost, most - lost
    sums = 1
    for pair in pairs:
        sums = _all_sums(sums, pair.lost & _up_to(most)) & _up_to(most)
    return bool(sums >> least)


def _up_to(number: int) -> int:
    """Return all numbers from 0 to *number*, as bits."""
    return (1 << number + 1) - 1


def _all_sums(some: int, others: int) -> int:
    """Return the sums of a number of *some* and a number of *others*, all as bits."""
    sums = 0
    while others:
        number = others.bit_length() - 1
        sums |= some << number
        others ^= 1 << number
    return sums


def _gives(claim: Claim) -> bool | None:
    """Tell whether an exact score is the number; None if it is not proven, and may be."""
    if claim.low > claim.high or not claim.score.matched <= claim.high:
        return False
    if claim.score.matched_upper < claim.low:
        return False
    is_proven = claim.score.matched == claim.score.matched_upper
    return True if is_proven or claim.low <= claim.score.matched else None
