"""Compare the AMRs of each item with each other by smatch, and print the seconds as JSON.

    python run_smatch_candidates.py FILE FILE...

Runs in an environment of its own that has smatch; candidates.py starts it.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from seconds import Seconds

# By name, because type checkers run where smatch is not installed.
amr: Any = importlib.import_module("amr")
smatch: Any = importlib.import_module("smatch")


def lines(path: Path) -> Iterator[str]:
    """Yield the graphs of a file as smatch reads them."""
    with path.open(encoding="utf-8") as file:
        while line := amr.AMR.get_amr_line(file):
            yield line


def main() -> None:
    """Score all pairs of the files named on the command line."""
    items = list(zip(*map(lines, map(Path, sys.argv[1:])), strict=True))
    start = Seconds.now()
    for item in items:
        for one, other in combinations(item, 2):
            smatch.get_amr_match(one, other)
            # The memo survives the pair; its entries for the last pair are wrong for this one.
            smatch.match_triple_dict.clear()
    print(json.dumps(start.passed()))


if __name__ == "__main__":
    main()
