"""Compare exactmatch with smatch and smatch++, in quality and time, on the same files.

    python benchmarks/compare.py SYSTEM GOLD [--join K] [--runs N] [--limit N] --work DIR

Installs each tool into an environment of its own under DIR, runs all of them in turn, and
prints Markdown tables. Needs Python's standard library only. Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


class CommandError(Exception):
    """A command that ended badly, with the reason it gave."""


@dataclass(frozen=True)
class Pair:
    """What a tool says of one pair of graphs; `upper` and `proven` are exactmatch's only."""

    matched: int
    system_total: int
    gold_total: int
    seconds: float
    upper: int
    proven: bool


@dataclass
class Command:
    """A command line with the wall clock times of its runs so far."""

    words: list[str]
    seconds: list[float] = field(default_factory=list)
    trouble: str = ""


@dataclass
class Tool:
    """One tool under comparison: how to install it, how to run it, and what came out."""

    name: str
    packages: tuple[str, ...]  # whose versions are reported
    requirement: str
    folder: Path
    whole: Command  # timed from start to end
    single: Command  # writes one JSON line per pair; exactmatch's `whole` does that itself
    pairs_file: Path
    runs: list[list[Pair | None]] = field(default_factory=list)  # None: pair not scored

    @property
    def python(self) -> Path:
        """Return the interpreter of the tool's environment."""
        return self.folder / SCRIPTS / "python"


class Shell:
    """Runs commands with the same settings for every tool."""

    def __init__(self, work: Path, patience: float) -> None:
        """Keep temporary files in the work folder, and one core for every measured command."""
        self.patience = patience
        temporary = work / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        self.environment = os.environ | {
            "OMP_NUM_THREADS": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_CACHE_DIR": "1",  # the cache would be outside the work folder
            "PYTHONUTF8": "1",  # the rivals open files in the encoding of the locale
            "TMPDIR": str(temporary),
        }
        self.pin = pin_words()

    def run(self, words: Sequence[str], patience: float | None = None) -> str:
        """Run a command and return what it printed."""
        try:
            done = subprocess.run(
                words,
                capture_output=True,
                check=False,
                encoding="utf-8",
                env=self.environment,
                errors="replace",
                timeout=patience,
            )
        except subprocess.TimeoutExpired as error:
            raise CommandError(f"stopped after {error.timeout:.0f} s") from error
        if done.returncode:
            lines = done.stderr.strip().split("\n")
            note("\n".join(lines[-20:]))  # a table has room for the last line only
            raise CommandError(f"exit code {done.returncode}: {lines[-1] or 'no message'}")
        return done.stdout

    def measure(self, command: Command) -> None:
        """Run a command on one core, and note its time, or why there is none."""
        start = time.perf_counter()
        try:
            self.run([*self.pin, *command.words], self.patience)
        except CommandError as error:
            command.trouble = str(error)
        else:
            command.seconds.append(time.perf_counter() - start)


def pin_words() -> list[str]:
    """Return the start of a command line that keeps the rest on one core, if there is one."""
    taskset = shutil.which("taskset")
    if taskset is None or sys.platform != "linux":
        return []
    return [taskset, "-c", str(min(os.sched_getaffinity(0)))]


def exactmatch_tool(work: Path, files: list[str]) -> Tool:
    """Return our own tool, to be installed from this checkout."""
    folder, pairs = work / "exactmatch", work / "exactmatch.jsonl"
    words = [str(folder / SCRIPTS / "exactmatch"), "score", *files]
    words += ["--profile", "smatch-1.0.4", "--exact", "--timeout", "10"]
    words += ["--format", "json", "--per-pair", str(pairs)]
    command = Command(words)
    return Tool("exactmatch", ("exactmatch",), str(HERE.parent), folder, command, command, pairs)


def smatch_tool(work: Path, files: list[str]) -> Tool:
    """Return smatch with its default number of restarts."""
    folder, pairs = work / "smatch", work / "smatch.jsonl"
    python = str(folder / SCRIPTS / "python")
    whole = Command([python, str(folder / SCRIPTS / "smatch.py"), "-f", *files])
    single = Command([python, str(HERE / "run_smatch.py"), *files, str(pairs)])
    return Tool("smatch", ("smatch",), "smatch==1.0.4", folder, whole, single, pairs)


