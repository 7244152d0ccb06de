"""Score every pair with a program of the smatch family and write one JSON line for each.

The lines have the format of `exactmatch explain --scores` and `search-error --scores`.

    python run_smatch_program.py FOLDER SYSTEM GOLD OUTPUT

FOLDER is where smatch.py is: the site-packages of an environment with smatch 1.0.4, or
py3-Smatch-and-S2match/smatch of flipz357/amr-metric-suite. Each pair gets one smart start and four
random ones, as in both programs, from a seed. The program's own memory of mappings is cleared for
each pair.
"""

from __future__ import annotations

import importlib
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class SeededOnce(random.Random):
    """Random numbers from the first seed. The programs seed anew, by the clock, at each start."""

    _has_seed = False

    def seed(self, *words: Any) -> None:
        """Use the first seed, and no other."""
        if not self._has_seed:
            self._has_seed = True
            super().seed(*words)


def read_graphs(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the graphs of a file, each on a line as these programs read it, behind its identifier.

    A graph without one is called by its number.
    """
    number, identifier, lines = 0, "", list[str]()
    for line in [*path.read_text("utf-8").split("\n"), ""]:
        stripped = line.strip()
        if stripped.startswith("#"):
            found = re.match(r"# ::id (\S+)", stripped)
            identifier = found[1] if found else identifier
        elif stripped:
            lines.append(stripped)
        elif lines:
            number += 1
            yield identifier or str(number), "".join(lines)
            identifier, lines = "", []


def program(folder: Path) -> tuple[Any, Any]:
    """Return the modules that search and that read."""
    sys.path.insert(0, str(folder))
    smatch = importlib.import_module("smatch")
    return smatch, importlib.import_module("amr_py3" if hasattr(smatch, "helpers") else "amr")


def triples(amr: Any, line: str, prefix: str) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the instance, attribute and relation triples of one graph."""
    graph = amr.AMR.parse_AMR_line(line)
    if graph is None:  # the way the parser reports an error
        raise ValueError(f"cannot read {line[:60]}")
    graph.rename_node(prefix)
    instances, attributes, relations = graph.get_triples()
    return instances, attributes, relations


def score(smatch: Any, amr: Any, system: str, gold: str) -> dict[str, Any]:
    """Score one pair."""
    test, reference = triples(amr, system, "a"), triples(amr, gold, "b")
    smatch.match_triple_dict.clear()
    _, matched = smatch.get_best_match(*test, *reference, "a", "b")
    return {
        "matched": matched,
        "system_triples": sum(map(len, test)),
        "gold_triples": sum(map(len, reference)),
    }


def main() -> None:
    """Score the files named on the command line."""
    folder, system, gold, output = map(Path, sys.argv[1:])
    smatch, amr = program(folder)
    smatch.random = SeededOnce(0)
    with output.open("w", encoding="utf-8") as lines:
        pairs = zip(read_graphs(system), read_graphs(gold), strict=True)
        for (identifier, left), (_, right) in pairs:
            try:
                record = score(smatch, amr, left, right)
            except Exception as error:  # whatever it is, the other pairs can be scored
                record = {"error": repr(error)}
            print(json.dumps({"id": identifier, **record}), file=lines)


if __name__ == "__main__":
    main()
