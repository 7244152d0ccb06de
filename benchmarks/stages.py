"""Where the time goes, stage by stage, when the AMRs of two files are scored.

    python benchmarks/stages.py SYSTEM GOLD [--runs N]

One process on one core works through the files pair by pair, as the command does, and looks at its
CPU time after every stage. Needs exactmatch installed. The table goes to standard output, in
Markdown.
"""

import argparse
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

import penman

import exactmatch
from exactmatch.graphs.inputs import opened
from exactmatch.graphs.pairing import Couple, GraphPair, couple_graphs, read_pair
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.comparison import compare_triples
from exactmatch.solving.dual.branch_and_bound import prove
from exactmatch.solving.strategy import checked
from exactmatch.stopping.deadline import Deadline

METRIC = Smatch.profiles["default"]
#: The stages of a pair, in order.
STAGES = ("cutting", "reading", "normalising", "building", "dual", "check of the proof", "recount")
SMALL = "(a / and)"
START = "start"
REST = "the rest"
#: So many seconds a pair may take, as by default; beyond, the command asks another solver.
TIMEOUT = 60.0


class Stopwatch:
    """CPU seconds by stage."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self._last = process_time()

    def done(self, stage: str) -> None:
        """Count what has passed since the last call as *stage*."""
        now = process_time()
        self.seconds[stage] += now - self._last
        self._last = now


@contextmanager
def couples(system: Path, gold: Path) -> Iterator[Iterator[Couple]]:
    """Yield what belongs together in two files."""
    with opened(system, "system") as ours, opened(gold, "gold") as theirs:
        graphs = (ours.graphs, theirs.graphs)
        yield couple_graphs(*graphs, system_name=ours.name, gold_name=theirs.name)


def by_stage(system: Path, gold: Path) -> tuple[dict[str, float], int, int]:
    """Return the CPU seconds of each stage, how many pairs there are, and what they match."""
    pairs = matched = 0
    watch = Stopwatch()
    with couples(system, gold) as found:
        for couple in found:
            watch.done("cutting")
            pair = read_pair(couple, "stop").pair
            watch.done("reading")
            if not isinstance(pair, GraphPair):
                raise SystemExit(f"pair {couple.identifier} cannot be read")
            graphs = METRIC.normalise(pair.system), METRIC.normalise(pair.gold)
            watch.done("normalising")
            deadline = Deadline.after(TIMEOUT)
            comparison = compare_triples(*graphs, METRIC)
            problem = comparison.built(deadline)
            watch.done("building")
            proof = prove(problem, deadline)
            watch.done("dual")
            checked(problem, proof)
            watch.done("check of the proof")
            matched += comparison.count_matched(comparison.named(proof.mapping))
            watch.done("recount")
            if proof.lower < proof.upper:
                raise SystemExit(f"pair {couple.identifier} needs more than the dual")
            pairs += 1
    watch.done("cutting")
    return watch.seconds, pairs, matched


def start() -> float:
    """Return the CPU seconds of the command on a pair of no size: all that has to be loaded."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "graph")
        file.write_text(SMALL, encoding="utf-8")
        command = [sys.executable, "-m", "exactmatch", "score", str(file), str(file)]
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def parsing(system: Path, gold: Path) -> float:
    """Return the CPU seconds that penman takes to parse both files."""
    logging.disable()  # it tells of graphs that it finds odd
    before = process_time()
    for path in (system, gold):
        penman.load(path)
    return process_time() - before


def scoring(system: Path, gold: Path) -> tuple[float, int]:
    """Return the CPU seconds of all but the start, and what all pairs match."""
    before = process_time()
    matched = exactmatch.score(system, gold, metric=METRIC).matched
    return process_time() - before, matched


def measured(system: Path, gold: Path, runs: int) -> tuple[dict[str, float], float, int]:
    """Return the seconds of each stage and of penman, medians of *runs*, and how many pairs."""
    exactmatch.score(SMALL, SMALL)  # what has to be loaded counts as start
    times: dict[str, list[float]] = {stage: [] for stage in (START, *STAGES, REST)}
    theirs = []
    for _ in range(runs):  # in turn, so that a busy machine slows all alike
        seconds, pairs, by_stages = by_stage(system, gold)
        whole, matched = scoring(system, gold)
        if matched != by_stages:
            raise SystemExit(f"{matched} triples match, but the dual alone found {by_stages}")
        rest = whole - sum(seconds.values())
        for stage, value in {START: start(), **seconds, REST: rest}.items():
            times[stage].append(value)
        theirs.append(parsing(system, gold))
    return {stage: median(values) for stage, values in times.items()}, median(theirs), pairs


def table(stages: dict[str, float], theirs: float, pairs: int) -> str:
    """Return the seconds of *pairs*, by stages and for penman, in Markdown."""
    whole = sum(stages.values())
    rows = {**stages, "**all**": whole, "penman's parsing": theirs}
    lines = ["| stage | CPU s | share | ms a pair |", "|---|---:|---:|---:|"]
    for name, seconds in rows.items():
        each = 1000 * seconds / pairs
        lines.append(f"| {name} | {seconds:.3f} | {seconds / whole:.1%} | {each:.3f} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("system", metavar="SYSTEM", type=Path)
    parser.add_argument("gold", metavar="GOLD", type=Path)
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="default: 5")
    arguments = parser.parse_args()
    stages, theirs, pairs = measured(arguments.system, arguments.gold, arguments.runs)
    print(f"{pairs} pairs, medians of {arguments.runs} runs\n")
    print(table(stages, theirs, pairs))


if __name__ == "__main__":
    main()
