"""Products of powers, against a computation with more digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random

from exactmatch.metrics.powers import product_of_powers


def test_every_digit_is_that_of_the_true_number() -> None:
    chance = Random(0)
    for _ in range(300):
        whole = chance.randint(1, 5000)
        ratios = [Fraction(chance.randint(1, whole), whole) for _ in range(chance.randint(1, 4))]
        weights = [chance.choice((1 / 3, 0.225, 0.34)) for _ in ratios]
        exponent = Fraction(-chance.randint(0, whole), whole)
        with localcontext(prec=60):
            powers = [Decimal(r.numerator) / r.denominator for r in ratios]
            true = (Decimal(exponent.numerator) / exponent.denominator).exp()
            for base, weight in zip(powers, weights, strict=True):
                true *= base ** Decimal(weight)
            assert product_of_powers(zip(ratios, weights, strict=True), exponent) == float(true)


def test_the_ends() -> None:
    assert product_of_powers([]) == 1
    assert product_of_powers([(Fraction(1), 1 / 3), (1.0, 0.5)]) == 1
    assert product_of_powers([(Fraction(1, 2), 1e300)]) == 0
    assert product_of_powers([], Fraction(-(10**30))) == 0
