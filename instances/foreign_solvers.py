"""Let solvers of others read the benchmark set, and compare what they find with its index.

    python instances/solver_set.py -o FOLDER --grade second
    python instances/foreign_solvers.py FOLDER [--seconds SECONDS]

Of the programs below, those that are on PATH are run on every file in their formats. A problem
counts as proven if the program says so in time, and agrees if its optimum is that of the index.
Exits with 1 if one does not.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from solver_set import Entry, read_index


class Foreign(NamedTuple):
    """A program: how it is called, what it prints of an optimum, and how it says that it is one.

    words: its arguments; ``FILE`` is the problem, ``RESULT`` a file for what it does not print.
    """

    program: str
    format: str
    words: Sequence[str]
    value: str
    proven: str


_COST = r"^o (-?\d+)$"
_FOUND = r"^s OPTIMUM FOUND$"
_CBC = r"^Objective value: +(\S+)$", r"^Result - Optimal solution found$"
_GLPSOL = r"^Objective: .* = (\S+) \(M\w+\)$", r"^Status: +INTEGER OPTIMAL$"
_MINISAT = r"Optimal solution: (-?\d+)", _FOUND
SOLVERS = (
    Foreign("EvalMaxSAT_bin", "wcnf", ["FILE"], _COST, _FOUND),
    Foreign("clasp", "opb", ["FILE"], _COST, _FOUND),
    Foreign("minisat+", "opb", ["FILE"], *_MINISAT),
    *(
        foreign
        for name, option in (("lp", "--lp"), ("mps", "--freemps"))
        for foreign in (
            Foreign("glpsol", name, [option, "FILE", "-o", "RESULT"], *_GLPSOL),
            Foreign("cbc", name, ["FILE", "solve", "-quit"], *_CBC),
        )
    ),
)


def optimum(foreign: Foreign, path: Path, seconds: float) -> int | None:
    """Return the largest weight of triples as the program has proven it, or None in time."""
    said = _said_by(foreign, path, seconds)
    values = re.findall(foreign.value, said, re.MULTILINE)
    if not values or not re.search(foreign.proven, said, re.MULTILINE):
        return None
    value = round(float(values[-1]))
    return _soft(path) - value if foreign.format == "wcnf" else abs(value)


def _said_by(foreign: Foreign, path: Path, seconds: float) -> str:
    """Return what the program prints and writes; nothing if it takes too long.

    The result is never written to ``/dev/stdout``: glpsol replaces its output file, so that the
    superuser would lose this name.
    """
    with TemporaryDirectory() as folder:
        result = Path(folder, "result")
        places = {"FILE": str(path), "RESULT": str(result)}
        command = [foreign.program, *(places.get(word, word) for word in foreign.words)]
        try:
            ran = subprocess.run(
                command, capture_output=True, text=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return ""
        written = result.read_text(encoding="utf-8") if result.exists() else ""
        return f"{ran.stdout}\n{written}"


def _soft(path: Path) -> int:
    """Return the weight of all soft clauses."""
    with path.open(encoding="utf-8") as lines:
        return sum(int(line.split()[0]) for line in lines if line[0] not in "ch")


class Found(NamedTuple):
    """How many files of a format a program proved, and the problems of which it says otherwise."""

    foreign: Foreign
    tried: int
    proven: int
    contradicted: list[str]


def compared(
    folder: Path,
    seconds: float,
    find: Callable[[Foreign, Path, float], int | None] = optimum,
    programs: Sequence[Foreign] = SOLVERS,
) -> Iterator[Found]:
    """Yield what each program finds of the files in *folder* whose optimum is known."""
    solved = [entry for entry in read_index() if entry.is_solved]
    for foreign in programs:
        files = [(entry, folder / f"{entry.name}.{foreign.format}") for entry in solved]
        tried = [(entry, path) for entry, path in files if path.exists()]
        found = [(entry, find(foreign, path, seconds)) for entry, path in tried]
        known = [(entry, value) for entry, value in found if value is not None]
        wrong = [_said(entry, value) for entry, value in known if value != entry.upper]
        yield Found(foreign, len(tried), len(known), wrong)


def _said(entry: Entry, value: int) -> str:
    return f"{entry.name}: {value}, not {entry.upper}"


def main() -> None:
    """Print a row for each program and format."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files are")
    parser.add_argument("--seconds", type=float, default=60.0, help="for a problem (60)")
    options = parser.parse_args()
    here = [foreign for foreign in SOLVERS if shutil.which(foreign.program)]
    contradicted = []
    print("| program | format | problems | proven in time | agree |")
    print("|---|---|---:|---:|---:|")
    for found in compared(options.folder, options.seconds, programs=here):
        agree = found.proven - len(found.contradicted)
        print(
            f"| {found.foreign.program} | {found.foreign.format} | {found.tried} | {found.proven} "
            f"| {agree} |",
            flush=True,
        )
        contradicted += found.contradicted
    if contradicted:
        sys.exit("\n".join(contradicted))


if __name__ == "__main__":
    main()
