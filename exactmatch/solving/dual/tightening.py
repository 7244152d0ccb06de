"""Lower a bound by cliques where shares alone cannot.

Of terms and pairs that exclude each other, a mapping holds one at most; the relaxation may hold a
half of each of three, as long as no variable is in all of them. Such *cliques* are looked for in
the averaged primal. Their multipliers take steps together with the shares
(`exactmatch.solving.dual.clique_rows`), and more are looked for, a few times. In the end the
multipliers are rounded and taken from the weights: what is left is a problem like any other, for
which there are descents, cases, and cliques again.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from exactmatch.problem import Pair
from exactmatch.problem.clique_search import CliqueMembers
from exactmatch.problem.integers import integers
from exactmatch.problem.proof import Clique
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.descent import Descent, DualStart, Incumbent
from exactmatch.solving.dual.kernel import LARGEST_TOTAL

#: A whole member in the averaged primal.
_ONE = 1 << 10

#: Multipliers are rounded to what is as many units of shares, or cliques are left alone.
_LEAST_SCALE = 64


class Tightened(NamedTuple):
    """Cliques, the unit of their multipliers, and descents with and without them."""

    cliques: list[Clique]
    unit: int
    left: Descent
    rest: Descent


def suits_cliques(rest: Descent, budgets: DualBudgets) -> bool:
    """Tell whether weights are small enough for multipliers in parts of a triple.

    Huge ones leave too few units of shares to a triple, or are too large, in units of multipliers,
    for arrays of 64 bits.
    """
    unit = _unit(rest, budgets)
    is_huge = 2 * unit * rest.relaxation.total >= LARGEST_TOTAL
    return not is_huge and rest.scale >= _LEAST_SCALE * unit


def tightened(rest: Descent, incumbent: Incumbent, budgets: DualBudgets) -> Tightened:
    """Return *rest*, which suits cliques, with its bound lowered by those that do so, if any.

    Raises `OutOfTime` if its deadline comes first.
    """
    tightening = _Tightening(rest, incumbent, budgets)
    tightening.run_with_cliques()
    unit = _unit(rest, budgets)
    cliques, left = tightening.without_cliques(unit)
    return Tightened(cliques, unit, left, rest) if cliques else Tightened([], 1, rest, rest)


def members_of(relaxation: Any) -> CliqueMembers:
    """Return the terms and candidates of *relaxation*.

    The number of a term is its position there, and that of candidate c is ``-1 - c``.
    """
    candidates = relaxation.candidates
    pairs: dict[int, tuple[Pair, ...]] = {-1 - c: (pair,) for c, pair in enumerate(candidates)}
    start = relaxation.whole.arrays.start
    held = [candidates[c] for c in relaxation.by_term(relaxation.holder)]
    end = 0
    for t, number in enumerate(relaxation.term_of):
        first, end = end, end + start[number + 1] - start[number]
        pairs[t] = tuple(held[first:end])
    return CliqueMembers(pairs)


def _unit(rest: Descent, budgets: DualBudgets) -> int:
    """Return how many units of multipliers there are to one of weights in *rest*."""
    return max(1, budgets.cliques.unit // rest.relaxation.unit)


class _Tightening(Descent):
    """A descent of *rest* in which multipliers of cliques are a part of the bound."""

    def __init__(self, rest: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
        self._rows: Any = None
        self._multipliers: Any = None
        super().__init__(
            rest.relaxation,
            incumbent,
            rest.deadline,
            start=DualStart(rest.scale, rest.shares, None),
            budgets=budgets,
        )
        self._members = members_of(self.relaxation)
        self._cliques: list[list[int]] = []
        self._take_steps_with([], [])

    def run_with_cliques(self) -> None:
        """Lower the bound, and look for cliques, until it is closed or there are no more."""
        budgets = self._budgets.cliques
        self.set_pace(budgets.pace)
        self.run(budgets.iterations, searches=False)
        for _ in range(budgets.rounds):
            if self.is_closed or not self._find_cliques():
                return
            self.set_pace(budgets.pace)
            self.run(budgets.iterations, searches=False)

    def without_cliques(self, unit: int) -> tuple[list[Clique], Descent]:
        """Return the cliques, in units of 1 / *unit*, and a descent of the rest."""
        times = self.scale // unit
        self._restore()
        rounded = [(each + times // 2) // times for each in self._multipliers]
        self._rows.set_multipliers([times * each for each in rounded])
        pairs = self._members.pairs
        cliques: list[Clique] = [
            (multiplier, tuple(sorted(pairs[member] for member in clique)))
            for multiplier, clique in zip(rounded, self._cliques, strict=True)
            if multiplier
        ]
        relaxation = self.relaxation.reweighted(
            own=integers([each // times for each in self._dual.own_in_place]),
            weight=self._rows.weights_left(times),
            unit=unit,
            charged=sum(rounded),
            sets=(pairs for _, sets in cliques for pairs in sets),
        )
        left = Descent(
            relaxation,
            self._incumbent,
            self.deadline,
            start=DualStart(times, self._dual.shares(), self._subgradient().frequencies()),
            budgets=self._budgets,
        )
        return cliques, left

    def _find_cliques(self) -> bool:
        """Add cliques that the averaged primal violates; tell if there are new ones."""
        budgets = self._budgets.cliques
        present = {
            member: part
            for member in self._members.pairs
            if budgets.margin <= (part := self._rows.present(member)) <= _ONE - budgets.margin
        }
        known = {tuple(clique) for clique in self._cliques}
        violated = self._members.violated(present, budgets, self.deadline)
        found = dict.fromkeys(map(tuple, violated))
        new = [list(clique) for clique in found if clique not in known]
        if new:
            multipliers = [*self._multipliers, *([0] * len(new))]
            self._take_steps_with(self._cliques + new, multipliers)
        return bool(new)

    def _take_steps_with(self, cliques: list[list[int]], multipliers: Sequence[int]) -> None:
        """Continue from the best bound so far with *cliques* and their multipliers."""
        steps = self._subgradient()
        rows = self.relaxation.clique_rows(self._dual, steps.averages, cliques)
        if self._rows is not None:
            self._rows.hand_over_to(rows)
        self._cliques, self._multipliers = cliques, multipliers
        self._rows = steps.rows = rows
        self._restore()

    def _evaluate(self) -> int:
        bound = super()._evaluate()
        return bound if self._rows is None else bound + int(self._rows.total())

    def _keep(self, bound: int) -> None:
        super()._keep(bound)
        if self._rows is not None:
            self._multipliers = self._rows.multipliers()

    def _restore(self) -> None:
        if self._rows is not None:
            self._rows.set_multipliers(self._multipliers)
        super()._restore()
