"""Score every pair with exactmatch and write one JSON line for each.

    python run_exactmatch.py SYSTEM GOLD OUTPUT

Runs in an environment of its own that has exactmatch; compare.py starts it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from seconds import Seconds

import exactmatch
from exactmatch.graphs.coupling import couple_graphs
from exactmatch.graphs.inputs import opened
from exactmatch.graphs.pairing import Couple, read_pair, unreadable
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline

METRIC = Smatch.profiles["smatch-1.0.4"]
SETTINGS = Settings(timeout=10)


def score(couple: Couple) -> dict[str, Any]:
    """Score one pair with proof."""
    read = read_pair(couple, "stop")
    if read.errors:  # the others skip nothing, and go by position
        raise unreadable(read.errors, are_all=False)
    start = Seconds.now()
    found = score_pair(read.pair, METRIC, SETTINGS, Deadline())
    passed = start.passed()
    return {
        "matched": found.matched,
        "upper": found.matched_upper,
        "system_total": found.system_total,
        "gold_total": found.gold_total,
        **passed,
    }


def main() -> None:
    """Score the files named on the command line."""
    system, gold, output = map(Path, sys.argv[1:])
    # Whatever every pair needs is loaded by this one, which is not timed.
    exactmatch.score("(a / a)", "(b / b)", metric=METRIC)
    with (
        opened(system, "system") as ours,
        opened(gold, "gold") as theirs,
        output.open("w", encoding="utf-8") as lines,
    ):
        couples = couple_graphs(
            ours.graphs, theirs.graphs, system_name=ours.name, gold_name=theirs.name
        )
        for number, couple in enumerate(couples, start=1):
            print(json.dumps({"id": number, **score(couple)}), file=lines, flush=True)


if __name__ == "__main__":
    main()
