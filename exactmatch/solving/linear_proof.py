"""Prove a known mapping to be best by linear relaxations, where the dual alone takes too long.

The encoding ``linear-tree`` makes a tree of cases. For each, it has multipliers of cliques, and
divides the terms into shares, in floating point. These numbers are rounded here. The dual bound by
the rounded ones is computed anew in every case, in whole numbers. Where rounding lost too much, the
dual descends from them. The result is a proof as of branch and bound.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from exactmatch.encodings.base import Bounded, Outcome, Split, Tree, Weighed
from exactmatch.problem import Mapping, MatchingProblem, Pair
from exactmatch.problem.integers import ascending, integers, zeros
from exactmatch.problem.proof import Branch, Clique, Cliques, Fixing, Leaf, Node
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branch_and_bound import Proof
from exactmatch.solving.dual.branching import rivals
from exactmatch.solving.dual.descent import Descent, DualStart, Incumbent
from exactmatch.solving.dual.kernel import relax
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: The iterations of the dual that mend what rounding has lost.
_MENDING = 100
#: The passes of each search by random changes, and the largest part of the time for all of them.
_PASSES, _SHAKING = 10_000, 0.5
#: Multipliers are rounded to so many parts of a triple.
_UNIT = 1 << 12


class Remainder:
    """A problem with a *known* mapping, and what reduced-cost fixing by its dual leaves of it.

    rest: the remaining problem. Mappings that score more than the best known one hold no other
        pairs.
    hint: the pairs of that mapping in the rest.
    If the mapping *may be better*, random changes come first: a tree from the best one is smaller.
    Raises `OutOfTime` if *deadline* comes first.
    """

    def __init__(
        self,
        problem: MatchingProblem,
        known: Mapping,
        deadline: Deadline,
        budgets: DualBudgets,
        *,
        may_be_better: bool = False,
    ) -> None:
        self._problem, self._budgets = problem, budgets
        self._known = problem.value(known)
        self._incumbent = Incumbent(self._known, dict(known))
        self._root = Descent(relax(problem, deadline), self._incumbent, deadline, budgets=budgets)
        self._root.converge(budgets.rest_iterations)
        if may_be_better and not self._root.is_closed:
            self._change_at_random()
        self._score = self._root.threshold
        self._fixed = self._root.fixed()
        self._inner = self._root.without(self._fixed)
        self.rest = self._inner.relaxation.problem
        left = set(self.rest.candidates)
        self.hint = {i: j for i, j in self._incumbent.mapping.items() if (i, j) in left}
        # The share at each place of a tree: terms in order, and the pairs of each.
        every_share = ascending(len(self._inner.relaxation.ring))
        self._places: Any = self._inner.relaxation.by_term(every_share)
        # The first share of each term, and the position of each candidate, by their pairs.
        relaxation = self._inner.relaxation
        several = (term.pairs for term in self.rest.terms if len(term.pairs) > 1)
        self._first = dict(zip(several, relaxation.terms, strict=True))
        candidates = enumerate(relaxation.candidates)
        self._candidate: dict[tuple[Pair, ...], int] = {(pair,): c for c, pair in candidates}

    def _change_at_random(self) -> None:
        """Change mappings at random for seconds, among candidates that cost little.

        It takes a part of the time at most: what has been found is lost if none is left for a rest.
        """
        near = self._root.without(self._root.far(self._budgets.nearby_part))
        near.deadline = near.deadline.share(_SHAKING)
        with suppress(OutOfTime):  # what they have found is kept
            near.shake(self._budgets.shakes, _PASSES)

    def proof(self, answer: Outcome) -> Proof | None:
        """Return the proof by the tree in the *answer* for the rest; None if there is none.

        Raises `OutOfTime` if the deadline comes first.
        """
        if answer.lower > self._incumbent.value:
            self._incumbent.update(answer.lower, dict(answer.mapping))
        if answer.tree is None:
            return None
        node = self._node(frozenset(), answer.tree)
        if node is None:
            return None
        if self._fixed:
            node = Fixing(self._root.leaf(), self._score, self._fixed, node)
        return self._proof(self._incumbent.value, node, 1 + _n_cases(answer.tree))

    def open_proof(self) -> Proof | None:
        """Return what is known without a proof of the rest; None if no mapping has become better.

        The proof of the bound is that of the dual, before the rest.
        """
        if self._incumbent.value <= self._known:
            return None
        return self._proof(self._root.upper, self._root.leaf(), 1)

    def _proof(self, upper: int, node: Node, cases: int) -> Proof:
        """Return the best mapping, and that *node* proves *upper*."""
        return Proof(
            self._problem,
            self._incumbent.value,
            upper,
            self._incumbent.mapping,
            node=node,
            cases=cases,
            rest=self._problem,
            root=self._root.leaf(),
        )

    def _node(self, banned: frozenset[int], tree: Tree) -> Node | None:
        if not isinstance(tree, Split):
            return self._case(banned, tree)
        candidates = self._inner.relaxation.candidates
        with_pair = self._node(banned | rivals(candidates, tree.pair), tree.with_pair)
        if with_pair is None:
            return None
        without_pair = self._node(banned | {candidates.index(tree.pair)}, tree.without_pair)
        return without_pair and Branch(tree.pair, with_pair, without_pair)

    def _case(self, banned: frozenset[int], bounded: Bounded) -> Leaf | Cliques | None:
        cliques = _rounded(bounded.cliques)
        if not cliques:
            return self._leaf(self._inner.relaxation, self._inner.scale, banned, bounded.shares)
        leaf = self._leaf(
            self._without(cliques), self._inner.scale // _UNIT, banned, bounded.shares
        )
        return leaf and Cliques(cliques, _UNIT, leaf)

    def _leaf(
        self, relaxation: Any, scale: int, banned: frozenset[int], shares: Sequence[float]
    ) -> Leaf | None:
        case = Descent(
            relaxation,
            self._incumbent,
            self._inner.deadline,
            start=DualStart(scale, self._divided(relaxation, scale, shares), None),
            banned=banned,
            budgets=self._budgets,
        )
        case.run(_MENDING)
        return case.leaf() if case.is_closed else None

    def _without(self, cliques: Sequence[Clique]) -> Any:
        """Return the relaxation of what *cliques* leave of the weights."""
        relaxation = self._inner.relaxation
        own = integers([_UNIT * weight for weight in relaxation.own])
        left = {pairs: _UNIT * relaxation.weight[h] for pairs, h in self._first.items()}
        for multiplier, sets in cliques:
            for pairs in sets:
                if pairs in left:
                    left[pairs] -= multiplier
                else:
                    own[self._candidate[pairs]] -= multiplier
        weight = zeros(len(relaxation.ring))
        for pairs, h in self._first.items():
            for member in relaxation.members(h):
                weight[member] = max(0, left[pairs])  # a share of less helps nobody
        return relaxation.reweighted(
            own=own,
            weight=weight,
            unit=_UNIT,
            charged=sum(multiplier for multiplier, _ in cliques),
            sets=[pairs for _, sets in cliques for pairs in sets],
        )

    def _divided(self, relaxation: Any, scale: int, shares: Sequence[float]) -> Any:
        """Return *shares*, in triples, as units of the dual; they add up to each term's weight."""
        found = zeros(len(shares))
        place = iter(self._places)
        given = iter(shares)
        for first in relaxation.terms:
            members = [next(place) for _ in relaxation.members(first)]
            left = relaxation.weight[first] * scale
            for h in members[:-1]:
                found[h] = min(left, max(0, round(next(given) * self._inner.scale)))
                left -= found[h]
            next(given)
            found[members[-1]] = left
        return found


def _rounded(cliques: Sequence[Weighed]) -> list[Clique]:
    """Return the cliques whose multipliers are not 0, in whole numbers."""
    return [
        (multiplier, sets)
        for each, sets in cliques
        if sets and (multiplier := round(each * _UNIT)) > 0
    ]


def _n_cases(tree: Tree) -> int:
    if not isinstance(tree, Split):
        return 1
    return 1 + _n_cases(tree.with_pair) + _n_cases(tree.without_pair)
