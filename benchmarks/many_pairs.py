"""Score many pairs of sentences, made of a few, with different numbers of workers.

Sentences are repeated with other variables and identifiers, and written to the given files. A run
is a command with all its processes; `growth.py` starts runs and prints them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import NamedTuple

from join import read_sentences, rename_variables

#: Replaced by a prefix that distinguishes the variables of repetitions.
_MARK = "\0"
#: Seconds between two looks at the memory of processes.
_LOOK = 0.1


class Run(NamedTuple):
    """The time and memory of a command.

    workers: their name in tables. cpu, wall: seconds; *cpu* of all processes together.
    megabytes: the peak of all processes together, as far as it was seen; shared memory counts for
        each.
    output: a digest of the output, for comparison.
    """

    pairs: int
    workers: str
    cpu: float
    wall: float
    megabytes: float
    output: str


def repeated(source: Path, target: Path, count: int) -> None:
    """Write *count* graphs: those of a file, repeated under new names."""
    patterns = [
        f"# ::id {_MARK}{sentence.identifier}\n{rename_variables(sentence, _MARK)}\n\n"
        for sentence in read_sentences(source.read_text(encoding="utf-8-sig"))
    ]
    with target.open("w", encoding="utf-8") as file:
        for number in range(count):
            turn, position = divmod(number, len(patterns))
            file.write(patterns[position].replace(_MARK, f"r{turn}_"))


@contextmanager
def pairs_of(system: Path, gold: Path, count: int) -> Iterator[tuple[Path, Path]]:
    """Yield two temporary files of *count* pairs."""
    with TemporaryDirectory() as folder:
        files = Path(folder, "system.amr"), Path(folder, "gold.amr")
        for source, target in zip((system, gold), files, strict=True):
            repeated(source, target, count)
        yield files


def measured(files: Sequence[Path], pairs: int, workers: int) -> Run:
    """Score files by the command, with so many of its own workers."""
    return _run(_command(files, "--workers", str(workers)), [], pairs, str(workers))


def measured_on_cluster(files: Sequence[Path], pairs: int, workers: int) -> Run:
    """Score files by the command on a Dask cluster, which is started here and counts as well."""
    with TemporaryDirectory() as folder:
        place = ["--scheduler-file", str(Path(folder, "scheduler.json"))]
        scheduler, worker = (
            [sys.executable, "-m", f"distributed.cli.dask_{name}", *place, "--host", "127.0.0.1"]
            for name in ("scheduler", "worker")
        )
        worker += ["--nthreads", "1", "--nworkers", str(workers), "--no-dashboard"]
        before = _cpu_of_children()
        with (
            _running([*scheduler, "--port", "0"], folder) as first,
            _running(worker, folder) as second,
        ):
            while not Path(place[1]).exists() and first.poll() is None:
                time.sleep(_LOOK)
            command = _command(files, "--cluster", place[1])
            run = _run(command, [first.pid, second.pid], pairs, f"{workers}, by Dask")
        # The processes of the cluster have ended, and now count.
        return run._replace(cpu=_cpu_of_children() - before)


def _command(files: Sequence[Path], *options: str) -> list[str]:
    words = [sys.executable, "-m", "exactmatch", "score", *map(str, files)]
    return [*words, "--format", "json", "--no-seconds", *options]


def _run(command: Sequence[str], others: Sequence[int], pairs: int, workers: str) -> Run:
    """Run a command to its end; the processes *others* count as well."""
    start, before, peak = time.perf_counter(), _cpu_of_children(), 0
    with TemporaryDirectory() as folder:
        output = Path(folder, "output")
        with output.open("wb") as file, subprocess.Popen(command, stdout=file) as process:
            while process.poll() is None:
                peak = max(peak, _memory([process.pid, *others]))
                time.sleep(_LOOK)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)}: status {process.returncode}")
        digest = sha256(output.read_bytes()).hexdigest()
    wall = time.perf_counter() - start
    return Run(pairs, workers, _cpu_of_children() - before, wall, peak / (1 << 10), digest)


@contextmanager
def _running(command: Sequence[str], folder: str) -> Iterator[subprocess.Popen[bytes]]:
    """Keep a command running in a folder during the block."""
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=null, stderr=null, cwd=folder) as process:
        try:
            yield process
        finally:
            process.terminate()


def _memory(roots: Sequence[int]) -> int:
    """Return the kilobytes of processes and of their children."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,rss="], check=True, capture_output=True, encoding="utf-8"
    )
    rows = [[int(word) for word in line.split()] for line in listed.stdout.splitlines()]
    family = {*roots}
    while more := {pid for pid, parent, _ in rows if parent in family} - family:
        family |= more
    return sum(held for pid, _, held in rows if pid in family)


def _cpu_of_children() -> float:
    usage = getrusage(RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def table(runs: Sequence[Run]) -> str:
    """Return a row for each run, in Markdown."""
    lines = [
        "| pairs | workers | CPU s | µs a pair | wall clock s | pairs a second | MB at most |",
        "|---:|---|---:|---:|---:|---:|---:|",
    ]
    for run in runs:
        cells = [
            f"{run.pairs:,}",
            run.workers,
            f"{run.cpu:.2f}",
            f"{1e6 * run.cpu / run.pairs:.0f}",
            f"{run.wall:.2f}",
            f"{run.pairs / run.wall:,.0f}",
            f"{run.megabytes:.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
