"""Faulty solvers; a process of solvers that imports this module has them."""

import os
import sys
import time
from typing import Any

import exactmatch.encodings as registry
from exactmatch.encodings.base import Outcome
from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem

NAMES = ("sleeps", "hoards", "dies", "fails", "prints", "answers")


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
        elif self.name == "dies":
            os._exit(3)
        elif self.name == "fails":
            raise VerificationError("it fails")
        elif self.name == "prints":
            os.write(1, b"to standard output")
            print("to standard error", file=sys.stderr)
        return Outcome(os.getpid(), problem.n_left, dict(options["hint"]))


for name in NAMES:
    registry._PLACES[name] = ("odd", "")
usual = registry.get_encoding
registry.get_encoding = lambda name: Odd(name) if name in NAMES else usual(name)