def smatchpp_tool(work: Path, files: list[str]) -> Tool:
    """Return smatch++ with its integer linear program."""
    folder, pairs = work / "smatchpp", work / "smatchpp.jsonl"
    python = str(folder / SCRIPTS / "python")
    words = [python, "-m", "smatchpp", "-a", files[0], "-b", files[1], "-solver", "ilp"]
    whole = Command([*words, "-graph_type", "generic", "-score_type", "micro"])
    single = Command([python, str(HERE / "run_smatchpp.py"), *files, str(pairs)])
    return Tool("smatch++", ("smatchpp", "mip"), "smatchpp==1.8.0", folder, whole, single, pairs)


TOOLS = (exactmatch_tool, smatch_tool, smatchpp_tool)


def install(tool: Tool, shell: Shell) -> str:
    """Install a tool into its environment if it is not there yet, and return its versions."""
    note(f"installing {tool.name}")
    if not tool.python.exists():
        shell.run([sys.executable, "-m", "venv", str(tool.folder)])
    # Quick where the version is there already; a checkout is always installed anew.
    shell.run([str(tool.python), "-m", "pip", "install", "--quiet", tool.requirement])
    script = "import sys, importlib.metadata as m; print(*map(m.version, sys.argv[1:]))"
    versions = shell.run([str(tool.python), "-c", script, *tool.packages]).split()
    return ", ".join(map(" ".join, zip(tool.packages, versions, strict=True)))


def install_rival(tool: Tool, shell: Shell) -> str:
    """Install a rival; the comparison goes on without it when that fails."""
    try:
        return install(tool, shell)
    except CommandError as error:
        tool.whole.trouble = tool.single.trouble = f"not installed, {error}"
        return f"{tool.name}: {tool.whole.trouble}"


def run_once(tool: Tool, shell: Shell) -> None:
    """Run the commands of a tool once more and collect its pairs."""
    if tool.whole is not tool.single and not tool.whole.trouble:
        shell.measure(tool.whole)
    if not tool.single.trouble:
        tool.pairs_file.unlink(missing_ok=True)
        shell.measure(tool.single)
        # A command that was stopped leaves the pairs that it had done.
        if tool.pairs_file.exists():
            tool.runs.append(read_pairs(tool.pairs_file))


def read_pairs(path: Path) -> list[Pair | None]:
    """Read the file that a tool wrote, one JSON object per line and pair."""
    complete = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [read_pair(json.loads(line)) for line in complete]


def read_pair(record: dict[str, Any]) -> Pair | None:
    """Read what a tool wrote on one pair, which is nothing of use after an error."""
    if "error" in record or record.get("status") == "skipped":
        return None
    return Pair(
        matched=record["matched"],
        system_total=record["system_total"],
        gold_total=record["gold_total"],
        seconds=record["seconds"],
        upper=record.get("upper", record["matched"]),
        proven=record.get("status") == "optimal",
    )


def even_out(tool: Tool, count: int) -> None:
    """Give every run of a tool as many pairs as there are, or drop its runs if too many."""
    lengths = {len(run) for run in tool.runs}
    if max(lengths, default=0) > count or (not tool.single.trouble and lengths - {count}):
        tool.single.trouble = f"found {max(lengths)} pairs where exactmatch found {count}"
        tool.runs.clear()
    for run in tool.runs:
        run.extend([None] * (count - len(run)))


def f1(pairs: Sequence[Pair]) -> float:
    """Return the F1 of a corpus, which is 0 when there is nothing to match."""
    total = sum(pair.system_total + pair.gold_total for pair in pairs)
    return 2 * sum(pair.matched for pair in pairs) / total if total else 0.0


