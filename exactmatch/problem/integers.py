# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Arrays of integers for code that runs interpreted and compiled.

The modules that import this one are written in Cython's pure Python mode: the interpreter runs the
source as it is, and Cython turns it into C when exactmatch is installed where there is a C
compiler. Compiled code is fast on arrays of 64 bits, interpreted code on lists. The results are the
same, as long as the numbers fit: see `exactmatch.problem.interpreted`.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import cython

if cython.compiled:
    from cython.cimports.cpython import array as arrays

_EMPTY = cython.declare(object, array("q"))
#: Whether this module, and with it all modules that use it, is compiled.
COMPILED: bool = cython.compiled


def integers(values: Iterable[int]) -> Any:
    """Return a mutable sequence of *values*, of the type that is fast here."""
    k: cython.Py_ssize_t
    if not cython.compiled:
        return list(values)
    source: list[Any] = cython.cast(list, values) if type(values) is list else list(values)
    found = _unfilled(len(source))
    target: cython.longlong[::1] = found
    for k in range(len(source)):  # this takes a fraction of the time of array's constructor
        target[k] = source[k]
    return found


def as_integers(values: Sequence[int]) -> Any:
    """Return *values* as a read-only sequence of the type that is fast here."""
    if cython.compiled:
        return values if isinstance(values, array) else integers(values)
    return values if isinstance(values, list) else list(values)


def zeros(length: int) -> Any:
    """Return a mutable sequence of *length* zeros."""
    if cython.compiled:
        return arrays.clone(_EMPTY, length, True)
    return [0] * length


@cython.cfunc
def _unfilled(length: cython.Py_ssize_t) -> Any:
    """Return a mutable sequence of *length* numbers with any values."""
    if cython.compiled:
        return arrays.clone(_EMPTY, length, False)
    return [0] * length


def bits(length: int) -> Any:
    """Return a mutable sequence of *length* empty sets, whose members are less than 64."""
    return array("Q", [0]) * length if cython.compiled else [0] * length


if not cython.compiled:  # compiled code has these from the header

    def lowest_bit(word: int) -> int:
        """Return the number of the lowest bit that is set; there is one."""
        return (word & -word).bit_length() - 1

    def count_bits(word: int) -> int:
        """Return how many bits are set."""
        return word.bit_count()


def ascending(length: int) -> Any:
    """Return a mutable sequence of the numbers from 0 on."""
    k: cython.Py_ssize_t
    found = _unfilled(length)
    target: cython.longlong[::1] = found
    for k in range(len(target)):
        target[k] = k
    return found


@cython.cfunc
def sort_by(
    key: cython.longlong[::1],
    n_keys: cython.Py_ssize_t,
    order: cython.longlong[::1],
    n: cython.Py_ssize_t,
    work: cython.longlong[::1],
) -> cython.void:
    """Sort the first *n* positions of *order* by their keys, stably, by counting.

    Keys are from 0 on and less than *n_keys*; *work* has room for the positions and the keys, and
    one more.
    """
    k: cython.Py_ssize_t
    place: cython.longlong
    for k in range(n, n + n_keys + 1):
        work[k] = 0
    for k in range(n):
        work[k] = order[k]
        work[n + key[order[k]] + 1] += 1
    for k in range(n + 1, n + n_keys):
        work[k] += work[k - 1]
    for k in range(n):
        place = n + key[work[k]]
        order[work[place]] = work[k]
        work[place] += 1
