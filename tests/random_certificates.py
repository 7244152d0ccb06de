"""Random pairs of small graphs with every feature of a pair, and certificates of them."""

import copy
import random
from typing import Any

from certificate_samples import CERTIFICATE, PAIR, random_tree
from oracles import certified_pairs as oracle

from exactmatch.certificate import checker
from exactmatch.certificate.checker import Term, bound, digest, has_cliques, terms
from exactmatch.problem import MatchingProblem
from exactmatch.problem import Term as PositiveTerm
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.certificates import proof_json
from exactmatch.solving.dual.branch_and_bound import prove
from exactmatch.stopping.deadline import Deadline

#: So little that a proof is left with cases and reduced-cost fixing.
_SMALL = DualBudgets(
    root_iterations=2,
    core_iterations=0,
    core_sweeps=0,
    fusion_tree=(0, 1, 0),
    nearby_tree=(0, 1, 0),
    case_iterations=2,
    rest_iterations=2,
    trial_iterations=1,
    few_terms=0,
)
_LABELS = (["p"], ["q"], ["r", "é"])


def sample(rng: random.Random) -> tuple[Any, Any]:
    """Return a random pair and a true certificate of it, both as JSON objects."""
    pair = random_pair(rng)
    return pair, random_certificate(rng, pair)


def random_pair(rng: random.Random) -> Any:
    """Return a pair of graphs of up to four variables, with triples of up to three."""
    test, gold = (_random_graph(rng, names) for names in ("abcd", "wxyz"))
    if rng.random() < 0.5:
        gold = _renamed(rng, test)
    pair = {
        **PAIR,
        "id": f"é{rng.random()}",
        "duplicates": rng.choice(["set", "multiset", "product"]),
        "scale": rng.choice([1, 1, 1, 2, 5, 0, -1]),
        "similar": [
            [*rng.sample(_LABELS, 2), rng.randint(-2, 3)] for _ in range(rng.choice([0, 0, 1, 3]))
        ],
        "test": test,
        "gold": gold,
    }
    if rng.random() < 0.3:
        for graph in (test, gold):
            graph["keys"] = [rng.sample("klm", rng.randint(0, 3)) for _ in graph["variables"]]
    return copy.deepcopy(pair)


def random_triple(rng: random.Random, variables: list[str]) -> Any:
    size = rng.choice([1, 1, 2, 2, 2, 3])
    return [rng.choice(_LABELS), rng.choices(variables, k=size)]


def _random_graph(rng: random.Random, names: str) -> Any:
    variables = list(names[: rng.choice([1, 2, 2, 3, 3, 3, 4])])
    triples = [random_triple(rng, variables) for _ in range(rng.randint(0, 8))]
    again = rng.choices(triples, k=2) if triples else []
    return {"variables": variables, "triples": triples + again}


def _renamed(rng: random.Random, graph: Any) -> Any:
    """Return *graph* under other names, with a triple or two more or less."""
    new = dict(zip(graph["variables"], rng.sample("wxyz", len(graph["variables"])), strict=True))
    triples = [[label, [new[name] for name in names]] for label, names in graph["triples"]]
    variables = sorted(new.values())
    triples = rng.sample(triples, max(0, len(triples) - rng.randrange(3)))
    return {
        "variables": variables,
        "triples": triples + [random_triple(rng, variables) for _ in range(rng.randrange(2))],
    }


def random_certificate(rng: random.Random, pair: Any) -> Any:
    """Return a true certificate of *pair*, of a best mapping in most cases."""
    value, mapping = oracle.best(pair)
    if rng.random() < 0.1:
        mapping = rng.choice(list(oracle.mappings(pair)))
        value = oracle.score(pair, mapping)
    proof, upper = _random_proof(rng, pair)
    schema = 2 if has_cliques(proof) else 1
    claims = {"schema": schema, "mapping": mapping, "value": value, "upper": upper, "proof": proof}
    return {**CERTIFICATE, "id": pair["id"], "digest": digest(pair), **copy.deepcopy(claims)}


def _random_proof(rng: random.Random, pair: Any) -> tuple[Any, int]:
    """Return a proof of any kind, and the bound that it shows."""
    n, m = (len(pair[side]["variables"]) for side in ("test", "gold"))
    if rng.random() < 0.15:
        prices = {str(j): rng.randint(0, 3) for j in range(m) if rng.random() < 0.5}
        advice = rng.choice([{}, {"prices": prices}, {"prices": prices}])
        return {"counts": advice}, checker.counts(pair, advice)
    known = terms(pair)
    kind = rng.random()
    if kind < 0.3 and known and min(known)[0] > 0:
        proof = _found(n, m, known)
    elif kind < 0.7:
        proof = random_tree(rng, known, n, m, rng.randrange(1, 5))
    elif kind < 0.85:
        proof = _cases(rng, known, sorted({p for _, pairs in known for p in pairs}), 3)
    else:
        proof = {"denominator": rng.choice([1, 2, 6])}
    return proof, bound(known, proof)


def _found(n: int, m: int, known: list[Term]) -> Any:
    """Return the evidence that the dual finds with little work."""
    problem = MatchingProblem(n, m, (PositiveTerm(*term) for term in known))
    return proof_json(prove(problem, Deadline(), budgets=_SMALL))


def _cases(rng: random.Random, known: list[Term], candidates: list[Any], depth: int) -> Any:
    """Return splits by some candidates, in which equal shares are all that is needed."""
    if not candidates or not depth:
        return {"denominator": 6}
    i, j = rng.choice(candidates)
    free = [(k, x) for k, x in candidates if k != i and x != j]
    rest = [p for p in candidates if p != (i, j)]
    return {
        "pair": [i, j],
        "with": _cases(rng, known, free, depth - 1),
        "without": _cases(rng, known, rest, depth - 1),
    }
