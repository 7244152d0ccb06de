"""What a proof is made of: bounds that shares and prices give, and cases that they hold for.

`exactmatch.certificate.checker` says what each part means, and why it is sound with any numbers.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from exactmatch.problem import Pair

#: A multiplier, and sets of pairs, in order, of which no mapping includes two.
Clique = tuple[int, Sequence[tuple[Pair, ...]]]


class Evidence(NamedTuple):
    """Numbers in units of 1 / *scale* that give a bound on the score of all mappings of a case.

    terms: the numbers of the terms of two or more pairs that count in this case, and maybe others.
    shares: what each of these terms, in their order, hands to each of its pairs, in their order.
    local: by share, the price of its column for its pair.
    prices: by right variable.
    """

    scale: int
    terms: Sequence[int]
    shares: Sequence[int]
    local: Sequence[int]
    prices: Sequence[int]


class Leaf(NamedTuple):
    """A case that the dual bounds: mappings without the *banned* candidates of *relaxation*.

    That is an `exactmatch.solving.dual.layout.Relaxation`. *shares* and *local* prices are in its
    order and, as *prices* are, in units of 1 / *scale*.
    """

    relaxation: Any
    scale: int
    shares: Any
    local: Any
    prices: Any
    banned: frozenset[int]

    @property
    def evidence(self) -> Evidence:
        """The same in terms of the problem."""
        relaxation = self.relaxation
        is_needed = self.local is not relaxation.no_local  # else it is all zeros, in any order
        return Evidence(
            scale=self.scale,
            terms=relaxation.numbers,
            shares=relaxation.by_term(self.shares),
            local=relaxation.by_term(self.local) if is_needed else self.local,
            prices=self.prices,
        )


class Branch(NamedTuple):
    """Two cases: mappings with *pair*, and mappings without it."""

    pair: Pair
    with_pair: "Node"
    without_pair: "Node"


class Fixing(NamedTuple):
    """Reduced-cost fixing: a bound that shows which pairs no mapping above *score* holds; the rest.

    *fixed* are these candidates of the relaxation of *leaf*, and those that were banned there.
    """

    leaf: Leaf
    score: int
    fixed: frozenset[int]
    rest: "Node"


class Cliques(NamedTuple):
    """What *cliques* take in units of 1 / *unit*, and a proof of what is left.

    A clique is a multiplier, and sets of pairs, in order, of which no mapping includes two. *rest*
    is about other terms: those that there are and the sets of the cliques, in order, also those of
    weight 0 or less. The weight of each is *unit* times what it was, or 0, less the multipliers of
    the cliques in which it stands.
    """

    cliques: Sequence[Clique]
    unit: int
    rest: "Node"


Node = Leaf | Branch | Fixing | Cliques
