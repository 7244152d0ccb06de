"""Random pairs with certificates that are true, and changes to these."""

import copy
import random
from collections.abc import Iterator
from typing import Any

from certificate_samples import CERTIFICATE, PAIR, random_tree
from oracles.brute_force import best_score
from samples import random_graph

from exactmatch.certificate import checker
from exactmatch.certificate.checker import Term, bound, digest, terms


def sample(rng: random.Random) -> tuple[Any, Any]:
    """Return a random pair and a true certificate of it, proven as far as equal shares do."""

    def graph() -> Any:
        _, triples = random_graph(rng, rng.randint(1, 4))
        variables = [names[0] for label, names in triples if label.startswith("instance ")]
        return {"variables": variables, "triples": [[[a], list(b)] for a, b in triples]}

    pair = {**PAIR, "id": f"é{rng.random()}", "test": graph(), "gold": graph()}
    n, m = (len(pair[side]["variables"]) for side in ("test", "gold"))
    known = terms(pair)
    proof = random_tree(rng, known, n, m, rng.randrange(3))
    if rng.random() < 0.6:
        proof = {"denominator": 2, "prices": {"0": 0}, "local": [[0, 0, [1], 0]]}
    upper = bound(known, proof)
    if rng.random() < 0.3:
        advice = {"prices": {str(j): rng.randint(0, 3) for j in range(m) if rng.random() < 0.5}}
        proof, upper = {"counts": advice}, checker.counts(pair, advice)
    mapping, value = best_mapping(n, m, known)
    claims = {"mapping": mapping, "value": value, "upper": upper, "proof": proof}
    return pair, {**CERTIFICATE, "id": pair["id"], "digest": digest(pair), **claims}


def best_mapping(n: int, m: int, known: list[Term]) -> tuple[list[Any], int]:
    """Return a best mapping, found by fixing one image after the other at what keeps the best."""
    best = best_score(n, m, known)
    mapping: list[Any] = []
    for i in range(n):
        for j in [*set(range(m)) - set(mapping), None]:
            taken = [*mapping, j]
            agree = [t for t in known if all(k > i or taken[k] == x for k, x in t[1])]
            free = [t for t in agree if not {x for k, x in t[1] if k > i} & set(taken)]
            if best_score(n, m, free) == best:
                mapping = taken
                break
    return mapping, best


ODD: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 0.5, 1e308, 10**25, -(10**4000), float("nan"), float("inf"),
    "", "none", "0", "1", "pair", "\ud800", "\x00", [], [[]], [0, 0], [1, 0], {}, {"": {}},
    {"counts": {}}, {"counts": {"prices": {}}},
    {"denominator": 1}, {"pair": [0, 0], "with": {"denominator": 1}, "without": {"denominator": 1}},
]  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container within *value* with each of its keys."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def mutate(rng: random.Random, value: Any) -> None:
    """Change *value*, a JSON object, somewhere."""
    inside, key = rng.choice(list(places(value)))
    kind = rng.randrange(5)
    if kind == 0:
        del inside[key]
    elif kind == 1 and isinstance(inside[key], int):
        inside[key] += rng.choice([-1, 1])
    elif kind == 2:
        other, place = rng.choice(list(places(value)))
        inside[key] = copy.deepcopy(other[place])
    elif kind == 3 and isinstance(inside, dict):
        inside[rng.choice(["", "pair", "00", "9", "x", "schema"])] = inside.pop(key)
    else:
        inside[key] = copy.deepcopy(rng.choice(ODD))
