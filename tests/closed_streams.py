"""Run commands of exactmatch with some standard streams closed, each in a fork of this process.

It reads a JSON list of [words, closed descriptors] from the file that is its argument, runs each in
a new folder ``NUMBER`` beside that file, in which ``..`` has the inputs, and leaves there what the
command has written, with ``stdout``, ``stderr`` and ``status``. A fork has loaded all modules of
the package, so a command takes a tenth of the time of a new process; SciPy, which few use, it loads
itself.
"""

import gc
import json
import os
import pkgutil
import sys
from importlib import import_module
from pathlib import Path

#: The program itself, and solvers, which processes of their own load.
_NOT_LOADED = ("exactmatch.__main__", "exactmatch.encodings")


def run(words: list[str], closed: list[int]) -> None:
    """Run a command in this process, which ends with it, as Python would start with its streams."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        file = os.open(name, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    for number in closed:
        os.close(number)
        setattr(sys, ("stdin", "stdout", "stderr")[number], None)
    sys.argv[1:] = words
    from exactmatch.__main__ import run as run_command

    run_command()


def main(cases: Path) -> None:
    """Run all cases, one after the other."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    import exactmatch

    ours = pkgutil.walk_packages(exactmatch.__path__, "exactmatch.")
    names = [module.name for module in ours if not module.name.startswith(_NOT_LOADED)]
    # Modules are loaded without streams, too.
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = sys.stdout = sys.stderr = None
    for name in names:
        import_module(name)
    sys.stdin, sys.stdout, sys.stderr = streams
    gc.freeze()  # forks share what is loaded
    for number, (words, closed) in enumerate(json.loads(cases.read_text(encoding="utf-8"))):
        folder = cases.parent / str(number)
        folder.mkdir()
        process = os.fork()
        if process == 0:
            os.chdir(folder)
            run(words, closed)
        _, status = os.waitpid(process, 0)
        (folder / "status").write_text(str(os.waitstatus_to_exitcode(status)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
