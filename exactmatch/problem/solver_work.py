"""What a solver was given with a problem, and what it found by itself."""

from typing import NamedTuple


class Own(NamedTuple):
    """What a solver found by itself, whatever it was given: None is nothing.

    lower: the score of its best mapping, which may be the one it was given to start from.
    upper: the least bound that it has shown.
    lower_seconds, upper_seconds: when it knew them, from the beginning of its work.
    """

    lower: int | None = None
    upper: int | None = None
    lower_seconds: float | None = None
    upper_seconds: float | None = None

    def plus(self, gained: int) -> "Own":
        """Return the same of a problem that scores so much more."""
        return self._replace(
            lower=None if self.lower is None else self.lower + gained,
            upper=None if self.upper is None else self.upper + gained,
        )


class SolverWork(NamedTuple):
    """Who did what of a result that a solver was asked for by name.

    terms: so many the presolve has left. start: the score of the mapping to start from.
    bound: that no mapping scores more. None where it was not given that.
    asked: the solver was called at all; not where the presolve leaves nothing, the start meets the
        bound, or there is no time or memory.
    own: what it found then.
    """

    terms: int | None = None
    start: int | None = None
    bound: int | None = None
    asked: bool = False
    own: Own = Own()
