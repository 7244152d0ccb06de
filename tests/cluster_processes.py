"""A Dask cluster of real processes for tests, and tasks for its workers."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from started_processes import kill_group

if TYPE_CHECKING:
    import distributed

#: Tells who works, and works a little.
WHO = "(__import__('time').sleep(0.05), __import__('os').getpid())[1]"


def until(path: Path) -> str:
    """Return code that waits for a file; a minute at most, should an interrupt not be heard.

    Dask does not end what a worker is at, and may give it more to do all the same.
    """
    is_there = f"__import__('os').path.exists({str(path)!r})"
    return f"any({is_there} or __import__('time').sleep(0.05) for _ in range(1200))"


class Processes:
    """A scheduler, and workers of one thread, in *folder*."""

    scheduler: "subprocess.Popen[bytes]"
    workers: "subprocess.Popen[bytes]"

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []

    def begin(self) -> None:
        """Start both, unless they are there."""
        if self._started and self.scheduler.poll() is None and self.workers.poll() is None:
            return
        self.end()
        self.scheduler = self._start("scheduler", "--port", "0", "--host", "127.0.0.1")
        end = time.monotonic() + 60
        while not self.file.exists():
            assert self.scheduler.poll() is None and time.monotonic() < end
            time.sleep(0.05)
        self.workers = self.add(2)

    def add(self, number: int, *more: str, **settings: str) -> "subprocess.Popen[bytes]":
        """Start workers, with more words of the command and more variables of the environment."""
        here = str(self.file.parent)
        words = (f"--nworkers={number}", "--nthreads=1", "--local-directory", here, *more)
        return self._start("worker", *words, **settings)

    def client(self) -> "distributed.Client":
        import distributed

        return distributed.Client(scheduler_file=self.file, set_as_default=False)

    def end(self) -> None:
        for process in reversed(self._started):
            kill_group(process)
        self._started.clear()
        self.file.unlink(missing_ok=True)

    def _start(self, *words: str, **more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
        command += ["--scheduler-file", str(self.file)]
        settings = {
            # A block that two workers die of is given up; usually, four have to.
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
            # Workers are forked from a process that has imported Dask once, for all of them.
            "DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "forkserver",
        }
        with (self._folder / f"{words[0]}.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                env=os.environ | settings | more,
                cwd=self._folder,
                start_new_session=True,
            )
        self._started.append(process)
        return process
