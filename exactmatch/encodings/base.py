"""The interface of an encoding of the matching problem for a solver."""

import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from exactmatch.problem import Mapping, MatchingProblem, Pair
from exactmatch.problem.solver_work import Own
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: Up to so many terms, MaxSAT solves its plain formula; beyond, it needs the linear relaxation.
PLAIN_TERMS = 500


class OutOfMemory(Exception):  # noqa: N818
    """A solver would have taken more memory than it may."""


class NotLoaded(OutOfTime):
    """The time for all pairs ended while a solver was still being loaded."""


class NeverLoaded(NotLoaded):
    """A solver was being loaded for so long that nobody waits for it any more."""


class OwnWork:
    """A record of what a solver finds by itself, and when, beginning with its creation."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self.own = Own()

    def found(self, lower: int) -> None:
        """Record the score of a mapping that the solver has found."""
        if self.own.lower is None or lower > self.own.lower:
            self.own = self.own._replace(lower=lower, lower_seconds=self._seconds())

    def bounded(self, upper: int) -> None:
        """Record a bound that the solver has shown."""
        if self.own.upper is None or upper < self.own.upper:
            self.own = self.own._replace(upper=upper, upper_seconds=self._seconds())

    def _seconds(self) -> float:
        return time.monotonic() - self._start


class Weighed(NamedTuple):
    """A clique: sets of pairs, in order, of which a mapping holds one at most; in triples."""

    multiplier: float
    sets: tuple[tuple[Pair, ...], ...]


class Bounded(NamedTuple):
    """A case whose bound is shown by *shares*: of all terms of several pairs, in order.

    They are in triples, and nearly add up to the weight of each term, or to more, once it has lost
    the multipliers of the *cliques* that contain it.
    """

    shares: Sequence[float]
    cliques: Sequence[Weighed] = ()


class Split(NamedTuple):
    """Two cases: mappings with *pair*, and mappings without it."""

    pair: Pair
    with_pair: "Tree"
    without_pair: "Tree"


Tree = Bounded | Split


class Outcome(NamedTuple):
    """The result: a mapping of score *lower*, and the upper bound of all mappings.

    Both may be what the solver received; *own* is what it found itself. *tree* is advice for a
    proof that no mapping scores more, if the solver has any.
    """

    lower: int
    upper: int
    mapping: dict[int, int]
    own: Own = Own()
    tree: Tree | None = None


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

        *hint* is a mapping to start from, *upper* a proven bound; an empty mapping and the sum of
        all weights stand for no information. The outcome is never worse than either. Raises
        `OutOfTime` if the deadline comes before the solver is started, and `VerificationError` if
        the solver contradicts itself.
        """
        ...
