"""Branch and bound: cases of a problem that the dual bound alone does not decide.

*Reduced-cost fixing*: a mapping with a candidate outside the assignment falls short of the bound by
the reduced cost of the candidate. If it then cannot score more than required, the candidate is
removed, and the rest is smaller.

*Branching*: every mapping holds a candidate, and then none of its rivals, or does not hold it.
Bounds for both cases make a bound for all mappings; each is the dual again, with what is ruled out
banned.
"""

from exactmatch.problem.proof import Branch, Cliques, Fixing, Node
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branching import Branching, rivals
from exactmatch.solving.dual.descent import Descent, Incumbent
from exactmatch.solving.dual.tightening import Tightened, suits_cliques, tightened


class CaseTree:
    """Depth first, the case with the pair before the one without.

    It gives up after *most_cases*; *n_candidates* are tried before each branch. Of what fixing
    leaves, *tightenings* are lowered by cliques.
    Raises `OutOfTime` if the deadline of the relaxation comes first.
    """

    def __init__(
        self,
        incumbent: Incumbent,
        budgets: DualBudgets,
        branching: Branching,
        most_cases: int,
        n_candidates: int,
        tightenings: int,
    ) -> None:
        self.cases = 0
        self._incumbent = incumbent
        self._budgets = budgets
        self._branching = branching
        self._most_cases = most_cases
        self._n_candidates = n_candidates
        self._depth = 0
        self._tightenings = tightenings
        self._shares_left = budgets.most_shares

    def prove_rest(self, rest: Descent) -> Node | None:
        """Return a proof that *rest* holds no mapping in question; None if it is given up."""
        return self._prove(self._tighten(rest))

    def _tighten(self, rest: Descent) -> Tightened:
        """Lower the bound of *rest* as far as its dual and cliques can."""
        rest.converge(self._budgets.rest_iterations)
        if not suits_cliques(rest, self._budgets):
            self._tightenings = 0
        if rest.is_closed or self._tightenings == 0:
            return Tightened([], 1, rest, rest)
        self._tightenings -= 1
        return tightened(rest, self._incumbent, self._budgets)

    def _prove(self, tightened: Tightened) -> Node | None:
        """Return a proof that the problem after *tightened* has no mapping in question, or None."""
        cliques, unit, left, rest = tightened
        node = left.leaf() if left.is_closed else self._go_on(left, is_tight=True)
        if node is None and cliques and self._may_branch():
            # Mappings that hold no member of a clique may keep a bound by cliques too high.
            return self._go_on(rest, is_tight=True)
        return Cliques(cliques, unit, node) if node and cliques else node

    def _prove_case(self, case: Descent) -> Node | None:
        case.run(self._budgets.case_iterations)
        return case.leaf() if case.is_closed else self._go_on(case, is_tight=False)

    def _go_on(self, case: Descent, is_tight: bool) -> Node | None:
        """Return a proof for a case that its dual leaves open; None if it is given up.

        If it *is_tight*, cliques have just been searched for.
        """
        case.deadline.check()
        fixed = case.fixed()
        few = len(fixed) < self._budgets.least_fixed * len(case.relaxation.candidates)
        if few and (is_tight or self._tightenings == 0):
            return self._branch(case)
        score = case.threshold
        rest = case.without(fixed)
        self._depth += 1
        node = self._prove_tight(rest) if is_tight else self.prove_rest(rest)
        self._depth -= 1
        return node and Fixing(case.leaf(), score, fixed, node)

    def _prove_tight(self, rest: Descent) -> Node | None:
        rest.converge(self._budgets.rest_iterations)
        return rest.leaf() if rest.is_closed else self._go_on(rest, is_tight=True)

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
