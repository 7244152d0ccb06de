"""The compared tools: how each is installed and run, and its results for a pair."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from processes import Command, CommandError, Shell, note
from seconds import Seconds

HERE = Path(__file__).resolve().parent
OURS = "exactmatch"
INTERPRETED = "exactmatch, interpreted"
PARSING = "penman, parsing alone"
SMATCH = "smatch"
SMATCHPP = "smatch++"
#: Without the others there is no comparison.
RIVALS = frozenset({SMATCH, SMATCHPP})

_COMPILED: Mapping[str, str] = MappingProxyType({})
_PURE: Mapping[str, str] = MappingProxyType({"EXACTMATCH_PURE": "1"})


class Pair(NamedTuple):
    """The result of one tool for a pair of graphs; only exactmatch has an *upper* bound."""

    matched: int
    system_total: int
    gold_total: int
    seconds: Seconds
    upper: int


class Environment(NamedTuple):
    """A folder with a Python of its own, in which a tool is installed.

    requirement: the argument of pip. packages: those whose versions are reported.
    settings: environment variables during the installation.
    kernel: the kernel that exactmatch must report.
    """

    folder: Path
    requirement: str
    packages: Sequence[str]
    settings: Mapping[str, str] = _COMPILED
    kernel: str = ""

    def program(self, name: str) -> str:
        """Return the path of a program of the environment."""
        return str(self.folder / "bin" / name)

    def install(self, shell: Shell) -> str:
        """Install missing tools, and a checkout always anew; return the versions."""
        note(f"installing into {self.folder}")
        python = self.program("python")
        if not Path(python).exists():
            shell.run([sys.executable, "-m", "venv", str(self.folder)])
        pip = [python, "-m", "pip", "install", "--quiet", self.requirement]
        shell.run(pip, settings=self.settings)
        script = "import sys, importlib.metadata as m; print(*map(m.version, sys.argv[1:]))"
        versions = shell.run([python, "-c", script, *self.packages]).split()
        found = ", ".join(map(" ".join, zip(self.packages, versions, strict=True)))
        if not self.kernel:
            return found
        if f"({self.kernel} kernel)" not in shell.run([self.program("exactmatch"), "--version"]):
            raise CommandError(f"exactmatch could not be installed with the {self.kernel} kernel")
        return f"{found} ({self.kernel})"


@dataclass
class Tool:
    """One tool under comparison, its files, and its results.

    whole: its own command line. single: a command that writes one JSON line for each pair, if any.
    runs: the pairs of each run, None for a pair without a score.
    """

    name: str
    whole: Command
    single: Command | None
    pairs_file: Path
    runs: list[list[Pair | None]] = field(default_factory=list)

    @property
    def trouble(self) -> str:
        """Why the tool will not be run again; empty if it will."""
        return self.whole.trouble or (self.single.trouble if self.single else "")

    def run_once(self, shell: Shell) -> None:
        """Run the commands once more and collect the pairs."""
        if not self.whole.trouble:
            shell.measure(self.whole)
        if self.single is not None and not self.single.trouble:
            self.pairs_file.unlink(missing_ok=True)
            shell.measure(self.single)
            # A command that was stopped leaves the pairs that it had done.
            if self.pairs_file.exists():
                self.runs.append(read_pairs(self.pairs_file))

    def give_up(self, trouble: str) -> None:
        """Have no command of the tool run again."""
        self.whole.trouble = trouble
        if self.single is not None:
            self.single.trouble = trouble

    def even_out(self, count: int) -> None:
        """Give every run as many pairs as there are, or drop the runs if they have too many."""
        if self.single is None:
            return
        lengths = {len(run) for run in self.runs}
        if max(lengths, default=0) > count or (not self.single.trouble and lengths - {count}):
            self.single.trouble = f"found {max(lengths)} pairs where exactmatch found {count}"
            self.runs.clear()
        for run in self.runs:
            run.extend([None] * (count - len(run)))


def environments(work: Path) -> dict[str, Environment]:
    """Return the environments of the tools, by their names."""
    checkout, ours = str(HERE.parent), ("exactmatch",)
    compiled = Environment(
        work / "exactmatch", checkout, ("exactmatch", "penman"), kernel="compiled"
    )
    return {
        OURS: compiled,
        INTERPRETED: Environment(work / "interpreted", checkout, ours, _PURE, "interpreted"),
        PARSING: compiled,
        SMATCH: Environment(work / "smatch", "smatch==1.0.4", ("smatch",)),
        SMATCHPP: Environment(work / "smatchpp", "smatchpp==1.8.0", ("smatchpp", "mip")),
    }


def tools(where: Mapping[str, Environment], files: Sequence[str], results: Path) -> list[Tool]:
    """Return all tools, ours first, set on two *files*; pairs are written into *results*."""
    score = ["score", *files, "--profile", "smatch-1.0.4", "--timeout", "10"]
    sides = ["-a", files[0], "-b", files[1]]
    kinds = ["-solver", "ilp", "-graph_type", "generic", "-score_type", "micro"]
    smatch = where[SMATCH].program("smatch.py")
    whole = {
        OURS: [where[OURS].program("exactmatch"), *score],
        INTERPRETED: [where[INTERPRETED].program("exactmatch"), *score],
        PARSING: [where[PARSING].program("python"), str(HERE / "run_penman.py"), *files],
        SMATCH: [where[SMATCH].program("python"), smatch, "-f", *files],
        SMATCHPP: [where[SMATCHPP].program("python"), "-m", "smatchpp", *sides, *kinds],
    }
    runners = {
        OURS: "run_exactmatch.py",
        INTERPRETED: "run_exactmatch.py",
        SMATCH: "run_smatch.py",
        SMATCHPP: "run_smatchpp.py",
    }
    found = []
    for name, words in whole.items():
        pairs = results / f"{name}.jsonl"
        single = None
        if name in runners:
            runner = str(HERE / runners[name])
            single = Command([where[name].program("python"), runner, *files, str(pairs)])
        found.append(Tool(name, Command(words), single, pairs))
    return found


def read_pairs(path: Path) -> list[Pair | None]:
    """Read the file that a runner wrote, one JSON object per line and pair."""
    complete = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [read_pair(json.loads(line)) for line in complete]


def read_pair(record: Mapping[str, Any]) -> Pair | None:
    """Read a runner's output for one pair; after an error, it has no score."""
    if "error" in record:
        return None
    return Pair(
        matched=record["matched"],
        system_total=record["system_total"],
        gold_total=record["gold_total"],
        seconds=Seconds(record["wall"], record["cpu"]),
        upper=record.get("upper", record["matched"]),
    )
