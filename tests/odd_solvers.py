"""Faulty solvers; a process of solvers that imports this module has them."""

import os
import sys
import time
from typing import Any

import exactmatch.encodings as registry
from exactmatch.encodings.base import Outcome
from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem
from exactmatch.stopping.deadline import OutOfTime

#: Those that misbehave while they are loaded, and those that do so later.
LOADING = ("loads slowly", "never loads", "is missing", "has no room", "dies early")
NAMES = (
    "sleeps",
    "hoards",
    "lacks memory",
    "dies",
    "fails",
    "prints",
    "answers",
    "gives up",
    *LOADING,
)
#: The seconds for which one of them is loaded.
SLOW = 2.0


class Odd:
    """A solver that misbehaves as its name says, and finds nothing."""

    def __init__(self, name: str) -> None:
        self.name = name

    def solve(self, problem: MatchingProblem, **options: Any) -> Outcome:
        """Do it."""
        if self.name == "sleeps":
            time.sleep(600)
        elif self.name == "hoards":
            kept = []
            while True:
                kept.append(b"x" * (1 << 20))
        elif self.name == "lacks memory":
            raise MemoryError
        elif self.name == "dies":
            os._exit(3)
        elif self.name == "fails":
            raise VerificationError("it fails")
        elif self.name == "gives up":
            raise OutOfTime
        elif self.name == "prints":
            os.write(1, b"to standard output")
            print("to standard error", file=sys.stderr)
        return Outcome(os.getpid(), problem.n_left, dict(options["hint"]))


for name in NAMES:
    registry._PLACES[name] = ("odd", "")
usual = registry.get_encoding
loaded: set[str] = set()


def load(name: str) -> Any:
    """Load an odd solver or, by any other name, a usual one."""
    if name == "loads slowly" and name not in loaded:
        loaded.add(name)
        time.sleep(SLOW)
    elif name == "never loads":
        time.sleep(600)
    elif name == "is missing":
        raise ModuleNotFoundError("No module named 'odd'")
    elif name == "has no room":
        raise ImportError("odd.so: failed to map segment from shared object")
    elif name == "dies early":
        os._exit(3)
    return Odd(name) if name in NAMES else usual(name)


registry.get_encoding = load
