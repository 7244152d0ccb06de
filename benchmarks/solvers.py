"""Compare solvers: the proofs they find in a time limit, with and without our help.

    python benchmarks/solvers.py [SYSTEM GOLD] [--drs SYSTEM GOLD] --work DIR

The families are sentences that presolve does not finish, and documents, both from the two files;
``instances/hard``; random graphs; and documents of the DRSs. Each combination of family, solver and
given parts has a process of its own, on one core. A row for each pair is written to DIR when it is
finished: the same command resumes an interrupted run, and ``--report`` makes the tables and plots
of all existing rows.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import solver_tables
from solver_families import RANDOM, Files, names, write
from solver_tables import ALL, Row

from exactmatch.encodings import NAMES
from exactmatch.solving.names import GIVEN, NOTHING, SOLVERS

HERE = Path(__file__).resolve().parent
#: The families on which each part is also given by itself.
SINGLE_PARTS = ("documents of 20", *list(RANDOM)[1:])
LIMIT = 10.0
#: The label for what `auto` and `dual` receive.
AS_IT_IS = "-"
USUAL = [solver for solver in SOLVERS if solver != "brute"]


class Run(NamedTuple):
    """A solver with its given parts and its limit, on a family."""

    family: str
    solver: str
    given: str
    limit: float

    def rows(self, work: Path) -> Path:
        """Return the path of the rows."""
        words = (self.family, self.solver, self.given.replace(",", "+"), f"{self.limit:g}")
        return work / "rows" / (" ".join(words).replace(" ", "_") + ".jsonl")


def runs(options: argparse.Namespace, families: list[str]) -> Iterator[Run]:
    """Yield all requested runs."""
    for family in families:
        for solver in options.solvers:
            for given in _given(options, family) if solver in NAMES else [AS_IT_IS]:
                for limit in options.limits:
                    yield Run(family, solver, given, limit)


def _given(options: argparse.Namespace, family: str) -> list[str]:
    if options.given:
        return list(options.given)
    return [NOTHING, *(GIVEN if family in options.parts else ()), ALL]


def measure(run: Run, paths: tuple[Path, Path], work: Path, core: int) -> None:
    """Let a solver work on a family, in a process of its own on one core."""
    output = run.rows(work)
    words = [*paths, output, run.family, run.solver, run.given, f"{run.limit:g}"]
    command = [sys.executable, str(HERE / "run_solver.py"), *map(str, words)]
    pinned = (lambda: os.sched_setaffinity(0, {core})) if hasattr(os, "sched_setaffinity") else None
    process = subprocess.run(command, preexec_fn=pinned, check=False)
    if process.returncode:
        print(f"failed: {' '.join(command)}", file=sys.stderr)


def read_rows(work: Path, families: Sequence[str]) -> list[Row]:
    """Return the rows of all runs on *families*, in their order."""
    rows = [
        Row(**json.loads(line))
        for path in sorted((work / "rows").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines(keepends=True)
        if line.endswith("\n")
    ]
    givens = [NOTHING, *GIVEN, ALL]

    def place(row: Row) -> tuple[int, ...]:
        given = givens.index(row.given) if row.given in givens else len(givens)
        return families.index(row.family), SOLVERS.index(row.solver), given

    return sorted((row for row in rows if row.family in families), key=place)


def main() -> None:
    """Run what the command line requests, print the tables of all runs, and draw the plots."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("amrs", nargs="*", type=Path, metavar="FILE", help="SYSTEM and GOLD")
    parser.add_argument("--drs", nargs=2, type=Path, metavar="FILE", help="of DRSs in clause form")
    parser.add_argument("--work", type=Path, required=True, help="folder for files")
    parser.add_argument("--limits", nargs="+", type=float, default=[LIMIT], help="seconds a pair")
    parser.add_argument("--few", type=int, default=12, help="so many pairs of a family (12)")
    parser.add_argument("--families", nargs="+", metavar="NAME", help="these alone")
    parser.add_argument(
        "--solvers", nargs="+", choices=SOLVERS, default=USUAL, help="all but brute"
    )
    parser.add_argument("--given", nargs="+", help="none, or parts with commas between them")
    parser.add_argument("--parts", nargs="*", default=SINGLE_PARTS, help="single parts on these")
    parser.add_argument("--core", type=int, default=0, help="where solvers run (0)")
    parser.add_argument("--report", action="store_true", help="run nothing")
    options = parser.parse_args()
    if len(options.amrs) not in (0, 2):
        parser.error("name two files or none")
    files = Files(tuple(options.amrs) or None, options.drs and tuple(options.drs))
    known = names(files)
    chosen = options.families or known
    if unknown := set(chosen) - set(known):
        parser.error(f"no such families: {', '.join(sorted(unknown))}; there are {known}")
    work = options.work / f"{options.few}-pairs"  # the same numbers are other pairs elsewhere
    (work / "rows").mkdir(parents=True, exist_ok=True)
    if not options.report:
        written = {name: write(name, files, options.few, work) for name in chosen}
        for run in runs(options, chosen):
            print(*run, sep=", ", file=sys.stderr)
            measure(run, written[run.family], work, options.core)
    rows = read_rows(work, known)
    if rows:
        print(solver_tables.report(rows), end="")
        solver_tables.cactus(rows, work / "cactus.svg")
        solver_tables.gap_plot(rows, work / "gaps.svg")


if __name__ == "__main__":
    main()
