"""Correlations, errors and tests of two lists, compared with computations outside scipy."""

import math
import random
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist, fmean, stdev

import pytest
from click.testing import CliRunner
from seeds import each_seed

from exactmatch.cli import main
from exactmatch.studies.correlation.association import GRID, associate, density, paired_t

ONE = [0.2, 0.5, 0.5, 0.9, 1.0]
OTHER = [0.1, 0.3, 0.6, 0.5, 1.0]


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    x, y = fmean(xs), fmean(ys)
    covariance = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    return covariance / math.sqrt(sum((a - x) ** 2 for a in xs) * sum((b - y) ** 2 for b in ys))


def ranks(values: Sequence[float]) -> list[float]:
    """Return the ranks, equal ones in the mean."""
    return [sum(b < a for b in values) + (sum(b == a for b in values) + 1) / 2 for a in values]


def kendall(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Kendall's tau-b by its definition, pair by pair."""
    pairs = [((a - c), (b - d)) for (a, b), (c, d) in combinations(zip(xs, ys, strict=True), 2)]
    balance = sum((x * y > 0) - (x * y < 0) for x, y in pairs)
    return balance / math.sqrt(sum(x != 0 for x, _ in pairs) * sum(y != 0 for _, y in pairs))


def quantile(values: Sequence[float], share: float) -> float:
    place = share * (len(values) - 1)
    low = int(place)
    ordered = [*sorted(values), 0.0]
    return ordered[low] + (place - low) * (ordered[low + 1] - ordered[low])


def rmse(xs: Sequence[float], ys: Sequence[float]) -> float:
    return math.sqrt(fmean((x - y) ** 2 for x, y in zip(xs, ys, strict=True)))


def t_test(xs: Sequence[float], ys: Sequence[float]) -> float:
    from scipy.stats import t as student

    differences = [x - y for x, y in zip(xs, ys, strict=True)]
    number = len(differences)
    statistic = fmean(differences) / (stdev(differences) / math.sqrt(number))
    return 2 * float(student.sf(abs(statistic), number - 1))


def test_associations_are_those_counted_by_hand() -> None:
    """ONE has the ranks 1, 2.5, 2.5, 4, 5, and OTHER 1, 2, 4, 3, 5.

    Of ten pairs, one is the other way round, and one is tied in ONE: tau-b is 7 / sqrt(9 * 10).
    """
    found = associate(ONE, OTHER)
    assert found.pairs == 5
    assert found.kendall == pytest.approx(7 / math.sqrt(90))
    assert found.spearman == pytest.approx(8 / math.sqrt(9.5 * 10))
    assert found.pearson == pytest.approx(0.37 / math.sqrt(0.428 * 0.46))
    assert found.rmse == pytest.approx(math.sqrt((0.01 + 0.04 + 0.01 + 0.16) / 5))
    assert found.difference == pytest.approx(0.12)


@each_seed(20)
def test_associations_are_as_they_are_defined(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(3, 40)
    # Few values, so that there are ties.
    xs = [rng.randint(0, 8) / 8 for _ in range(size)]
    ys = [min(1.0, max(0.0, x + rng.randint(-3, 3) / 8)) for x in xs]
    xs[:2], ys[:3] = [0.0, 1.0], [0.25, 0.25, 1.0]
    found = associate(xs, ys)
    assert found.pearson == pytest.approx(pearson(xs, ys))
    assert found.spearman == pytest.approx(pearson(ranks(xs), ranks(ys)))
    assert found.kendall == pytest.approx(kendall(xs, ys))
    assert found.rmse == pytest.approx(rmse(xs, ys))
    shares = [k / 10 for k in range(1, 10)]
    quantiles = ([quantile(values, share) for share in shares] for values in (xs, ys))
    assert found.rmse_quantiles == pytest.approx(rmse(*quantiles))
    assert found.difference == pytest.approx(fmean(xs) - fmean(ys))
    assert found.p == pytest.approx(t_test(xs, ys))


@pytest.mark.parametrize(
    "one, other, known",
    [
        ([0.5, 0.5, 0.5], [0.1, 0.2, 0.4], {"p"}),
        ([0.1, 0.2, 0.4], [0.5, 0.5, 0.5], {"p"}),
        # All differ alike, but for rounding.
        ([0.1, 0.2, 0.4], [0.2, 0.3, 0.5], {"pearson", "spearman", "kendall"}),
        ([0.1, 0.2, 0.4], [0.1, 0.2, 0.4], {"pearson", "spearman", "kendall"}),
        ([0.5], [0.4], set()),
    ],
)
def test_what_is_not_defined(one: list[float], other: list[float], known: set[str]) -> None:
    found = associate(one, other)  # a warning would be an error
    names = {"pearson", "spearman", "kendall", "p"}
    assert {name for name in names if getattr(found, name) is not None} == known
    assert found.rmse == pytest.approx(rmse(one, other))


def test_paired_t_values_are_as_defined() -> None:
    assert paired_t(ONE, OTHER) == pytest.approx(t_test(ONE, OTHER))
    assert paired_t([], []) is None


def test_density_is_a_sum_of_kernels() -> None:
    found = density(ONE)
    assert found is not None and len(found) == len(GRID) == 101
    width = stdev(ONE) * len(ONE) ** (-1 / 5)
    for x, y in zip(GRID, found, strict=True):
        assert y == pytest.approx(fmean(NormalDist(score, width).pdf(x) for score in ONE))
    assert density([0.5, 0.5]) is None
    assert density([0.5]) is None


def test_without_scipy_studies_of_correlations_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactmatch.studies.common.scipy_there.find_spec", lambda name: None)
    for study in (["correlate", "a.amr", "b.amr"], ["principles", "a.amr", "b.amr"]):
        result = CliRunner().invoke(main, study)
        assert result.exit_code == 2
        assert "need SciPy: pip install 'exactmatch[studies]'" in result.stderr
