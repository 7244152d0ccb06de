"""Lower the dual bound and raise the best mapping until they meet.

First sweeps, then subgradient steps with a sweep among every few of them. Steps aim a quarter above
the score of the best mapping: a bound below that score plus 1 is enough, and a bound aimed right at
it would creep up to it and never cross.
"""

import sys
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from exactmatch.problem.integers import integers
from exactmatch.problem.proof import Leaf
from exactmatch.solving.budgets import DualBudgets, Pace
from exactmatch.solving.dual.kernel import LARGEST_TOTAL, largest_scale
from exactmatch.solving.dual.layout import Relaxation
from exactmatch.stopping.deadline import Deadline, OutOfTime

_SCALE = 1 << 16
#: One of so many searches begins with the empty mapping.
_FROM_NOTHING = 3
_NEVER = Deadline()
_USUAL = DualBudgets()


class Incumbent:
    """The best mapping so far, and its score; scores of *least* or less are of no interest.

    steps: iterations of all descents that look for it. work: the shares and candidates that these
        descents have evaluated; beyond *most_work*, they stop.
    """

    __slots__ = ("least", "mapping", "most_work", "steps", "value", "work")

    def __init__(
        self, value: int = -1, mapping: dict[int, int] | None = None, least: int = -1
    ) -> None:
        self.value = value
        self.mapping = {} if mapping is None else mapping
        self.least = least
        self.steps = self.work = 0
        self.most_work = sys.maxsize

    @property
    def threshold(self) -> int:
        """The score that a bound has to fall to."""
        return max(self.value, self.least)

    def update(self, value: int, mapping: dict[int, int]) -> None:
        """Keep a mapping that scores more."""
        self.value, self.mapping = value, mapping


def scale_for(relaxation: Relaxation) -> int:
    """Return the scale of the numbers in a dual of *relaxation*, a power of 2."""
    return largest_scale(relaxation.total, _SCALE)


class DualStart(NamedTuple):
    """Where a descent starts: from the shares of another one.

    scale: that of the shares. frequencies: how often steps chose each candidate; None if steps
        begin anew.
    """

    scale: int
    shares: Any
    frequencies: Any


