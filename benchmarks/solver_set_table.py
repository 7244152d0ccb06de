"""Measure solvers on the benchmark set for solvers, and print a table of their seconds.

    python benchmarks/solver_set_table.py [NAME ...] --work DIR [--solvers SOLVER ...]

The names are those of ``instances/solver_set.csv``. Solvers run on one core and are loaded before.
They receive nothing, except for `auto`, which is compared with the fastest of the others. A row for
each run is written to DIR when it is finished: the same command resumes an interrupted measurement,
and ``--report`` prints the table of all existing rows, also those of ``foreign_libraries.py``.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from agree import INSTANCES
from run_solver import cpu_seconds, load

from exactmatch.encodings import NAMES
from exactmatch.solving.names import AUTO, SOLVERS
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import solve
from exactmatch.stopping.deadline import Deadline

sys.path.insert(0, str(INSTANCES))
import solver_set

USUAL = [AUTO, "cpsat", "highs", "maxsat"]
#: The clock of a process cannot tell shorter times apart.
_LEAST = 0.1


class Run(NamedTuple):
    """The interval of a solver for a problem of the set, after *cpu* seconds of processor time."""

    name: str
    solver: str
    lower: int
    upper: int
    cpu: float

    @property
    def is_proven(self) -> bool:
        """Whether the optimum is proven."""
        return self.lower == self.upper

    @property
    def cell(self) -> str:
        """The cell of the table."""
        seconds = f"{self.cpu:.2g}" if self.cpu < 10 else f"{self.cpu:.0f}"
        return seconds if self.is_proven else f"{self.lower} to {self.upper}, {seconds}"


def measured(name: str, solver: str, seconds: float) -> Run:
    """Return the run of a solver, for so many seconds by the clock."""
    problem = solver_set.problem_of(name).problem
    load(solver)
    settings = SolverSettings(
        solver=solver, given=() if solver in NAMES else None, deadline=Deadline.after(seconds)
    )
    before = cpu_seconds()
    found = solve(problem, settings)
    return Run(name, solver, found.lower, found.upper, round(cpu_seconds() - before, 3))


def read_runs(path: Path) -> list[Run]:
    """Return the runs of a file, which need not exist; an incomplete last line is left out."""
    text = path.read_text("utf-8") if path.exists() else ""
    whole = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return [Run(**json.loads(line)) for line in whole]


def check(run: Run, known: solver_set.Entry) -> None:
    """Raise `ValueError` if a run contradicts the index."""
    if run.lower > known.upper or run.upper < known.lower:
        raise ValueError(f"{run} contradicts {known.lower} to {known.upper} of the index")


def table(runs: Sequence[Run], names: Iterable[str]) -> str:
    """Return the table of *runs* on the problems called *names*, in Markdown."""
    measured = {run.solver for run in runs}
    ours = [solver for solver in SOLVERS if solver in measured]
    solvers = ours + sorted(measured.difference(ours))
    lines = [
        f"| problem | {' | '.join(f'`{solver}`' for solver in solvers)} | ratio |",
        f"|---|{'---:|' * (len(solvers) + 1)}",
    ]
    for name in names:
        by = {run.solver: run for run in runs if run.name == name}
        cells = [by[solver].cell if solver in by else "" for solver in solvers]
        if by:
            lines.append(f"| `{name}` | {' | '.join(cells)} | {_ratio(by)} |")
    return "\n".join(lines) + "\n"


def _ratio(by: dict[str, Run]) -> str:
    """Return the time of `auto` by that of the fastest other solver, if both prove the optimum."""
    proven = {solver: max(run.cpu, _LEAST) for solver, run in by.items() if run.is_proven}
    ours = proven.pop(AUTO, None)
    return "" if ours is None or not proven else f"{ours / min(proven.values()):.1f}"


def main() -> None:
    """Measure what the command line requests, and print the table of all runs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="these problems alone")
    parser.add_argument("--work", type=Path, required=True, help="folder for rows")
    parser.add_argument("--solvers", nargs="+", choices=SOLVERS, default=USUAL, help="these alone")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each run (60)")
    parser.add_argument("--core", type=int, default=0, help="where solvers run (0)")
    parser.add_argument("--report", action="store_true", help="run nothing")
    options = parser.parse_args()
    known = {entry.name: entry for entry in solver_set.read_index()}
    if unknown := set(options.names) - known.keys():
        parser.error(f"no such problems: {', '.join(sorted(unknown))}")
    chosen = options.names or list(known)
    options.work.mkdir(parents=True, exist_ok=True)
    path = options.work / "solver_set.jsonl"
    if not options.report:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {options.core})
        wanted = [(name, each) for name in chosen for each in options.solvers]
        measure(wanted, path, lambda name, solver: measured(name, solver, options.seconds))
    runs = [run for run in read_runs(path) if run.name in known]
    for run in runs:
        check(run, known[run.name])
    print(table(runs, known), end="")


def measure(
    wanted: Sequence[tuple[str, str]], path: Path, run: Callable[[str, str], Run | None]
) -> None:
    """Append the missing runs of *wanted* problems and solvers to a file, if *run* has a result."""
    known = read_runs(path)
    path.write_text("".join(map(_line, known)), encoding="utf-8")
    done = {(row.name, row.solver) for row in known}
    with path.open("a", encoding="utf-8") as rows:
        for name, solver in wanted:
            if (name, solver) not in done:
                print(name, solver, sep=", ", file=sys.stderr)
                if row := run(name, solver):
                    print(_line(row), end="", file=rows, flush=True)


def _line(run: Run) -> str:
    return json.dumps(run._asdict()) + "\n"


if __name__ == "__main__":
    main()
