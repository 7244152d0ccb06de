"""Check an installation: its place, its kernel, a score, and every encoding.

    python .ci/check_installed.py compiled|interpreted

The score is that of Cai and Knight (2013), section 2: of 5 and 6 triples, 4 match at most.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

import exactmatch
from exactmatch.encodings import NAMES

SYSTEM = "(x / want-01 :ARG0 (y / boy) :ARG1 (z / football))"
GOLD = "(a / want-01 :ARG0 (b / boy) :ARG1 (c / go-01 :ARG0 b))"
SOURCES = Path(__file__).resolve().parents[1] / "exactmatch"


def main(kernel: str) -> None:
    """Raise `SystemExit` with the fault, if there is one."""
    if Path(exactmatch.__file__).resolve().parent == SOURCES:
        sys.exit("these are the sources, not what is installed")
    command = Path(sysconfig.get_path("scripts"), "exactmatch")
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    print(version.stdout, end="")
    if f"({kernel} kernel)" not in version.stdout:
        sys.exit(f"this is not the {kernel} kernel")
    for solver in ("auto", *NAMES):
        result = exactmatch.score(SYSTEM, GOLD, solver=solver, top="none")
        found = (result.optimal, result.matched, result.matched_upper)
        print(f"{solver}: {result.f1:.4f}")
        if found != (1, 4, 4):
            sys.exit(f"{solver}: proven, matched, at most: {found} instead of (1, 4, 4)")


if __name__ == "__main__":
    main(*sys.argv[1:])
