"""The settings of a solution: its method and solver, and their limits."""

from collections.abc import Sequence
from typing import NamedTuple

from exactmatch.encodings import NAMES
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.names import AUTO, EXACT, usually_given
from exactmatch.solving.search.methods import Starts
from exactmatch.stopping.deadline import NEVER, Deadline

_USUAL = Budgets()


class SolverSettings(NamedTuple):
    """The settings of `exactmatch.solving.strategy.solve`.

    method: `EXACT` or a heuristic. starts: the mappings that heuristics start from.
    solver: one of `SOLVERS`, for the exact method only.
    given: the parts of `GIVEN` that a solver in `NAMES` receives; None is the usual ones.
    certify: whether the dual proves as much as it can besides any other solver.
    seed: of random choices.
    deadline, memory: the end of the work, and the bytes that it may take; None is no limit.
    budgets: limits that do not depend on the clock.
    """

    method: str = EXACT
    starts: Starts = "all"
    solver: str = AUTO
    given: Sequence[str] | None = None
    certify: bool = False
    seed: int = 0
    deadline: Deadline = NEVER
    memory: int | None = None
    budgets: Budgets = _USUAL

    @property
    def is_by_name(self) -> bool:
        """Whether one solver alone has to find the result."""
        return self.method == EXACT and self.solver in NAMES

    def may_use(self, part: str) -> bool:
        """Tell whether the result may rest on a part of `GIVEN`."""
        parts = usually_given(self.solver) if self.given is None else self.given
        return part in parts or not self.is_by_name
