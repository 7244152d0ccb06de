"""Prove a known mapping to be best by linear relaxations, where the dual alone takes too long.

The encoding ``linear-tree`` makes a tree of cases, and divides the terms of each into shares in
floating point. These shares are rounded here. The dual bound of the rounded shares is computed
anew in every case, in whole numbers. Where rounding lost too much, the dual descends from them. The
result is a proof as of branch and bound.
"""

from collections.abc import Sequence
from typing import Any

from exactmatch.encodings.base import Outcome, Split, Tree
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.problem.integers import ascending, zeros
from exactmatch.problem.proof import Branch, Fixing, Leaf, Node
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branch_and_bound import Proof
from exactmatch.solving.dual.branching import rivals
from exactmatch.solving.dual.descent import Descent, DualStart, Incumbent
from exactmatch.solving.dual.kernel import relax
from exactmatch.stopping.deadline import Deadline

#: The iterations of the dual that mend what rounding has lost.
_MENDING = 100


class Remainder:
    """A problem with a *known* mapping, and what reduced-cost fixing by its dual leaves of it.

    rest: the remaining problem. Mappings that score more than the best known one hold no other
        pairs.
    hint: the pairs of that mapping in the rest.
    Raises `OutOfTime` if *deadline* comes first.
    """

    def __init__(
        self, problem: MatchingProblem, known: Mapping, deadline: Deadline, budgets: DualBudgets
    ) -> None:
        self._problem, self._budgets = problem, budgets
        self._incumbent = Incumbent(problem.value(known), dict(known))
        self._root = Descent(relax(problem, deadline), self._incumbent, deadline, budgets=budgets)
        self._root.converge(budgets.rest_iterations)
        self._score = self._root.threshold
        self._fixed = self._root.fixed()
        self._inner = self._root.without(self._fixed)
        self.rest = self._inner.relaxation.problem
        left = set(self.rest.candidates)
        self.hint = {i: j for i, j in self._incumbent.mapping.items() if (i, j) in left}
        # The share at each place of a tree: terms in order, and the pairs of each.
        every_share = ascending(len(self._inner.relaxation.ring))
        self._places: Any = self._inner.relaxation.by_term(every_share)

    def proof(self, answer: Outcome) -> Proof | None:
        """Return the proof by the tree in the *answer* for the rest; None if there is none.

        Raises `OutOfTime` if the deadline comes first.
        """
        if answer.tree is None:
            return None
        if answer.lower > self._incumbent.value:
            self._incumbent.update(answer.lower, dict(answer.mapping))
        node = self._node(frozenset(), answer.tree)
        if node is None:
            return None
        leaf = self._root.leaf()
        return Proof(
            self._problem,
            self._incumbent.value,
            self._incumbent.value,
            self._incumbent.mapping,
            node=Fixing(leaf, self._score, self._fixed, node) if self._fixed else node,
            cases=1 + _n_cases(answer.tree),
            rest=self._problem,
            root=leaf,
        )

    def _node(self, banned: frozenset[int], tree: Tree) -> Node | None:
        if not isinstance(tree, Split):
            return self._leaf(banned, tree.shares)
        candidates = self._inner.relaxation.candidates
        with_pair = self._node(banned | rivals(candidates, tree.pair), tree.with_pair)
        if with_pair is None:
            return None
        without_pair = self._node(banned | {candidates.index(tree.pair)}, tree.without_pair)
        return without_pair and Branch(tree.pair, with_pair, without_pair)

    def _leaf(self, banned: frozenset[int], shares: Sequence[float]) -> Leaf | None:
        case = Descent(
            self._inner.relaxation,
            self._incumbent,
            self._inner.deadline,
            start=DualStart(self._inner.scale, self._rounded(shares), None),
            banned=banned,
            budgets=self._budgets,
        )
        case.run(_MENDING)
        return case.leaf() if case.is_closed else None

    def _rounded(self, shares: Sequence[float]) -> Any:
        """Return shares in units of the dual, which add up to the weight of each term."""
        relaxation, scale = self._inner.relaxation, self._inner.scale
        found = zeros(len(shares))
        place = iter(self._places)
        given = iter(shares)
        for first in relaxation.terms:
            members = [next(place) for _ in relaxation.members(first)]
            left = relaxation.weight[first] * scale
            for h in members[:-1]:
                found[h] = min(left, max(0, round(next(given) * scale)))
                left -= found[h]
            next(given)
            found[members[-1]] = left
        return found


def _n_cases(tree: Tree) -> int:
    if not isinstance(tree, Split):
        return 1
    return 1 + _n_cases(tree.with_pair) + _n_cases(tree.without_pair)
