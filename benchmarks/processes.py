"""Commands, run under the same conditions and timed as whole processes."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from seconds import Seconds

_NONE: Mapping[str, str] = MappingProxyType({})
_LEFT_OUT = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONPATH")


class CommandError(Exception):
    """A command that ended badly, with the reason it gave."""


class StoppedError(CommandError):
    """A command that was not finished within the time limit."""


@dataclass
class Command:
    """A command line with the times of its runs so far.

    trouble: the reason for no further runs, empty if there is none.
    stopped: whether the command was stopped, so that its only time is too short.
    """

    words: list[str]
    times: list[Seconds] = field(default_factory=list)
    trouble: str = ""
    stopped: bool = False


class Shell:
    """Runs commands with the same settings for every tool."""

    def __init__(self, work: Path, patience: float) -> None:
        """Keep all files in the folder *work*; a measured command may take *patience* seconds."""
        self.patience = patience
        temporary = work / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        # Bytecode is kept and read as it usually is, and every tool has its own environment alone.
        others = {k: v for k, v in os.environ.items() if k not in _LEFT_OUT}
        self.environment = others | {
            "OMP_NUM_THREADS": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_CACHE_DIR": str(work / "pip"),
            "PYTHONUTF8": "1",  # the rivals open files in the encoding of the locale
            "TMPDIR": str(temporary),
        }
        self.pin = pin_words()

    def run(
        self,
        words: Sequence[str],
        patience: float | None = None,
        settings: Mapping[str, str] = _NONE,
    ) -> str:
        """Run a command with *settings* added to its environment, and return its output."""
        try:
            done = subprocess.run(
                words,
                capture_output=True,
                check=False,
                encoding="utf-8",
                env={**self.environment, **settings},
                errors="replace",
                timeout=patience,
            )
        except subprocess.TimeoutExpired as error:
            raise StoppedError(f"stopped after {error.timeout:.0f} s") from error
        if done.returncode:
            lines = done.stderr.strip().split("\n")
            note("\n".join(lines[-20:]))  # a table has room for the last line only
            raise CommandError(f"exit code {done.returncode}: {lines[-1] or 'no message'}")
        return done.stdout

    def measure(self, command: Command) -> None:
        """Run a command on one core, and record its time, or the reason for a missing one."""
        start = Seconds(time.perf_counter(), _cpu_of_children())
        try:
            self.run([*self.pin, *command.words], self.patience)
        except CommandError as error:
            command.trouble = str(error)
            command.stopped = isinstance(error, StoppedError)
        passed = Seconds(time.perf_counter() - start.wall, _cpu_of_children() - start.cpu)
        if command.stopped:
            command.times = [passed]
        elif not command.trouble:
            command.times.append(passed)


def _cpu_of_children() -> float:
    """Return the CPU time of all commands that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def pin_words() -> list[str]:
    """Return the start of a command line that keeps the rest on one core, if there is one."""
    taskset = shutil.which("taskset")
    if taskset is None or sys.platform != "linux":
        return []
    return [taskset, "-c", str(min(os.sched_getaffinity(0)))]


def note(text: str) -> None:
    """Print a note for the user on standard error."""
    print(text, file=sys.stderr, flush=True)
