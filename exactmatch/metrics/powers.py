"""Powers of ratios, to the same last digit on every machine, unlike those of C libraries."""

from collections.abc import Iterable
from decimal import Context, Decimal
from fractions import Fraction

#: A float has 17 digits. Each operation is rounded as it should be, whatever the machine.
_DIGITS = Context(prec=30)


def product_of_powers(
    powers: Iterable[tuple[Fraction | float, float]], exponent: Fraction | int = 0
) -> float:
    """Return the product of all base ** weight, bases above 0, and of e ** *exponent*."""
    # A logarithm takes time: one does for all bases of equal weight.
    products: dict[float, Fraction] = {}
    for base, weight in powers:
        products[weight] = products.get(weight, Fraction(1)) * Fraction(base)
    total = _decimal(Fraction(exponent))
    for weight, product in products.items():
        total = _DIGITS.fma(Decimal(weight), _DIGITS.ln(_decimal(product)), total)
    return float(_DIGITS.exp(total))


def _decimal(number: Fraction) -> Decimal:
    return _DIGITS.divide(Decimal(number.numerator), Decimal(number.denominator))
