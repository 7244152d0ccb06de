"""Compare the scores that another tool claims with the proven optimum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

from exactmatch.errors import InputError, UsageError, near_names
from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.paths import shown_path
from exactmatch.graphs.readers.tool_scores import OTHER, ToolPair, ToolScores
from exactmatch.metrics.base import Metric
from exactmatch.metrics.counts import Score
from exactmatch.report.wording import counted, noun
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs

#: The claim is below the matches of our mapping; equal; above the proven bound; between mapping and
#: bound, or not distinguishable by its digits; or about other totals, since the tool counts other
#: numbers of triples (but a claim above the bound is always impossible).
Verdict = Literal["too low", "equal", "impossible", "undecided", "other totals"]
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a *run* of a tool about a pair, and the verdict on it.

    item: the name of the pair. score: its exact score.
    low, high: the least and the most matched triples that fit the claim; they differ if it was
        rounded.
    totals: the triples of both sides that the tool counts, if it reports them.
    """

    run: str
    item: str
    score: Score
    low: int
    high: int
    totals: tuple[int, int] | None
    verdict: Verdict

    @property
    def lost(self) -> int:
        """The triples by which the best mapping known exceeds the claim."""
        return self.score.matched - self.high

    @property
    def f1_lost(self) -> float:
        """The F1 by which the best mapping known exceeds the claim."""
        total = self.score.system_total + self.score.gold_total
        return 2 * self.lost / total if total else 0.0


@dataclass(frozen=True, kw_only=True)
class ClaimedRun:
    """The claims of one run of a tool about so many *pairs*, and the number of each verdict.

    triples_lost: the triples lost by claims that are too low; *f1_lost* is the loss in micro F1,
        and *worst_f1_lost* the largest loss on a pair.
    """

    pairs: int
    verdicts: Mapping[Verdict, int]
    triples_lost: int
    f1_lost: float
    worst_f1_lost: float


@dataclass(frozen=True)
class Claims:
    """The claims of a tool, by the name of the run.

    by_verdict: the claims with each verdict, the largest differences first.
    rounded: claims whose digits fit several numbers of triples.
    skipped: pairs that were skipped here, so that they have no verdict.
    unclaimed: pairs without a claim of the tool.
    """

    tool: str
    path: str
    score: ScoredPairs
    proofs: ProofCounts
    runs: Mapping[str, ClaimedRun]
    by_verdict: Mapping[Verdict, Sequence[Claim]]
    rounded: int
    skipped: int
    unclaimed: int

    @property
    def source(self) -> str:
        """The name of the tool, or of the file of an unknown tool."""
        return shown_path(self.path) if self.tool == OTHER else self.tool


def check_claims(scores: ToolScores, score: ScoredPairs) -> Claims:
    """Compare the claims of a tool with the exact scores of the same pairs.

    Pairs are found by their identifiers, or by position if the tool gives none. Raises `InputError`
    if claims and pairs do not correspond.
    """
    check_whole(score.metric)
    couples = _couples(scores, score)
    rows = {item: row for row, item in enumerate(score.items.tolist())}
    scored = [(pair, item) for pair, item in couples if item in rows]
    claims = [
        claim_about(run, score.names[item], claimed, pair.totals, score.of_pair(rows[item]))
        for pair, item in scored
        for run, claimed in pair.claims.items()
    ]
    runs: dict[str, list[Claim]] = {}
    for claim in claims:
        runs.setdefault(claim.run, []).append(claim)
    return Claims(
        scores.tool,
        scores.path,
        score,
        proofs=ProofCounts.of([score]),
        runs={run: _run(claims_of_run) for run, claims_of_run in runs.items()},
        by_verdict={verdict: _farthest_first(claims, verdict) for verdict in _VERDICTS},
        rounded=sum(claim.low != claim.high for claim in claims),
        skipped=len(couples) - len(scored),
        unclaimed=score.pairs + score.skipped - len(couples),
    )


