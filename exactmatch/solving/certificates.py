"""Write the proof of a pair as a certificate, as small as quickly possible.

The dual proves its bound with shares in units of 1 / 65536. Halves prove most bounds as well: small
denominators are tried first, and shares that may equal the default are left out.
`exactmatch.certificate.checker` describes the format, and proves its soundness.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from exactmatch.certificate.checker import Term, digest, has_cliques, reweighted
from exactmatch.problem import Pair, others
from exactmatch.problem.proof import Branch, Cliques, Evidence, Fixing, Leaf, Node
from exactmatch.solving.dual.branch_and_bound import Proof
from exactmatch.solving.dual.counting import CountsProof
from exactmatch.solving.dual.kernel import largest_scale
from exactmatch.stopping.deadline import OutOfTime

_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 720, 5040)
#: The number of divisions that are tried to find the shares that can be left out.
_MOST_TRIED = 60

_Json = dict[str, Any]


def certificate_json(
    pair: _Json, proof: Proof | CountsProof, *, mapping: Mapping[int, int], lower: int
) -> _Json:
    """Return the certificate that *mapping* scores *lower*, and that *proof* bounds all others.

    *pair* is that of `exactmatch.scoring.comparison`.
    """
    shown = proof_json(proof)
    return {
        "schema": 2 if has_cliques(shown) else 1,
        "id": pair["id"],
        "profile": pair["profile"],
        "digest": digest(pair),
        "mapping": [mapping.get(i) for i in range(len(pair["test"]["variables"]))],
        "value": lower,
        "upper": proof.upper,
        "proof": shown,
    }


def line(content: _Json) -> str:
    """Return *content* as one line of JSON in ASCII."""
    return json.dumps(content, separators=(",", ":"))


def proof_json(proof: Proof | CountsProof) -> _Json:
    """Return the proof that no mapping scores above its upper bound."""
    if isinstance(proof, CountsProof):
        return proof.as_json()
    return _node_json(list(proof.problem.terms), proof.node, proof.upper)


def _node_json(terms: list[Term], node: Node, upper: int) -> _Json:
    if isinstance(node, Branch):
        return {
            "pair": list(node.pair),
            "with": _node_json(terms, node.with_pair, upper),
            "without": _node_json(terms, node.without_pair, upper),
        }
    if isinstance(node, Cliques):
        rows: _Json = {
            "cliques": [
                [multiplier, [[list(pair) for pair in pairs] for pairs in sets]]
                for multiplier, sets in node.cliques
            ],
            "unit": node.unit,
        }
        below, total = reweighted(terms, rows)
        upper = node.unit * (upper + 1) - total - 1
        return rows | {"rest": _node_json(below, node.rest, upper)}
    if isinstance(node, Fixing):
        return {
            # The name of reduced-cost fixing in published certificates, which every checker reads.
            "sieve": _leaf_json(terms, node.leaf, _fixes(node, terms)),
            "score": node.score,
            "rest": _node_json(terms, node.rest, upper),
        }
    return _leaf_json(terms, node, _bounds(upper))


#: Tells whether a dual that was just evaluated, to some scaled bound, proves the claim.
_Proves = Callable[[Any, int], bool]


def _bounds(upper: int) -> _Proves:
    """Return a test whether a dual shows that no mapping scores above *upper*."""
    return lambda dual, bound: bound // dual.scale <= upper


def _fixes(node: Fixing, terms: list[Term]) -> _Proves:
    """Return a test whether a dual confirms everything that *node* fixes.

    With cliques above or below, it may not confirm more: a pair can weigh less than nothing there,
    and if it is banned, that weight no longer counts, but its local prices in the rest still do.
    """
    banned = node.leaf.banned
    fixed = node.fixed - banned
    if _has_cliques(node.rest) or any(weight < 0 for weight, _ in terms):
        return lambda dual, _: fixed == set(dual.fixed((node.score + 1) * dual.scale)) - banned
    return lambda dual, _: fixed <= set(dual.fixed((node.score + 1) * dual.scale))


def _has_cliques(node: Node) -> bool:
    """Tell whether there are cliques anywhere in a proof."""
    if isinstance(node, Branch):
        return _has_cliques(node.with_pair) or _has_cliques(node.without_pair)
    return isinstance(node, Cliques) or (isinstance(node, Fixing) and _has_cliques(node.rest))


class _Divisions:
    """Divisions of the terms of a case into shares in units of 1 / *denominator*, tried in turn.

    Shares are in the order of the relaxation of *leaf*, where a term is identified by its first
    share. One dual tries them all, since its results for the last one are nearly right for the
    next. All methods raise `OutOfTime` once the deadline of the relaxation has come.
    """

    def __init__(self, leaf: Leaf, denominator: int, proves: _Proves) -> None:
        self._leaf = leaf
        self._denominator = denominator
        self._proves = proves
        self._dual = leaf.relaxation.dual(denominator)

    def equal(self) -> Any:
        """Return the most equal shares, which a certificate leaves out."""
        self._dual.divide_equally()
        return self._dual.shares()

    def rounded(self) -> Any:
        """Return the rounded shares of the leaf, in which those of a term add up."""
        self._dual.take_rounded(self._leaf.shares, self._leaf.scale)
        return self._dual.shares()

    def suffice(self, shares: Any) -> bool:
        """Tell whether *shares* prove the claim."""
        self._dual.set_shares(shares)
        self._dual.ban(self._leaf.banned)
        return self._proves(self._dual, self._dual.evaluate())

    def nearest(self, goal: Any, shares: Any) -> Any:
        """Return *shares*, which suffice, replaced by those of *goal* wherever they still suffice.

        This is tried with all terms, then with either half of them, and so on.
        """
        waiting = [self._differing(shares, goal)]
        for _ in range(_MOST_TRIED):
            if not waiting:
                break
            terms = waiting.pop()
            nearer = shares[:]
            for first in terms:
                for h in self._leaf.relaxation.members(first):
                    nearer[h] = goal[h]
            if self.suffice(nearer):
                shares = nearer
            elif len(terms) > 1:
                middle = len(terms) // 2
                waiting += [terms[:middle], terms[middle:]]
        return shares

    def _differing(self, shares: Any, others: Any) -> list[int]:
        """Return the terms that count in this case and have other shares in *others*."""
        relaxation, banned = self._leaf.relaxation, self._leaf.banned
        return [
            first
            for first in self._dual.differing(shares, others)
            if banned.isdisjoint(relaxation.holder[h] for h in relaxation.members(first))
        ]

    def evidence(self, shares: Any) -> Evidence | None:
        """Return the evidence of *shares* in terms of the problem; None if they do not suffice.

        Fixing depends on prices, which may differ from those when the shares were tried.
        """
        fresh = _Divisions(self._leaf, self._denominator, self._proves)
        if not fresh.suffice(shares):
            return None
        relaxation = self._leaf.relaxation
        return Evidence(
            scale=self._denominator,
            terms=relaxation.numbers,
            shares=relaxation.by_term(shares),
            local=relaxation.by_term(fresh._dual.local_prices()),
            prices=fresh._dual.prices(),
        )


def _small_evidence(leaf: Leaf, proves: _Proves) -> Evidence:
    """Return the smallest evidence for the claim of *leaf* found before its deadline."""
    largest = largest_scale(leaf.relaxation.total, leaf.scale)
    with suppress(OutOfTime):
        for denominator in _DENOMINATORS:
            if denominator > largest:
                break
            divisions = _Divisions(leaf, denominator, proves)
            division = divisions.equal()
            if not divisions.suffice(division):
                rounded = divisions.rounded()
                if not divisions.suffice(rounded):
                    continue
                division = divisions.nearest(division, rounded)
            return divisions.evidence(division) or leaf.evidence
    return leaf.evidence


def _leaf_json(terms: list[Term], leaf: Leaf, proves: _Proves) -> _Json:
    """Return the case as JSON, without default values."""
    evidence = _small_evidence(leaf, proves)
    banned = {leaf.relaxation.candidates[c] for c in leaf.banned}
    shares: _Json = {}
    local: dict[tuple[Pair, tuple[int, ...]], int] = {}
    end = 0
    has_local = any(evidence.local)
    for t in evidence.terms:
        weight, pairs = terms[t]
        start, end = end, end + len(pairs)
        if not banned.isdisjoint(pairs):
            continue
        parts = list(evidence.shares[start:end])
        if parts != _equal_parts(evidence.scale * weight, len(pairs)):
            shares[str(t)] = parts
        for pair, price in zip(pairs, evidence.local[start:end], strict=True) if has_local else ():
            if price:
                local[pair, others(pairs, pair, 1)] = price
    content = {
        "shares": shares,
        "prices": {str(j): price for j, price in enumerate(evidence.prices) if price},
        "local": [[*pair, list(column), price] for (pair, column), price in sorted(local.items())],
    }
    return {"denominator": evidence.scale} | {key: x for key, x in content.items() if x}


@cache
def _equal_parts(total: int, size: int) -> list[int]:
    whole, up = divmod(total, size)
    return [whole + (k < up) for k in range(size)]
