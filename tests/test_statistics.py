"""Confidence intervals and tests, against scipy itself and against cases counted by hand."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import bootstrap

from exactmatch.corpus import PairScore
from exactmatch.errors import UsageError
from exactmatch.studies.statistics import (
    Difference,
    Interval,
    Items,
    Resampling,
    compare_f1,
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
            identifier="x", status=status, solver="dual", seconds=0.0, mapping={},  # type: ignore[arg-type]
            matched=1, matched_upper=2, test_total=3, gold_total=4,
        )  # fmt: skip

    found = Items.of([scored("optimal"), scored("skipped"), scored("feasible")])
    assert found.matched.tolist() == [1, 1]
    assert found.upper.tolist() == [2, 2]
    assert found.total.tolist() == [7, 7]


def test_the_interval_is_that_of_scipy() -> None:
    sample = some(1)
    ours = confidence_interval(sample, RESAMPLING)
    theirs = bootstrap(
        (sample.matched, sample.total),
        lambda m, t, axis: 2 * m.sum(axis=axis) / t.sum(axis=axis),
        paired=True,
        n_resamples=999,
        method="BCa",
        rng=np.random.default_rng(7),
    ).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert ours is not None and ours.low < 2 * sample.matched.sum() / sample.total.sum() < ours.high


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
    assert compare_f1(items((1, 4)), items((2, 4)), RESAMPLING) == Difference(-0.5, -0.5, None)


def test_randomisation_by_hand() -> None:
    """Three items of total 10 each; matched 5, 4, 4 against 3, 3, 4.

    The differences of the items are 2, 1 and 0. Of the 8 exchanges, those with the signs ++ of the
    first two give the observed sum of 3, and there are 2 of them (the third does not matter), 2
    others give -3: two-sided 4 of 8.
    """
    one, other = items((5, 10), (4, 10), (4, 10)), items((3, 10), (3, 10), (4, 10))
    found = compare_f1(one, other, RESAMPLING)
    assert found == pytest.approx((0.2, 0.2, 0.5))
    back = compare_f1(other, one, RESAMPLING)
    assert back == pytest.approx((-0.2, -0.2, 0.5))


def test_randomisation_equals_counting_all_exchanges() -> None:
    one, other = some(3, 9), some(4, 9)
    observed = compare_f1(one, other, Resampling(resamples=512))

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


def test_unproven_items_make_a_test_careful() -> None:
    one, other = some(5, 10), some(5, 10)
    better = Items(one.matched + 3, one.matched + 4, one.total)
    doubtful = compare_f1(better, other, RESAMPLING)
    proven = compare_f1(Items(one.matched + 3, one.matched + 3, one.total), other, RESAMPLING)
    assert doubtful.low == proven.low < doubtful.high
    assert doubtful.p is not None and proven.p is not None and doubtful.p >= proven.p
    either = Items(one.matched - 1, one.matched + 1, one.total)
    assert compare_f1(either, other, RESAMPLING).p == 1.0


def test_holm() -> None:
    assert holm([0.01, 0.04, None, 0.03]) == pytest.approx([0.03, 0.06, None, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_equal_seeds_give_equal_results() -> None:
    sample, other = some(6), some(7)
    assert confidence_interval(sample, RESAMPLING) == confidence_interval(sample, RESAMPLING)
    assert confidence_interval(sample, RESAMPLING) != confidence_interval(sample, Resampling(999))
    assert compare_f1(sample, other, RESAMPLING) == compare_f1(sample, other, RESAMPLING)


def test_settings_that_make_no_sense() -> None:
    for bad in ({"confidence": 1.0}, {"confidence": 0.0}, {"resamples": 0}):
        with pytest.raises(UsageError):
            Resampling(**bad)  # type: ignore[arg-type]
