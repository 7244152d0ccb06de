"""Writing down what is proven of a pair, as small as is quickly done.

The dual proves its bound with shares in units of 1 / 65536. Most bounds are proven by halves as
well: small denominators are tried first, and shares that need not differ from equal ones are left
out. The format is described, and its soundness proven, in `exactmatch.certificate.checker`.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from exactmatch.certificate.checker import digest
from exactmatch.deadline import OutOfTime
from exactmatch.dual.branch_and_bound import Proof
from exactmatch.dual.counting import CountsProof
from exactmatch.dual.integers import largest_scale
from exactmatch.problem import MatchingProblem, Pair, others
from exactmatch.proof import Branch, Evidence, Fixing, Leaf, Node

SCHEMA = 1

_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 720, 5040)
#: So many divisions are tried to find out which shares can be left out.
_MOST_TRIED = 60

_Json = dict[str, Any]


def certificate_json(
    pair: _Json, proof: Proof | CountsProof, *, mapping: Mapping[int, int], lower: int
) -> _Json:
    """Return the certificate that *mapping* scores *lower*, and none more than *proof* shows.

    *pair* is that of `exactmatch.pair_json`.
    """
    return {
        "schema": SCHEMA,
        "id": pair["id"],
        "profile": pair["profile"],
        "digest": digest(pair),
        "mapping": [mapping.get(i) for i in range(len(pair["test"]["variables"]))],
        "value": lower,
        "upper": proof.upper,
        "proof": proof_json(proof),
    }


def line(content: _Json) -> str:
    """Return *content* as one line of JSON in ASCII."""
    return json.dumps(content, separators=(",", ":"))


def proof_json(proof: Proof | CountsProof) -> _Json:
    """Return the proof that no mapping scores above its upper bound."""
    if isinstance(proof, CountsProof):
        return proof.as_json()
    return _node_json(proof.problem, proof.node, proof.upper)


def _node_json(problem: MatchingProblem, node: Node, upper: int) -> _Json:
    if isinstance(node, Branch):
        return {
            "pair": list(node.pair),
            "with": _node_json(problem, node.with_pair, upper),
            "without": _node_json(problem, node.without_pair, upper),
        }
    if isinstance(node, Fixing):
        return {
            # Published certificates call reduced-cost fixing so, and every checker reads that.
            "sieve": _leaf_json(problem, node.leaf, _fixes(node)),
            "score": node.score,
            "rest": _node_json(problem, node.rest, upper),
        }
    return _leaf_json(problem, node, _bounds(upper))


@dataclass(frozen=True)
class _Division:
    """The terms of a case divided into *shares*, in units of 1 / *denominator*.

    Shares are in the order of the relaxation of *leaf*, where a term is known by its first share.
    What is proven by them is found out when it is asked for, which raises `OutOfTime` once the
    deadline of the relaxation has come.
    """

    leaf: Leaf
    denominator: int
    shares: Any

    @cached_property
    def _evaluated(self) -> tuple[Any, int]:
        """The dual of these shares, and its bound in units of 1 / *denominator*."""
        dual = self.leaf.relaxation.dual(self.denominator)
        dual.set_shares(self.shares)
        dual.ban(self.leaf.banned)
        return dual, dual.evaluate()

    @property
    def bound(self) -> int:
        """What no mapping of the case scores more than."""
        _, bound = self._evaluated
        return bound // self.denominator

    def fixed(self, score: int) -> frozenset[int]:
        """Return the candidates that are in no mapping of the case that scores above *score*."""
        dual, _ = self._evaluated
        return self.leaf.banned.union(dual.fixed((score + 1) * self.denominator))

    def differing(self, other: "_Division") -> list[int]:
        """Return the terms that count in this case and have other shares in *other*."""
        relaxation, banned = self.leaf.relaxation, self.leaf.banned
        found = []
        for first in relaxation.terms:
            members = relaxation.members(first)
            if any(self.shares[h] != other.shares[h] for h in members) and not any(
                relaxation.holder[h] in banned for h in members
            ):
                found.append(first)
        return found

    def with_shares_of(self, other: "_Division", terms: Iterable[int]) -> "_Division":
        """Return this division, but *terms* divided as in *other*, of the same denominator."""
        shares = self.shares[:]
        for first in terms:
            for h in self.leaf.relaxation.members(first):
                shares[h] = other.shares[h]
        return replace(self, shares=shares)

    def evidence(self) -> Evidence:
        """Return what this division shows, in terms of the problem."""
        dual, _ = self._evaluated
        relaxation = self.leaf.relaxation
        return Evidence(
            scale=self.denominator,
            terms=relaxation.term_of,
            shares=relaxation.by_term(self.shares),
            local=relaxation.by_term(dual.local_prices()),
            prices=dual.prices(),
        )


#: Tells whether a division still proves what it has to; changes nothing.
_Proves = Callable[[_Division], bool]


def _bounds(upper: int) -> _Proves:
    """Return what tells whether a division shows that no mapping scores above *upper*."""
    return lambda division: division.bound <= upper


def _fixes(node: Fixing) -> _Proves:
    """Return what tells whether a division shows that all that *node* fixes is rightly fixed."""
    return lambda division: node.fixed <= division.fixed(node.score)


def _equal(leaf: Leaf, denominator: int) -> _Division:
    """Return the division into shares as equal as can be, which a certificate leaves out."""
    dual = leaf.relaxation.dual(denominator)
    dual.divide_equally()
    return _Division(leaf, denominator, dual.shares())


def _rounded(leaf: Leaf, denominator: int) -> _Division:
    """Return the shares of *leaf* rounded, but so that those of a term add up to its weight."""
    relaxation, scale = leaf.relaxation, leaf.scale
    shares = leaf.shares[:]
    for first in relaxation.terms:
        *members, last = relaxation.members(first)
        rest = relaxation.weight[first] * denominator
        for h in members:
            shares[h] = min(rest, (2 * leaf.shares[h] * denominator + scale) // (2 * scale))
            rest -= shares[h]
        shares[last] = rest
    return _Division(leaf, denominator, shares)


def _small_evidence(leaf: Leaf, proves: _Proves) -> Evidence:
    """Return evidence that *proves* what *leaf* does, as small as was found before its deadline."""
    largest = largest_scale(leaf.relaxation.total, leaf.scale)
    try:
        for denominator in _DENOMINATORS:
            if denominator > largest:
                break
            equal = _equal(leaf, denominator)
            if proves(equal):
                return equal.evidence()
            rounded = _rounded(leaf, denominator)
            if proves(rounded):
                return _nearest(equal, rounded, proves).evidence()
    except OutOfTime:
        pass
    return leaf.evidence


def _nearest(goal: _Division, division: _Division, proves: _Proves) -> _Division:
    """Return *division* with the shares of *goal* wherever it *proves* as much with them.

    Tried with all terms, and where that is too much, with either half of them, and so on.
    """
    waiting = [division.differing(goal)]
    for _ in range(_MOST_TRIED):
        if not waiting:
            break
        terms = waiting.pop()
        nearer = division.with_shares_of(goal, terms)
        if proves(nearer):
            division = nearer
        elif len(terms) > 1:
            middle = len(terms) // 2
            waiting += [terms[:middle], terms[middle:]]
    return division


def _leaf_json(problem: MatchingProblem, leaf: Leaf, proves: _Proves) -> _Json:
    """Return the case as JSON, with what has its default value left out."""
    evidence = _small_evidence(leaf, proves)
    banned = {leaf.relaxation.candidates[c] for c in leaf.banned}
    shares: _Json = {}
    local: dict[tuple[Pair, tuple[int, ...]], int] = {}
    end = 0
    for t in evidence.terms:
        weight, pairs = problem.terms[t]
        start, end = end, end + len(pairs)
        if not banned.isdisjoint(pairs):
            continue
        parts = list(evidence.shares[start:end])
        if parts != _equal_parts(evidence.scale * weight, len(pairs)):
            shares[str(t)] = parts
        for pair, price in zip(pairs, evidence.local[start:end], strict=True):
            if price:
                local[pair, others(pairs, pair, 1)] = price
    found = {
        "shares": shares,
        "prices": {str(j): price for j, price in enumerate(evidence.prices) if price},
        "local": [[*pair, list(column), price] for (pair, column), price in sorted(local.items())],
    }
    return {"denominator": evidence.scale} | {key: x for key, x in found.items() if x}


def _equal_parts(total: int, size: int) -> list[int]:
    whole, up = divmod(total, size)
    return [whole + (k < up) for k in range(size)]
