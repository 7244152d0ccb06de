"""Leave most of many similar cases of a slow test to the nightly workflow."""

from collections.abc import Iterable
from typing import Any

import pytest


def by_day(cases: Iterable[Any], most: int = 1) -> list[Any]:
    """Return the *cases* for ``parametrize``, of which only the first run by day.

    A case with several arguments is a tuple of them.
    """
    listed = [case if isinstance(case, tuple) else (case,) for case in cases]
    night = [pytest.param(*case, marks=pytest.mark.nightly) for case in listed[most:]]
    return [*(pytest.param(*case) for case in listed[:most]), *night]
