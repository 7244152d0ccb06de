"""Leave most of what repeats a test to the nightly workflow: further cases, further seeds."""

from collections.abc import Iterable
from typing import Any

import pytest

#: By day, one of so many random cases is tried.
_SHARE = 5
_runs_all = True


def choose(marks: str) -> None:
    """Let random tests of a run with these *marks* try all of their cases, or the share of a day.

    Only a run of the tests of the night (``-m nightly``, ``-m "nightly or not nightly"``) tries
    all. Programs of this folder that are started by hand do so, too.
    """
    global _runs_all
    _runs_all = marks in ("nightly", "nightly or not nightly")


def day_share(number: int) -> int:
    """Return how many of so many random cases are tried: all of them at night."""
    return number if _runs_all else -(-number // _SHARE)


def by_day(cases: Iterable[Any], most: int = 1) -> list[Any]:
    """Return the *cases* for ``parametrize``, of which only the first run by day.

    A case with several arguments is a tuple of them.
    """
    listed = [case if isinstance(case, tuple) else (case,) for case in cases]
    night = [pytest.param(*case, marks=pytest.mark.nightly) for case in listed[most:]]
    return [*(pytest.param(*case) for case in listed[:most]), *night]
