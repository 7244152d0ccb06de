"""Scores by a metric's own formula: intervals and p-values, against full recomputation."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from nightly import day_share
from study_files import AGREEMENT, blocks_of

import exactmatch
from exactmatch.graphs.graph import PENMAN, Graph
from exactmatch.metrics.base import AlignmentFreeMetric, Measurement, Metric, Statistics
from exactmatch.metrics.counts import Counts, Figures
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.studies.common.contests import contests
from exactmatch.studies.common.outcomes import PairOutcome, PairRow
from exactmatch.studies.common.pairs import ScoreCollector, ScoredPairs, resampled_together
from exactmatch.studies.common.statistics import (
    Interval,
    Resampling,
    compare_scores,
    confidence_interval,
)

#: No path of three nodes matches, and in some no path of two: the smoothing of SemBleu tells how
#: much there is of them, so that twice the sums do not make the same score.
GOLD = [
    "(a / go-01 :ARG0 (b / cat :mod (c / old)))",
    "(a / see-01 :ARG0 (b / dog :mod (c / big)) :ARG1 (d / cat))",
    "(a / eat-01 :ARG0 (b / boy))",
    "(a / run-02 :ARG0 (b / girl :mod (c / tall)) :time (d / now))",
]
FIRST = [
    "(a / go-01 :ARG0 (b / cat :quant (c / few)))",
    "(a / see-01 :ARG1 (b / dog :mod (c / big)) :ARG0 (d / cat))",
    "(a / eat-01 :ARG1 (b / boy))",
    "(a / run-02 :ARG0 (b / woman) :time (d / now :mod (e / just)))",
]
SECOND = [
    "(a / go-01 :ARG1 (b / cat :mod (c / old)) :time (d / then))",
    "(a / see-01 :ARG0 (b / dog))",
    "(a / eat-01 :ARG0 (b / boy :mod (c / small)))",
    "(a / walk-01 :ARG0 (b / girl :quant 1))",
]


@dataclass(frozen=True, slots=True)
class MeanShare(AlignmentFreeMetric):
    """The mean of a fraction over the pairs, less that of a part that some pairs lack."""

    name: ClassVar[str] = "mean-share"
    title: ClassVar[str] = "Mean share"
    format: ClassVar[str] = PENMAN

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        raise NotImplementedError

    def signature(self, search: str = "") -> str:
        return self.name

    def figures(self, statistics: Statistics) -> Figures:
        if not statistics.sums:
            return Figures(0.0, "mean")
        mean = statistics.sums["share"] / statistics.gold_total
        rare = statistics.breakdown.get("rare", Counts(0, 0, 1))
        return Figures(float(mean - Fraction(rare.matched, 1000)), "mean")


def scored(metric: Metric, rows: Sequence[Statistics]) -> ScoredPairs:
    collector = ScoreCollector([f"x{k}" for k in range(len(rows))], metric)
    for item, one in enumerate(rows):
        row = PairRow(
            one.matched, one.matched, one.system_total, one.gold_total, 1, "none", 0.0
        )  # fmt: skip
        collector.add(item, PairOutcome(row=row, statistics=one))
    return collector.finish()


def measured(system: Sequence[str], gold: Sequence[str]) -> list[Statistics]:
    """Return SemBleu's counts of each pair."""
    pairs = exactmatch.score(list(system), list(gold), metric="sembleu").per_pair
    return [pair.measurement.statistics for pair in pairs]


def sembleu(system: Sequence[str], gold: Sequence[str]) -> ScoredPairs:
    return scored(SemBleu.profiles["default"], measured(system, gold))


def graphs(name: str) -> list[str]:
    return [block[block.index("(") :] for block in blocks_of(AGREEMENT / name)]


def bleu(rows: Sequence[Statistics], times: Sequence[int]) -> float:
    """Return the SemBleu of pairs with given numbers of copies, from their counts by hand.

    Every edge is a path of two nodes, so edges and nodes together are the size of a graph.
    """

    def total(order: int, side: str) -> int:
        counts = [row.breakdown[f"{order}-grams"] for row in rows]
        return sum(k * getattr(c, side) for c, k in zip(counts, times, strict=True))

    precisions = [total(n, "matched") / total(n, "system_total") for n in (1, 2, 3)]
    gold, system = (total(1, side) + total(2, side) for side in ("gold_total", "system_total"))
    return math.prod(precisions) ** (1 / 3) * math.exp(min(0.0, 1 - gold / system))


