"""The checker on its own: no advice makes a bound below the optimum, no input a crash."""

import ast
import json
import random
import sys
from pathlib import Path
from typing import Any

import oracle
import pytest

from exactmatch.certificate import checker
from exactmatch.certificate.checker import MALFORMED, Term, bound, check, digest, parse

#: Three variables a side. The identity maps (0, 0), (1, 1), (2, 2) and scores 1 + 2 + 2.
TRIANGLE: list[Term] = [
    (1, ((0, 0),)),
    (2, ((0, 0), (1, 1))),
    (2, ((0, 0), (1, 2))),
    (2, ((1, 1), (2, 2))),
    (3, ((1, 2), (2, 1))),
]


def test_a_bound_by_hand() -> None:
    """With D = 2 and equal shares, worth of (0, 0): 2 + max(2, 2) = 4, the others' row being 1.

    (1, 1): 2 + 2 = 4, (1, 2): 2 + 3 = 5, (2, 1): 3, (2, 2): 2. Best of row 0: 4, of row 1: 5, of
    row 2: 3; no prices: 12 // 2 = 6. The optimum takes (0, 0), (1, 2), (2, 1): 1 + 2 + 3 = 6.
    """
    assert bound(TRIANGLE, {"denominator": 2}) == 6 == oracle.best_score(3, 3, TRIANGLE)
    # A price of 1 for gold variable 2 makes that row 0: 4, row 1: max(4, 4), row 2: 3, and 1 more.
    assert bound(TRIANGLE, {"denominator": 2, "prices": {"2": 1}}) == 6
    assert bound(TRIANGLE, {"denominator": 2}, frozenset({(1, 2)})) == 5
    # All of the last term to (1, 2): worth 2 + 6 there and 0 in row 2 but for (2, 2).
    assert bound(TRIANGLE, {"denominator": 2, "shares": {"4": [6, 0]}}) == (4 + 8 + 2) // 2
    # Two rows, one column: both could score 2 in that column; a local price counts it once.
    fork: list[Term] = [(4, ((0, 0), (2, 2))), (4, ((1, 2), (2, 2 - 2)))]
    assert bound(fork, {"denominator": 1, "shares": {"0": [4, 0], "1": [0, 4]}}) == 8
    shared: list[Term] = [(4, ((0, 0), (1, 2))), (4, ((0, 0), (2, 2)))]
    advice = {"denominator": 1, "shares": {"0": [4, 0], "1": [4, 0]}}
    assert bound(shared, advice) == 8
    assert bound(shared, {**advice, "local": [[0, 0, [2], 4]]}) == 4


def test_a_split_bans_what_its_case_rules_out() -> None:
    leaf = {"denominator": 1}
    cases = {"pair": [1, 2], "with": leaf, "without": leaf}
    with_pair = bound(TRIANGLE, leaf, frozenset({(1, 1), (2, 2)}))
    without_pair = bound(TRIANGLE, leaf, frozenset({(1, 2)}))
    assert bound(TRIANGLE, cases) == max(with_pair, without_pair)


def random_terms(rng: random.Random) -> tuple[int, int, list[Term]]:
    n_left, n_right = rng.randint(1, 4), rng.randint(1, 4)
    found = {}
    for _ in range(rng.randint(1, 14)):
        size = min(rng.choice([1, 1, 2, 2, 2, 3, 3]), n_left, n_right)
        lefts = sorted(rng.sample(range(n_left), size))
        pairs = tuple(zip(lefts, rng.sample(range(n_right), size), strict=True))
        found[pairs] = rng.randint(-2, 3)
    return n_left, n_right, [(weight, pairs) for pairs, weight in sorted(found.items())]


def random_leaf(rng: random.Random, n_right: int, terms: list[Term]) -> dict[str, Any]:
    scale = rng.choice([1, 1, 2, 3, 7])
    shares, local = {}, {}
    for t, (weight, pairs) in enumerate(terms):
        if rng.random() < 0.6:
            parts = [rng.randint(-2 * scale, 3 * scale) for _ in pairs]
            parts[rng.randrange(len(parts))] += scale * weight - sum(parts) + rng.choice([0, 0, 1])
            if sum(parts) >= scale * weight:
                shares[str(t)] = parts
        for i, j in pairs if len(pairs) > 1 else ():
            if rng.random() < 0.4:
                column = tuple(sorted(w for _, w in pairs if w != j))
                if rng.random() < 0.1:
                    column = tuple(sorted(rng.sample(range(n_right), rng.randint(1, n_right))))
                local[i, j, column] = rng.randint(0, 2 * scale)
    prices = {str(j): rng.randint(0, 2 * scale) for j in range(n_right) if rng.random() < 0.3}
    return {
        "denominator": scale,
        "shares": shares,
        "prices": prices,
        "local": [[i, j, list(column), price] for (i, j, column), price in local.items()],
    }


