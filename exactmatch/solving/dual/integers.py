# cython: language_level=3
"""Arrays of integers for code that runs interpreted and compiled.

The modules that import this one are written in Cython's pure Python mode: one source, which the
interpreter runs as it is, and which Cython turns into C when exactmatch is installed where there
is a C compiler. Compiled code is fast on arrays of 64 bits, interpreted code on lists. What is
computed is the same.

Compiled, all weights together must be less than `LARGEST_TOTAL` = 2**48; larger ones are left to
the interpreted code (`exactmatch.solving.dual.kernel`). Below that, `largest_scale` keeps the total
in units of 1 / scale below 2**52. Shares, worths, prices, profits and distances are sums and
differences of a few such numbers; only a step of the dual multiplies one by another number, an
averaged primal of at most 2**10 (plus 1), so that all stay below 2**63.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import cython

if cython.compiled:
    from cython.cimports.cpython import array as arrays

_EMPTY = cython.declare(object, array("q"))
#: Whether this module, and with it all that use it, is compiled.
COMPILED: bool = cython.compiled
#: Weights may add up to less than this in compiled code, and to less than that when scaled.
LARGEST_TOTAL = 1 << 48
_LARGEST_SCALED = 1 << 52


def integers(values: Iterable[int]) -> Any:
    """Return a mutable sequence of *values*, of the kind that is fast here."""
    return array("q", values) if cython.compiled else list(values)


def as_integers(values: Sequence[int]) -> Any:
    """Return *values*, to be read only, as a sequence of the kind that is fast here."""
    if cython.compiled:
        return values if isinstance(values, array) else array("q", values)
    return values if isinstance(values, list) else list(values)


def zeros(length: int) -> Any:
    """Return a mutable sequence of *length* zeros."""
    if cython.compiled:
        return arrays.clone(_EMPTY, length, True)
    return [0] * length


def largest_scale(total: int, wanted: int) -> int:
    """Return *wanted*, halved until *total* times it is safe in compiled code.

    Totals that only the interpreter can hold may have any scale.
    """
    while total < LARGEST_TOTAL and total * wanted >= _LARGEST_SCALED:
        wanted //= 2
    return wanted
