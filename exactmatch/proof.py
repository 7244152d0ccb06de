"""What a proof is made of: bounds that shares and prices give, and cases that they hold for.

`exactmatch.certificate.checker` says what each part means, and why it is sound with any numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from exactmatch.problem import Pair


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


@dataclass(frozen=True, slots=True)
class Leaf:
    """A case that the dual bounds.

    *banned* are candidates of *relaxation*, the `exactmatch.bounds.relaxation.Relaxation` that
    *shares* belong to; `evidence` says the same in terms of the problem.
    """

    relaxation: Any
    shares: Any
    banned: frozenset[int]
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Split:
    """Two cases: mappings with *pair*, and mappings without it."""

    pair: Pair
    with_pair: "Node"
    without_pair: "Node"


@dataclass(frozen=True, slots=True)
class Sieve:
    """A bound that shows which pairs are in no mapping of a score above *score*, and the rest.

    *removed* are these candidates of the relaxation of *leaf*, and those that were banned there.
    """

    leaf: Leaf
    score: int
    removed: frozenset[int]
    rest: "Node"


Node = Leaf | Split | Sieve