def random_proof(rng: random.Random, n_right: int, terms: list[Term], depth: int) -> dict[str, Any]:
    if depth == 0 or rng.random() < 0.4:
        return random_leaf(rng, n_right, terms)
    pair = rng.choice([pair for _, pairs in terms for pair in pairs])
    below = [random_proof(rng, n_right, terms, depth - 1) for _ in range(2)]
    return {"pair": list(pair), "with": below[0], "without": below[1]}


def advise(number: int, seed: str) -> tuple[int, int]:
    """Return on how many random problems random advice gave too low a bound, and a tight one."""
    rng = random.Random(seed)
    wrong = tight = 0
    for _ in range(number):
        n_left, n_right, terms = random_terms(rng)
        proven = bound(terms, random_proof(rng, n_right, terms, 3))
        best = oracle.best_score(n_left, n_right, terms)
        wrong += proven < best
        tight += proven == best
    return wrong, tight


def test_no_advice_gives_a_bound_below_the_optimum() -> None:
    wrong, tight = advise(4000, "advice")
    assert wrong == 0
    assert tight > 400


def graph(*triples: tuple[str, str]) -> dict[str, Any]:
    return {
        "variables": list(dict.fromkeys("".join(names for _, names in triples))),
        "triples": [[[label], list(names)] for label, names in triples],
    }


GRAPHS = {
    "test": graph(("p", "a"), ("q", "b"), ("r", "ab")),
    "gold": graph(("q", "x"), ("p", "y"), ("r", "yx")),
}
PAIR: dict[str, Any] = {"id": "é", "profile": "default.1", "duplicates": "set", **GRAPHS}
CERTIFICATE: dict[str, Any] = {
    "schema": 1,
    "id": "é",
    "profile": "default.1",
    "digest": digest(PAIR),
    "mapping": [1, 0],
    "value": 3,
    "upper": 3,
    "proof": {
        "pair": [0, 1],
        "with": {"denominator": 2, "shares": {"1": [1, 1]}, "prices": {"0": 0}, "local": []},
        "without": {"denominator": 1},
    },
}


def test_the_sample_is_verified() -> None:
    assert check(PAIR, CERTIFICATE) == "verified"
    assert check(PAIR, {**CERTIFICATE, "upper": 4}) == "unproven"
    assert check(PAIR, {**CERTIFICATE, "proof": "none"}) == "unproven"


def outcome(line: bytes) -> str:
    """Return the verdict, "refused" for what the checker refuses; any other error goes through."""
    try:
        return check(PAIR, parse(line))
    except MALFORMED:
        return "refused"


def test_bytes_gone_wrong_are_refused_and_never_crash() -> None:
    rng = random.Random("bytes")
    line = json.dumps(CERTIFICATE).encode()
    seen = {"verified": 0, "unproven": 0, "refused": 0}
    for _ in range(6000):
        changed = bytearray(line)
        for _ in range(rng.choice([1, 1, 2, 5, 40])):
            at = rng.randrange(len(changed))
            kind = rng.randrange(3)
            if kind == 0:
                changed[at] = rng.randrange(256)
            elif kind == 1:
                del changed[at : at + rng.randint(1, 9)]
            else:
                changed[at:at] = rng.choice([b"-", b"9" * 5000, b"[" * 50, b"1e999", b"\xff", b"0"])
        seen[outcome(bytes(changed))] += 1
    assert seen["refused"] > 4000 and seen["verified"] > 0


VALUES = [None, True, -1, 0, 7, 10**400, 1.5, "", "x", "0", [], [0], {}, {"0": 1}, [[0, 1, [0], 5]]]


def mutated(rng: random.Random, value: Any) -> Any:
    """Return *value* with one part of it, at any depth, replaced, left out or doubled."""
    children = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    key, child = rng.choice(children)
    copy = dict(value) if isinstance(value, dict) else list(value)
    kind = rng.random()
    if isinstance(child, dict | list) and child and kind < 0.7:
        copy[key] = mutated(rng, child)
    elif kind < 0.85:
        copy[key] = rng.choice(VALUES)
    else:
        del copy[key]
    return copy


def test_values_gone_wrong_are_refused_or_harmless() -> None:
    rng = random.Random("values")
    verified = 0
    for _ in range(6000):
        changed = mutated(rng, CERTIFICATE)
        if outcome(json.dumps(changed).encode()) == "verified":
            verified += 1
            assert changed["value"] == changed["upper"] == 3
    assert verified > 0


@pytest.mark.parametrize("depth", [900, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    proof = '{"pair":[0,0],"without":{"denominator":1},"with":' * depth + "{}" + "}" * depth
    line = json.dumps({**CERTIFICATE, "proof": 0}).replace('"proof": 0', f'"proof": {proof}')
    assert outcome(line.encode()) == "refused"
    assert outcome(b"[" * depth) == "refused"


def test_the_checker_stands_alone() -> None:
    text = Path(checker.__file__).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        assert all(name.split(".")[0] in sys.stdlib_module_names for name in names)
        assert not isinstance(node, ast.Constant) or not isinstance(node.value, float)
