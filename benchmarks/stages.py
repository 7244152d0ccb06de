"""Measure the time of each stage when the AMRs of two files are scored.

    python benchmarks/stages.py SYSTEM GOLD [--runs N] [--instructions]

One process goes through the files repeatedly, each time up to one stage more, as plain `score`
does: the difference is the time of that stage. With --instructions, each time is a process under
valgrind's callgrind, which counts machine instructions, independently of the load of the machine.
Needs exactmatch installed, compiled. The tables go to standard output, in Markdown.
"""

import argparse
import json
import logging
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import penman

from exactmatch.certificate.cover_check import CoverCheck
from exactmatch.graphs.coupling import couple_graphs
from exactmatch.graphs.inputs import opened
from exactmatch.graphs.pairing import Couple, GraphPair, read_pair
from exactmatch.graphs.readers.numbered import NumberReader
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem.tables import GraphTable
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.recount import TableCheck, WrittenRecount
from exactmatch.scoring.settings import Settings
from exactmatch.solving.covers import Covers
from exactmatch.stopping.deadline import Deadline

METRIC = Smatch.profiles["default"]
CUTTING, READING, TABLES, COVER = "cutting", "reading", "tables", "search and cover"
CHECK, RECOUNT, USUAL = "check of the cover", "recount", "the usual way"
#: The stages of a pair, in order.
STAGES = (CUTTING, READING, TABLES, COVER, CHECK, RECOUNT, USUAL)
SMALL = "(a / and)"
START = "start"
REST = "the rest"
#: The seconds for a pair in the usual way, as by default.
TIMEOUT = 60.0
_CHECKED: Any = {"check": True, "capture_output": True, "encoding": "utf-8"}


@contextmanager
def couples(system: Path, gold: Path) -> Iterator[Iterator[Couple]]:
    """Yield the pairs of two files."""
    with opened(system, "system") as ours, opened(gold, "gold") as theirs:
        graphs = (ours.graphs, theirs.graphs)
        yield couple_graphs(*graphs, system_name=ours.name, gold_name=theirs.name)


class Way:
    """The way of a pair by a cover, stage by stage; each stage tells whether the pair continues.

    Other pairs are proven in the usual way. *matched* is the sum of matches over all pairs.
    """

    def __init__(self) -> None:
        words = METRIC.numbered_labels()
        assert words is not None
        self.matched = 0
        ours = GraphTable()
        self.graphs = ours, GraphTable(ours)
        theirs = self.graphs[1]
        reader = NumberReader(words, ours.label, ours.first, ours.second)
        beside = NumberReader(words, theirs.label, theirs.first, theirs.second, reader)
        self._readers = reader, beside
        tables = self.graphs[0].table, self.graphs[1].table
        self._covers = Covers(*tables, METRIC.scale, METRIC.duplicates)
        self._check = CoverCheck(*tables, self._covers, METRIC.scale, METRIC.duplicates)
        self._table_checks = first, second = TableCheck(ours), TableCheck(theirs)
        triples = first.written, second.written
        self._recount = WrittenRecount(*triples, self._covers.image, METRIC.duplicates)
        self._written = [0, 0]
        self._known = 0

    def stages(self) -> list[Callable[[Couple], bool]]:
        """Return the stages after the first one, in order, but for the usual way."""
        return [self.read, self.tabulate, self.cover, self.check, self.recount]

    def read(self, couple: Couple) -> bool:
        """Read the texts into numbers."""
        texts: list[Any] = [couple.system, couple.gold]
        self._written = [
            reader.read(text.data) for reader, text in zip(self._readers, texts, strict=True)
        ]
        return min(self._written) >= 0

    def tabulate(self, _: Couple) -> bool:
        """Sort the triples into tables."""
        (ours, theirs), (reader, beside) = self.graphs, self._readers
        n_ours, n_theirs = self._written
        ours.sort(n_ours, reader.n_variables)
        theirs.sort(n_theirs, beside.n_variables)
        return True

    def cover(self, _: Couple) -> bool:
        """Look for the best mapping, and for a cover that proves it."""
        return bool(self._covers.solve(0, 0))

    def check(self, _: Couple) -> bool:
        """Check the cover, and count by the tables."""
        self._known = self._check.matched(0, 0)
        assert self._known == self._check.bound(0, 0)
        return True

    def recount(self, _: Couple) -> bool:
        """Check the tables, and count by the triples as they are written."""
        ours, theirs = self._table_checks
        assert ours.holds(self._written[0]) and theirs.holds(self._written[1])
        assert self._known == self._recount.count()
        self.matched += self._known
        return True


def through(system: Path, gold: Path, last: int) -> tuple[Counter[str], int]:
    """Take all pairs through the stages up to number *last*.

    Returns how many pairs each way has proven, and the sum of matches.
    """
    way = Way()
    stages = way.stages()[:last]
    proven: Counter[str] = Counter()
    with couples(system, gold) as found:
        for couple in found:
            if all(stage(couple) for stage in stages):
                proven[COVER] += 1
            elif last == len(STAGES) - 1:
                pair = read_pair(couple, "stop").pair
                if not isinstance(pair, GraphPair):
                    raise SystemExit(f"pair {couple.identifier} cannot be read")
                score = score_pair(pair, METRIC, Settings(timeout=TIMEOUT), Deadline())
                way.matched += score.matched
                proven[score.solver if score.status == "optimal" else "open"] += 1
            else:
                proven[USUAL] += 1
    return proven, way.matched


