"""Turn the JSON of proofs into the nodes that the always-on check takes.

The always-on check has a narrower format than certificates. Parts that it cannot express are left
out, and `Told.whole` is then false: shares of a term of one pair beyond its weight, prices of gold
variables that do not exist, and local prices of columns without a counting term at that node. These
parts can only weaken a bound. `NoNode` is raised for proofs without any such node: numbers that are
not whole, other than one share for each pair of a term, sets of pairs of other variables, and
banned pairs that only cliques below have. So it is for units and cliques that are too large for the
checks.
"""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

from exactmatch.certificate import checker
from exactmatch.certificate.checker import MALFORMED, Pair, Term
from exactmatch.problem import TermArrays
from exactmatch.problem.proof import Branch, Cliques, Fixing, Leaf, Node

#: How many variables there are on either side.
Sizes = tuple[int, int]


class NoNode(ValueError):  # noqa: N818
    """A proof that the always-on check cannot be given."""


class Told(NamedTuple):
    """A proof as a node, and whether that says all that the proof does."""

    node: Node
    whole: bool


class _InOrder(NamedTuple):
    """A stand-in for the relaxation of a leaf: shares are in the order of *numbers*."""

    numbers: Sequence[int]
    no_local: None = None

    @staticmethod
    def by_term(numbers: Any) -> Any:
        return numbers


def term_arrays(terms: Sequence[Term]) -> TermArrays:
    """Return *terms* in the form that the always-on check takes."""
    pairs = list(chain.from_iterable(pairs for _, pairs in terms))
    return TermArrays(
        weight=[weight for weight, _ in terms],
        start=[0, *accumulate(len(pairs) for _, pairs in terms)],
        left=[i for i, _ in pairs],
        right=[j for _, j in pairs],
    )


def told(terms: Sequence[Term], sizes: Sizes, proof: Any) -> Told:
    """Return the bound that the tree *proof* gives *terms*; raise `NoNode`."""
    try:
        return _node(terms, sizes, proof, frozenset())
    except MALFORMED as error:
        raise NoNode(repr(error)) from error


def _node(terms: Sequence[Term], sizes: Sizes, node: Any, banned: frozenset[Pair]) -> Told:
    if "denominator" in node:
        return _leaf(terms, sizes, node, banned)
    if "sieve" in node:
        leaf, whole = _leaf(terms, sizes, node["sieve"], banned)
        score = _integer(node["score"])
        fixed = _fixed(terms, node["sieve"], score, banned)
        rest = _node(terms, sizes, node["rest"], banned | fixed)
        assert isinstance(leaf, Leaf)
        return Told(Fixing(leaf, score, frozenset(), rest.node), whole and rest.whole)
    if "pair" not in node:
        return _rows(terms, sizes, node, banned)
    i, j = map(_integer, node["pair"])
    rivals = {q for _, pairs in terms for q in pairs if (q[0] == i) != (q[1] == j)}
    with_pair = _node(terms, sizes, node["with"], banned | rivals)
    without = _node(terms, sizes, node["without"], banned | {(i, j)})
    return Told(Branch((i, j), with_pair.node, without.node), with_pair.whole and without.whole)


def _rows(terms: Sequence[Term], sizes: Sizes, node: Any, banned: frozenset[Pair]) -> Told:
    unit = _integer(node["unit"])
    cliques = [
        (_integer(multiplier), [tuple(map(_pair, pairs)) for pairs in sets])
        for multiplier, sets in node["cliques"]
    ]
    most = max([0, *(sum(map(len, sets)) for _, sets in cliques)])
    if unit > checker.LARGEST_UNIT or most > checker.MOST_PAIRS:
        raise NoNode("too large for a certificate")
    known = {pair for _, pairs in terms for pair in pairs}
    new = {pair for _, sets in cliques for pairs in sets for pair in pairs} - known
    if any(i >= sizes[0] or j >= sizes[1] for i, j in new) or not banned.isdisjoint(new):
        raise NoNode("a pair that the always-on check does not know")
    try:
        below, _ = checker.reweighted(list(terms), node)
    except MALFORMED:  # and both must refuse it
        leaf = Leaf(_InOrder([]), 1, [], [], [0] * sizes[1], frozenset())
        return Told(Cliques(cliques, unit, leaf), whole=True)
    rest = _node(below, sizes, node["rest"], banned)
    return Told(Cliques(cliques, unit, rest.node), rest.whole)


def _pair(pair: Any) -> Pair:
    i, j = map(_integer, pair)
    return i, j


def _fixed(terms: Sequence[Term], leaf: Any, score: int, banned: frozenset[Pair]) -> set[Pair]:
    """Return the pairs that `checker` fixes; none if both checks refuse the leaf."""
    try:
        _, bounds = checker._leaf(list(terms), leaf, banned)
    except MALFORMED:
        return set()
    return {p for p, most in bounds.items() if most <= score}


def _leaf(terms: Sequence[Term], sizes: Sizes, leaf: Any, banned: frozenset[Pair]) -> Told:
    scale = _integer(leaf["denominator"])
    given = {int(j): _integer(price) for j, price in leaf.get("prices", {}).items()}
    prices = [given.pop(j, 0) for j in range(sizes[1])]
    left_over = {((i, j), tuple(c)): _integer(price) for i, j, c, price in leaf.get("local", [])}
    prices_of_columns = dict(left_over)
    whole = not any(given.values())
    numbers: list[int] = []
    shares: list[int] = []
    local: list[int] = []
    for t, (weight, pairs) in enumerate(terms):
        if not banned.isdisjoint(pairs):
            continue
        parts = list(map(_integer, leaf.get("shares", {}).get(str(t)) or ()))
        parts = parts or _equal(scale * weight, len(pairs))
        if len(parts) != len(pairs):
            raise NoNode("not one share for each pair")
        if len(pairs) == 1:
            whole = whole and parts[0] == scale * weight
            continue
        numbers.append(t)
        shares += parts
        for p in pairs:
            column = tuple(sorted(j for _, j in pairs if j != p[1]))
            local.append(prices_of_columns.get((p, column), 0))
            left_over.pop((p, column), None)
    whole = whole and not any(left_over.values())
    return Told(Leaf(_InOrder(numbers), scale, shares, local, prices, frozenset()), whole)


def _equal(total: int, size: int) -> list[int]:
    whole, up = divmod(total, size)
    return [whole + (k < up) for k in range(size)]


def _integer(value: Any) -> int:
    if not isinstance(value, int):
        raise NoNode(f"no whole number: {value!r}")
    return int(value)
