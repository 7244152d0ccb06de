"""Branch and bound: cases of a problem that the dual bound alone does not decide.

*Reduced-cost fixing*: a mapping with a candidate that the assignment would have to be bent for
falls short of the bound by the cost of that. If it then does not score more than is asked for, the
candidate is out, and what is left is smaller.

*Branching*: every mapping holds a candidate, and then none of its rivals, or does not hold it.
Bounds for both cases make a bound for all mappings; each is the dual again, with what is ruled out
banned.
"""

from exactmatch.problem.proof import Branch, Fixing, Node
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branching import Branching, rivals
from exactmatch.solving.dual.descent import Descent, Incumbent


class CaseTree:
    """Depth first, the case with the pair before the one without.

    It gives up after *most_cases*; *n_candidates* are tried before each branch.
    Raises `OutOfTime` if the deadline of the relaxation comes first.
    """

    def __init__(
        self,
        incumbent: Incumbent,
        budgets: DualBudgets,
        branching: Branching,
        most_cases: int,
        n_candidates: int,
    ) -> None:
        self.cases = 0
        self._incumbent = incumbent
        self._budgets = budgets
        self._branching = branching
        self._most_cases = most_cases
        self._n_candidates = n_candidates
        self._depth = 0
        self._shares_left = budgets.most_shares

    def prove_rest(self, rest: Descent) -> Node | None:
        """Return a proof that *rest* holds nothing that is asked for, None if it is given up."""
        rest.converge(self._budgets.rest_iterations)
        return rest.leaf() if rest.is_closed else self._go_on(rest)

    def _prove_case(self, case: Descent) -> Node | None:
        case.run(self._budgets.case_iterations)
        return case.leaf() if case.is_closed else self._go_on(case)

    def _go_on(self, case: Descent) -> Node | None:
        """Return a proof for a case that its dual leaves open, None if it is given up."""
        case.deadline.check()
        fixed = case.fixed()
        if len(fixed) < self._budgets.least_fixed * len(case.relaxation.candidates):
            return self._branch(case)
        score = self._incumbent.threshold
        rest = self.prove_rest(case.without(fixed))
        return rest and Fixing(case.leaf(), score, fixed, rest)

    def _branch(self, case: Descent) -> Branch | None:
        self._shares_left -= 2 * len(case.shares)
        if not self._may_branch():
            return None
        pair = self._branching.pair(case, self._n_candidates)
        if pair is None:
            return None
        self.cases += 2
        self._depth += 1
        candidates = case.relaxation.candidates
        with_pair = self._prove_case(case.case(rivals(candidates, pair)))
        without_pair = with_pair and self._prove_case(case.case({candidates.index(pair)}))
        self._depth -= 1
        if with_pair is None or without_pair is None:
            return None
        return Branch(pair, with_pair, without_pair)

    def _may_branch(self) -> bool:
        is_small = self.cases < self._most_cases and self._shares_left >= 0
        return is_small and self._depth < self._budgets.deepest