class Descent:
    """A dual of a relaxation that is being lowered, and the mappings that it suggests.

    upper: no mapping without the *banned* candidates scores more.
    shares: the division into shares, in units of 1 / `scale`, that proves it.
    size: the shares and candidates of *relaxation*, all of which an evaluation looks at.

    `run` raises `OutOfTime` when *deadline* has come or the steps of *budgets* are used up. Every
    computation also raises it when the deadline of the relaxation comes, which may be later. The
    best results until then remain.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        incumbent: Incumbent,
        deadline: Deadline = _NEVER,
        *,
        start: DualStart | None = None,
        banned: Iterable[int] = (),
        budgets: DualBudgets = _USUAL,
    ) -> None:
        self.scale = scale_for(relaxation) if start is None else start.scale
        self._dual = relaxation.dual(self.scale)
        self.relaxation = relaxation
        self.size = len(relaxation.own) + len(relaxation.ring)
        self.deadline = deadline
        self._incumbent = incumbent
        self._budgets = budgets
        self._primal_heuristic: Any = None
        self._sweeps = budgets.sweeps if start is None else budgets.sweeps_again
        self._pace = budgets.quick if start is None else budgets.nearby
        if start is None:
            self._dual.divide_equally()
        else:
            self._dual.set_shares(start.shares)
        self._steps: Any = None
        self._earlier_frequencies = None if start is None else start.frequencies
        self.banned: frozenset[int] = frozenset(banned)
        self._dual.ban(self.banned)
        self._iteration = 0
        self._stalled = 0
        self._halvings = self._pace.halvings
        self._keep(self._evaluate())

    def _subgradient(self) -> Any:
        """Return what takes steps; most pairs need none."""
        if self._steps is None:
            self._steps = self.relaxation.subgradient(self._dual)
            if self._earlier_frequencies is not None:
                self._steps.set_frequencies(self._earlier_frequencies)
        return self._steps

    @property
    def _triple(self) -> int:
        """The value of a score of 1 in units of the bound."""
        return self.scale * self.relaxation.unit

    @property
    def upper(self) -> int:
        """The lowest bound so far."""
        return self._bound // self.scale

    @property
    def threshold(self) -> int:
        """The score that the bound has to fall to."""
        relaxation = self.relaxation
        return relaxation.unit * (self._incumbent.threshold + 1) - relaxation.charged - 1

    @property
    def is_closed(self) -> bool:
        """Whether no mapping without the banned candidates scores more than required."""
        return self.upper <= self.threshold

    def fixed(self) -> frozenset[int]:
        """Return the candidates that are in no mapping that scores more than required.

        These are the banned ones, and others by reduced-cost fixing.
        """
        return self._out_of((self.threshold + 1) * self.scale)

    def far(self, part: int) -> frozenset[int]:
        """Return the candidates of no mapping that scores within 1 / *part* triple of the bound."""
        return self._out_of(self._bound - self._triple // part)

    def _out_of(self, wanted: int) -> frozenset[int]:
        """Return the candidates that are in no mapping of a score of *wanted* (scaled) or more."""
        self._restore()
        self._dual.evaluate()
        self._dual.concentrate(wanted)
        self._keep(self._dual.evaluate())  # the prices may be others than they were
        return self.banned | set(self._dual.fixed(wanted))

    def without(self, candidates: Collection[int], *, same_scale: bool = False) -> "Descent":
        """Return a descent for the rest of the problem, from the best shares of this one."""
        relaxation = self.relaxation.without(candidates)
        often = self._subgradient().frequencies()
        # With a smaller total, the scale may be larger, by a power of 2.
        scale = self.scale if same_scale else max(self.scale, scale_for(relaxation))
        shares = relaxation.taken_over(self.shares, self.relaxation, scale // self.scale)
        start = DualStart(scale, shares, integers([often[c] for c in relaxation.origin]))
        return Descent(
            relaxation, self._incumbent, self.deadline, start=start, budgets=self._budgets
        )

    def case(self, banned: AbstractSet[int]) -> "Descent":
        """Return a descent for the mappings without the candidates *banned*, from here."""
        return Descent(
            self.relaxation,
            self._incumbent,
            self.deadline,
            start=DualStart(self.scale, self.shares, self._subgradient().frequencies()),
            banned=self.banned | banned,
            budgets=self._budgets,
        )

    def recent(self) -> list[int]:
        """Return the candidates of the mappings that were looked at last, and of the best one."""
        if self._primal_heuristic is None:
            return []
        least = self._iteration - self._budgets.recent
        return list(self._primal_heuristic.seen_since(least, self._incumbent.mapping))

    def gap(self) -> int:
        """Return how far the bound is above the threshold, in units of 1 / `scale`, or 0."""
        return max(0, self._bound - (self.threshold + 1) * self.scale + 1)

    def fractionality(self, candidate: int) -> int:
        """Return how far *candidate* is from being always or never selected recently."""
        return int(self._subgradient().fractionality(candidate))

    def leaf(self) -> Leaf:
        """Return the proof of the lowest bound so far."""
        return Leaf(
            self.relaxation,
            self.scale,
            self.shares,
            local=self._local,
            prices=self._prices,
            banned=self.banned,
        )

    def run(self, iterations: int, *, searches: bool = True) -> None:
        """Iterate until it is closed or cannot improve, at most *iterations* times.

        searches: whether to look for better mappings as well.
        """
        for _ in range(iterations):
            if self.is_closed or not self._iterate():
                return
            self.deadline.check()
            is_due = searches and self._iteration % self._budgets.assign_every == 0
            if is_due and not self.is_closed:
                self._look_for_mapping()

    def set_pace(self, pace: Pace) -> None:
        """Continue at another pace, from the best shares so far."""
        self._pace = pace
        self._halvings = pace.halvings
        self._stalled = 0
        self._restore()
        self._evaluate()

    def converge(self, iterations: int) -> None:
        """Run at both paces, for so many *iterations* each at most, until it is closed."""
        self.run(iterations)
        if not self.is_closed:
            self.set_pace(self._budgets.slow)
            self.run(iterations)

    def spared(self) -> list[int]:
        """Return the candidates that do not raise the bound even with all weight of their terms."""
        self._restore()
        self._keep(self._dual.evaluate())
        return list(self._dual.spared(self._triple // self._budgets.margin))

    def take_back(self, inner: "Descent", spared: Iterable[int]) -> None:
        """Copy the shares of *inner*, which is this descent without the *spared* candidates.

        These candidates get their terms, and what exceeds their room goes to others by sweeps.
        """
        shares = self.shares[:]
        self.relaxation.put_back(shares, inner.relaxation, inner.shares)
        self._dual.set_shares(shares)
        self._dual.take_full_weight(spared)
        self._keep_if_lower()
        for k in range(self._budgets.core_sweeps):
            if self._bound <= inner._bound:
                return
            self._dual.sweep(k % 2 == 0)
            self._keep_if_lower()

    def _iterate(self) -> bool:
        """Move the shares once, and tell if that was possible. Raises `OutOfTime`."""
        incumbent = self._incumbent
        if incumbent.steps >= self._budgets.steps or incumbent.work >= incumbent.most_work:
            raise OutOfTime
        incumbent.steps += 1
        self._iteration += 1
        if self._iteration <= self._sweeps or self._iteration % self._pace.sweep_every == 0:
            self._dual.sweep(self._iteration % 2 == 0)
        else:
            # That is a quarter of a triple above what has been reached, rounded down.
            target = (self.threshold + 1) * self.scale - (3 * self._triple + 3) // 4
            excess = max(1, self._bound - target)
            if self._halvings > self._budgets.most_halvings:
                return False
            if not self._subgradient().step(excess, self._halvings, self._pace.memory):
                return False
        self._take_stock()
        return True

    def _evaluate(self) -> int:
        """Return the bound of the shares as they are, scaled, and note the mapping behind it."""
        bound: int = self._dual.evaluate()
        self._incumbent.work += self.size
        value = self.relaxation.value(self._dual.selected)
        if value > self._incumbent.value:
            self._incumbent.update(value, self.relaxation.mapping(self._dual.selected))
        return bound

    def _take_stock(self) -> None:
        """Keep the shares if their bound is the best so far; check the progress."""
        bound = self._evaluate()
        gap = self._bound - (self.threshold + 1) * self.scale + self._triple
        if bound < self._bound - gap // 64:
            self._stalled = 0
        if bound < self._bound:
            self._keep(bound)
        else:
            self._stalled += 1
        if self._stalled >= self._pace.patience:
            self._stalled = 0
            self._halvings += 1
            self._restore()

    def _restore(self) -> None:
        """Go back to the shares of the best bound so far."""
        self._dual.set_shares(self.shares)

    def _keep_if_lower(self) -> None:
        """Keep the shares as they are if their bound is the lowest so far."""
        bound = self._evaluate()
        if bound < self._bound:
            self._keep(bound)

    def _keep(self, bound: int) -> None:
        """Keep the shares, whose bound has just been computed, and the prices that prove it."""
        self._bound = bound
        self.shares = self._dual.shares()
        self._prices = self._dual.prices()
        self._local = self._dual.local_prices()

    def passes(self) -> int:
        """Return how long random changes pay, in passes over all shares.

        The gap is counted in relations: the units of graded metrics are small.
        """
        budgets = self._budgets
        relation = min(self.relaxation.weight, default=1)
        missing = min(budgets.most_missing, -((self._incumbent.value - self.upper) // relation))
        return budgets.shaking * missing**2

    def shake(self, shakes: int, passes: int) -> None:
        """Look for better mappings by random changes, so often, each in so many *passes*.

        Some begin with nothing, since the best mapping may be far from an optimum. Raises
        `OutOfTime` if the deadline comes first.
        """
        self.deadline.check()
        budgets = self._budgets
        if budgets.fewest * self.size > budgets.most_shaken:
            return
        heuristic = self._heuristic()
        work = min(budgets.most_shaken, passes * self.size)
        if self.relaxation.total >= LARGEST_TOTAL:
            work //= budgets.interpreted
        for seed in range(1, shakes + 1):
            if self.is_closed:
                return
            heuristic.start_from(self._incumbent.mapping if seed % _FROM_NOTHING else {})
            try:
                heuristic.shake(work, seed)
            finally:
                self._use(heuristic)

    def _heuristic(self) -> Any:
        if self._primal_heuristic is None:
            self._primal_heuristic = self.relaxation.primal_heuristic(self.deadline)
        return self._primal_heuristic

    def _look_for_mapping(self) -> None:
        """Run the primal heuristic from the assignment behind the bound."""
        heuristic, budgets = self._heuristic(), self._budgets
        heuristic.start(self._dual.selected)
        heuristic.remember(self._iteration)
        heuristic.assign_again()
        if self._iteration % budgets.insert_every == 0 or self._iteration == budgets.insert_early:
            heuristic.insert()
        heuristic.remember(self._iteration)
        self._use(heuristic)

    def _use(self, heuristic: Any) -> None:
        """Keep the mapping of *heuristic* if it is better."""
        if heuristic.value() > self._incumbent.value:
            mapping = self.relaxation.mapping(heuristic.chosen())
            self._incumbent.update(heuristic.value(), mapping)
