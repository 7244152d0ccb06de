"""The checker of certificates: that it is right, and that nothing gets past it."""

import ast
import copy
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from oracles.brute_force import best_score
from samples import random_graph, random_problem

from exactmatch.building import build_problem
from exactmatch.certificate import checker
from exactmatch.certificate.checker import MALFORMED, bound, check, check_all, digest, parse, terms
from exactmatch.triples import NormalisedGraph, NormalisedTriple

SOURCE = Path(checker.__file__)

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


def verdicts(pairs: list[Any], *certificates: Any) -> list[tuple[str, str, str]]:
    lines = [c if isinstance(c, bytes) else json.dumps(c).encode() for c in certificates]
    return list(check_all(pairs, lines))


def verdict(**changes: Any) -> tuple[str, str]:
    """Return verdict and reason of the example's certificate with *changes*."""
    _, found, reason = verdicts([PAIR], {**CERTIFICATE, **changes})[0]
    return found, reason


class TestExample:
    def test_terms(self) -> None:
        assert terms(PAIR) == TERMS

    def test_digest_is_what_anyone_computes(self) -> None:
        # printf and sha256sum say so.
        assert digest(PAIR) == (
            "sha256:d30245be0c1b0872e1261cfadce78d82b85748614fb973f1d57308bd4167d031"
        )

    def test_verified(self) -> None:
        assert check(PAIR, CERTIFICATE) == "verified"

    @pytest.mark.parametrize(
        ("leaf", "expected"),
        [
            ({"denominator": 2}, 6 // 2),
            # The odd share goes to (0, 0): worths 1 + 1, 1, 1.
            ({"denominator": 1}, 3),
            # Nothing at (1, 1): worths 2 + 2 and 2 and 2.
            ({"denominator": 2, "shares": {"1": [2, 0]}}, 6 // 2),
            # More than there is to divide: worths 2 + 4 and 2 + 1.
            ({"denominator": 2, "shares": {"1": [4, 1]}}, 9 // 2),
            # 5 for gold variable 1 leaves the largest of 3 - 5 and 2 for test variable 1.
            ({"denominator": 2, "prices": {"1": 5}}, (3 + 2 + 5) // 2),
            # At (0, 0), column {1} costs 1: 2 + (1 - 1) + 1. At (1, 1), {0} costs 3: 2 + 0 + 3.
            ({"denominator": 2, "local": [[0, 0, [1], 1]]}, (3 + 3) // 2),
            ({"denominator": 2, "local": [[1, 1, [0], 3]]}, (3 + 5) // 2),
            # With (1, 2): worth 2 + 2. Without: 3 + 3.
            ({"pair": [1, 2], "with": {"denominator": 1}, "without": {"denominator": 1}}, 3),
            ({"pair": [1, 1], "with": {"denominator": 9}, "without": {"denominator": 1}}, 3),
        ],
    )
    def test_bounds(self, leaf: Any, expected: int) -> None:
        assert bound(TERMS, leaf) == expected

    def test_banned(self) -> None:
        assert bound(TERMS, {"denominator": 1}, frozenset({(1, 1)})) == 2
        assert bound(TERMS, {"denominator": 1}, frozenset({(0, 0), (1, 1)})) == 1

    def test_unproven(self) -> None:
        assert verdict(proof="none")[0] == "unproven"
        assert verdict(proof="none", upper=4)[0] == "unproven"

    def test_bounded(self) -> None:
        reason = "the best mapping scores between {} and {}: gap {}"
        assert verdict(upper=5) == ("bounded", reason.format(3, 5, 2))
        assert verdict(mapping=[0, 2], value=2) == ("bounded", reason.format(2, 3, 1))


class TestRefuted:
    @pytest.mark.parametrize(
        "changes",
        [
            {"schema": 2},
            {"profile": "other"},
            {"digest": "sha256:" + 64 * "0"},
            {"mapping": [0]},
            {"mapping": [0, 1, None]},
            {"mapping": [0, 3]},
            {"mapping": [0, -1]},
            {"mapping": [0, 0]},
            {"mapping": [0, "1"]},
            {"mapping": [0, 1.0]},
            {"mapping": [0, [1]]},
            {"mapping": None},
            {"mapping": [0, 2]},
            # These score what they say, but are no mappings of these variables.
            {"mapping": [0], "value": 1},
            {"mapping": [0, None, None], "value": 1},
            {"mapping": [0, 3], "value": 1},
            {"mapping": [0, -1], "value": 1},
            {"mapping": [0, 0], "value": 1},
            {"value": 2},
            {"value": 4, "upper": 4},
            {"value": 3.0},
            {"value": "3"},
            {"upper": 2},
            {"upper": 2, "proof": "none"},
            {"upper": 3.0},
            {"upper": None},
            {"proof": None},
            {"proof": "pair"},
            {"proof": []},
            {"proof": {}},
            {"proof": {"denominator": 0}},
            {"proof": {"denominator": -1}},
            {"proof": {"denominator": 2.0}},
            {"proof": {"denominator": 2, "shares": {"1": [1, 0]}}},
            {"proof": {"denominator": 2, "shares": {"1": [2]}}},
            {"proof": {"denominator": 2, "shares": {"1": [2, 0, 0]}}},
            {"proof": {"denominator": 2, "shares": {"1": [2.0, 0]}}},
            {"proof": {"denominator": 2, "shares": {"1": 2}}},
            {"proof": {"denominator": 2, "shares": [[1, 1]]}},
            {"proof": {"denominator": 2, "prices": {"0": -1}}},
            {"proof": {"denominator": 2, "prices": {"0": 0.0}}},
            {"proof": {"denominator": 2, "prices": {"zero": 0}}},
            {"proof": {"denominator": 2, "local": [[0, 0, [1], -1]]}},
            {"proof": {"denominator": 2, "local": [[0, 0, [1]]]}},
            {"proof": {"denominator": 2, "local": [[0, 0, 1, 1]]}},
            {"proof": {"denominator": 2, "prices": {"1": 9}}},
            {"proof": {"denominator": 2, "shares": {"1": [4, 1]}}},
            {"proof": {"pair": [0, 0], "with": {"denominator": 2}}},
            {"proof": {"pair": [0], "with": {"denominator": 2}, "without": {"denominator": 2}}},
            {"proof": {"pair": [0, 0], "with": {"denominator": 0}, "without": {"denominator": 2}}},
            {"proof": {"pair": [0, 0], "with": {"denominator": 2}, "without": {"denominator": 0}}},
        ],
    )
    def test_a_change(self, changes: dict[str, Any]) -> None:
        found, reason = verdict(**changes)
        assert found == "refuted"
        assert reason

    def test_value_above_what_the_proof_shows(self) -> None:
        # The mapping and the value are right: only the proof says less than it should.
        weak = {"denominator": 2, "prices": {"1": 5}}
        assert verdict(proof=weak) == ("refuted", "the proof shows a bound of 5, not 3")
        assert verdict(proof=weak, upper=5)[0] == "bounded"

    @pytest.mark.parametrize("key", sorted(CERTIFICATE))
    def test_a_key_is_missing(self, key: str) -> None:
        rest = {name: value for name, value in CERTIFICATE.items() if name != key}
        assert "refuted" in [found for _, found, _ in verdicts([PAIR], rest)]

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"3",
            b"[]",
            b"{",
            b"\xff",
            b'{"id": "\xed\xa0\x80"}',
            b'{"id": "p", "value": ' + 5000 * b"9" + b"}",
            b'{"id": "p", "value": ' + 100_000 * b"[",
            b'{"id": "p", "proof": ' + 100_000 * b'{"with":',
            '{"id": "p"}'.encode("utf-16"),
        ],
    )
    def test_not_readable(self, text: bytes) -> None:
        with pytest.raises(MALFORMED):
            parse(text)
        found = verdicts([PAIR], text, CERTIFICATE)
        assert sorted(entry[1] for entry in found) == ["refuted", "verified"]

    def test_deep_proofs(self) -> None:
        proof: Any = {"denominator": 2}
        for _ in range(100_000):
            proof = {"pair": [0, 0], "with": proof, "without": {"denominator": 2}}
        try:
            assert check(PAIR, {**CERTIFICATE, "proof": proof}) == "verified"
        except MALFORMED:
            pass  # a checker may have its limits
        finally:
            while "with" in proof:  # or Python itself would go as deep to free it
                proof = proof["with"]


class TestMatching:
    def test_one_after_the_other(self) -> None:
        wrong = {**CERTIFICATE, "value": 1}
        found = verdicts([PAIR, PAIR, PAIR], wrong, CERTIFICATE)
        assert [entry[:2] for entry in found] == [
            ("p", "refuted"),
            ("p", "verified"),
            ("p", "unproven"),
        ]

    def test_order_of_the_pairs(self) -> None:
        others = [{**PAIR, "id": str(k)} for k in range(5)]
        certificates = [{**CERTIFICATE, "id": str(k)} for k in reversed(range(5))]
        found = verdicts(others, *certificates)
        assert found == [(str(k), "verified", found[k][2]) for k in range(5)]

    def test_left_over(self) -> None:
        found = verdicts([PAIR], CERTIFICATE, CERTIFICATE, {**CERTIFICATE, "id": "q"})
        assert [entry[:2] for entry in found] == [
            ("p", "verified"),
            ("p", "refuted"),
            ("q", "refuted"),
        ]


def random_terms(rng: random.Random, n_left: int, n_right: int) -> list[Any]:
    """Return terms of one to three pairs, with weights from -2 to 3."""
    found = {}
    for _ in range(rng.randint(1, 14)):
        size = min(rng.choice([1, 1, 2, 2, 2, 3]), n_left, n_right)
        lefts = sorted(rng.sample(range(n_left), size))
        rights = rng.sample(range(n_right), size)
        found[tuple(zip(lefts, rights, strict=True))] = rng.randint(-2, 3)
    return [(weight, pairs) for pairs, weight in sorted(found.items())]


def random_leaf(rng: random.Random, problem: list[Any], n_left: int, n_right: int) -> Any:
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


def random_tree(rng: random.Random, problem: list[Any], n: int, m: int, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.4:
        return random_leaf(rng, problem, n, m)
    if rng.random() < 0.4:
        return {
            "sieve": random_leaf(rng, problem, n, m),
            "score": rng.randint(-1, 7),
            "rest": random_tree(rng, problem, n, m, depth - 1),
        }
    return {
        "pair": [rng.randrange(n), rng.randrange(m)],
        "with": random_tree(rng, problem, n, m, depth - 1),
        "without": random_tree(rng, problem, n, m, depth - 1),
    }


def defined_bound(problem: list[Any], node: Any, banned: set[Any]) -> int:
    """Return the bound of a proof, word for word as it is defined and as slow."""
    candidates = {p for _, pairs in problem for p in pairs}
    if "pair" in node:
        i, j = node["pair"]
        rivals = {(k, x) for k, x in candidates if k == i or x == j} - {(i, j)}
        return max(
            defined_bound(problem, node["with"], banned | rivals),
            defined_bound(problem, node["without"], banned | {(i, j)}),
        )
    if "sieve" in node:
        kept = {p for p in candidates if not is_sieved(problem, node, banned, p)}
        rest = defined_bound(problem, node["rest"], banned | (candidates - kept))
        return max(node["score"], rest)
    return defined_total(problem, node, banned, None) // node["denominator"]


def is_sieved(problem: list[Any], node: Any, banned: set[Any], pair: Any) -> bool:
    """Tell if no mapping with *pair* is worth more than the score of a sieve."""
    if all(banned & set(pairs) for _, pairs in problem if pair in pairs) and not any(
        (i, j) == pair for i, j, _, _ in node["sieve"].get("local", [])
    ):
        return False  # it is worth nothing, and banning it changes nothing
    most = defined_total(problem, node["sieve"], banned, pair)
    return bool(most // node["sieve"]["denominator"] <= node["score"])


def defined_total(problem: list[Any], node: Any, banned: set[Any], forced: Any) -> int:
    """Return what bounds the mappings, or those with the pair *forced*, times the denominator."""
    candidates = {p for _, pairs in problem for p in pairs}
    scale = node["denominator"]
    price = {int(j): amount for j, amount in node.get("prices", {}).items()}
    local = {(i, j, frozenset(c)): amount for i, j, c, amount in node.get("local", [])}
    live = {t for t, (_, pairs) in enumerate(problem) if not banned & set(pairs)}

    def share(t: int, p: Any) -> int:
        weight, pairs = problem[t]
        whole, rest = divmod(scale * weight, len(pairs))
        default = [whole + 1] * rest + [whole] * (len(pairs) - rest)
        return node.get("shares", {}).get(str(t), default)[pairs.index(p)]

    def worth(p: Any) -> int:
        mine = [t for t in live if p in problem[t][1]]
        rows = {t: frozenset(i for i, _ in problem[t][1]) - {p[0]} for t in mine}
        total = sum(share(t, p) for t in mine if not rows[t])
        total += sum(amount for (i, j, _), amount in local.items() if (i, j) == p)
        for row in set(rows.values()) - {frozenset()}:
            columns = {t: frozenset(j for _, j in problem[t][1]) - {p[1]} for t in mine}
            in_row = [t for t in mine if rows[t] == row]
            total += max([0, *(share(t, p) - local.get((*p, columns[t]), 0) for t in in_row)])
        return total

    best: dict[int, int] = {}
    for i, j in candidates | {(i, j) for i, j, _ in local}:
        best[i] = max(best.get(i, 0), worth((i, j)) - price.get(j, 0))
    if forced is not None:
        best[forced[0]] = worth(forced) - price.get(forced[1], 0)
    return sum(best.values()) + sum(price.values())


def sound_on(problems: int, seed: int = 7) -> tuple[int, int]:
    """Assert that no random proof is below the optimum; count the bounds that meet it."""
    rng = random.Random(seed)
    tight = improved = 0
    for _ in range(problems):
        n, m = rng.randint(1, 4), rng.randint(1, 4)
        problem = random_terms(rng, n, m)
        optimum = best_score(n, m, problem)
        proof = random_tree(rng, problem, n, m, rng.randrange(4))
        found = bound(problem, proof)
        assert optimum <= found == defined_bound(problem, proof, set()), (problem, proof)
        tight += found == optimum
        improved += found < bound(problem, {"denominator": 1})
    return tight, improved


def test_no_advice_proves_what_is_not_so() -> None:
    tight, improved = sound_on(3_000)
    assert tight > 500  # a bound of infinity would never be
    assert improved > 100  # nor would one that ignores advice


def test_all_cases_together_prove_the_optimum() -> None:
    # Where all is decided, equal shares of positive weights are exact: 6 has thirds and halves.
    def all_cases(problem: list[Any], candidates: list[Any]) -> Any:
        if not candidates:
            return {"denominator": 6}
        (i, j), *rest = candidates
        free = [(k, x) for k, x in rest if k != i and x != j]
        return {
            "pair": [i, j],
            "with": all_cases(problem, free),
            "without": all_cases(problem, rest),
        }

    rng = random.Random(3)
    for _ in range(100):
        found = random_problem(rng)
        problem = list(found.terms)
        candidates = sorted({p for _, pairs in problem for p in pairs})
        optimum = best_score(found.n_left, found.n_right, problem)
        assert bound(problem, all_cases(problem, candidates)) == optimum


@pytest.mark.parametrize("duplicates", ["set", "multiset", "product"])
def test_terms_are_those_that_are_solved(duplicates: Any) -> None:
    rng = random.Random(11)

    def graph(names: str) -> NormalisedGraph:
        items = []
        for _ in range(rng.randint(0, 10)):
            variables = tuple(rng.choices(names, k=rng.choice([1, 1, 2, 2, 3])))
            # The number of variables is part of what makes a label: build_problem asks for it.
            items += [
                NormalisedTriple((rng.choice("pq"), str(len(variables))), variables)
            ] * rng.choice([1, 1, 2, 3])
        return NormalisedGraph(tuple(names), items)

    def as_json(graph: NormalisedGraph) -> Any:
        triples = [[list(label), list(variables)] for label, variables in graph.triples]
        return {"variables": list(graph.variables), "triples": triples}

    for _ in range(300):
        system, gold = graph("abcd"[: rng.randint(1, 4)]), graph("wxyz"[: rng.randint(1, 4)])
        pair = {**PAIR, "duplicates": duplicates, "test": as_json(system), "gold": as_json(gold)}
        assert terms(pair) == [tuple(t) for t in build_problem(system, gold, duplicates).terms]


def test_labels_of_different_size_do_not_match() -> None:
    system = {"variables": ["a"], "triples": [[["r"], ["a", "a"]]]}
    gold = {"variables": ["x"], "triples": [[["r"], ["x"]]]}
    assert terms({**PAIR, "test": system, "gold": gold}) == []


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


def best_mapping(n: int, m: int, known: list[Any]) -> tuple[list[Any], int]:
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


def true_if_verified(pair: Any, certificate: Any) -> bool:
    """Tell if *certificate* is verified, and assert that it is then true."""
    try:
        found = check(pair, certificate)
    except MALFORMED:
        return False
    assert found in ("verified", "bounded", "unproven")
    n, m = (len(pair[side]["variables"]) for side in ("test", "gold"))
    optimum = best_score(n, m, terms(pair))
    assert certificate["value"] <= optimum
    assert certificate["proof"] == "none" or optimum <= certificate["upper"]
    return found == "verified"


def fuzzed_values(rounds: int, seed: int = 5) -> int:
    """Check changed certificates and pairs; return how many were verified."""
    rng = random.Random(seed)
    count = 0
    for _ in range(rounds):
        pair, certificate = sample(rng)
        for _ in range(20):
            changed, claimed = copy.deepcopy(pair), copy.deepcopy(certificate)
            for _ in range(rng.choice([1, 1, 2, 3])):
                mutate(rng, claimed)
            if rng.random() < 0.3:
                mutate(rng, changed)
                try:
                    claimed["digest"] = digest(changed)  # to get past the first test
                except MALFORMED:
                    continue
            count += true_if_verified(changed, claimed)
    return count


def test_fuzzed_values() -> None:
    assert fuzzed_values(150) > 100


def test_fuzzed_bytes() -> None:
    rng = random.Random(6)
    pair, certificate = sample(rng)
    while check(pair, certificate) != "verified":
        pair, certificate = sample(rng)
    line = json.dumps(certificate, ensure_ascii=False).encode()
    verified = 0
    for _ in range(5_000):
        text = bytearray(line)
        for _ in range(rng.choice([1, 1, 2, 5])):
            at = rng.randrange(len(text))
            text[at : at + rng.choice([0, 1, 1, 3])] = rng.choice(
                [b"", b"9", b"-", b"e9", b'"', b"[", b"}", b",", bytes([rng.randrange(256)])]
            )
        try:
            verified += true_if_verified(pair, parse(bytes(text)))
        except MALFORMED:
            continue
    assert 10 < verified < 4_000


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(SOURCE), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


class TestScript:
    @pytest.fixture
    def files(self, tmp_path: Path) -> tuple[Path, Path]:
        certificates, pairs = tmp_path / "certificates", tmp_path / "pairs"
        pairs.write_text(json.dumps(PAIR) + "\n")
        certificates.write_text(json.dumps(CERTIFICATE) + "\n")
        return certificates, pairs

    def test_verified(self, files: tuple[Path, Path]) -> None:
        result = run(*files)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == "verified: 1  bounded: 0  refuted: 0  unproven: 0\n"

    def test_refuted(self, files: tuple[Path, Path]) -> None:
        files[0].write_text(json.dumps({**CERTIFICATE, "value": 4, "upper": 4}) + "\n")
        result = run(*files)
        assert (result.returncode, result.stderr) == (4, "")
        first, last = result.stdout.splitlines()
        assert first.startswith("refuted ")
        assert ": 'the mapping scores 3, not 4 up to 4'" in first
        assert last == "verified: 0  bounded: 0  refuted: 1  unproven: 0"

    def test_unproven(self, files: tuple[Path, Path]) -> None:
        files[0].write_text("")
        result = run(*files)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.endswith("verified: 0  bounded: 0  refuted: 0  unproven: 1\n")

    def test_odd_identifiers_add_no_lines(self, files: tuple[Path, Path]) -> None:
        name = "é\n\x1b[2J\u2028verified: 9"
        files[1].write_text(json.dumps({**PAIR, "id": name}) + "\n")
        files[0].write_text("")
        result = run(*files)
        assert result.returncode == 0
        assert len(result.stdout.splitlines()) == 2
        assert result.stdout.isascii()
        assert "\x1b" not in result.stdout

    @pytest.mark.parametrize("text", ["{", "[]\n", '{"test": 1}\n', "\ufeff{}"])
    def test_malformed_pairs(self, files: tuple[Path, Path], text: str) -> None:
        files[1].write_text(text, encoding="utf-8")
        result = run(*files)
        assert result.returncode == 1
        assert result.stderr

    def test_unreadable(self, files: tuple[Path, Path]) -> None:
        result = run(files[0], files[1].with_name("missing"))
        assert result.returncode == 1
        assert "missing" in result.stderr

    def test_usage(self) -> None:
        result = run("one")
        assert result.returncode in (1, 2)
        assert "CERTIFICATES PAIRS" in result.stderr


def test_can_be_read_in_one_go_and_depends_on_nothing() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 290
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module or "")
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
