"""Writing down what is proven of a pair, so small as is quickly done.

The dual proves its bound with shares in units of 1 / 65536. Most bounds are proven by halves as
well: small denominators are tried first, and shares that need not differ from equal ones are left
out. The format is described, and its soundness proven, in `exactmatch.certificate.checker`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.bounds.branching import Leaf, Node, Proof, Sieve, Split
from exactmatch.bounds.counts import CountsProof
from exactmatch.bounds.dual import Dual
from exactmatch.bounds.integers import integers, largest_scale
from exactmatch.certificate.checker import digest
from exactmatch.metrics.items import Duplicates, Item, ItemGraph, Similar
from exactmatch.problem import MatchingProblem, others

SCHEMA = 1
#: What stands where no proof is written down.
NO_PROOF = "none"

_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 720, 5040)
#: So often the bound is computed to find out which shares can be left out.
_ATTEMPTS = 60

_Json = dict[str, Any]


def pair_json(
    identifier: str,
    profile: str,
    duplicates: Duplicates,
    test: ItemGraph,
    gold: ItemGraph,
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
        "test": _graph_json(test.variables, test.items),
        "gold": _graph_json(gold.variables, gold.as_gold()),
    }


def certificate_json(
    pair: _Json,
    problem: MatchingProblem,
    proof: Proof | CountsProof,
    *,
    mapping: Mapping[int, int],
    lower: int,
    upper: int,
) -> _Json:
    """Return the certificate that *mapping* scores *lower*, and that none scores above *upper*.

    Where *proof* does not prove *upper*, there is none in the certificate. If it is one by counts,
    the terms of *problem* do not matter.
    """
    return {
        "schema": SCHEMA,
        "id": pair["id"],
        "profile": pair["profile"],
        "digest": digest(pair),
        "mapping": [mapping.get(i) for i in range(problem.n_left)],
        "value": lower,
        "upper": upper,
        "proof": proof_json(problem, proof) if proof.upper <= upper else NO_PROOF,
    }


def line(content: _Json) -> str:
    """Return *content* as one line of JSON in ASCII."""
    return json.dumps(content, separators=(",", ":"))


def proof_json(problem: MatchingProblem, proof: Proof | CountsProof) -> _Json:
    """Return the proof that no mapping scores above its upper bound."""
    if isinstance(proof, CountsProof):
        return proof.as_json()
    return _node_json(problem, proof.node, proof.upper)


def _node_json(problem: MatchingProblem, node: Node, upper: int) -> _Json:
    if isinstance(node, Split):
        return {
            "pair": list(node.pair),
            "with": _node_json(problem, node.with_pair, upper),
            "without": _node_json(problem, node.without_pair, upper),
        }
    if isinstance(node, Sieve):
        return {
            "sieve": _Division(problem, node.leaf, _Sifts(node)).leaf_json(),
            "score": node.score,
            "rest": _node_json(problem, node.rest, upper),
        }
    return _Division(problem, node, _Bounds(upper)).leaf_json()


@dataclass(frozen=True)
class _Bounds:
    """The task of a leaf: to show that no mapping scores above *upper*."""

    upper: int

    def is_done_by(self, dual: Dual, bound: int, denominator: int) -> bool:
        return bound // denominator <= self.upper


@dataclass(frozen=True)
class _Sifts:
    """The task of a sieve: to show what is in no mapping that scores above its score."""

    node: Sieve

    def is_done_by(self, dual: Dual, bound: int, denominator: int) -> bool:
        below = dual.below((self.node.score + 1) * denominator)
        return self.node.removed <= self.node.leaf.banned.union(below)


class _Division:
    """The shares of a case, made simpler as long as its *task* is done by them."""

    def __init__(self, problem: MatchingProblem, leaf: Leaf, task: _Bounds | _Sifts) -> None:
        self._problem = problem
        self._relaxation = relaxation = leaf.relaxation
        self._leaf = leaf
        self._task = task
        self._members = [_members(relaxation.ring, first) for first in relaxation.terms]
        self._use(leaf.scale, leaf.shares)

    def leaf_json(self) -> _Json:
        """Return the case as JSON, with what has its default value left out."""
        self._simplify()
        shares = {
            str(self._relaxation.term_of[t]): [self._shares[h] for h in self._members[t]]
            for t in self._special()
        }
        prices = {str(j): price for j, price in enumerate(self._dual.prices()) if price}
        found = {"shares": shares, "prices": prices, "local": self._local_prices()}
        return {"denominator": self._denominator} | {key: x for key, x in found.items() if x}

    def _simplify(self) -> None:
        largest = largest_scale(self._relaxation.total, self._leaf.scale)
        for denominator in _DENOMINATORS:
            if denominator > largest:
                break
            if self._proves(denominator, self._default(denominator)):
                return
            if self._proves(denominator, self._rounded(denominator)):
                self._drop_shares()
                return
        self._use(self._leaf.scale, self._leaf.shares)

    def _drop_shares(self) -> None:
        """Return to equal shares wherever that still proves the bound: all terms, halves, ..."""
        default = self._default(self._denominator)
        waiting = [self._special()]
        attempts = 0
        while waiting and attempts < _ATTEMPTS:
            terms = waiting.pop()
            before = self._shares
            attempts += 1
            tried = list(before)
            for t in terms:
                for h in self._members[t]:
                    tried[h] = default[h]
            if self._proves(self._denominator, tried):
                continue
            self._use(self._denominator, before)
            if len(terms) > 1:
                middle = len(terms) // 2
                waiting += [terms[:middle], terms[middle:]]

    def _proves(self, denominator: int, shares: list[int]) -> bool:
        """Take over *shares*, and tell if the task is done by them."""
        self._use(denominator, shares)
        return self._task.is_done_by(self._dual, self._bound, denominator)

    def _use(self, denominator: int, shares: Iterable[int]) -> None:
        self._denominator = denominator
        self._shares = list(shares)
        self._dual = Dual(self._relaxation, denominator)
        self._dual.set_shares(integers(self._shares))
        self._dual.ban(self._leaf.banned)
        self._bound = self._dual.evaluate()

    def _default(self, denominator: int) -> list[int]:
        dual = Dual(self._relaxation, denominator)
        dual.divide_equally()
        return list(dual.shares())

    def _rounded(self, denominator: int) -> list[int]:
        """Return the shares in units of 1 / *denominator*, each term's adding up to its weight."""
        shares, scale = self._leaf.shares, self._leaf.scale
        rounded = [0] * len(shares)
        for members in self._members:
            rest = self._relaxation.weight[members[0]] * denominator
            for h in members[:-1]:
                rounded[h] = min(rest, (2 * shares[h] * denominator + scale) // (2 * scale))
                rest -= rounded[h]
            rounded[members[-1]] = rest
        return rounded

    def _special(self) -> list[int]:
        """Return the terms that count in this case and whose shares are not the default."""
        default = self._default(self._denominator)
        holder, banned = self._relaxation.holder, self._leaf.banned
        return [
            t
            for t, members in enumerate(self._members)
            if any(self._shares[h] != default[h] for h in members)
            and not any(holder[h] in banned for h in members)
        ]

    def _local_prices(self) -> list[list[Any]]:
        """Return the prices of columns that candidates need to add up their groups."""
        relaxation = self._relaxation
        wide = self._dual.local_prices()
        shares = self._dual.shares()
        prices: dict[tuple[int, tuple[int, ...]], int] = {}
        term_of = {h: relaxation.term_of[t] for t, m in enumerate(self._members) for h in m}
        for g in range(len(relaxation.group_first) - 1):
            group = range(relaxation.group_first[g], relaxation.group_first[g + 1])
            if len(group) == 1:
                continue
            c = relaxation.holder[group[0]]
            pair = relaxation.candidates[c]
            terms = [self._problem.terms[term_of[h]].pairs for h in group]
            columns = [others(pairs, pair, 1) for pairs in terms]
            if g in wide:
                for h, column in zip(group, columns, strict=True):
                    prices[c, column] = wide[g][relaxation.column[h]]
            elif len(set(columns)) == 1 and sum(shares[h] > 0 for h in group) > 1:
                prices[c, columns[0]] = max(shares[h] for h in group)
        return [
            [*relaxation.candidates[c], list(column), price]
            for (c, column), price in prices.items()
            if price
        ]


def _members(ring: Sequence[int], first: int) -> list[int]:
    """Return the shares of the term of share *first*, from there on."""
    members = [first]
    while ring[members[-1]] != first:
        members.append(ring[members[-1]])
    return members


def _graph_json(variables: Sequence[str], items: Sequence[Item]) -> _Json:
    triples = [[list(label), list(names)] for label, names in items]
    return {"variables": list(variables), "triples": triples}