def is_one_number(scores: ToolScores, pairs: int) -> bool:
    """Tell whether *scores* are one number for so many *pairs*.

    Raises `InputError` if scores without identifiers are neither one for each pair nor one for all.
    """
    found = scores.pairs
    if all(pair.identifier is not None for pair in found) or len(found) == pairs:
        return False
    if len(found) == 1 and len(found[0].claims) == 1:
        return True
    raise InputError(
        f"{scores.path}: scores of {len(found)} pairs, but there are {pairs} pairs of graphs; give "
        "one for each pair (smatch: --ms), or one number for all pairs together"
    )


def check_whole(metric: Metric) -> None:
    """Raise `UsageError` for a metric that counts matches in part, which no tool's file tells."""
    if metric.scale != 1:
        raise UsageError(
            f"scores of other tools cannot be compared with those of {metric.name} that count "
            "matches in part"
        )


def claim_about(
    run: str, item: str, claimed: int | str, totals: tuple[int, int] | None, exact: Score
) -> Claim:
    """Return what a *run* claims about an *item*, with the verdict of its *exact* score.

    *claimed* are matched triples, or F1 as printed; *totals* are those that the tool reports.
    """
    low, high = (claimed, claimed) if isinstance(claimed, int) else _fitting(claimed, exact)
    return Claim(run, item, exact, low, high, totals, _verdict(low, high, totals, exact))


def _run(claims: Sequence[Claim]) -> ClaimedRun:
    low = [claim for claim in claims if claim.verdict == "too low"]
    lost = sum(claim.lost for claim in low)
    total = sum(claim.score.system_total + claim.score.gold_total for claim in claims)
    return ClaimedRun(
        pairs=len(claims),
        verdicts={
            verdict: sum(claim.verdict == verdict for claim in claims) for verdict in _VERDICTS
        },
        triples_lost=lost,
        f1_lost=2 * lost / total if total else 0.0,
        worst_f1_lost=max((claim.f1_lost for claim in low), default=0.0),
    )


def _farthest_first(claims: Sequence[Claim], verdict: Verdict) -> list[Claim]:
    chosen = [claim for claim in claims if claim.verdict == verdict]
    return sorted(chosen, key=lambda claim: (-abs(claim.lost), claim.item, claim.run))


def _couples(scores: ToolScores, score: ScoredPairs) -> list[tuple[ToolPair, int]]:
    """Return each claim with the position of its item."""
    items = sorted([*score.items.tolist(), *score.skipped_items.tolist()])
    if any(pair.identifier is None for pair in scores.pairs):
        if len(scores.pairs) != len(items):
            claimed, there = (counted(len(some), "pair") for some in (scores.pairs, items))
            raise InputError(
                f"{scores.path}: scores of {claimed}, but there "
                f"{noun(len(items), 'is', 'are')} {there} of graphs; one is needed for each pair "
                "(smatch: --ms)"
            )
        return list(zip(scores.pairs, items, strict=True))
    ours = {score.names[item]: item for item in items}
    names = distinct(pair.identifier or "" for pair in scores.pairs)
    unknown = [name for name in names if name not in ours]
    if unknown:
        raise InputError(
            f"{scores.path}: {len(unknown)} scores of pairs that are not in the files, first "
            f"that of {unknown[0]}.{near_names(unknown[0], ours)}".removesuffix(".")
        )
    return [(pair, ours[name]) for pair, name in zip(scores.pairs, names, strict=True)]


def _verdict(low: int, high: int, totals: tuple[int, int] | None, exact: Score) -> Verdict:
    if min(low, high) > exact.matched_upper:
        return "impossible"
    if low > high or totals not in (None, (exact.system_total, exact.gold_total)):
        return "other totals"
    if high < exact.matched:
        return "too low"
    return "equal" if low == high == exact.matched == exact.matched_upper else "undecided"


def _fitting(printed: str, exact: Score) -> tuple[int, int]:
    """Return the fewest and the most matched triples whose F1 is printed as claimed.

    The claim may be off by half a unit of the last digit. If no number fits, the totals differ, and
    the first number is the greater.
    """
    half = Fraction(10) ** int(Decimal(printed).as_tuple().exponent) / 2
    total = exact.system_total + exact.gold_total
    low = (Fraction(printed) - half) * total / 2
    high = (Fraction(printed) + half) * total / 2
    return max(0, -(-low.numerator // low.denominator)), high.numerator // high.denominator