def seconds_by_stage(system: Path, gold: Path) -> dict[str, float]:
    """Return the CPU seconds of each stage."""
    passed = [0.0]
    for last in range(len(STAGES)):
        before = process_time()
        through(system, gold, last)
        passed.append(process_time() - before)
    return dict(zip(STAGES, (b - a for a, b in pairwise(passed)), strict=True))


def instructions_by_stage(system: Path, gold: Path) -> dict[str, float]:
    """Return millions of machine instructions of each stage, and of the start before them."""
    counts = [counted(system, gold, last) for last in range(-1, len(STAGES))]
    steps = (b - a for a, b in pairwise(counts))
    return {START: counts[0], **dict(zip(STAGES, steps, strict=True))}


def counted(system: Path, gold: Path, last: int) -> float:
    """Return millions of instructions of a process that goes up to stage number *last*."""
    with TemporaryDirectory() as folder:
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        words += [sys.executable, __file__, str(system), str(gold), "--up-to", str(last)]
        run = subprocess.run(words, **_CHECKED)
    found = re.search(r"Collected : (\d+)", run.stderr)
    assert found is not None, run.stderr
    return int(found[1]) / 1e6


def command(system: Path, gold: Path) -> tuple[float, int]:
    """Return the CPU seconds of the command, and the sum of matches."""
    words = [sys.executable, "-m", "exactmatch", "score", str(system), str(gold)]
    before = getrusage(RUSAGE_CHILDREN)
    run = subprocess.run([*words, "--format", "json", "--workers", "1"], **_CHECKED)
    after = getrusage(RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, json.loads(run.stdout)["matched"]


def start() -> float:
    """Return the CPU seconds of the command on an empty pair, which only loads modules."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "graph")
        file.write_text(SMALL, encoding="utf-8")
        return command(file, file)[0]


def parsing(system: Path, gold: Path) -> float:
    """Return the CPU seconds that penman takes to parse both files."""
    logging.disable()  # it warns of unusual graphs
    before = process_time()
    for path in (system, gold):
        penman.load(path)
    return process_time() - before


def measured(system: Path, gold: Path, runs: int) -> tuple[dict[str, float], float]:
    """Return the seconds of each stage and of penman, medians of *runs*."""
    _, by_stages = through(system, gold, len(STAGES) - 1)  # which loads all that is needed
    times: dict[str, list[float]] = {stage: [] for stage in (START, *STAGES, REST)}
    theirs = []
    for _ in range(runs):  # in turn, so that a busy machine slows all alike
        seconds = seconds_by_stage(system, gold)
        whole, matched = command(system, gold)
        if matched != by_stages:
            raise SystemExit(f"{matched} triples match, but the stages found {by_stages}")
        loaded = start()
        rest = whole - loaded - sum(seconds.values())
        for stage, value in {START: loaded, **seconds, REST: rest}.items():
            times[stage].append(value)
        theirs.append(parsing(system, gold))
    return {stage: median(values) for stage, values in times.items()}, median(theirs)


def table(stages: Mapping[str, float], theirs: float, pairs: int) -> str:
    """Return the seconds of *pairs*, by stages and for penman, in Markdown."""
    whole = sum(stages.values())
    of_pairs = sum(stages[stage] for stage in STAGES)
    rows = {
        **stages,
        "**from bytes to checked proof**": of_pairs,
        "without the recount": of_pairs - stages[RECOUNT],
        "**all**": whole,
        "penman's parsing": theirs,
    }
    lines = ["| stage | CPU s | share | µs a pair |", "|---|---:|---:|---:|"]
    for name, seconds in rows.items():
        each = 1e6 * seconds / pairs
        lines.append(f"| {name} | {seconds:.4f} | {seconds / whole:.1%} | {each:.1f} |")
    return "\n".join(lines)


def shares(proven: Counter[str]) -> str:
    """Return how many pairs each way has proven, in Markdown."""
    lines = ["| proven by | pairs | share |", "|---|---:|---:|"]
    names = {COVER: "cover"}
    for name, count in proven.most_common():
        lines.append(f"| {names.get(name, name)} | {count} | {count / proven.total():.1%} |")
    return "\n".join(lines)


def instructions_table(found: Mapping[str, float], pairs: int) -> str:
    """Return the millions of instructions by stage, in Markdown."""
    lines = ["| stage | M instructions | thousands a pair |", "|---|---:|---:|"]
    of_pairs = sum(found[stage] for stage in STAGES)
    for name, count in {**found, "**from bytes to checked proof**": of_pairs}.items():
        lines.append(f"| {name} | {count:.1f} | {1000 * count / pairs:.1f} |")
    return "\n".join(lines)


def report(system: Path, gold: Path, runs: int, with_instructions: bool) -> Iterator[str]:
    """Yield the parts of the output."""
    proven, _ = through(system, gold, len(STAGES) - 1)
    pairs = proven.total()
    yield f"{pairs} pairs, medians of {runs} runs"
    yield table(*measured(system, gold, runs), pairs)
    yield shares(proven)
    if with_instructions:
        yield instructions_table(instructions_by_stage(system, gold), pairs)


def main(words: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("system", metavar="SYSTEM", type=Path)
    parser.add_argument("gold", metavar="GOLD", type=Path)
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="default: 5")
    parser.add_argument("--instructions", action="store_true", help="count them by valgrind")
    parser.add_argument("--up-to", metavar="N", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    system, gold = arguments.system, arguments.gold
    if arguments.up_to is None:
        print("\n\n".join(report(system, gold, arguments.runs, arguments.instructions)))
    elif arguments.up_to >= 0:
        through(system, gold, arguments.up_to)


if __name__ == "__main__":
    main()
