"""Wording of results: names and numbers in sentences."""

from collections.abc import Sequence

#: P-values below this are not told apart.
LEAST_P = 0.0001

#: The largest number of names that are listed; more are counted.
_NAMED = 5


def noun(number: int, one: str, several: str = "") -> str:
    """Return the noun after a number: *one*, or its plural; *several* is an irregular one."""
    return one if number == 1 else several or f"{one}s"


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number and its noun: ``1 seed``, ``2 seeds``; see `noun`."""
    return f"{number} {noun(number, one, several)}"


def listed(names: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def some_of(names: Sequence[str], others: int) -> str:
    """Return the names, or for many names their number among *others*."""
    return listed(names) if len(names) <= _NAMED else f"{len(names)} of the {others} others"


def between(low: float, high: float) -> str:
    """Return a number or, if it is not known, the ends of its interval."""
    ends = [f"{low:.4f}", f"{high:.4f}"]
    return ends[0] if low == high else " to ".join(ends)


def p_value(p: float) -> str:
    """Return ``p = 0.0123``, never rounded to 0."""
    return f"p < {LEAST_P:.4f}" if p < LEAST_P else f"p = {p:.4f}"