def test_the_score_of_a_corpus_is_that_of_the_sums() -> None:
    corpus = exactmatch.score(graphs("a.amr"), graphs("consensus.amr"), metric="sembleu")
    rows = [pair.measurement.statistics for pair in corpus.per_pair]
    found = scored(SemBleu.profiles["default"], rows)
    assert found.value == pytest.approx(bleu(rows, [1] * len(rows)), abs=1e-12)
    assert found.value_name == "BLEU"
    alone = found.restricted(np.arange(len(rows)) < 2)
    assert alone.value == pytest.approx(bleu(rows[:2], [1, 1]), abs=1e-12)
    assert (found.value, found.macro_f1) == (corpus.value, corpus.macro_f1)
    assert scored(SemBleu.profiles["default"], []).value == 0.0


@pytest.mark.nightly
def test_the_interval_of_sembleu_is_that_of_scipy() -> None:
    """The sums of every resample are added up, and the formula applied to them, by the test."""
    from scipy.stats import bootstrap

    rows = measured(graphs("d.amr"), graphs("consensus.amr"))

    def statistic(drawn: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        times = Counter(drawn.astype(int).tolist())
        return bleu(rows, [times[k] for k in range(len(rows))])

    theirs = bootstrap(
        (np.arange(len(rows)),),
        statistic,
        vectorized=False,
        n_resamples=3000,
        rng=np.random.default_rng(3),
    ).confidence_interval
    items = scored(SemBleu.profiles["default"], rows).resampled()
    ours = confidence_interval(items, Resampling(9999, seed=1))
    assert ours == pytest.approx(tuple(theirs), abs=(theirs.high - theirs.low) / 15)


@pytest.mark.parametrize("gold", [GOLD, graphs("consensus.amr")[:5]])
def test_p_is_that_of_scoring_all_exchanges_from_scratch(gold: list[str]) -> None:
    if gold is GOLD:
        one, other = FIRST, SECOND
    else:
        one, other = graphs("b.amr")[:5], graphs("c.amr")[:5]
    gaps = []
    for exchange in product((False, True), repeat=len(gold)):
        left, right = (
            [b if swap == turned else a for a, b, swap in zip(one, other, exchange, strict=True)]
            for turned in (True, False)
        )
        values = [exactmatch.score(side, gold, metric="sembleu").value for side in (left, right)]
        gaps.append(values[0] - values[1])
    expected = sum(abs(gap) >= abs(gaps[0]) - 1e-10 for gap in gaps) / len(gaps)
    assert 0 < expected < 1
    found = compare_scores(
        *resampled_together(sembleu(one, gold), sembleu(other, gold)), Resampling(200)
    )
    assert found == pytest.approx((gaps[0], gaps[0], expected), abs=1e-10)


def test_p_where_twice_the_counts_make_another_score() -> None:
    """Few longer paths match, so smoothing, which knows no shares, decides the order."""
    metric = SemBleu()
    rng = np.random.default_rng(0)
    for _ in range(day_share(20)):
        one, other = ([_few_matches(rng) for _ in range(5)] for _ in range(2))
        gaps = []
        for exchange in product((False, True), repeat=5):
            left, right = Statistics(), Statistics()
            for a, b, swap in zip(one, other, exchange, strict=True):
                left, right = left + (b if swap else a), right + (a if swap else b)
            gaps.append(metric.figures(left).value - metric.figures(right).value)
        items = resampled_together(scored(metric, one), scored(metric, other))
        expected = sum(abs(gap) >= abs(gaps[0]) - 1e-12 for gap in gaps) / len(gaps)
        assert compare_scores(*items, Resampling(99)).p == expected


def _few_matches(rng: np.random.Generator) -> Statistics:
    """Return the counts of two graphs of the same size, so that there is no length penalty."""
    (known,) = measured(GOLD[:1], GOLD[:1])
    totals = rng.integers(1, 6, 3).tolist()
    matched = [int(rng.integers(1, totals[0] + 1)), *(rng.random(2) < 0.1).astype(int).tolist()]
    counts = [Counts(m, t, t) for m, t in zip(matched, totals, strict=True)]
    orders = dict(zip(known.breakdown, counts, strict=True))
    sizes = dict.fromkeys(known.sums, Fraction(1))
    return Statistics(sum(matched), sum(matched), sum(totals), sum(totals), orders, sizes)


def test_random_exchanges_come_near_to_all_exchanges() -> None:
    gold = graphs("consensus.amr")
    items = resampled_together(
        sembleu(graphs("b.amr")[:9], gold[:9]), sembleu(graphs("c.amr")[:9], gold[:9])
    )
    every = compare_scores(*items, Resampling(512)).p
    some = compare_scores(*items, Resampling(511, seed=2)).p
    assert every is not None and some is not None and every != some
    assert some == pytest.approx(every, abs=0.06)


def test_who_comes_first_does_not_matter() -> None:
    gold = graphs("consensus.amr")
    one, other = sembleu(graphs("b.amr"), gold), sembleu(graphs("c.amr"), gold)
    how = Resampling(199)
    (forth,), (back,) = contests({"b": one, "c": other}, how), contests({"c": other, "b": one}, how)
    assert forth == back
    assert forth.one == "c" and forth.difference.low == other.value - one.value > 0


def test_the_order_of_the_items_does_not_matter() -> None:
    gold, system = graphs("consensus.amr"), graphs("d.amr")
    one = sembleu(system, gold).resampled()
    turned = sembleu(system[::-1], gold[::-1]).resampled()
    how = Resampling(199)
    assert confidence_interval(one, how) == confidence_interval(turned, how)


@pytest.mark.parametrize("metric", ["sembleu", "smatch"])
def test_a_perfect_system_has_no_spread(metric: str) -> None:
    path = AGREEMENT / "a.amr"
    found = exactmatch.compare([path], path, metric=metric, resamples=99).found
    assert list(found.intervals.values()) == [Interval(1.0, 1.0)]


def test_fractions_are_added_up_exactly_and_what_a_pair_lacks_is_nothing() -> None:
    """Denominators of 3, 7 and 2 ** 61: no whole number of 64 bits holds their sum."""
    shares = [Fraction(1, 3), Fraction(2, 7), Fraction(2**61 - 1, 2**61), Fraction(1)]
    rows = [Statistics(0, 0, 1, 1, {}, {"share": share}) for share in shares]
    rows[2] = Statistics(1, 1, 1, 1, {"rare": Counts(1, 1, 1)}, {"share": shares[2]})
    found = scored(MeanShare(), rows)
    assert found.value == float(sum(shares) / 4 - Fraction(1, 1000))
    items = found.resampled()
    each = items.formula.scores(np.stack(items.low, axis=-1)).tolist()
    assert each == [float(shares[k] - Fraction(k == 2, 1000)) for k in range(4)]
    lacking = found.restricted(np.array([True, True, False, True]))
    assert lacking.value == float((shares[0] + shares[1] + shares[3]) / 3)
    # Side by side with what has a part more, both sides have the same columns.
    two = scored(MeanShare(), [Statistics(0, 0, 1, 1, {}, {"share": Fraction(1, 5)})] * 4)
    left, right = resampled_together(found, two)
    assert len(left.further) == len(right.further)
    gap = found.value - 0.2
    assert compare_scores(left, right, Resampling(99)).low == pytest.approx(gap, abs=1e-12)
    interval = confidence_interval(items, Resampling(999))
    assert interval is not None
    assert float(min(shares)) <= interval.low < found.value < interval.high <= 1


def test_sums_that_64_bits_just_do_not_hold() -> None:
    """The shares are sixteenths, but for 2 ** -61 each: the sum is between 2 ** 63 and 2 ** 64."""
    fine = [Fraction(2**61 - k * 2**57 - 1, 2**61) for k in range(7)]
    coarse = [Fraction(16 - k, 16) for k in range(7)]
    assert 2**63 < sum(fine) * 2**61 < 2**64
    intervals = [
        confidence_interval(
            scored(
                MeanShare(), [Statistics(0, 0, 1, 1, {}, {"share": n}) for n in shares]
            ).resampled(),
            Resampling(999),
        )
        for shares in (fine, coarse)
    ]
    assert intervals[0] == pytest.approx(intervals[1], abs=1e-12)


def test_a_corpus_by_hand(tmp_path: Path) -> None:
    """Two pairs: 2 of 2 + 1 nodes match, and no edge between two nodes; the sizes are equal.

    A single path of two nodes counts as half a match. There is no path of three nodes, so the other
    two precisions, 2/3 and 1/2, have equal weights.
    """
    system, gold, other = (tmp_path / name for name in ("system.amr", "gold.amr", "other.amr"))
    system.write_text("(a / x :r (b / y))\n\n(c / z)\n", encoding="utf-8")
    gold.write_text("(a / x :s (b / y))\n\n(c / w)\n", encoding="utf-8")
    other.write_text("(a / x :s (b / y))\n\n(c / v)\n", encoding="utf-8")
    result = exactmatch.compare([system, other], gold, metric="sembleu", resamples=10)
    ranking = result.found
    assert list(ranking.ranks.items()) == [("other", 1), ("system", 2)]
    assert ranking.scores["system"].value == pytest.approx(math.sqrt(2 / 3 * 1 / 2))
    assert ranking.scores["other"].value == pytest.approx(math.sqrt(2 / 3 * 1))
    # Of the four exchanges, all are as far apart: the second pairs are the same in every count.
    assert ranking.contests[0].difference.p == 1.0
