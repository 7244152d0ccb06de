"""The checker of certificates: what it verifies is true, whatever it is given."""

import copy
import json
import random
from typing import Any

from changed_certificates import mutate, sample
from oracles.brute_force import best_score

from exactmatch.certificate.checker import MALFORMED, check, digest, parse, terms


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
