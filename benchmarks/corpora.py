"""Compare all pairs of a file and find neighbours: time, memory, and savings by bounds.

    python benchmarks/corpora.py GRAPHS [--top K] [--workers N]

The neighbours are compared with those that the whole matrix has. The table is in Markdown.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path

import numpy as np

import exactmatch

#: The unit of the peak memory that the system tells.
_MEMORY = 1 << (20 if sys.platform == "darwin" else 10)


def peak() -> str:
    """Return the peak memory of this process, and of the largest of its workers, in MB."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return " + ".join(f"{resource.getrusage(who).ru_maxrss // _MEMORY}" for who in both)


def row(name: str, result: exactmatch.Matrix | exactmatch.NearestGraphs) -> str:
    """Return a row of the table."""
    solved = result.stages["cover"] + result.stages["proof"]
    micro = 1e6 * result.seconds / result.pairs
    cells = (
        name,
        f"{result.pairs:,}",
        f"{solved:,}",
        f"{100 * (1 - solved / result.pairs):.1f} %",
        f"{result.open}",
        f"{result.seconds:.2f}",
        f"{micro:.1f}",
        peak(),
    )
    return f"| {' | '.join(cells)} |"


def differing(found: exactmatch.NearestGraphs, matrix: exactmatch.Matrix) -> int:
    """Return the number of queries whose neighbours differ from those of the matrix."""
    scores = matrix.dense()
    np.fill_diagonal(scores, -1)
    wrong = 0
    for i, neighbourhood in enumerate(found.found):
        positions = [one.position for one in neighbourhood.neighbours]
        order = np.lexsort((np.arange(len(scores)), -scores[i]))[: len(positions)]
        wrong += positions != order.tolist()
    return wrong


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--at-least", type=float, default=0.5)
    asked = parser.parse_args()
    print("| | pairs | solved | spared | open | seconds | µs a pair | peak memory, MB |")
    print("|---|---|---|---|---|---|---|---|")
    matrix = exactmatch.matrix(asked.graphs, workers=asked.workers)
    print(row("matrix", matrix), flush=True)
    some = exactmatch.matrix(asked.graphs, at_least=asked.at_least, workers=asked.workers)
    print(row(f"matrix, F1 of {asked.at_least} or more", some), flush=True)
    found = exactmatch.nearest(
        asked.graphs, asked.graphs, top=asked.top, exclude_self=True, workers=asked.workers
    )
    print(row(f"{asked.top} nearest of each", found))
    print(
        f"\nQueries whose neighbours differ from those of the matrix: {differing(found, matrix)}."
    )


if __name__ == "__main__":
    main()
