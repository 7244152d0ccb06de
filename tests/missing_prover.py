"""A machine whose solver of linear relaxations does not load."""

import pytest

from exactmatch.encodings import PROVER
from exactmatch.errors import SolverError
from exactmatch.solving import solver_process


def without_relaxations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the solver of linear relaxations be missing, in this process."""
    usual = solver_process.get_solver

    def missing(name, memory=None):  # type: ignore[no-untyped-def]
        if name == PROVER:
            raise SolverError("there is none")
        return usual(name, memory)

    monkeypatch.setattr(solver_process, "get_solver", missing)
