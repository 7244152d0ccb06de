"""What the sentences on results are made of."""

from collections.abc import Sequence

#: More names than this are counted instead.
_NAMED = 5


def listed(names: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def some_of(names: Sequence[str], others: int) -> str:
    """Return the names or, if they are many, how many of so many *others* they are."""
    return listed(names) if len(names) <= _NAMED else f"{len(names)} of the {others} others"


def between(low: float, high: float) -> str:
    """Return a number or, where it is not known, the ends of its interval."""
    ends = [f"{low:.4f}", f"{high:.4f}"]
    return ends[0] if low == high else " to ".join(ends)


def p_value(p: float) -> str:
    """Return ``p = 0.0123``, and nothing that looks like 0."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"
