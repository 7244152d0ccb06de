"""The seven methods of Cai and Knight (2013) on the agreement study, as in their Table 2.

    python benchmarks/methods.py [SEEDS]

Every two of the five files are compared. A document is four consecutive pairs of graphs, as in
the paper; its score is right if the method matches as many triples as the optimum.
"""

import sys
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from exactmatch.deadline import Deadline
from exactmatch.graph import Graph
from exactmatch.metrics.smatch import SmatchProfile
from exactmatch.problem import MatchingProblem
from exactmatch.readers.penman import read_file
from exactmatch.search.methods import METHODS
from exactmatch.solve import EXACT, solve

STUDY = Path(__file__).resolve().parents[1] / "instances" / "agreement"
FILES = ["a.amr", "b.amr", "c.amr", "d.amr", "consensus.amr"]
DOCUMENT = 4


class Row(NamedTuple):
    """What a method did: shares in percent, seconds for all pairs."""

    documents: float
    pairs: float
    lost: float
    seconds: float


def problems() -> Iterator[MatchingProblem]:
    """Yield the pairs of every two files."""
    profile = SmatchProfile.known["default"]
    sides = [
        [profile.normalise(graph) for graph in read_file(STUDY / name) if isinstance(graph, Graph)]
        for name in FILES
    ]
    for left, right in combinations(sides, 2):
        for test, gold in zip(left, right, strict=True):
            yield profile.matching_problem(test, gold)


def run(method: str, seed: int, pairs: list[MatchingProblem]) -> tuple[list[int], float]:
    """Return what *method* matches on each of the pairs, and the seconds it took."""
    start = time.perf_counter()
    found = [
        solve(pair, method=method, solver="auto", seed=seed, deadline=Deadline()).lower
        for pair in pairs
    ]
    return found, time.perf_counter() - start


def judge(method: str, seeds: int, pairs: list[MatchingProblem], best: list[int]) -> Row:
    """Compare what *method* finds, over several seeds, with the optimum."""
    documents = right = lost = 0
    seconds = 0.0
    for seed in range(seeds):
        found, took = run(method, seed, pairs)
        seconds += took
        losses = [b - f for b, f in zip(best, found, strict=True)]
        right += losses.count(0)
        lost += sum(losses)
        documents += sum(
            not any(losses[start : start + DOCUMENT]) for start in range(0, len(losses), DOCUMENT)
        )
    runs = seeds * len(pairs)
    return Row(100 * documents * DOCUMENT / runs, 100 * right / runs, lost / seeds, seconds / seeds)


def main(seeds: int = 20) -> None:
    """Print the table in Markdown."""
    pairs = list(problems())
    run(EXACT, 0, pairs)  # load the solver before its time is taken
    best, _ = run(EXACT, 0, pairs)
    print(f"{len(pairs)} pairs in documents of {DOCUMENT}, {seeds} seeds, {sum(best)} triples\n")
    print("| method | documents right | pairs right | triples lost | seconds |")
    print("|---|---:|---:|---:|---:|")
    for method in (*METHODS, EXACT):
        row = judge(method, seeds if method != EXACT else 1, pairs, best)
        print(
            f"| {method} | {row.documents:.1f} % | {row.pairs:.1f} % "
            f"| {row.lost:.1f} | {row.seconds:.2f} |"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
