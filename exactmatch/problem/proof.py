"""The parts of a proof: bounds from shares and prices, and the cases that they cover.

`exactmatch.certificate.checker` explains each part, and why it is sound with any numbers.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from exactmatch.problem import Pair

#: A multiplier, and sets of pairs, in order; no mapping includes two of the sets.
Clique = tuple[int, Sequence[tuple[Pair, ...]]]


class Evidence(NamedTuple):
    """Numbers in units of 1 / *scale* that bound the score of all mappings of a case.

    terms: the numbers of the terms of two or more pairs that count in this case, and perhaps
        others.
    shares: for each of these terms, in order, the shares of its pairs, in order.
    local: for each share, the price of its column for its pair.
    prices: the prices of right variables.
    """

    scale: int
    terms: Sequence[int]
    shares: Sequence[int]
    local: Sequence[int]
    prices: Sequence[int]


class Leaf(NamedTuple):
    """A case bounded by the dual: mappings without the *banned* candidates of *relaxation*.

    The relaxation is an `exactmatch.solving.dual.layout.Relaxation`. *shares* and *local* prices
    are in its order. They and *prices* are in units of 1 / *scale*.
    """

    relaxation: Any
    scale: int
    shares: Any
    local: Any
    prices: Any
    banned: frozenset[int]

    @property
    def evidence(self) -> Evidence:
        """The evidence in terms of the problem."""
        relaxation = self.relaxation
        is_needed = self.local is not relaxation.no_local  # otherwise it is all zeros, in any order
        return Evidence(
            self.scale,
            relaxation.numbers,
            relaxation.by_term(self.shares),
            relaxation.by_term(self.local) if is_needed else self.local,
            self.prices,
        )


class Branch(NamedTuple):
    """Two cases: mappings with *pair*, and mappings without it."""

    pair: Pair
    with_pair: "Node"
    without_pair: "Node"


class Fixing(NamedTuple):
    """Reduced-cost fixing: a bound that shows which pairs no mapping above *score* holds.

    *fixed* are these candidates of the relaxation of *leaf*, including those that were banned
    there.
    """

    leaf: Leaf
    score: int
    fixed: frozenset[int]
    rest: "Node"


class Cliques(NamedTuple):
    """The multipliers of *cliques* in units of 1 / *unit*, and a proof for the rest.

    A clique has a multiplier, and sets of pairs, in order; no mapping includes two of the sets.
    *rest* is about other terms: the existing ones and the sets of the cliques, in order, including
    those of weight 0 or less. The weight of each is *unit* times its old weight, or 0, minus the
    multipliers of the cliques that contain it.
    """

    cliques: Sequence[Clique]
    unit: int
    rest: "Node"


Node = Leaf | Branch | Fixing | Cliques
