"""Confidence intervals and tests, against scipy itself and against cases counted by hand."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from exactmatch.errors import UsageError
from exactmatch.metrics.base import Measurement, Statistics
from exactmatch.scoring.results import PairScore
from exactmatch.studies.common import statistics
from exactmatch.studies.common.statistics import (
    Interval,
    Items,
    Resampling,
    bca_interval,
    compare_scores,
    confidence_interval,
    holm,
)

RESAMPLING = Resampling(resamples=999, seed=7)


def items(*rows: tuple[int, int]) -> Items:
    """Return items of proven counts: matched, and the total of both sides."""
    matched, total = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return Items(matched, matched, total)


def some(seed: int, count: int = 40) -> Items:
    rng = np.random.default_rng(seed)
    total = rng.integers(4, 60, count)
    return items(*zip((rng.random(count) * total / 2).astype(int), total, strict=True))


def test_items_leave_out_what_was_skipped() -> None:
    def scored(status: str) -> PairScore:
        return PairScore(
            identifier="x", status=status, seconds=0.0,  # type: ignore[arg-type]
            measurement=Measurement(Statistics()),
            matched=1, matched_upper=2, system_total=3, gold_total=4,
        )  # fmt: skip

    found = Items.of([scored("optimal"), scored("skipped"), scored("feasible")])
    assert found.matched.tolist() == [1, 1]
    assert found.upper.tolist() == [2, 2]
    assert found.total.tolist() == [7, 7]


def f1_of(m: Any, t: Any, axis: int = -1) -> Any:
    return 2 * m.sum(axis=axis) / t.sum(axis=axis)


def test_the_interval_is_that_of_scipy() -> None:
    """The same ends for the same bootstrap distribution; some items occur several times."""
    from scipy.stats import bootstrap

    for seed in range(20):
        sample = some(seed)
        times = np.random.default_rng(seed).integers(1, 5, len(sample.total))
        matched, total = np.repeat(sample.matched, times), np.repeat(sample.total, times)
        theirs = bootstrap(
            (matched, total), f1_of, paired=True, n_resamples=999, rng=np.random.default_rng(seed)
        )
        left_out = (matched.sum() - sample.matched), (total.sum() - sample.total)
        ours = bca_interval(
            f1_of(matched, total),
            theirs.bootstrap_distribution,
            2 * left_out[0] / left_out[1],
            times,
            0.95,
        )
        assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=1e-12)


def test_resamples_are_distributed_as_those_of_scipy() -> None:
    from scipy.stats import bootstrap

    sample = some(1)
    ours = confidence_interval(sample, Resampling(20_000))
    theirs = bootstrap(
        (sample.matched, sample.total),
        f1_of,
        paired=True,
        n_resamples=20_000,
        rng=np.random.default_rng(7),
    )
    assert ours is not None
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=width / 20)


def test_an_interval_has_ends_however_lopsided() -> None:
    for rows in ([(0, 10)] * 30 + [(5, 10)], [(5, 10)] * 30 + [(0, 10)], [(1, 4), (2, 4)]):
        for confidence in (0.5, 0.95, 0.999999):
            found = confidence_interval(items(*rows), Resampling(10, confidence))
            assert found is not None and 0 <= found.low <= found.high <= 1


def test_the_interval_widens_with_what_is_not_proven() -> None:
    sample = some(2)
    upper = np.minimum(sample.matched + 2, sample.total // 2)
    low = confidence_interval(sample, RESAMPLING)
    high = confidence_interval(Items(upper, upper, sample.total), RESAMPLING)
    both = confidence_interval(Items(sample.matched, upper, sample.total), RESAMPLING)
    assert low is not None and high is not None
    assert both == Interval(low.low, high.high)


def test_no_spread_and_too_few_items() -> None:
    assert confidence_interval(items((2, 4), (2, 4), (2, 4)), RESAMPLING) == (1.0, 1.0)
    assert confidence_interval(items((1, 4)), RESAMPLING) is None
    assert confidence_interval(items((0, 0), (0, 0)), RESAMPLING) == (0.0, 0.0)
    assert compare_scores(items((1, 4)), items((2, 4)), RESAMPLING) == (-0.5, -0.5, None)


def test_randomisation_is_as_counted_by_hand() -> None:
    """Three items of total 10 each; matched 5, 4, 4 against 3, 3, 4.

    The differences of the items are 2, 1 and 0. Of the 8 exchanges, those with the signs ++ of the
    first two give the observed sum of 3, and there are 2 of them (the third does not matter), 2
    others give -3: two-sided 4 of 8.
    """
    one, other = items((5, 10), (4, 10), (4, 10)), items((3, 10), (3, 10), (4, 10))
    found = compare_scores(one, other, RESAMPLING)
    assert found == pytest.approx((0.2, 0.2, 0.5))
    back = compare_scores(other, one, RESAMPLING)
    assert back == pytest.approx((-0.2, -0.2, 0.5))


def test_randomisation_equals_counting_all_exchanges() -> None:
    one, other = some(3, 9), some(4, 9)
    observed = compare_scores(one, other, Resampling(resamples=512))

    def f1(rows: list[tuple[int, int]]) -> float:
        return 2 * sum(m for m, _ in rows) / sum(t for _, t in rows)

    pairs = list(
        zip(
            zip(one.matched.tolist(), one.total.tolist(), strict=True),
            zip(other.matched.tolist(), other.total.tolist(), strict=True),
            strict=True,
        )
    )
    differences = []
    for exchange in product((False, True), repeat=9):
        left = [b if swap else a for (a, b), swap in zip(pairs, exchange, strict=True)]
        right = [a if swap else b for (a, b), swap in zip(pairs, exchange, strict=True)]
        differences.append(f1(left) - f1(right))
    extreme = sum(abs(d) >= abs(differences[0]) - 1e-9 for d in differences)
    assert observed.p == pytest.approx(extreme / 512)


def test_p_values_are_those_of_scipy() -> None:
    from scipy.stats import permutation_test

    for seed in range(5):
        one, other = some(seed, 30), some(seed, 30)
        gain = np.random.default_rng(seed).integers(-2, 4, 30)
        better = Items(one.matched + gain, one.matched + gain, one.total + abs(gain))
        both = [np.concatenate(c) for c in ((better.matched, other.matched),
                                            (better.total, other.total))]  # fmt: skip
        theirs = permutation_test(
            (np.arange(30), np.arange(30, 60)),
            lambda x, y, axis, both=both: abs(
                f1_of(both[0][x], both[1][x], axis) - f1_of(both[0][y], both[1][y], axis)
            ),
            permutation_type="samples",
            alternative="greater",
            n_resamples=20_000,
            rng=np.random.default_rng(seed),
        )
        ours = compare_scores(better, other, Resampling(20_000, seed=seed))
        assert ours.p == pytest.approx(theirs.pvalue, abs=0.02)


def test_what_is_observed_counts_as_an_exchange() -> None:
    """One system is better on each of 60 items: of 2 ** 60 exchanges, only two are as far apart."""
    one, other = items(*[(4, 10)] * 60), items(*[(3, 10)] * 60)
    assert compare_scores(one, other, Resampling(resamples=99)).p == 1 / 100


def test_ties_count() -> None:
    """F1 of 3/5 and 1/3 or, one item exchanged, of 2/5 and 2/3: 4/15 apart but for rounding."""
    one, other = items((3, 10), (3, 10)), items((1, 2), (1, 10))
    assert compare_scores(one, other, RESAMPLING).p == 1.0
    many, others = (Items(*(np.tile(c, 2000) for c in (i.matched, i.upper, i.total)))
                    for i in (one, other))  # fmt: skip
    found = compare_scores(many, others, RESAMPLING)
    assert found.p is not None and found.p < 0.01


def test_the_order_of_the_items_does_not_matter() -> None:
    one, other = some(3, 60), some(4, 60)
    order = np.random.default_rng(0).permutation(60)
    turned, other_turned = (
        Items(i.matched[order], i.upper[order], i.total[order]) for i in (one, other)
    )
    assert confidence_interval(one, RESAMPLING) == confidence_interval(turned, RESAMPLING)
    assert compare_scores(one, other, RESAMPLING) == compare_scores(
        turned, other_turned, RESAMPLING
    )


@pytest.mark.parametrize("factor", [2**52, 2**56])
def test_sums_beyond_64_bits(factor: int) -> None:
    """Multiplying all numbers by a constant changes neither F1 nor any other result."""
    one, other = some(3, 400), some(4, 400)
    large, other_large = (Items(*(c * factor for c in (i.matched, i.upper, i.total)))
                          for i in (one, other))  # fmt: skip
    assert int(one.total.sum()) * factor > 2**63
    assert confidence_interval(large, RESAMPLING) == pytest.approx(
        confidence_interval(one, RESAMPLING)
    )
    assert compare_scores(large, other_large, RESAMPLING) == pytest.approx(
        compare_scores(one, other, RESAMPLING)
    )


def test_unproven_items_make_a_test_careful() -> None:
    one, other = some(5, 10), some(5, 10)
    better = Items(one.matched + 3, one.matched + 4, one.total)
    doubtful = compare_scores(better, other, RESAMPLING)
    proven = compare_scores(Items(one.matched + 3, one.matched + 3, one.total), other, RESAMPLING)
    assert doubtful.low == proven.low < doubtful.high
    assert doubtful.p is not None and proven.p is not None and doubtful.p >= proven.p
    either = Items(one.matched - 1, one.matched + 1, one.total)
    assert compare_scores(either, other, RESAMPLING).p == 1.0


def test_the_largest_p_value_counts_where_items_are_unproven() -> None:
    other = some(5, 10)
    low, high = other.matched + np.array([3, 0, 0, 1, 0, 0, 2, 0, 0, 0]), other.matched + 3
    total = other.total + 6
    extremes = [
        compare_scores(Items(m, m, total), Items(other.matched, other.matched, total), RESAMPLING).p
        for m in (low, high)
    ]
    assert extremes[0] is not None and extremes[1] is not None and extremes[0] > extremes[1]
    known = Items(other.matched, other.matched, total)
    assert compare_scores(Items(low, high, total), known, RESAMPLING).p == extremes[0]
    assert compare_scores(known, Items(low, high, total), RESAMPLING).p == extremes[0]
    # What is unproven may be on the side that is behind as well.
    ahead = Items(high, high, total)
    behind = Items(other.matched, low, total)
    nearer = compare_scores(ahead, Items(low, low, total), RESAMPLING).p
    farther = compare_scores(ahead, known, RESAMPLING).p
    assert nearer is not None and farther is not None and nearer != farther
    assert compare_scores(ahead, behind, RESAMPLING).p == max(nearer, farther)


def test_p_values_are_corrected_as_holm_does() -> None:
    assert holm([0.01, 0.04, None, 0.03]) == pytest.approx([0.03, 0.06, None, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_equal_seeds_give_equal_results() -> None:
    sample, other = some(6), some(7)
    assert confidence_interval(sample, RESAMPLING) == confidence_interval(sample, RESAMPLING)
    assert confidence_interval(sample, RESAMPLING) != confidence_interval(sample, Resampling(999))
    assert compare_scores(sample, other, RESAMPLING) == compare_scores(sample, other, RESAMPLING)


def test_settings_that_make_no_sense() -> None:
    for bad in ({"confidence": 1.0}, {"confidence": 0.0}, {"resamples": 0}):
        with pytest.raises(UsageError):
            Resampling(**bad)


@pytest.mark.parametrize(
    ("confidence", "text"),
    [
        (0.95, "95%"),
        (0.975, "97.5%"),
        (0.5, "50%"),
        (0.9999999999, "99.99999999%"),
        (1e-9, "0.0000001%"),
    ],
)
def test_a_confidence_is_written_as_it_was_given(confidence: float, text: str) -> None:
    assert Resampling(99, confidence).percent == text


@pytest.mark.parametrize(
    ("resamples", "distinct"), [(1, 7), (99, 7), (100, 7), (101, 7), (5, 2000)]
)
def testbatches_of_resamples_add_up_to_all(
    resamples: int, distinct: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics, "_BATCH", 70)  # ten rows of seven numbers
    sizes = [*statistics.batches(resamples, distinct)]
    assert sum(sizes) == resamples
    assert min(sizes) > 0 and max(sizes) <= max(1, 70 // distinct)
