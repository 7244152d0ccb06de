"""Arrays of integers for code that runs interpreted and compiled.

The modules that import this one are written in Cython's pure Python mode: one source, which the
interpreter runs as it is, and which Cython turns into C when exactmatch is installed where there
is a C compiler. Compiled code is fast on arrays of 64 bits, interpreted code on lists. What is
computed is the same: `largest_scale` keeps all numbers far from the limits of 64 bits.
"""

# cython: language_level=3
from array import array
from collections.abc import Iterable
from typing import Any

import cython

#: Whether this module, and with it all that use it, is compiled.
COMPILED: bool = cython.compiled


def integers(values: Iterable[int]) -> Any:
    """Return a mutable sequence of *values*, of the kind that is fast here."""
    return array("q", values) if cython.compiled else list(values)


def zeros(length: int) -> Any:
    """Return a mutable sequence of *length* zeros."""
    return array("q", bytes(8 * length)) if cython.compiled else [0] * length


def largest_scale(total: int, wanted: int) -> int:
    """Return *wanted*, halved until *total* times it, and sums of that, are safe in 64 bits."""
    while wanted > 1 and total * wanted >= 1 << 56:
        wanted //= 2
    return wanted
