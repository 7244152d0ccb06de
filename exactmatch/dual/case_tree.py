"""Branch and bound: cases of a problem that the dual bound alone does not decide.

*Reduced-cost fixing*: a mapping with a candidate that the assignment would have to be bent for
falls short of the bound by the cost of that. If it then does not score more than is asked for, the
candidate is out, and what is left is smaller.

*Branching*: every mapping holds a candidate, and then none of its rivals, or does not hold it.
Bounds for both cases make a bound for all mappings; each is the dual again, with what is ruled out
banned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest

from exactmatch.dual.budgets import DualBudgets
from exactmatch.dual.descent import Descent, Incumbent
from exactmatch.problem import Pair
from exactmatch.proof import Branch, Fixing, Node

#: Candidates looked at between two looks at the clock.
_INTERVAL = 256


@dataclass(frozen=True, slots=True)
class _Trial:
    """The two cases of a candidate after a few iterations; *merit* is higher for smaller gaps."""

    merit: int
    candidate: int
    with_pair: Descent
    without_pair: Descent


class CaseTree:
    """Depth first, the case with the pair before the one without.

    It gives up after *most_cases*; *n_candidates* are tried before each branch.
    Raises `OutOfTime` if the deadline of the relaxation comes first.
    """

    def __init__(
        self, incumbent: Incumbent, budgets: DualBudgets, most_cases: int, n_candidates: int
    ) -> None:
        self.cases = 0
        self._budgets = budgets
        self._most_cases = most_cases
        self._n_candidates = n_candidates
        self._depth = 0
        self._incumbent = incumbent
        self._shares_left = budgets.most_shares

    def prove(self, case: Descent, iterations: int) -> Node | None:
        """Return a proof that *case* holds nothing that is asked for, None if it is given up."""
        case.run(iterations)
        return case.leaf() if case.is_closed else self.go_on(case)

    def go_on(self, case: Descent) -> Node | None:
        """Return a proof for a case that its dual leaves open, None if it is given up."""
        case.deadline.check()
        fixed = case.fixed()
        if len(fixed) < self._budgets.least_fixed * len(case.relaxation.candidates):
            return self._branch(case)
        score = self._incumbent.threshold
        rest = self.prove(case.without(fixed), self._budgets.root_iterations)
        return rest and Fixing(case.leaf(), score, fixed, rest)

    def _branch(self, case: Descent) -> Branch | None:
        self._shares_left -= 2 * len(case.shares)
        if not self._may_branch():
            return None
        rivals = _Rivals(case.relaxation.candidates)
        candidates = _branching_candidates(case, rivals, self._n_candidates)
        trials = [self._try(case, c, rivals.of(c)) for c in candidates]
        if not trials:
            return None
        self.cases += 2
        self._depth += 1
        best = max(trials, key=lambda trial: trial.merit)
        del trials  # they take much memory
        with_pair = self.prove(best.with_pair, self._budgets.case_iterations)
        without_pair = with_pair and self.prove(best.without_pair, self._budgets.case_iterations)
        self._depth -= 1
        if with_pair is None or without_pair is None:
            return None
        return Branch(case.relaxation.candidates[best.candidate], with_pair, without_pair)

    def _may_branch(self) -> bool:
        is_small = self.cases < self._most_cases and self._shares_left >= 0
        return is_small and self._depth < self._budgets.deepest

    def _try(self, case: Descent, candidate: int, rivals: set[int]) -> _Trial:
        """Begin with both cases of *candidate*, to see how far the bound sinks."""
        cases = []
        for banned in (rivals, {candidate}):
            child = Descent(
                case.relaxation,
                self._incumbent,
                case.deadline,
                scale=case.scale,
                shares=case.shares,
                banned=case.banned | banned,
                budgets=self._budgets,
            )
            child.run(self._budgets.trial_iterations, searches=False)
            cases.append(child)
        smaller, larger = sorted(child.gap() for child in cases)
        return _Trial(-(self._budgets.farther * larger + smaller), candidate, *cases)


class _Rivals:
    """The candidates that share a variable with another one."""

    def __init__(self, candidates: Sequence[Pair]) -> None:
        self._candidates = candidates
        self._by_left: dict[int, set[int]] = {}
        self._by_right: dict[int, set[int]] = {}
        for c, (left, right) in enumerate(candidates):
            self._by_left.setdefault(left, set()).add(c)
            self._by_right.setdefault(right, set()).add(c)

    def of(self, candidate: int) -> set[int]:
        """Return the rivals of *candidate*."""
        left, right = self._candidates[candidate]
        return (self._by_left[left] | self._by_right[right]) - {candidate}


def _branching_candidates(case: Descent, rivals: _Rivals, number: int) -> list[int]:
    """Return the *number* undecided candidates that are most fractional in the averaged primal."""
    undecided = []
    for c in range(len(case.relaxation.candidates)):
        if c % _INTERVAL == _INTERVAL - 1:
            case.deadline.check()
        if c not in case.banned and not rivals.of(c) <= case.banned:
            undecided.append((-case.fractionality(c), c))
    return [c for _, c in nsmallest(number, undecided)]
