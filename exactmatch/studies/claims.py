"""The scores of another tool, judged by the proven optimum: too low, equal, or impossible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from exactmatch.counts import Score
from exactmatch.errors import InputError, UsageError
from exactmatch.pairing import distinct
from exactmatch.readers.tool_scores import ToolPair, ToolScores
from exactmatch.studies.columns import ScoredPairs

#: Below what a mapping of ours matches; the same; above the proven bound; between mapping and
#: bound, or not to be told from the digits; or on another question, since the tool counts other
#: numbers of triples (but what is above the bound is impossible whatever it counts).
Verdict = Literal["too low", "equal", "impossible", "undecided", "other totals"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim on a pair: matched triples from *low* to *high*, which differ if it was rounded.

    *item* is what the pair is called, and *score* its exact score.
    """

    item: str
    score: Score
    low: int
    high: int
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The claims of a tool: by the name of the run, one for each pair in order.

    unjudged: identifiers of pairs that were skipped here, and so have no verdict.
    unclaimed: how many pairs the tool says nothing about.
    """

    tool: str
    path: str
    score: ScoredPairs
    runs: Mapping[str, Sequence[Judged]]
    unjudged: Sequence[str]
    unclaimed: int


def judge(scores: ToolScores, score: ScoredPairs) -> Judgement:
    """Judge the claims of a tool by the exact scores of the same pairs.

    Pairs are found by their identifiers, or by position if the tool gives none. Raises
    `InputError` if they do not belong together.
    """
    if score.metric.scale != 1:
        raise UsageError(f"scores of other tools cannot be compared with {score.metric.name}")
    couples = _couples(scores, score)
    rows = {item: row for row, item in enumerate(score.items.tolist())}
    runs: dict[str, list[Judged]] = {}
    unjudged = []
    for claimed, item in couples:
        name = score.names[item]
        if item not in rows:
            unjudged.append(name)
            continue
        exact = score.of_pair(rows[item])
        for run, claim in claimed.claims.items():
            runs.setdefault(run, []).append(_judged(name, claim, claimed.totals, exact))
    return Judgement(
        tool=scores.tool,
        path=scores.path,
        score=score,
        runs=runs,
        unjudged=unjudged,
        unclaimed=score.pairs + score.skipped - len(couples),
    )


def _couples(scores: ToolScores, score: ScoredPairs) -> list[tuple[ToolPair, int]]:
    """Return each claim with the position of the item that it is about."""
    items = sorted([*score.items.tolist(), *score.skipped_items.tolist()])
    if any(pair.identifier is None for pair in scores.pairs):
        if len(scores.pairs) != len(items):
            raise InputError(
                f"{scores.path}: scores of {len(scores.pairs)} pairs, but there are "
                f"{len(items)} pairs of graphs"
            )
        return list(zip(scores.pairs, items, strict=True))
    ours = {score.names[item]: item for item in items}
    names = distinct(pair.identifier or "" for pair in scores.pairs)
    unknown = [name for name in names if name not in ours]
    if unknown:
        raise InputError(
            f"{scores.path}: {len(unknown)} scores of pairs that are not in the files, first "
            f"that of {unknown[0]}"
        )
    return [(pair, ours[name]) for pair, name in zip(scores.pairs, names, strict=True)]


def _judged(item: str, claim: int | str, totals: tuple[int, int] | None, exact: Score) -> Judged:
    low, high = (claim, claim) if isinstance(claim, int) else _fitting(claim, exact)
    return Judged(item, exact, low, high, _verdict(low, high, totals, exact))


def _verdict(low: int, high: int, totals: tuple[int, int] | None, exact: Score) -> Verdict:
    if min(low, high) > exact.matched_upper:
        return "impossible"
    if low > high or totals not in (None, (exact.system_total, exact.gold_total)):
        return "other totals"
    if high < exact.matched:
        return "too low"
    return "equal" if low == high == exact.matched == exact.matched_upper else "undecided"


def _fitting(printed: str, exact: Score) -> tuple[int, int]:
    """Return the fewest and the most matched triples whose F1 is printed so.

    Half a unit of the last digit either way. If no number fits, the totals are not the same, and
    the first number is the greater.
    """
    digits = len(printed.partition(".")[2])
    half = Fraction(1, 2 * 10**digits)
    total = exact.system_total + exact.gold_total
    low = (Fraction(printed) - half) * total / 2
    high = (Fraction(printed) + half) * total / 2
    return max(0, -(-low.numerator // low.denominator)), high.numerator // high.denominator
