"""Build the checker that is proven in Coq, and find the programs that this needs."""

import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple


class Proven(NamedTuple):
    """The program, and the output of Coq during its proof."""

    program: Path
    printed: str


@cache
def is_there() -> bool:
    """Tell whether Coq, and OCaml with Zarith, are installed."""
    if not (shutil.which("coqc") and shutil.which("ocamlfind")):
        return False
    return not subprocess.run(["ocamlfind", "query", "zarith"], capture_output=True).returncode


def build(folder: Path) -> Proven:
    """Prove and make the program in *folder*."""
    script = files("exactmatch.certificate") / "coq" / "build"
    run = subprocess.run(["sh", str(script), str(folder)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return Proven(folder / "exactmatch-coqcheck", run.stdout)


def built_once(shared: Path) -> Proven:
    """Prove and make the program in the folder *shared*, unless another process has done so."""
    import fcntl

    folder, printed = shared / "coq", shared / "coq.printed"
    with (shared / "coq.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if printed.exists():
            return Proven(folder / "exactmatch-coqcheck", printed.read_text(encoding="utf-8"))
        proven = build(folder)
        printed.write_text(proven.printed, encoding="utf-8")
        return proven