def percentile_95(values: Sequence[float]) -> float:
    """Return the smallest value that 95 percent of the values do not exceed."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


MEASURES: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "median": statistics.median,
    "p95": percentile_95,
    "max": max,
}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, rule, *rows])


def whole_table(tools: list[Tool]) -> str:
    """Return the table of whole processes."""
    ours = statistics.median(tools[0].whole.seconds)
    rows = [[tool.name, *whole_cells(tool.whole, ours)] for tool in tools]
    return table(["tool", "median s", "fastest s", "slowest s", "ratio to exactmatch"], rows)


def whole_cells(command: Command, ours: float) -> list[str]:
    """Return the cells of one tool in the table of whole processes."""
    if command.trouble:
        return [f"no result ({command.trouble})", "", "", ""]
    times = command.seconds
    median = statistics.median(times)
    return [
        *(f"{value:.2f}" for value in (median, min(times), max(times))),
        ratio(median, ours),
    ]


def ratio(theirs: float, ours: float) -> str:
    """Return how many times as long as ours something took."""
    return f"{theirs / ours:.2f}" if ours else "-"


def pair_table(tools: list[Tool]) -> str:
    """Return the table of times per pair."""
    head = ["tool", "pairs", "not scored"]
    head += [column for name in MEASURES for column in (f"{name} ms", "ratio")]
    return table(head, [pair_cells(tool, tools[0]) for tool in tools])


def pair_cells(tool: Tool, ours: Tool) -> list[str]:
    """Return the row of one tool in the table of times per pair."""
    theirs, base = pair_seconds(tool), pair_seconds(ours)
    shared = sorted(theirs.keys() & base.keys())
    if not shared:
        reason = tool.single.trouble or "no pair scored"
        return [tool.name, f"no result ({reason})", *[""] * (1 + 2 * len(MEASURES))]
    name = f"{tool.name} ({tool.single.trouble})" if tool.single.trouble else tool.name
    cells = [name, str(len(shared)), str(len(ours.runs[0]) - len(theirs))]
    for measure in MEASURES.values():
        # Against our time on the same pairs, so that a failure makes nobody look faster.
        value = measure([theirs[i] for i in shared])
        cells += [f"{1000 * value:.2f}", ratio(value, measure([base[i] for i in shared]))]
    return cells


def pair_seconds(tool: Tool) -> dict[int, float]:
    """Return the median time of each pair over the runs in which it was scored."""
    times: dict[int, list[float]] = {}
    for run in tool.runs:
        for position, pair in enumerate(run):
            if pair:
                times.setdefault(position, []).append(pair.seconds)
    return {position: statistics.median(values) for position, values in times.items()}


def quality_table(rival: Tool, ours: Tool) -> str:
    """Return the table of what smatch found against what is proven, run by run."""
    if not rival.runs:
        return f"{rival.name}: no result ({rival.single.trouble})."
    head = ["run", "pairs", "totals differ", "compared", "below optimum", "triples lost"]
    head += ["above upper bound", "above ours, unproven"]
    head += [f"F1 {rival.name}", f"F1 {ours.name}"]
    rows = [
        [str(number), *quality_cells(run, ours.runs[0])]
        for number, run in enumerate(rival.runs, start=1)
    ]
    return table(head, rows)


def quality_cells(theirs: list[Pair | None], ours: list[Pair | None]) -> list[str]:
    """Return the cells of one run in the quality table."""
    both = [(x, y) for x, y in zip(theirs, ours, strict=True) if x and y]
    # Matches can be compared only where both tools read the same number of triples.
    same = [(x, y) for x, y in both if totals(x) == totals(y)]
    # What we found can be reached, proven best or not, so who found less is below the optimum.
    lost = [y.matched - x.matched for x, y in same if x.matched < y.matched]
    impossible = sum(x.matched > y.upper for x, y in same)
    better = sum(y.matched < x.matched <= y.upper for x, y in same)
    counts = [len(both), len(both) - len(same), len(same), len(lost), sum(lost)]
    scores = [f1([x for x, _ in same]), f1([y for _, y in same])]
    return [
        *(str(count) for count in [*counts, impossible, better]),
        *(f"{score:.6f}" for score in scores),
    ]


def totals(pair: Pair) -> tuple[int, int]:
    """Return the numbers of triples of both graphs."""
    return pair.system_total, pair.gold_total


def own_table(rival: Tool) -> str:
    """Return the table of what smatch++ says by its own rules."""
    if not rival.runs:
        return f"{rival.name}: no result ({rival.single.trouble})."
    rows = []
    for number, run in enumerate(rival.runs, start=1):
        pairs = [pair for pair in run if pair]
        matched = sum(pair.matched for pair in pairs)
        system = sum(pair.system_total for pair in pairs)
        gold = sum(pair.gold_total for pair in pairs)
        counts = [number, len(pairs), len(run) - len(pairs), matched, system, gold]
        rows.append([*map(str, counts), f"{f1(pairs):.6f}"])
    head = ["run", "pairs", "not scored", "matched", "system triples", "gold triples", "F1"]
    return table(head, rows)


def report(tools: list[Tool], context: list[str]) -> str:
    """Return all tables with what is needed to read them."""
    ours, smatch, smatchpp = tools
    first = ours.runs[0]
    proven = sum(pair.proven for pair in first if pair)
    parts = [
        "# exactmatch, smatch and smatch++ on the same files",
        "\n".join(f"* {line}" for line in context),
        "## Time of the whole process",
        "Start, reading, scoring and output, by each tool's own command line.",
        whole_table(tools),
        "## Time per pair, without reading",
        "Each pair counts with the median of its runs. Ratios are to exactmatch on the same pairs.",
        pair_table(tools),
        "## Quality of smatch",
        f"exactmatch proved the optimum of {proven} of {len(first)} pairs.",
        quality_table(smatch, ours),
        "## smatch++ by its own rules",
        "It counts other triples than Smatch, so these numbers compare with no others here.",
        own_table(smatchpp),
    ]
    return "\n\n".join(parts)


def prepare(arguments: argparse.Namespace, shell: Shell) -> list[str]:
    """Return the paths of the files to score, shortened and joined as wished."""
    paths = []
    for name in ("system", "gold"):
        path = vars(arguments)[name].resolve(strict=True)
        if arguments.limit:
            path = shorten(path, arguments.work / f"{name}.limit.amr", arguments.limit)
        if arguments.join:
            target = arguments.work / f"{name}.join.amr"
            words = [str(HERE / "join.py"), str(arguments.join), str(path), str(target)]
            shell.run([sys.executable, *words])
            path = target
        paths.append(str(path))
    return paths


def shorten(source: Path, target: Path, count: int) -> Path:
    """Write the first graphs of a file to another, and return its path."""
    blocks = re.split(r"\n\s*\n", source.read_text(encoding="utf-8-sig").strip())
    # A block of comments is no graph; the rivals' readers differ on it, so it is left out.
    graphs = [block for block in blocks if re.search(r"^\s*[^#\s]", block, re.MULTILINE)]
    target.write_text("\n\n".join(graphs[:count]) + "\n", encoding="utf-8")
    return target


def compare(arguments: argparse.Namespace) -> str:
    """Install the tools, run them in turn, and return the report."""
    shell = Shell(arguments.work, arguments.patience)
    files = prepare(arguments, shell)
    ours, *rivals = [make(arguments.work, files) for make in TOOLS]
    versions = [install(ours, shell), *(install_rival(rival, shell) for rival in rivals)]
    for number in range(1, arguments.runs + 1):
        for tool in (ours, *rivals):  # in turn, so that a busy machine slows all alike
            note(f"run {number} of {arguments.runs}: {tool.name}")
            run_once(tool, shell)
            if ours.single.trouble:
                raise CommandError(f"exactmatch: {ours.single.trouble}")
    if None in ours.runs[0]:  # the rivals skip nothing, and go by position
        raise CommandError("exactmatch skipped pairs, so that the others cannot be aligned")
    for rival in rivals:
        even_out(rival, len(ours.runs[0]))
    return report([ours, *rivals], context(arguments, versions, shell.pin))


def context(arguments: argparse.Namespace, versions: list[str], pin: list[str]) -> list[str]:
    """Return what was compared, of which versions, and where."""
    names = f"{arguments.system.name} against {arguments.gold.name}"
    limit = f"first {arguments.limit} sentences" if arguments.limit else "all sentences"
    join = f"joined by {arguments.join}" if arguments.join else "one by one"
    where = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    core = f"one core ({' '.join(['taskset', *pin[1:]])})" if pin else "not pinned (no taskset)"
    return [
        f"Files: {names}, {limit}, {join}",
        f"Versions: {'; '.join(versions)}",
        f"Runs: {arguments.runs}, on {where}, every process on {core}",
    ]


def note(text: str) -> None:
    """Tell the user what is going on."""
    print(text, file=sys.stderr, flush=True)


def positive(text: str) -> int:
    """Read a number of things from the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Compare exactmatch with smatch and smatch++.")
    parser.add_argument("system", metavar="SYSTEM", type=Path, help="AMRs to be scored")
    parser.add_argument("gold", metavar="GOLD", type=Path, help="AMRs to score them against")
    parser.add_argument("--join", metavar="K", type=positive, help="join K sentences to one graph")
    parser.add_argument("--runs", metavar="N", type=positive, default=3, help="default: 3")
    parser.add_argument("--limit", metavar="N", type=positive, help="only the first N sentences")
    parser.add_argument(
        "--patience", metavar="SECONDS", type=positive, default=3600, help="default: 3600"
    )
    parser.add_argument("--work", metavar="DIR", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    return arguments


def main() -> None:
    """Print the comparison asked for on the command line."""
    try:
        print(compare(parse_arguments()))
    except (CommandError, OSError) as error:
        sys.exit(f"compare.py: {error}")


if __name__ == "__main__":
    main()
