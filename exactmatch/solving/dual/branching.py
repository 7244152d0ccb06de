"""Choose the pair to branch on: the one whose two cases lower the bound most.

This is tried out, with a few iterations for each case (strong branching), among the pairs that the
bound depends on. The effect of a pair is remembered, since it is similar in other cases (Benichou
et al. 1971): effective pairs are tried again first, ineffective ones are not.
"""

from collections import Counter
from collections.abc import Sequence
from heapq import nsmallest

from exactmatch.problem import Pair
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.descent import Descent


class Branching:
    """Chooses pairs to branch on, and remembers how far each has lowered the bound."""

    def __init__(self, budgets: DualBudgets) -> None:
        self._budgets = budgets
        self._merits: dict[Pair, int] = {}

    def pair(self, case: Descent, number: int) -> Pair | None:
        """Return the best of some pairs of *case*, or None if nothing is undecided.

        Half of *number* are tried at a time, until one lowers the bounds of both cases enough.
        """
        core = case.without(case.far(self._budgets.near))
        if not _undecided(core.relaxation.candidates):
            core = case.without(case.banned)
        core.run(self._budgets.trial_iterations)
        candidates = core.relaxation.candidates
        undecided = _undecided(candidates)
        best: Pair | None = candidates[undecided[0]] if undecided else None
        most = -1
        batch = max(1, number // 2)
        for k, c in enumerate(self._worth_trying(core, undecided, number)):
            if k % batch == 0 and most > core.gap():
                break
            merit = self._merits[candidates[c]] = self._merit(core, c)
            if merit > most:
                best, most = candidates[c], merit
        return best

    def _worth_trying(self, core: Descent, undecided: Sequence[int], number: int) -> list[int]:
        """Return candidates that were effective before, and then others, most fractional first."""
        candidates = core.relaxation.candidates
        merits = {c: self._merits.get(candidates[c]) for c in undecided}
        known = [(-merit, c) for c, merit in merits.items() if merit]
        fresh = [(-core.fractionality(c), c) for c, merit in merits.items() if merit is None]
        most = self._budgets.most_trials * number
        return [c for _, c in nsmallest(number // 2, known) + nsmallest(most, fresh)]

    def _merit(self, core: Descent, candidate: int) -> int:
        """Begin with both cases of *candidate*; return the decrease of their bounds, at least 0."""
        candidates = core.relaxation.candidates
        drops = []
        for banned in (rivals(candidates, candidates[candidate]), {candidate}):
            child = core.case(banned)
            child.run(self._budgets.trial_iterations, searches=False)
            drops.append(core.gap() - child.gap())
        return self._budgets.farther * min(drops) + max(drops)


def rivals(candidates: Sequence[Pair], pair: Pair) -> set[int]:
    """Return the *candidates* that share one variable with *pair*."""
    left, right = pair
    return {c for c, (i, j) in enumerate(candidates) if (i == left) != (j == right)}


def _undecided(candidates: Sequence[Pair]) -> list[int]:
    """Return the *candidates* that have rivals."""
    lefts, rights = (Counter([pair[side] for pair in candidates]) for side in (0, 1))
    return [c for c, (i, j) in enumerate(candidates) if lefts[i] > 1 or rights[j] > 1]
