"""Lowering the dual bound and raising the best mapping until they meet.

First sweeps, then subgradient steps with a sweep among every few of them. Steps aim a quarter above
the score of the best mapping: a bound below that score plus 1 is enough, and a bound aimed right at
it would creep up to it and never cross.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactmatch.deadline import Deadline
from exactmatch.dual.integers import largest_scale
from exactmatch.dual.layout import Relaxation
from exactmatch.proof import Leaf

_SCALE = 1 << 16
_SWEEPS = 10
#: And so many where another dual has been before.
_SWEEPS_AGAIN = 4
#: Of the iterations that follow, one in so many is a sweep, the others are steps.
_SWEEP_EVERY = 10
#: Of all iterations, one in so many assigns again, and one in so many inserts, which takes longer;
#: and one at the beginning, since it often ends there.
_ASSIGN_EVERY = 4
_INSERT_EVERY = 16
_INSERT_EARLY = 8
#: After so many iterations without progress, the steps become half as long; when they have become
#: so many times, the bound will hardly sink any more.
_PATIENCE = 10
_MOST_HALVINGS = 12
_NEVER = Deadline()


@dataclass(slots=True)
class Incumbent:
    """The best mapping so far, and its score."""

    value: int = -1
    mapping: dict[int, int] = field(default_factory=dict)

    def update(self, value: int, mapping: dict[int, int]) -> None:
        """Take over a mapping that scores more."""
        self.value, self.mapping = value, mapping


def scale_for(relaxation: Relaxation) -> int:
    """Return what the numbers of a dual of *relaxation* are multiplied by, a power of 2."""
    return largest_scale(relaxation.total, _SCALE)


class Ascent:
    """One dual of a relaxation on its way down, and the mappings that it suggests.

    upper: no mapping without the *banned* candidates scores more.
    shares: the division into shares, in units of 1 / `scale`, that proves it.

    `run` raises `OutOfTime` once *deadline* has come, and everything that computes does so in the
    midst of it if that of the relaxation comes, which may be later; what was best until then
    remains.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        incumbent: Incumbent,
        deadline: Deadline = _NEVER,
        *,
        scale: int | None = None,
        shares: Any = None,
        banned: Iterable[int] = (),
    ) -> None:
        self.scale = scale or scale_for(relaxation)
        self._dual = relaxation.dual(self.scale)
        self.relaxation = relaxation
        self.deadline = deadline
        self._incumbent = incumbent
        self._rounding: Any = None
        self._sweeps = _SWEEPS if shares is None else _SWEEPS_AGAIN
        if shares is None:
            self._dual.divide_equally()
        else:
            self._dual.set_shares(shares)
        self.banned: frozenset[int] = frozenset(banned)
        self._dual.ban(self.banned)
        self._iteration = 0
        self._stalled = 0
        self._halvings = 0
        self._keep(self._evaluate())

    @property
    def upper(self) -> int:
        """The lowest bound so far."""
        return self._bound // self.scale

    @property
    def is_closed(self) -> bool:
        """Whether no mapping without the banned candidates beats the incumbent."""
        return self.upper <= self._incumbent.value

    def superfluous(self) -> frozenset[int]:
        """Return the candidates that are in no mapping that beats the incumbent."""
        self._dual.set_shares(self.shares)
        self._dual.evaluate()
        return self.banned | set(self._dual.below((self._incumbent.value + 1) * self.scale))

    def gap(self) -> int:
        """Return how far the bound is from being low enough, in units of 1 / `scale`, or 0."""
        return max(0, self._bound - (self._incumbent.value + 1) * self.scale + 1)

    def disagreement(self, candidate: int) -> int:
        """Return in how far the last few bounds disagree on the terms of *candidate*."""
        return int(self._dual.disagreement(candidate))

    def leaf(self) -> Leaf:
        """Return the proof of the lowest bound so far."""
        return Leaf(
            relaxation=self.relaxation,
            scale=self.scale,
            shares=self.shares,
            local=self._local,
            prices=self._prices,
            banned=self.banned,
        )

    def run(self, iterations: int, *, searches: bool = True) -> None:
        """Go on until it is closed or cannot become better, for so many *iterations* at most.

        searches: look for better mappings all the while.
        """
        if self._iteration == 0 and searches and not self.is_closed:
            self._round()
        for _ in range(iterations):
            if self.is_closed or not self._iterate():
                return
            self.deadline.check()
            if searches and self._iteration % _ASSIGN_EVERY == 0 and not self.is_closed:
                self._round()

    def _iterate(self) -> bool:
        """Move the shares once, and tell if that was possible."""
        self._iteration += 1
        if self._iteration <= self._sweeps or self._iteration % _SWEEP_EVERY == 0:
            self._dual.sweep(self._iteration % 2 == 0)
        else:
            target = self._incumbent.value * self.scale + self.scale // 4
            excess = max(1, self._bound - target)
            if self._halvings > _MOST_HALVINGS or not self._dual.step(excess, self._halvings):
                return False
        self._take_stock()
        return True

    def _evaluate(self) -> int:
        """Return the bound of the shares as they are, scaled, and note the mapping behind it."""
        bound: int = self._dual.evaluate()
        value = self._dual.value()
        if value > self._incumbent.value:
            self._incumbent.update(value, _mapping(self.relaxation, self._dual.selected))
        return bound

    def _take_stock(self) -> None:
        """Keep the shares if their bound is the best so far; see if there is any progress."""
        bound = self._evaluate()
        gap = self._bound - self._incumbent.value * self.scale
        if bound < self._bound - gap // 64:
            self._stalled = 0
        if bound < self._bound:
            self._keep(bound)
        else:
            self._stalled += 1
        if self._stalled >= _PATIENCE:
            self._stalled = 0
            self._halvings += 1
            self._dual.set_shares(self.shares)

    def _keep(self, bound: int) -> None:
        """Keep the shares, whose bound has just been computed, and the prices that prove it."""
        self._bound = bound
        self.shares = self._dual.shares()
        self._prices = self._dual.prices()
        self._local = self._dual.local_prices()

    def _round(self) -> None:
        """Make a mapping of the assignment behind the bound."""
        if self._rounding is None:
            self._rounding = self.relaxation.rounding()
        rounding = self._rounding
        rounding.start(self._dual.selected)
        rounding.assign_again()
        if self._iteration % _INSERT_EVERY == 0 or self._iteration == _INSERT_EARLY:
            rounding.insert()
        if rounding.value() > self._incumbent.value:
            mapping = _mapping(self.relaxation, rounding.chosen())
            self._incumbent.update(rounding.value(), mapping)


def _mapping(relaxation: Relaxation, chosen: Sequence[int]) -> dict[int, int]:
    """Return the mapping of the candidates that are *chosen*."""
    return dict(pair for pair, flag in zip(relaxation.candidates, chosen, strict=True) if flag)
