"""Writing down what is proven of a pair, so small as is quickly done.

The dual proves its bound with shares in units of 1 / 65536. Most bounds are proven by halves as
well: small denominators are tried first, and shares that need not differ from equal ones are left
out. The format is described, and its soundness proven, in `exactmatch.certificate.checker`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.certificate.checker import digest
from exactmatch.deadline import OutOfTime
from exactmatch.dual.branch_and_bound import Proof
from exactmatch.dual.counting import CountsProof
from exactmatch.dual.integers import largest_scale
from exactmatch.problem import MatchingProblem, Pair, others
from exactmatch.proof import Evidence, Leaf, Node, Sieve, Split
from exactmatch.triples import Duplicates, NormalisedGraph, NormalisedTriple, Similar

SCHEMA = 1

_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 720, 5040)
#: So often the bound is computed to find out which shares can be left out.
_ATTEMPTS = 60

_Json = dict[str, Any]


def pair_json(
    identifier: str,
    profile: str,
    duplicates: Duplicates,
    system: NormalisedGraph,
    gold: NormalisedGraph,
    similar: Similar,
    scale: int,
) -> _Json:
    """Return all that a certificate is about, as the checker reads it."""
    return {
        "id": identifier,
        "profile": profile,
        "duplicates": duplicates,
        "scale": scale,
        "similar": [[list(a), list(b), credit] for (a, b), credit in similar.items()],
        "test": _graph_json(system.variables, system.triples),
        "gold": _graph_json(gold.variables, gold.as_gold()),
    }


def certificate_json(
    pair: _Json, proof: Proof | CountsProof, *, mapping: Mapping[int, int], lower: int
) -> _Json:
    """Return the certificate that *mapping* scores *lower*, and none more than *proof* shows."""
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
    if isinstance(node, Split):
        return {
            "pair": list(node.pair),
            "with": _node_json(problem, node.with_pair, upper),
            "without": _node_json(problem, node.without_pair, upper),
        }
    if isinstance(node, Sieve):
        return {
            "sieve": _leaf_json(problem, node.leaf, _Sifts(node)),
            "score": node.score,
            "rest": _node_json(problem, node.rest, upper),
        }
    return _leaf_json(problem, node, _Bounds(upper))


@dataclass(frozen=True)
class _Bounds:
    """The task of a leaf: to show that no mapping scores above *upper*."""

    upper: int

    def is_done_by(self, dual: Any, bound: int, denominator: int) -> bool:
        return bound // denominator <= self.upper


@dataclass(frozen=True)
class _Sifts:
    """The task of a sieve: to show what is in no mapping that scores above its score."""

    node: Sieve

    def is_done_by(self, dual: Any, bound: int, denominator: int) -> bool:
        below = dual.below((self.node.score + 1) * denominator)
        return self.node.removed <= self.node.leaf.banned.union(below)


class _Division:
    """The shares of a case, made simpler as long as its *task* is done by them."""

    def __init__(self, leaf: Leaf, task: _Bounds | _Sifts) -> None:
        self._relaxation = relaxation = leaf.relaxation
        self._leaf = leaf
        self._task = task
        self._members = [_members(relaxation.ring, first) for first in relaxation.terms]

    def evidence(self) -> Evidence:
        """Return evidence that does the task, as simple as was found before the deadline."""
        try:
            return self._simplified()
        except OutOfTime:
            return self._leaf.evidence

    def _simplified(self) -> Evidence:
        largest = largest_scale(self._relaxation.total, self._leaf.scale)
        for denominator in _DENOMINATORS:
            if denominator > largest:
                break
            if self._proves(denominator, self._default(denominator)):
                return self._found()
            if self._proves(denominator, self._rounded(denominator)):
                self._drop_shares()
                return self._found()
        return self._leaf.evidence

    def _drop_shares(self) -> None:
        """Return to equal shares wherever that still proves the bound: all terms, halves, ..."""
        default = self._default(self._denominator)
        waiting = [self._special(default)]
        attempts = 0
        while waiting and attempts < _ATTEMPTS:
            terms = waiting.pop()
            before = self._shares
            attempts += 1
            tried = before[:]
            for t in terms:
                for h in self._members[t]:
                    tried[h] = default[h]
            if self._proves(self._denominator, tried):
                continue
            self._use(self._denominator, before)
            if len(terms) > 1:
                middle = len(terms) // 2
                waiting += [terms[:middle], terms[middle:]]

    def _proves(self, denominator: int, shares: Any) -> bool:
        """Take over *shares*, and tell if the task is done by them."""
        self._use(denominator, shares)
        return self._task.is_done_by(self._dual, self._bound, denominator)

    def _use(self, denominator: int, shares: Any) -> None:
        self._denominator = denominator
        self._shares = shares
        self._dual = self._relaxation.dual(denominator)
        self._dual.set_shares(shares)
        self._dual.ban(self._leaf.banned)
        self._bound = self._dual.evaluate()

    def _found(self) -> Evidence:
        """Return the evidence of the shares that are in use."""
        relaxation = self._relaxation
        return Evidence(
            scale=self._denominator,
            terms=relaxation.term_of,
            shares=relaxation.by_term(self._shares),
            local=relaxation.by_term(self._dual.local_prices()),
            prices=self._dual.prices(),
        )

    def _default(self, denominator: int) -> Any:
        dual = self._relaxation.dual(denominator)
        dual.divide_equally()
        return dual.shares()

    def _rounded(self, denominator: int) -> Any:
        """Return the shares in units of 1 / *denominator*, each term's adding up to its weight."""
        shares, scale = self._leaf.shares, self._leaf.scale
        rounded = shares[:]
        for members in self._members:
            rest = self._relaxation.weight[members[0]] * denominator
            for h in members[:-1]:
                rounded[h] = min(rest, (2 * shares[h] * denominator + scale) // (2 * scale))
                rest -= rounded[h]
            rounded[members[-1]] = rest
        return rounded

    def _special(self, default: Any) -> list[int]:
        """Return the terms that count in this case and whose shares are not the default."""
        holder, banned = self._relaxation.holder, self._leaf.banned
        return [
            t
            for t, members in enumerate(self._members)
            if any(self._shares[h] != default[h] for h in members)
            and not any(holder[h] in banned for h in members)
        ]


def _leaf_json(problem: MatchingProblem, leaf: Leaf, task: _Bounds | _Sifts) -> _Json:
    """Return the case as JSON, with what has its default value left out."""
    evidence = _Division(leaf, task).evidence()
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
        whole, up = divmod(evidence.scale * weight, len(pairs))
        if parts != [whole + (k < up) for k in range(len(pairs))]:
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


def _members(ring: Sequence[int], first: int) -> list[int]:
    """Return the shares of the term of share *first*, from there on."""
    members = [first]
    while ring[members[-1]] != first:
        members.append(ring[members[-1]])
    return members


def _graph_json(variables: Sequence[str], items: Sequence[NormalisedTriple]) -> _Json:
    triples = [[list(label), list(names)] for label, names in items]
    return {"variables": list(variables), "triples": triples}
