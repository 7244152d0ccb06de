"""Powers of ratios, to the same last digit on every machine, unlike those of C libraries."""

from collections.abc import Iterable
from decimal import Context, Decimal
from fractions import Fraction

#: A float has 17 digits; much more only takes time. Each operation is rounded as it should be,
#: whatever the machine.
_DIGITS = Context(prec=25)


def product_of_powers(
    powers: Iterable[tuple[Fraction | float, float]], exponent: Fraction | int = 0
) -> float:
    """Return the product of all base ** weight, bases above 0, and of e ** *exponent*."""
    # A logarithm takes time: one does for all bases of equal weight, and none for 1. So does the
    # reducing of fractions, which the quotient does not need.
    products: dict[float, tuple[int, int]] = {}
    for base, weight in powers:
        (above, below), (more, less) = products.get(weight, (1, 1)), base.as_integer_ratio()
        products[weight] = above * more, below * less
    total = _quotient(*exponent.as_integer_ratio())
    for weight, (above, below) in products.items():
        if above != below:
            logarithm = _DIGITS.ln(_quotient(above, below))
            total = _DIGITS.fma(Decimal(weight), logarithm, total)
    return float(_DIGITS.exp(total))


def _quotient(above: int, below: int) -> Decimal:
    return _DIGITS.divide(Decimal(above), Decimal(below))
