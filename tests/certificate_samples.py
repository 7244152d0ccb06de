"""Certificates worked out by hand, and random problems and proofs for the checker."""

import random
from typing import Any

from exactmatch.certificate.checker import Pair, Term, digest, reweighted

# test  a: want, b: boy, ARG0(a, b)       gold  x: want, y: boy, z: boy, ARG0(x, y), ARG1(x, z)
#
#   term  pairs          weight
#   0     (0, 0)           1     want
#   1     (0, 0) (1, 1)    1     ARG0
#   2     (1, 1)           1     boy
#   3     (1, 2)           1     boy
#
# {(0, 0), (1, 1)} scores terms 0, 1, 2. With D = 2 and equal shares, the worths are (0, 0): 2 + 1
# and (1, 1): 2 + 1 and (1, 2): 2; per test variable the largest are 3 + 3, and 6 // 2 = 3.
PAIR = {
    "id": "p",
    "profile": "default",
    "duplicates": "product",
    "scale": 1,
    "similar": [],
    "test": {
        "variables": ["a", "b"],
        "triples": [[["is", "want"], ["a"]], [["is", "boy"], ["b"]], [["ARG0"], ["a", "b"]]],
    },
    "gold": {
        "variables": ["x", "y", "z"],
        "triples": [
            [["is", "want"], ["x"]],
            [["is", "boy"], ["y"]],
            [["is", "boy"], ["z"]],
            [["ARG0"], ["x", "y"]],
            [["ARG1"], ["x", "z"]],
        ],
    },
}
TERMS = [(1, ((0, 0),)), (1, ((0, 0), (1, 1))), (1, ((1, 1),)), (1, ((1, 2),))]
CERTIFICATE = {
    "schema": 1,
    "id": "p",
    "profile": "default",
    "digest": digest(PAIR),
    "mapping": [0, 1],
    "value": 3,
    "upper": 3,
    "proof": {"denominator": 2},
}

# test  p(a, b), q(b, c), r(c, d)       gold  p(v, w), q(x, y), r(z, v), worth 2 each
#
# b and c have one image each, and v is the image of one: of the three terms, a mapping scores one.
# With halves of each, all pairs are worth 1: a leaf shows 4, one for each of a, b, c and d, or 3 if
# v has a price. The three terms are a clique. With the multiplier 2, no weight is left.
TRIANGLE: dict[str, Any] = {
    **PAIR,
    "id": "triangle",
    "scale": 2,
    "test": {
        "variables": [*"abcd"],
        "triples": [[["p"], [*"ab"]], [["q"], [*"bc"]], [["r"], [*"cd"]]],
    },
    "gold": {
        "variables": [*"vwxyz"],
        "triples": [[["p"], [*"vw"]], [["q"], [*"xy"]], [["r"], [*"zv"]]],
    },
}
TRIANGLE_SETS = [[[0, 0], [1, 1]], [[1, 2], [2, 3]], [[2, 4], [3, 0]]]
TRIANGLE_PROOF: dict[str, Any] = {
    "cliques": [[2, TRIANGLE_SETS]],
    "unit": 1,
    "rest": {"denominator": 1},
}
TRIANGLE_CERTIFICATE: dict[str, Any] = {
    **CERTIFICATE,
    "schema": 2,
    "id": "triangle",
    "digest": digest(TRIANGLE),
    "mapping": [0, 1, None, None],
    "value": 2,
    "upper": 2,
    "proof": TRIANGLE_PROOF,
}


def random_terms(rng: random.Random, n_left: int, n_right: int) -> list[Term]:
    """Return terms of one to three pairs, with weights from -2 to 3."""
    found = {}
    for _ in range(rng.randint(1, 14)):
        found[_random_set(rng, n_left, n_right)] = rng.randint(-2, 3)
    return [(weight, pairs) for pairs, weight in sorted(found.items())]


def _random_set(rng: random.Random, n_left: int, n_right: int) -> tuple[Pair, ...]:
    size = min(rng.choice([1, 1, 2, 2, 2, 3]), n_left, n_right)
    lefts = sorted(rng.sample(range(n_left), size))
    return tuple(zip(lefts, rng.sample(range(n_right), size), strict=True))


def conflict(one: tuple[Pair, ...], other: tuple[Pair, ...]) -> bool:
    """Tell whether no one-to-one mapping includes both, by trying to build one."""
    both = {*one, *other}
    return any(len({pair[side] for pair in both}) < len(both) for side in (0, 1))


def random_cliques(rng: random.Random, problem: list[Term], n_left: int, n_right: int) -> Any:
    """Return cliques of terms and of other sets, as a certificate has them."""
    cliques = []
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        sets: list[tuple[Pair, ...]] = []
        for _ in range(12):
            one = _random_set(rng, n_left, n_right)
            if problem and rng.random() < 0.7:
                one = rng.choice(problem)[1]
            if all(conflict(one, other) for other in sets):
                sets.append(one)
        cliques.append([rng.choice([0, 1, 1, 1, 2, 5]), [list(map(list, one)) for one in sets]])
    return cliques


def random_leaf(rng: random.Random, problem: list[Term], n_left: int, n_right: int) -> Any:
    scale = rng.choice([1, 2, 3, 7])
    shares, local = {}, {}
    for number, (weight, pairs) in enumerate(problem):
        if rng.random() < 0.6:
            parts = [rng.randint(-2 * scale, 3 * scale) for _ in pairs]
            missing = scale * weight - sum(parts) + rng.choice([0, 0, 1])
            parts[rng.randrange(len(parts))] += missing if rng.random() < 0.8 else max(0, missing)
            if sum(parts) >= scale * weight:
                shares[str(number)] = parts
        for i, j in pairs:
            if rng.random() < 0.3:
                local[i, j, tuple(sorted(k for _, k in pairs if k != j))] = rng.randint(0, scale)
    for _ in range(rng.choice([0, 0, 2])):
        column = tuple(sorted(rng.sample(range(n_right), rng.randint(0, n_right))))
        local[rng.randrange(n_left), rng.randrange(n_right), column] = rng.randint(0, scale)
    leaf = {
        "denominator": scale,
        "shares": shares,
        "prices": {str(j): rng.randint(0, scale) for j in range(n_right) if rng.random() < 0.3},
        "local": [[i, j, list(column), price] for (i, j, column), price in local.items()],
    }
    return {key: leaf[key] for key in leaf if key == "denominator" or rng.random() < 0.7}


def random_tree(rng: random.Random, problem: list[Term], n: int, m: int, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.4:
        return random_leaf(rng, problem, n, m)
    kind = rng.random()
    if kind < 0.3:
        cliques = random_cliques(rng, problem, n, m)
        rows = {"cliques": cliques, "unit": rng.choice([1, 1, 2, 3, 10])}
        rest, _ = reweighted(problem, rows)
        return {**rows, "rest": random_tree(rng, rest, n, m, depth - 1)}
    if kind < 0.6:
        return {
            "sieve": random_leaf(rng, problem, n, m),
            "score": rng.randint(-1, 7) * rng.choice([1, 1, 2]),
            "rest": random_tree(rng, problem, n, m, depth - 1),
        }
    return {
        "pair": [rng.randrange(n), rng.randrange(m)],
        "with": random_tree(rng, problem, n, m, depth - 1),
        "without": random_tree(rng, problem, n, m, depth - 1),
    }
