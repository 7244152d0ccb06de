"""Rule out scores level by level: no mapping scores the bound, then 1 less, and so on.

While the best known mapping is far below the bound, reduced costs rule out few candidates. But a
mapping with nearly the score of the bound has hardly any slack: under the assumption of such a
mapping, only a small problem remains. Either this problem has such a mapping, or it is proven to
have none, which lowers the bound. Each level is 1 below the one before, or lower by half of the gap
if the gap is large, since scores may be in small units.
"""

from exactmatch.problem.proof import Fixing, Node
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branching import Branching
from exactmatch.solving.dual.case_tree import CaseTree
from exactmatch.solving.dual.descent import Descent, Incumbent

#: Scores that are taken one by one.
_FEW = 8


class Levels:
    """The bound of *root*, lowered level by level.

    upper: no mapping scores more; *node* is the proof, or None if that is the root's.
    cases: how many were looked at.
    """

    def __init__(self, root: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
        self.upper = root.upper
        self.node: Node | None = None
        self.cases = 0
        self._root = root
        self._incumbent = incumbent
        self._budgets = budgets
        self._branching = Branching(budgets)

    def run(self, tree: tuple[int, int, int]) -> None:
        """Continue until the best mapping is known, or the tree of a level is given up.

        *tree* is its budget, like `DualBudgets.level_tree`.

        Raises `OutOfTime` if the deadline of the root comes first.
        """
        self.upper = self._root.upper
        while self._incumbent.value < self.upper:
            known = self._incumbent.value
            gap = self.upper - known
            least = self.upper - (1 if gap < _FEW else gap // 2)
            node = self._refuted(least, tree)
            if node is not None:
                self.node = node
                self.upper = max(least, self._incumbent.value)
            elif self._incumbent.value == known:
                return

    def _refuted(self, least: int, budget: tuple[int, int, int]) -> Node | None:
        """Return a proof that none scores more than *least* or the best known; None if given up."""
        self._incumbent.least = least
        try:
            fixed = self._root.fixed()
            score = self._incumbent.threshold
            tree = CaseTree(self._incumbent, self._budgets, self._branching, *budget)
            try:
                node = tree.prove_rest(self._root.without(fixed))
            finally:
                self.cases += tree.cases
            return Fixing(self._root.leaf(), score, fixed, node) if node and fixed else node
        finally:
            self._incumbent.least = -1
