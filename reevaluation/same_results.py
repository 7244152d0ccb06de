"""Compare the results of two runs of the studies, except for seconds.

    python reevaluation/same_results.py ONE OTHER

ONE and OTHER are where studies have written their results (--output). Files that ONE lacks are left
out.
The status is 1 if anything differs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from result_tables import TIMES


def tables(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a file, without values that differ from run to run."""
    content: dict[str, list[dict[str, Any]]] = json.loads(path.read_text("utf-8"))
    return {
        key: [{name: cell for name, cell in row.items() if name not in TIMES} for row in rows]
        for key, rows in content.items()
    }


def differences(one: Path, other: Path) -> Iterator[str]:
    """Yield the differences: files, tables and rows."""
    for path in sorted(one.glob("*.json")):
        if not (other / path.name).exists():
            yield f"{path.name} is missing"
            continue
        first, second = tables(path), tables(other / path.name)
        for key in first:
            if len(first[key]) != len(second.get(key, [])):
                yield f"{path.name}: {key}"
                continue
            for number, (row, twin) in enumerate(zip(first[key], second[key], strict=True), 1):
                if row != twin:
                    yield f"{path.name}: {key}, row {number}"


def main() -> None:
    """Print the differences, and how much was compared."""
    one, other = map(Path, sys.argv[1:])
    found = list(differences(one, other))
    rows = [len(rows) for path in one.glob("*.json") for rows in tables(path).values()]
    print("\n".join([*found, f"{sum(rows)} rows of {len(rows)} tables, {len(found)} differences"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
