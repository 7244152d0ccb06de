"""The difference between the exact score and that of a tool: search error, or reading error.

On a pair, the difference is

* a search error, if the tool counts the same triples, its number is below the optimum, and a
  mapping is found that reaches the number;
* a reading error, if the tool counts other numbers of triples, or its number is above the proven
  bound, which no mapping reaches: the tool has read, or counted, other triples;
* unreached, if the number is below the optimum and no mapping is found that reaches it;
* undecided, if the pair is not proven, and the number lies between the mapping found and the bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Literal, get_args

from exactmatch.graphs.items import Study
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.graphs.readers.tool_scores import ToolScores
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import mending_policy
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.comparison import compare
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline
from exactmatch.studies.common.claims import Claim, Claims, check_claims
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.sweep import Sweep, SweepSettings
from exactmatch.studies.explanation.reaching import is_reached

Cause = Literal["search error", "unreached", "undecided", "above the bound", "other totals"]
_CAUSES: tuple[Cause, ...] = get_args(Cause)

#: The causes that are reading errors.
_READING: Sequence[Cause] = ("above the bound", "other totals")


@dataclass(frozen=True, slots=True)
class PairLeftover:
    """The difference on a pair that a run of the tool scores differently.

    claimed: the matched triples of the tool; if its number was rounded, the number nearest to ours
        that fits it.
    """

    run: str
    claim: Claim
    cause: Cause
    claimed: int

    @property
    def difference(self) -> int:
        """Claimed minus matched triples."""
        return self.claimed - self.claim.score.matched


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseSum:
    """The sum of one cause, or of several, over so many *pairs*: the run's numbers minus ours.

    matched, system_total, gold_total, f1: as in `exactmatch.metrics.counts.Score`.
    """

    pairs: int = 0
    matched: int = 0
    system_total: int = 0
    gold_total: int = 0
    f1: float = 0.0


@dataclass(frozen=True, slots=True)
class RunLeftover:
    """A run of a tool beside the exact scores of the same pairs.

    pairs: the pairs that both the run and this program score.
    claimed, matched: the matched triples of the run, and the exact ones.
    f1, exact_f1: the micro F1 of both.
    difference: the run's numbers minus the exact ones.
    causes: the parts of the difference. reading: the part that is reading error, and *unknown* the
        part that is not known to be reading or search error.
    """

    run: str
    pairs: int
    claimed: int
    matched: int
    f1: float
    exact_f1: float
    difference: CauseSum
    causes: Mapping[Cause, CauseSum]
    reading: CauseSum
    unknown: CauseSum


@dataclass(frozen=True)
class Leftover:
    """The differences between the exact score and the runs of a tool.

    pairs: the pairs with a difference, the greatest first.
    """

    claims: Claims
    runs: Sequence[RunLeftover]
    pairs: Sequence[PairLeftover]


def leftover(
    study: Study,
    scores: ToolScores,
    exact: ScoredPairs,
    metric: AlignmentMetric,
    settings: Settings,
    workers: Workers,
) -> Leftover:
    """Return the cause of each difference between a tool's claims and *exact*, by *metric*.

    The pairs below the optimum are solved once more, to find which numbers mappings reach. Raises
    `InputError` if the scores do not belong to the pairs.
    """
    claims = check_claims(scores, exact)
    reached = _reached(study, claims, metric, settings, workers)
    every = [claim for several in claims.by_verdict.values() for claim in several]
    pairs = [
        PairLeftover(claim.run, claim, cause, claimed=_claimed(claim))
        for claim in every
        if (cause := _cause(claim, reached))
    ]
    runs = [
        _run(
            [claim for claim in every if claim.run == run],
            [pair for pair in pairs if pair.run == run],
        )
        for run in claims.runs
    ]
    pairs.sort(key=lambda pair: (-abs(pair.difference), pair.claim.item, pair.run))
    return Leftover(claims, runs, pairs)


def _reached(
    study: Study,
    claims: Claims,
    metric: AlignmentMetric,
    settings: Settings,
    workers: Workers,
) -> set[tuple[str, int, int]]:
    """Return the item and the numbers of each claim below the optimum that a mapping reaches."""
    asked: dict[str, set[tuple[int, int]]] = {}
    for claim in claims.by_verdict["too low"]:
        asked.setdefault(claim.item, set()).add((claim.low, claim.high))
    items = [k for k, name in enumerate(study.names) if name in asked]
    files = (study.sources[0].name, study.sources[1].name)
    job = partial(_numbers_reached, asked, metric, settings)
    reached: set[tuple[str, int, int]] = set()
    if items:
        policy = mending_policy([metric])
        sweep = Sweep(study, [files], job, SweepSettings(items, workers), ill_formed=policy)
        for item, (numbers,) in sweep:
            if numbers is not None and not isinstance(numbers, Skipped):
                reached |= {(study.names[item], low, high) for low, high in numbers}
    return reached


def _numbers_reached(
    asked: Mapping[str, set[tuple[int, int]]],
    metric: AlignmentMetric,
    settings: Settings,
    pair: GraphPair,
) -> list[tuple[int, int]]:
    score = score_pair(pair, metric, settings, Deadline())
    if score.too_large:
        return []
    comparison = compare(pair, metric)
    lefts, rights = (
        {name: k for k, name in enumerate(graph.variables)}
        for graph in (comparison.system, comparison.gold)
    )
    best = {lefts[left]: rights[right] for left, right in score.mapping.items()}
    return [
        (low, high)
        for low, high in sorted(asked[pair.identifier])
        if is_reached(comparison.problem, best, low, high)
    ]


def _cause(claim: Claim, reached: set[tuple[str, int, int]]) -> Cause | None:
    """Return the cause of a claim that differs from ours; None if it is, or may be, equal."""
    if claim.verdict == "other totals" or claim.totals not in (None, _totals(claim)):
        return "other totals"
    if claim.verdict == "impossible":
        return "above the bound"
    if claim.verdict == "too low":
        is_found = (claim.item, claim.low, claim.high) in reached
        return "search error" if is_found else "unreached"
    return None if _claimed(claim) == claim.score.matched else "undecided"


def _claimed(claim: Claim) -> int:
    return min(max(claim.score.matched, claim.low), claim.high)


def _run(claims: Sequence[Claim], pairs: Sequence[PairLeftover]) -> RunLeftover:
    ours = [_totals(claim) for claim in claims]
    theirs = [claim.totals or _totals(claim) for claim in claims]
    total, tool_total = (sum(map(sum, totals)) for totals in (ours, theirs))
    claimed = sum(map(_claimed, claims))
    matched = sum(claim.score.matched for claim in claims)
    f1, exact_f1 = _f1(claimed, tool_total), _f1(matched, total)
    causes = {
        cause: _sum([pair for pair in pairs if pair.cause == cause], total) for cause in _CAUSES
    }
    rest = f1 - exact_f1 - sum(part.f1 for part in causes.values())
    causes["other totals"] = replace(causes["other totals"], f1=causes["other totals"].f1 + rest)
    return RunLeftover(
        claims[0].run,
        len(claims),
        claimed,
        matched,
        f1,
        exact_f1=exact_f1,
        difference=_added([*causes.values()]),
        causes=causes,
        reading=_added([causes[cause] for cause in _READING]),
        unknown=_added([causes["unreached"], causes["undecided"]]),
    )


def _totals(claim: Claim) -> tuple[int, int]:
    return claim.score.system_total, claim.score.gold_total


def _sum(pairs: Sequence[PairLeftover], total: int) -> CauseSum:
    """Return the sum over *pairs*, with its F1 if the *total* of both sides agrees with ours."""
    matched = sum(pair.difference for pair in pairs)
    more = [
        (theirs[0] - ours[0], theirs[1] - ours[1])
        for pair in pairs
        if (ours := _totals(pair.claim)) and (theirs := pair.claim.totals or ours)
    ]
    return CauseSum(
        pairs=len(pairs),
        matched=matched,
        system_total=sum(system for system, _ in more),
        gold_total=sum(gold for _, gold in more),
        f1=_f1(matched, total),
    )


def _added(sums: Sequence[CauseSum]) -> CauseSum:
    return CauseSum(**{f.name: sum(getattr(one, f.name) for one in sums) for f in fields(CauseSum)})


def _f1(matched: int, total: int) -> float:
    return 2 * matched / total if total else 0.0
