"""What an encoding of the matching problem for a solver has to do."""

from typing import NamedTuple, Protocol

from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.stopping.deadline import Deadline


class Outcome(NamedTuple):
    """What a solver found: a mapping of score *lower*, and that none exceeds *upper*."""

    lower: int
    upper: int
    mapping: dict[int, int]


class Encoding(Protocol):
    """The matching problem written for one solver."""

    @property
    def name(self) -> str:
        """The name, as on the command line and in results."""
        ...

    def solve(
        self,
        problem: MatchingProblem,
        *,
        hint: Mapping,
        upper: int,
        deadline: Deadline,
        seed: int,
    ) -> Outcome:
        """Solve *problem* until optimality is proven or *deadline* has passed.

        *hint* is a mapping to start from, *upper* a proven bound. The outcome is never worse
        than either. Raises `OutOfTime` if the deadline comes before the solver is started, and
        `VerificationError` if the solver contradicts itself.
        """
        ...
