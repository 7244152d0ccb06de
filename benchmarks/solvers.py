"""Compare all solvers on all kinds of pairs: share proven, time, memory, gap at the limit.

    python benchmarks/solvers.py [SYSTEM GOLD] [--timeout SECONDS] --work DIR

The families are those of ``instances/generate.py``; with two files, their sentences as well, alone
and joined to documents of 3, 10 and 30. Every solver runs on each family in a process of its own.
DIR holds the files that are made for it; the table goes to standard output, in Markdown.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agree import generator

HERE = Path(__file__).resolve().parent
SOLVERS = ["auto", "dual", "cpsat", "maxsat", "ilp", "ilp-paper", "brute"]
#: Family -> sizes; two pairs of each.
SIZES = {
    "small": [4, 5, 6],
    "loops": [8, 11, 14],
    "isomorphic": [20, 30, 40],
    "unlabelled": [10, 18, 26],
    "unrelated": [8, 12, 16],
    "parallel": [5, 10, 20],
    "chorus": [5, 10, 20],
    "strings": [4, 8, 12],
}
SEEDS = [1, 2]
#: Sentences to a document -> how many documents.
DOCUMENTS = {1: 300, 3: 40, 10: 12, 30: 4}


class Row(NamedTuple):
    """What a solver did with a family."""

    pairs: int
    proven: int
    mean: float
    longest: float
    megabytes: float
    gap: int


def families(work: Path) -> Iterator[tuple[str, Path, Path]]:
    """Write the generated families; yield their names and files."""
    generate = generator()
    for name, sizes in SIZES.items():
        pairs = [generate.family(name, size, seed) for size in sizes for seed in SEEDS]
        yield (
            name,
            *_write(work, name, [system for system, _ in pairs], [gold for _, gold in pairs]),
        )


def documents(work: Path, system: Path, gold: Path) -> Iterator[tuple[str, Path, Path]]:
    """Write joined documents of the two files; yield their names and files."""
    for size, count in DOCUMENTS.items():
        sides = []
        for path in (system, gold):
            texts = _joined(work, path, size).read_text(encoding="utf-8")
            sides.append(texts.strip().split("\n\n")[:count])
        yield f"sentences, {size} joined", *_write(work, f"join{size}", *sides)


def _joined(work: Path, path: Path, size: int) -> Path:
    if size == 1:
        return path
    joined = work / f"{path.stem}.join{size}.amr"
    join = [sys.executable, str(HERE / "join.py"), str(size), str(path), str(joined)]
    subprocess.run(join, check=True, stderr=subprocess.DEVNULL)
    return joined


def _write(work: Path, name: str, tests: list[str], golds: list[str]) -> tuple[Path, Path]:
    paths = work / f"{name}.system.amr", work / f"{name}.gold.amr"
    for path, texts in zip(paths, (tests, golds), strict=True):
        path.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    return paths


def run(solver: str, system: Path, gold: Path, timeout: float, work: Path) -> Row:
    """Let *solver* prove the pairs of two files in a process of its own."""
    per_pair = work / "pairs.jsonl"
    words = ["score", str(system), str(gold), "--solver", solver, "--timeout", str(timeout)]
    command = [sys.executable, "-m", "exactmatch", *words, "--per-pair", str(per_pair)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"failed: {' '.join(command)}")
    pairs = [json.loads(line) for line in per_pair.read_text(encoding="utf-8").splitlines()]
    seconds = [pair["seconds"] for pair in pairs]
    return Row(
        pairs=len(pairs),
        proven=sum(pair["status"] == "optimal" for pair in pairs),
        mean=sum(seconds) / len(seconds),
        longest=max(seconds),
        megabytes=usage.ru_maxrss / 1024,
        gap=sum(pair["upper"] - pair["matched"] for pair in pairs),
    )


def main() -> None:
    """Print a row for each family and solver."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="SYSTEM and GOLD")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for a pair (10)")
    parser.add_argument("--work", type=Path, required=True, help="folder for files")
    options = parser.parse_args()
    if len(options.files) not in (0, 2):
        parser.error("name two files or none")
    options.work.mkdir(parents=True, exist_ok=True)
    kinds = list(families(options.work))
    if options.files:
        kinds += documents(options.work, *options.files)
    print(f"limit: {options.timeout:g} s for a pair\n")
    print("| pairs | solver | proven | mean s | longest s | memory MB | gap, triples |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for name, system, gold in kinds:
        for solver in SOLVERS:
            row = run(solver, system, gold, options.timeout, options.work)
            print(
                f"| {name} | {solver} | {row.proven} of {row.pairs} | {row.mean:.4f} "
                f"| {row.longest:.2f} | {row.megabytes:.0f} | {row.gap} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
