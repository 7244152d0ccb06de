"""Score every pair with smatch and write one JSON line for each.

    python run_smatch.py SYSTEM GOLD OUTPUT

Runs in an environment of its own that has smatch; compare.py starts it.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seconds import Seconds

# By name, because type checkers run where smatch is not installed.
amr: Any = importlib.import_module("amr")
smatch: Any = importlib.import_module("smatch")


def read_pairs(system: Path, gold: Path) -> Iterator[tuple[str, str]]:
    """Yield the graphs of both files side by side, as smatch reads them."""
    with system.open(encoding="utf-8") as left, gold.open(encoding="utf-8") as right:
        while True:
            pair = (amr.AMR.get_amr_line(left), amr.AMR.get_amr_line(right))
            if not all(pair):
                return
            yield pair


def triples(line: str, prefix: str) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the instance, attribute and relation triples of one graph."""
    graph = amr.AMR.parse_AMR_line(line)
    if graph is None:  # the way the parser reports an error
        raise ValueError(f"smatch cannot read {line[:60]}")
    graph.rename_node(prefix)
    instances, attributes, relations = graph.get_triples()
    return instances, attributes, relations


def score(system: str, gold: str) -> dict[str, Any]:
    """Score one pair by hill climbing with the default number of restarts."""
    test = triples(system, "a")
    reference = triples(gold, "b")
    # The memo survives the pair; its entries for the last pair are wrong for this one.
    smatch.match_triple_dict.clear()
    start = Seconds.now()
    _, matched = smatch.get_best_match(*test, *reference, "a", "b")
    passed = start.passed()
    return {
        "matched": matched,
        "system_total": sum(map(len, test)),
        "gold_total": sum(map(len, reference)),
        **passed,
    }


def main() -> None:
    """Score the files named on the command line."""
    system, gold, output = map(Path, sys.argv[1:])
    with output.open("w", encoding="utf-8") as lines:
        for number, pair in enumerate(read_pairs(system, gold), start=1):
            try:
                record = score(*pair)
            except Exception as error:  # whatever it is, the other pairs can be scored
                record = {"error": repr(error)}
            # At once, so that the pairs done so far count even if the process is stopped.
            print(json.dumps({"id": number, **record}), file=lines, flush=True)


if __name__ == "__main__":
    main()
