"""Let one solver work on every pair of two files; append one JSON line for each.

    python run_solver.py SYSTEM GOLD OUTPUT FAMILY SOLVER GIVEN SECONDS

GIVEN lists what the solver receives (``presolve,start,bound``, or ``none``), SECONDS is its limit
for a pair. Pairs that OUTPUT already has are skipped. ``solvers.py`` starts the script.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from exactmatch.encodings import NAMES
from exactmatch.graphs.coupling import couple_graphs
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.inputs import opened
from exactmatch.graphs.pairing import GraphPair, read_pair, unreadable
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem.solver_work import Own
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.solving.names import AUTO, NOTHING
from exactmatch.stopping.deadline import Deadline

#: The solvers that `auto` uses.
_ASKED_BY_AUTO = ("maxsat", "cpsat", "highs")
_SMALL = "(a / a :ARG0 (b / b) :ARG1 (c / c))"


def metric_of(path: Path) -> AlignmentMetric:
    """Return the metric for the graphs of a file."""
    return (CounterMetric if path.suffix == ".clf" else Smatch).profiles["default"]


def pairs(system: Path, gold: Path) -> Iterator[GraphPair]:
    """Yield the pairs of two files, in order."""
    with opened(system, "system") as ours, opened(gold, "gold") as theirs:
        for couple in couple_graphs(
            ours.graphs, theirs.graphs, system_name=ours.name, gold_name=theirs.name
        ):
            read = read_pair(couple, "stop")
            if not isinstance(read.pair, GraphPair):
                raise unreadable(read.errors, are_all=False)
            yield read.pair


def settings_of(solver: str, given: str, seconds: float) -> Settings:
    """Return the settings for each pair."""
    return Settings(timeout=seconds, solver=solver, given=given if solver in NAMES else None)


def load(solver: str) -> None:
    """Load the modules that every pair needs, also in the solver's process, so no pair pays."""
    sides = [read_text(_SMALL, "small").graphs[0] for _ in range(2)]
    system, gold = (side for side in sides if isinstance(side, Graph))
    for name in _ASKED_BY_AUTO if solver == AUTO else [solver]:
        settings = settings_of(name, NOTHING, 60)
        score_pair(GraphPair("small", system, gold), metric_of(Path()), settings, Deadline())


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its children, running or ended.

    Running children are left out if the system does not report them.
    """
    ended = os.times()
    running = 0.0
    for task in Path("/proc/self/task").glob("*/children"):
        processes: list[str] = []
        with suppress(OSError):  # the thread has just ended
            processes = task.read_text().split()
        for process in map(int, processes):
            with suppress(OSError):  # it has just ended
                # The clock of a process, as Linux numbers it.
                running += time.clock_gettime((~process << 3) | 2)
    return time.process_time() + running + ended.children_user + ended.children_system


def measured(pair: GraphPair, metric: AlignmentMetric, settings: Settings) -> dict[str, Any]:
    """Return the result of a pair, and the seconds by both clocks."""
    wall, cpu = time.perf_counter(), cpu_seconds()
    found = score_pair(pair, metric, settings, Deadline())
    wall, cpu = time.perf_counter() - wall, cpu_seconds() - cpu
    # All findings of `auto` and `dual` are their own.
    own = Own(found.matched, found.matched_upper) if found.work is None else found.work.own
    return {
        "matched": found.matched,
        "upper": found.matched_upper,
        "total": min(found.system_total, found.gold_total),
        "own_lower": own.lower,
        "own_upper": own.upper,
        "wall": wall,
        "cpu": cpu,
    }


def main() -> None:
    """Score the files named on the command line."""
    system, gold, output = map(Path, sys.argv[1:4])
    family, solver, given, limit = *sys.argv[4:7], float(sys.argv[7])
    metric, settings = metric_of(system), settings_of(solver, given, limit)
    run = {"family": family, "solver": solver, "given": given, "limit": limit}
    load(solver)
    # An interrupted run has left complete lines, except perhaps the last one.
    done = output.read_text("utf-8").splitlines(keepends=True) if output.exists() else []
    whole = [line for line in done if line.endswith("\n")]
    output.write_text("".join(whole), encoding="utf-8")
    with output.open("a", encoding="utf-8") as lines:
        for number, pair in enumerate(pairs(system, gold)):
            if number >= len(whole):
                row = measured(pair, metric, settings)
                line = json.dumps({**run, "pair": pair.identifier, **row})
                print(line, file=lines, flush=True)


if __name__ == "__main__":
    main()
